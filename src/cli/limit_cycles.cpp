// klingel limit-cycles: amplitude of hunting over speed, upwards and downwards.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "cli/command.hpp"
#include "cli/linear_vehicle.hpp"
#include "cli/range.hpp"
#include "report/plot.hpp"
#include "stability/critical_speed.hpp"
#include "stability/limit_cycles.hpp"

namespace klingel::cli {
namespace {

using stability::Cycle, stability::CycleBranches;

struct LimitCyclesArguments {
  LinearArguments vehicle;
  std::string speed, svg;
  stability::CycleOptions cycle;
  double small = 0.3, large = 5;  // mm
  bool csv = false, json = false;
};

// "A:B" is twenty steps.
std::vector<double> speeds_of(const LimitCyclesArguments& a) {
  std::string text = a.speed;
  if (std::count(text.begin(), text.end(), ':') == 1) {
    const std::size_t colon = text.find(':');
    const double A = read_range(text.substr(0, colon), "--speed").front();
    const double B = read_range(text.substr(colon + 1), "--speed").front();
    text += fmt::format(":{:.17g}", (B - A) / 20);
  }
  const std::vector<double> speeds = read_range(text, "--speed");
  if (speeds.size() < 2 || !(speeds.front() > 0) || !(speeds.back() > speeds.front()))
    base::fail("--speed {}: expected A:B or A:B:STEP in m/s, rising, above zero", a.speed);
  return speeds;
}

// "subcritical", "supercritical", or why that is not known.
std::string kind_of(const CycleBranches& b, const std::optional<double>& linear) {
  if (b.to_the_end) return "hunts down to the lowest speed: begin lower";
  if (b.lowest == 0) return "no limit cycle in this range";
  if (!linear) return "without a linear critical speed to compare with";
  // the ends of both searches are known to some tenths of a per cent
  return b.lowest < 0.99 * *linear ? "subcritical" : "supercritical";
}

std::string picture(const CycleBranches& b, const std::optional<double>& linear) {
  report::Plot plot;
  plot.title = "Hunting on straight track";
  plot.x_label = "speed, m/s";
  plot.y_label = "amplitude, mm";
  report::Series up{"upwards, small disturbance", {}, {}, report::Style::line};
  report::Series down{"downwards, large disturbance", {}, {}, report::Style::dashed};
  std::vector<Cycle> falling = b.down;
  std::sort(falling.begin(), falling.end(),
            [](const Cycle& x, const Cycle& y) { return x.speed > y.speed; });
  for (const auto& [list, to] : {std::pair(&b.up, &up), {&std::as_const(falling), &down}})
    for (const Cycle& c : *list) {
      to->x.push_back(c.speed);
      to->y.push_back(c.failure.empty() ? 1e3 * c.amplitude : NAN);
    }
  plot.series = {std::move(up), std::move(down)};
  report::Series unstable{"unstable, between both", {}, {}, report::Style::points};
  for (const Cycle& c : b.unstable)
    unstable.x.push_back(c.speed), unstable.y.push_back(1e3 * c.amplitude);
  if (!b.unstable.empty()) plot.series.push_back(std::move(unstable));
  if (linear)
    plot.series.push_back({"linear critical speed", {*linear}, {0}, report::Style::points});
  return report::svg(plot);
}

void write(base::Json& json, const char* key, const std::vector<Cycle>& list) {
  json.key(key).begin_array();
  for (const Cycle& c : list) {
    json.begin_object().key("speed").value(c.speed).key("amplitude_mm").value(1e3 * c.amplitude);
    json.key("frequency_Hz").value(c.frequency).key("settled").value(c.settled);
    if (c.aside > 0) json.key("disturbance_mm").value(1e3 * c.aside);
    if (!c.failure.empty()) json.key("failure").value(c.failure);
    json.end_object();
  }
  json.end_array();
}

void print(const char* title, const std::vector<Cycle>& list) {
  fmt::print("\n{}\n{:>12}{:>16}{:>10}\n", title, "m/s", "amplitude, mm", "Hz");
  for (const Cycle& c : list) {
    if (!c.failure.empty()) {
      fmt::print("{:>12.3f}  {}\n", c.speed, c.failure);
      continue;
    }
    fmt::print("{:>12.3f}{:>16.3f}{:>10.3f}{}\n", c.speed, 1e3 * c.amplitude, c.frequency,
               c.settled ? ""
               : c.fades ? "  still fades"
                         : "  still grows");
  }
}

ExitCode run(const LimitCyclesArguments& a) {
  const std::vector<double> speeds = speeds_of(a);
  const LinearVehicle v = linear_vehicle(a.vehicle);
  stability::SteadyMotion motion(*v.vehicle.description, v.linear.abi());
  std::optional<double> linear;
  std::string none = "none below 300 m/s";
  try {
    stability::Search search{.largest = 300, .steps = 100};
    motion.settle(search.lowest);
    motion.small_motions();
    if (!motion.friction_elements().empty()) search.growth = 0.05;  // as `klingel modes`
    linear = stability::critical_speed(motion, search).speed;
  } catch (const base::Error& e) {
    none = e.what();  // runs tell more
  }
  std::vector<double> parameters;
  for (std::size_t i = 0; i < motion.parameter_names().size(); ++i)
    parameters.push_back(motion.parameter(i));
  stability::CycleOptions options = a.cycle;
  options.small = 1e-3 * a.small, options.large = 1e-3 * a.large;
  const CycleBranches b =
      stability::limit_cycles(*v.vehicle.description, parameters, speeds, options);
  const std::string kind = kind_of(b, linear);
  if (a.json) {
    base::Json json;
    json.begin_object().key("vehicle").value(v.vehicle.vehicle.name);
    json.key("linear_critical_speed");
    linear ? json.value(*linear) : json.null();
    json.key("nonlinear_critical_speed");
    b.lowest > 0 ? json.value(b.lowest) : json.null();
    json.key("kind").value(kind);
    write(json, "up", b.up);
    write(json, "down", b.down);
    write(json, "unstable", b.unstable);
    json.end_object();
    fmt::print("{}", json.text());
  } else if (a.csv) {
    fmt::print("branch,speed,amplitude_mm,frequency_Hz,settled\n");
    for (const auto& [name, list] :
         {std::pair("up", &b.up), {"down", &b.down}, {"unstable", &b.unstable}})
      for (const Cycle& c : *list)
        fmt::print("{},{:.9g},{:.9g},{:.9g},{}\n", name, c.speed,
                   c.failure.empty() ? 1e3 * c.amplitude : NAN, c.frequency, c.settled ? 1 : 0);
  } else {
    fmt::print("{}: creep law {}, tread {}\n", v.vehicle.vehicle.name, v.vehicle.scenario.law,
               v.vehicle.scenario.tread);
    fmt::print("linear critical speed    {}\n", linear ? fmt::format("{:.3f} m/s", *linear) : none);
    fmt::print("nonlinear critical speed {}\n",
               b.lowest > 0 ? fmt::format("{:.3f} m/s", b.lowest) : "not found");
    fmt::print("{}\n", kind);
    print("upwards from a small disturbance", b.up);
    print("downwards from a large one", b.down);
    if (!b.unstable.empty()) {
      fmt::print("\nunstable cycles between both\n{:>12}{:>16}{:>10}{:>26}\n", "m/s",
                 "amplitude, mm", "Hz", "from a disturbance, mm");
      for (const Cycle& c : b.unstable)
        fmt::print("{:>12.3f}{:>16.3f}{:>10.3f}{:>26.3f}\n", c.speed, 1e3 * c.amplitude,
                   c.frequency, 1e3 * c.aside);
    }
  }
  if (!a.svg.empty()) base::write_file(a.svg, picture(b, linear));
  return ExitCode::fine;
}

}  // namespace

Command limit_cycles_command() {
  const auto a = std::make_shared<LimitCyclesArguments>();
  Command c{Group::simulate, "limit-cycles", "Amplitude of hunting over speed, by runs"};
  c.about =
      "Runs on straight track at every speed until the amplitude of the wheelsets stays or fades: "
      "upwards from a small disturbance, downwards from a large one, each with the motion of the "
      "speed before if that goes on. The lowest speed at which hunting goes on is the nonlinear "
      "critical speed; below the linear one the bifurcation is subcritical. Where both ways end in "
      "different motions, the unstable cycle between them is found by halving the disturbance.";
  c.examples = {"klingel limit-cycles manchester1 --speed 40:90 --svg bifurcation.svg"};
  add_linear_options(c, a->vehicle);
  c.option("--speed", a->speed, "Range of speeds; A:B is twenty steps")
      .unit("m/s")
      .value("A:B:STEP")
      .required();
  c.option("--friction", a->vehicle.friction, "Friction coefficient of all wheels");
  c.option("--small", a->small, "Small disturbance, aside").unit("mm").above(0).at_most(50);
  c.option("--large", a->large, "Large disturbance, aside").unit("mm").above(0).at_most(50);
  c.option("--longest", a->cycle.longest, "Longest run at one speed")
      .unit("s")
      .above(0)
      .at_most(1e4);
  c.option("--step", a->cycle.step, "Time step").unit("s").at_least(1e-6);
  c.option("--csv", a->csv, "Print CSV");
  c.option("--json", a->json, "Print JSON").excludes("--csv");
  c.option("--svg", a->svg, "Draw the bifurcation diagram into this file").written();
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
