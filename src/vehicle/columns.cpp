#include "vehicle/columns.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "base/file.hpp"
#include "base/nearest.hpp"

namespace klingel::vehicle {
namespace {

struct KnownUnit {
  std::string_view name;
  Quantity quantity;
  double factor;
};
constexpr std::array<KnownUnit, 6> units{{{"m", Quantity::length, 1},
                                          {"cm", Quantity::length, 1e-2},
                                          {"mm", Quantity::length, 1e-3},
                                          {"rad", Quantity::angle, 1},
                                          {"mrad", Quantity::angle, 1e-3},
                                          {"deg", Quantity::angle, std::numbers::pi / 180}}};

struct Cell {
  std::string_view text;
  int column;  // from 1
};

std::vector<Cell> cells_of(std::string_view line, char separator) {
  std::vector<Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::size_t from = begin, to = end;
    while (from < to && (line[from] == ' ' || line[from] == '\t')) ++from;
    while (to > from && (line[to - 1] == ' ' || line[to - 1] == '\t' || line[to - 1] == '\r')) --to;
    cells.push_back({line.substr(from, to - from), static_cast<int>(from) + 1});
    begin = end + 1;
  }
  return cells;
}

double number_of(const Cell& cell, const std::string& file, int line) {
  // from_chars does not take a leading plus
  const std::string_view text = cell.text.starts_with('+') ? cell.text.substr(1) : cell.text;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    base::fail_at({file, line, cell.column}, "expected a finite number, found '{}'", cell.text);
  }
  return value;
}

std::string list(const std::vector<std::string>& names, const std::vector<std::string>& unit) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{}_{}", i == 0 ? "" : ", ", names[i], unit[i]);
  }
  return text;
}

}  // namespace

Columns Columns::load(const std::filesystem::path& path) {
  return parse(base::read_file(path), path.string());
}

Columns Columns::parse(std::string_view text, const std::string& file) {
  Columns result;
  result.file_ = file;
  // some programs write a byte order mark
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  char separator = ',';
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.front() == '#') continue;

    if (result.names_.empty()) {
      if (line.find(';') != std::string_view::npos) separator = ';';
      result.header_line_ = number;
      for (const Cell& cell : cells_of(line, separator)) {
        const std::size_t bar = cell.text.rfind('_');
        if (bar == std::string_view::npos || bar == 0 || bar + 1 == cell.text.size()) {
          base::fail_at({file, number, cell.column},
                        "the name of a column ends with its unit, as in 's_m'; found '{}'",
                        cell.text);
        }
        result.names_.emplace_back(cell.text.substr(0, bar));
        result.units_.emplace_back(cell.text.substr(bar + 1));
      }
      result.values_.resize(result.names_.size());
      continue;
    }
    const std::vector<Cell> cells = cells_of(line, separator);
    if (cells.size() != result.names_.size()) {
      base::fail_at({file, number, 0}, "{} values, but the header names {} columns", cells.size(),
                    result.names_.size());
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      result.values_[i].push_back(number_of(cells[i], file, number));
    }
    result.lines_.push_back(number);
  }
  if (result.rows() == 0) base::fail_at({file, 0, 0}, "no numbers in this file");
  return result;
}

bool Columns::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::vector<double> Columns::column(std::string_view name, Quantity quantity) const {
  const bool is_length = quantity == Quantity::length;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] != name) continue;
    for (const KnownUnit& unit : units) {
      if (units_[i] != unit.name || unit.quantity != quantity) continue;
      std::vector<double> values = values_[i];
      for (double& v : values) v *= unit.factor;
      return values;
    }
    base::fail_at({file_, header_line_, 0}, "column '{}' has the unit '{}', expected {}", name,
                  units_[i], is_length ? "m, cm or mm" : "rad, mrad or deg");
  }
  base::fail_at({file_, header_line_, 0}, "no column '{}_{}'{}\n    there are {}", name,
                is_length ? "m" : "rad", base::did_you_mean(name, names_), list(names_, units_));
}

std::vector<double> Columns::ascending(std::string_view name, Quantity quantity) const {
  std::vector<double> values = column(name, quantity);
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) continue;
    base::fail_at({file_, lines_[i], 0}, "'{}' must ascend, found {} after {}", name, values[i],
                  values[i - 1]);
  }
  return values;
}

}  // namespace klingel::vehicle
