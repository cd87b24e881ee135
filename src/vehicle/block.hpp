// One table of contents (the file itself or an instance of a group) being read: its scope, and
// access to values of its tables with names looked up from that scope.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "vehicle/names.hpp"
#include "vehicle/removals.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {

struct Block {
  Table table;
  std::string scope;
  const Names* names;
  const Removals* removals = nullptr;  // by files that extend this one
  std::size_t level = 0;               // of the file, see removals.hpp

  // Tables of a list of elements, constraints or outputs, without those that are removed.
  std::vector<Table> kept_tables(std::string_view key) const;

  // Formulas: required ones, and the same with a fallback.
  Expression formula(Table& t, std::string_view key) const;
  Expression formula(Table& t, std::string_view key, double fallback) const;
  // Lists of formulas of a given length; the fallback is all zeros unless `required`.
  std::vector<Expression> formulas(Table& t, std::string_view key) const;
  Triple triple(Table& t, std::string_view key, bool required) const;
  template <std::size_t n>
  std::array<Expression, n> array(Table& t, std::string_view key) const {
    const std::vector<Expression> list = formulas(t, key);
    if (list.size() != n)
      t.fail(key, fmt::format("'{}' must be a list of {} formulas, found {}", key, n, list.size()));
    std::array<Expression, n> result;
    for (std::size_t i = 0; i < n; ++i) result[i] = list[i];
    return result;
  }
  // "x", "y", "z" as 0, 1, 2; the direction of an axis that is given so or by components.
  int axis(Table& t, std::string_view key) const;
  Triple direction(Table& t, std::string_view key) const;

  // Full names of points, bases ... named by a key. The fallback is a full name.
  std::string name(NameKind kind, Table& t, std::string_view key) const;
  std::string name(NameKind kind, Table& t, std::string_view key, std::string fallback) const;
  std::string point(Table& t, std::string_view key) const { return name(NameKind::point, t, key); }
  std::string base(Table& t, std::string_view key) const { return name(NameKind::base, t, key); }
  std::array<std::string, 2> two_points(Table& t, std::string_view key) const;

  // The full name of the thing a table defines.
  std::string full_name(Table& t) const { return joined(scope, t.text("name")); }
};

// The contents of a block except its names, each in a source of that name.
void read_bodies(const Block& block, const NominalValues& nominal, Vehicle& vehicle);
void read_elements(const Block& block, const NominalValues& nominal, Vehicle& vehicle);
void read_constraints(const Block& block, const NominalValues& nominal, Vehicle& vehicle);
void read_outputs(const Block& block, Vehicle& vehicle);
void read_sensors(const Block& block, Vehicle& vehicle);
void read_shapes(const Block& block, const NominalValues& nominal, Vehicle& vehicle);
void read_wheelsets(const Block& block, const NominalValues& nominal, Vehicle& vehicle);

}  // namespace klingel::vehicle
