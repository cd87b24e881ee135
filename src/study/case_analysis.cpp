#include "study/case_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "base/error.hpp"
#include "contact/radius_difference.hpp"
#include "profile/named_profile.hpp"
#include "stability/eigenvalue_change.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::study {
namespace {

using Rows = std::map<std::string, std::vector<double>, std::less<>>;
using stability::CurveResult, stability::Mode;

// Every quantity of all wheels or wheelsets as a row, and of each one by its name.
void add(Rows& rows, const std::string& name, const std::vector<std::string>& of,
         const std::function<double(std::size_t)>& value) {
  for (std::size_t i = 0; i < of.size(); ++i) {
    rows[name].push_back(value(i));
    rows[name + "." + of[i]] = {value(i)};
  }
}

Rows rows_of(const CurveResult& r, const simulation::Description& d) {
  Rows rows;
  std::vector<std::string> wheels;
  for (const step::WheelData& w : d.data.wheels) wheels.push_back(w.name);
  const std::vector<std::string>& sets = d.data.wheelsets;
  add(rows, "attack", sets, [&](std::size_t i) { return r.wheelsets[i].attack; });
  add(rows, "y_rel", sets, [&](std::size_t i) { return r.wheelsets[i].y; });
  add(rows, "sumY", sets, [&](std::size_t i) { return r.wheelsets[i].sum_Y; });
  add(rows, "Y", wheels, [&](std::size_t i) { return r.wheels[i].Y; });
  add(rows, "Q", wheels, [&](std::size_t i) { return r.wheels[i].Q; });
  add(rows, "YQ", wheels, [&](std::size_t i) { return r.wheels[i].YQ; });
  add(rows, "Tgamma", wheels, [&](std::size_t i) { return r.wheels[i].T_gamma; });
  rows["forward"] = {r.forward};
  return rows;
}

}  // namespace

std::vector<std::string> curve_quantities(const simulation::Description& vehicle) {
  CurveResult any;
  any.wheelsets.resize(vehicle.data.wheelsets.size());
  any.wheels.resize(vehicle.data.wheels.size());
  std::vector<std::string> names;
  for (const auto& [name, row] : rows_of(any, vehicle)) names.push_back(name);
  return names;
}

LinearVehicle::LinearVehicle(const compile::CompiledVehicle& vehicle, const exec::Options& kernels)
    : vehicle_(vehicle), linear_(exec::load(compile::linear_program(*vehicle.model), kernels)) {}

std::unique_ptr<stability::SteadyMotion> LinearVehicle::straight(
    const AnalysedValues& values) const {
  auto motion = std::make_unique<stability::SteadyMotion>(*vehicle_.description, linear());
  for (const auto& [index, value] : values.parameters) motion->set_parameter(index, value);
  if (values.friction) motion->set_friction(*values.friction);
  return motion;
}

const stability::Critical& CaseAnalysis::critical(const Measure& m) {
  if (critical_ && critical_->largest == m.largest) return *critical_;
  motion_ = linear_->straight(values_);
  const stability::Search search{.largest = m.largest};
  critical_ = stability::critical_speed(*motion_, search);
  if (!critical_->speed && critical_->from_the_first)
    note_ = fmt::format("a mode grows at {:g} m/s already, which stands for the critical speed",
                        critical_->lowest);
  else if (!critical_->speed)
    note_ = fmt::format("all modes are damped up to {:g} m/s, which stands for the critical speed",
                        critical_->largest);
  return *critical_;
}

double CaseAnalysis::critical_value(const Measure& m) {
  const stability::Critical& c = critical(m);
  if (m.text == "critical_frequency") return c.mode.frequency();
  return c.speed.value_or(c.from_the_first ? c.lowest : c.largest);
}

Mode CaseAnalysis::mode(const Measure& m, stability::SteadyMotion& motion) const {
  motion.settle(m.speed.value_or(values_.speed));
  const std::vector<Mode> all = stability::modes(motion.small_motions());
  const Mode* found = m.near ? nullptr : stability::least_damped(all);
  if (m.near)
    for (const Mode& mode : all)
      if (mode.oscillates() && (found == nullptr || std::abs(mode.frequency() - *m.near) <
                                                        std::abs(found->frequency() - *m.near)))
        found = &mode;
  if (found == nullptr) base::fail_at(m.place, "no mode oscillates");
  return *found;
}

double CaseAnalysis::of_mode(const Measure& m) const {
  const Mode found = mode(m, *linear_->straight(values_));
  return m.text == "growth"    ? found.lambda.real()
         : m.text == "damping" ? found.damping()
                               : found.frequency();
}

double CaseAnalysis::of_curve(const Formula& formula) {
  if (!curve_) {
    stability::Curving curving(*vehicle_.description, linear_->linear());
    stability::CurveCase one = values_.curve;
    one.friction = values_.friction;
    one.parameters = values_.parameters;
    curve_ = curving.solve(one);
  }
  if (!curve_->failure.empty()) base::fail("{}", curve_->failure);
  const Rows rows = rows_of(*curve_, *vehicle_.description);
  const auto row = [&rows](const std::string& name) {
    return std::span<const double>(rows.find(name)->second);
  };
  return formula.value(row, 1);
}

// By EN 15302 from the profiles of the first wheelset, rigid and without roll, on the nominal
// gauge.
double CaseAnalysis::conicity(double amplitude) const {
  const vehicle::Wheelset& w = vehicle_.vehicle.wheelsets.front();
  const simulation::Description& d = *vehicle_.description;
  const std::filesystem::path folder =
      vehicle::find_track(vehicle_.scenario.track, vehicle_.scenario.folder()).parent_path();
  const auto side = [&](const std::string& wheel, const std::string& rail) {
    return contact::SideProfiles{
        profile::profile(wheel, profile::ProfileKind::wheel, vehicle_.vehicle.folder),
        profile::profile(rail, profile::ProfileKind::rail, folder)};
  };
  const contact::SideProfiles left = side(w.profile_left, d.track.left_profile),
                              right = side(w.profile_right, d.track.right_profile);
  const double y_w = std::abs(d.data.wheels.front().y_w);
  contact::WheelsetPlacement p;
  p.flange_back_distance = 2 * (y_w + left.wheel.flange_back);
  p.gauge = d.track.gauge.value_or(p.gauge);
  p.radius = w.radius;
  const contact::WheelsetGeometry geometry(left, right, p);
  const contact::RadiusDifference f = contact::radius_difference(
      geometry, w.profile_left != w.profile_right || d.track.left_profile != d.track.right_profile,
      amplitude, 0.0);
  return contact::equivalent_conicity(f, amplitude, 2 * y_w, w.radius).tan_gamma;
}

double CaseAnalysis::value(const Measure& m, const Formula* formula) {
  if (m.kind == Measure::Kind::conicity) return conicity(m.amplitude);
  if (m.kind == Measure::Kind::curve) return of_curve(*formula);
  return m.text.starts_with("critical") ? critical_value(m) : of_mode(m);
}

std::optional<std::vector<double>> CaseAnalysis::derivatives(
    const Measure& m, const std::vector<std::size_t>& parameters) {
  if (m.kind != Measure::Kind::modes) return {};
  const bool critical_speed = m.text == "critical_speed";
  if (m.text == "critical_frequency") return {};  // of another speed for every value
  if (critical_speed && !critical(m).speed) return std::vector<double>(parameters.size());
  std::unique_ptr<stability::SteadyMotion> own;
  if (!critical_speed) own = linear_->straight(values_);
  stability::SteadyMotion& motion = critical_speed ? *motion_ : *own;
  const Mode at = critical_speed ? critical_->mode : mode(m, motion);
  const std::vector<std::complex<double>> by =
      stability::eigenvalue_derivatives(motion, motion.speed(), at.lambda, parameters);
  std::vector<double> list;
  for (const std::complex<double>& d : by) {
    const double size = std::abs(at.lambda), re = at.lambda.real();
    // of -re / |lambda|
    const double damping = -d.real() / size + re * (re * d.real() + at.lambda.imag() * d.imag()) /
                                                  (size * size * size);
    list.push_back(critical_speed        ? -d.real() / critical_->slope
                   : m.text == "growth"  ? d.real()
                   : m.text == "damping" ? damping
                                         : d.imag() / (2 * std::numbers::pi));
  }
  return list;
}

}  // namespace klingel::study
