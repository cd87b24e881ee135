#include "start/static_loads.hpp"

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "runtime/sparse_matrix.hpp"
#include "start/unit_differences.hpp"
#include "start/unit_solver.hpp"

namespace klingel::start {
namespace {

// softer than rails, stiffer than suspensions
constexpr double stiffness = 1e8;  // N/m, N m/rad

// Wheelsets on springs: heights and leans against those of the vehicle as it is drawn, and weak
// springs for all other motions, which static loads do not need.
class Springs {
 public:
  explicit Springs(const step::VehicleData& data)
      : kernels_(*data.vehicle),
        q_id_(kernels_.input("q")),
        dq_id_(kernels_.input("dq")),
        pose_id_(kernels_.function("pose")),
        delta_id_(kernels_.function("delta_NK")),
        twist_id_(kernels_.function("twist_dq")),
        n_(static_cast<Eigen::Index>(kernels_.value(q_id_).size())),
        wheelsets_(static_cast<Eigen::Index>(data.wheelsets.size())) {
    const std::span<const double> q = kernels_.value(q_id_);
    start_.assign(q.begin(), q.end());
    kernels_.set(dq_id_, std::vector<double>(start_.size(), 0.0));
    kernels_.set(q_id_, start_);
    const std::span<const double> poses = kernels_.evaluate(pose_id_);
    drawn_.assign(poses.begin(), poses.end());
  }

  const std::vector<double>& start() const { return start_; }

  // forces of the springs: vertical and about the track, per wheelset
  struct Pull {
    double force, moment;
  };
  Pull pull(Eigen::Index wheelset) const {
    const std::size_t at = 12 * static_cast<std::size_t>(wheelset);
    const double sink = drawn_[at + 2] - poses_[at + 2];
    const double lean = drawn_[at + 8] - poses_[at + 8];  // z of the axle's direction
    return {stiffness * sink, stiffness * lean};
  }

  Eigen::VectorXd forces(const std::vector<double>& q) {
    kernels_.set(q_id_, q);
    poses_ = kernels_.evaluate(pose_id_);
    const std::span<const double> delta = kernels_.evaluate(delta_id_);
    Eigen::VectorXd wrenches = Eigen::VectorXd::Zero(9 * wheelsets_);
    for (Eigen::Index i = 0; i < wheelsets_; ++i) {
      const Pull p = pull(i);
      const std::size_t at = 12 * static_cast<std::size_t>(i);
      // across, along and in yaw the wheelset stays where it is drawn
      const auto back = [&](std::size_t k) {
        return -stiffness * (poses_[at + k] - drawn_[at + k]);
      };
      wrenches.segment<6>(9 * i) << back(0), back(1), p.force, p.moment, 0, back(4);
    }
    Eigen::VectorXd F = runtime::evaluate_sparse(kernels_, twist_id_).transpose() * wrenches;
    F += Eigen::Map<const Eigen::VectorXd>(delta.data(), n_);
    return F;
  }

 private:
  runtime::KernelSet kernels_;
  std::uint32_t q_id_, dq_id_, pose_id_, delta_id_, twist_id_;
  Eigen::Index n_, wheelsets_;
  std::vector<double> start_, drawn_;
  std::span<const double> poses_;
};

}  // namespace

std::vector<double> static_loads(const step::VehicleData& data) {
  Springs springs(data);
  std::vector<double> q = springs.start();
  const auto n = static_cast<Eigen::Index>(q.size());
  std::vector<std::size_t> all(q.size());
  std::iota(all.begin(), all.end(), 0);
  const UnitDifferences differences(data.units, q.size(), all);
  const std::vector<std::size_t> unit =
      data.units.of.empty() ? std::vector<std::size_t>(q.size()) : data.units.of;
  constexpr int most = 40;
  constexpr double close = 1.0;  // N and N m
  Eigen::VectorXd F = springs.forces(q);
  for (int iteration = 0; F.lpNorm<Eigen::Infinity>() >= close; ++iteration) {
    if (iteration == most || !F.allFinite()) {
      base::fail(
          "the vehicle '{}' does not come to rest on its wheelsets: {:.3g} N stay unbalanced; "
          "check "
          "its springs and where its bodies stand at the start",
          data.name, F.lpNorm<Eigen::Infinity>());
    }
    Triplets entries;
    differences([&](const std::vector<double>& at) { return springs.forces(at); }, q, 1e-6, 1,
                entries);
    Eigen::SparseMatrix<double> A(n, n);
    A.setFromTriplets(entries.begin(), entries.end());
    // coordinates without force or stiffness stay where they are
    const Eigen::VectorXd step = least_solution(A, -F, unit, 1e-9);
    const double share = std::min(1.0, 0.1 / step.lpNorm<Eigen::Infinity>());
    for (Eigen::Index j = 0; j < n; ++j) q[static_cast<std::size_t>(j)] += share * step[j];
    F = springs.forces(q);
  }

  std::vector<double> loads;
  for (const step::WheelData& wheel : data.wheels) {
    const Springs::Pull p = springs.pull(static_cast<Eigen::Index>(wheel.wheelset));
    double square = 0;
    int count = 0;
    for (const step::WheelData& other : data.wheels) {
      if (other.wheelset != wheel.wheelset) continue;
      square += other.y_w * other.y_w;
      ++count;
    }
    // a moment about x is a force up on the left
    loads.push_back(p.force / count + p.moment * wheel.y_w / square);
    if (!(loads.back() > 0)) {
      base::fail(
          "the wheel '{}' of '{}' carries no load at rest: {:.0f} N; check gravity, masses and "
          "where "
          "the bodies have their centres of mass",
          wheel.name, data.name, loads.back());
    }
  }
  return loads;
}

}  // namespace klingel::start
