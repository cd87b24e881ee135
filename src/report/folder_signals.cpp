#include "report/folder_signals.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json_reader.hpp"
#include "record/csv.hpp"
#include "record/hdf5.hpp"
#include "report/page_recording.hpp"
#include "report/recording_folder.hpp"

namespace klingel::report {
namespace {

namespace fs = std::filesystem;
using record::Recording;

constexpr double largest_interval = 0.0101;  // s: 20 Hz are resolved

bool has_channel(const Recording& r, const std::string& name) {
  return std::any_of(r.channels().begin(), r.channels().end(),
                     [&](const record::Channel& c) { return c.name == name; });
}

bool has_all(const Recording& r, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return has_channel(r, name); });
}

std::vector<double> copied(const Recording& r, const std::string& name) {
  const std::span<const double> c = r.column(name);
  return {c.begin(), c.end()};
}

// Names behind a prefix: wheelsets of "sumY.".
std::vector<std::string> behind(const Recording& r, const std::string& prefix) {
  std::vector<std::string> list;
  for (const record::Channel& c : r.channels())
    if (c.name.starts_with(prefix)) list.push_back(c.name.substr(prefix.size()));
  return list;
}

double interval_of(const Recording& r, const fs::path& folder) {
  const std::vector<double> t = copied(r, "t");
  if (t.size() < 10)
    base::fail("the recording of '{}' has {} rows: too few to judge; was the run stopped at once?",
               folder.string(), t.size());
  const double h = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  for (std::size_t i = 1; i + 1 < t.size(); ++i)
    if (std::abs(t[i] - t[i - 1] - h) > 0.01 * h)
      base::fail("rows of '{}' are not evenly apart at {:g} s: filters need even rows",
                 folder.string(), t[i]);
  return h;
}

struct Words {
  std::string vehicle;
  base::JsonValue summary;
};

Words words_of(const fs::path& folder) {
  Words w;
  const fs::path path = folder / "summary.json";
  if (!fs::exists(path)) return w;
  w.summary = base::parse_json(base::read_file(path), path.string());
  if (const base::JsonValue* vehicle = w.summary.find("vehicle")) w.vehicle = vehicle->text;
  return w;
}

std::optional<double> static_load(const Words& w, const std::string& wheel) {
  const base::JsonValue* at = &w.summary;
  for (const std::string& key :
       {std::string("assessment"), std::string("wheels"), wheel, std::string("Q0_N")}) {
    at = at->find(key);
    if (at == nullptr) return {};
  }
  if (at->kind != base::JsonValue::Kind::number) return {};
  return at->number;
}

}  // namespace

Recording channels_in(const fs::path& folder, const std::vector<std::string>& needed) {
  for (const char* name : {"results.h5", "results.csv"}) {
    if (!fs::exists(folder / name)) continue;
    Recording r = std::string_view(name) == "results.h5" ? record::read_hdf5(folder / name)
                                                         : record::read_csv(folder / name);
    if (has_all(r, needed)) return r;
  }
  return channels_of_page(recording_in(folder), (folder / "recording.json").string());
}

assess::RunSignals signals_in(const fs::path& folder) {
  const std::vector<std::string> needed{"t", "s", "speed", "curvature", "cant", "body.roll"};
  const Recording r = channels_in(folder, needed);
  for (const std::string& name : needed)
    if (!has_channel(r, name))
      base::fail(
          "the recording of '{}' has no channel '{}': run again with --out, or with --channels all",
          folder.string(), name);
  assess::RunSignals run;
  const Words words = words_of(folder);
  run.name = folder.string(), run.vehicle = words.vehicle;
  run.course.interval = interval_of(r, folder);
  if (run.course.interval > largest_interval)
    base::fail(
        "rows of '{}' are {:g} ms apart, too far for a filter of 20 Hz: run again with --interval "
        "0.005; a long run needs --hdf5 --channels all, because recording.json is thinned",
        folder.string(), 1e3 * run.course.interval);
  run.course.t = copied(r, "t"), run.course.s = copied(r, "s");
  run.course.speed = copied(r, "speed");
  run.course.curvature = copied(r, "curvature"), run.course.cant = copied(r, "cant");
  run.roll = copied(r, "body.roll");
  if (std::abs(run.course.s.back() - run.course.s.front()) < 50)
    base::fail("'{}' is a recording over {:.1f} m of track: too short to judge", folder.string(),
               std::abs(run.course.s.back() - run.course.s.front()));
  for (const std::string& name : behind(r, "sumY.")) {
    assess::WheelsetSignal w;
    w.name = name;
    for (auto [side, to] : {std::pair("left", &w.left), {"right", &w.right}}) {
      to->name = name + "." + side;
      to->Y = copied(r, "Y." + to->name), to->Q = copied(r, "Q." + to->name);
      to->Q0 = static_load(words, to->name);
    }
    run.wheelsets.push_back(std::move(w));
  }
  if (run.wheelsets.empty())
    base::fail(
        "the recording of '{}' has no forces of wheels: expected channels Y.*, Q.* and sumY.*",
        folder.string());
  for (const std::string& name : behind(r, "a_y.")) {
    assess::FloorSignal f{name, {}};
    for (std::size_t i = 0; i < 3; ++i)
      f.a[i] = copied(r, std::string("a_") + "xyz"[i] + "." + name);
    run.floor.push_back(std::move(f));
  }
  return run;
}

}  // namespace klingel::report
