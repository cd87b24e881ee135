// Columns of numbers in a text file (CSV): first line the names, each ending with its unit
// ("s_m", "s [m]" or "s (m)"), then one line of numbers per row. Parted by commas, semicolons or
// tabs; with the last two numbers may have decimal commas. "#" begins a comment line. Values come
// out in SI units.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace klingel::vehicle {

enum class Quantity { length, angle };

class Columns {
 public:
  // Errors have file, line and column.
  static Columns load(const std::filesystem::path& path);
  static Columns parse(std::string_view text, const std::string& file);

  const std::string& file() const { return file_; }
  std::size_t rows() const { return values_.empty() ? 0 : values_.front().size(); }

  // Whether there is a column of this name, whatever its unit.
  bool has(std::string_view name) const;

  // The column `name` in m or rad. A missing column or one with a unit of another quantity is an
  // Error that says what there is. Units: km, m, cm, mm; rad, mrad, deg. A unit that is given
  // replaces that of the header.
  std::vector<double> column(std::string_view name, Quantity quantity,
                             std::string_view unit = "") const;
  // Whether numbers have decimal commas.
  bool decimal_commas() const { return decimal_commas_; }

  // The same, and each value larger than the one before; else an Error with the line.
  std::vector<double> ascending(std::string_view name, Quantity quantity,
                                std::string_view unit = "") const;

 private:
  std::string file_;
  int header_line_ = 0;
  bool decimal_commas_ = false;
  std::vector<std::string> names_, units_;
  std::vector<int> lines_;                   // of each row
  std::vector<std::vector<double>> values_;  // by columns
};

}  // namespace klingel::vehicle
