// klingel channels: what can be recorded of a vehicle, with units and meanings.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/vehicle_arguments.hpp"
#include "compile/prepare_run.hpp"

namespace klingel::cli {
namespace {

void print_channels(const std::string& what, const std::vector<std::string>& patterns) {
  exec::Options options;
  options.backend = exec::Backend::interpreter;  // nothing to compile for a list
  const compile::CompiledVehicle vehicle = compile::compile(vehicle::load_scenario(what), options);
  const simulation::Instance instance(vehicle.description);
  const std::vector<record::Channel>& all = instance.channels();
  std::vector<std::string> wanted = patterns;
  std::replace(wanted.begin(), wanted.end(), std::string("all"), std::string("*"));
  if (wanted.empty()) wanted = {"*"};
  const std::vector<std::size_t> chosen = record::select(all, wanted);
  std::size_t name = 7, unit = 4;  // of the headings
  for (const std::size_t i : chosen) {
    name = std::max(name, all[i].name.size());
    unit = std::max(unit, all[i].unit.size());
  }
  fmt::print("{:<{}}  {:<{}}  {}\n", "channel", name, "unit", unit, "meaning");
  for (const std::size_t i : chosen)
    fmt::print("{:<{}}  {:<{}}  {}\n", all[i].name, name, all[i].unit, unit, all[i].about);
}

}  // namespace

Command channels_command() {
  struct Arguments {
    std::string what;
    std::vector<std::string> patterns;
  };
  const auto a = std::make_shared<Arguments>();
  Command c{Group::simulate, "channels", "List what can be recorded of a vehicle"};
  c.about =
      "Prints every channel with its unit and meaning: wheels, coordinates, forces and strokes of "
      "all elements, outputs and sensors. 'klingel run --channels' takes these names and patterns.";
  c.examples = {"klingel channels manchester1", "klingel channels coach_300m --only 'force.*'"};
  c.option("what", a->what, "Vehicle or scenario: a shipped name or a file")
      .names(Names::scenario)
      .required();
  c.option("--only", a->patterns, "Channels to list, separated by commas: 'N.*,force.*'")
      .separated_by(',')
      .value("PATTERNS");
  c.run = [a] {
    print_channels(a->what, a->patterns);
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
