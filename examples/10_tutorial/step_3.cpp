// Tutorial, step 3: two trees, and where things are and how they move. See docs/tutorial.md.
#include <fmt/format.h>

#include "base/error.hpp"
#include "examples/10_tutorial/check.hpp"
#include "mech/equations.hpp"
#include "mech/kinematics.hpp"
#include "mech/model.hpp"
#include "sym/differentiate.hpp"
#include "sym/print.hpp"
#include "sym/tape.hpp"

using namespace klingel;
using namespace klingel::mech;
using tutorial::check, tutorial::near;

namespace {

void print(const char* what, const Vector& u) {
  fmt::print("{:<9}= ({}, {}, {}) in {}\n", what, text(u.x()), text(u.y()), text(u.z()),
             name(u.base));
}

}  // namespace

int main() {
  Model model("double_pendulum");
  const auto q1 = model.coordinate("q1", 0.4, 1.0), q2 = model.coordinate("q2", 0.9, -2.0);
  const Expr l1 = model.parameter("l1", 1.0), l2 = model.parameter("l2", 0.7);
  const Base ground = model.ground_base();

  // bases hang on bases, points hang on points by vectors in any base
  const Base first = model.rotation("first", ground, axis::y, q1.q);
  const Base second = model.rotation("second", first, axis::y, q2.q);
  const Point O = model.origin();
  const Point A = model.point("A", O, model.vector(first, 0, 0, -l1));
  const Point B = model.point("B", A, model.vector(second, 0, 0, -l2));
  model.body("A", A, first, model.parameter("m1", 1.0));
  model.body("B", B, second, model.parameter("m2", 0.8));

  // of anything with respect to anything: position, angular velocity, velocity
  print("r_AB", position(A, B));
  print("r_AB", in_base(position(A, B), first));
  print("w_second", angular_velocity(ground, second));
  print("v_B", velocity(model.ground(), B));
  print("v_B_first", velocity({A, first}, B));
  check(is_zero(velocity({A, second}, B).c), "B does not move when seen from its own rod");

  // the velocity is the rate of the position
  const Vector r_OB = in_base(position(O, B), ground);
  const Vector v_OB = in_base(velocity(model.ground(), B), ground);
  check(near(sym::value(v_OB.x()), sym::value(time_derivative(r_OB.x()))), "v is dr/dt in x");
  check(near(sym::value(v_OB.z()), sym::value(time_derivative(r_OB.z()))), "v is dr/dt in z");

  // vectors of different bases meet in the cheaper one
  const Vector sum = position(O, A) + position(A, B);
  fmt::print("\n|r_OB|^2 = {:.6f}, summed in base '{}'\n", sym::value(dot(sum, sum)),
             name(sum.base));
  check(near(sym::value(dot(sum, sum)), 1 + 0.49 + 2 * 0.7 * std::cos(0.9)), "law of cosines");

  // wrong input is an exception that says what was found
  Model other("other");
  try {
    position(A, other.origin());
    check(false, "points of two models have no vector between them");
  } catch (const base::Error& error) {
    fmt::print("\n{}\n", error.what());
  }
}
