// klingel fmu: a vehicle or mechanism for any importer of FMI 2.0 or 3.0.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/export_parts.hpp"
#include "cli/vehicle_arguments.hpp"
#include "packaging/fmu.hpp"
#include "packaging/zip.hpp"

namespace klingel::cli {
namespace {

struct FmuArguments {
  std::string what, out;
  ScenarioArguments scenario;
  int version = 2;
};

ExitCode write(const FmuArguments& a) {
  packaging::Parts parts = parts_of(a.what, a.scenario);
  const std::filesystem::path path = a.out.empty() ? parts.name + ".fmu" : a.out;
  if (path.extension() != ".fmu") base::fail("the name of an FMU ends in .fmu, found '{}'", a.out);
  packaging::FmuOptions options;
  options.version = a.version;
  packaging::write_zip(path, packaging::fmu_files(parts, options));
  fmt::print("wrote {}: FMI {}.0, the {}, step {:g} s\n", path.string(), a.version, parts.title,
             parts.model->step);
  fmt::print("  {} parameters, {} inputs, {} outputs\n",
             parts.model->of(capi::Kind::parameter).size(),
             parts.model->of(capi::Kind::input).size(), parts.model->of(capi::Kind::output).size());
  return ExitCode::fine;
}

}  // namespace

Command fmu_command() {
  const auto a = std::make_shared<FmuArguments>();
  Command c{Group::simulate, "fmu", "Write a vehicle or a filter as FMU for FMI 2.0 or 3.0"};
  c.about =
      "Co-Simulation with a binary for this platform; mechanisms without constraints also have "
      "Model Exchange. Needs a C and a C++ compiler. Communication steps must be multiples of the "
      "time step. Of an estimate it is the filter: inputs are the measurements, outputs estimates "
      "with their standard deviations.";
  c.examples = {"klingel fmu feve3000_corrected -o loco.fmu",
                "klingel fmu coach_300m --fmi 3 -o coach.fmu",
                "klingel fmu yaw_damper --fmi 3 -o filter.fmu"};
  c.option("what", a->what, "Vehicle, scenario, estimate or shipped mechanism: a name or a file")
      .names(Names::model)
      .required();
  c.option("--fmi", a->version, "Version of FMI").choices({"2", "3"});
  c.option("-o", a->out, "File of the FMU").written().default_text("the name with .fmu, here");
  add_scenario_options(c, a->scenario);
  c.run = [a] { return write(*a); };
  return c;
}

}  // namespace klingel::cli
