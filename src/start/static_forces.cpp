#include "start/static_forces.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "step/sheet_force.hpp"

namespace klingel::start {
namespace {

constexpr step::Locating locating{1e-12, 20, 20};
constexpr double stiffness = 1e7;  // of grip(), N/m and N m/rad

}  // namespace

StaticForces::StaticForces(step::VehicleCopy& copy, const step::VehicleState& state)
    : copy_(copy),
      vehicle_(copy.vehicle),
      instant_(copy.at),
      last_(state.tread),
      W_n_(6 * vehicle_.w),
      phi_(static_cast<Eigen::Index>(vehicle_.w)) {
  if (step::LoadedTreads* treads = copy_.loaded()) take_feet(*treads, vehicle_, state);
  if (step::RigidTreads* treads = copy_.rigid())
    for (std::size_t i = 0; i < vehicle_.w; ++i) treads->tread[i].set_s(state.tread[i].s);
}

// Wheels at rest.
void StaticForces::place_loaded(step::LoadedTreads& treads) {
  static constexpr double rest[7] = {};
  const step::LoadedSet::Lanes still = {rest, rest, rest, rest};
  for (std::size_t g = 0; g < treads.sets.size(); ++g)
    treads.sets[g].at.evaluate(treads.tread.rows(g, instant_.poses, 12), still, still);
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    const step::LoadedSet& at = treads.sets[set].at;
    if ((at.on_line() >> lane & 1) == 0) {
      base::fail("the wheel '{}' has lost its rail while the start was computed",
                 vehicle_.data.wheels[i].name);
    }
    phi_[static_cast<Eigen::Index>(i)] = at.tread().phi[lane];
    for (std::size_t c = 0; c < 6; ++c) W_n_[6 * i + c] = at.tread().frame.W_n[c][lane];
  }
}

void StaticForces::place_rigid(step::RigidTreads& treads) {
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const step::Contact contact = treads.tread[i];
    contact.set_pose(instant_.pose(vehicle_.data.wheels[i].wheelset));
    if (!locate_tread(treads, vehicle_, instant_, i, last_[i].s[1], last_[i].s[3], locating)
             .found) {
      base::fail("the wheel '{}' has lost its contact while the start was computed",
                 vehicle_.data.wheels[i].name);
    }
    phi_[static_cast<Eigen::Index>(i)] = contact.phi_n();
    const step::Wrench W = contact.W_n();
    std::copy(W.begin(), W.end(), &W_n_[6 * i]);
  }
}

void StaticForces::at(const std::vector<double>& q) {
  instant_.place(q);
  if (step::LoadedTreads* treads = copy_.loaded())
    place_loaded(*treads);
  else
    place_rigid(*copy_.rigid());
}

Eigen::SparseMatrix<double> StaticForces::J() {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const int row = static_cast<int>(9 * vehicle_.data.wheels[i].wheelset);
    for (int c = 0; c < 6; ++c)
      entries.emplace_back(static_cast<int>(i), row + c, W_n_[6 * i + static_cast<std::size_t>(c)]);
  }
  const runtime::SparseMap twist = twist_dq();
  Eigen::SparseMatrix<double> W(phi_.size(), twist.rows());
  W.setFromTriplets(entries.begin(), entries.end());
  return W * twist;
}

bool StaticForces::reaches(const std::vector<double>& q) {
  step::RigidTreads* treads = copy_.rigid();
  if (treads == nullptr) return true;
  instant_.place(q);
  bool all = true;
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const step::Contact contact = treads->tread[i];
    const std::array<double, 4> s = contact.s();
    contact.set_pose(instant_.pose(vehicle_.data.wheels[i].wheelset));
    all = locate_tread(*treads, vehicle_, instant_, i, last_[i].s[1], last_[i].s[3], locating)
              .found &&
          all;
    contact.set_s(s);
  }
  return all;
}

double StaticForces::stiffness_of(const step::LoadedTreads& treads, Eigen::Index wheel) const {
  const auto [set, lane] = treads.tread.lane_of(static_cast<std::size_t>(wheel));
  return treads.sets[set].tread.k[lane];
}

Eigen::VectorXd StaticForces::approach(const Eigen::VectorXd& N) {
  Eigen::VectorXd delta = Eigen::VectorXd::Zero(N.size());
  const step::LoadedTreads* treads = copy_.loaded();
  for (Eigen::Index i = 0; i < N.size() && treads != nullptr; ++i)
    delta[i] = std::copysign(std::pow(std::abs(N[i]) / stiffness_of(*treads, i), 2.0 / 3), N[i]);
  return delta;
}

Eigen::VectorXd StaticForces::compliance(const Eigen::VectorXd& N) {
  // at no force it would be infinite
  constexpr double least = 100;  // N
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(N.size());
  const step::LoadedTreads* treads = copy_.loaded();
  for (Eigen::Index i = 0; i < N.size() && treads != nullptr; ++i) {
    const double k = stiffness_of(*treads, i);
    slope[i] = 2.0 / 3 / k / std::cbrt(std::max(std::abs(N[i]), least) / k);
  }
  return slope;
}

runtime::SparseMap StaticForces::twist_dq() {
  return runtime::evaluate_sparse(instant_.kernels, vehicle_.id.twist_dq);
}

void StaticForces::add_flanges(const step::LoadedTreads& treads, Eigen::VectorXd& wrenches) {
  const double rail = vehicle_.data.law.rail_stiffness, softness = rail > 0 ? 1 / rail : 0;
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const auto [set, lane] = treads.tread.lane_of(i);
    const step::LoadedSet::Sheet& sheet = treads.sets[set].at.flange();
    const double delta = -sheet.phi[lane];
    if (!(delta > 0)) continue;
    Eigen::Matrix<double, 6, 1> W;
    for (int c = 0; c < 6; ++c) W[c] = sheet.frame.W_n[c][lane];
    const double N = step::sheet_force(treads.sets[set].flange.k[lane], softness, delta).N;
    wrenches.segment<6>(9 * static_cast<Eigen::Index>(vehicle_.data.wheels[i].wheelset)) += N * W;
  }
}

void StaticForces::add_grip(Eigen::VectorXd& wrenches) {
  for (Eigen::Index i = 0; i < wrenches.size() / 9; ++i) {
    const std::span<const double> pose = instant_.pose(static_cast<std::size_t>(i));
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> now(pose.data());
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> then(
        &gripped_[12 * static_cast<std::size_t>(i)]);
    const Eigen::Vector3d left = then.col(2), up = then.col(3);
    const double across = left.dot(now.col(0) - then.col(0));
    const double yaw = left.dot(now.col(1));  // of x, to the left
    wrenches.segment<3>(9 * i) -= stiffness * across * left;
    wrenches.segment<3>(9 * i + 3) -= stiffness * yaw * up;
  }
}

Eigen::VectorXd StaticForces::unbalanced(const std::vector<double>& q, const Eigen::VectorXd& N) {
  at(q);
  runtime::KernelSet& k = instant_.kernels;
  k.set(vehicle_.id.dq, std::vector<double>(vehicle_.n, 0.0));
  const std::span<const double> delta = k.evaluate(vehicle_.id.delta_NK);
  const auto wheelsets = static_cast<Eigen::Index>(vehicle_.data.wheelsets.size());
  Eigen::VectorXd wrenches = Eigen::VectorXd::Zero(9 * wheelsets);
  for (std::size_t i = 0; i < vehicle_.w; ++i) {
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> W(&W_n_[6 * i]);
    wrenches.segment<6>(9 * static_cast<Eigen::Index>(vehicle_.data.wheels[i].wheelset)) +=
        N[static_cast<Eigen::Index>(i)] * W;
  }
  if (const step::LoadedTreads* treads = copy_.loaded()) add_flanges(*treads, wrenches);
  if (!gripped_.empty()) add_grip(wrenches);
  Eigen::VectorXd F = twist_dq().transpose() * wrenches;
  F += Eigen::Map<const Eigen::VectorXd>(delta.data(), F.size());
  return F;
}

void StaticForces::grip(const std::vector<double>& q) {
  instant_.place(q);
  gripped_.assign(instant_.poses.begin(), instant_.poses.end());
}

}  // namespace klingel::start
