#include "step/vehicle_state_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "runtime/named_values.hpp"

namespace klingel::step {
namespace {

constexpr const char* coordinate_words[4] = {"theta_w", "u_w", "s_r", "u_r"};

std::vector<runtime::NamedValues> lists_of(const Simulator& simulator) {
  const VehicleState& state = simulator.state();
  std::vector<std::string> wheels, rates;
  for (const WheelData& w : simulator.data().wheels) wheels.push_back(w.name);
  for (const std::string& name : simulator.coordinate_names()) rates.push_back("d" + name);
  std::vector<runtime::NamedValues> lists = {
      {"t", "time", {""}, {state.t}},
      {"step", "number of steps", {""}, {static_cast<double>(state.step)}},
      {"q", "coordinate", simulator.coordinate_names(), state.q},
      {"dq", "rate", rates, state.dq},
      {"u", "input", simulator.input_names(), {}},
      {"friction", "wheel", wheels, {}}};
  for (std::size_t i = 0; i < simulator.input_names().size(); ++i)
    lists[4].values.push_back(simulator.input(i));
  for (std::size_t i = 0; i < wheels.size(); ++i) lists[5].values.push_back(simulator.friction(i));
  for (const auto& [name, list] :
       {std::pair("tread", &VehicleState::tread), {"flange", &VehicleState::flange}}) {
    const std::vector<PointState>& points = state.*list;
    const std::string point = name;  // clang 14 does not let a lambda use the binding
    const auto add = [&](const std::string& word, auto value) {
      runtime::NamedValues values{fmt::format("{}.{}", point, word), "wheel", wheels, {}};
      for (const PointState& p : points) values.values.push_back(value(p));
      lists.push_back(std::move(values));
    };
    add("found", [](const PointState& p) { return p.found ? 1.0 : 0.0; });
    add("on", [](const PointState& p) { return p.on ? 1.0 : 0.0; });
    add("N", [](const PointState& p) { return p.N; });
    for (int k = 0; k < 4; ++k)
      add(coordinate_words[k], [k](const PointState& p) { return p.s[k]; });
    for (int k = 0; k < 4; ++k) {
      add(std::string("d") + coordinate_words[k], [k](const PointState& p) { return p.ds[k]; });
    }
    for (int k = 0; k < 4; ++k) {
      add(std::string("dd") + coordinate_words[k], [k](const PointState& p) { return p.dds[k]; });
    }
    add("gap", [](const PointState& p) { return p.gap; });
    add("deflection", [](const PointState& p) { return p.deflection; });
    add("gamma_n", [](const PointState& p) { return p.gamma_n; });
    add("slip_rate_x", [](const PointState& p) { return p.slip_rate[0]; });
    add("slip_rate_y", [](const PointState& p) { return p.slip_rate[1]; });
    add("steady", [](const PointState& p) { return p.steady ? 1.0 : 0.0; });
  }
  if (const std::vector<std::string>& names = simulator.description()->internal_names;
      !names.empty())
    lists.push_back({"z", "internal state", names, state.z});
  if (simulator.description()->track_states > 0) {
    std::vector<std::string> names;
    for (const std::string& wheelset : simulator.data().wheelsets)
      for (const char* word : {"y", "z_left", "z_right", "dy", "dz_left", "dz_right"})
        names.push_back(fmt::format("{}.{}", wheelset, word));
    lists.push_back({"track", "displacement of the track", names, state.track});
  }
  return lists;
}

}  // namespace

std::string state_text(const Simulator& simulator) {
  return named_values_text(simulator.data().name, lists_of(simulator));
}

void write_state(const Simulator& simulator, const std::filesystem::path& path) {
  base::write_file(path, state_text(simulator));
}

void parse_state(Simulator& simulator, std::string_view text, const std::string& file) {
  std::vector<runtime::NamedValues> lists = lists_of(simulator);
  parse_named_values(text, file, simulator.data().name, lists);
  VehicleState state = simulator.state();
  state.t = lists[0].values[0];
  const double step = lists[1].values[0];
  constexpr double most = 9e15;  // whole numbers up to here are exact
  if (!(step >= 0 && step <= most && step == std::floor(step)))
    base::fail_at({file, 0, 0}, "'step' must be a whole number from 0 to {:g}, found {:g}", most,
                  step);
  for (const double mu : lists[5].values)
    if (!(mu >= 0)) base::fail_at({file, 0, 0}, "'friction' must not be negative, found {:g}", mu);
  state.step = static_cast<std::int64_t>(step);
  state.q = lists[2].values;
  state.dq = lists[3].values;
  std::size_t first = 6;
  for (std::vector<PointState>* points : {&state.tread, &state.flange}) {
    for (std::size_t i = 0; i < points->size(); ++i) {
      PointState& p = (*points)[i];
      p.found = lists[first].values[i] != 0;
      p.on = lists[first + 1].values[i] != 0;
      p.N = lists[first + 2].values[i];
      for (std::size_t k = 0; k < 4; ++k) {
        p.s[k] = lists[first + 3 + k].values[i];
        p.ds[k] = lists[first + 7 + k].values[i];
        p.dds[k] = lists[first + 11 + k].values[i];
      }
      p.gap = lists[first + 15].values[i];
      p.deflection = lists[first + 16].values[i];
      p.gamma_n = lists[first + 17].values[i];
      p.slip_rate = {lists[first + 18].values[i], lists[first + 19].values[i]};
      p.steady = lists[first + 20].values[i] != 0;
    }
    first += 21;
  }
  if (!state.z.empty()) state.z = lists[first++].values;
  if (!state.track.empty()) state.track = lists[first].values;
  for (std::size_t i = 0; i < lists[4].values.size(); ++i)
    simulator.set_input(i, lists[4].values[i]);
  for (std::size_t i = 0; i < lists[5].values.size(); ++i)
    simulator.set_friction(i, lists[5].values[i]);
  simulator.set_state(state);
}

void read_state(Simulator& simulator, const std::filesystem::path& path) {
  parse_state(simulator, base::read_file(path), path.string());
}

}  // namespace klingel::step
