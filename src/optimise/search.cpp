#include "optimise/search.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>

#include "base/error.hpp"

#ifdef KLINGEL_NLOPT
#include <nlopt.h>
#endif

namespace klingel::optimise {

double Limit::excess(double measured) const {
  const double scale = std::max(std::abs(value), 1e-12);
  return (above ? value - measured : measured - value) / scale;
}

#ifndef KLINGEL_NLOPT

void require_nlopt() {
  base::fail(
      "this program was built without NLopt; install libnlopt-cxx-dev and build it again: ./run "
      "build");
}

Found search(Evaluator&, const Problem&, const study::Goal&) {
  require_nlopt();
  return {};
}

#else

namespace {

using study::Method;

constexpr double tolerance_of_limits = 1e-6;
// stands for a case that failed: worse than any that did not
constexpr double failed_value = 1e3;

class Search {
 public:
  Search(Evaluator& evaluator, const Problem& problem, const study::Goal& goal)
      : evaluator_(evaluator), problem_(problem), goal_(goal), n_(evaluator.dimensions()) {
    population_ = goal.population > 0            ? goal.population
                  : goal.method == Method::isres ? 20 * (n_ + 1)
                                                 : 10 * (n_ + 1);
    // of the objective: methods with gradients want numbers of the size of one
    const double first = evaluator.at(problem.start).result.measures[problem.measure];
    scale_ = std::isfinite(first) && first != 0 ? 1 / std::abs(first) : 1;
  }

  Found run() {
    for (;;) {
      ahead_.clear();
      asked_ = 0;
      const nlopt_result code = once();
      if (problem_of_call_) std::rethrow_exception(problem_of_call_);
      if (ahead_.empty()) return found(code);
      evaluator_.together(ahead_);
    }
  }

 private:
  struct Constraint {
    Search* search;
    const Limit* limit;
  };

  // How many points may be noted before one must be evaluated.
  std::size_t may_be_ahead(std::size_t known) const {
    if (goal_.method == Method::isres) return population_;
    if (goal_.method == Method::crs) return known < population_ ? population_ - known : 1;
    if (goal_.method == Method::bobyqa) return known < 2 * n_ + 1 ? 2 * n_ + 1 - known : 1;
    return 1;
  }

  // The evaluation of a point; null: its value is not known, and will be when this ends.
  const Evaluation* look(const Point& x) {
    if (const Evaluation* e = evaluator_.find(x)) return seen_.insert(x), e;
    if (std::find(ahead_.begin(), ahead_.end(), x) != ahead_.end()) return nullptr;
    if (ahead_.empty() && may_be_ahead(seen_.size()) <= 1) {
      seen_.insert(x);
      return &evaluator_.at(x);
    }
    ahead_.push_back(x);
    if (ahead_.size() >= may_be_ahead(seen_.size())) nlopt_force_stop(opt_);
    return nullptr;
  }

  double objective(const Point& x, double* gradient) {
    ++asked_;
    const Evaluation* e = look(x);
    const double sign = problem_.maximise ? -scale_ : scale_;
    if (gradient != nullptr) differentiate(x, problem_.measure, sign, gradient);
    if (e == nullptr) return HUGE_VAL;
    const double value = e->result.measures[problem_.measure];
    return e->result.failed() || !std::isfinite(value) ? failed_value : sign * value;
  }

  double constraint(const Point& x, const Limit& limit, double* gradient) {
    const Evaluation* e = look(x);
    const double sign = (limit.above ? -1 : 1) / std::max(std::abs(limit.value), 1e-12);
    if (gradient != nullptr) differentiate(x, limit.measure, sign, gradient);
    if (e == nullptr) return 0;
    const double value = e->result.measures[limit.measure];
    return std::isfinite(value) ? limit.excess(value) : failed_value;
  }

  void differentiate(const Point& x, std::size_t measure, double factor, double* to) {
    auto found = gradients_.find({x, measure});
    if (found == gradients_.end()) {
      // of all measures that matter at once: their differences are the same points
      std::vector<std::size_t> all = {problem_.measure};
      for (const Limit& l : problem_.limits)
        if (std::find(all.begin(), all.end(), l.measure) == all.end()) all.push_back(l.measure);
      const auto rows = evaluator_.gradients(x, all, goal_.difference);
      for (std::size_t k = 0; k < all.size(); ++k) gradients_[{x, all[k]}] = rows[k];
      found = gradients_.find({x, measure});
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const double d = factor * found->second[i];
      to[i] = std::isfinite(d) ? d : 0;
    }
  }

  // exceptions must not pass through C
  template <class Call>
  double guarded(const Call& call) {
    if (problem_of_call_) return HUGE_VAL;
    try {
      return call();
    } catch (...) {
      problem_of_call_ = std::current_exception();
      nlopt_force_stop(opt_);
      return HUGE_VAL;
    }
  }
  static double call_objective(unsigned n, const double* x, double* gradient, void* self) {
    auto* s = static_cast<Search*>(self);
    return s->guarded([&] { return s->objective(Point(x, x + n), gradient); });
  }
  static double call_constraint(unsigned n, const double* x, double* gradient, void* data) {
    auto* c = static_cast<Constraint*>(data);
    return c->search->guarded(
        [&] { return c->search->constraint(Point(x, x + n), *c->limit, gradient); });
  }

  nlopt_result once() {
    constexpr nlopt_algorithm algorithms[] = {NLOPT_LN_BOBYQA, NLOPT_LN_COBYLA, NLOPT_GN_CRS2_LM,
                                              NLOPT_GN_ISRES, NLOPT_LD_SLSQP};
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> opt(
        nlopt_create(algorithms[static_cast<int>(goal_.method)], static_cast<unsigned>(n_)),
        &nlopt_destroy);
    opt_ = opt.get();
    seen_.clear();
    nlopt_srand(static_cast<unsigned long>(goal_.seed));
    nlopt_set_lower_bounds1(opt_, 0);
    nlopt_set_upper_bounds1(opt_, 1);
    nlopt_set_min_objective(opt_, &call_objective, this);
    std::vector<Constraint> constraints;
    for (const Limit& l : problem_.limits) constraints.push_back({this, &l});
    for (Constraint& c : constraints)
      nlopt_add_inequality_constraint(opt_, &call_constraint, &c, tolerance_of_limits);
    nlopt_set_xtol_abs1(opt_, goal_.tolerance);
    nlopt_set_maxeval(opt_, static_cast<int>(goal_.evaluations));
    nlopt_set_initial_step1(opt_, 0.15);
    if (goal_.method == Method::crs || goal_.method == Method::isres)
      nlopt_set_population(opt_, static_cast<unsigned>(population_));
    Point x = problem_.start;
    double f = 0;
    return nlopt_optimize(opt_, x.data(), &f);
  }

  // Among all points that are known, those of earlier searches, too.
  Found found(nlopt_result code) const {
    Found result;
    result.evaluations = asked_;
    result.reason =
        code == NLOPT_MAXEVAL_REACHED ? "all evaluations are used"
        : code == NLOPT_XTOL_REACHED || code == NLOPT_FTOL_REACHED || code == NLOPT_SUCCESS
            ? "the optimum is found to the tolerance"
        : code == NLOPT_ROUNDOFF_LIMITED ? "rounding allows no further progress"
                                         : "the method gave up";
    double least = 0, excess = 0;
    for (const auto& e : evaluator_.history()) {
      const double value = e->result.measures[problem_.measure];
      if (e->step_of_gradient || e->result.failed() || !std::isfinite(value)) continue;
      double most = 0;
      for (const Limit& l : problem_.limits)
        most = std::max(most, l.excess(e->result.measures[l.measure]));
      if (std::isnan(most)) continue;
      const bool within = most <= tolerance_of_limits;
      const double f = problem_.maximise ? -value : value;
      const bool better = result.best == nullptr || (within && !result.within) ||
                          (within == result.within && (within ? f < least : most < excess));
      if (!better) continue;
      result.best = e.get(), result.within = within, least = f, excess = most;
    }
    return result;
  }

  Evaluator& evaluator_;
  const Problem& problem_;
  const study::Goal& goal_;
  std::size_t n_, population_ = 0, asked_ = 0;
  double scale_ = 1;
  nlopt_opt opt_ = nullptr;
  std::vector<Point> ahead_;
  std::set<Point> seen_;  // of the present begin
  std::map<std::pair<Point, std::size_t>, std::vector<double>> gradients_;
  std::exception_ptr problem_of_call_;
};

}  // namespace

void require_nlopt() {}

Found search(Evaluator& evaluator, const Problem& problem, const study::Goal& goal) {
  return Search(evaluator, problem, goal).run();
}

#endif

}  // namespace klingel::optimise
