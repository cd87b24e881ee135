// What an optimisation leaves behind: every evaluation as CSV, the result as JSON, a picture, and
// the best vehicle as a file that extends the one it began with.
#pragma once

#include <string>

#include "optimise/optimisation.hpp"

namespace klingel::optimise {

// A line per evaluation: number, values, how it ended, measures, whether it is a step of a gradient
// and whether it is a point of the result.
std::string evaluations_csv(const Evaluator& evaluator, const Optimum& optimum);

// Keys: study, method, evaluations, cases, failed, seconds, within_limits, reason and `points` with
// values and measures.
std::string optimum_json(const Evaluator& evaluator, const Optimum& optimum, double seconds);

// Of one objective its values over the evaluations with the best so far; of two the front with all
// evaluations.
std::string optimum_svg(const Evaluator& evaluator, const Optimum& optimum);

// A vehicle file; values that no vehicle file has (speed, friction ...) are a comment in it. `name`
// is that of the new vehicle.
std::string vehicle_file(const Evaluator& evaluator, const Evaluation& best,
                         const std::string& name);

}  // namespace klingel::optimise
