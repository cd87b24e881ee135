// Recordings judged zone by zone: the value of every quantity in every section, and the statistics
// over all sections of a zone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assess/quantities.hpp"
#include "assess/run_signals.hpp"
#include "assess/section_statistics.hpp"

namespace klingel::assess {

// One quantity of one wheelset or point of the floor in one zone.
struct Judged {
  const Quantity* quantity = nullptr;
  Zone zone = Zone::straight;
  std::string of;              // wheelset or point
  std::vector<double> values;  // by section of the zone, SI
  OneDimensional one;
  std::optional<TwoDimensional> two;  // with an admissible cant deficiency, in curves
  std::optional<double> limit;        // SI
  // What is compared with the limit: of two dimensions, else of one, else the largest value.
  double compared() const;
  // What is left of the limit, as a share of it; negative: exceeded.
  std::optional<double> margin() const;
};

struct ZoneAssessment {
  std::vector<TrackSection> sections;
  std::vector<Judged> judged;  // by zone, quantity, wheelset or point
};

struct AssessOptions {
  bool freight = false;
  std::optional<double> cant_deficiency;  // admissible, mm: estimates are for it
};

// All recordings are of one vehicle; else an Error.
ZoneAssessment assess_zones(const std::vector<RunSignals>& runs, const AssessOptions& options = {});

// Of each zone and quantity the one with the least margin.
std::vector<const Judged*> worst(const ZoneAssessment& assessment);

}  // namespace klingel::assess
