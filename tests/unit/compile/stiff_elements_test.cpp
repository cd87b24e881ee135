// Subject: every force element in the step. Claim: a mass on it moves as its equations say, the
// better the shorter the step; and a stiffness a hundred times the usual is stable at 1 ms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "tests/unit/compile/sliding_block.hpp"
#include "vehicle/elements.hpp"
#include "vehicle/schema.hpp"

namespace klingel::compile {
namespace {

// A block of 100 kg that slides across a carriage by u and turns about x by phi, with 100 kg m^2:
// both ways the equations have the same numbers. Inputs push and turn it.
const std::string block = sliding_block(100, "tilted", "phi = 0\n", "T = 0\n") + R"(
[[base]]
name = "tilted"
axis = "x"
angle = "phi"
[[point]]
name = "far"
parent = "wall"
r = [0, -1, 0]
[[point]]
name = "wall_left"
parent = "wall"
r = [0, 0.5, 0]
[[point]]
name = "wall_right"
parent = "wall"
r = [0, -0.5, 0]
[[point]]
name = "left"
parent = "wall"
base = "tilted"
r = [0, 0.5, 0]
[[point]]
name = "right"
parent = "wall"
base = "tilted"
r = [0, -0.5, 0]
[[applied_torque]]
name = "turn"
torque = ["T", 0, 0]
base = "ground"
to = "tilted"
)";

// What the element is to the block: m x'' + c x' + k x + z = push, z' = k_z (x' - z/c_z).
struct Law {
  double k = 0, c = 0, k_z = 0, c_z = 1;
};

struct Case {
  const char* kind;
  const char* name;
  bool turns;        // phi, else u
  std::string keys;  // with {k} for the stiffness
  Law (*law)(double k);
  double load = 0;  // that the element has as placed
};

constexpr double mass = 100, beside = 1e3;  // a damper beside elements without one
const std::string ends = "from = 'wall'\nto = 'block'\n", axis = "axes = 'ground'\nalong = 'y'\n";
const std::string bases = "from = 'ground'\nto = 'tilted'\naxis = 'x'\n";

Law spring(double k) { return {k, beside}; }

// an air spring of this volume, with a reservoir of the same; k = n p A^2 / V
constexpr double pressure = 5e5, outside = 101325, area = 0.1, exponent = 1.3;

// clang-format off
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"isotropic_spring", "isotropic_spring", false, ends + "stiffness = {k}\n", spring},
      {"line_spring", "line_spring", false,
       "from = 'far'\nto = 'block'\nnatural_length = 1\nstiffness = {k}\n", spring},
      {"bushing", "bushing_along", false,
       ends + "from_base = 'ground'\nto_base = 'ground'\nstiffness = [0, {k}, 0]\n", spring},
      {"bushing", "bushing_about", true,
       ends + "from_base = 'ground'\nto_base = 'tilted'\nturning_stiffness = [{k}, 0, 0]\n", spring},
      {"torsion_spring", "torsion_spring", true, bases + "angle = 'phi'\nstiffness = {k}\n", spring},
      {"gear_pair", "gear_pair", true,
       "one = { point = 'far', base = 'ground', angle = 0, radius = 0.5 }\n"
       "two = { point = 'wall', base = 'tilted', angle = 'phi', radius = 0.5 }\n"
       "mesh = 'right'\nline = 'z'\nline_base = 'ground'\nstiffness = '4*{k}'\n", spring},
      {"strut", "strut_along_axis", false, ends + axis + "stiffness = {k}\n", spring},
      {"strut", "strut_along_line", false, "from = 'far'\nto = 'block'\nstiffness = {k}\n", spring},
      {"strut", "strut_curve", false,
       ends + axis + "curve = [[-1, -{k}], [0, 0], [1, {k}]]\n", spring},
      {"strut", "strut_polynomial", false, ends + axis + "polynomial = [{k}]\n", spring},
      {"strut", "strut_stop", false, ends + axis + "clearance = 0\nstop_stiffness = {k}\n", spring},
      {"series_damper", "series_damper", false,
       ends + axis + "end_stiffness = {k}\ndamping = 1e4\nstiffness = '{k}/10'\n",
       [](double k) { return Law{k / 10, beside, k, 1e4}; }},
      {"friction", "friction_along", false,
       ends + axis + "force = 1e6\nstick_stiffness = {k}\n", spring},
      {"friction", "friction_across", false,
       ends + "axes = 'ground'\nacross = 'z'\nforce = 1e6\nstick_stiffness = {k}\n", spring},
      {"friction_torque", "friction_torque", true,
       bases + "torque = 1e6\nstick_stiffness = {k}\n", spring},
      {"anti_roll_bar", "anti_roll_bar", true,
       "from = ['wall_left', 'wall_right']\nto = ['left', 'right']\naxes = 'ground'\nalong = 'z'\n"
       "stiffness = {k}\n", spring},
      {"air_spring", "air_spring", false,
       ends + axis + fmt::format("pressure = {}\noutside_pressure = {}\narea = {}\nexponent = {}\n"
       "volume = '{}/{{k}}'\nreservoir = '{}/{{k}}'\norifice_damping = 1e4\n", pressure, outside,
       area, exponent, exponent * pressure * area * area, exponent * pressure * area * area),
       [](double k) { return Law{k / 2, beside, k / 2, 1e4 / 4}; }, (pressure - outside) * area},
  };
  return all;
}
// clang-format on

struct Rig {
  Rig(const Case& c, double k, bool stiff) : turns(c.turns) {
    std::string keys = c.keys;
    for (std::size_t i; (i = keys.find("{k}")) != std::string::npos;)
      keys.replace(i, 3, fmt::format("{}", k));
    std::string text =
        block + "[[" + c.kind + "]]\nname = 'e'\n" + keys + (stiff ? "stiff = true\n" : "");
    text += turns ? "[[torsion_spring]]\nname = 'd'\n" + bases +
                        "angle = 'phi'\nstiffness = 0\ndamping = 1e3\n"
                  : "[[strut]]\nname = 'd'\n" + ends + axis + "damping = 1e3\n";
    compiled =
        compile_rig(folder, text, {{"u", {}, 0}, {"phi", {}, 0}}, exec::Backend::interpreter);
  }
  // Pushed from the start on, by steps of h; `see` gets where the block is after each.
  void push(double force, double h, int steps, const std::function<void(double)>& see) const {
    auto description = std::make_shared<simulation::Description>(*compiled->description);
    description->step = h;
    simulation::Instance instance(description);
    instance.start();
    instance.set_input(instance.input(turns ? "T" : "F"), force);
    const std::size_t at = instance.channel(turns ? "q.phi" : "q.u");
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(instance.step()) << instance.failure();
      see(instance.value(at));
    }
  }

  bool turns;
  structure::TemporaryFolder folder;
  std::unique_ptr<CompiledVehicle> compiled;
};

double exact(const Law& law, double push, double end) {
  double y[3] = {0, 0, 0};
  const auto rate = [&](const double* x, double* d) {
    d[0] = x[1];
    d[1] = (push - law.k * x[0] - law.c * x[1] - x[2]) / mass;
    d[2] = law.k_z * (x[1] - x[2] / law.c_z);
  };
  constexpr int steps = 20000;
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    double a[3], b[3], c[3], d[3], x[3];
    const auto from = [&](double part, const double* r) {
      for (int j = 0; j < 3; ++j) x[j] = y[j] + part * h * r[j];
    };
    rate(y, a), from(0.5, a), rate(x, b), from(0.5, b), rate(x, c), from(1, c), rate(x, d);
    for (int j = 0; j < 3; ++j) y[j] += h / 6 * (a[j] + 2 * b[j] + 2 * c[j] + d[j]);
  }
  return y[0];
}

class EveryElement : public testing::TestWithParam<Case> {};

TEST_P(EveryElement, moves_as_its_equations_say_as_the_step_shrinks) {
  constexpr double k = 1e5, push = 100, end = 0.08;
  const double truth = exact(GetParam().law(k), push, end);
  for (const bool stiff : {true, false}) {
    const Rig rig(GetParam(), k, stiff);
    double last = 1;
    for (const double h : {2e-3, 1e-3, 5e-4}) {
      double x = 0;
      rig.push(push - GetParam().load, h, static_cast<int>(std::lround(end / h)),
               [&](double now) { x = now; });
      const double error = std::abs(x - truth);
      EXPECT_LT(error, std::max(0.65 * last, 1e-4 * push / k)) << h << " s, stiff " << stiff;
      last = error;
    }
    EXPECT_LT(last, 0.02 * push / k) << "stiff " << stiff;
  }
}

// Usual are 1e7 N/m of a stop or a mount; at a hundred times that, 1 ms is half a period of the
// block.
TEST_P(EveryElement, is_stable_at_a_hundred_times_the_usual_stiffness) {
  constexpr double k = 1e9, push = 1000;
  const double at_rest = push / GetParam().law(k).k;
  double x = 0, most = 0;
  Rig(GetParam(), k, true).push(push - GetParam().load, 1e-3, 1000, [&](double now) {
    x = now;
    most = std::max(most, std::abs(now));
  });
  EXPECT_LT(most, 2.01 * at_rest);  // of a mass that is pushed at once
  EXPECT_NEAR(x, at_rest, 0.01 * at_rest);
}

INSTANTIATE_TEST_SUITE_P(elements, EveryElement, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& i) { return i.param.name; });

TEST(every_element, is_among_them) {
  std::set<std::string_view> known = {"applied_force", "applied_torque"};  // without stiffness
  for (const Case& c : cases()) known.insert(c.kind);
  for (const vehicle::Section* table : vehicle::element_tables())
    EXPECT_TRUE(known.contains(table->name)) << table->name;
}

// What the claim of stability is worth: a force at the begin of the step is not enough.
TEST(every_element, is_not_stable_unless_it_is_said_to_be_stiff) {
  const Case& strut = *std::find_if(cases().begin(), cases().end(), [](const Case& c) {
    return std::string_view(c.name) == "strut_along_axis";
  });
  double most = 0;
  Rig(strut, 1e9, false).push(1000, 1e-3, 10, [&](double now) {
    most = std::max(most, std::abs(now));
  });
  EXPECT_GT(most, 100 * 1000 / 1e9);
}

}  // namespace
}  // namespace klingel::compile
