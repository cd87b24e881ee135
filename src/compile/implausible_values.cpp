#include "compile/implausible_values.hpp"

#include <cmath>

#include "base/error.hpp"

namespace klingel::compile {
namespace {

// From toy trains to giant wheels, from the moon to a centrifuge: far beyond what is built.
constexpr double least_radius = 0.01, largest_radius = 2;   // m
constexpr double least_gravity = 1, largest_gravity = 100;  // m/s2
constexpr double largest_load = 1e6;  // N, of a wheel; the heaviest have 0.2e6

bool is_radius(double r) { return r >= least_radius && r <= largest_radius; }

}  // namespace

std::vector<std::string> implausible_values(const vehicle::Vehicle& v) {
  std::vector<std::string> warnings;
  // one wheelset stands for those of the same group
  for (const vehicle::Wheelset& w : v.wheelsets) {
    const double radius = is_radius(w.radius_right) ? w.radius_left : w.radius_right;
    if (is_radius(radius)) continue;
    warnings.push_back(
        fmt::format("{}: the wheels of '{}' have a radius of {:g} m; is its unit right?",
                    base::text(w.place), w.name, radius));
    break;
  }
  // formulas of inputs or coordinates have no value here
  const vehicle::NominalValues nominal(v.parameters);
  double square = 0, mass = 0;
  for (const vehicle::Expression& g : v.gravity) {
    if (!nominal.knows(g)) return warnings;
    square += nominal(g) * nominal(g);
  }
  for (const vehicle::Body& body : v.bodies)
    mass += nominal.knows(body.mass) ? nominal(body.mass) : 0;
  const double gravity = std::sqrt(square);
  if (!(gravity >= least_gravity && gravity <= largest_gravity))
    warnings.push_back(fmt::format("{}: gravity is {:g} m/s2; is that meant?", v.file, gravity));
  const double load = mass * gravity / static_cast<double>(2 * v.wheelsets.size());
  if (load > largest_load)
    warnings.push_back(fmt::format(
        "{}: the vehicle weighs {:g} t, {:g} kN on each wheel; is the unit of its masses right?",
        v.file, 1e-3 * mass, 1e-3 * load));
  return warnings;
}

}  // namespace klingel::compile
