// A motion as a table of numbers, and that table as CSV. Memory for all rows is taken at the
// beginning, so adding one allocates nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace klingel::mechanism {

// Columns: "t [s]", the coordinates, their rates, "kinetic_energy [J]", "potential_energy [J]",
// "largest_phi" (constraint residual, in the unit of the constraint), then the elements of the
// chosen outputs, "name" or "name[i]".
class Trajectory {
 public:
  // Room for `rows` rows. An output the mechanism does not have is an Error.
  Trajectory(Mechanism& mechanism, std::size_t rows, std::vector<std::string> outputs = {});

  // Evaluates the row of a state. False, and nothing added, when there is no room left.
  bool add(Mechanism& mechanism, const State& state);

  std::size_t rows() const { return rows_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::span<const double> row(std::size_t row) const;
  // The values of a column; an unknown name is an Error that suggests near ones.
  std::vector<double> column(std::string_view name) const;

  // A header line and one line per row, numbers in the shortest text that reads back exactly.
  std::string csv() const;

 private:
  std::vector<std::string> columns_, outputs_;
  std::size_t capacity_, rows_ = 0;
  std::vector<double> values_;  // row by row
};

// Written whole or not at all.
void write_csv(const Trajectory& trajectory, const std::filesystem::path& path);

}  // namespace klingel::mechanism
