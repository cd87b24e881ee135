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
constexpr std::array<KnownUnit, 7> units{{{"m", Quantity::length, 1},
                                          {"km", Quantity::length, 1e3},
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
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (from < to && blank(line[from])) ++from;
    while (to > from && blank(line[to - 1])) --to;
    cells.push_back({line.substr(from, to - from), static_cast<int>(from) + 1});
    begin = end + 1;
  }
  return cells;
}

double number_of(const Cell& cell, const std::string& file, int line, bool& decimal_commas) {
  // from_chars does not take a leading plus
  std::string text(cell.text.starts_with('+') ? cell.text.substr(1) : cell.text);
  // commas that do not part columns
  if (const std::size_t comma = text.find(','); comma != std::string::npos) {
    text[comma] = '.';
    decimal_commas = true;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    base::fail_at({file, line, cell.column}, "expected a finite number, found '{}'", cell.text);
  }
  return value;
}

// "s_m", "s [m]" or "s (m)" as name and unit; no unit where it ends otherwise.
std::pair<std::string_view, std::string_view> name_and_unit(std::string_view text) {
  const auto trimmed = [](std::string_view t) {
    while (t.ends_with(' ')) t.remove_suffix(1);
    return t;
  };
  for (const char* pair : {"[]", "()"}) {
    const std::size_t open = text.rfind(pair[0]);
    if (text.ends_with(pair[1]) && open != std::string_view::npos && open > 0)
      return {trimmed(text.substr(0, open)), text.substr(open + 1, text.size() - open - 2)};
  }
  const std::size_t bar = text.rfind('_');
  if (bar == std::string_view::npos || bar == 0) return {text, ""};
  return {text.substr(0, bar), text.substr(bar + 1)};
}

std::string list(const std::vector<std::string>& names, const std::vector<std::string>& unit) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text +=
        fmt::format("{}{}{}{}", i == 0 ? "" : ", ", names[i], unit[i].empty() ? "" : "_", unit[i]);
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
      if (line.find('\t') != std::string_view::npos) separator = '\t';
      if (line.find(';') != std::string_view::npos) separator = ';';
      result.header_line_ = number;
      for (const Cell& cell : cells_of(line, separator)) {
        const auto [name, unit] = name_and_unit(cell.text);
        result.names_.emplace_back(name);
        result.units_.emplace_back(unit);
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
      result.values_[i].push_back(number_of(cells[i], file, number, result.decimal_commas_));
    }
    result.lines_.push_back(number);
  }
  if (result.rows() == 0) base::fail_at({file, 0, 0}, "no numbers in this file");
  return result;
}

bool Columns::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::vector<double> Columns::column(std::string_view name, Quantity quantity,
                                    std::string_view given) const {
  const bool is_length = quantity == Quantity::length;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] != name) continue;
    const std::string_view wanted = given.empty() ? std::string_view(units_[i]) : given;
    for (const KnownUnit& unit : units) {
      if (wanted != unit.name || unit.quantity != quantity) continue;
      std::vector<double> values = values_[i];
      for (double& v : values) v *= unit.factor;
      return values;
    }
    const char* known = is_length ? "km, m, cm or mm" : "rad, mrad or deg";
    if (wanted.empty())
      base::fail_at({file_, header_line_, 0},
                    "the name of a column ends with its unit, as in '{}_{}' or '{} [{}]'; found "
                    "'{}'",
                    name, is_length ? "m" : "rad", name, is_length ? "m" : "rad", name);
    base::fail_at({file_, header_line_, 0}, "column '{}' has the unit '{}', expected {}", name,
                  wanted, known);
  }
  base::fail_at({file_, header_line_, 0}, "no column '{}_{}'{}\n    there are {}", name,
                is_length ? "m" : "rad", base::did_you_mean(name, names_), list(names_, units_));
}

std::vector<double> Columns::ascending(std::string_view name, Quantity quantity,
                                       std::string_view unit) const {
  std::vector<double> values = column(name, quantity, unit);
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] > values[i - 1]) continue;
    base::fail_at({file_, lines_[i], 0}, "'{}' must ascend, found {} after {}", name, values[i],
                  values[i - 1]);
  }
  return values;
}

}  // namespace klingel::vehicle
