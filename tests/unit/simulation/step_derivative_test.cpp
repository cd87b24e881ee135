// Subject: simulation/step_derivative with step/loaded_tangent and model/derivative_interface.
// Claim: generated derivatives are those of the step as it is computed, for vehicles with and
// without internal states and sensors; steps they do not describe are differenced, and counted.
#include "simulation/step_derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "compile/prepare_run.hpp"
#include "simulation/linearise.hpp"
#include "tests/support/allocation_count.hpp"

namespace klingel::simulation {
namespace {

exec::Options with(exec::Backend backend) {
  exec::Options options;
  options.backend = backend;
  return options;
}

// Polach's law has a kink where a wheel with spin does not slip sideways, as on a straight: there
// it has no derivative. In a curve wheels slip sideways.
vehicle::Scenario smooth(const char* name, const char* law) {
  vehicle::Scenario scenario = vehicle::load_scenario(name);
  if (scenario.law == "polach") scenario.law = "she";
  if (law != nullptr) scenario.law = law;
  return scenario;
}

struct Vehicle {
  compile::CompiledVehicle compiled;
  std::shared_ptr<const Description> derivatives;
  Instance one;

  explicit Vehicle(const char* name, int steps, exec::Backend backend = exec::Backend::jit,
                   const char* law = nullptr)
      : Vehicle(smooth(name, law), steps, backend) {}
  Vehicle(vehicle::Scenario scenario, int steps, exec::Backend backend)
      : compiled(compile::compile(std::move(scenario), with(backend))),
        derivatives(compile::with_derivatives(
            compiled, compile::on_lanes(compiled, with(backend), 4), with(backend))),
        one(compiled.description) {
    one.start();
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(one.step());
  }
};

step::RailShift moved(std::size_t part, profile::Side side, double by) {
  const double half = side == profile::Side::left ? by / 2 : -by / 2;
  switch (part) {
    case lateral:
      return {by, 0, 0, 0};
    case vertical:
      return {0, by, 0, 0};
    case cross_level:
      return {0, half, 0, 0};
    case dlateral:
      return {0, 0, by, 0};
    case dvertical:
      return {0, 0, 0, by};
    default:
      return {0, 0, 0, half};
  }
}

// A difference of fourth order of single vehicles.
std::vector<double> fourth_order(Vehicle& v, const Variable& by, double delta,
                                 const std::vector<Variable>& rows,
                                 const std::vector<std::size_t>& channels) {
  constexpr double weights[] = {1, -8, 8, -1};
  constexpr int places[] = {-2, -1, 1, 2};
  std::vector<double> sum(rows.size() + channels.size(), 0);
  Instance other(v.compiled.description);
  for (int k = 0; k < 4; ++k) {
    other.become(v.one);
    step::VehicleState state = v.one.simulator().state();
    const double change = places[k] * delta;
    if (by.is_remembered()) put_in(state, by, value_in(state, by) + change);
    other.simulator().set_state(state);
    if (by.kind == Variable::Kind::input)
      other.set_input(by.index, v.one.input_value(by.index) + change);
    if (by.kind == Variable::Kind::parameter)
      other.set_parameter(by.index, v.one.parameter_value(by.index) + change);
    const step::VehicleData& data = v.one.simulator().data();
    for (std::size_t w = 0; w < data.wheels.size(); ++w) {
      if (by.kind == Variable::Kind::friction && (by.index == w || by.index == data.wheels.size()))
        other.set_friction(w, v.one.simulator().friction(w) + change);
      if (by.kind == Variable::Kind::shift && by.index == data.wheels[w].wheelset)
        other.simulator().shift_rail(w, moved(by.part, data.wheels[w].side, change));
      else
        other.simulator().shift_rail(w, {});
    }
    EXPECT_TRUE(other.step());
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const double value = i < rows.size() ? value_in(other.simulator().state(), rows[i])
                                           : other.value(channels[i - rows.size()]);
      sum[i] += weights[k] * value / (12 * delta);
    }
  }
  return sum;
}

LineariseOptions only_differences() {
  LineariseOptions options;
  options.differences = true;
  return options;
}

struct Case {
  const char* scenario;
  int steps;
  std::vector<std::string> channels;
  const char* law = nullptr;  // instead of that of the scenario
  bool rails_change = false;  // on a straight with rail profiles that change along it
};

std::string straight_with_other_rails() {
  const std::string path = testing::TempDir() + "other_rails.toml";
  std::ofstream(path) << R"(
name = "other_rails"
gauge = 1.435
rail_profile = "60E1:1:40"
[start]
s = -50.0
[[section]]
kind = "straight"
length = 300.0
[[rail_section]]
s = -10.0
profile = "60E1:1:40"
[[rail_section]]
s = 60.0
profile = "60E1:1:20"
)";
  return path;
}

class generated : public testing::TestWithParam<Case> {};

TEST_P(generated, derivatives_are_those_of_the_step) {
  const Case& c = GetParam();
  vehicle::Scenario scenario = smooth(c.scenario, c.law);
  if (c.rails_change) scenario.track = straight_with_other_rails();
  Vehicle v(std::move(scenario), c.steps, exec::Backend::jit);
  std::vector<std::string> given = {"p.*", "friction.*", "*lateral.*", "*vertical.*",
                                    "*cross_level.*"};
  if (!v.one.input_names().empty()) given.emplace_back("u.*");
  Lineariser l(v.derivatives, v.one, {{}, given, c.channels});
  ASSERT_TRUE(l.generates());
  ASSERT_TRUE(l.linearise(v.one));
  ASSERT_TRUE(l.result().generated);
  const Linearisation& r = l.result();
  const std::vector<Variable> rows = remembered_variables(v.one.simulator());
  std::vector<Variable> columns = rows;
  for (const Variable& x : given_variables(v.one.simulator())) columns.push_back(x);
  ASSERT_EQ(columns.size(), r.states + r.given);
  std::vector<std::size_t> channels;
  for (const std::string& name : l.channel_names()) channels.push_back(v.one.channel(name));
  const std::size_t m = r.states + r.channels;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    double delta = 1.7 * columns[j].delta;
    if (columns[j].kind == Variable::Kind::parameter) {
      const double p = std::abs(v.one.parameter_value(columns[j].index));
      delta *= p > 0 ? p : 1;
    }
    const std::vector<double> expected = fourth_order(v, columns[j], delta, rows, channels);
    // Rows of one kind are compared with the largest of their kind. `scale`: of the numbers that
    // they are computed from, whose rounding is in the difference.
    const auto compare = [&](double scale, auto is_one) {
      const auto name = [&](std::size_t i) {
        return i < r.states ? l.state_names()[i] : l.channel_names()[i - r.states];
      };
      double size = 0;
      for (std::size_t i = 0; i < m; ++i)
        if (is_one(name(i))) size = std::max(size, std::abs(expected[i]));
      for (std::size_t i = 0; i < m; ++i) {
        const double rounding = 50 * 2.2e-16 * scale / delta;
        if (is_one(name(i)))
          EXPECT_NEAR(r.J[j * m + i], expected[i], 1e-6 * size + rounding)
              << columns[j].name << " -> " << name(i);
      }
    };
    const auto family = [](const std::string& name) { return name.substr(0, name.find('.')); };
    const double speed = 40, h = v.compiled.description->step;
    compare(speed, [&](const std::string& n) {
      return family(n) == "q" || family(n) == "dq" || n == "speed";
    });
    // forces: stiff springs between places
    constexpr double stiffness = 2e7;
    compare(stiffness, [&](const std::string& n) { return family(n) == "z"; });
    compare(stiffness, [&](const std::string& n) { return family(n) == "force"; });
    compare(1e7, [&](const std::string& n) {
      return family(n) == "Y" || family(n) == "Q" || family(n) == "sumY";
    });
    compare(speed / h, [&](const std::string& n) { return family(n) == "sensor"; });
  }
}

INSTANTIATE_TEST_SUITE_P(
    vehicles, generated,
    testing::Values(Case{"wheelset_suspended", 300, {"Y.*", "sumY.*", "q.*", "dq.*"}},
                    Case{"wheelset", 300, {"Q.*"}},
                    Case{"motor_slip", 300, {"Y.*", "Q.*", "speed"}},
                    Case{"manchester1", 300, {"Y.*", "Q.*"}}, Case{"coach_air", 300, {"force.*"}},
                    Case{"coach_300m", 3000, {}}, Case{"coach_300m", 3000, {}, "polach"},
                    Case{"coach_150m", 8000, {"Y.*"}}, Case{"coach_300m", 300, {}, nullptr, true},
                    Case{"coach_sensors", 300, {"Y.*", "Q.*", "sensor.*"}}));

TEST(step_derivative, kernels_of_all_back_ends_give_the_same_bits_and_nothing_is_allocated) {
  std::vector<std::vector<double>> J;
  for (const exec::Backend backend : {exec::Backend::jit, exec::Backend::interpreter}) {
    Vehicle v("wheelset_suspended", 30, backend);
    Lineariser l(v.derivatives, v.one, {{}, {"p.*", "friction.all", "lateral.*"}, {"Y.*"}});
    ASSERT_TRUE(l.linearise(v.one));
    const std::size_t before = test::allocation_count();
    ASSERT_TRUE(l.linearise(v.one));
    EXPECT_EQ(test::allocation_count(), before);
    ASSERT_TRUE(l.result().generated);
    J.push_back(l.result().J);
  }
  EXPECT_EQ(J[0], J[1]);
}

// A wheelset that is set down from above: lines of N are renewed while it lands.
TEST(step_derivative, steps_that_are_solved_again_are_differenced_and_counted) {
  Vehicle v("wheelset", 20);
  Lineariser l(v.derivatives, v.one), differences(v.derivatives, v.one, only_differences());
  step::VehicleState state = v.one.simulator().state();
  state.q[2] += 30e-6, state.dq[2] = -0.02;
  v.one.simulator().set_state(state);
  std::size_t repeated = 0;
  for (int k = 0; k < 20; ++k) {
    const std::size_t before = l.differenced();
    ASSERT_TRUE(l.linearise(v.one));
    const bool differenced = l.differenced() > before;
    EXPECT_NE(l.result().generated, differenced);
    if (differenced) {
      ASSERT_TRUE(differences.linearise(v.one));
      EXPECT_EQ(l.result().J, differences.result().J);
      EXPECT_EQ(l.result().sides, differences.result().sides);
    }
    ASSERT_TRUE(v.one.step());
    if (v.one.simulator().newton_q() > 0) {
      ++repeated;
      EXPECT_TRUE(differenced);
    }
  }
  EXPECT_GT(repeated, 0u);
  EXPECT_LT(repeated, 20u);
}

TEST(step_derivative, rigid_treads_and_requests_it_does_not_know_are_differenced) {
  compile::CompiledVehicle rigid = [] {
    vehicle::Scenario scenario = vehicle::load_scenario("wheelset_suspended");
    scenario.tread = "rigid";
    return compile::compile(std::move(scenario), with(exec::Backend::jit));
  }();
  EXPECT_EQ(compile::with_derivatives(rigid, rigid.description, {}), rigid.description);
  Vehicle v("wheelset_suspended", 3);
  EXPECT_TRUE(Lineariser(v.derivatives, v.one, {{}, {}, {"Q.*"}}).generates());
  EXPECT_FALSE(Lineariser(v.derivatives, v.one, {{}, {}, {"Q.*", "N.*"}}).generates());
  EXPECT_FALSE(Lineariser(v.compiled.description, v.one).generates());
}

}  // namespace
}  // namespace klingel::simulation
