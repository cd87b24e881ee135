// The assessment of recordings as one HTML page without scripts and network: the table with limits
// and margins, comfort, charts over the sections, definitions, and what is not done.
#pragma once

#include <string>
#include <vector>

#include "assess/comfort.hpp"
#include "assess/zone_assessment.hpp"

namespace klingel::report {

struct AssessmentPage {
  std::string vehicle;
  std::vector<std::string> runs;
  assess::ZoneAssessment zones;
  std::vector<assess::Comfort> comfort;
  std::vector<std::string> comfort_runs;  // which recording each is of
  std::vector<assess::TransitionComfort> transitions;
};

// What the standards ask for and is not done here, a sentence each.
std::vector<std::string> not_done();

std::string assessment_page(const AssessmentPage& page);

}  // namespace klingel::report
