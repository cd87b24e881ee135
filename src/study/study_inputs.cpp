#include "study/study_inputs.hpp"

#include <algorithm>
#include <sstream>

#include "base/file.hpp"
#include "base/lookup.hpp"
#include "base/sha256.hpp"
#include "vehicle/document.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::study {
namespace {

namespace fs = std::filesystem;
using vehicle::Value;

class Collector {
 public:
  std::vector<InputFile> files;

  void add(const fs::path& path) {
    if (path.empty() || !fs::is_regular_file(path)) return;
    const fs::path full = fs::weakly_canonical(path);
    for (const InputFile& f : files)
      if (f.path == full) return;
    const std::string text = base::read_file(full);
    files.push_back({full, base::sha256(text)});
    if (full.extension() != ".toml") return;
    look(vehicle::Document::parse(text, full.string()).value(), "", full.parent_path());
  }
  void add(const base::DataKind& kind, const std::string& name, const fs::path& folder) {
    add(base::look_up(kind, name, folder));
  }
  // "60E1:1:40" is 60E1
  void add_profile(const std::string& name, const fs::path& folder) {
    add(base::profiles, name, folder);
    add(base::profiles, name.substr(0, name.find(':')), folder);
  }

 private:
  void look(const Value& value, std::string_view key, const fs::path& folder) {
    for (std::size_t i = 0; i < value.items.size(); ++i)
      look(value.items[i], value.kind == Value::Kind::table ? std::string_view(value.keys[i]) : key,
           folder);
    if (value.kind != Value::Kind::text) return;
    const std::string& name = value.text;
    if (key == "extends" || key == "file") add(folder / name);
    if (key == "extends" || key == "vehicle") add(base::vehicles, name, folder);
    if (key == "extends") add(base::scenarios, name, folder);
    if (key == "track") add(base::tracks, name, folder);
    if (key.starts_with("profile") || key == "rail_profile") add_profile(name, folder);
  }
};

}  // namespace

std::vector<InputFile> study_inputs(const Study& s) {
  Collector all;
  const vehicle::Scenario scenario = vehicle::load_scenario(s.run);
  all.add(fs::path(scenario.file));
  all.add(scenario.vehicle);
  all.add(base::tracks, scenario.track, scenario.folder());
  const fs::path& folder = s.fixed.folder;
  if (!s.fixed.track.empty()) all.add(base::tracks, s.fixed.track, folder);
  for (const std::string& name : {s.fixed.wheel_profile, s.fixed.rail_profile})
    if (!name.empty()) all.add_profile(name, folder);
  for (const Variation& v : s.variations) {
    for (const std::string& text : v.texts) {
      if (v.name == "track") all.add(base::tracks, text, folder);
      if (v.name == "wheel_profile" || v.name == "rail_profile") all.add_profile(text, folder);
    }
  }
  return all.files;
}

std::string study_digest(const Study& s, const std::vector<InputFile>& inputs) {
  std::string text = base::sha256(s.text);
  for (const InputFile& f : inputs) text += f.digest;
  return base::sha256(text);
}

std::string inputs_text(const Study& s, const std::vector<InputFile>& inputs) {
  std::string text = fmt::format("study  {}\n", fs::weakly_canonical(s.file).string());
  for (const InputFile& f : inputs) text += fmt::format("{}  {}\n", f.digest, f.path.string());
  return text;
}

std::string changed_inputs(const std::string& before, const std::vector<InputFile>& now) {
  std::vector<std::string> digests;
  std::istringstream lines(before);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("study")) digests.push_back(line.substr(0, line.find(' ')));
  std::string text;
  for (const InputFile& f : now)
    if (std::find(digests.begin(), digests.end(), f.digest) == digests.end())
      text += fmt::format("    {}\n", f.path.string());
  if (!text.empty()) text.pop_back();
  if (text.empty() && digests.size() != now.size()) text = "    other files are named than before";
  return text;
}

}  // namespace klingel::study
