#include "vehicle/curve.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/file.hpp"

namespace klingel::vehicle {
namespace {

using Point = std::array<double, 2>;

void check(const Point& before, const Point& point, bool may_fall, const base::Place& place) {
  if (!(before[0] < point[0]))
    base::fail_at(place, "a curve must have ascending first values, found {:g} after {:g}",
                  point[0], before[0]);
  if (!may_fall && !(before[1] <= point[1]))
    base::fail_at(place, "a curve must not fall, found {:g} at {:g} after {:g} at {:g}", point[1],
                  point[0], before[1], before[0]);
}

void add(Curve& curve, const Point& point, bool may_fall, const base::Place& place) {
  if (!curve.points.empty()) check(curve.points.back(), point, may_fall, place);
  curve.points.push_back(point);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool read_number(std::string_view text, double& value) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, value);
  return !text.empty() && read.ec == std::errc() && read.ptr == end;
}

// The points of a line; false if it is no pair of numbers.
bool read_line(std::string_view line, Point& point) {
  const std::size_t parted = line.find_first_of(",;");
  return parted != std::string_view::npos && read_number(line.substr(0, parted), point[0]) &&
         read_number(line.substr(parted + 1), point[1]);
}

Curve read_file(const std::filesystem::path& path, bool may_fall) {
  const std::string text = base::read_file(path);
  Curve curve;
  std::string_view rest = text;
  bool names_allowed = true;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = trimmed(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    const base::Place place{path.string(), number, 0};
    Point point;
    if (read_line(line, point))
      add(curve, point, may_fall, place);
    else if (!names_allowed)
      base::fail_at(place, "expected two numbers parted by a comma, found '{}'", line);
    names_allowed = false;
  }
  return curve;
}

}  // namespace

Curve read_curve(Table& table, std::string_view key) {
  const Value& value = *table.find(key);
  Curve curve;
  if (value.kind == Value::Kind::text) {
    const std::filesystem::path folder = std::filesystem::path(value.place.file).parent_path();
    curve = read_file(folder / value.text, false);
  } else if (value.kind == Value::Kind::list) {
    for (const Value& item : value.items) {
      if (item.kind != Value::Kind::list || item.items.size() != 2 ||
          item.items[0].kind != Value::Kind::number || item.items[1].kind != Value::Kind::number)
        base::fail_at(item.place, "a point of '{}' must be two numbers: [0.01, 5e3]", key);
      add(curve, {item.items[0].number, item.items[1].number}, false, item.place);
    }
  } else {
    table.fail(key, fmt::format("'{}' must be a list of points, [[0, 0], [0.01, 5e3]], or the name "
                                "of a file",
                                key));
  }
  if (curve.points.size() < 2)
    table.fail(key,
               fmt::format("'{}' needs at least two points, found {}", key, curve.points.size()));
  return curve;
}

Curve table_of_file(const std::string& name, const base::Place& place) {
  const std::filesystem::path folder = std::filesystem::path(place.file).parent_path();
  Curve curve;
  try {
    curve = read_file(folder / name, true);
  } catch (const base::Error& e) {
    if (e.place()) throw;
    throw base::Error(place, e.what());
  }
  if (curve.points.size() < 2)
    base::fail_at(place, "the table '{}' needs at least two rows, found {}", name,
                  curve.points.size());
  return curve;
}

}  // namespace klingel::vehicle
