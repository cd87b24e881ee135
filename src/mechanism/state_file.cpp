#include "mechanism/state_file.hpp"

#include "base/file.hpp"
#include "runtime/named_values.hpp"

namespace klingel::mechanism {
namespace {

std::vector<runtime::NamedValues> lists_of(const Mechanism& mechanism, const State& state) {
  return {{"t", "time", {""}, {state.t}},
          {"q", "coordinate", mechanism.coordinate_names(), state.q},
          {"dq", "rate", mechanism.rate_names(), state.dq}};
}

}  // namespace

std::string state_text(const Mechanism& mechanism, const State& state) {
  return named_values_text(mechanism.name(), lists_of(mechanism, state));
}

void write_state(const Mechanism& mechanism, const State& state,
                 const std::filesystem::path& path) {
  base::write_file(path, state_text(mechanism, state));
}

State parse_state(const Mechanism& mechanism, std::string_view text, const std::string& file) {
  std::vector<runtime::NamedValues> lists = lists_of(mechanism, mechanism.nominal_state());
  parse_named_values(text, file, mechanism.name(), lists);
  return {lists[0].values[0], lists[1].values, lists[2].values};
}

State read_state(const Mechanism& mechanism, const std::filesystem::path& path) {
  return parse_state(mechanism, base::read_file(path), path.string());
}

}  // namespace klingel::mechanism
