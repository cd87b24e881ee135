// The kinematic operators against numbers that know nothing of them: matrices and vectors of the
// two trees multiplied from the root, and differences of these along a smooth random motion. For
// frames that move, and of any base and point with respect to any other.
#include <gtest/gtest.h>

#include <functional>

#include "mech/kinematics.hpp"
#include "tests/physics/equal_models.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::test {
namespace {

using mech::Base;
using mech::Model;
using mech::Point;
using mech::Vector;
using Real = long double;
using Vec = std::array<Real, 3>;
using Mat = std::array<Real, 9>;

Mat product(const Mat& A, const Mat& B) {
  Mat C{};
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t k = 0; k < 3; ++k) C[i] += A[i / 3 * 3 + k] * B[3 * k + i % 3];
  return C;
}
Mat transposed(const Mat& A) { return {A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]}; }
Vec product(const Mat& A, const Vec& u) {
  Vec v{};
  for (std::size_t i = 0; i < 9; ++i) v[i / 3] += A[i] * u[i % 3];
  return v;
}
Vec cross(const Vec& u, const Vec& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
template <std::size_t n>
std::array<Real, n> sum(const std::array<Real, n>& a, const std::array<Real, n>& b,
                        Real factor = 1) {
  std::array<Real, n> c;
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + factor * b[i];
  return c;
}
// the vector of a skew matrix
Vec axial(const Mat& A) { return {A[7], A[2], A[3]}; }

// Central differences of order eight: errors of (frequency * step)^8, rounding of 1e-19 / step^2.
constexpr Real step = 2e-3L;
constexpr std::array<Real, 9> first = {1 / 280.L, -4 / 105.L, 1 / 5.L,   -4 / 5.L,  0,
                                       4 / 5.L,   -1 / 5.L,   4 / 105.L, -1 / 280.L};
constexpr std::array<Real, 9> second = {-1 / 560.L, 8 / 315.L, -1 / 5.L,  8 / 5.L,   -205 / 72.L,
                                        8 / 5.L,    -1 / 5.L,  8 / 315.L, -1 / 560.L};
// measured: below 3e-13
constexpr double tolerance = 1e-11;

// f at -4 .. 4 steps, weighted
template <class F>
auto difference(const std::array<Real, 9>& weights, Real scale, F f) {
  auto result = f(0.L);
  result.fill(0);
  for (int i = -4; i <= 4; ++i)
    result = sum(result, f(static_cast<Real>(i) * step),
                 weights[static_cast<std::size_t>(i + 4)] / scale);
  return result;
}
template <class F>
auto rate(F f) {
  return difference(first, step, f);
}
template <class F>
auto second_rate(F f) {
  return difference(second, step * step, f);
}

// A smooth motion of everything that moves: symbols with declared rates, and time.
class Motion {
 public:
  Motion(Model& m, std::uint64_t seed) : m_(m), base_(m) {
    Random random(seed);
    sym::Graph& g = m.graph();
    std::vector<bool> is_rate(g.size());
    for (const sym::Symbol& s : g.symbols())
      if (s.rate != sym::no_id) is_rate[s.rate] = true;
    for (const sym::Symbol& s : g.symbols()) {
      const Expr x{&g, s.id};
      if (s.kind == sym::SymbolKind::time) {
        time_ = x;
        t_ = random.uniform(0, 2);
      } else if (s.rate != sym::no_id && !is_rate[s.id]) {
        waves_.push_back({x, random.within(2), random.uniform(0.3, 1), random.uniform(0.5, 2),
                          random.within(3)});
      }
    }
  }

  State at(Real tau) const {
    State state = base_;
    for (const Wave& w : waves_) {
      const Real phase = w.frequency * tau + w.phase;
      Expr x = w.symbol;
      state.set(x, w.mean + w.amplitude * std::sin(phase));
      x = {&m_.graph(), m_.graph().symbol_of(x).rate};
      state.set(x, w.amplitude * w.frequency * std::cos(phase));
      x = {&m_.graph(), m_.graph().symbol_of(x).rate};
      state.set(x, -w.amplitude * w.frequency * w.frequency * std::sin(phase));
    }
    if (time_) state.set(*time_, t_ + tau);
    return state;
  }

 private:
  struct Wave {
    Expr symbol;
    Real mean, amplitude, frequency, phase;
  };
  Model& m_;
  State base_;
  std::vector<Wave> waves_;
  std::optional<Expr> time_;
  Real t_ = 0;
};

// Both trees multiplied out from the root at a state.
class Trees {
 public:
  explicit Trees(Model& m) : m_(m), quantities_(m, all(m)) {}

  struct Pose {
    std::vector<Mat> R;  // of each base in the ground
    std::vector<Vec> r;  // of each point from the origin, in the ground

    Mat base_change(Base A, Base B) const { return product(transposed(R[A.index]), R[B.index]); }
    // from O to P, components in A
    Vec position(Base A, Point O, Point P) const {
      return product(transposed(R[A.index]), sum(r[P.index], r[O.index], -1));
    }
  };

  Pose at(const State& state) const {
    const std::vector<Real> x = quantities_.at<Real>(state);
    Pose pose;
    std::size_t next = 0;
    for (std::size_t b = 0; b < m_.bases().size(); ++b, next += 9) {
      Mat R;
      std::copy_n(&x[next], 9, R.begin());
      pose.R.push_back(b == 0 ? R : product(pose.R[m_.bases()[b].parent], R));
    }
    for (std::size_t p = 0; p < m_.points().size(); ++p, next += 3) {
      const mech::PointNode& node = m_.points()[p];
      const Vec r = product(pose.R[node.base.index], Vec{x[next], x[next + 1], x[next + 2]});
      pose.r.push_back(p == 0 ? r : sum(pose.r[node.parent], r));
    }
    return pose;
  }

 private:
  static std::vector<Expr> all(Model& m) {
    std::vector<Expr> list;
    for (const auto& b : m.bases()) list.insert(list.end(), b.R_PB.begin(), b.R_PB.end());
    for (const auto& p : m.points()) list.insert(list.end(), p.r.begin(), p.r.end());
    return list;
  }

  Model& m_;
  Quantities quantities_;
};

// Collects expressions with the numbers they should have, and compares all at once.
class Expectations {
 public:
  void add(const std::string& what, std::span<const Expr> list, std::span<const Real> expected) {
    names_.push_back(what);
    list_.insert(list_.end(), list.begin(), list.end());
    expected_.insert(expected_.end(), expected.begin(), expected.end());
    ends_.push_back(list_.size());
  }

  void check(Model& m, const State& state, const std::string& model) const {
    const std::vector<Real> values = Quantities(m, list_).at<Real>(state);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < names_.size(); begin = ends_[i++]) {
      Real error = 0, size = 1;
      for (std::size_t k = begin; k < ends_[i]; ++k) {
        error = std::max(error, std::abs(values[k] - expected_[k]));
        size = std::max(size, std::abs(expected_[k]));
        EXPECT_FALSE(std::isnan(values[k]));
      }
      EXPECT_LE(static_cast<double>(error / size), tolerance) << model << ": " << names_[i];
    }
  }

 private:
  std::vector<std::string> names_;
  std::vector<Expr> list_;
  std::vector<Real> expected_;
  std::vector<std::size_t> ends_;
};

// all operators between randomly chosen nodes of both trees
void check_operators(Model& m, const std::string& model, std::uint64_t seed, int choices) {
  const Trees trees(m);
  const Motion motion(m, seed);
  const auto pose = [&](Real tau) { return trees.at(motion.at(tau)); };
  const Trees::Pose now = pose(0);
  State still = motion.at(0);  // without accelerations
  for (const sym::Coordinate& c : m.coordinates()) still.set(c.ddq, 0);
  for (const sym::Coordinate& c : m.contact_coordinates()) still.set(c.ddq, 0);

  Random random(seed);
  const auto any_base = [&] {
    return Base{&m, static_cast<std::uint32_t>(random.below(m.bases().size()))};
  };
  const auto any_point = [&] {
    return Point{&m, static_cast<std::uint32_t>(random.below(m.points().size()))};
  };
  Expectations moving, resting;
  for (int choice = 0; choice < choices; ++choice) {
    const Base A = any_base(), B = any_base();
    const Point O = any_point(), P = any_point();
    const mech::Frame frame{O, A};
    const auto in = [](const Vector& u, Base base) { return mech::in_base(u, base).c; };
    const auto r = [&](Real tau) { return pose(tau).position(A, O, P); };
    const auto R = [&](Real tau) { return pose(tau).base_change(A, B); };
    const std::string what =
        mech::name(O) + " " + mech::name(A) + " " + mech::name(P) + " " + mech::name(B);

    moving.add("position " + what, in(mech::position(O, P), A), r(0));
    moving.add("base change " + what, mech::base_change(A, B), R(0));
    moving.add("velocity " + what, in(mech::velocity(frame, P), A), rate(r));
    moving.add("acceleration " + what, in(mech::acceleration(frame, P), A), second_rate(r));
    const Mat dR = rate(R), ddR = second_rate(R);
    moving.add("angular velocity " + what, in(mech::angular_velocity(A, B), B),
               axial(product(transposed(R(0)), dR)));
    moving.add("angular acceleration " + what, in(mech::angular_acceleration(A, B), A),
               axial(sum(product(ddR, transposed(R(0))), product(dR, transposed(dR)))));

    // without accelerations of the coordinates the bias is all
    const Quantities a(m, in(mech::acceleration(frame, P), A)),
        alpha(m, in(mech::angular_acceleration(A, B), A));
    resting.add("bias acceleration " + what, in(mech::bias_acceleration(frame, P), A),
                a.at<Real>(still));
    resting.add("bias angular acceleration " + what, in(mech::bias_angular_acceleration(A, B), A),
                alpha.at<Real>(still));

    // a vector of moving components in B, seen from A
    const Expr q = m.coordinates()[random.below(m.coordinates().size())].q;
    const Vector u = m.vector(B, q * q, 2 - q, 0.5);
    const auto u_A = [&](const State& state) {
      const Real x = state[q];
      return product(trees.at(state).base_change(A, B), Vec{x * x, 2 - x, 0.5L});
    };
    moving.add("time derivative " + what, in(mech::time_derivative(u, A), A),
               rate([&](Real tau) { return u_A(motion.at(tau)); }));
    moving.add("derivative by a coordinate " + what, in(mech::derivative(u, q, A), A),
               rate([&](Real change) {
                 State state = motion.at(0);
                 return u_A(state.set(q, state[q] + change));
               }));

    // the moment of a force about another point
    const mech::Wrench wrench{u, m.vector(A, 1, 2, 3), P};
    const Vec arm = r(0), force = u_A(motion.at(0));
    moving.add("wrench moved " + what, in(mech::moved(wrench, O).moment, A),
               sum(Vec{1, 2, 3}, cross(arm, force)));
  }
  for (const mech::Body& body : m.bodies()) {
    const Vec com = [&] {
      Vec c;
      const std::vector<Real> x = Quantities(m, body.com.c).at<Real>(still);
      std::copy_n(x.begin(), 3, c.begin());
      return c;
    }();
    const auto r_G = [&](Real tau) {
      const Trees::Pose p = pose(tau);
      return sum(p.r[body.point.index], product(p.R[body.base.index], com));
    };
    const Base O = m.ground_base();
    moving.add("centre of mass of " + body.name, mech::in_base(mech::position_of_com(body), O).c,
               r_G(0));
    moving.add("its velocity, " + body.name, mech::in_base(mech::velocity_of_com(body), O).c,
               rate(r_G));
    const mech::Twist twist = mech::twist(m.ground(), body);
    moving.add("twist of " + body.name, mech::in_base(twist.velocity, O).c,
               rate([&](Real tau) { return pose(tau).r[body.point.index]; }));
  }
  moving.check(m, motion.at(0), model);
  resting.check(m, still, model);
}

class EqualKinematics : public testing::TestWithParam<Mechanism> {};

TEST_P(EqualKinematics, operators_are_derivatives_of_positions) {
  Model m(GetParam().name);
  GetParam().build(m);
  for (std::uint64_t seed = 0; seed < 3; ++seed) check_operators(m, GetParam().name, seed, 8);
}

INSTANTIATE_TEST_SUITE_P(mechanisms, EqualKinematics, testing::ValuesIn(mechanisms()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(equal_kinematics, operators_are_derivatives_of_positions_on_random_trees) {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    Model m("random");
    build_random(m, seed);
    check_operators(m, "random tree " + std::to_string(seed), seed, 8);
  }
}

}  // namespace
}  // namespace klingel::test
