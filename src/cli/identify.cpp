// klingel identify: inertial parameters of a mechanism from measured motion and forces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "examples/mechanisms.hpp"
#include "record/csv.hpp"
#include "reduce/identify.hpp"

namespace klingel::cli {
namespace {

struct IdentifyArguments {
  std::string model, file, make;
  double noise = 0, duration = 10, amplitude = 0.8;
  int window = 10;
  unsigned seed = 1;
  bool json = false;
};

std::vector<std::string> names_of(const mech::Model& model) {
  std::vector<std::string> names;
  for (const sym::Coordinate& c : model.coordinates()) {
    const sym::Expr q = c.q;
    names.push_back(q.graph().symbol_of(q).name);
  }
  return names;
}

void make_recording(mech::Model& model, const IdentifyArguments& a) {
  const reduce::Experiment experiment{a.duration, 0.01, a.amplitude, a.noise, a.seed};
  const reduce::Measured m = reduce::simulated_experiment(model, experiment);
  const std::vector<std::string> q = names_of(model);
  std::vector<record::Channel> channels = {{"t", "s", "time"}};
  for (const char* prefix : {"", "d", "dd"})
    for (const std::string& name : q) channels.push_back({prefix + name, "", "motion"});
  for (const std::string& name : q) channels.push_back({"force." + name, "", "on the coordinate"});
  record::Recording recording(channels, m.states.size());
  for (std::size_t k = 0; k < m.states.size(); ++k) {
    std::vector<double> row = {static_cast<double>(k) * experiment.interval};
    row.insert(row.end(), m.states[k].begin(), m.states[k].end());
    row.insert(row.end(), m.forces[k].begin(), m.forces[k].end());
    recording.add(row);
  }
  record::write_csv(recording, a.make);
  fmt::print("wrote {}: {} samples of {} s, noise {:g} of each force\n", a.make, m.states.size(),
             experiment.interval, a.noise);
}

bool has(const record::Recording& r, const std::string& name) {
  return std::any_of(r.channels().begin(), r.channels().end(),
                     [&](const record::Channel& c) { return c.name == name; });
}

// Rates and accelerations as recorded, or from the coordinates where they are not.
reduce::Measured read_recording(const mech::Model& model, const IdentifyArguments& a) {
  const record::Recording r = record::read_csv(a.file);
  const std::vector<std::string> q = names_of(model);
  std::vector<std::string> known;
  for (const record::Channel& c : r.channels()) known.push_back(c.name);
  std::vector<std::string> needed = {"t"};
  for (const std::string& name : q) needed.insert(needed.end(), {name, "force." + name});
  for (const std::string& name : needed) {
    if (!has(r, name))
      base::fail(
          "{}: there is no column '{}'{}\n    needed: t, the coordinates {}, and force.NAME "
          "for each of them; dNAME and ddNAME if they were measured",
          a.file, name, base::did_you_mean(name, known), fmt::join(q, ", "));
  }
  const std::span<const double> t = r.column("t");
  if (r.rows() < 2) base::fail("{}: it has {} samples", a.file, r.rows());
  const double interval = (t.back() - t.front()) / static_cast<double>(r.rows() - 1);
  for (std::size_t k = 1; k < r.rows(); ++k)
    if (!(std::abs(t[k] - t[k - 1] - interval) < 0.01 * interval))
      base::fail("{}: samples must be equally far apart, and those at {:g} s and {:g} s are not",
                 a.file, t[k - 1], t[k]);
  const auto half = static_cast<std::size_t>(a.window);
  bool measured = true;
  for (const std::string& name : q)
    measured = measured && has(r, "d" + name) && has(r, "dd" + name);
  const std::size_t first = measured ? 0 : half, last = r.rows() - first;
  if (!measured && r.rows() < 2 * half + 1)
    base::fail("{}: {} samples are too few for rates from {} neighbours", a.file, r.rows(),
               2 * half + 1);
  reduce::Measured m;
  m.states.assign(last - first, std::vector<double>(3 * q.size()));
  m.forces.assign(last - first, std::vector<double>(q.size()));
  for (std::size_t i = 0; i < q.size(); ++i) {
    std::vector<double> x, dx, ddx;
    const auto copy = [&](const std::string& name) {
      const std::span<const double> column = r.column(name);
      return std::vector<double>(column.begin(), column.end());
    };
    if (measured) {
      x = copy(q[i]), dx = copy("d" + q[i]), ddx = copy("dd" + q[i]);
    } else {
      const reduce::Derivatives d = reduce::differentiated(copy(q[i]), interval, half);
      x = d.q, dx = d.dq, ddx = d.ddq;
    }
    const std::span<const double> force = r.column("force." + q[i]);
    for (std::size_t k = 0; k < m.states.size(); ++k) {
      m.states[k][i] = x[k];
      m.states[k][q.size() + i] = dx[k];
      m.states[k][2 * q.size() + i] = ddx[k];
      m.forces[k][i] = force[first + k];
    }
  }
  return m;
}

void print(const mech::Model& model, const reduce::Identified& r) {
  fmt::print("{}: {} base parameters from {} samples, condition number {:.3g}\n\n", model.name(),
             r.parameters.size(), r.samples, r.condition);
  fmt::print("{:>12}{:>12}{:>12}  {}\n", "value", "+- 2 sigma", "nominal", "base parameter");
  for (const reduce::IdentifiedParameter& p : r.parameters)
    fmt::print("{:>12.5g}{:>12.2g}{:>12.5g}  {}\n", p.value, 2 * p.sigma, p.nominal, p.formula);
  fmt::print("\nforces that the parameters do not explain, rms:\n");
  const std::vector<std::string> q = names_of(model);
  for (std::size_t i = 0; i < q.size(); ++i)
    fmt::print("  {:<20}{:>12.3g} of {:.3g}\n", q[i], r.scatter[i], r.force_size[i]);
}

void print_json(const mech::Model& model, const reduce::Identified& r) {
  base::Json json;
  json.begin_object().key("mechanism").value(model.name());
  json.key("samples").value(static_cast<std::int64_t>(r.samples));
  json.key("condition").value(r.condition).key("parameters").begin_array();
  for (const reduce::IdentifiedParameter& p : r.parameters) {
    json.begin_object().key("formula").value(p.formula).key("value").value(p.value);
    json.key("sigma").value(p.sigma).key("nominal").value(p.nominal).end_object();
  }
  json.end_array().end_object();
  fmt::print("{}", json.text());
}

}  // namespace

Command identify_command() {
  const auto a = std::make_shared<IdentifyArguments>();
  Command c{Group::models, "identify", "Find a mechanism's inertial parameters from measurements"};
  c.about =
      "Least squares of base parameters: the combinations of masses, first moments and moments of "
      "inertia that the motion of a mechanism shows. The file is a CSV with the columns t, every "
      "coordinate, force.COORDINATE (force or torque on it), and, if they were measured, rates "
      "dCOORDINATE and accelerations ddCOORDINATE; without these they follow from the "
      "coordinates.\n\n"
      "With --make, such a file is made from the mechanism itself, with noise.";
  c.examples = {"klingel identify arm --make motion.csv --noise 0.01",
                "klingel identify arm motion.csv"};
  c.option("model", a->model, "A mechanism that 'klingel example' lists")
      .names(Names::example)
      .required();
  c.option("file", a->file, "Recording: CSV").names(Names::file);
  c.option("--make", a->make, "Write a recording of a motion that excites all parameters")
      .names(Names::file);
  c.option("--noise", a->noise, "Of --make: noise of each force, as a part of its rms")
      .at_least(0)
      .at_most(100);
  c.option("--duration", a->duration, "Of --make: length").unit("s");
  c.option("--amplitude", a->amplitude, "Of --make: largest turn or stroke")
      .unit("rad or m")
      .above(0)
      .at_most(100);
  c.option("--seed", a->seed, "Of --make: number of the random motion");
  c.option("--window", a->window, "Neighbours on either side that rates are fitted to");
  c.option("--json", a->json, "Print JSON");
  c.run = [a] {
    const examples::Mechanism& e = examples::mechanism(a->model);
    mech::Model model(e.name);
    e.build(model);
    if (a->make.empty() == a->file.empty())
      base::fail("identify takes a recording to read, or --make FILE to write one");
    if (!a->make.empty()) {
      if (!(a->duration > 0.1 && a->duration <= 1e4))
        base::fail("--duration {:g}: expected 0.1 to 10000 s", a->duration);
      if (!(a->noise >= 0)) base::fail("--noise {:g}: must not be below zero", a->noise);
      make_recording(model, *a);
      return ExitCode::fine;
    }
    if (a->window < 2 || a->window > 1000)
      base::fail("--window {}: expected 2 to 1000 neighbours", a->window);
    const reduce::Identified r = reduce::identify(model, read_recording(model, *a));
    a->json ? print_json(model, r) : print(model, r);
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
