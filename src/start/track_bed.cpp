#include "start/track_bed.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/sparse_matrix.hpp"
#include "start/free_coordinates.hpp"
#include "start/start.hpp"
#include "start/track_place.hpp"
#include "start/unit_solver.hpp"
#include "step/vehicle_copy.hpp"

namespace klingel::start {
namespace {

using spline::Vec3;

enum { x, y, z, roll, pitch, yaw };

// softer than rails, stiffer than suspensions
constexpr double stiffness = 1e8;  // N/m per wheelset, N m/rad for its turns

class Bed {
 public:
  Bed(step::VehicleCopy& copy, const track::Track& track)
      : p_(copy),
        track_(track),
        places_(copy.vehicle.data.wheelsets.size(), TrackPlace(track)),
        height_(places_.size()) {
    // axles stand above the rails' base lines by the wheel's radius and what the rail is high
    const auto middle = [](const spline::CubicSpline& f) {
      return f.value(std::clamp(0.0, f.begin(), f.end()));
    };
    for (const step::WheelData& wheel : p_.vehicle.data.wheels) {
      height_[wheel.wheelset] = middle(wheel.surface.f_w) + middle(p_.vehicle.data.rail(wheel).f_r);
    }
  }

  // generalized forces of suspension, weight and bed
  Eigen::VectorXd operator()(const std::vector<double>& q) {
    const auto n = static_cast<Eigen::Index>(p_.vehicle.n);
    p_.at.place(q);
    runtime::KernelSet& k = p_.at.kernels;
    k.set(p_.vehicle.id.dq, std::vector<double>(p_.vehicle.n, 0.0));
    const std::span<const double> delta = k.evaluate(p_.vehicle.id.delta_NK);
    Eigen::VectorXd wrenches = Eigen::VectorXd::Zero(9 * static_cast<Eigen::Index>(places_.size()));
    for (std::size_t i = 0; i < places_.size(); ++i)
      wrenches.segment<6>(9 * static_cast<Eigen::Index>(i)) = pull(i);
    Eigen::VectorXd F = runtime::evaluate_sparse(k, p_.vehicle.id.twist_dq).transpose() * wrenches;
    F += Eigen::Map<const Eigen::VectorXd>(delta.data(), n);
    return F;
  }

 private:
  Eigen::Matrix<double, 6, 1> pull(std::size_t wheelset) {
    const std::span<const double> pose = p_.at.pose(wheelset);
    const Vec3 r{pose[0], pose[1], pose[2]};
    places_[wheelset].follow(r);
    const track::TrackFrame& frame = places_[wheelset].frame();
    spline::Axes a = frame.axes;
    // between the rails as they lie, not as designed
    const track::RailDeviation off = track_.deviation(places_[wheelset].s());
    const double across = (off.left_lateral + off.right_lateral) / 2;
    const double above = (off.left_vertical + off.right_vertical) / 2;
    const double tilt = (off.left_vertical - off.right_vertical) / frame.rail_distance;
    const Vec3 middle = frame.origin + across * a.y + above * a.z;
    a.y = unit(a.y + tilt * a.z);
    a.z = cross(a.x, a.y);
    const Vec3 d = r - middle - height_[wheelset] * a.z;
    const Vec3 force = -stiffness * (dot(d, a.y) * a.y + dot(d, a.z) * a.z);
    // small turns from the track's axes; about the axle it turns freely
    const Vec3 ex{pose[3], pose[4], pose[5]}, ey{pose[6], pose[7], pose[8]},
        ez{pose[9], pose[10], pose[11]};
    const Vec3 turn = 0.5 * (cross(a.x, ex) + cross(a.y, ey) + cross(a.z, ez));
    const Vec3 moment = -stiffness * (dot(turn, a.x) * a.x + dot(turn, a.z) * a.z);
    return {force.x, force.y, force.z, moment.x, moment.y, moment.z};
  }

  step::VehicleCopy& p_;
  const track::Track& track_;
  std::vector<TrackPlace> places_;
  std::vector<double> height_;
};

}  // namespace

void move_along(std::vector<double>& q, const std::vector<BodyCoordinates>& bodies,
                std::array<double, 2> reference, const track::Track& track, double abscissa,
                const TrackOffset& offset) {
  for (const BodyCoordinates& b : bodies) {
    const double s = abscissa + offset.x + q[*b[x]] - reference[0];
    const track::TrackFrame frame = track.frame(s);
    const double height = b[z] ? q[*b[z]] : 0.0;
    const Vec3 r = frame.origin + (q[*b[y]] - reference[1] + offset.y) * frame.axes.y +
                   (height + offset.z) * frame.axes.z;
    q[*b[x]] = r.x, q[*b[y]] = r.y;
    if (b[z]) q[*b[z]] = r.z;
    if (b[roll]) q[*b[roll]] += frame.cant + offset.roll;
    if (b[pitch]) q[*b[pitch]] += offset.pitch - std::atan(frame.gradient);
    if (b[yaw]) q[*b[yaw]] += frame.heading + offset.yaw;
  }
}

void move_with(const std::vector<double>& q, std::vector<double>& dq,
               const std::vector<BodyCoordinates>& bodies, const track::Track& track,
               double speed) {
  constexpr double d = 0.5;  // m: cant and gradient change over metres
  for (const BodyCoordinates& b : bodies) {
    const double s = nearest_abscissa(track.centre, {q[*b[x]], q[*b[y]], 0});
    const track::TrackFrame frame = track.frame(s);
    const track::TrackFrame before = track.frame(std::max(s - d, track.begin()));
    const track::TrackFrame after = track.frame(std::min(s + d, track.end()));
    dq[*b[x]] = speed * frame.axes.x.x;
    dq[*b[y]] = speed * frame.axes.x.y;
    if (b[z]) dq[*b[z]] = speed * frame.axes.x.z;
    if (b[roll]) dq[*b[roll]] = speed * (after.cant - before.cant) / (2 * d);
    if (b[pitch]) dq[*b[pitch]] = -speed * (after.gradient - before.gradient) / (2 * d);
    if (b[yaw]) dq[*b[yaw]] = speed * frame.curvature;
  }
}

bool lie_down(step::VehicleCopy& p, std::vector<double>& q, const track::Track& track,
              const std::vector<std::size_t>& held) {
  Bed bed(p, track);
  const FreeCoordinates free(p.vehicle, held);
  const UnitDifferences differences(p.vehicle.data.units, p.vehicle.n, free.list);
  constexpr int most = 60;
  constexpr double close = 1.0;  // N and N m: a hundredth of a micrometre of the bed
  for (int iteration = 0; iteration < most; ++iteration) {
    const Eigen::VectorXd F = free.part(bed(q));
    if (!F.allFinite()) return false;
    if (F.lpNorm<Eigen::Infinity>() < close) return true;
    Triplets entries;
    differences(bed, q, 1e-6, 1, entries);
    Eigen::SparseMatrix<double> A(F.size(), F.size());
    free.keep_rows(entries);
    A.setFromTriplets(entries.begin(), entries.end());
    // coordinates without force or stiffness stay where they are
    const Eigen::VectorXd step = least_solution(A, -F, free.units, 1e-9);
    const double share = std::min(1.0, 0.1 / step.lpNorm<Eigen::Infinity>());
    for (std::size_t j = 0; j < free.list.size(); ++j)
      q[free.list[j]] += share * step[static_cast<Eigen::Index>(j)];
  }
  return false;
}

}  // namespace klingel::start
