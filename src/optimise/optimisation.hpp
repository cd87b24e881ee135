// What [optimise] of a study asks for: the best point of one measure, or the front of two. A front
// is found point by point: the first measure is optimised alone, then the second, and then the
// first with the second limited to values between the two ends; each search begins at the point
// before it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "optimise/search.hpp"

namespace klingel::optimise {

struct Optimum {
  std::vector<const Evaluation*> points;  // one; or the front, ordered, none dominated by another
  std::size_t evaluations = 0;            // that the methods asked for
  bool within = true;                     // all limits hold at all points
  std::string reason;                     // why the (last) search ended
};

// An Error where a study does not say what is to be optimised.
void require_goal(const study::Study& study);

// `said` is told about each search. A study without [optimise] or in which every point fails is an
// Error.
Optimum optimise(Evaluator& evaluator, const std::function<void(const std::string&)>& said);

// The objectives as indices of measures.
std::vector<std::size_t> objective_measures(const study::Study& study);

}  // namespace klingel::optimise
