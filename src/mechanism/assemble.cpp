#include "mechanism/assemble.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "mechanism/least_squares.hpp"

namespace klingel::mechanism {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// relative to the largest singular value, constraints scaled to unit rows. The closed position is
// known to about 1e-12, which is how far dependent constraints may look independent
constexpr double rank_tolerance = 1e-8;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Constraints as a function of the coordinates (or rates) that are free.
class Problem {
 public:
  Problem(Mechanism& mechanism, State& state, std::vector<Index> free)
      : mechanism_(mechanism), state_(state), free_(std::move(free)) {}

  Index size() const { return static_cast<Index>(free_.size()); }
  const std::vector<Index>& free() const { return free_; }

  VectorXd q() const { return pick(state_.q); }
  void set_q(const VectorXd& values) { put(values, state_.q); }
  VectorXd dq() const { return pick(state_.dq); }
  void set_dq(const VectorXd& values) { put(values, state_.dq); }

  VectorXd phi() { return vector(mechanism_.phi(state_)); }
  VectorXd dphi() { return vector(mechanism_.phi_rates(state_)); }
  MatrixXd jacobian() {
    const std::span<const double> all = mechanism_.dphi_dq(state_);
    const Index m = static_cast<Index>(mechanism_.constraints());
    MatrixXd J(m, size());
    for (Index j = 0; j < size(); ++j)
      J.col(j) = Eigen::Map<const VectorXd>(all.data() + free_[at(j)] * m, m);
    return J;
  }
  // The same with rows of length one (or zero), for questions of rank.
  MatrixXd unit_jacobian() {
    MatrixXd J = jacobian();
    for (Index i = 0; i < J.rows(); ++i) {
      const double norm = J.row(i).norm();
      if (norm > 0) J.row(i) /= norm;
    }
    return J;
  }
  Index rank() {
    const MatrixXd J = unit_jacobian();
    return J.allFinite() ? SingularValues(J).rank(rank_tolerance) : 0;
  }

 private:
  static VectorXd vector(std::span<const double> values) {
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  }
  VectorXd pick(const std::vector<double>& from) const {
    VectorXd values(size());
    for (Index i = 0; i < size(); ++i) values(i) = from[at(free_[at(i)])];
    return values;
  }
  void put(const VectorXd& values, std::vector<double>& to) const {
    for (Index i = 0; i < size(); ++i) to[at(free_[at(i)])] = values(i);
  }

  Mechanism& mechanism_;
  State& state_;
  std::vector<Index> free_;
};

// A direction without symmetry, always the same: leaves singular positions.
VectorXd nudge(Index size) {
  VectorXd v(size);
  for (Index i = 0; i < size; ++i) v(i) = std::sin(1.0 + 2.3 * static_cast<double>(i));
  return v;
}

struct Closing {
  bool closed = false;
  int iterations = 0;
};

// Levenberg-Marquardt with a damping that vanishes with the residual, so that it ends as Newton's
// method with the correction of least norm, also where constraints are dependent. Leaves the
// problem at the best point found; ends where nothing improves any more.
Closing descend(Problem& problem, double tolerance, int max_iterations) {
  Closing result;
  double stiffness = 1e-3;
  VectorXd q = problem.q(), phi = problem.phi();
  while (true) {
    const double largest = phi.cwiseAbs().maxCoeff();
    result.closed = largest <= tolerance;
    if (result.closed || result.iterations >= max_iterations || problem.size() == 0) return result;
    const MatrixXd J = problem.jacobian();
    if (!J.allFinite()) return result;
    const SingularValues values(J);

    // shorter and shorter until the sum of squares falls
    const double before = phi.squaredNorm();
    bool better = false;
    for (int attempt = 0; !better && attempt < 40; ++attempt) {
      const VectorXd x = values.solve(phi, stiffness * std::sqrt(before), 1e-13);
      problem.set_q(q - x);
      const VectorXd trial = problem.phi();
      better = trial.allFinite() && trial.squaredNorm() < before;
      if (better) phi = trial;
      stiffness = better ? std::max(stiffness / 8, 1e-12) : stiffness * 4;
    }
    ++result.iterations;
    if (!better) {
      problem.set_q(q);
      // rounding may end it just above the tolerance
      result.closed = largest <= 100 * tolerance;
      return result;
    }
    q = problem.q();
    if (phi.squaredNorm() > before * (1 - 1e-10)) return result;
  }
}

// Descends, and where it gets stuck (a singular position, such as all links in line), tries again
// from further and further aside. Keeps the best point.
Closing close(Problem& problem, const AssembleOptions& options) {
  Closing total = descend(problem, options.position_tolerance, options.max_iterations);
  VectorXd best = problem.q();
  double least = problem.phi().squaredNorm();
  for (const double size : {1e-2, 0.1, 0.5, -0.5}) {
    if (total.closed || total.iterations >= options.max_iterations) break;
    problem.set_q(best + size * nudge(problem.size()));
    if (!problem.phi().allFinite()) continue;
    const Closing more =
        descend(problem, options.position_tolerance, options.max_iterations - total.iterations);
    total = {more.closed, total.iterations + more.iterations};
    if (problem.phi().squaredNorm() < least) {
      least = problem.phi().squaredNorm();
      best = problem.q();
    }
  }
  if (!total.closed) problem.set_q(best);
  return total;
}

// Rank on the way, not in a momentarily singular position: a little aside, closed again.
Index rank_nearby(Mechanism& mechanism, State state, const std::vector<Index>& all) {
  Problem problem(mechanism, state, all);
  const SingularValues values(problem.unit_jacobian());
  VectorXd aside = nudge(problem.size());
  for (Index k = 0; k < values.rank(rank_tolerance); ++k)
    aside -= values.V.col(k).dot(aside) * values.V.col(k);
  problem.set_q(problem.q() + 1e-2 * aside);
  if (!problem.phi().allFinite() || !descend(problem, 1e-12, 50).closed) return 0;
  return problem.rank();
}

std::vector<Index> free_of(const std::vector<std::string>& names,
                           const std::vector<std::string>& held, const char* what,
                           const std::string& model) {
  for (const std::string& name : held) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    base::fail("'{}' has no {} '{}' to hold{}", model, what, name, base::did_you_mean(name, names));
  }
  std::vector<Index> free;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(held.begin(), held.end(), names[i]) == held.end())
      free.push_back(static_cast<Index>(i));
  return free;
}

std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  if (names.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    (text += i > 0 ? ", " : "") += names[i];
  return names.size() <= most ? text : fmt::format("{} and {} more", text, names.size() - most);
}

std::string free_and_held(const std::vector<std::string>& names, const std::vector<Index>& free,
                          const std::vector<std::string>& held) {
  std::vector<std::string> free_names;
  for (const Index i : free) free_names.push_back(names[at(i)]);
  return fmt::format("free: {}; held: {}", list(free_names), list(held));
}

Index worst_of(const VectorXd& residuals) {
  Index worst = 0;
  for (Index i = 0; i < residuals.size(); ++i) {
    if (!std::isfinite(residuals(i))) return i;
    if (std::abs(residuals(i)) > std::abs(residuals(worst))) worst = i;
  }
  return worst;
}

// What failed, at the best point found.
struct Open {
  const Mechanism& mechanism;
  const Held& held;
  const AssembleOptions& options;
  VectorXd at_start, at_end;
  Index rank;  // of the constraints in the free coordinates, near the start
  int iterations;
};

[[noreturn]] void cannot_close(const Open& o, const Problem& problem) {
  const Index m = o.at_end.size(), worst = worst_of(o.at_end);
  const runtime::NameAndUnit c = runtime::name_and_unit(o.mechanism.constraint_names()[at(worst)]);
  std::string why, advice;
  if (o.rank < m) {
    why = fmt::format(
        "it is over-constrained: of {} constraint{}, only {} can be met independently by {} free "
        "coordinate{}, and the rest contradict them",
        m, m == 1 ? "" : "s", o.rank, problem.size(), problem.size() == 1 ? "" : "s");
    advice = "hold fewer or other coordinates, or remove or correct a constraint";
  } else {
    why = fmt::format("it could not be closed from here: '{}' was {} at the start and {}", c.name,
                      runtime::quantity(o.at_start(worst), c.unit),
                      o.iterations >= o.options.max_iterations
                          ? "the iterations were used up"
                          : "no change of the free coordinates brings it closer");
    advice = "try other start values, hold other coordinates, or check the lengths";
  }
  base::fail(
      "'{}' cannot be assembled: constraint '{}' is {} after {} iterations (tolerance {})\n"
      "    {}\n    {}\n    {}",
      o.mechanism.name(), c.name, runtime::quantity(o.at_end(worst), c.unit), o.iterations,
      runtime::quantity(o.options.position_tolerance, c.unit), why,
      free_and_held(o.mechanism.coordinate_names(), problem.free(), o.held.coordinates), advice);
}

Closing assemble_position(Mechanism& mechanism, State& state, const Held& held,
                          const AssembleOptions& options) {
  Problem problem(
      mechanism, state,
      free_of(mechanism.coordinate_names(), held.coordinates, "coordinate", mechanism.name()));
  const VectorXd start = problem.q(), phi = problem.phi();
  if (!phi.allFinite()) {
    const Index worst = worst_of(phi);
    base::fail("'{}' cannot be assembled: constraint '{}' is {} at the given coordinates",
               mechanism.name(),
               runtime::name_and_unit(mechanism.constraint_names()[at(worst)]).name, phi(worst));
  }
  const Closing closing = close(problem, options);
  if (closing.closed) return closing;

  Open open{mechanism, held, options, phi, problem.phi(), 0, closing.iterations};
  problem.set_q(start);
  open.rank = problem.rank();
  problem.set_q(start + 1e-3 * nudge(problem.size()));
  open.rank = std::max(open.rank, problem.rank());
  cannot_close(open, problem);
}

void assemble_velocity(Mechanism& mechanism, State& state, const Held& held,
                       const AssembleOptions& options) {
  Problem problem(mechanism, state,
                  free_of(mechanism.rate_names(), held.rates, "rate", mechanism.name()));
  const SingularValues values(problem.jacobian());
  const double tolerance = options.velocity_tolerance;
  VectorXd dphi = problem.dphi();
  // linear; the later rounds only remove rounding
  for (int round = 0; round < 3 && !(dphi.cwiseAbs().maxCoeff() <= tolerance); ++round) {
    problem.set_dq(problem.dq() - values.solve(dphi, 0, rank_tolerance));
    dphi = problem.dphi();
  }
  const Index worst = worst_of(dphi);
  // rounding grows with the speed
  const double speed =
      Eigen::Map<const VectorXd>(state.dq.data(), static_cast<Index>(state.dq.size()))
          .cwiseAbs()
          .maxCoeff();
  if (std::abs(dphi(worst)) <= tolerance * std::max(1.0, speed)) return;
  const runtime::NameAndUnit c = runtime::name_and_unit(mechanism.constraint_names()[at(worst)]);
  const std::string unit = c.unit.empty() ? "" : c.unit + "/s";
  base::fail(
      "the rates of '{}' contradict its constraints: '{}' changes by {} (tolerance {})\n"
      "    of {} constraints, only {} can be met by {} free rates\n    {}\n"
      "    hold fewer or other rates",
      mechanism.name(), c.name, runtime::quantity(dphi(worst), unit),
      runtime::quantity(tolerance, unit), dphi.size(), values.rank(rank_tolerance), problem.size(),
      free_and_held(mechanism.rate_names(), problem.free(), held.rates));
}

}  // namespace

Assembly assemble(Mechanism& mechanism, State& state, const Held& held,
                  const AssembleOptions& options) {
  const std::size_t n = mechanism.coordinates(), m = mechanism.constraints();
  if (state.q.size() != n || state.dq.size() != n) {
    base::fail("'{}' has {} coordinates, but the state has {} and {} rates", mechanism.name(), n,
               state.q.size(), state.dq.size());
  }
  Assembly result;
  State trial = state;
  if (m > 0) {
    result.iterations = assemble_position(mechanism, trial, held, options).iterations;
    assemble_velocity(mechanism, trial, held, options);
    result.largest_phi = mechanism.largest_phi(trial);

    const std::vector<Index> all = free_of(mechanism.coordinate_names(), {}, "", "");
    const Index here = Problem(mechanism, trial, all).rank();
    const Index nearby = rank_nearby(mechanism, trial, all);
    result.independent = at(std::max(here, nearby));
    result.singular_position = nearby > here;
    mechanism.set_rank(result.independent);
  } else {
    free_of(mechanism.coordinate_names(), held.coordinates, "coordinate", mechanism.name());
    free_of(mechanism.rate_names(), held.rates, "rate", mechanism.name());
  }
  result.redundant = m - result.independent;
  result.degrees_of_freedom = n - result.independent;
  for (std::size_t i = 0; i < n; ++i)
    result.largest_correction =
        std::max(result.largest_correction, std::abs(trial.q[i] - state.q[i]));
  state = trial;
  return result;
}

}  // namespace klingel::mechanism
