// The history of an optimisation as the page of a study.
#pragma once

#include <string>

#include "optimise/optimisation.hpp"

namespace klingel::optimise {

std::string optimum_page(const Evaluator& evaluator, const Optimum& optimum);

}  // namespace klingel::optimise
