// klingel creep: the creep force of one contact by one law, or all laws over creepage as a picture.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "cli/command.hpp"
#include "creep/creep_law.hpp"
#include "creep/kalker.hpp"
#include "report/plot.hpp"

namespace klingel::cli {
namespace {

struct CreepArguments {
  std::string law = "fastsim", interpolation = "smooth", plot;
  double a = 0, b = 0;  // mm
  double N = 0, mu = 0.3, G = 82.677e9, poisson = 0.27;
  double xi_x = 0, xi_y = 0, spin = 0;
  int slices = 10;
  creep::PolachParameters polach;
  bool json = false;
};

creep::KalkerTable kalker_table(const CreepArguments& args) {
  using enum creep::KalkerInterpolation;
  if (args.interpolation != "smooth" && args.interpolation != "linear")
    base::fail("--interpolation is '{}', expected smooth or linear", args.interpolation);
  return creep::KalkerTable(args.poisson, args.interpolation == "smooth" ? smooth : linear);
}

// At 1 m/s slip velocities are creepages.
creep::CreepInput input(const CreepArguments& args, const creep::KalkerTable& table) {
  creep::CreepInput in;
  in.a = 1e-3 * args.a;
  in.b = 1e-3 * args.b;
  in.N = args.N;
  in.mu = args.mu;
  in.G = args.G;
  in.c = table.at(in.a, in.b);
  in.nu[0] = args.xi_x;
  in.nu[1] = args.xi_y;
  in.nu[2] = args.spin;
  in.V = 1;
  return in;
}

// Force over creepage along the given direction, from zero to far beyond it.
void write_plot(const std::string& path, const creep::CreepInput& in,
                const creep::CreepModel& chosen) {
  const bool any = in.nu[0] != 0 || in.nu[1] != 0 || in.nu[2] != 0;
  // without a direction: longitudinal, up to three times where the linear law meets the bound
  const double far = 3 * in.mu * in.N / (in.G * in.a * in.b * in.c.c11);
  std::vector<report::Plot> plots(2);
  plots[0].title = any ? "Creep force along the given creepage" : "Creep force, longitudinal";
  plots[0].y_label = "|f| (N)";
  plots[1].title = "Spin moment";
  plots[1].y_label = "m_z (N m)";
  for (report::Plot& plot : plots) plot.x_label = any ? "multiple of the given creepage" : "xi_x";
  creep::CreepModel model = chosen;
  for (const creep::CreepLaw law : creep::creep_laws) {
    model.law = law;
    report::Series force{std::string(name(law)), {}, {}, report::Style::line}, moment = force;
    for (int i = 0; i <= 200; ++i) {
      const double s = (any ? 3.0 : far) * i / 200;
      creep::CreepInput at = in;
      for (int k = 0; k < 3; ++k) at.nu[k] = any ? s * in.nu[k] : (k == 0 ? s : 0);
      const creep::CreepResult r = model(at);
      const double size = std::hypot(r.f[0], r.f[1]);
      // the linear law grows without bound: it is drawn up to 1.3 mu N
      if (size > 1.3 * in.mu * in.N) break;
      force.x.push_back(s);
      force.y.push_back(size);
      moment.x.push_back(s);
      moment.y.push_back(r.f[2]);
    }
    plots[0].series.push_back(std::move(force));
    plots[1].series.push_back(std::move(moment));
  }
  base::write_file(path, report::svg(plots));
}

}  // namespace

Command creep_command() {
  const auto args = std::make_shared<CreepArguments>();
  Command c{Group::wheel_and_rail, "creep", "Creep force on a wheel at one contact"};
  c.examples = {"klingel creep --a 6 --b 4 --normal 80000 --xi-x 0.001",
                "klingel creep --a 6 --b 4 --normal 80000 --law polach --plot laws.svg"};
  c.option("--law", args->law, "Creep law").suggest({"linear", "she", "polach", "fastsim"});
  c.option("--a", args->a, "Semi-axis of the contact ellipse in the rolling direction")
      .unit("mm")
      .required()
      .above(0)
      .at_most(1000);
  c.option("--b", args->b, "Lateral semi-axis of the contact ellipse")
      .unit("mm")
      .required()
      .above(0)
      .at_most(1000);
  c.option("--normal", args->N, "Normal force").unit("N").required().at_least(0).at_most(1e9);
  c.option("--mu", args->mu, "Friction coefficient").at_least(0).at_most(2);
  c.option("--G", args->G, "Shear modulus").unit("Pa").above(0).at_most(1e15);
  c.option("--poisson", args->poisson, "Poisson's ratio");
  c.option("--xi-x", args->xi_x, "Longitudinal creepage").at_least(-1e3).at_most(1e3);
  c.option("--xi-y", args->xi_y, "Lateral creepage").at_least(-1e3).at_most(1e3);
  c.option("--spin", args->spin, "Spin creepage").unit("1/m").at_least(-1e6).at_most(1e6);
  c.option("--interpolation", args->interpolation, "Interpolation of Kalker's table")
      .suggest({"smooth", "linear"});
  c.option("--slices", args->slices, "Strips of fastsim; each has three times as many points");
  c.option("--kA", args->polach.k_A, "Polach's reduction factor in the area of adhesion")
      .above(0)
      .at_most(1);
  c.option("--kS", args->polach.k_S, "Polach's reduction factor in the area of slip")
      .above(0)
      .at_most(1);
  c.option("--json", args->json, "Print JSON");
  c.option("--plot", args->plot, "Draw the forces of all laws over creepage into this SVG file")
      .written();
  c.run = [args] {
    // the plot has all laws, so that every value has an effect there
    if (args->plot.empty()) {
      const CreepArguments usual;
      const auto only_of = [&](bool given, const char* option, const char* law) {
        if (given && args->law != law)
          base::fail("{} is of the law '{}', and the law here is '{}'", option, law, args->law);
      };
      only_of(args->slices != usual.slices, "--slices", "fastsim");
      only_of(args->polach.k_A != usual.polach.k_A, "--kA", "polach");
      only_of(args->polach.k_S != usual.polach.k_S, "--kS", "polach");
    }
    const creep::CreepModel model = {creep::creep_law(args->law), args->polach,
                                     creep::Fastsim(args->slices)};
    const creep::CreepInput in = input(*args, kalker_table(*args));
    const creep::CreepResult r = model(in);
    if (args->json) {
      base::Json json;
      json.begin_object().key("law").value(name(model.law));
      json.key("fx").value(r.f[0]).key("fy").value(r.f[1]).key("mz").value(r.f[2]);
      json.key("factor").value(r.factor);
      json.key("c11").value(in.c.c11).key("c22").value(in.c.c22);
      json.key("c23").value(in.c.c23).key("c33").value(in.c.c33).end_object();
      fmt::print("{}", json.text());
    } else {
      fmt::print("{}: force on the wheel, opposed to the creepage\n\n", name(model.law));
      fmt::print("f_x {:>12.2f} N\nf_y {:>12.2f} N\nm_z {:>12.4f} N m\n", r.f[0], r.f[1], r.f[2]);
      const double muN = args->mu * std::max(args->N, 0.0);
      if (muN > 0) {
        fmt::print("|f| {:>12.1f} % of mu N\n", 100 * std::hypot(r.f[0], r.f[1]) / muN);
      }
      fmt::print(
          "\nKalker's coefficients at a/b = {:.4g}: c11 {:.4g}, c22 {:.4g}, c23 "
          "{:.4g}, c33 {:.4g}\n",
          args->a / args->b, in.c.c11, in.c.c22, in.c.c23, in.c.c33);
    }
    if (!args->plot.empty()) write_plot(args->plot, in, model);
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
