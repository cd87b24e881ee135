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
  // Whether a variation varies here: its conditions hold. Elsewhere it keeps the value of the
  // files, its number is NaN and its text empty.
  bool varies(std::size_t which, std::size_t variation) const;
  // The index of a variation's value in its list; not for random ones.
  std::size_t index(std::size_t which, std::size_t variation) const;
  // The number of a variation; of texts the index in their list.
  double number(std::size_t which, std::size_t variation) const;
  // As a table shows it: the text, or the shortest number.
  std::string text(std::size_t which, std::size_t variation) const;

  // For an optimiser, which chooses values itself: from now on cases are the rows that are added,
  // and all variations are numbers.
  void become_table();
  std::size_t add(std::vector<double> row);  // its case

 private:
  std::size_t combination(std::size_t which) const;
  bool varies_in(std::size_t combination, std::size_t variation) const;
  void keep_different();

  const Study& study_;
  bool is_table_ = false;
  std::vector<std::vector<double>> table_;
  // by case, where there are conditions: combinations that differ
  std::vector<std::size_t> kept_;
  // by variation: others that must have one of these values
  struct When {
    std::size_t other;
    std::vector<std::size_t> indices;
  };
  std::vector<std::vector<When>> when_;
  std::size_t cases_ = 1, samples_ = 1;
  std::vector<std::size_t> stride_;          // of lists, by variation
  std::vector<std::size_t> dimension_;       // of random ones, by variation
  std::vector<std::vector<double>> points_;  // by dimension, samples in the unit interval
};

// The number below which a normal variable of mean 0 and deviation 1 is with this probability.
double normal_quantile(double probability);

}  // namespace klingel::study
