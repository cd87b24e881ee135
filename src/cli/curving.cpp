// klingel curving: steady curves over lists of radii, cant deficiencies, speeds and friction.
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
#include "stability/curving.hpp"

namespace klingel::cli {
namespace {

using stability::CurveCase, stability::CurveResult;

struct CurvingArguments {
  LinearArguments vehicle;
  std::string radius, deficiency = "0", speed, friction, svg;
  bool csv = false, json = false;
};

struct WheelNames {
  std::vector<std::string> wheelsets, wheels, elements;
};

// One quantity of every wheelset or wheel.
struct Quantity {
  const char* name;  // of columns: name.W
  const char* title;
  const char* unit;  // of the picture
  double scale;      // from SI to it
  bool of_wheelset;
  double (*value)(const CurveResult&, std::size_t);
};

constexpr Quantity quantities[] = {
    {"attack", "Angle of attack", "mrad", 1e3, true,
     [](const CurveResult& r, std::size_t i) { return r.wheelsets[i].attack; }},
    {"y_rel", "Place across the track", "mm", 1e3, true,
     [](const CurveResult& r, std::size_t i) { return r.wheelsets[i].y; }},
    {"sumY", "Sum of Y", "kN", 1e-3, true,
     [](const CurveResult& r, std::size_t i) { return r.wheelsets[i].sum_Y; }},
    {"Y", "Y", "kN", 1e-3, false,
     [](const CurveResult& r, std::size_t i) { return r.wheels[i].Y; }},
    {"Q", "Q", "kN", 1e-3, false,
     [](const CurveResult& r, std::size_t i) { return r.wheels[i].Q; }},
    {"YQ", "Y/Q", "1", 1, false,
     [](const CurveResult& r, std::size_t i) { return r.wheels[i].YQ; }},
    {"Tgamma", "T-gamma", "N", 1, false,
     [](const CurveResult& r, std::size_t i) { return r.wheels[i].T_gamma; }},
};

const std::vector<std::string>& names_of(const Quantity& q, const WheelNames& names) {
  return q.of_wheelset ? names.wheelsets : names.wheels;
}

std::vector<CurveCase> cases_of(const CurvingArguments& a, double speed) {
  const std::vector<double> radii = read_list(a.radius, "--radius");
  const std::vector<double> deficiencies = read_list(a.deficiency, "--cant-deficiency");
  const std::vector<double> speeds =
      a.speed.empty() ? std::vector{speed} : read_list(a.speed, "--speed");
  std::vector<std::optional<double>> friction{std::nullopt};
  if (!a.friction.empty()) {
    friction.clear();
    for (const double mu : read_list(a.friction, "--friction")) {
      if (!(mu > 0 && mu <= 2)) base::fail("--friction {}: expected more than 0, and up to 2", mu);
      friction.emplace_back(mu);
    }
  }
  for (const double v : speeds)
    if (!(v > 0)) base::fail("--speed {:g}: a steady curve needs a speed above zero", v);
  for (const double R : radii)
    if (!(std::abs(R) >= 20))
      base::fail("--radius {:g}: expected metres, at least 20; left curves are positive", R);
  std::vector<CurveCase> list;
  for (const std::optional<double>& mu : friction)
    for (const double v : speeds)
      for (const double d : deficiencies)
        for (const double R : radii) list.push_back({R, v, 1e-3 * d, mu});
  constexpr std::size_t most = 100000;
  if (list.size() > most) base::fail("{} curves are more than {}", list.size(), most);
  return list;
}

void print_csv(const std::vector<CurveResult>& results, const WheelNames& names) {
  fmt::print("radius,speed,cant_deficiency,cant,friction,found");
  for (const Quantity& q : quantities)
    for (const std::string& name : names_of(q, names)) fmt::print(",{}.{}", q.name, name);
  for (const std::string& name : names.elements) fmt::print(",{}", name);
  fmt::print("\n");
  for (const CurveResult& r : results) {
    fmt::print("{:.9g},{:.9g},{:.9g},{:.9g},{},{}", r.of.radius, r.of.speed,
               1e3 * r.of.cant_deficiency, 1e3 * r.of.cant(),
               r.of.friction ? fmt::format("{:g}", *r.of.friction) : "", r.failure.empty() ? 1 : 0);
    for (const Quantity& q : quantities)
      for (std::size_t i = 0; i < names_of(q, names).size(); ++i)
        fmt::print(",{}", r.failure.empty() ? fmt::format("{:.9g}", q.value(r, i)) : "nan");
    for (std::size_t i = 0; i < names.elements.size(); ++i)
      fmt::print(",{}", r.failure.empty() ? fmt::format("{:.9g}", r.elements[i]) : "nan");
    fmt::print("\n");
  }
}

void print_json(const std::vector<CurveResult>& results, const WheelNames& names,
                const std::string& vehicle) {
  base::Json json;
  json.begin_object().key("vehicle").value(vehicle).key("curves").begin_array();
  for (const CurveResult& r : results) {
    json.begin_object().key("radius").value(r.of.radius).key("speed").value(r.of.speed);
    json.key("cant_deficiency_mm").value(1e3 * r.of.cant_deficiency);
    json.key("cant_mm").value(1e3 * r.of.cant());
    if (r.of.friction) json.key("friction").value(*r.of.friction);
    json.key("found").value(r.failure.empty());
    if (!r.failure.empty()) {
      json.key("failure").value(r.failure).end_object();
      continue;
    }
    json.key("forward_N").value(r.forward).key("iterations").value(r.iterations);
    for (const Quantity& q : quantities) {
      json.key(q.name).begin_object();
      for (std::size_t i = 0; i < names_of(q, names).size(); ++i)
        json.key(names_of(q, names)[i]).value(q.value(r, i));
      json.end_object();
    }
    json.key("elements").begin_object();
    for (std::size_t i = 0; i < names.elements.size(); ++i)
      json.key(names.elements[i]).value(r.elements[i]);
    json.end_object();
    json.end_object();
  }
  json.end_array().end_object();
  fmt::print("{}", json.text());
}

// The value of largest size, and whose it is.
std::string extreme(const Quantity& q, const CurveResult& r, const WheelNames& names, bool least) {
  std::size_t best = 0;
  const auto size = [&](std::size_t i) {
    const double v = q.value(r, i);
    return least ? -v : std::string_view(q.name) == "YQ" ? v : std::abs(v);
  };
  for (std::size_t i = 1; i < names_of(q, names).size(); ++i)
    if (size(i) > size(best)) best = i;
  return fmt::format("{:.4g} {}", q.scale * q.value(r, best), names_of(q, names)[best]);
}

void print_table(const std::vector<CurveResult>& results, const WheelNames& names) {
  fmt::print("{:>8}{:>8}{:>8}{:>8}{:>6}  {:<22} {:<22} {:<26} {:<26} {:<26} {:<26} {:>8}\n",
             "radius", "speed", "def.", "cant", "mu", "attack, mrad", "sum Y, kN", "Y, kN",
             "least Q, kN", "Y/Q", "T-gamma, N", "sum, N");
  for (const CurveResult& r : results) {
    fmt::print("{:>8g}{:>8g}{:>8g}{:>8.0f}{:>6}  ", r.of.radius, r.of.speed,
               1e3 * r.of.cant_deficiency, 1e3 * r.of.cant(),
               r.of.friction ? fmt::format("{:g}", *r.of.friction) : "");
    if (!r.failure.empty()) {
      fmt::print("{}\n", r.failure);
      continue;
    }
    double wear = 0;
    for (const CurveResult::Wheel& w : r.wheels) wear += w.T_gamma;
    fmt::print("{:<22} {:<22} {:<26} {:<26} {:<26} {:<26} {:>8.0f}\n",
               extreme(quantities[0], r, names, false), extreme(quantities[2], r, names, false),
               extreme(quantities[3], r, names, false), extreme(quantities[4], r, names, true),
               extreme(quantities[5], r, names, false), extreme(quantities[6], r, names, false),
               wear);
  }
  fmt::print(
      "\nlargest of all wheelsets or wheels, and whose; --csv and --json have all of them\n");
}

// Over what was varied first: radius, deficiency, speed, friction; of the others the first value.
std::string picture(const std::vector<CurveResult>& results, const WheelNames& names) {
  struct Over {
    const char* label;
    double (*value)(const CurveCase&);
  };
  static constexpr Over all[] = {
      {"radius, m", [](const CurveCase& c) { return c.radius; }},
      {"cant deficiency, mm", [](const CurveCase& c) { return 1e3 * c.cant_deficiency; }},
      {"speed, m/s", [](const CurveCase& c) { return c.speed; }},
      {"friction", [](const CurveCase& c) { return c.friction.value_or(0); }}};
  const CurveCase first = results.front().of;
  const Over* over = &all[0];
  for (const Over& o : all) {
    over = &o;
    if (std::any_of(results.begin(), results.end(),
                    [&](const CurveResult& r) { return o.value(r.of) != o.value(first); }))
      break;
  }
  std::vector<report::Plot> plots;
  for (const Quantity& q : quantities) {
    report::Plot plot;
    plot.title = q.title;
    plot.x_label = over->label;
    plot.y_label = q.unit;
    for (std::size_t i = 0; i < names_of(q, names).size(); ++i) {
      report::Series s{names_of(q, names)[i], {}, {}, report::Style::line};
      for (const CurveResult& r : results) {
        bool others = r.failure.empty();
        for (const Over& o : all)
          others = others && (&o == over || o.value(r.of) == o.value(first));
        if (!others) continue;
        s.x.push_back(over->value(r.of));
        s.y.push_back(q.scale * q.value(r, i));
      }
      plot.series.push_back(std::move(s));
    }
    plots.push_back(std::move(plot));
  }
  return report::svg(plots);
}

ExitCode run(const CurvingArguments& a) {
  const LinearVehicle v = linear_vehicle(a.vehicle);
  WheelNames names;
  names.wheelsets = v.vehicle.description->data.wheelsets;
  for (const step::WheelData& w : v.vehicle.description->data.wheels)
    names.wheels.push_back(w.name);
  stability::Curving curving(*v.vehicle.description, v.linear.abi());
  names.elements = curving.element_names();
  std::vector<CurveResult> results;
  for (const CurveCase& one : cases_of(a, v.vehicle.scenario.speed))
    results.push_back(curving.solve(one));
  if (std::all_of(results.begin(), results.end(),
                  [](const CurveResult& r) { return !r.failure.empty(); }))
    base::fail("no steady curve was found: {}", results.front().failure);
  if (a.json)
    print_json(results, names, v.vehicle.vehicle.name);
  else if (a.csv)
    print_csv(results, names);
  else
    print_table(results, names);
  if (!a.json && !a.csv && results.back().failure.empty() &&
      !curving.motion().friction_elements().empty())
    fmt::print(
        "dry friction has the force of a vehicle that came from straight track without turning "
        "back: a run through a transition may leave it in another state\n");
  if (!a.svg.empty()) base::write_file(a.svg, picture(results, names));
  return ExitCode::fine;
}

}  // namespace

Command curving_command() {
  const auto a = std::make_shared<CurvingArguments>();
  Command c{Group::simulate, "curving", "Steady curves: angle of attack, Y, Q, Y/Q, T-gamma"};
  c.about =
      "Solves for the steady motion in curves of constant radius and cant, all combinations of the "
      "lists. The cant follows from radius, speed and cant deficiency, on a base of 1500 mm. A "
      "list "
      "is numbers and ranges A:B:STEP with commas between them.";
  c.examples = {
      "klingel curving manchester1 --radius 300,500,1000 --speed 20 --cant-deficiency 100",
      "klingel curving manchester1 --radius 300:3000:100 --speed 20 --svg curves.svg"};
  add_linear_options(c, a->vehicle);
  c.option("--radius", a->radius, "Radii, to the left positive").unit("m").value("LIST").required();
  c.option("--cant-deficiency", a->deficiency, "Cant deficiencies").unit("mm").value("LIST");
  c.option("--speed", a->speed, "Speeds")
      .unit("m/s")
      .value("LIST")
      .default_text("that of the scenario");
  c.option("--friction", a->friction, "Friction coefficients of all wheels")
      .value("LIST")
      .default_text("that of the scenario");
  c.option("--csv", a->csv, "Print CSV, all wheels, in SI units and mm of cant");
  c.option("--json", a->json, "Print JSON").excludes("--csv");
  c.option("--svg", a->svg, "Draw every quantity into this file").written();
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
