// No number in a file is without effect. Files with every numeric key that there is stand in
// every_key/; each number in them is changed by one per cent, one after the other, and the motion
// (of a track: the rails) must change or the file be refused. A new key that no file there has, or
// that changes nothing, fails.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "compile/prepare_run.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "vehicle/document.hpp"
#include "vehicle/keys.hpp"
#include "vehicle/track_file.hpp"
#include "vehicle/track_keys.hpp"

namespace klingel::test {
namespace {

namespace fs = std::filesystem;
using vehicle::Value;

// Keys that need not change a run, each with the reason. Nothing else may be added without one.
const std::map<std::string, std::string> without_effect = {
    {"inputs.slider", "ends of a slider of the live page"},
    {"output.values", "outputs are functions of the generated C, not channels of a run"},
    {"coordinates.rate", "on a track rates follow from the speed; a warning says so"},
    {"contact.flange_zone", "ends of an interval that is searched; see the test of it"},
    {"shape.size", "what is drawn, not what moves"},
    {"shape.centre", "what is drawn, not what moves"},
    {"constraint.phi", "refused on a track; see input_test.cpp"},
    {"distance.length", "refused on a track"},
    {"unit_norm.euler_parameters", "refused on a track"},
};

struct Leaf {
  std::string key;   // "bushing.stiffness"
  std::string path;  // the same with names of tables, for messages
  base::Place place;
  bool is_text;
};

// --- which key of the schema a place in a file is

bool is_numeric(std::string_view kind) {
  for (const char* word : {"number", "formula", "three"})
    if (kind.find(word) != std::string_view::npos) return true;
  return false;
}

std::set<std::string> numeric_keys(std::span<const vehicle::Section> sections) {
  std::set<std::string> keys;
  for (const vehicle::Section& s : sections)
    for (const vehicle::Key& k : s.keys)
      if (is_numeric(k.kind)) keys.insert(fmt::format("{}.{}", s.name, k.name));
  return keys;
}

std::string key_of(std::vector<std::string> path, bool is_scenario) {
  if (path[0] == "group") path.erase(path.begin(), path.begin() + 2);
  const std::string& table = path[0];
  const std::size_t n = path.size();
  if (is_scenario) {
    if (table == "inputs") return n > 2 ? "input." + path[2] : "scenario file.inputs";
    if (table == "parameters") return "parameters.NAME";
    if (table == "output") return "output of a scenario." + path[1];
    return table + "." + path[1];
  }
  if (table == "parameters") return "parameters.NAME";
  if (table == "coordinates" || table == "inputs")
    return table + "." + (n > 2 ? path[2] : std::string("NAME"));
  if (table == "gear_pair" && n > 2) return "gear." + path[2];
  if (table == "unit" && n > 2) return "unit.parameters";
  if (table == "use" && path[1] != "group" && path[1] != "name") return "use.NAME";
  return table + "." + path[1];
}

std::string joined(const std::vector<std::string>& path) {
  return fmt::format("{}", fmt::join(path, "."));
}

// --- numbers of a file and their changes

using KeyOf = std::function<std::string(const std::vector<std::string>&, const Value&)>;

void collect(const Value& value, std::vector<std::string> path, const KeyOf& key_of,
             std::vector<Leaf>& leaves) {
  if (value.kind == Value::Kind::table) {
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
      path.push_back(value.keys[i]);
      collect(value.items[i], path, key_of, leaves);
      path.pop_back();
    }
  } else if (value.kind == Value::Kind::list) {
    for (const Value& item : value.items) collect(item, path, key_of, leaves);
  } else if (value.kind == Value::Kind::number || value.kind == Value::Kind::text) {
    const bool is_text = value.kind == Value::Kind::text;
    leaves.push_back({key_of(path, value), joined(path), value.place, is_text});
  }
}

// The text with the number at a place, or the first number of the formula there, made one per cent
// larger, a whole number one larger; "" if there is none or it is zero.
std::string changed(const std::string& text, const Leaf& leaf) {
  std::size_t at = 0;
  for (int line = 1; line < leaf.place.line; ++line) at = text.find('\n', at) + 1;
  at += static_cast<std::size_t>(leaf.place.column) - 1;
  const std::size_t line_end = text.find('\n', at);
  std::size_t end = line_end;
  if (leaf.is_text) end = text.find(text[at], at + 1);
  const std::string part = text.substr(at, end - at);
  static const std::regex number(R"((^|[^A-Za-z_0-9.])(\d+(\.\d+)?([eE][-+]?\d+)?))");
  std::smatch found;
  if (!std::regex_search(part, found, number)) return "";
  const double value = std::stod(found[2]);
  if (value == 0) return "";
  const bool is_whole = !found[3].matched && !found[4].matched;
  const std::string other = is_whole && !leaf.is_text ? fmt::format("{}", value + 1)
                                                      : fmt::format("{:.15g}", 1.01 * value);
  const std::size_t from = at + static_cast<std::size_t>(found.position(2));
  return text.substr(0, from) + other +
         text.substr(from + static_cast<std::size_t>(found.length(2)));
}

// --- what comes out

// Bits, so that what is no number (Y/Q in the air) is equal to itself.
using Numbers = std::vector<std::uint64_t>;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

struct Result {
  Numbers numbers;
  std::string error;
  bool operator==(const Result&) const = default;
};

Numbers run(const vehicle::Scenario& scenario) {
  const compile::PreparedRun p = compile::prepare_run(scenario, {exec::Backend::interpreter});
  simulation::Instance& vehicle = *p.instance;
  vehicle.record({"*"});
  while (!vehicle.finished() && vehicle.step()) {
  }
  const record::Recording& recording = vehicle.recorded();
  Numbers all;
  for (const record::Channel& c : recording.channels())
    for (const double x : recording.column(c.name)) all.push_back(bits(x));
  return all;
}

Numbers rails(const fs::path& file) {
  const track::Track track = vehicle::load_track(file.string());
  Numbers all = {bits(track.begin()), bits(track.end())};
  for (const track::RailLine* line : {&track.left, &track.right}) {
    for (const spline::CubicSpline* curve : {&line->x, &line->y, &line->z, &line->theta})
      for (double s = line->begin(); s < line->end(); s += 0.37)
        all.push_back(bits(curve->value(s)));
  }
  return all;
}

template <class Make>
Result result_of(const Make& make) {
  try {
    return {make(), ""};
  } catch (const base::Error& e) {
    return {{}, e.what()};
  }
}

// --- the test of one file: `result` is what follows from the folder as it is

class EveryKey : public testing::Test {
 protected:
  EveryKey() {
    fs::copy(KLINGEL_SOURCE_DIR "/tests/effects/every_key", folder_.path(),
             fs::copy_options::recursive);
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }

  template <class Make>
  void change_each(const std::string& name, const KeyOf& key_of, const Make& make) {
    const Result before = result_of(make);
    ASSERT_EQ(before.error, "") << name;
    ASSERT_EQ(result_of(make), before) << "two runs of " << name << " differ";
    const std::string text = base::read_file(path(name));
    std::vector<Leaf> leaves;
    collect(vehicle::Document::load(path(name)).value(), {}, key_of, leaves);
    for (const Leaf& leaf : leaves) {
      if (leaf.key.empty()) continue;
      const std::string other = changed(text, leaf);
      if (other.empty()) continue;
      base::write_file(path(name), other);
      covered_.insert(leaf.key);
      if (!without_effect.contains(leaf.key))
        EXPECT_NE(result_of(make), before)
            << base::text(leaf.place) << ": a change of '" << leaf.path << "' changes nothing";
    }
    base::write_file(path(name), text);
  }

  // Numbers, and formulas where a key takes them.
  void change_vehicle(const std::string& name, double position) {
    const std::set<std::string> numeric = numeric_keys(vehicle::vehicle_sections());
    change_each(
        name,
        [&](const std::vector<std::string>& at, const Value& value) {
          if (at.size() < 2) return std::string();
          const std::string key = key_of(at, false);
          return value.kind == Value::Kind::number || numeric.contains(key) ? key : "";
        },
        [&] {
          vehicle::Scenario s;
          s.vehicle = path(name);
          s.speed = 20, s.position = position, s.duration = 0.03;
          s.equilibrium = "none";  // so that values of coordinates have an effect
          return run(s);
        });
  }

  void change_scenario(const std::string& name) {
    change_each(
        name,
        [](const std::vector<std::string>& at, const Value& value) {
          return value.kind == Value::Kind::number ? key_of(at, true) : std::string();
        },
        [&] { return run(vehicle::load_scenario(path(name).string())); });
  }

  void expect_covered(const std::set<std::string>& keys) const {
    for (const std::string& key : keys)
      EXPECT_TRUE(without_effect.contains(key) || covered_.contains(key))
          << "no file in every_key/ has the key " << key;
  }

  structure::TemporaryFolder folder_;
  std::set<std::string> covered_;
};

TEST_F(EveryKey, of_vehicles_has_an_effect) {
  change_vehicle("vehicle.toml", 30);
  change_vehicle("train.toml", 0);
  change_vehicle("suspension.toml", 30);
  change_vehicle("slack.toml", 0);
  change_vehicle("wheels.toml", 0);
  std::set<std::string> keys = numeric_keys(vehicle::vehicle_sections());
  keys.erase("contents.parameters");  // the table itself
  expect_covered(keys);
}

TEST_F(EveryKey, of_scenarios_has_an_effect) {
  for (const char* name : {"scenario.toml", "held.toml", "rigid.toml", "driven.toml"})
    change_scenario(name);
  expect_covered(numeric_keys(vehicle::scenario_sections()));
}

TEST_F(EveryKey, both_ends_of_a_flange_zone_have_an_effect) {
  const std::string text = base::read_file(path("rigid.toml")), zone = "[33.0, 55.0]";
  const auto with = [&](const std::string& other) {
    std::string changed = text;
    changed.replace(text.find(zone), zone.size(), other);
    base::write_file(path("rigid.toml"), changed);
    return run(vehicle::load_scenario(path("rigid.toml").string()));
  };
  const Numbers usual = with(zone);
  EXPECT_NE(with("[41.0, 55.0]"), usual);
  EXPECT_NE(with("[33.0, 34.0]"), usual);
}

TEST_F(EveryKey, of_tracks_has_an_effect) {
  for (const char* name : {"track.toml", "distance.toml"}) {
    change_each(
        name,
        [](const std::vector<std::string>& at, const Value& value) {
          return value.kind == Value::Kind::number ? at.back() : std::string();
        },
        [&] { return rails(path(name)); });
  }
  // what is no part of the rails' lines: by the motion of a vehicle
  change_each(
      "foundation.toml",
      [](const std::vector<std::string>& at, const Value& value) {
        const bool own = at[0] == "foundation" || at[0] == "rail_section";
        return own && value.kind == Value::Kind::number ? at.back() : std::string();
      },
      [&] {
        vehicle::Scenario s = vehicle::load_scenario("wheelset_suspended");
        s.track = path("foundation.toml").string();
        s.speed = 20, s.position = 30, s.duration = 0.03;
        s.equilibrium = "none";
        s.hold.clear();
        return run(s);
      });
  for (const vehicle::TrackTable& table : vehicle::track_tables()) {
    for (const vehicle::TrackKey& key : table.keys) {
      const bool is_number = key.unit != "table" && key.unit != "tables" &&
                             (key.unit != "-" || key.name == "seed" || key.name == "waves" ||
                              key.name == "scale" || key.name == "gradient");
      EXPECT_TRUE(!is_number || covered_.contains(std::string(key.name)))
          << table.name << ": no file in every_key/ has the key " << key.name;
    }
  }
}

}  // namespace
}  // namespace klingel::test
