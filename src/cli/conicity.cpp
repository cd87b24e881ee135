// klingel conicity: equivalent conicity by EN 15302, from profiles or from a given delta-r.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/load_options.hpp"
#include "cli/range.hpp"
#include "cli/wheelset_options.hpp"
#include "contact/conicity.hpp"
#include "contact/radius_difference.hpp"
#include "profile/profile_text.hpp"
#include "report/plot.hpp"

namespace klingel::cli {
namespace {

using contact::Conicity;
using contact::RadiusDifference;

struct ConicityArguments {
  WheelsetOptions wheelset;
  LoadOptions load;
  std::string delta_r, amplitude = "1:7:0.5", svg;
  double base = 1500;
  bool csv = false;
};

// One value in mm per line; the middle one belongs to y = 0, neighbours are 0.1 mm apart.
RadiusDifference read_delta_r(const std::string& file) {
  const std::string text = base::read_file(file);
  std::vector<double> values;
  int line = 0;
  for (const std::string_view row : profile::lines_of(text)) {
    ++line;
    if (profile::trimmed(row).empty() || profile::trimmed(row).front() == '#') continue;
    const std::vector<profile::Word> words = profile::words_of(row, line, ",;");
    if (words.size() != 1) {
      base::fail_at({file, line, 0}, "{} words where one value of delta-r in mm is expected",
                    words.size());
    }
    values.push_back(1e-3 * profile::number(words.front(), file, "delta-r in mm"));
  }
  if (values.size() < 3) base::fail("{}: {} values of delta-r are not enough", file, values.size());
  RadiusDifference f;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double middle = 0.5 * static_cast<double>(values.size() - 1);
    f.y.push_back(1e-4 * (static_cast<double>(i) - middle));
    f.delta_r.push_back(values[i]);
  }
  return f;
}

RadiusDifference sample_delta_r(const ConicityArguments& a, double amplitude) {
  const Wheelset w = make_wheelset(a.wheelset);
  const std::optional<double> roll = roll_of(a.wheelset);
  if (!a.load.given())
    return contact::radius_difference(*w.geometry, w.sides_differ, amplitude, roll);
  return contact::radius_difference(make_loaded(w, a.load), w.sides_differ, amplitude, roll);
}

std::string picture(const RadiusDifference& f, const std::vector<Conicity>& values) {
  report::Plot delta, tan;
  delta.title = "Difference of rolling radii, left minus right";
  delta.x_label = "y of the wheelset, to the left, mm";
  delta.y_label = "mm";
  report::Series d{"", {}, {}, report::Style::line}, t{"", {}, {}, report::Style::line};
  for (std::size_t i = 0; i < f.y.size(); ++i) {
    d.x.push_back(1e3 * f.y[i]);
    d.y.push_back(1e3 * f.delta_r[i]);
  }
  delta.series = {std::move(d)};
  tan.title = "Equivalent conicity";
  tan.x_label = "amplitude, mm";
  tan.y_label = "tan gamma_e";
  for (const Conicity& c : values) {
    t.x.push_back(1e3 * c.amplitude);
    t.y.push_back(c.tan_gamma);
  }
  tan.series = {std::move(t)};
  const report::Plot plots[] = {std::move(delta), std::move(tan)};
  return report::svg(plots);
}

ExitCode run(const ConicityArguments& a) {
  const std::vector<double> amplitudes = read_range(a.amplitude, "--amplitude");
  double largest = 0;
  for (const double amplitude : amplitudes) {
    if (!(amplitude > 0)) base::fail("--amplitude {}: amplitudes must be positive", a.amplitude);
    largest = std::max(largest, 1e-3 * amplitude);
  }
  const bool given = !a.delta_r.empty();
  if (given && (!a.wheelset.wheel.empty() || !a.wheelset.rail.empty())) {
    base::fail("--delta-r replaces the profiles: give either --delta-r, or --wheel and --rail");
  }
  if (given && a.load.given())
    base::fail("--delta-r already includes the load: use --load with --wheel and --rail only");
  const RadiusDifference f = given ? read_delta_r(a.delta_r) : sample_delta_r(a, largest);

  std::vector<Conicity> values;
  for (const double amplitude : amplitudes) {
    values.push_back(
        contact::equivalent_conicity(f, 1e-3 * amplitude, 1e-3 * a.base, 1e-3 * a.wheelset.radius));
  }
  if (a.csv) {
    fmt::print("amplitude,tan_gamma\n");
    for (const Conicity& c : values) fmt::print("{:g},{:.6f}\n", 1e3 * c.amplitude, c.tan_gamma);
  } else {
    fmt::print("equivalent conicity (EN 15302), base {:g} mm, radius {:g} mm, {}\n\n", a.base,
               a.wheelset.radius,
               a.load.given() ? fmt::format("{} kN on each wheel", a.load.load)
               : given        ? "delta-r as given"
                              : "at zero load: rigid wheels and rails");
    fmt::print("{:>12}{:>14}{:>16}{:>12}\n", "amplitude", "tan_gamma", "wavelength", "centre");
    fmt::print("{:>12}{:>14}{:>16}{:>12}\n", "mm", "", "m", "mm");
    for (const Conicity& c : values) {
      fmt::print("{:>12g}{:>14.5f}{:>16.3f}{:>12.3f}\n", 1e3 * c.amplitude, c.tan_gamma,
                 c.wavelength, 1e3 * c.centre + 0.0);
    }
  }
  if (!a.svg.empty()) base::write_file(a.svg, picture(f, values));
  return ExitCode::fine;
}

}  // namespace

Command conicity_command() {
  const auto a = std::make_shared<ConicityArguments>();
  // the reference values of the standard are without roll
  a->wheelset.roll = "0";
  Command c{Group::wheel_and_rail, "conicity", "Equivalent conicity of a wheelset (EN 15302)"};
  c.examples = {"klingel conicity --wheel S1002 --rail 60E1:1:40",
                "klingel conicity --wheel S1002 --rail 60E1:1:40 --load 60 --svg conicity.svg"};
  add_wheelset_options(c, a->wheelset);
  add_load_options(c, a->load);
  c.option("--delta-r", a->delta_r,
           "File with r_left - r_right in mm, used instead of profiles: one value per line, 0.1 mm "
           "apart in y, with y = 0 in the middle")
      .names(Names::file);
  c.option("--base", a->base, "Distance of the contact circles")
      .unit("mm")
      .at_least(50)
      .at_most(5000);
  c.option("--amplitude", a->amplitude, "Amplitudes of the lateral motion")
      .unit("mm")
      .value("A:B:STEP");
  c.option("--csv", a->csv, "Print CSV");
  c.option("--svg", a->svg, "Draw delta-r and conicity into this file").written();
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
