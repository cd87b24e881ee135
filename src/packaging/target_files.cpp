#include "packaging/target_files.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/data.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/number.hpp"
#include "contact/hertz_cells.hpp"
#include "record/channel.hpp"

namespace klingel::packaging {
namespace {

namespace fs = std::filesystem;

fs::path shipped(std::string_view folder, std::string_view name) {
  fs::path path = base::find_data(folder, name);
  if (path.empty())
    base::fail("the sources that packages carry are not installed: '{}/{}' is missing", folder,
               name);
  return path;
}

// The sources that fit a pattern "room/*.cpp", sorted.
std::vector<std::string> fitting(const fs::path& src, const std::string& pattern) {
  const fs::path room = fs::path(pattern).parent_path();
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(src / room)) {
    const std::string name = (room / entry.path().filename()).string();
    if (record::matches(pattern, name)) names.push_back(name);
  }
  if (names.empty()) base::fail("no source fits '{}' of target/SOURCES", pattern);
  std::sort(names.begin(), names.end());
  return names;
}

// Hertz' ellipses as numbers: the bits that Boost's elliptic integrals gave here.
std::string hertz_cells_text() {
  std::string text =
      "// Made by klingel export: numbers of contact/hertz_cells.hpp.\n"
      "#include \"contact/hertz_cells.hpp\"\n\nnamespace klingel::contact {\n"
      "namespace {\n\nconstexpr HertzCell cells[] = {\n";
  const auto numbers = [&](const double(&p)[4]) {
    text += "{";
    for (const double x : p) text += base::shortest(x) + ", ";
    text += "}";
  };
  for (const contact::HertzCell& cell : contact::hertz_cells()) {
    text += "    {";
    numbers(cell.m), text += ",\n     ", numbers(cell.n), text += ",\n     ", numbers(cell.d);
    text += "},\n";
  }
  return text +
         "};\n\n}  // namespace\n\nstd::vector<HertzCell> hertz_cells() {\n  return "
         "{std::begin(cells), std::end(cells)};\n}\n\n}  // namespace klingel::contact\n";
}

// Names in quotes of the #include lines.
std::vector<std::string> includes(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view begin = "#include \"";
    if (!line.starts_with(begin)) continue;
    names.push_back(line.substr(begin.size(), line.find('"', begin.size()) - begin.size()));
  }
  return names;
}

// Whether a line of target/SOURCES is for this kind of model.
bool belongs(const std::string& line, bool mechanism, bool with_fmi) {
  const std::string room = line.substr(0, line.find('/'));
  if (room == "fmu") return with_fmi;
  if (!mechanism) return room != "mechanism";
  for (const char* own : {"base", "capi", "kernel", "mechanism", "runtime"})
    if (room == own) return true;
  return false;
}

class Collector {
 public:
  void add_header(const std::string& name) {
    if (name == "klingel.h" || !seen_.insert(name).second) return;
    add(name, base::read_file(src_ / name));
  }
  void add_source(const std::string& name, const std::string& text) {
    out_.sources.push_back("src/" + name);
    seen_.insert(name);
    add(name, text);
  }
  void add_source(const std::string& name) { add_source(name, base::read_file(src_ / name)); }

  const fs::path& src() const { return src_; }
  TargetFiles& out() { return out_; }

 private:
  void add(const std::string& name, const std::string& text) {
    out_.files.push_back({"src/" + name, text});
    for (const std::string& header : includes(text)) add_header(header);
  }

  fs::path src_ = shipped("src", "kernel/abi.h").parent_path().parent_path();
  std::set<std::string> seen_;
  TargetFiles out_;
};

}  // namespace

gen::File interface_file() {
  return {"klingel.h", base::read_file(shipped("include", "klingel.h"))};
}

TargetFiles target_files(bool mechanism, bool with_fmi) {
  Collector c;
  std::istringstream lines(base::read_file(shipped("target", "SOURCES")));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#' || !belongs(line, mechanism, with_fmi)) continue;
    for (const std::string& name : fitting(c.src(), line)) {
      // of vehicles
      if (mechanism && (name == "capi/estimation.cpp" || name.starts_with("capi/filter_")))
        continue;
      if (name == "contact/hertz_cells.cpp")
        c.add_source(name, hertz_cells_text());
      else if (name == "runtime/dopri5.cpp")
        c.add_source(name, base::read_file(shipped("target", "dopri5.cpp")));
      else if (name == "capi/mechanism_model.cpp" && !mechanism)
        c.add_source("capi/no_mechanism.cpp",
                     base::read_file(shipped("target", "no_mechanism.cpp")));
      else if (name == "capi/vehicle_model.cpp" && mechanism)
        c.add_source("capi/no_vehicle.cpp", base::read_file(shipped("target", "no_vehicle.cpp")));
      else
        c.add_source(name);
    }
  }
  c.out().files.push_back({"src/fmt/format.h", base::read_file(shipped("target", "fmt/format.h"))});
  c.out().files.push_back(interface_file());
  return std::move(c.out());
}

bool is_hot(const std::string& source) {
  for (const char* room :
       {"src/step/", "src/contact/", "src/creep/", "src/runtime/", "src/kalman/"})
    if (source.starts_with(room)) return true;
  if (source == "src/simulation/step_derivative.cpp") return true;
  return false;
}

}  // namespace klingel::packaging
