// What the file of a wear study says: where a vehicle runs, in which shares, how far, and how its
// wheels wear. docs/wear.md shows the keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "study/scenario_changes.hpp"
#include "wear/wear_law.hpp"

namespace klingel::study {

struct WearCase {
  std::string run;  // vehicle or scenario
  base::Place place;
  double share = 1;  // of the distance, relative to those of the others
  ScenarioChanges changes;
};

struct WearStudy {
  std::string name, about, file;
  wear::WearLaw law = wear::WearLaw::usfd;
  double mileage = 0;        // km
  double vehicles = 0;       // that pass over each rail meanwhile; zero: rails stay new
  double most_km = 0;        // with one profile
  double most_depth = 1e-4;  // m that wear away with one profile
  double smooth = 1.5e-3;    // m
  double skip = 20;          // m at the begin of each run that do not count
  std::vector<WearCase> cases;
};

// A file or a shipped name. Wrong files are Errors with file, line and column.
WearStudy load_wear_study(const std::string& name);
WearStudy parse_wear_study(std::string_view text, const std::string& file);

}  // namespace klingel::study
