// klingel wear: wheel profiles over mileage: run, wear, smooth, run again.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "profile/profile_file.hpp"
#include "profile/profile_report.hpp"
#include "report/plot.hpp"
#include "study/wear_study.hpp"
#include "wear/worn_profile.hpp"

namespace klingel::cli {
namespace {

namespace fs = std::filesystem;
using study::WearResult, study::WearStep;

struct WearArguments {
  std::string study, out;
  std::optional<double> mileage;
  bool force = false;
};

std::string label(const WearStep& s) { return fmt::format("{:.0f} km", s.km); }

// Some of the steps, the first and the last among them.
std::vector<const WearStep*> some(const WearResult& r, std::size_t most) {
  std::vector<const WearStep*> list;
  const std::size_t n = r.steps.size();
  for (std::size_t i = 0; i < std::min(n, most); ++i)
    list.push_back(&r.steps[n <= most ? i : i * (n - 1) / (most - 1)]);
  return list;
}

report::Series shape(const profile::Profile& p, const std::string& name, double from, double to) {
  report::Series s{name, {}, {}, report::Style::line};
  for (double y = std::max(from, p.z.begin()); y <= std::min(to, p.z.end()); y += 0.25e-3) {
    s.x.push_back(1e3 * y);
    s.y.push_back(-1e3 * p.z.value(y));
  }
  return s;
}

// Shapes over mileage, and what was lost.
std::string profile_picture(const WearResult& r, profile::Profile WearStep::*which,
                            const std::string& part, double from, double to) {
  report::Plot shapes, lost;
  shapes.title = part + " profile over mileage";
  shapes.x_label = "y, mm; the flange is left";
  shapes.y_label = "height of the surface, mm";
  lost.title = part + ": material lost";
  lost.x_label = "y, mm";
  lost.y_label = "depth, mm";
  const profile::Profile& first = r.steps.front().*which;
  for (const WearStep* s : some(r, 6)) {
    const profile::Profile& p = s->*which;
    shapes.series.push_back(shape(p, label(*s), from, to));
    report::Series depth{label(*s), {}, {}, report::Style::line};
    for (double y = first.z.begin(); y <= first.z.end(); y += 0.25e-3) {
      depth.x.push_back(1e3 * y);
      depth.y.push_back(1e3 * std::abs(first.z.value(y) - p.z.value(y)));
    }
    lost.series.push_back(std::move(depth));
  }
  const report::Plot plots[] = {std::move(shapes), std::move(lost)};
  return report::svg(plots);
}

std::string conicity_picture(const WearResult& r) {
  report::Plot conicity, rate;
  conicity.title = "Equivalent conicity over mileage";
  conicity.x_label = "1000 km";
  conicity.y_label = "tan gamma_e";
  for (std::size_t k = 0; k < std::size(WearResult::amplitudes); ++k) {
    report::Series s{fmt::format("amplitude {:g} mm", 1e3 * WearResult::amplitudes[k]),
                     {},
                     {},
                     report::Style::line};
    for (const WearStep& step : r.steps) {
      if (step.conicity.size() <= k) continue;
      s.x.push_back(1e-3 * step.km);
      s.y.push_back(step.conicity[k]);
    }
    conicity.series.push_back(std::move(s));
  }
  rate.title = "Section lost by a wheel";
  rate.x_label = "1000 km";
  rate.y_label = "mm2";
  report::Series s{"", {}, {}, report::Style::line};
  for (const WearStep& step : r.steps)
    s.x.push_back(1e-3 * step.km), s.y.push_back(1e6 * step.section);
  rate.series = {std::move(s)};
  const report::Plot plots[] = {std::move(conicity), std::move(rate)};
  return report::svg(plots);
}

std::string rate_picture(const WearStep& s) {
  report::Plot wheel, rail;
  wheel.title = fmt::format("Wheel: material lost in 1000 km, at {:.0f} km", s.km);
  rail.title = fmt::format("Rail: material lost under 100000 vehicles, at {:.0f} km", s.km);
  wheel.x_label = rail.x_label = "y of the profile, mm";
  wheel.y_label = rail.y_label = "depth, mm";
  const auto series = [](const wear::WearMap& map, double scale) {
    report::Series r{"", {}, {}, report::Style::line};
    for (std::size_t i = 0; i < map.depth().size(); ++i)
      r.x.push_back(1e3 * map.y(i)), r.y.push_back(scale * map.depth()[i]);
    return r;
  };
  wheel.series = {series(s.wheel_rate, 1e6 * 1e3)};
  rail.series = {series(s.rail_rate, 1e5 * 1e3)};
  const report::Plot plots[] = {std::move(wheel), std::move(rail)};
  return report::svg(plots);
}

std::string history(const WearResult& r) {
  std::string text =
      "km,section_mm2,deepest_mm,rail_section_mm2,rail_deepest_mm,T_gamma_N,wheel_mm2_per_1000km,"
      "rail_mm2_per_100000_vehicles,"
      "flange_height_mm,flange_thickness_mm,qR_mm";
  for (const double amplitude : WearResult::amplitudes)
    text += fmt::format(",conicity_{:g}mm", 1e3 * amplitude);
  text += "\n";
  for (const WearStep& s : r.steps) {
    const profile::ProfileReport report = profile::profile_report(s.wheel);
    const auto measure = [](const std::optional<double>& v) {
      return v ? fmt::format("{:.6g}", 1e3 * *v) : std::string("nan");
    };
    const bool last = s.length == 0;
    text += fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{},{},{},{}", s.km,
                        1e6 * s.section, 1e3 * s.deepest, 1e6 * s.rail_section,
                        1e3 * s.rail_deepest, last ? "nan" : fmt::format("{:.6g}", s.T_gamma),
                        last ? "nan" : fmt::format("{:.6g}", 1e12 * s.wheel_rate.section()),
                        last ? "nan" : fmt::format("{:.6g}", 1e11 * s.rail_rate.section()),
                        measure(report.flange_height), measure(report.flange_thickness),
                        measure(report.flange_qr));
    for (const double c : s.conicity) text += fmt::format(",{:.6g}", c);
    text += "\n";
  }
  return text;
}

std::string rates(const WearStep& s) {
  std::string text = "part,y_mm,depth_mm\n";
  for (std::size_t i = 0; i < s.wheel_rate.depth().size(); ++i)
    text += fmt::format("wheel_per_1000km,{:.6g},{:.6g}\n", 1e3 * s.wheel_rate.y(i),
                        1e9 * s.wheel_rate.depth()[i]);
  for (std::size_t i = 0; i < s.rail_rate.depth().size(); ++i)
    text += fmt::format("rail_per_100000_vehicles,{:.6g},{:.6g}\n", 1e3 * s.rail_rate.y(i),
                        1e8 * s.rail_rate.depth()[i]);
  return text;
}

void check_folder(const WearArguments& a) {
  if (!fs::exists(a.out)) return;
  if (!fs::is_directory(a.out)) base::fail("--out {}: this is a file, expected a folder", a.out);
  if (fs::exists(fs::path(a.out) / "wear.csv") && !a.force)
    base::fail("'{}' holds the results of another wear study; --force replaces them", a.out);
}

ExitCode run(const WearArguments& a) {
  study::WearStudy study = study::load_wear_study(a.study);
  if (a.mileage) {
    if (!(*a.mileage > 0 && *a.mileage <= 1e7))
      base::fail("--mileage {:g}: expected kilometres, above 0 and at most 1e7", *a.mileage);
    study.mileage = *a.mileage;
  }
  check_folder(a);
  const fs::path out = fs::absolute(a.out);
  fs::create_directories(out);
  fmt::print("{}: wear law {}, {:g} km\n{:>10}{:>14}{:>14}{:>16}{:>14}{:>16}\n", study.name,
             wear::name(study.law), study.mileage, "km", "lost, mm2", "deepest, mm", "mm2/1000 km",
             "conicity 3mm", "rail lost, mm2");
  const auto keep = [&](const profile::Profile& p, double km) {
    const fs::path path =
        out / fmt::format("{}_{:07.0f}km.pieces",
                          p.kind == profile::ProfileKind::wheel ? "wheel" : "rail", km);
    profile::write_profile(p, path);
    return path.string();
  };
  const auto tell = [](const WearStep& s) {
    fmt::print(
        "{:>10.0f}{:>14.3f}{:>14.4f}{:>16}{:>14}{:>16.3f}\n", s.km, 1e6 * s.section,
        1e3 * s.deepest, s.length > 0 ? fmt::format("{:.4g}", 1e12 * s.wheel_rate.section()) : "",
        s.conicity.size() > 1 ? fmt::format("{:.4f}", s.conicity[1]) : "", 1e6 * s.rail_section);
    std::fflush(stdout);
  };
  const WearResult r = study::run_wear(study, keep, tell);
  const WearStep& first = r.steps.front();
  base::write_file(out / "wear.csv", history(r));
  base::write_file(out / "rates.csv", rates(first));
  base::write_file(out / "profiles.svg",
                   profile_picture(r, &WearStep::wheel, "Wheel", -0.06, 0.05));
  if (study.vehicles > 0)
    base::write_file(out / "rail_profiles.svg",
                     profile_picture(r, &WearStep::rail, "Rail", -0.04, 0.04));
  base::write_file(out / "conicity.svg", conicity_picture(r));
  base::write_file(out / "rates.svg", rate_picture(first));
  fmt::print("wrote {}: wear.csv, rates.csv, profiles.svg{}, conicity.svg, rates.svg and {} {}\n",
             a.out, study.vehicles > 0 ? ", rail_profiles.svg" : "", r.steps.size(),
             study.vehicles > 0 ? "profiles of wheels and of rails" : "profiles of wheels");
  return ExitCode::fine;
}

}  // namespace

Command wear_command() {
  const auto a = std::make_shared<WearArguments>();
  Command c{Group::simulate, "wear", "Wear of wheel and rail profiles over mileage"};
  c.about =
      "Runs the cases of a study, spreads the material that contacts lose over the profiles of "
      "wheel and rail, smooths it, and runs again with worn profiles until the mileage is reached. "
      "Writes profiles that 'klingel run --wheel-profile' takes, tables and pictures.";
  c.examples = {"klingel wear coach_wear --out wear",
                "klingel run coach_300m --wheel-profile "
                "wear/wheel_0060000km.pieces"};
  c.option("study", a->study, "Wear study: a file or a shipped name").names(Names::file).required();
  c.option("--out", a->out, "Folder for the results").names(Names::folder).required();
  c.option("--mileage", a->mileage, "Mileage instead of that of the study").unit("km");
  c.option("--force", a->force, "Replace the results of an earlier study");
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
