// Subject: simulation/linearise. Claim: A, B, C and D are the derivatives of the step as it is
// computed, on loaded treads, on lanes as alone, without allocations, and on the step's own
// side of an event.
#include "simulation/linearise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::simulation {
namespace {

exec::Options jit() {
  exec::Options options;
  options.backend = exec::Backend::jit;
  return options;
}

compile::CompiledVehicle compiled(const char* name, const char* tread) {
  vehicle::Scenario scenario = vehicle::load_scenario(name);
  scenario.tread = tread;
  return compile::compile(std::move(scenario), jit());
}

// A difference of fourth order with steps of its own, of single vehicles: other points, another
// formula and no lanes.
std::vector<double> independent(Instance& vehicle, const Instance& at, const Variable& v,
                                double delta, const std::vector<Variable>& rows) {
  constexpr double weights[] = {1, -8, 8, -1};
  constexpr int places[] = {-2, -1, 1, 2};
  std::vector<double> sum(rows.size(), 0);
  for (int k = 0; k < 4; ++k) {
    vehicle.become(at);
    step::VehicleState state = at.simulator().state();
    const double by = places[k] * delta;
    if (v.is_remembered()) put_in(state, v, value_in(state, v) + by);
    vehicle.simulator().set_state(state);
    if (v.kind == Variable::Kind::parameter)
      vehicle.set_parameter(v.index, at.parameter_value(v.index) + by);
    if (v.kind == Variable::Kind::input) vehicle.set_input(v.index, at.input_value(v.index) + by);
    if (v.kind == Variable::Kind::friction)
      for (std::size_t w = 0; w < vehicle.simulator().data().wheels.size(); ++w)
        if (v.index >= at.simulator().data().wheels.size() || v.index == w)
          vehicle.set_friction(w, at.simulator().friction(w) + by);
    EXPECT_TRUE(vehicle.step());
    for (std::size_t i = 0; i < rows.size(); ++i)
      sum[i] += weights[k] * value_in(vehicle.simulator().state(), rows[i]) / (12 * delta);
  }
  return sum;
}

// Elements of a column agree to 1e-6 of its largest one, but for rounding of the numbers
// themselves: some units in the last place of x(t+h), over the difference. dds is the change of ds,
// some 20 m/s, over h.
void expect_column(const std::vector<double>& expected, const std::vector<Variable>& rows,
                   const Linearisation& r, std::size_t j, double delta, const std::string& name) {
  double size = 0;
  for (const double e : expected) size = std::max(size, std::abs(e));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double scale = rows[i].name.starts_with("dds") ? 20 / 1e-3 : std::abs(r.x[i]);
    const double rounding = 50 * 2.2e-16 * std::max(1.0, scale) / delta;
    EXPECT_NEAR(r.J[j * (r.states + r.channels) + i], expected[i], 1e-6 * size + rounding)
        << name << " row " << i;
  }
}

struct Running {
  compile::CompiledVehicle vehicle;
  Instance one;
  explicit Running(const char* name, const char* tread, int steps = 300)
      : vehicle(compiled(name, tread)), one(vehicle.description) {
    one.start();
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(one.step());
  }
};

using VehicleAndTread = std::pair<const char*, const char*>;
class on_treads : public testing::TestWithParam<VehicleAndTread> {};

TEST_P(on_treads, derivatives_agree_with_independent_differences) {
  Running run(GetParam().first, GetParam().second);
  std::vector<std::string> given = {"p.*", "friction.*"};
  if (!run.one.input_names().empty()) given.push_back("u.*");
  const LineariseOptions options{{}, given, {}};
  Lineariser l(compile::on_lanes(run.vehicle, jit(), 4), run.one, options);
  ASSERT_TRUE(l.linearise(run.one));
  const Linearisation& r = l.result();
  EXPECT_EQ(r.across, 0u);
  const std::vector<Variable> rows = remembered_variables(run.one.simulator());
  ASSERT_EQ(rows.size(), r.states);
  std::vector<Variable> columns = rows;
  for (const Variable& v : given_variables(run.one.simulator()))
    if (v.kind != Variable::Kind::shift) columns.push_back(v);
  ASSERT_EQ(columns.size(), r.states + r.given);
  Instance other(run.vehicle.description);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (r.sides[j] != Side::both) continue;
    double delta = 1.7 * columns[j].delta;
    if (columns[j].kind == Variable::Kind::parameter) {
      const double p = std::abs(run.one.parameter_value(columns[j].index));
      delta *= p > 0 ? p : 1;
    }
    expect_column(independent(other, run.one, columns[j], delta, rows), rows, r, j, delta,
                  columns[j].name);
  }
}

INSTANTIATE_TEST_SUITE_P(treads, on_treads,
                         testing::Values(VehicleAndTread{"wheelset_suspended", "loaded"},
                                         VehicleAndTread{"wheelset", "loaded"}));

TEST(linearise, lanes_do_not_matter_and_nothing_is_allocated) {
  Running run("wheelset_suspended", "loaded");
  const LineariseOptions options{{"q.*", "dq.*"}, {"p.*"}, {"Q.*", "Y.*"}};
  Lineariser alone(run.vehicle.description, run.one, options);
  Lineariser lanes(compile::on_lanes(run.vehicle, jit(), 4), run.one, options);
  ASSERT_TRUE(alone.linearise(run.one));
  ASSERT_TRUE(lanes.linearise(run.one));
  // once for all: the first call fills what is found later
  const std::size_t before = test::allocation_count();
  ASSERT_TRUE(lanes.linearise(run.one));
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(alone.result().J.size(), lanes.result().J.size());
  for (std::size_t i = 0; i < alone.result().J.size(); ++i)
    EXPECT_NEAR(alone.result().J[i], lanes.result().J[i],
                1e-7 * (1 + std::abs(alone.result().J[i])))
        << i;
  // the step itself is not disturbed
  Instance copy(run.vehicle.description);
  copy.become(run.one);
  ASSERT_TRUE(copy.step());
  for (std::size_t i = 0; i < lanes.result().x.size(); ++i)
    EXPECT_EQ(lanes.result().x[i],
              value_in(copy.simulator().state(), remembered_variables(run.one.simulator())[i]));
  EXPECT_EQ(lanes.result().y[0], copy.value(copy.channel(lanes.channel_names()[0])));
}

TEST(linearise, a_column_tells_what_a_disturbed_run_does) {
  Running run("wheelset_suspended", "loaded");
  Lineariser l(run.vehicle.description, run.one);
  ASSERT_TRUE(l.linearise(run.one));
  // from x, A times a disturbance is what the next state differs by
  const std::vector<Variable> x = remembered_variables(run.one.simulator());
  Instance a(run.vehicle.description), b(run.vehicle.description);
  a.become(run.one), b.become(run.one);
  step::VehicleState state = run.one.simulator().state();
  std::vector<double> d(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    d[j] = (j % 2 == 0 ? 1 : -1) * 0.2 * x[j].delta;
    put_in(state, x[j], value_in(state, x[j]) + d[j]);
  }
  b.simulator().set_state(state);
  ASSERT_TRUE(a.step());
  ASSERT_TRUE(b.step());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double expected = 0, size = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      expected += l.result().A(i, j) * d[j];
      size += std::abs(l.result().A(i, j) * d[j]);
    }
    EXPECT_NEAR(value_in(b.simulator().state(), x[i]) - value_in(a.simulator().state(), x[i]),
                expected, 1e-3 * size)
        << x[i].name;
  }
}

// A wheelset that is lifted so that its left wheel just does not touch: one side of a difference
// presses, the other does not.
TEST(linearise, at_an_event_the_derivative_is_that_of_the_way_the_step_goes) {
  Running run("wheelset", "loaded", 20);
  const std::vector<Variable> x = remembered_variables(run.one.simulator());
  std::size_t z = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j].name == "q.z") z = j;
  ASSERT_EQ(x[z].name, "q.z");
  // find the height at which the step changes its way, to less than a difference
  step::VehicleState state = run.one.simulator().state();
  const auto branch = [&](double height) {
    Instance copy(run.vehicle.description);
    copy.become(run.one);
    step::VehicleState lifted = state;
    put_in(lifted, x[z], height);
    copy.simulator().set_state(lifted);
    EXPECT_TRUE(copy.step());
    return StepMap::branch_of_last_step(copy.simulator());
  };
  double low = value_in(state, x[z]), high = low + 2e-3;
  const StepMap::Branch standing = branch(low);
  ASSERT_NE(standing, branch(high));
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (branch(middle) == standing ? low : high) = middle;
  }
  Lineariser l(run.vehicle.description, run.one, {{"q.z", "dq.z"}, {}, {}});
  Instance at(run.vehicle.description);
  at.become(run.one);
  put_in(state, x[z], low);
  at.simulator().set_state(state);
  ASSERT_TRUE(l.linearise(at));
  EXPECT_EQ(l.result().sides[0], Side::behind);
  EXPECT_GE(l.result().one_sided, 1u);
  // a micrometre below, where both sides go that way, it is nearly the same
  const double here = l.result().A(1, 0);
  put_in(state, x[z], low - 1e-6);
  at.simulator().set_state(state);
  ASSERT_TRUE(l.linearise(at));
  EXPECT_EQ(l.result().sides[0], Side::both);
  EXPECT_NEAR(l.result().A(1, 0), here, 0.05 * std::abs(here) + 1e-3);
}

TEST(linearise, irregularity_moves_the_rail_as_the_track_would) {
  // a rail that rises by e at both wheels is a wheelset that is lower by e
  Running run("wheelset", "loaded", 20);
  const LineariseOptions options{{"q.z", "dq.z"}, {"vertical.*"}, {}};
  Lineariser l(run.vehicle.description, run.one, options);
  ASSERT_TRUE(l.linearise(run.one));
  // dq.z: forces follow from the gap alone
  EXPECT_NEAR(l.result().B(1, 0), -l.result().A(1, 0), 1e-4 * std::abs(l.result().A(1, 0)));
}

TEST(linearise, names_that_do_not_exist_are_errors) {
  Running run("wheelset", "loaded", 1);
  EXPECT_THAT(test::error_of([&] {
                Lineariser(run.vehicle.description, run.one, {{"q.zz"}, {}, {}});
              }),
              testing::HasSubstr("q.z"));
  EXPECT_THAT(test::error_of([&] {
                Lineariser(run.vehicle.description, run.one, {{}, {}, {"Q.wheelset.lefd"}});
              }),
              testing::HasSubstr("Q.wheelset.left"));
}

}  // namespace
}  // namespace klingel::simulation
