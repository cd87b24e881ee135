#include "stability/contact_tangent.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace klingel::stability {
namespace {

using Wrenches = Eigen::MatrixXd;

// Central differences of fourth order of what changes with one number. False if it has no value.
template <class Values>
bool difference(double h, Values values, Wrenches& to) {
  Wrenches sum;
  for (const auto& [steps, weight] :
       {std::pair(1.0, 8.0 / 12), {-1.0, -8.0 / 12}, {2.0, -1.0 / 12}, {-2.0, 1.0 / 12}}) {
    const Wrenches* b = values(steps * h);
    if (b == nullptr) return false;
    if (sum.size() == 0)
      sum = weight / h * *b;
    else
      sum += weight / h * *b;
  }
  to = std::move(sum);
  return to.allFinite();
}

// Turns the axes of a pose by a small angle about an axis of the ground.
void turn(double* pose, int axis, double angle) {
  const Eigen::AngleAxisd rotation(angle, Eigen::Vector3d::Unit(axis));
  Eigen::Map<Eigen::Matrix3d> axes(pose + 3);
  axes = (rotation.toRotationMatrix() * axes).eval();
}

class Differences {
 public:
  Differences(reference::Continuous& at, std::span<const double> poses,
              std::span<const double> twists, const Eigen::VectorXd& N)
      : at_(at), poses_(poses), twists_(twists), N_(N), wheelsets_(poses.size() / 12) {}

  bool by_motion(double speed, std::vector<Eigen::Matrix<double, 6, 13>>& to) {
    // small against what sheets approach each other and creepages that matter, large against
    // rounding; points of rigid treads are only found to some 1e-12 m
    const bool loaded = at_.vehicle().loaded() != nullptr;
    const double place = loaded ? 2e-7 : 1e-5;  // m and rad
    to.resize(wheelsets_);
    Wrenches d;
    for (int k = 0; k < 13; ++k) {
      const double h = k < 6 ? place : creepage * std::max(1.0, std::abs(speed));
      if (!difference(
              h, [&](double x) { return moved(k, x); }, d))
        return false;
      for (std::size_t w = 0; w < wheelsets_; ++w)
        to[w].col(k) = d.middleRows<6>(6 * static_cast<Eigen::Index>(w));
    }
    return true;
  }

  bool find_kink(double speed, const std::vector<Eigen::Matrix<double, 6, 13>>& by, double& to) {
    Wrenches both;
    if (!difference(
            creepage * std::max(1.0, std::abs(speed)),
            [&](double x) { return moved(along_and_across, x); }, both))
      return false;
    to = 0;
    for (std::size_t w = 0; w < wheelsets_; ++w) {
      const Eigen::Matrix<double, 6, 1> sum = by[w].col(7) + turns * by[w].col(12);
      const double off = (both.middleRows<6>(6 * static_cast<Eigen::Index>(w)) - sum).norm();
      to = std::max(to, off / (by[w].col(7).norm() + turns * by[w].col(12).norm()));
    }
    return true;
  }

  bool by_N(Eigen::MatrixXd& to) {
    to.setZero(6, N_.size());
    if (!at_.place_contacts(poses_, twists_)) return false;
    const step::Description& vehicle = at_.vehicle().vehicle;
    for (std::size_t i = 0; i < vehicle.w; ++i) {
      if (at_.on[i] == 0) continue;
      const auto wheel = static_cast<Eigen::Index>(i);
      Wrenches d;
      const auto pressed = [&](double x) {
        Eigen::VectorXd N = N_;
        N[wheel] += x;
        return &at_.wrenches(N);
      };
      if (!difference(1e-4 * std::max(1.0, std::abs(N_[wheel])), pressed, d)) return false;
      to.col(wheel) =
          d.middleRows<6>(6 * static_cast<Eigen::Index>(vehicle.data.wheels[i].wheelset));
    }
    return true;
  }

 private:
  static constexpr double creepage = 1e-6;     // of the speed
  static constexpr int along_and_across = 13;  // v_C across and the rate of spin together
  static constexpr double turns = 2;           // of spin for a metre, about

  // b of all wheelsets with one number of each changed: they do not feel each other.
  const Wrenches* moved(int k, double x) {
    pose_.assign(poses_.begin(), poses_.end());
    twist_.assign(twists_.begin(), twists_.end());
    for (std::size_t w = 0; w < wheelsets_; ++w) {
      if (k < 3)
        pose_[12 * w + static_cast<std::size_t>(k)] += x;
      else if (k < 6)
        turn(&pose_[12 * w], k - 3, x);
      else if (k < 13)
        twist_[7 * w + static_cast<std::size_t>(k) - 6] += x;
      else
        twist_[7 * w + 1] += x, twist_[7 * w + 6] += turns * x;
    }
    if (!at_.place_contacts(pose_, twist_)) return nullptr;
    return &at_.wrenches(N_);
  }

  reference::Continuous& at_;
  std::span<const double> poses_, twists_;
  const Eigen::VectorXd& N_;
  std::size_t wheelsets_;
  std::vector<double> pose_, twist_;
};

}  // namespace

bool contact_tangent(reference::Continuous& at, std::span<const double> poses,
                     std::span<const double> twists, const Eigen::VectorXd& N, double speed,
                     ContactTangent& to) {
  Differences differences(at, poses, twists, N);
  return differences.by_motion(speed, to.by_motion) && differences.by_N(to.by_N) &&
         differences.find_kink(speed, to.by_motion, to.kink);
}

}  // namespace klingel::stability
