#include "stability/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "dense/eigenvalues.hpp"
#include "dense/factors.hpp"

namespace klingel::stability {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXcd, Eigen::VectorXd;

// State: x without what changes nothing (times `unit`, so that both halves are of one size), then
// x', then internal states, scaled so that they act as they are acted upon.
struct StateMatrix {
  explicit StateMatrix(const SmallMotions& s) {
    const Index n = s.M.rows();
    // in the metric of M, where all motions are of one kind: z = L^-T x
    const std::optional<MatrixXd> factor = dense::cholesky((s.M + s.M.transpose()) / 2);
    if (!factor) base::fail("the mass matrix is not positive: some coordinate moves no mass");
    const MatrixXd& L = *factor;
    const MatrixXd D = L.transpose() * s.D;
    MatrixXd square(n, s.Phi.rows() + D.cols());
    square << dense::solve_lower(L, s.Phi.transpose()), D;
    const MatrixXd Z1 = dense::solve_lower_transposed(L, dense::complement(square));
    Z.resize(n, Z1.cols() + D.cols());
    Z << Z1, s.D;
    first = Z1.cols();
    const MatrixXd Y =
        dense::solve_lower_transposed(L, dense::complement(dense::solve_lower(L, s.G)));
    const Index m = Z.cols(), k = s.g_x.rows();
    // all that accelerates, side by side: K, C, F_x
    MatrixXd forces(n, first + m + k);
    forces.leftCols(first) = s.K * Z1 / unit;
    forces.middleCols(first, m) = s.C * Z;
    if (k > 0) forces.rightCols(k) = s.F_x;
    const MatrixXd YT = Y.transpose();
    const MatrixXd rates = dense::solve_regular(YT * s.M * Z, YT * forces);
    A = MatrixXd::Zero(first + m + k, first + m + k);
    A.topRows(first).middleCols(first, first) = unit * MatrixXd::Identity(first, first);
    A.middleRows(first, m).leftCols(first + m) = rates.leftCols(first + m);
    if (k == 0) return;
    const MatrixXd acts = rates.rightCols(k), grows = s.g_v * Z;
    VectorXd scale = VectorXd::Ones(k);
    for (Index i = 0; i < k; ++i)
      if (acts.col(i).norm() > 0 && grows.row(i).norm() > 0)
        scale[i] = std::sqrt(grows.row(i).norm() / acts.col(i).norm());
    const VectorXd inverse = scale.cwiseInverse();
    A.block(first, first + m, m, k) = acts * scale.asDiagonal();
    A.block(first + m, 0, k, first) = inverse.asDiagonal() * (s.g_z * Z1) / unit;
    A.block(first + m, first, k, m) = inverse.asDiagonal() * grows;
    A.bottomRightCorner(k, k) = inverse.asDiagonal() * s.g_x * scale.asDiagonal();
  }

  static constexpr double unit = 100;  // rad/s
  MatrixXd A, Z;
  Index first = 0;
};

// How much a motion of the coordinates is the vehicle's being faster.
double is_faster(const VectorXcd& velocity, const SmallMotions& s) {
  const double all = std::sqrt(std::abs(velocity.dot(s.M * velocity)));
  const double own = std::sqrt(s.dq.dot(s.M * s.dq));
  return std::abs(velocity.dot((s.M * s.dq).cast<std::complex<double>>())) / (all * own);
}

}  // namespace

double Mode::frequency() const { return lambda.imag() / (2 * std::numbers::pi); }

double Mode::damping() const {
  const double size = std::abs(lambda);
  return size > 0 ? -lambda.real() / size : 0;
}

std::vector<Mode> modes(const SmallMotions& s) {
  const StateMatrix state(s);
  if (!state.A.allFinite()) base::fail("small motions are not finite");
  const dense::EigenSystem system = dense::eigen_system(state.A);
  if (!system.found) base::fail("eigenvalues were not found");

  std::vector<Mode> list;
  std::vector<double> faster;
  for (Index j = 0; j < state.A.cols(); ++j) {
    Mode mode{system.values[j], {}};
    if (mode.lambda.imag() < 0) continue;
    const VectorXcd velocity = state.Z * system.vectors.col(j).segment(state.first, state.Z.cols());
    // of places only what matters is known: the rest follows from the velocity
    mode.shape = std::abs(mode.lambda) > 1e-9 ? VectorXcd(velocity / mode.lambda) : velocity;
    faster.push_back(mode.lambda.imag() == 0 && std::abs(mode.lambda) < 1 ? is_faster(velocity, s)
                                                                          : 0);
    Index largest = 0;
    mode.shape.cwiseAbs().maxCoeff(&largest);
    mode.shape /= std::complex<double>(mode.shape[largest]);
    list.push_back(std::move(mode));
  }
  const auto speed = std::max_element(faster.begin(), faster.end());
  if (speed != faster.end() && *speed > 0.99) list.erase(list.begin() + (speed - faster.begin()));
  std::sort(list.begin(), list.end(), [](const Mode& a, const Mode& b) {
    return std::pair(a.lambda.imag(), -a.lambda.real()) <
           std::pair(b.lambda.imag(), -b.lambda.real());
  });
  return list;
}

const Mode* least_damped(const std::vector<Mode>& modes) {
  const Mode* best = nullptr;
  for (const Mode& mode : modes)
    if (mode.oscillates() && (best == nullptr || mode.lambda.real() > best->lambda.real()))
      best = &mode;
  return best;
}

std::vector<Share> shares(const Mode& mode, const MatrixXd& M,
                          const std::vector<std::string>& coordinates, bool by_body) {
  const VectorXcd momentum = M * mode.shape;
  std::vector<Share> list;
  double sum = 0;
  for (Index i = 0; i < mode.shape.size(); ++i) {
    const std::string& coordinate = coordinates[static_cast<std::size_t>(i)];
    const std::size_t dot = coordinate.rfind('.');
    const std::string name = !by_body                   ? coordinate
                             : dot == std::string::npos ? "body"
                                                        : coordinate.substr(0, dot);
    const double share = (std::conj(mode.shape[i]) * momentum[i]).real();
    sum += share;
    const auto same =
        std::find_if(list.begin(), list.end(), [&](const Share& s) { return s.name == name; });
    if (same == list.end())
      list.push_back({name, share});
    else
      same->share += share;
  }
  for (Share& s : list) s.share /= sum;
  std::sort(list.begin(), list.end(),
            [](const Share& a, const Share& b) { return a.share > b.share; });
  std::erase_if(list, [](const Share& s) { return s.share < 0.01; });
  return list;
}

}  // namespace klingel::stability
