#include "stability/critical_speed.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::stability {
namespace {

using Complex = std::complex<double>;
using Eigen::Index, Eigen::MatrixXcd, Eigen::VectorXcd;

struct AtSpeed {
  std::vector<Mode> modes;
  const Mode* worst;
  double growth() const { return worst != nullptr ? worst->lambda.real() : -INFINITY; }
};

AtSpeed at_speed(SteadyMotion& motion, double speed) {
  motion.settle(speed);
  AtSpeed at{modes(motion.small_motions()), nullptr};
  at.worst = least_damped(at.modes);
  return at;
}

MatrixXcd augmented(const SmallMotions& s, Complex lambda) {
  const Index n = s.M.rows(), c = s.Phi.rows();
  MatrixXcd P = MatrixXcd::Zero(n + c, n + c);
  P.topLeftCorner(n, n) = lambda * lambda * s.M - lambda * s.C - s.K;
  P.topRightCorner(n, c) = -s.G.cast<Complex>();
  P.bottomLeftCorner(c, n) = s.Phi.cast<Complex>();
  return P;
}

// How lambda changes with a change of the matrices.
class EigenvalueChange {
 public:
  EigenvalueChange(const SmallMotions& s, Complex lambda) : lambda_(lambda) {
    // rows and columns of one size, so that the smallest singular value is that of the mode
    const MatrixXcd P = augmented(s, lambda);
    const Eigen::VectorXd rows = P.rowwise().norm().cwiseInverse();
    const MatrixXcd scaled = rows.asDiagonal() * P;
    const Eigen::VectorXd columns = scaled.colwise().norm().cwiseInverse();
    const Eigen::JacobiSVD<MatrixXcd, Eigen::HouseholderQRPreconditioner> svd(
        scaled * columns.asDiagonal(), Eigen::ComputeFullU | Eigen::ComputeFullV);
    right_ = columns.asDiagonal() * svd.matrixV().rightCols<1>();
    left_ = rows.asDiagonal() * svd.matrixU().rightCols<1>();
    const Index n = s.M.rows();
    MatrixXcd by_lambda = MatrixXcd::Zero(P.rows(), P.cols());
    by_lambda.topLeftCorner(n, n) = 2.0 * lambda * s.M - s.C;
    weight_ = left_.dot(by_lambda * right_);
  }

  Complex of(const SmallMotions& up, const SmallMotions& down, double step) const {
    return -left_.dot((augmented(up, lambda_) - augmented(down, lambda_)) * right_) /
           (step * weight_);
  }

 private:
  Complex lambda_, weight_;
  VectorXcd right_, left_;
};

SmallMotions motions_at(SteadyMotion& motion, double speed) {
  motion.settle(speed);
  return motion.small_motions();
}

Complex by_speed(SteadyMotion& motion, double speed, const EigenvalueChange& change) {
  const double step = 1e-4 * speed;
  const SmallMotions up = motions_at(motion, speed + step), down = motions_at(motion, speed - step);
  return change.of(up, down, 2 * step);
}

}  // namespace

Critical critical_speed(SteadyMotion& motion, const Search& search) {
  Critical result;
  result.lowest = search.lowest, result.largest = search.largest;
  if (!(search.lowest > 0) || !(search.largest > search.lowest))
    base::fail("a critical speed is looked for above {:g} m/s: --max {:g} is not", search.lowest,
               search.largest);
  double stable = 0, unstable = 0;
  for (int i = 0; i <= search.steps; ++i) {
    const double speed = search.lowest + (search.largest - search.lowest) * i / search.steps;
    const AtSpeed at = at_speed(motion, speed);
    if (at.worst != nullptr) result.mode = *at.worst;
    if (at.growth() > 0) {
      unstable = speed;
      break;
    }
    stable = speed;
  }
  result.M = motion.small_motions().M;
  result.from_the_first = stable == 0;
  if (unstable == 0 || stable == 0) return result;

  while (unstable - stable > 1e-9 * unstable) {
    const double middle = (stable + unstable) / 2;
    (at_speed(motion, middle).growth() > 0 ? unstable : stable) = middle;
  }
  const AtSpeed at = at_speed(motion, unstable);
  result.speed = unstable;
  result.mode = *at.worst;
  const SmallMotions here = motion.small_motions();
  result.M = here.M;
  result.slope = by_speed(motion, unstable, {here, result.mode.lambda}).real();
  motion.settle(unstable);
  return result;
}

std::vector<Sensitivity> sensitivities(SteadyMotion& motion, const Critical& critical,
                                       const std::vector<std::string>& left_out) {
  if (!critical.speed) base::fail("there is no critical speed to differentiate");
  const double V = *critical.speed;
  const EigenvalueChange change(motions_at(motion, V), critical.mode.lambda);
  std::vector<Sensitivity> list;
  const std::vector<std::string>& names = motion.parameter_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double value = motion.parameter(i), step = 1e-4 * std::abs(value);
    if (step == 0 || std::find(left_out.begin(), left_out.end(), names[i]) != left_out.end())
      continue;
    motion.set_parameter(i, value + step);
    const SmallMotions up = motions_at(motion, V);
    motion.set_parameter(i, value - step);
    const SmallMotions down = motions_at(motion, V);
    motion.set_parameter(i, value);
    Sensitivity s{names[i], value, -change.of(up, down, 2 * step).real() / critical.slope, 0};
    s.relative = s.derivative * value / V;
    list.push_back(s);
  }
  motion.settle(V);
  std::stable_sort(list.begin(), list.end(), [](const Sensitivity& a, const Sensitivity& b) {
    return std::abs(a.relative) > std::abs(b.relative);
  });
  return list;
}

}  // namespace klingel::stability
