// Random vehicles, tracks, speeds, friction and laws: every run ends in one of the five ends, with
// a reason that a second look, at the recorded rows alone, confirms. KLINGEL_RANDOM_RUNS says how
// many, KLINGEL_RANDOM_SEED which ones; with KLINGEL_RANDOM_VEHICLE it is always this vehicle.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/error.hpp"
#include "record/drive.hpp"
#include "tests/support/random.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

int number_of(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::max(1, std::atoi(text)) : otherwise;
}

struct Kind {
  const char* vehicle;
  std::vector<const char*> tracks;
};

const std::vector<Kind>& kinds() {
  static const std::vector<const char*> metre = {"article",        "article_flat",
                                                 "article_smooth", "article_10m",
                                                 "metre_straight", "article_straight_irregular",
                                                 "s_curve_2m"};
  static const std::vector<const char*> standard = {
      "straight",   "random_straight", "curve_150",       "curve_300",
      "curve_1000", "twist_150",       "manchester_twist"};
  static const std::vector<Kind> all = {{"feve3000", metre},
                                        {"feve3000_corrected", metre},
                                        {"manchester1", standard},
                                        {"manchester1_yaw", standard},
                                        {"manchester1_full", standard},
                                        {"coach_sensors", standard},
                                        {"train", standard},
                                        {"coach_air", standard},
                                        {"wagon_2axle", standard},
                                        {"wagon_y25", standard},
                                        {"bogie", standard},
                                        {"wheelset", standard},
                                        {"wheelset_suspended", standard}};
  return all;
}

// Names and nominal values of a vehicle's parameters, found once.
const std::vector<std::pair<std::string, double>>& parameters(const char* vehicle) {
  static std::map<std::string, std::vector<std::pair<std::string, double>>> known;
  auto& list = known[vehicle];
  if (list.empty()) {
    const compile::PreparedRun p = compile::prepare_run(vehicle::load_scenario(vehicle));
    const std::vector<std::string>& names = p.instance->parameter_names();
    for (std::size_t i = 0; i < names.size(); ++i)
      list.emplace_back(names[i], p.instance->parameter_value(i));
  }
  return list;
}

struct RandomRun {
  vehicle::Scenario scenario;
  std::string words;
};

RandomRun random_run(test::Random& random) {
  const char* only = std::getenv("KLINGEL_RANDOM_VEHICLE");
  const auto chosen = std::find_if(kinds().begin(), kinds().end(), [&](const Kind& k) {
    return only != nullptr && k.vehicle == std::string_view(only);
  });
  const std::size_t any = random.below(kinds().size());
  const Kind& kind = chosen != kinds().end() ? *chosen : kinds()[any];
  vehicle::Scenario s = vehicle::load_scenario(kind.vehicle);
  s.track = kind.tracks[random.below(kind.tracks.size())];
  s.speed = random.uniform(-5, 60);
  s.friction = random.uniform(0.05, 0.6);
  constexpr const char* laws[] = {"linear", "she", "polach", "fastsim"};
  s.law = laws[random.below(4)];
  // now and then the other model of treads
  if (random.below(4) == 0) s.tread = s.tread == "rigid" ? "loaded" : "rigid";
  s.duration = 2;
  std::string words = fmt::format("{} on {} at {:.2f} m/s, {} {:.3f}, {} treads", kind.vehicle,
                                  s.track, s.speed, s.law, s.friction, s.tread);
  const auto& all = parameters(kind.vehicle);
  for (std::size_t i = 0, count = random.below(5); i < count && !all.empty(); ++i) {
    const auto& [name, value] = all[random.below(all.size())];
    const std::string text = fmt::format("{:.6g}", value * std::pow(3.0, random.uniform(-1, 1)));
    s.parameters.push_back({name, text});
    words += fmt::format(", {}={}", name, text);
  }
  return {s, words};
}

// A run as `klingel run` does it, with all channels of every step.
struct Recorded {
  compile::PreparedRun p;
  record::Recorder recorder;
  record::Tally tally;
  record::RunSummary summary;

  explicit Recorded(const vehicle::Scenario& s)
      : p(compile::prepare_run(s)),
        recorder(*p.simulator, p.track, options(p)),
        tally(*p.simulator) {
    record::DriveOptions drive;
    drive.step = p.scenario.step, drive.duration = p.scenario.duration;
    drive.method = p.description->method;
    drive.method.balance = true;
    drive.inputs = [this](step::Simulator&, double t) { p.instance->set_inputs(t); };
    summary = record::drive(*p.simulator, recorder, tally, drive);
  }

  static record::RecorderOptions options(const compile::PreparedRun& p) {
    record::RecorderOptions o;
    o.step = o.interval = p.scenario.step, o.duration = p.scenario.duration;
    o.channels = {"*"};
    o.body = p.description->start.body;
    return o;
  }
  double last(const std::string& name) const { return recorder.recording().column(name).back(); }
};

bool all_finite(const record::Recording& rows) {
  for (const record::Channel& c : rows.channels()) {
    if (c.name.starts_with("YQ.")) continue;  // not defined in the air
    for (const double x : rows.column(c.name))
      if (!std::isfinite(x)) return false;
  }
  return true;
}

// Energy that is missing at the last row, over all work, from recorded channels.
struct Energy {
  double missing = 0, exchanged = 0;
};
Energy energy_of(const record::Recording& rows) {
  Energy e;
  double first = 0, now = 0;
  std::map<std::string, double> before;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto at = [&](const char* name) { return rows.column(name)[i]; };
    now = at("energy.kinetic") + at("energy.potential");
    double work = 0;
    for (const char* name :
         {"energy.inputs", "energy.dampers", "energy.creep", "energy.normal", "energy.impacts"}) {
      work += at(name);
      if (i > 0) e.exchanged += std::abs(at(name) - before[name]);
      before[name] = at(name);
    }
    if (i > 0) e.exchanged += std::abs(at("energy.potential") - before["energy.potential"]);
    before["energy.potential"] = at("energy.potential");
    // the balance begins with the first step
    if (i == 1) first = now - work;
    e.missing = now - work - first;
  }
  return e;
}

// Whether some wheel is seen off its rail at the last row.
bool is_off(const Recorded& r) {
  for (const step::WheelData& w : r.p.simulator->data().wheels)
    if (r.last("gap." + w.name) > 0.004) return true;
  for (const std::string& k : r.p.simulator->data().wheelsets)
    if (std::abs(r.last("y_rel." + k)) > 0.012) return true;
  return false;
}

bool is_at_end(const Recorded& r) {
  const double reach = 1.5 + 0.1;  // a metre, contacts ahead, and a step
  for (const step::WheelData& w : r.p.simulator->data().wheels) {
    const double s = r.last("s_r." + w.name);
    if (s > r.p.track.end() - reach || s < r.p.track.begin() + reach) return true;
  }
  return false;
}

void confirm(const Recorded& r) {
  const record::RunSummary& s = r.summary;
  const record::Recording& rows = r.recorder.recording();
  const Energy energy = rows.rows() > 2 ? energy_of(rows) : Energy{};
  const auto within = [&](double share) {
    return std::abs(energy.missing) <= share * energy.exchanged + 1.5;
  };
  const bool intact = within(0.01);
  // A rigid tread whose point leaves the tread lets go and is lifted back when it is found again,
  // and nothing elastic is between: up to a tenth may be missing, and then it is said. A loaded
  // flange that hammers its rail with several times the load loses energy in proportion to the
  // step: up to a fiftieth, and then it is said, too.
  const bool rigid = !r.p.simulator->data().loaded();
  const bool warned = std::any_of(s.warnings.begin(), s.warnings.end(),
                                  [](const auto& w) { return w.starts_with("energy error"); });
  const bool said = warned && within(rigid ? 0.1 : 0.02);
  switch (s.end) {
    case record::RunEnd::completed:
      EXPECT_NEAR(r.last("t"), r.p.scenario.duration, 1e-9);
      EXPECT_TRUE(all_finite(rows));
      EXPECT_TRUE(intact || said) << energy.missing << " J of " << energy.exchanged;
      return;
    case record::RunEnd::end_of_track:
      EXPECT_TRUE(is_at_end(r));
      EXPECT_TRUE(all_finite(rows));
      return;
    case record::RunEnd::derailed:
      EXPECT_TRUE(is_off(r));
      EXPECT_TRUE(intact || (said && energy.missing < 0))
          << energy.missing << " J of " << energy.exchanged;
      return;
    case record::RunEnd::failed:
      EXPECT_NE(s.message.find("t = "), std::string::npos) << s.message;
      return;
    case record::RunEnd::stopped:
      ADD_FAILURE() << "nobody stopped it";
  }
}

TEST(ends, are_tried_with_all_shipped_vehicles) {
  for (const auto& entry : std::filesystem::directory_iterator(KLINGEL_SOURCE_DIR "/vehicles")) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(std::any_of(kinds().begin(), kinds().end(), [&](const Kind& k) {
      return name == k.vehicle;
    })) << name;
  }
}

TEST(ends, of_random_runs_are_confirmed_by_their_rows) {
  test::Random random(static_cast<std::uint64_t>(number_of("KLINGEL_RANDOM_SEED", 17)));
  std::map<std::string, int> count;
  const int runs = number_of("KLINGEL_RANDOM_RUNS", 100);
  for (int i = 0; i < runs; ++i) {
    const RandomRun run = random_run(random);
    SCOPED_TRACE(fmt::format("{}: {}", i, run.words));
    try {
      const Recorded r(run.scenario);
      ++count[std::string(record::name(r.summary.end))];
      if (r.summary.end == record::RunEnd::completed &&
          record::exceeds(r.summary.energy, record::doubtful_energy))
        ++count["completed with a warning of energy, rigid treads"];
      std::fflush(stdout);
      confirm(r);
      if (r.summary.end == record::RunEnd::failed)
        fmt::print("  {}: {}\n    {}\n", i, run.words, r.summary.message);
    } catch (const base::Error& e) {
      // a vehicle that cannot stand is refused before it runs
      ++count["refused"];
      EXPECT_FALSE(std::string(e.what()).empty());
    }
  }
  for (const auto& [end, n] : count) fmt::print("  {} {}\n", end, n);
  EXPECT_GE(2 * count["completed"], runs) << "most of them are runs that a vehicle can do";
}

}  // namespace
}  // namespace klingel
