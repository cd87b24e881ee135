#include "packaging/fmu.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "exec/process.hpp"
#include "exec/temporary_folder.hpp"
#include "packaging/fmu_description.hpp"
#include "packaging/target_files.hpp"
#include "packaging/target_place.hpp"
#include "packaging/write_package.hpp"

namespace klingel::packaging {
namespace {

namespace fs = std::filesystem;

// What fmu/component.cpp asks for.
std::string entry_source(const Parts& p) {
  return fmt::format(
      "/* Made by klingel {0}. */\n#include \"{1}_package.h\"\n\n"
      "const klingel_package* klingel_fmu_package(void);\n"
      "const klingel_package* klingel_fmu_package(void) {{ return {1}_package(); }}\n",
      base::version, p.name);
}

std::string program_of(const std::string& given, const char* variable, const char* standard) {
  if (!given.empty()) return given;
  const char* set = std::getenv(variable);
  return set != nullptr && *set != 0 && std::string(set).find(' ') == std::string::npos ? set
                                                                                        : standard;
}

void run(const std::vector<exec::Command>& commands) {
  const unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  const std::vector<exec::Outcome> outcomes = exec::run_all(commands, jobs);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (outcomes[i].code == 0 || outcomes[i].code == exec::Outcome::not_run) continue;
    const std::string& output = outcomes[i].output;
    base::fail("an FMU needs a C and a C++ compiler; this failed with exit code {}: {}\n{}",
               outcomes[i].code, exec::line_of(commands[i].words),
               output.substr(output.size() > 2000 ? output.size() - 2000 : 0));
  }
}

// The library of the FMU: kernels and table, linked with the runtime.
std::string binary(const Parts& p, const FmuOptions& options) {
  const exec::TemporaryFolder folder;
  std::vector<gen::File> files = model_files(p, false);
  files.push_back({"fmu_entry.c", entry_source(p)});
  files.push_back(interface_file());
  const std::string prefix = "fmi" + std::to_string(options.version);
  files.push_back({"exports", "{ global: " + prefix + "*; local: *; };\n"});
  gen::write_files(files, folder.path().string());

  std::vector<std::string> sources = model_sources(p, false), objects;
  sources.push_back("fmu_entry.c");
  const std::string cc = program_of(options.cc, "CC", "cc"),
                    cxx = program_of(options.cxx, "CXX", "c++");
  std::vector<exec::Command> compile;
  for (const std::string& source : sources) {
    objects.push_back(source + ".o");
    std::vector<std::string> words{cc,
                                   "-std=c11",
                                   "-O1",
                                   "-fPIC",
                                   "-fvisibility=hidden",
                                   "-fno-math-errno",
                                   "-fno-builtin-pow",
                                   "-ffp-contract=off",
                                   "-Wno-psabi"};
    if (*target_march != 0) words.push_back(std::string("-march=") + target_march);
    words.insert(words.end(), {"-c", source, "-o", objects.back()});
    compile.push_back({words, folder.path()});
  }
  run(compile);
  std::vector<std::string> link{cxx, "-shared", "-o", p.name + ".so"};
  link.insert(link.end(), objects.begin(), objects.end());
  // the functions of FMI are pulled out of the archive by the first of them
  link.insert(link.end(),
              {"-Wl,-u," + prefix + "GetVersion", target_archive().string(), "-static-libstdc++",
               "-static-libgcc", "-Wl,--version-script=exports", "-Wl,-Bsymbolic",
               "-Wl,--gc-sections", "-Wl,--build-id=none", "-Wl,--no-undefined", "-s", "-lm"});
  run({{link, folder.path()}});
  return base::read_file(folder.path() / (p.name + ".so"));
}

// The sources of a package, for importers that compile.
void add_sources(std::vector<gen::File>& files, const Parts& p) {
  TargetFiles target = target_files(p.mechanism, true);
  std::vector<std::string> sources = target.sources;
  for (gen::File& f : target.files)
    if (!f.name.starts_with("src/fmu/fmi2"))
      files.push_back({"sources/" + f.name, std::move(f.text)});
  std::erase(sources, "src/fmu/fmi2.cpp");
  for (gen::File& f : model_files(p, false))
    files.push_back({"sources/model/" + f.name, std::move(f.text)});
  for (const std::string& s : model_sources(p, false)) sources.push_back("model/" + s);
  files.push_back({"sources/model/fmu_entry.c", entry_source(p)});
  sources.push_back("model/fmu_entry.c");
  files.push_back({"sources/buildDescription.xml", fmi3_build_description(p, sources)});
}

}  // namespace

std::vector<gen::File> fmu_files(const Parts& p, const FmuOptions& options) {
  if (options.version != 2 && options.version != 3)
    base::fail("FMI has versions 2 and 3, found {}", options.version);
  const bool two = options.version == 2;
  std::vector<gen::File> files;
  files.push_back({"modelDescription.xml", two ? fmi2_description(p) : fmi3_description(p)});
  const std::string platform = two ? fmi2_platform : fmi3_platform;
  files.push_back({"binaries/" + platform + "/" + p.name + ".so", binary(p, options)});
  files.push_back({"resources/" + p.name + ".klingel", p.data});
  if (!two) add_sources(files, p);
  return files;
}

}  // namespace klingel::packaging
