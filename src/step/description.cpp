#include "step/description.hpp"

#include "base/error.hpp"
#include "track/rail_frame.hpp"

namespace klingel::step {
namespace {

bool same_zone(const contact::Interval& a, const contact::Interval& b) {
  return a.low == b.low && a.high == b.high;
}

// Wheels of one kind on one rail share their map.
bool same_kind(const WheelData& a, const WheelData& b) {
  return a.side == b.side && a.y_w == b.y_w && a.surface.f_w == b.surface.f_w &&
         same_zone(a.tread, b.tread) && same_zone(a.flange, b.flange);
}

}  // namespace

KernelIds::KernelIds(const KernelSet& k)
    : has_p(k.has_input("p")),
      has_u(k.has_input("u")),
      has_z(k.has_input("z")),
      p(has_p ? k.input("p") : 0),
      q(k.input("q")),
      dq(k.input("dq")),
      u(has_u ? k.input("u") : 0),
      h(k.input("h")),
      tangents(k.input("tangents")),
      B(k.input("B")),
      b(k.input("b")),
      W_n(k.input("W_n")),
      active(k.input("active")),
      rhs(k.input("rhs")),
      dq_end(k.input("dq_end")),
      pose(k.function("pose")),
      motion(k.function("motion")),
      impulse(k.function("impulse")),
      solve(k.function("solve")),
      step_matrix(k.function("step_matrix")),
      delta_NK(k.function("delta_NK")),
      energy(k.function("energy")),
      twist_end(k.function("twist_end")),
      power(k.function("power")),
      twist_dq(k.function("twist_dq")),
      M_qq(k.function("M_qq")),
      z(has_z ? k.input("z") : 0),
      strokes_end(has_z ? k.input("strokes_end") : 0),
      strokes(has_z ? k.function("strokes") : 0),
      advance(has_z ? k.function("advance") : 0),
      measured(k.has_function("measured") ? k.function("measured") : 0),
      felt(k.has_function("felt") ? k.function("felt") : 0) {}

Description::Description(VehicleData given) : Description(given, KernelSet(*given.vehicle)) {}

Description::Description(VehicleData given, const KernelSet& k)
    : data(std::move(given)),
      id(k),
      coordinate_names(k.names(id.q)),
      n(coordinate_names.size()),
      w(data.wheels.size()),
      hertz(data.law.E, data.law.poisson),
      kalker(data.law.poisson, data.law.kalker) {
  if (id.has_u) input_names = k.names(id.u);
  if (id.has_p) parameter_names = k.names(id.p);
  if (id.has_z) internal_names = k.names(id.z);
  for (const WheelData& wheel : data.wheels) wheel_names.push_back(wheel.name + " [m]");
  const std::size_t wheels = k.value(id.active).size() / k.abi().lanes,
                    wheelsets = k.value(id.b).size() / 6 / k.abi().lanes;
  if (wheels != w || wheelsets != data.wheelsets.size()) {
    base::fail("the kernels of '{}' are for {} wheels on {} wheelsets, given are {} on {}",
               data.name, wheels, wheelsets, w, data.wheelsets.size());
  }
  if (data.law.foundation.given()) {
    if (!data.loaded())
      base::fail("track that gives way is for loaded treads: use tread = \"loaded\"");
    track_states = 6 * wheelsets;
  }
  if (!data.loaded()) make_searches();
}

void Description::make_searches() {
  searches.reserve(w), maps.reserve(w), reaches.reserve(w), charts.reserve(w);
  for (std::size_t i = 0; i < w; ++i) searches.emplace_back(data.wheels[i].surface, rail(i));
  const spline::Vec3 across = section(data.left.line, data.left.line.begin()).origin -
                              section(data.right.line, data.right.line.begin()).origin;
  for (std::size_t i = 0; i < w; ++i) {
    const WheelData& wheel = data.wheels[i];
    std::size_t same = 0;
    while (same < i && !same_kind(data.wheels[same], wheel)) ++same;
    if (same < i) {
      maps.push_back(maps[same]);
      reaches.push_back(reaches[same]);
      charts.push_back(charts[same]);
      continue;
    }
    const double rail_y = norm(across) / (wheel.side == profile::Side::left ? 2 : -2);
    const double offset = wheel.y_w - rail_y;
    const contact::UprightWheel upright(searches[i], wheel.tread, wheel.flange, offset);
    maps.emplace_back(upright);
    reaches.push_back(wheel.flange.empty() ? contact::FlangeReach()
                                           : contact::FlangeReach(upright));
    charts.push_back(std::make_shared<const contact::PlaceChart>(upright));
  }
}

}  // namespace klingel::step
