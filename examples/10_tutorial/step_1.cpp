// Tutorial, step 1: expressions, atoms, derivatives. See docs/tutorial.md.
#include <fmt/format.h>

#include <vector>

#include "examples/10_tutorial/check.hpp"
#include "sym/count.hpp"
#include "sym/differentiate.hpp"
#include "sym/expr.hpp"
#include "sym/print.hpp"
#include "sym/tape.hpp"

using namespace klingel;
using sym::Expr;
using tutorial::check, tutorial::near;

int main() {
  // symbols live in a graph: a name, a role, a nominal value
  sym::Graph graph;
  const Expr m = graph.parameter("m", 2.0), l = graph.parameter("l", 0.5);
  const sym::Coordinate theta = graph.coordinate("theta", 0.3, 1.5);  // theta, dtheta, ddtheta

  // operators make atoms
  const Expr height = l * (1 - cos(theta.q));
  fmt::print("height = {}\n", text(height));
  check(height == (1 - cos(theta.q)) * l, "l*x and x*l are the same atom");

  // derivatives by a symbol, and by time
  const Expr slope = derivative(height, theta.q);
  const Expr rise = time_derivative(height);
  fmt::print("slope  = {}\nrise   = {}\n", text(slope), text(rise));

  // a larger expression keeps what it shares
  const Expr kinetic = m * rise * rise / 2, potential = m * 9.81 * height;
  const Expr energy = kinetic + potential;
  const std::vector<std::pair<std::string, Expr>> results = {{"energy", energy}, {"rise", rise}};
  fmt::print("\n{}", listing(results, sym::Language::c));

  // numbers: the nominal values, and how many operations they need
  const sym::Count count = sym::count(std::vector{energy, rise});
  fmt::print("\nenergy = {:.6f} J with {} operations, {} of them sines and cosines\n",
             sym::value(energy), count.total(), count.trig);
  check(near(sym::value(rise), 0.5 * std::sin(0.3) * 1.5), "rise is l sin(theta) dtheta");
}
