// Tables of keys. One table describes all keys of one kind of table in a file: name, unit,
// default, meaning, and the member of the struct it is read into. Reader, defaults, limits, unknown
// keys, `klingel check --keys` and docs/vehicle_format.md follow from it.
//
//   constexpr Key keys[] = {name_key,
//                           key<&Rod::from>("from", "-", required, "on the first body"),
//                           key<&Rod::length>("length", "m", "0.5", "", Limit::positive)};
//   constinit const Section Rod::table = {"rod", "A rod.", keys, "rods"};
//   const Rod rod = read<Rod>(block, table, nominal);
//
// The allowed values of a key follow from the member's type (value_types.hpp): a new type of value
// needs its name in value_kind and its read_value().
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vehicle/block.hpp"

namespace klingel::vehicle {

struct Key;
struct Section;

// Limit of a formula's value at nominal parameters; with a limit it may use parameters only, except
// for `no_source`: not negative, where the formula has a value already.
enum class Limit { none, positive, not_negative, no_source };

// A table of a file that is being read by a section.
struct Reading {
  const Block& block;
  Table& table;
  const NominalValues& nominal;
  const Section& section;
};

// Special words as a default.
inline constexpr std::string_view required = "required";
inline constexpr std::string_view none = "none";  // the member stays as it is: empty

struct Key {
  std::string_view name;
  std::string_view kind;  // of the value: number, formula, text, point ...
  std::string_view unit;  // SI; "-" where there is none
  // `required`, or the default: a number, a full name, or another key of the table whose value is
  // used.
  std::string_view fallback;
  std::string_view meaning;

  // The rest is set by key(). Without `read`, the section's reader reads the key.
  Limit limit = Limit::none;
  void (*read)(const Reading&, const Key&, void* target) = nullptr;
  void (*points)(const void* source, std::vector<std::string>& all) = nullptr;
  const char* owner = nullptr;      // whose member it is: owner_of<T>
  const Section* nested = nullptr;  // if the value is a table: its section
};

// What is allowed in a section in addition to its own keys: the lists of contents, such as
// [[point]] and [[line_spring]], or all keys of the section "contents".
enum class Also { nothing, lists, contents };

// A kind of table in a file.
struct Section {
  std::string_view name;   // as in the file: "isotropic_spring"
  std::string_view about;  // one sentence
  std::span<const Key> keys;
  std::string_view list = "";  // what [[name]] lists; empty: there is no such list in contents
  Also also = Also::nothing;
};

// Keys that are read for all elements alike.
inline constexpr Key name_key = {"name", "text", "-", required, ""};
inline constexpr Key stiff_key = {"stiff", "true or false", "-", "false",
                                  "true: the time step treats this force implicitly"};

// The kind of value as named in documents; a struct with its own section is a table.
template <class T>
inline constexpr std::string_view value_kind = "table";
template <>
inline constexpr std::string_view value_kind<Expression> = "formula";
template <>
inline constexpr std::string_view value_kind<double> = "formula";
template <>
inline constexpr std::string_view value_kind<Triple> = "three formulas";
template <>
inline constexpr std::string_view value_kind<std::optional<Triple>> = "three formulas";
template <>
inline constexpr std::string_view value_kind<std::array<Expression, 4>> = "four formulas";
template <>
inline constexpr std::string_view value_kind<std::array<Expression, 6>> = "three or six formulas";
template <>
inline constexpr std::string_view value_kind<std::optional<Expression>> = "formula";
template <>
inline constexpr std::string_view value_kind<std::vector<Expression>> = "list of formulas";
template <>
inline constexpr std::string_view value_kind<Curve> = "points or file";
template <>
inline constexpr std::string_view value_kind<Direction> = "\"x\", \"y\", \"z\" or three";
template <>
inline constexpr std::string_view value_kind<Axis> = "\"x\", \"y\" or \"z\"";
template <>
inline constexpr std::string_view value_kind<std::array<PointName, 2>> = "two points";
template <NameKind kind>
inline constexpr std::string_view value_kind<FullName<kind>> = kind_name(kind);

// One value of the table; a double is the nominal value of a formula.
void read_value(const Reading& r, const Key& key, Expression& value);
void read_value(const Reading& r, const Key& key, double& value);
void read_value(const Reading& r, const Key& key, Triple& value);
void read_value(const Reading& r, const Key& key, std::optional<Triple>& value);
void read_value(const Reading& r, const Key& key, std::array<Expression, 4>& value);
void read_value(const Reading& r, const Key& key, std::array<Expression, 6>& value);
void read_value(const Reading& r, const Key& key, std::optional<Expression>& value);
void read_value(const Reading& r, const Key& key, std::vector<Expression>& value);
void read_value(const Reading& r, const Key& key, Curve& value);
void read_value(const Reading& r, const Key& key, Direction& value);
void read_value(const Reading& r, const Key& key, Axis& value);
void read_value(const Reading& r, const Key& key, std::array<PointName, 2>& value);
std::string read_name(const Reading& r, const Key& key, NameKind kind);
template <NameKind kind>
void read_value(const Reading& r, const Key& key, FullName<kind>& value) {
  value.text = read_name(r, key, kind);
}

template <class T>
concept HasTable = requires {
  { T::table } -> std::convertible_to<const Section&>;
};
template <class T>
inline constexpr char owner_of = 0;  // its address identifies the type

// Reads all keys of the section into the struct they belong to. Unknown keys are reported first,
// each with the nearest known one: a misspelt key should not be reported as a missing one.
void read_keys(const Reading& r, void* target, const char* owner);
template <class T>
void read_keys(const Reading& r, T& target) {
  read_keys(r, &target, &owner_of<T>);
}
template <HasTable T>
T read(const Block& block, Table& table, const NominalValues& nominal) {
  T result;
  read_keys({block, table, nominal, T::table}, result);
  return result;
}

Table nested_table(const Reading& r, const Key& key);
template <HasTable T>
void read_value(const Reading& r, const Key& key, T& value) {
  Table table = nested_table(r, key);
  value = read<T>(r.block, table, r.nominal);
}

template <class T>
void add_points(const T&, std::vector<std::string>&) {}
inline void add_points(const PointName& p, std::vector<std::string>& all) { all.push_back(p); }
inline void add_points(const std::array<PointName, 2>& p, std::vector<std::string>& all) {
  all.insert(all.end(), {p[0].text, p[1].text});
}
// Values of the required points of a struct.
std::vector<std::string> required_points(const Section& section, const void* source);

template <class T>
constexpr const Section* nested_section() {
  if constexpr (HasTable<T>) return &T::table;
  return nullptr;
}

template <auto member>
struct MemberOf;
template <class Owner, class Value, Value Owner::*member>
struct MemberOf<member> {
  static constexpr Key key(std::string_view name, std::string_view unit, std::string_view fallback,
                           std::string_view meaning, Limit limit) {
    return {name,
            value_kind<Value>,
            unit,
            fallback,
            meaning,
            limit,
            [](const Reading& r, const Key& k, void* target) {
              read_value(r, k, static_cast<Owner*>(target)->*member);
            },
            [](const void* source, std::vector<std::string>& all) {
              add_points(static_cast<const Owner*>(source)->*member, all);
            },
            &owner_of<Owner>,
            nested_section<Value>()};
  }
};

// A key that is read into a member of the struct itself, not of one it is derived from.
template <auto member>
constexpr Key key(std::string_view name, std::string_view unit, std::string_view fallback,
                  std::string_view meaning, Limit limit = Limit::none) {
  return MemberOf<member>::key(name, unit, fallback, meaning, limit);
}

// A variant as a list of structs with tables.
template <class Variant>
struct Kinds;
template <class... T>
struct Kinds<std::variant<T...>> {
  static constexpr const Section* tables[] = {&T::table...};
  // Calls act.operator()<T>() for each, in order.
  template <class Act>
  static void for_each(const Act& act) {
    (act.template operator()<T>(), ...);
  }
};

}  // namespace klingel::vehicle
