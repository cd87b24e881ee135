// klingel assess: recordings judged in the style of EN 14363 and EN 12299.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "cli/command.hpp"
#include "report/assessment_page.hpp"
#include "report/folder_signals.hpp"

namespace klingel::cli {
namespace {

using assess::Judged;

struct AssessArguments {
  std::vector<std::string> folders;
  std::string page;
  std::optional<double> deficiency;
  bool freight = false, json = false, csv = false;
};

report::AssessmentPage judge(const AssessArguments& a) {
  std::vector<assess::RunSignals> runs;
  for (const std::string& folder : a.folders) runs.push_back(report::signals_in(folder));
  report::AssessmentPage page;
  page.vehicle = runs.front().vehicle.empty() ? "a vehicle" : runs.front().vehicle;
  page.runs = a.folders;
  page.zones = assess::assess_zones(runs, {a.freight, a.deficiency});
  if (page.zones.sections.empty())
    base::fail(
        "no part of the recordings is long enough for a section: {:.0f} m of straight track or a "
        "curve of constant radius and cant are needed, {:.0f} m away from transitions",
        data(assess::Zone::beyond).length / 2, assess::near_transition);
  for (const assess::RunSignals& run : runs)
    for (std::size_t i = 0; i < run.floor.size(); ++i) {
      if (const auto c = assess::comfort(run.floor[i], run.course.interval)) {
        page.comfort.push_back(*c);
        page.comfort_runs.push_back(run.name);
      }
      for (assess::TransitionComfort& t : assess::transition_comfort(run, i))
        page.transitions.push_back(std::move(t));
    }
  return page;
}

std::string value(const Judged& j, double v) {
  return fmt::format("{:.3g}", j.quantity->scale * v);
}

void print_table(const report::AssessmentPage& page) {
  fmt::print("{}: {} recordings, {} sections, in the style of EN 14363 and EN 12299\n",
             page.vehicle, page.runs.size(), page.zones.sections.size());
  const assess::ZoneData* last = nullptr;
  for (const Judged* j : assess::worst(page.zones)) {
    const assess::ZoneData& zone = data(j->zone);
    if (&zone != last) {
      fmt::print(
          "\n{}: {} sections{}\n", zone.name, j->one.n,
          zone.sections > 0 ? fmt::format(" (the standard asks for {})", zone.sections) : "");
      fmt::print("{:<36}{:<14}{:>9} {:>9} {:>9} {:>9} {:>8} {:>8}  {}\n", "", "worst at", "mean",
                 "s", "largest", "estimated", "limit", "margin", "unit");
    }
    last = &zone;
    const std::optional<double> margin = j->margin();
    fmt::print("{:<36}{:<14}{:>9} {:>9} {:>9} {:>9} {:>8} {:>8}  {}{}\n", j->quantity->name, j->of,
               value(*j, j->one.mean), j->one.n > 1 ? value(*j, j->one.deviation) : "-",
               value(*j, j->one.largest),
               j->two || j->one.estimated ? value(*j, j->compared()) : "-",
               j->limit ? value(*j, *j->limit) : "-",
               margin ? fmt::format("{:.0f} %", 100 * *margin) : "-", j->quantity->unit,
               margin && *margin < 0 ? "  EXCEEDED" : "");
  }
  if (page.comfort.empty()) {
    fmt::print("\nno comfort: the recordings have no accelerations of the floor\n");
  } else {
    fmt::print("\n{:<24} {:<8}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}\n", "comfort", "floor", "s", "N_MV",
               "N_VA", "N_VD", "Wz y", "Wz z");
    for (std::size_t i = 0; i < page.comfort.size(); ++i) {
      const assess::Comfort& c = page.comfort[i];
      fmt::print("{:<24} {:<8}{:>6.0f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}\n",
                 page.comfort_runs[i], c.name, c.seconds, c.N_MV, c.N_VA, c.N_VD, c.Wz_y, c.Wz_z);
    }
    for (const assess::TransitionComfort& p : page.transitions)
      fmt::print(
          "transition at {:.1f} s of {}, {}: P_CT {:.1f} % standing, {:.1f} % seated (y {:.2f} "
          "m/s2, jerk {:.2f} m/s3, roll {:.2f} deg/s)\n",
          p.t, p.run, p.point, p.standing, p.seated, p.y, p.jerk, p.roll);
  }
  fmt::print("\nwhat the standards ask for and is not done:\n");
  for (const std::string& line : report::not_done()) fmt::print("- {}\n", line);
}

void optional(base::Json& json, const char* key, const std::optional<double>& v) {
  json.key(key);
  v ? json.value(*v) : json.null();
}

void print_json(const report::AssessmentPage& page) {
  base::Json json;
  json.begin_object().key("vehicle").value(page.vehicle);
  json.key("sections").begin_array();
  for (const assess::TrackSection& s : page.zones.sections) {
    json.begin_object().key("run").value(page.runs[s.run]);
    json.key("zone").value(data(s.zone).key).key("length_m").value(s.length);
    json.key("curvature_1_m").value(s.curvature).key("speed_m_s").value(s.speed);
    json.key("cant_deficiency_mm").value(s.cant_deficiency).end_object();
  }
  json.end_array().key("quantities").begin_array();
  for (const Judged& j : page.zones.judged) {
    json.begin_object().key("quantity").value(j.quantity->key).key("zone").value(data(j.zone).key);
    json.key("of").value(j.of).key("group").value(assess::name(j.quantity->group));
    json.key("values").begin_array(true);
    for (const double v : j.values) json.value(v);
    json.end_array().key("n").value(static_cast<double>(j.one.n)).key("mean").value(j.one.mean);
    json.key("deviation").value(j.one.deviation).key("largest").value(j.one.largest);
    json.key("k").value(j.quantity->k);
    optional(json, "estimated", j.one.estimated);
    optional(json, "estimated_2d", j.two ? std::optional(j.two->estimated) : std::nullopt);
    optional(json, "limit", j.limit);
    optional(json, "margin", j.margin());
    json.end_object();
  }
  json.end_array().key("comfort").begin_array();
  for (std::size_t i = 0; i < page.comfort.size(); ++i) {
    const assess::Comfort& c = page.comfort[i];
    json.begin_object().key("run").value(page.comfort_runs[i]).key("floor").value(c.name);
    json.key("seconds").value(c.seconds).key("N_MV").value(c.N_MV).key("N_VA").value(c.N_VA);
    json.key("N_VD").value(c.N_VD).key("C_Cy").value(c.continuous_y);
    json.key("C_Cz").value(c.continuous_z).key("Wz_y").value(c.Wz_y).key("Wz_z").value(c.Wz_z);
    json.end_object();
  }
  json.end_array().key("transitions").begin_array();
  for (const assess::TransitionComfort& p : page.transitions) {
    json.begin_object().key("run").value(p.run).key("floor").value(p.point).key("t").value(p.t);
    json.key("curvature_1_m").value(p.to).key("y_1s").value(p.y).key("jerk_1s").value(p.jerk);
    json.key("roll_deg_s").value(p.roll).key("P_CT_standing").value(p.standing);
    json.key("P_CT_seated").value(p.seated).end_object();
  }
  json.end_array().end_object();
  fmt::print("{}", json.text());
}

void print_csv(const report::AssessmentPage& page) {
  fmt::print("zone,quantity,of,n,mean,deviation,largest,estimated,estimated_2d,limit,margin\n");
  const auto text = [](const std::optional<double>& v) {
    return v ? fmt::format("{:.9g}", *v) : std::string();
  };
  for (const Judged& j : page.zones.judged)
    fmt::print("{},{},{},{},{:.9g},{:.9g},{:.9g},{},{},{},{}\n", data(j.zone).key, j.quantity->key,
               j.of, j.one.n, j.one.mean, j.one.deviation, j.one.largest, text(j.one.estimated),
               text(j.two ? std::optional(j.two->estimated) : std::nullopt), text(j.limit),
               text(j.margin()));
}

ExitCode run(const AssessArguments& a) {
  if (a.deficiency && !(*a.deficiency > 0 && *a.deficiency < 400))
    base::fail("--cant-deficiency {:g}: expected millimetres, above 0 and below 400",
               *a.deficiency);
  if (a.json && a.csv) base::fail("--json and --csv: choose one of them");
  const report::AssessmentPage page = judge(a);
  if (a.json)
    print_json(page);
  else if (a.csv)
    print_csv(page);
  else
    print_table(page);
  if (!a.page.empty()) {
    base::write_file(a.page, report::assessment_page(page));
    if (!a.json && !a.csv) fmt::print("wrote {}\n", a.page);
  }
  return ExitCode::fine;
}

}  // namespace

Command assess_command() {
  const auto a = std::make_shared<AssessArguments>();
  Command c{Group::simulate, "assess", "Judge recordings: limits and margins, comfort"};
  c.about =
      "In the style of EN 14363: the recordings are cut into test zones and sections, every "
      "quantity is filtered, and percentiles of the sections give an estimated maximum that is "
      "compared with its limit. Comfort after EN 12299 (mean, complete, in transitions) and "
      "Sperling. What the standards ask for and is not done is listed.";
  c.examples = {"klingel run coach_300m --interval 0.005 --out results && klingel assess results",
                "klingel assess run1 run2 run3 --cant-deficiency 150 --page assessment.html"};
  c.option("folders", a->folders, "Folders that 'klingel run --out' wrote, of one vehicle")
      .names(Names::folder)
      .required();
  c.option("--cant-deficiency", a->deficiency,
           "Admissible cant deficiency: estimates in curves are for it, by a regression")
      .unit("mm");
  c.option("--freight", a->freight, "Limits of a freight wagon");
  c.option("--page", a->page, "Write the assessment as a page into this file").names(Names::file);
  c.option("--csv", a->csv, "Print CSV, in SI units");
  c.option("--json", a->json, "Print JSON, in SI units");
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
