// klingel modes: eigenvalues of a vehicle in motion, and the speed at which one begins to grow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "cli/command.hpp"
#include "cli/linear_vehicle.hpp"
#include "cli/mode_page.hpp"
#include "cli/range.hpp"
#include "compile/vehicle_data.hpp"
#include "report/bars.hpp"
#include "report/plot.hpp"
#include "stability/critical_speed.hpp"
#include "stability/curving.hpp"

namespace klingel::cli {
namespace {

using stability::Critical, stability::Mode, stability::Sensitivity, stability::Share;

struct ModesArguments {
  LinearArguments vehicle;
  std::string speed, svg, page;
  double radius = 0, cant = 0;  // m, mm
  double max = 200, most_Hz = 100, near = 0;
  bool critical = false, csv = false, json = false;
};

// Of vehicles with dry friction: what only friction would damp counts as growing from here on, 1/s.
constexpr double sticking_growth = 0.05;

// Small motions do not make friction slide.
void say_sticks(const stability::SteadyMotion& motion) {
  const std::size_t count = motion.friction_elements().size();
  if (count > 0)
    fmt::print(
        "dry friction sticks in small motions: {} strokes of it are springs here, '{}' and others; "
        "what only friction damps has no damping\n",
        count, motion.friction_elements().front());
}

struct Row {
  double speed;
  Mode mode;
  std::vector<Share> bodies;
};

// Settled at a speed: on straight track, or in a curve by way of wider ones.
std::unique_ptr<stability::SteadyMotion> settled(const ModesArguments& a, const LinearVehicle& v,
                                                 double speed) {
  if (a.radius == 0 && a.cant != 0) base::fail("--cant needs a curve: add --radius");
  if (a.radius == 0) {
    auto motion = std::make_unique<stability::SteadyMotion>(*v.vehicle.description, v.linear.abi());
    motion->settle(speed);
    return motion;
  }
  stability::CurveCase curve{a.radius, speed, 0, {}};
  curve.cant_deficiency = curve.cant() - 1e-3 * a.cant;
  return stability::Curving(*v.vehicle.description, v.linear.abi()).settled(curve);
}

std::vector<double> speeds_of(const ModesArguments& a, double given) {
  if (a.speed.empty()) return {given};
  const std::vector<double> list = read_range(a.speed, "--speed");
  for (const double v : list)
    if (!(v > 0))
      base::fail("--speed {}: {:g} m/s is not a speed a vehicle moves at; expected above zero",
                 a.speed, v);
  return list;
}

std::string who(const std::vector<Share>& list, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < list.size() && i < most; ++i)
    text += fmt::format("{}{} {:.0f} %", i > 0 ? ", " : "", list[i].name, 100 * list[i].share);
  return text;
}

void write(base::Json& json, double speed, const Mode& mode, const std::vector<Share>& bodies,
           const std::vector<std::string>& coordinates) {
  json.begin_object().key("speed").value(speed);
  json.key("re").value(mode.lambda.real()).key("im").value(mode.lambda.imag());
  json.key("frequency_Hz").value(mode.frequency()).key("damping").value(mode.damping());
  json.key("energy").begin_object();
  for (const Share& s : bodies) json.key(s.name).value(s.share);
  json.end_object();
  // re and im of the coordinates, the largest 1; below 1e-3 left out
  json.key("shape").begin_object();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::complex<double> x = mode.shape[static_cast<Eigen::Index>(i)];
    if (std::abs(x) < 1e-3) continue;
    json.key(coordinates[i]).begin_array(true).value(x.real()).value(x.imag()).end_array();
  }
  json.end_object().end_object();
}

void print_table(const std::vector<Row>& rows, double most_Hz) {
  double speed = 0;
  std::size_t hidden = 0;
  for (const Row& r : rows) {
    if (!r.mode.oscillates() || r.mode.frequency() > most_Hz) {
      ++hidden;
      continue;
    }
    if (r.speed != speed) {
      speed = r.speed;
      fmt::print("\nat {:g} m/s\n{:>12}{:>12}{:>12}{:>12}  {}\n", speed, "Hz", "damping", "re, 1/s",
                 "im, 1/s", "kinetic energy");
    }
    fmt::print("{:>12.4f}{:>12.4f}{:>12.4f}{:>12.4f}  {}{}\n", r.mode.frequency(), r.mode.damping(),
               r.mode.lambda.real(), r.mode.lambda.imag(), who(r.bodies, 4),
               r.mode.lambda.real() > 0 ? "  grows" : "");
  }
  fmt::print("\n{} modes above {:g} Hz or without oscillation are not shown; --json has all\n",
             hidden, most_Hz);
}

// Eigenvalues over all speeds: along the real axis growth, upwards frequency.
std::string locus(const std::vector<Row>& rows, double most_Hz) {
  report::Plot plane, growth;
  plane.title = "Root locus";
  plane.x_label = "re(lambda), 1/s; right of zero a motion grows";
  plane.y_label = "Hz";
  plane.height = 480;
  growth.title = "Growth over speed";
  growth.x_label = "speed, m/s";
  growth.y_label = "re(lambda), 1/s";
  report::Series all{"", {}, {}, report::Style::points},
      unstable{"grows", {}, {}, report::Style::points};
  report::Series over = all;
  for (const Row& r : rows) {
    // what is damped well is not what one looks for
    if (!r.mode.oscillates() || r.mode.frequency() > most_Hz || r.mode.damping() > 0.4 ||
        r.mode.lambda.real() < -30)
      continue;
    report::Series& to = r.mode.lambda.real() > 0 ? unstable : all;
    to.x.push_back(r.mode.lambda.real());
    to.y.push_back(r.mode.frequency());
    over.x.push_back(r.speed);
    over.y.push_back(r.mode.lambda.real());
  }
  plane.series = {std::move(all)};
  if (!unstable.x.empty()) plane.series.push_back(std::move(unstable));
  growth.series = {std::move(over)};
  const report::Plot plots[] = {std::move(plane), std::move(growth)};
  return report::svg(plots);
}

// The least damped mode, or the one nearest to a frequency.
const Mode& mode_for_page(const std::vector<Row>& rows, double frequency) {
  const Mode* best = nullptr;
  for (const Row& r : rows) {
    if (!r.mode.oscillates()) continue;
    const auto distance = [&](const Mode& m) {
      return frequency > 0 ? std::abs(m.frequency() - frequency) : -m.lambda.real();
    };
    if (best == nullptr || distance(r.mode) < distance(*best)) best = &r.mode;
  }
  if (best == nullptr) base::fail("--page: no mode oscillates at this speed");
  return *best;
}

ExitCode list_modes(const ModesArguments& a) {
  LinearVehicle v = linear_vehicle(a.vehicle);
  const std::shared_ptr<const simulation::Description> description = v.vehicle.description;
  std::vector<Row> rows;
  const std::vector<double> speeds = speeds_of(a, v.vehicle.scenario.speed);
  if (!a.page.empty() && (speeds.size() > 1 || a.radius != 0))
    base::fail("--page shows one mode on straight track: give one --speed and no --radius");
  const std::unique_ptr<stability::SteadyMotion> steady = settled(a, v, speeds.front());
  stability::SteadyMotion& motion = *steady;
  const std::vector<std::string>& names = motion.simulator().coordinate_names();
  for (const double speed : speeds) {
    motion.settle(speed);
    const stability::SmallMotions small = motion.small_motions();
    for (Mode& mode : stability::modes(small)) {
      std::vector<Share> bodies = stability::shares(mode, small.M, names, true);
      rows.push_back({speed, std::move(mode), std::move(bodies)});
    }
  }
  if (a.json) {
    base::Json json;
    json.begin_object().key("vehicle").value(v.vehicle.vehicle.name);
    json.key("modes").begin_array();
    for (const Row& r : rows) write(json, r.speed, r.mode, r.bodies, names);
    json.end_array().end_object();
    fmt::print("{}", json.text());
  } else if (a.csv) {
    fmt::print("speed,re,im,frequency_Hz,damping\n");
    for (const Row& r : rows)
      fmt::print("{:g},{:.9g},{:.9g},{:.9g},{:.9g}\n", r.speed, r.mode.lambda.real(),
                 r.mode.lambda.imag(), r.mode.frequency(), r.mode.damping());
  } else {
    fmt::print("{}: small motions, creep law {}, tread {}\n", v.vehicle.vehicle.name,
               v.vehicle.scenario.law, v.vehicle.scenario.tread);
    say_sticks(motion);
    print_table(rows, a.most_Hz);
  }
  if (!a.svg.empty()) base::write_file(a.svg, locus(rows, a.most_Hz));
  if (!a.page.empty())
    write_mode_page(std::move(v.vehicle), mode_for_page(rows, a.near), motion.q(), speeds.front(),
                    a.page);
  return ExitCode::fine;
}

// Parameters that shape wheels: kernels do not hold all of what they change.
std::vector<std::string> of_wheels(const LinearVehicle& v, const stability::SteadyMotion& motion) {
  const auto shape = [](const vehicle::Vehicle& of) {
    const vehicle::NominalValues nominal(of.parameters);
    std::vector<double> values;
    for (const vehicle::Wheelset& w : of.wheelsets) {
      values.push_back(w.radius);
      values.push_back(nominal(w.distance));
    }
    return values;
  };
  const std::vector<double> given = shape(v.vehicle.vehicle);
  const std::vector<std::string>& names = motion.parameter_names();
  std::vector<std::string> list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<vehicle::Setting> settings = v.vehicle.scenario.parameters;
    settings.push_back({names[i], fmt::format("{:.17g}", 1.001 * motion.parameter(i))});
    const std::string file = v.vehicle.scenario.vehicle.string();
    if (shape(vehicle::load_vehicle(file, settings)) != given) list.push_back(names[i]);
  }
  return list;
}

void write_critical(const LinearVehicle& v, const Critical& c, const std::vector<Share>& bodies,
                    const std::vector<Sensitivity>& list, const std::vector<std::string>& names) {
  base::Json json;
  json.begin_object().key("vehicle").value(v.vehicle.vehicle.name);
  json.key("critical_speed");
  if (c.speed)
    json.value(*c.speed);
  else
    json.null();
  json.key("unstable_from_the_first").value(c.from_the_first);
  json.key("frequency_Hz").value(c.mode.frequency());
  json.key("growth_per_speed").value(c.slope);
  json.key("mode");
  write(json, c.speed.value_or(c.from_the_first ? c.lowest : c.largest), c.mode, bodies, names);
  json.key("sensitivities").begin_array();
  for (const Sensitivity& s : list) {
    json.begin_object().key("parameter").value(s.parameter).key("value").value(s.value);
    json.key("derivative").value(s.derivative).key("relative").value(s.relative).end_object();
  }
  json.end_array().end_object();
  fmt::print("{}", json.text());
}

void print_critical(const LinearVehicle& v, const Critical& c, const std::vector<Share>& bodies,
                    const std::vector<Sensitivity>& list) {
  fmt::print("{}: creep law {}, tread {}\n", v.vehicle.vehicle.name, v.vehicle.scenario.law,
             v.vehicle.scenario.tread);
  if (!c.speed) {
    if (c.from_the_first)
      fmt::print("grows at {:g} m/s already: {:.3f} Hz, re {:.4f} 1/s\n", c.lowest,
                 c.mode.frequency(), c.mode.lambda.real());
    else
      fmt::print("all modes are damped up to {:g} m/s; the least: {:.3f} Hz, re {:.4f} 1/s\n",
                 c.largest, c.mode.frequency(), c.mode.lambda.real());
    return;
  }
  fmt::print("linear critical speed {:.4f} m/s ({:.2f} km/h), {:.4f} Hz\nkinetic energy: {}\n",
             *c.speed, 3.6 * *c.speed, c.mode.frequency(), who(bodies, 6));
  fmt::print("\nwhat one per cent of a parameter changes\n{:<32}{:>14}{:>12}{:>16}\n", "parameter",
             "value", "%", "dV/dp");
  for (const Sensitivity& s : list)
    if (std::abs(s.relative) > 5e-5)
      fmt::print("{:<32}{:>14.6g}{:>12.4f}{:>16.6g}\n", s.parameter, s.value, s.relative,
                 s.derivative);
}

// Without parameters that shape wheels: one per cent of their distance is more than a clearance.
std::string bar_chart(const Critical& c, const std::vector<Sensitivity>& list,
                      const std::vector<std::string>& wheels) {
  report::Bars bars;
  bars.title = fmt::format("What one per cent of a parameter changes of {:.2f} m/s", *c.speed);
  bars.label = "% of the critical speed";
  for (const Sensitivity& s : list)
    if (bars.bars.size() < 20 && std::abs(s.relative) > 5e-4 &&
        std::find(wheels.begin(), wheels.end(), s.parameter) == wheels.end())
      bars.bars.push_back({s.parameter, s.relative});
  return report::svg(bars);
}

ExitCode find_critical(const ModesArguments& a) {
  if (!a.speed.empty()) base::fail("--critical looks for the speed itself: leave out --speed");
  if (!a.page.empty()) base::fail("--page shows a mode at a --speed: leave out --critical");
  if (a.csv) base::fail("--critical prints a table or --json, not --csv");
  const LinearVehicle v = linear_vehicle(a.vehicle);
  stability::Search search{.largest = a.max};
  const std::unique_ptr<stability::SteadyMotion> steady = settled(a, v, search.lowest);
  stability::SteadyMotion& motion = *steady;
  motion.small_motions();
  if (!motion.friction_elements().empty()) search.growth = sticking_growth;
  const Critical c = stability::critical_speed(motion, search);
  const std::vector<Share> bodies =
      stability::shares(c.mode, c.M, motion.simulator().coordinate_names(), true);
  std::vector<Sensitivity> list;
  stability::Remaking remaking;
  if (c.speed) {
    remaking.of_wheels = of_wheels(v, motion);
    remaking.sheets = compile::sheet_choice(v.vehicle.scenario);
    remaking.make = [&v](const std::string& parameter, double value) {
      vehicle::Scenario scenario = v.vehicle.scenario;
      scenario.parameters.push_back({parameter, fmt::format("{:.17g}", value)});
      return compile::compile(std::move(scenario)).description;
    };
    list = stability::sensitivities(motion, c, remaking);
  }
  if (a.json)
    write_critical(v, c, bodies, list, motion.simulator().coordinate_names());
  else {
    say_sticks(motion);
    print_critical(v, c, bodies, list);
  }
  if (!a.svg.empty()) {
    if (!c.speed) base::fail("--svg draws what changes the critical speed, and there is none");
    base::write_file(a.svg, bar_chart(c, list, remaking.of_wheels));
  }
  return ExitCode::fine;
}

}  // namespace

Command modes_command() {
  const auto a = std::make_shared<ModesArguments>();
  Command c{Group::simulate, "modes", "Eigenvalues of a vehicle in motion, and its critical speed"};
  c.about =
      "Small motions about steady running, in continuous time: frequency, damping and shape of "
      "each "
      "mode. Straight track, or a curve with --radius. With --critical the lowest speed at which "
      "an "
      "oscillation begins to grow, and how each parameter of the vehicle moves it.";
  c.examples = {"klingel modes wheelset_suspended --speed 80 --law linear",
                "klingel modes manchester1 --speed 10:80:5 --svg locus.svg",
                "klingel modes manchester1 --critical --svg sensitivities.svg"};
  add_linear_options(c, a->vehicle);
  c.option("--speed", a->speed, "Speed, or a range of speeds")
      .unit("m/s")
      .value("A:B:STEP")
      .default_text("that of the scenario");
  c.option("--friction", a->vehicle.friction, "Friction coefficient of all wheels");
  c.option("--radius", a->radius, "Radius of a curve, to the left positive")
      .unit("m")
      .default_text("straight");
  c.option("--cant", a->cant, "Cant of the curve, outer rail high").unit("mm");
  c.option("--critical", a->critical, "Find the linear critical speed and what it depends on");
  c.option("--max", a->max, "Largest speed of --critical")
      .unit("m/s")
      .above(0)
      .at_most(300)
      .needs("--critical");
  c.option("--below", a->most_Hz, "Largest frequency of the table and of the picture")
      .unit("Hz")
      .above(0)
      .at_most(1e6);
  c.option("--csv", a->csv, "Print CSV");
  c.option("--json", a->json, "Print JSON").excludes("--csv");
  c.option("--svg", a->svg, "Draw the root locus, or with --critical a bar chart, into this file")
      .written();
  c.option("--page", a->page, "Write the least damped mode as an animated page into this file")
      .written();
  c.option("--near", a->near, "With --page: the mode nearest to this frequency instead")
      .unit("Hz")
      .at_least(0)
      .needs("--page");
  c.run = [a] { return a->critical ? find_critical(*a) : list_modes(*a); };
  return c;
}

}  // namespace klingel::cli
