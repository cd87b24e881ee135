// klingel export: a vehicle or mechanism as a package of sources that builds without Klingel.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/export_parts.hpp"
#include "cli/vehicle_arguments.hpp"
#include "packaging/write_package.hpp"

namespace klingel::cli {
namespace {

struct ExportArguments {
  std::string what, to;
  ScenarioArguments scenario;
  bool embed = false;
};

constexpr const char* list_name = "FILES";

// Files of an earlier package: sources of another vehicle must not stay beside the new ones. What
// others put there stays.
void remove_earlier(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (!fs::is_regular_file(folder / list_name)) return;
  std::istringstream lines(base::read_file(folder / list_name));
  for (std::string name; std::getline(lines, name);) {
    const fs::path path = fs::path(name).lexically_normal();
    if (path.is_relative() && !path.empty() && *path.begin() != ".." &&
        fs::is_regular_file(folder / path))
      fs::remove(folder / path);
  }
}

ExitCode write(const ExportArguments& a) {
  if (a.to.empty()) base::fail("say where the package goes: klingel export WHAT --to DIR");
  const packaging::Parts parts = parts_of(a.what, a.scenario);
  const std::filesystem::path folder = a.to;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
    base::fail("'{}' is not a folder", a.to);
  packaging::PackageOptions options;
  options.embed = a.embed;
  const std::vector<gen::File> files = packaging::package_files(parts, options);
  remove_earlier(folder);
  std::string list;
  for (const gen::File& file : files) {
    base::write_file(folder / file.name, file.text);
    list += file.name + "\n";
  }
  base::write_file(folder / list_name, list);
  fmt::print("wrote {} files to {}: the {}\nbuild and test it with: cd {} && make && ./selftest\n",
             files.size(), a.to, parts.title, a.to);
  return ExitCode::fine;
}

}  // namespace

Command export_command() {
  const auto a = std::make_shared<ExportArguments>();
  Command c{Group::simulate, "export", "Write a vehicle as C and C++ that runs without Klingel"};
  c.about =
      "Writes generated C, the runtime as sources, the data of the model, klingel.h, a Makefile, a "
      "self-test and a README. The target needs gcc or clang and the headers of Eigen. Of an "
      "estimate it is the filter, with kernels of derivatives and a short recording to compare.";
  c.examples = {"klingel export feve3000_corrected --to loco",
                "klingel export coach_300m --embed --to coach", "klingel export pendulum --to p",
                "klingel export yaw_damper --to filter"};
  c.option("what", a->what, "Vehicle, scenario, estimate or shipped mechanism: a name or a file")
      .names(Names::model)
      .required();
  c.option("--to", a->to, "Folder for the package").names(Names::folder);
  c.option("--embed", a->embed, "Data as C arrays: the target reads no file");
  add_scenario_options(c, a->scenario);
  c.run = [a] { return write(*a); };
  return c;
}

}  // namespace klingel::cli
