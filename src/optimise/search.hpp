// One search by NLopt: the point at which a measure is least or largest, within limits of measures.
//
// Methods ask for one point after the other. Where the next ones do not depend on values that are
// not known yet (the first points of BOBYQA and CRS, every generation of ISRES), the method is run
// ahead with what is known, the points it asks for are noted and evaluated side by side, and it
// begins again: it repeats itself, because its random numbers do.
#pragma once

#include <optional>
#include <vector>

#include "optimise/evaluator.hpp"

namespace klingel::optimise {

// A measure that must not be above its limit; below it, if `above`.
struct Limit {
  std::size_t measure = 0;
  double value = 0;
  bool above = false;
  // How far it is violated, in shares of the limit; negative inside.
  double excess(double measured) const;
};

struct Problem {
  std::size_t measure = 0;
  bool maximise = false;
  std::vector<Limit> limits;
  Point start;
};

struct Found {
  const Evaluation* best = nullptr;  // null: every point failed
  bool within = false;               // all limits hold there
  std::size_t evaluations = 0;       // that the method asked for
  std::string reason;                // why it ended
};

// Built without NLopt both are an Error that says so.
void require_nlopt();
Found search(Evaluator& evaluator, const Problem& problem, const study::Goal& goal);

}  // namespace klingel::optimise
