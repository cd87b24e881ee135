// What a study file says: which vehicle or scenario runs, what varies, what is measured, and what
// an optimisation is after. Plain values with places; docs/studies.md shows the keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "study/scenario_changes.hpp"
#include "study/study_measure.hpp"
#include "study/variation.hpp"

namespace klingel::study {

enum class Sampling { random, latin_hypercube, sobol };

// The steady curve of measures of that kind, where no variation replaces it.
struct SteadyCurve {
  std::optional<double> radius;  // m, to the left positive
  std::optional<double> speed;   // m/s instead of the case's
  double cant_deficiency = 0;    // m
};

// One measure to be made small or large.
struct Objective {
  std::string measure;
  bool maximise = false;
  base::Place place;
};

enum class Method { bobyqa, cobyla, crs, isres, slsqp };
std::vector<std::string> method_names();

// What `klingel optimise` does. Limits of measures are its constraints.
struct Goal {
  Method method = Method::cobyla;
  base::Place method_place;
  std::vector<Objective> objectives;  // one; two: a front
  std::size_t evaluations = 200;      // at most, of each point of a front
  std::size_t points = 9;             // of a front
  std::size_t population = 0;         // of crs and isres; 0: NLopt's
  double tolerance = 1e-4;            // of the variables, relative to their ranges
  double difference = 1e-3;           // of gradients by differences, of the ranges
  std::uint64_t seed = 1;
};

struct Study {
  std::string name, about, file, text;  // text: of the file
  std::string run;                      // vehicle or scenario
  ScenarioChanges fixed;                // of all cases
  SteadyCurve curve;
  Sampling sampling = Sampling::latin_hypercube;
  std::uint64_t seed = 1;
  std::size_t samples = 0;
  std::vector<Variation> variations;
  std::vector<Measure> measures;
  std::optional<Goal> goal;

  bool needs_run() const;
  bool needs_linear() const;
};

// A file or a shipped name. Wrong files are Errors with file, line and column.
Study load_study(const std::string& name);
Study parse_study(std::string_view text, const std::string& file);

}  // namespace klingel::study
