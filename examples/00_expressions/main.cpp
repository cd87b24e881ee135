// From expressions to motion: a pendulum is written in atoms (pendulum.hpp), becomes C, is compiled
// and loaded into this process, and swings (motion.hpp). Shows every station on the way and checks
// the result against the elliptic integral.
//
//   expressions <output folder>
//
// Exit codes: 0 fine, 1 our mistake, 2 wrong input, 3 the numbers are not what they should be.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "examples/00_expressions/motion.hpp"
#include "examples/00_expressions/pendulum.hpp"
#include "examples/00_expressions/plot.hpp"
#include "exec/load.hpp"
#include "gen/emit_c.hpp"
#include "sym/print.hpp"

namespace klingel::examples {
namespace {

constexpr double theta_0 = 2.5;               // rad, released at rest
constexpr double step = 1e-3, duration = 20;  // s
constexpr double tolerance = 1e-9;            // relative, of period and energy; we see 1e-12

// One function of the emitted C with the comment above it, indented.
void print_excerpt(const std::string& source, const std::string& function) {
  const std::size_t name = source.find("void " + function + "(");
  std::size_t begin = source.rfind("/*", name);
  const std::size_t stop = source.find("\n}\n", name) + 3;
  while (begin < stop) {
    const std::size_t end = source.find('\n', begin);
    fmt::print("    {}\n", source.substr(begin, end - begin));
    begin = end + 1;
  }
}

void print_counts(const gen::Manifest& manifest) {
  const auto print_row = [](const char* kind, const std::string& name, const sym::Count& c) {
    fmt::print("    {:<9}{:<14}{:>6}{:>6}{:>6}{:>6}{:>7}{:>7}\n", kind, name, c.add, c.mul, c.div,
               c.trig, c.other, c.total());
  };
  fmt::print("    {:>29}{:>6}{:>6}{:>6}{:>7}{:>7}\n", "add", "mul", "div", "trig", "other",
             "total");
  for (const auto& s : manifest.stages) print_row("stage", s.name, s.count);
  for (const auto& f : manifest.functions) print_row("function", f.name, f.count);
}

std::string csv(const Run& run) {
  std::string text = "t [s],theta [rad],dtheta [rad/s],T [J],V [J]\n";
  for (const Sample& s : run.samples)
    text += fmt::format("{:.3f},{:.12g},{:.12g},{:.12g},{:.12g}\n", s.t, s.x.theta, s.x.dtheta,
                        s.kinetic, s.potential);
  return text;
}

std::string picture(const Run& run) {
  const double omega = small_frequency();
  Curve angle{"pendulum", {}, {}}, linear{"linear pendulum", {}, {}, "#c0662a", true};
  Curve orbit{"pendulum", {}, {}}, border{"border to full turns", {}, {}, "#808080", true};
  for (const Sample& s : run.samples) {
    orbit.x.push_back(s.x.theta);
    orbit.y.push_back(s.x.dtheta);
    if (s.t > 10) continue;
    angle.x.push_back(s.t);
    angle.y.push_back(s.x.theta);
    linear.x.push_back(s.t);
    linear.y.push_back(theta_0 * std::cos(omega * s.t));
  }
  // the orbit that just reaches the top: dtheta = 2 omega cos(theta/2), there and back
  for (int k = 0; k <= 200; ++k) {
    const double phase = 2 * std::numbers::pi * k / 200;
    border.x.push_back(std::numbers::pi * std::sin(phase));
    border.y.push_back(2 * omega * std::cos(border.x.back() / 2) * (std::cos(phase) < 0 ? -1 : 1));
  }
  return svg(std::vector<Panel>{
      {"Angle", "time t [s]", "angle θ [rad]", {linear, angle}},
      {"Phase portrait", "angle θ [rad]", "angular velocity dθ/dt [rad/s]", {border, orbit}}});
}

int run(const std::filesystem::path& folder) {
  sym::Graph graph;
  const Pendulum pendulum = make_pendulum(graph);
  const gen::Emitted emitted = gen::emit_c(pendulum.program);
  gen::write_files(emitted.files, (folder / "pendulum").string());

  fmt::print("Klingel {}: a pendulum, from expressions to motion\n\n", base::version);
  fmt::print("1. written by hand\n");
  fmt::print("    T = {}\n    V = {}\n\n", text(pendulum.kinetic), text(pendulum.potential));

  fmt::print("2. differentiated; the graph has {} nodes\n", graph.size());
  fmt::print("    0       = {}\n", text(pendulum.residual));
  fmt::print("    M_qq    = {}\n", text(pendulum.M_qq.entries().front().value));
  fmt::print("    delta_q = {}\n\n", text(pendulum.delta_q));

  fmt::print("3. emitted as C; three of eight functions\n");
  const std::string source = base::read_file(folder / "pendulum" / "pendulum.c");
  for (const char* name : {"stage_setup", "stage_position", "acceleration"})
    print_excerpt(source, fmt::format("pendulum_{}", name));

  fmt::print("\n4. operations\n");
  print_counts(emitted.manifest);

  const exec::Kernel kernel = exec::load(pendulum.program);
  fmt::print("\n5. back end {}: {}\n\n", name(kernel.backend()), kernel.note());

  fmt::print("6. swung for {} s in steps of {} ms from {} rad\n", duration, step * 1000, theta_0);
  Motion motion(kernel);
  const Run swing = simulate(motion, theta_0, step, duration);
  fmt::print("    stages evaluated    setup {}, position {}, velocity {}, force {}\n",
             motion.evaluations("setup"), motion.evaluations("position"),
             motion.evaluations("velocity"), motion.evaluations("force"));
  const double exact = exact_period(theta_0), period_error = std::abs(swing.period() / exact - 1);
  fmt::print("    period              {:.12f} s\n", swing.period());
  fmt::print("    elliptic integral   {:.12f} s, relative difference {:.1e}\n", exact,
             period_error);
  fmt::print("    energy              relative drift {:.1e}\n", swing.energy_drift());
  fmt::print("    smallest pivot      {:.3g} kg m^2\n", motion.smallest_pivot());

  // the other back end computes the same operations, hence the same bits
  exec::Options without_compiler;
  without_compiler.backend = exec::Backend::interpreter;
  Motion interpreted(exec::load(pendulum.program, without_compiler));
  const Run again = simulate(interpreted, theta_0, step, duration);
  const bool same = again.samples.back().x == swing.samples.back().x;
  fmt::print("    interpreter         {}\n\n", same ? "ends in the same bits" : "ends elsewhere");

  base::write_file(folder / "pendulum.csv", csv(swing));
  base::write_file(folder / "pendulum.svg", picture(swing));
  if (!(period_error < tolerance && swing.energy_drift() < tolerance && same)) {
    fmt::print(stderr, "expressions: the motion is wrong; period and energy should agree to {}\n",
               tolerance);
    return 3;
  }
  fmt::print("look at {}; the numbers are in pendulum.csv, the C is in pendulum/ beside it\n",
             (folder / "pendulum.svg").string());
  return 0;
}

}  // namespace
}  // namespace klingel::examples

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: expressions <output folder>\n");
    return 2;
  }
  try {
    return klingel::examples::run(argv[1]);
  } catch (const klingel::base::Error& error) {
    fmt::print(stderr, "expressions: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "expressions: internal error: {}\n", error.what());
    return 1;
  }
}
