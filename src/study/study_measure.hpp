// What a study measures of a case, as its file says it: one number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "vehicle/document.hpp"

namespace klingel::study {

struct Measure {
  enum class Kind {
    summary,   // a number of summary.json
    formula,   // of channels (measure.hpp)
    modes,     // of small motions on straight track: critical_speed, damping ...
    curve,     // a formula of the quantities of a steady curve
    conicity,  // equivalent conicity of the first wheelset, by its amplitude
  };
  std::string name;
  base::Place place;
  Kind kind = Kind::summary;
  std::string text;                   // what the key says; empty for a conicity
  std::optional<double> least, most;  // limits: cases beyond them are counted
  // of modes
  std::optional<double> near;   // Hz: of the mode nearest to it instead of the least damped one
  std::optional<double> speed;  // m/s instead of the case's
  double largest = 200;         // m/s: where the search for the critical speed ends
  double amplitude = 0.003;     // m, of a conicity

  bool needs_run() const { return kind == Kind::summary || kind == Kind::formula; }
  bool needs_linear() const { return kind == Kind::modes || kind == Kind::curve; }
};

// The words behind modes = "...".
std::vector<std::string> mode_words();

Measure read_measure(vehicle::Table& table);

}  // namespace klingel::study
