#include "stability/curving.hpp"

#include <cmath>

#include "base/error.hpp"
#include "record/rail_forces.hpp"
#include "start/start.hpp"

namespace klingel::stability {
namespace {

void check(const CurveCase& c) {
  constexpr double most = 0.3;  // m: more than any railway builds
  if (std::abs(c.radius) < 20 || !std::isfinite(c.radius))
    base::fail("a radius of {:g} m: expected at least 20 m, left curves positive", c.radius);
  if (!(c.speed > 0)) base::fail("a steady curve needs a speed, found {:g} m/s", c.speed);
  if (std::abs(c.cant()) > most)
    base::fail(
        "{:g} m/s in a curve of {:g} m with {:g} mm of cant deficiency needs {:.0f} mm of cant; at "
        "most {:.0f} mm are allowed here",
        c.speed, c.radius, 1e3 * c.cant_deficiency, 1e3 * c.cant(), 1e3 * most);
}

double attack(step::Simulator& simulator, const track::Track& track, std::size_t wheelset) {
  const std::span<const double> p = simulator.pose(wheelset);
  const spline::Vec3 axle{p[6], p[7], p[8]};
  const track::TrackFrame f =
      track.frame(start::nearest_abscissa(track.centre, {p[0], p[1], p[2]}));
  return -std::asin(dot(f.axes.x, axle));
}

// Whether a channel of the kernels is one of a force element at rest.
bool of_element(const step::MeasureData& m) {
  if (m.felt) return false;
  for (const char* kind : {"stroke.", "turn.", "force.", "moment."})
    if (m.name.starts_with(kind)) return true;
  return false;
}

}  // namespace

std::vector<std::string> Curving::element_names() const {
  std::vector<std::string> names;
  for (const step::MeasureData& m : vehicle_.data.measures)
    if (of_element(m)) names.push_back(m.name);
  return names;
}

double CurveCase::cant() const {
  return base * speed * speed / (g * std::abs(radius)) - cant_deficiency;
}

std::unique_ptr<SteadyMotion> Curving::make(const CurveCase& one, double share) const {
  const double side = one.radius > 0 ? 1 : -1;
  const Curve curve{share / one.radius, -side * std::asin(share * one.cant() / CurveCase::base)};
  auto motion = std::make_unique<SteadyMotion>(vehicle_, linear_, curve);
  for (const auto& [index, value] : one.parameters) motion->set_parameter(index, value);
  if (one.friction) motion->set_friction(*one.friction);
  return motion;
}

std::unique_ptr<SteadyMotion> Curving::settled(const CurveCase& one) const {
  check(one);
  for (const int parts : {1, 6, 24}) {
    std::unique_ptr<SteadyMotion> before;
    try {
      for (int part = 1; part <= parts; ++part) {
        std::unique_ptr<SteadyMotion> motion = make(one, static_cast<double>(part) / parts);
        if (before) motion->begin_near(*before);
        motion->settle(one.speed);
        before = std::move(motion);
      }
      return before;
    } catch (const base::Error&) {
      if (parts == 24) throw;
    }
  }
  return nullptr;
}

CurveResult Curving::solve(const CurveCase& one) {
  CurveResult result;
  result.of = one;
  try {
    last_ = settled(one);
  } catch (const base::Error& e) {
    result.failure = e.what();
    return result;
  }
  SteadyMotion& motion = *last_;
  step::Simulator& s = motion.simulator();
  // places of now and the forces of a step that is too short to change them
  record::RailForces forces(s, motion.track());
  s.set_state(motion.state());
  forces.before(s);
  for (std::size_t k = 0; k < forces.wheelsets(); ++k)
    result.wheelsets.push_back({attack(s, motion.track(), k), forces.wheelset(k).y_rel, 0});
  std::size_t at_t = 0;
  for (const step::MeasureData& m : s.data().measures) {
    if (m.felt) continue;
    if (of_element(m)) result.elements.push_back(s.measured(at_t));
    ++at_t;
  }
  if (s.step(1e-6) != runtime::Status::ok) {
    result.failure = s.failure_text();
    return result;
  }
  forces.after(s);
  for (std::size_t k = 0; k < forces.wheelsets(); ++k)
    result.wheelsets[k].sum_Y = forces.wheelset(k).sum_Y;
  for (std::size_t i = 0; i < s.data().wheels.size(); ++i) {
    const record::RailForces::Wheel& w = forces.wheel(i);
    result.wheels.push_back({w.Y, w.Q, w.YQ, w.T_gamma, s.flange()[i].N});
  }
  result.forward = motion.forward();
  result.iterations = motion.iterations();
  return result;
}

}  // namespace klingel::stability
