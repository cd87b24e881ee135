#include "vehicle/schema.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/assert.hpp"
#include "vehicle/curve.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

double default_number(const Key& key) {
  double value = 0;
  const char* end = key.fallback.data() + key.fallback.size();
  const auto read = std::from_chars(key.fallback.data(), end, value);
  KLINGEL_ASSERT(read.ec == std::errc() && read.ptr == end);
  return value;
}

// the key whose value is the default of another one
const Key* default_key(const Reading& r, const Key& key) {
  for (const Key& other : r.section.keys)
    if (other.name == key.fallback) return &other;
  return nullptr;
}

void note_formula(const Reading& r, const Key& key, const Expression& e) {
  if (r.nominal.formulas != nullptr && !e.is_number())
    r.nominal.formulas->push_back({e, std::string(key.unit)});
}

void check_limit(const Reading& r, const Key& key, const Expression& e) {
  note_formula(r, key, e);
  if (key.limit == Limit::none) return;
  if (key.limit == Limit::no_source && !r.nominal.knows(e)) return;
  const double v = r.nominal(e);
  if (key.limit == Limit::positive && !(v > 0))
    r.table.fail(key.name, fmt::format("'{}' must be greater than zero, found {}", key.name, v));
  if (key.limit != Limit::positive && !(v >= 0))
    r.table.fail(key.name, fmt::format("'{}' must not be negative, found {}", key.name, v));
  bool may_change = false;
  for_names(e, [&](const Expression&) { may_change = true; });
  if (!may_change || r.nominal.limits == nullptr) return;
  const base::Place& place = r.table.has(key.name) ? r.table.place(key.name) : r.table.place();
  // without its folder: messages are the same wherever the file lies
  const std::string file = std::filesystem::path(place.file).filename().string();
  r.nominal.limits->push_back(
      {e, key.limit == Limit::positive, fmt::format("'{}' ({}:{})", key.name, file, place.line)});
}

}  // namespace

void read_value(const Reading& r, const Key& key, Expression& value) {
  if (key.fallback == required || r.table.has(key.name))
    value = r.block.formula(r.table, key.name);
  else if (const Key* other = default_key(r, key))
    read_value(r, *other, value);
  else
    value = default_number(key);
  check_limit(r, key, value);
}

void read_value(const Reading& r, const Key& key, double& value) {
  Expression e;
  read_value(r, key, e);
  value = r.nominal(e);
}

void read_value(const Reading& r, const Key& key, Triple& value) {
  KLINGEL_ASSERT(key.fallback == required || key.fallback == "0, 0, 0");
  value = r.block.triple(r.table, key.name, key.fallback == required);
  for (const Expression& e : value) check_limit(r, key, e);
}

void read_value(const Reading& r, const Key& key, std::optional<Triple>& value) {
  KLINGEL_ASSERT(key.fallback == none);
  if (!r.table.has(key.name)) return;
  value = r.block.triple(r.table, key.name, true);
  for (const Expression& e : *value) note_formula(r, key, e);
}

void read_value(const Reading& r, const Key& key, std::array<Expression, 4>& value) {
  KLINGEL_ASSERT(key.fallback == required);
  value = r.block.array<4>(r.table, key.name);
}

void read_value(const Reading& r, const Key& key, std::array<Expression, 6>& value) {
  KLINGEL_ASSERT(key.fallback == "0, 0, 0");
  if (!r.table.has(key.name)) return;
  const std::vector<Expression> list = r.block.formulas(r.table, key.name);
  if (list.size() != 3 && list.size() != 6)
    r.table.fail(key.name, fmt::format("'{}' must be a list of three formulas (xx, yy, zz) or six "
                                       "(and xy, xz, yz), found {}",
                                       key.name, list.size()));
  for (const Expression& e : list) note_formula(r, key, e);
  std::copy(list.begin(), list.end(), value.begin());
}

void read_value(const Reading& r, const Key& key, std::optional<Expression>& value) {
  KLINGEL_ASSERT(key.fallback == none);
  if (!r.table.has(key.name)) return;
  value = r.block.formula(r.table, key.name);
  check_limit(r, key, *value);
}

void read_value(const Reading& r, const Key& key, std::vector<Expression>& value) {
  KLINGEL_ASSERT(key.fallback == none);
  if (r.table.has(key.name)) value = r.block.formulas(r.table, key.name);
}

void read_value(const Reading& r, const Key& key, Curve& value) {
  KLINGEL_ASSERT(key.fallback == none);
  if (r.table.has(key.name)) value = read_curve(r.table, key.name);
}

void read_value(const Reading& r, const Key& key, Direction& value) {
  KLINGEL_ASSERT(key.fallback == required);
  value.components = r.block.direction(r.table, key.name);
}

void read_value(const Reading& r, const Key& key, Axis& value) {
  KLINGEL_ASSERT(key.fallback == required || key.fallback == none);
  if (key.fallback == required || r.table.has(key.name))
    value.index = r.block.axis(r.table, key.name);
}

void read_value(const Reading& r, const Key& key, std::array<PointName, 2>& value) {
  KLINGEL_ASSERT(key.fallback == required);
  if (!r.table.has(key.name)) r.table.fail("", fmt::format("'{}' is missing", key.name));
  const std::array<std::string, 2> two = r.block.two_points(r.table, key.name);
  value = {PointName{two[0]}, PointName{two[1]}};
}

std::string read_name(const Reading& r, const Key& key, NameKind kind) {
  if (key.fallback == required || r.table.has(key.name))
    return r.block.name(kind, r.table, key.name);
  if (key.fallback == none) return "";
  if (const Key* other = default_key(r, key)) return read_name(r, *other, kind);
  return std::string(key.fallback);
}

Table nested_table(const Reading& r, const Key& key) {
  Table table = r.table.required_table(key.name);
  table.call(fmt::format("{}: {} {}", r.table.what(), key.nested->name, key.name));
  return table;
}

void read_keys(const Reading& r, void* target, const char* owner) {
  refuse_unknown(r.table, r.section);
  for (const Key& key : r.section.keys) {
    if (key.read == nullptr) continue;
    KLINGEL_ASSERT(key.owner == owner);
    key.read(r, key, target);
  }
}

std::vector<std::string> required_points(const Section& section, const void* source) {
  std::vector<std::string> all;
  for (const Key& key : section.keys)
    if (key.points != nullptr && key.fallback == required) key.points(source, all);
  return all;
}

}  // namespace klingel::vehicle
