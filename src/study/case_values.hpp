// The values of every case of a study. They depend on the file alone: a case has the same values
// whoever runs it, and in whatever order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/study_file.hpp"

namespace klingel::study {

class CaseValues {
 public:
  // More than 100 million cases are an Error.
  explicit CaseValues(const Study& study);

  std::size_t cases() const { return cases_; }
  // The index of a variation's value in its list; not for random ones.
  std::size_t index(std::size_t which, std::size_t variation) const;
  // The number of a variation; of texts the index in their list.
  double number(std::size_t which, std::size_t variation) const;
  // As a table shows it: the text, or the shortest number.
  std::string text(std::size_t which, std::size_t variation) const;

 private:
  const Study& study_;
  std::size_t cases_ = 1, samples_ = 1;
  std::vector<std::size_t> stride_;          // of lists, by variation
  std::vector<std::size_t> dimension_;       // of random ones, by variation
  std::vector<std::vector<double>> points_;  // by dimension, samples in the unit interval
};

// The number below which a normal variable of mean 0 and deviation 1 is with this probability.
double normal_quantile(double probability);

}  // namespace klingel::study
