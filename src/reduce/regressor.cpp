#include "reduce/regressor.hpp"

#include <fmt/format.h>

#include <map>
#include <random>

#include "dense/eigenvalues.hpp"
#include "mech/equations.hpp"
#include "mech/inertia.hpp"
#include "mech/mass_matrix.hpp"
#include "sym/depends.hpp"
#include "sym/jacobian.hpp"
#include "sym/substitute.hpp"

namespace klingel::reduce {
namespace {

// Symbols in the place of numbers: one per parameter of a body.
class Symbols {
 public:
  Symbols(mech::Model& model, bool all) : model_(model), all_(all) {}

  mech::Body operator()(const mech::Body& given) {
    constexpr const char* axes = "xyz";
    mech::Body b = given;
    const bool spins = b.inertia.base != b.base;
    const std::size_t k = spins ? mech::spin_axis(b) : 3;
    const std::deque<mech::Body> one = {given};
    std::map<std::string, Expr> values;
    for (const InertialParameter& p : inertial_parameters(one)) values[p.name] = p.value;
    const auto symbol = [&](const std::string& what) {
      const std::string name = fmt::format("{}({})", what, given.name);
      const auto found = values.find(name);
      if (found == values.end() && !all_) return model_.number(0);
      const Expr value = found == values.end() ? model_.number(0) : found->second;
      parameters_.push_back({name, value});
      symbols_.push_back(made(fmt::format("regressor.p{}", symbols_.size())));
      return symbols_.back();
    };
    const Expr zero = model_.number(0);
    b.mass = symbol("m");
    b.com.c = {zero, zero, zero};
    Triple s = {zero, zero, zero};
    for (std::size_t i = 0; i < 3; ++i)
      if (!spins || i == k) s[i] = symbol(fmt::format("s_{}", axes[i]));
    b.first_moment = s;
    Block J;
    J.fill(zero);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = i; j < 3; ++j) {
        if (spins && i != j) continue;
        if (spins && i != k && !J[4 * ((k + 1) % 3)].is(0)) {
          J[4 * i] = J[4 * ((k + 1) % 3)];  // alike across the axis
          continue;
        }
        if (spins && i != k && !J[4 * ((k + 2) % 3)].is(0)) {
          J[4 * i] = J[4 * ((k + 2) % 3)];
          continue;
        }
        J[3 * i + j] = J[3 * j + i] = symbol(fmt::format("J_{}{}", axes[i], axes[j]));
      }
    }
    b.inertia.c = J;
    return b;
  }

  std::vector<InertialParameter> parameters_;
  std::vector<Expr> symbols_;

 private:
  Expr made(const std::string& name) {
    if (const auto found = model_.graph().find(name)) return *found;
    return model_.graph().parameter(name, 0);
  }
  mech::Model& model_;
  bool all_;
};

// M ddq - delta of the model's inertias alone
std::vector<Expr> inertia_forces(mech::Model& model) {
  std::vector<Expr> forces = mech::generalized_forces(model);
  for (Expr& f : forces) f = -f;
  const sym::Matrix M = mech::mass_matrix(model);
  for (const sym::Entry& e : M.entries()) forces[e.row] += e.value * model.coordinates()[e.col].ddq;
  return forces;
}

}  // namespace

Regressor::Regressor(mech::Model& model, const std::vector<mech::Body>& inertias, bool all)
    : model_(model), n_(model.coordinates().size()) {
  const std::vector<mech::Body> own(model.inertias().begin(), model.inertias().end());
  const bool regrouped = &model.inertias() != &model.bodies();
  Symbols symbols(model, all);
  std::vector<mech::Body> bodies;
  for (const mech::Body& b : inertias) bodies.push_back(symbols(b));
  parameters_ = symbols.parameters_;
  model.regroup(bodies);
  const std::vector<Expr> forces = inertia_forces(model);
  model.regroup(regrouped ? own : std::vector<mech::Body>{});

  const sym::Matrix Y = sym::jacobian(forces, symbols.symbols_);
  std::vector<Expr> entries;
  for (const sym::Entry& e : Y.entries()) {
    places_.emplace_back(e.row, e.col);
    entries.push_back(e.value);
  }
  Y_ = evaluation(entries);
  std::vector<sym::Replacement> massless;
  for (const Expr& p : symbols.symbols_) massless.push_back({p, model.number(0)});
  std::vector<Expr> known = sym::substitute(forces, massless);
  for (Expr& f : known) f = -f;
  Q_ = evaluation(known);

  std::vector<Expr> phi, q, dphi;
  for (const mech::Constraint& c : model.constraints()) phi.push_back(c.phi);
  for (const sym::Coordinate& c : model.coordinates()) q.push_back(c.q);
  if (phi.empty()) return;
  const sym::Matrix J = sym::jacobian(phi, q);
  for (const sym::Entry& e : J.entries()) {
    constraint_places_.emplace_back(e.row, e.col);
    dphi.push_back(e.value);
  }
  phi_ = evaluation(dphi);
}

Regressor::Evaluation Regressor::evaluation(const std::vector<Expr>& list) const {
  Evaluation e;
  e.leaves = sym::symbols_below(list);
  e.tape = std::make_unique<sym::Tape>(e.leaves, list);
  e.in.resize(e.leaves.size());
  e.out.resize(list.size());
  e.registers.resize(e.tape->registers());
  return e;
}

const std::vector<double>& Regressor::run(Evaluation& e, const double* q, const double* dq,
                                          const double* ddq) const {
  std::map<sym::Id, double> given;
  for (std::size_t i = 0; i < n_; ++i) {
    const sym::Coordinate& c = model_.coordinates()[i];
    given[c.q.id()] = q[i];
    given[c.dq.id()] = dq[i];
    given[c.ddq.id()] = ddq[i];
  }
  for (std::size_t i = 0; i < e.leaves.size(); ++i) {
    const auto found = given.find(e.leaves[i].id());
    e.in[i] = found == given.end() ? model_.graph().symbol_of(e.leaves[i]).value : found->second;
  }
  e.tape->run(e.in.data(), e.out.data(), e.registers.data());
  return e.out;
}

Eigen::VectorXd Regressor::values() const {
  Eigen::VectorXd p(static_cast<Eigen::Index>(parameters_.size()));
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    p[static_cast<Eigen::Index>(i)] = sym::value(parameters_[i].value);
  return p;
}

Eigen::MatrixXd Regressor::at(const double* q, const double* dq, const double* ddq) {
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n_),
                                            static_cast<Eigen::Index>(parameters_.size()));
  const std::vector<double>& out = run(Y_, q, dq, ddq);
  for (std::size_t i = 0; i < places_.size(); ++i)
    Y(static_cast<Eigen::Index>(places_[i].first), static_cast<Eigen::Index>(places_[i].second)) =
        out[i];
  return Y;
}

Eigen::VectorXd Regressor::known_forces(const double* q, const double* dq) {
  const std::vector<double> still(n_, 0.0);
  const std::vector<double>& out = run(Q_, q, dq, still.data());
  return Eigen::Map<const Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(n_));
}

Eigen::MatrixXd Regressor::stacked(const std::vector<std::vector<double>>& states) {
  const auto n = static_cast<Eigen::Index>(n_);
  Eigen::MatrixXd W(n * static_cast<Eigen::Index>(states.size()),
                    static_cast<Eigen::Index>(parameters_.size()));
  for (std::size_t k = 0; k < states.size(); ++k) {
    const double* x = states[k].data();
    W.middleRows(n * static_cast<Eigen::Index>(k), n) = at(x, x + n_, x + 2 * n_);
  }
  return W;
}

Eigen::MatrixXd Regressor::stacked_on_constraints(const std::vector<std::vector<double>>& states) {
  if (model_.constraints().empty()) return stacked(states);
  const auto n = static_cast<Eigen::Index>(n_);
  std::vector<Eigen::MatrixXd> rows;
  Eigen::Index total = 0;
  for (const std::vector<double>& state : states) {
    const double* x = state.data();
    Eigen::MatrixXd J =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(model_.constraints().size()), n);
    const std::vector<double>& out = run(phi_, x, x + n_, x + 2 * n_);
    for (std::size_t i = 0; i < constraint_places_.size(); ++i)
      J(static_cast<Eigen::Index>(constraint_places_[i].first),
        static_cast<Eigen::Index>(constraint_places_[i].second)) = out[i];
    // the last columns of Q of J^T = Q R
    const Eigen::MatrixXd N = dense::complement(J.transpose());
    rows.push_back(N.transpose() * at(x, x + n_, x + 2 * n_));
    total += rows.back().rows();
  }
  Eigen::MatrixXd W(total, static_cast<Eigen::Index>(parameters_.size()));
  Eigen::Index at_row = 0;
  for (const Eigen::MatrixXd& r : rows) {
    W.middleRows(at_row, r.rows()) = r;
    at_row += r.rows();
  }
  return W;
}

std::vector<std::vector<double>> random_states(const mech::Model& model, std::size_t count,
                                               unsigned seed) {
  std::mt19937 random(seed);
  // the library's distributions differ between standard libraries; this does not
  const auto between = [&random] { return 2 * (random() / 4294967295.0) - 1; };
  const std::size_t n = model.coordinates().size();
  std::vector<std::vector<double>> states(count, std::vector<double>(3 * n));
  for (std::vector<double>& x : states) {
    for (double& value : x) value = between();
    for (std::size_t i = 0; i < n; ++i) {
      sym::Expr q = model.coordinates()[i].q;
      x[i] += q.graph().symbol_of(q).value;
    }
  }
  return states;
}

}  // namespace klingel::reduce
