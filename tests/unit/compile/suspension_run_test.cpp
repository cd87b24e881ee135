// Subject: internal states in a run. Claim: a mass on an element with an internal state moves as
// its closed form says, at 1 ms whatever the stiffness; energy is kept; states are saved; back ends
// and lanes agree bit for bit; channels show forces, outputs and sensors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "simulation/batch.hpp"
#include "tests/unit/compile/sliding_block.hpp"

namespace klingel::compile {
namespace {

using testing::HasSubstr;

const std::string block = sliding_block(1000);

std::string element(const char* kind, const std::string& keys) {
  return std::string("[[") + kind + "]]\nname = \"e\"\nfrom = \"wall\"\nto = \"block\"\n" +
         "axes = \"ground\"\nalong = \"y\"\n" + keys;
}

struct Rig {
  explicit Rig(const std::string& elements, exec::Backend backend = exec::Backend::interpreter,
               double h = 1e-3) {
    compiled = compile_rig(folder, block + elements, {{"u", {}, 0}}, backend, h);
    instance = std::make_unique<simulation::Instance>(compiled->description);
    instance->start();
  }
  void push(double force) { instance->set_input(instance->input("F"), force); }
  // Slowly, so that the block does not swing beyond what the push alone would do.
  void push_slowly(double force) {
    for (int i = 1; i <= 1000; ++i) {
      push(force * i / 1000);
      run(1);
    }
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(instance->step()) << instance->failure();
  }
  double value(const char* channel) { return instance->value(instance->channel(channel)); }

  structure::TemporaryFolder folder;
  std::unique_ptr<CompiledVehicle> compiled;
  std::unique_ptr<simulation::Instance> instance;
};

const std::string maxwell =
    element("series_damper", "end_stiffness = 2e6\ndamping = 1e4\nstiffness = 5e4\n");

// m u'' + k0 u + F = push, F' = k (u' - F/c), by small steps of a Runge-Kutta scheme
double exact_maxwell(double push, double end) {
  constexpr double m = 1000, k0 = 5e4, k = 2e6, c = 1e4;
  double y[3] = {0, 0, 0};
  const auto rate = [&](const double* x, double* d) {
    d[0] = x[1], d[1] = (push - k0 * x[0] - x[2]) / m, d[2] = k * (x[1] - x[2] / c);
  };
  const int steps = 20000;
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    double a[3], b[3], c3[3], d[3], x[3];
    rate(y, a);
    for (int j = 0; j < 3; ++j) x[j] = y[j] + h / 2 * a[j];
    rate(x, b);
    for (int j = 0; j < 3; ++j) x[j] = y[j] + h / 2 * b[j];
    rate(x, c3);
    for (int j = 0; j < 3; ++j) x[j] = y[j] + h * c3[j];
    rate(x, d);
    for (int j = 0; j < 3; ++j) y[j] += h / 6 * (a[j] + 2 * b[j] + 2 * c3[j] + d[j]);
  }
  return y[0];
}

TEST(suspension_run, a_mass_on_a_zener_element_moves_as_its_equations_say) {
  const double exact = exact_maxwell(1000, 0.2);
  double last = 1;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    Rig rig(maxwell, exec::Backend::interpreter, h);
    rig.push(1000);
    rig.run(static_cast<int>(std::lround(0.2 / h)));
    const double error = std::abs(rig.value("q.u") - exact);
    EXPECT_LT(error, 0.6 * last) << h;
    last = error;
  }
  EXPECT_LT(last, 0.01 * exact);
}

TEST(suspension_run, a_hundredfold_stiffness_is_stable) {
  Rig rig(element("series_damper", "end_stiffness = 2e10\ndamping = 1e4\n"));
  rig.push(1000);
  rig.run(3000);  // five times the time constant m/c is half a second
  EXPECT_NEAR(rig.value("dq.u"), 1000.0 / 1e4, 1e-6);
  EXPECT_NEAR(rig.value("force.e"), 1000, 1e-3);
  Rig stuck(element("friction", "force = 2000\nstick_stiffness = 1e10\n"));
  stuck.push_slowly(1000);
  stuck.run(1000);
  EXPECT_NEAR(stuck.value("q.u"), 1000 / 1e10, 2e-8);
}

TEST(suspension_run, friction_holds_and_does_not_creep) {
  Rig rig(element("friction", "force = 2000\nstick_stiffness = 1e7\n") +
          "[[strut]]\nname = \"d\"\nfrom = \"wall\"\nto = \"block\"\naxes = \"ground\"\nalong = "
          "\"y\"\ndamping = 2e4\n");
  rig.push_slowly(1500);
  rig.run(1000);
  const double there = rig.value("q.u");
  EXPECT_NEAR(there, 1500 / 1e7, 1e-8);  // the stick stiffness, and nothing else
  rig.run(10000);
  EXPECT_NEAR(rig.value("q.u"), there, 1e-9);
  EXPECT_NEAR(rig.value("force.e"), 1500, 0.01);
}

TEST(suspension_run, sliding_friction_takes_its_force) {
  Rig rig(element("friction", "force = 500\nstick_stiffness = 1e8\n"));
  rig.push(1500);
  rig.run(500);
  EXPECT_NEAR(rig.value("dq.u"), 0.5 * (1500 - 500) / 1000, 2e-3);
  // pushed no more it comes to rest, and stays there
  rig.push(0);
  rig.run(1500);
  const double rest = rig.value("q.u");
  rig.run(200);
  EXPECT_NEAR(rig.value("q.u"), rest, 1e-5);
}

TEST(suspension_run, a_centre_plate_and_an_anti_roll_bar_run) {
  Rig rig(element("friction", "force = 500\nstick_stiffness = 1e6\n") +
          "[[friction_torque]]\nname = \"plate\"\nfrom = \"ground\"\nto = \"still\"\naxis = \"z\"\n"
          "torque = 3000\nstick_stiffness = 1e7\n");
  rig.run(200);
  EXPECT_LE(std::abs(rig.value("moment.plate")), 3000);
}

TEST(suspension_run, energy_is_kept) {
  const std::string spring =
      "[[strut]]\nname = \"s\"\nfrom = \"wall\"\nto = \"block\"\naxes = \"ground\"\nalong = \"y\"\n"
      "stiffness = 1e5\nclearance = 0.005\nstop_stiffness = 1e6\n";
  // the last one follows a load, as that of a wedge
  const std::string following = "force = \"300 + 3e4*u\"\nstick_stiffness = 1e5\n";
  for (const std::string& e :
       {maxwell, element("friction", "force = 300\nstick_stiffness = 1e6\n") + spring,
        element("friction", following) + spring}) {
    Rig rig(e, exec::Backend::interpreter, 2e-4);
    rig.push(1000);
    step::StepOptions options;
    options.balance = true;
    for (int i = 0; i < 3000; ++i)
      ASSERT_EQ(rig.instance->simulator().step(2e-4, options), runtime::Status::ok);
    const step::EnergyBalance& b = rig.instance->simulator().balance();
    EXPECT_GT(-b.dampers, 0.5);
    EXPECT_LT(std::abs(b.error()), 0.02 * b.exchanged) << e;
  }
}

TEST(suspension_run, states_are_saved_bit_for_bit) {
  Rig rig(maxwell);
  rig.push(1000);
  rig.run(50);
  const std::string saved = rig.instance->save();
  EXPECT_THAT(saved, HasSubstr("z"));
  rig.run(50);
  const step::VehicleState there = rig.instance->simulator().state();
  rig.instance->restore(saved);
  rig.run(50);
  EXPECT_TRUE(rig.instance->simulator().state() == there);
  EXPECT_NE(there.z.at(0), 0);
}

TEST(suspension_run, back_ends_and_lanes_agree_bit_for_bit) {
  const std::string both = maxwell +
                           "[[friction]]\nname = \"f\"\nfrom = \"wall\"\nto = \"block\"\naxes = "
                           "\"ground\"\nacross = \"z\"\nforce = 400\nstick_stiffness = 1e6\n";
  Rig rig(both);
  const std::string start = rig.instance->save();
  simulation::Batch batch(on_lanes(*rig.compiled, {exec::Backend::interpreter}, 4), *rig.instance);
  for (std::size_t i = 0; i < 4; ++i)
    batch[i].set_input(batch[i].input("F"), 1000 + 100.0 * static_cast<double>(i));
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(batch.step());
  for (const exec::Backend backend : {exec::Backend::interpreter, exec::Backend::jit}) {
    Rig other(both, backend);
    for (std::size_t i = 0; i < 4; ++i) {
      other.instance->restore(start);
      other.push(1000 + 100.0 * static_cast<double>(i));
      other.run(100);
      EXPECT_TRUE(batch[i].simulator().state() == other.instance->simulator().state()) << i;
    }
  }
}

TEST(suspension_run, sensors_and_outputs_are_channels) {
  Rig rig(
      maxwell +
      "[[sensor]]\nname = \"a\"\nkind = \"accelerometer\"\npoint = \"block\"\nbase = \"ground\"\n"
      "[[sensor]]\nname = \"d\"\nkind = \"displacement\"\nfrom = \"wall\"\nto = \"block\"\n"
      "base = \"ground\"\n[[output]]\nname = \"twice\"\nvalues = [\"2*u\"]\n");
  EXPECT_TRUE(std::isnan(rig.value("sensor.a.y")));
  rig.push(1000);
  rig.run(1);
  EXPECT_NEAR(rig.value("sensor.a.y"), 1, 0.05);  // F/m
  EXPECT_NEAR(rig.value("sensor.a.z"), 9.81, 1e-9);
  rig.run(99);
  EXPECT_GT(std::abs(rig.value("q.u")), 1e-3);
  EXPECT_EQ(rig.value("sensor.d.y"), rig.value("q.u"));
  EXPECT_EQ(rig.value("output.twice"), 2 * rig.value("q.u"));
  EXPECT_EQ(rig.value("stroke.e"), rig.value("q.u"));
  EXPECT_EQ(rig.value("rate.e"), rig.value("dq.u"));
}

// amplitude 1/sqrt(1 + (f/f0)^4)
TEST(suspension_run, sensors_filter) {
  Rig rig(element("strut", "stiffness = 1e6\n") +
          "[[sensor]]\nname = \"d\"\nkind = \"displacement\"\nfrom = \"wall\"\nto = \"block\"\n"
          "base = \"ground\"\ncutoff = 5\n"
          "[[sensor]]\nname = \"a\"\nkind = \"accelerometer\"\npoint = \"block\"\nbase = "
          "\"ground\"\ncutoff = 5\n");
  const double f = std::sqrt(1e6 / 1000) / (2 * std::numbers::pi);  // 5.03 Hz
  rig.push(1000);
  rig.run(1000);
  double raw = 0, filtered = 0, felt = 0;
  for (int i = 0; i < 1000; ++i) {
    rig.run(1);
    raw = std::max(raw, std::abs(rig.value("q.u") - 1e-3));
    filtered = std::max(filtered, std::abs(rig.value("sensor.d.y") - 1e-3));
    felt = std::max(felt, std::abs(rig.value("sensor.a.y")));
  }
  const double share = 1 / std::sqrt(1 + std::pow(f / 5, 4));
  EXPECT_NEAR(filtered / raw, share, 0.02);
  EXPECT_NEAR(felt / (raw * 1e6 / 1000), share, 0.03);
  EXPECT_NEAR(rig.value("sensor.a.z"), 9.81, 1e-6);
}

TEST(suspension_run, schemes_without_internal_states_are_refused) {
  structure::TemporaryFolder folder;
  folder.add("vehicle.toml", block + maxwell);
  vehicle::Scenario s = vehicle::load_scenario((folder.path() / "vehicle.toml").string());
  s.integrator = "reference";
  try {
    compile(s, {exec::Backend::interpreter});
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("does not know internal states, and 'e' has one"));
  }
}

}  // namespace
}  // namespace klingel::compile
