#include "optimise/optimisation.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace klingel::optimise {
namespace {

using study::Objective;

std::size_t index_of(const study::Study& s, const std::string& measure) {
  std::size_t i = 0;
  while (s.measures[i].name != measure) ++i;
  return i;
}

std::vector<Limit> limits_of(const study::Study& s) {
  std::vector<Limit> limits;
  for (std::size_t i = 0; i < s.measures.size(); ++i) {
    if (s.measures[i].least) limits.push_back({i, *s.measures[i].least, true});
    if (s.measures[i].most) limits.push_back({i, *s.measures[i].most, false});
  }
  return limits;
}

double measure_at(const Evaluation& e, std::size_t measure) { return e.result.measures[measure]; }

// Whether b is as good as a in both and better in one.
bool dominates(const Evaluation& b, const Evaluation& a, const study::Study& s) {
  bool better = false;
  for (const Objective& o : s.goal->objectives) {
    const std::size_t m = index_of(s, o.measure);
    const double difference = (measure_at(b, m) - measure_at(a, m)) * (o.maximise ? 1 : -1);
    if (difference < 0) return false;
    better = better || difference > 0;
  }
  return better;
}

class Front {
 public:
  Front(Evaluator& evaluator, const std::function<void(const std::string&)>& said)
      : evaluator_(evaluator), said_(said), s_(evaluator.study().study()), goal_(*s_.goal) {}

  Optimum find() {
    Point start = evaluator_.start();
    const Evaluation* first = one(0, limits_of(s_), start);
    if (goal_.objectives.size() == 1) {
      optimum_.points = {first};
      return optimum_;
    }
    const Evaluation* second = one(1, limits_of(s_), start);
    const std::size_t m = index_of(s_, goal_.objectives[1].measure);
    const double begin = measure_at(*first, m), end = measure_at(*second, m);
    optimum_.points = {first};
    start = first->x;
    for (std::size_t k = 1; k + 1 < goal_.points; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(goal_.points - 1);
      std::vector<Limit> limits = limits_of(s_);
      limits.push_back({m, begin + share * (end - begin), goal_.objectives[1].maximise});
      optimum_.points.push_back(one(0, limits, start));
      start = optimum_.points.back()->x;
    }
    optimum_.points.push_back(second);
    tidy(index_of(s_, goal_.objectives[0].measure));
    return optimum_;
  }

 private:
  const Evaluation* one(std::size_t objective, const std::vector<Limit>& limits,
                        const Point& start) {
    const Objective& o = goal_.objectives[objective];
    const Problem problem{index_of(s_, o.measure), o.maximise, limits, start};
    const Found found = search(evaluator_, problem, goal_);
    if (found.best == nullptr)
      base::fail("every case failed; the first one: {}",
                 evaluator_.history().front()->result.message);
    optimum_.evaluations += found.evaluations;
    optimum_.within = optimum_.within && found.within;
    optimum_.reason = found.reason;
    std::string text = fmt::format("{} evaluations, {}:", found.evaluations, found.reason);
    for (const Objective& each : goal_.objectives)
      text += fmt::format(" {} {:.6g}", each.measure,
                          measure_at(*found.best, index_of(s_, each.measure)));
    said_(text + (found.within ? "" : " (beyond a limit)"));
    return found.best;
  }

  // every point once, without those that another one beats, in the order of the first measure
  void tidy(std::size_t measure) {
    std::vector<const Evaluation*>& p = optimum_.points;
    const std::vector<const Evaluation*> all = p;
    std::erase_if(p, [&](const Evaluation* a) {
      return std::any_of(all.begin(), all.end(),
                         [&](const Evaluation* b) { return dominates(*b, *a, s_); });
    });
    std::sort(p.begin(), p.end(), [&](const Evaluation* a, const Evaluation* b) {
      return measure_at(*a, measure) < measure_at(*b, measure) ||
             (measure_at(*a, measure) == measure_at(*b, measure) &&
              a->result.number < b->result.number);
    });
    p.erase(std::unique(p.begin(), p.end()), p.end());
  }

  Evaluator& evaluator_;
  const std::function<void(const std::string&)>& said_;
  const study::Study& s_;
  const study::Goal& goal_;
  Optimum optimum_;
};

}  // namespace

void require_goal(const study::Study& s) {
  if (!s.goal)
    base::fail_at({s.file, 0, 0},
                  "what is to be optimised? add [optimise] with minimise or maximise = \"...\"");
}

Optimum optimise(Evaluator& evaluator, const std::function<void(const std::string&)>& said) {
  require_goal(evaluator.study().study());
  return Front(evaluator, said).find();
}

std::vector<std::size_t> objective_measures(const study::Study& s) {
  std::vector<std::size_t> list;
  for (const Objective& o : s.goal->objectives) list.push_back(index_of(s, o.measure));
  return list;
}

}  // namespace klingel::optimise
