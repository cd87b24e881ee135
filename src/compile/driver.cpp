#include "compile/driver.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace klingel::compile {
namespace {

using vehicle::Expression;

// The input times a number.
Expression input_times(double factor) {
  Expression name;
  name.kind = Expression::Kind::name;
  name.name = driver_input;
  Expression product;
  product.kind = Expression::Kind::multiply;
  product.arguments = {name, Expression(factor)};
  return product;
}

}  // namespace

void add_driver(const vehicle::Driver& driver, vehicle::Vehicle& v) {
  if (!v.reference || v.reference->coordinates[0].empty() || v.reference->coordinates[1].empty())
    base::fail_at(driver.place,
                  "a driver needs the speed of a body: give the vehicle a [reference] with "
                  "coordinates x and y");
  for (const vehicle::Input& i : v.inputs)
    if (i.name == driver_input)
      base::fail_at(i.place, "the input '{}' is the driver's; give yours another name", i.name);
  const auto body = std::find_if(v.bodies.begin(), v.bodies.end(), [&](const vehicle::Body& b) {
    return b.name == v.reference->body.text;
  });
  v.inputs.push_back({driver_input, driver.place, 0, "N", {}});
  const vehicle::BaseName& base = v.reference->base.empty() ? body->base : v.reference->base;
  if (driver.mode == vehicle::Driver::Mode::body) {
    const vehicle::AppliedForce force{body->point, {}, base, {input_times(1), 0.0, 0.0}};
    v.elements.push_back({"driver", driver.place, false, force});
    return;
  }
  const double share = 1.0 / static_cast<double>(v.wheelsets.size());
  for (const vehicle::Wheelset& w : v.wheelsets) {
    const vehicle::AppliedTorque torque{
        w.spinning_base, base, w.base, {0.0, input_times(w.radius * share), 0.0}};
    v.elements.push_back({"driver." + w.name, driver.place, false, torque});
  }
}

double total_mass(const vehicle::Vehicle& v) {
  const vehicle::NominalValues nominal(v.parameters);
  double sum = 0;
  for (const vehicle::Body& b : v.bodies) sum += nominal(b.mass);
  return sum;
}

}  // namespace klingel::compile
