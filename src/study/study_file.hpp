// What a study file says: which vehicle or scenario runs, what varies and what is measured. Plain
// values with places; docs/studies.md shows the keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "study/scenario_changes.hpp"

namespace klingel::study {

// One thing that differs from case to case.
struct Variation {
  enum class Kind { numbers, texts, uniform, normal, logarithmic };
  std::string name;  // speed, friction, track, input.NAME, or a parameter of the vehicle
  base::Place place;
  Kind kind = Kind::numbers;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  double first = 0, second = 0;  // least and largest; or mean and standard deviation
  std::string with;              // changes in step with that one
  bool compile = false;          // always compiled anew, as --set does

  bool is_random() const { return kind >= Kind::uniform; }
  std::size_t count() const { return kind == Kind::texts ? texts.size() : numbers.size(); }
};

// One number of a case: of summary.json, or a formula of channels (measure.hpp).
struct Measure {
  std::string name;
  base::Place place;
  std::string summary, formula;       // one of them
  std::optional<double> least, most;  // limits: cases beyond them are counted
};

enum class Sampling { random, latin_hypercube, sobol };

struct Study {
  std::string name, about, file, text;  // text: of the file
  std::string run;                      // vehicle or scenario
  ScenarioChanges fixed;                // of all cases
  Sampling sampling = Sampling::latin_hypercube;
  std::uint64_t seed = 1;
  std::size_t samples = 0;
  std::vector<Variation> variations;
  std::vector<Measure> measures;
};

// A file or a shipped name. Wrong files are Errors with file, line and column.
Study load_study(const std::string& name);
Study parse_study(std::string_view text, const std::string& file);

}  // namespace klingel::study
