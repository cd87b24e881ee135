// One thing that differs from case to case, as a study file says it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "vehicle/document.hpp"

namespace klingel::study {

// Another variation has one of these values, numbers as their shortest text.
struct Condition {
  std::string name;
  std::vector<std::string> values;
  base::Place place;
};

struct Variation {
  enum class Kind { numbers, texts, uniform, normal, logarithmic };
  std::string name;  // variation_names.hpp
  base::Place place;
  Kind kind = Kind::numbers;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  double first = 0, second = 0;  // least and largest; or mean and standard deviation
  std::string with;              // changes in step with that one
  std::vector<Condition> when;   // varies only where all of these hold
  bool compile = false;          // always compiled anew, as --set does
  std::optional<double> start;   // where an optimisation begins

  bool is_random() const { return kind >= Kind::uniform; }
  std::size_t count() const { return kind == Kind::texts ? texts.size() : numbers.size(); }
  // The ends between which an optimiser may choose; of lists their least and largest number.
  double least() const;
  double largest() const;
};

Variation read_variation(vehicle::Table& table);

// Names once each; `with` and `when` name lists, `when` earlier ones.
void check_variations(const std::vector<Variation>& variations);

}  // namespace klingel::study
