#include "reduce/eliminate.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "dense/factors.hpp"
#include "mech/mass_matrix.hpp"
#include "reduce/base_parameters.hpp"
#include "reduce/regressor.hpp"

namespace klingel::reduce {
namespace {

// The same bodies by mass, first moment and inertia about their points, without some parameters.
std::vector<mech::Body> without(mech::Model& model, const std::vector<std::string>& names) {
  constexpr const char* axes = "xyz";
  const Expr zero = model.number(0);
  std::vector<mech::Body> result;
  for (const mech::Body& given : model.inertias()) {
    const std::deque<mech::Body> one = {given};
    const auto value = [&](const std::string& what) {
      const std::string name = what + "(" + given.name + ")";
      if (std::find(names.begin(), names.end(), name) != names.end()) return zero;
      for (const InertialParameter& p : inertial_parameters(one))
        if (p.name == name) return p.value;
      return zero;
    };
    mech::Body b = given;
    b.mass = value("m");
    b.com.c = {zero, zero, zero};
    Triple s;
    for (std::size_t i = 0; i < 3; ++i) s[i] = value(std::string("s_") + axes[i]);
    b.first_moment = s;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i; j < 3; ++j)
        b.inertia.c[3 * i + j] = b.inertia.c[3 * j + i] =
            value(std::string("J_") + axes[i] + axes[j]);
    result.push_back(b);
  }
  return result;
}

// The smallest pivot of M_qq, scaled to a diagonal of ones, at the nominal state.
double smallest_pivot(mech::Model& model) {
  const auto n = static_cast<Eigen::Index>(model.coordinates().size());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  const sym::Matrix symbols = mech::mass_matrix(model);
  for (const sym::Entry& e : symbols.entries()) M(e.row, e.col) = sym::value(e.value);
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(M(i, i) > 0)) return 0;
  const Eigen::VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  M = scale.asDiagonal() * M * scale.asDiagonal();
  return dense::smallest_pivot(M);
}

constexpr double least_pivot = 1e-9;

}  // namespace

void drop_parameters(mech::Model& model, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const InertialParameter& p : inertial_parameters(model.inertias())) known.push_back(p.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      base::fail(
          "'{}' has no inertial parameter '{}'{}; 'klingel reduce {} --parameters' lists them",
          model.name(), name, base::did_you_mean(name, known), model.name());
  }
  const double before = smallest_pivot(model);
  model.regroup(without(model, names));
  if (before > least_pivot && !(smallest_pivot(model) > least_pivot))
    base::fail(
        "without {} '{}' some coordinate of '{}' moves no mass: its mass matrix is not positive "
        "any more; drop fewer parameters",
        names.size() == 1 ? "the parameter" : "the parameters up to", names.back(), model.name());
}

Elimination eliminate(mech::Model& model, const Motion& motion, double bound) {
  Elimination result;
  result.operations = dynamics_cost(model);
  const std::vector<mech::Body> own(model.inertias().begin(), model.inertias().end());
  const bool regrouped = &model.inertias() != &model.bodies();
  Regressor regressor(model, own);
  const Eigen::MatrixXd W = regressor.stacked(motion.rows);
  const Eigen::VectorXd p = regressor.values();
  const auto n = static_cast<Eigen::Index>(regressor.coordinates());
  const auto states = static_cast<Eigen::Index>(motion.rows.size());
  // rms by coordinate
  const auto sizes = [&](const Eigen::VectorXd& forces) {
    const Eigen::Map<const Eigen::MatrixXd> by(forces.data(), n, states);
    return Eigen::VectorXd(by.rowwise().norm() / std::sqrt(static_cast<double>(states)));
  };
  const Eigen::VectorXd whole = sizes(W * p);
  const auto error = [&](const Eigen::VectorXd& missing) {
    const Eigen::VectorXd size = sizes(missing);
    double largest = 0;
    for (Eigen::Index i = 0; i < n; ++i)
      if (whole[i] > 1e-12 * whole.maxCoeff()) largest = std::max(largest, size[i] / whole[i]);
    return largest;
  };
  std::vector<Eigen::Index> left;
  for (Eigen::Index j = 0; j < p.size(); ++j) left.push_back(j);
  Eigen::VectorXd missing = Eigen::VectorXd::Zero(W.rows());
  std::vector<std::string> dropped;
  while (!left.empty()) {
    const auto least = std::min_element(left.begin(), left.end(), [&](auto i, auto j) {
      return error(missing + W.col(i) * p[i]) < error(missing + W.col(j) * p[j]);
    });
    const Eigen::Index j = *least;
    const double now = error(missing + W.col(j) * p[j]);
    if (!(now <= bound)) break;
    left.erase(least);
    dropped.push_back(regressor.parameters()[static_cast<std::size_t>(j)].name);
    model.regroup(own);
    model.regroup(without(model, dropped));
    if (!(smallest_pivot(model) > least_pivot)) {
      dropped.pop_back();  // this one is needed, others may not be
      continue;
    }
    missing += W.col(j) * p[j];
    result.steps.push_back({dropped.back(), now, dynamics_cost(model)});
  }
  model.regroup(regrouped ? own : std::vector<mech::Body>{});
  return result;
}

}  // namespace klingel::reduce
