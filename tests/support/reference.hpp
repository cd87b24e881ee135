// Tables of reference numbers in tests/reference: lines that begin with # say what they are, the
// first other line names the columns.
#pragma once

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"

namespace klingel::test {

class ReferenceRow {
 public:
  // What is not there, or no number, throws.
  double operator[](const std::string& column) const { return std::stod(cells_.at(column)); }
  const std::string& text(const std::string& column) const { return cells_.at(column); }
  bool has(const std::string& column) const { return !cells_.at(column).empty(); }

  std::map<std::string, std::string> cells_;
};

inline std::vector<ReferenceRow> read_table(const std::filesystem::path& path) {
  std::vector<ReferenceRow> rows;
  std::vector<std::string> names;
  std::istringstream text(base::read_file(path));
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::istringstream stream(line + ",");
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    ReferenceRow row;
    for (std::size_t i = 0; i < names.size(); ++i) row.cells_[names[i]] = cells.at(i);
    rows.push_back(row);
  }
  return rows;
}

inline std::vector<ReferenceRow> reference_table(const std::string& name) {
  return read_table(std::filesystem::path(KLINGEL_SOURCE_DIR) / "tests/reference" / name);
}

}  // namespace klingel::test
