#include "record/rail_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assess/force_assessor.hpp"

namespace klingel::record {
namespace {

using spline::Vec3;

// force on the wheel, ground base
Vec3 force(const step::PointResult& r) {
  const auto part = [&](std::size_t i) {
    return r.N * r.W_n[i] + r.f[0] * r.W_x[i] + (r.f[1] + r.turned) * r.W_y[i];
  };
  return {part(0), part(1), part(2)};
}

}  // namespace

std::array<double, 3> creepages(const step::PointResult& point, double V_floor) {
  const double V = std::max(std::abs(point.V), V_floor);
  return {point.nu[0] / V, point.nu[1] / V, point.nu[2] / V};
}

RailForces::RailForces(const step::Simulator& simulator, const track::Track& track)
    : track_(&track),
      wheelsets_(simulator.data().wheelsets.size(), Wheelset{start::TrackPlace(track)}),
      wheels_(simulator.data().wheels.size()) {}

void RailForces::before(step::Simulator& simulator) {
  for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
    // centre, then the axes of the non-spinning base: z is the last
    const std::span<const double> pose = simulator.pose(k);
    const Vec3 C{pose[0], pose[1], pose[2]}, e_z{pose[9], pose[10], pose[11]};
    const Vec3 P = C - y_rel_lever * e_z;
    Wheelset& w = wheelsets_[k];
    const double s = w.place.s();
    w.place.follow(P);
    w.ds = known_ ? w.place.s() - s : 0;
    w.y_rel = dot(w.place.frame().axes.y, P - w.place.frame().origin);
    // the axle lies along y: its part along the track, turned
    const Vec3 e_y{pose[6], pose[7], pose[8]};
    w.yaw_rel = -std::asin(std::clamp(dot(w.place.frame().axes.x, e_y), -1.0, 1.0));
  }
  known_ = true;
}

bool RailForces::at_end_of_track() const {
  constexpr double margin = 1;      // m: contacts are ahead of the wheel's centre
  constexpr double at_rest = 1e-9;  // m in a step
  for (const Wheelset& w : wheelsets_) {
    const double s = w.place.s();
    if (w.ds > -at_rest && s + w.ds > track_->end() - margin) return true;
    if (w.ds < -at_rest && s + w.ds < track_->begin() + margin) return true;
  }
  return false;
}

std::array<double, 2> RailForces::wheel_place(step::Simulator& simulator, std::size_t i) const {
  const step::WheelData& wheel = simulator.data().wheels[i];
  const std::span<const double> pose = simulator.pose(wheel.wheelset);
  const Vec3 C{pose[0], pose[1], pose[2]}, e_y{pose[6], pose[7], pose[8]};
  const track::RailLine& line = wheel.side == profile::Side::left ? track_->left : track_->right;
  const track::RailSection at = section(line, wheelsets_[wheel.wheelset].place.s());
  const Vec3 r = C + wheel.y_w * e_y - at.origin;
  return {dot(at.axes.y, r), dot(at.axes.z, r)};
}

void RailForces::after(const step::Simulator& simulator) {
  const step::VehicleData& data = simulator.data();
  for (Wheelset& w : wheelsets_) w.sum_Y = 0;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const step::PointResult &tread = simulator.tread()[i], &flange = simulator.flange()[i];
    Wheelset& wheelset = wheelsets_[data.wheels[i].wheelset];
    const spline::Axes& axes = wheelset.place.frame().axes;
    const Vec3 F = force(tread) + force(flange);
    Wheel& w = wheels_[i];
    w.Y = dot(axes.y, F);
    w.Q = dot(axes.z, F);
    wheelset.sum_Y += w.Y;
    w.inwards = data.wheels[i].side == profile::Side::right ? w.Y : -w.Y;
    w.YQ = w.Q < assess::least_Q ? std::numeric_limits<double>::quiet_NaN() : w.inwards / w.Q;
    w.T_gamma = 0;
    for (const step::PointResult* r : {&tread, &flange}) {
      const std::array<double, 3> xi = creepages(*r, data.law.V_floor);
      w.T_gamma += std::abs(r->f[0] * xi[0]) + std::abs(r->f[1] * xi[1]);
    }
  }
}

}  // namespace klingel::record
