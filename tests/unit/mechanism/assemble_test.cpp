// Assembly: closes from near and far, respects what is held, counts freedom, and says which
// constraint stays open and why.
#include "mechanism/assemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/runtime/hand_kernel.hpp"

namespace klingel::mechanism {
namespace {

using testing::ElementsAre;

TEST(assemble, moves_the_free_coordinates_as_little_as_possible) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.q = {0.51, -0.5};
  state.dq = {1, 2};
  const Assembly a = assemble(m, state);
  EXPECT_EQ(a.degrees_of_freedom, 1u);
  EXPECT_EQ(a.independent, 1u);
  EXPECT_EQ(a.redundant, 0u);
  EXPECT_FALSE(a.singular_position);
  EXPECT_LE(a.largest_phi, 1e-12);
  EXPECT_LE(m.largest_phi(state), 1e-12);
  EXPECT_NEAR(state.q[0] / state.q[1], -0.51 / 0.5, 1e-4);  // radial
  EXPECT_LE(std::abs(m.phi_rates(state)[0]), 1e-11);
}

TEST(assemble, what_is_held_does_not_move) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.q = {0.42, -0.1};
  state.dq = {0.3, 5};
  assemble(m, state, {.coordinates = {"x"}, .rates = {"dx"}});
  EXPECT_EQ(state.q[0], 0.42);
  EXPECT_NEAR(state.q[1], -0.56, 1e-12);
  EXPECT_EQ(state.dq[0], 0.3);
  EXPECT_NEAR(state.dq[1], 0.3 * 0.42 / 0.56, 1e-11);
}

TEST(assemble, counts_redundant_constraints_and_tells_the_mechanism) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k, 4);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.q = {0.2, -0.6};
  // constraints times thousands cannot be met to 1e-12
  const Assembly a = assemble(m, state, {}, {.position_tolerance = 1e-11});
  EXPECT_EQ(a.redundant, 3u);
  EXPECT_EQ(a.degrees_of_freedom, 1u);
  EXPECT_EQ(m.rank(), 1u);
}

TEST(assemble, starts_also_where_the_constraints_have_no_direction) {
  // at the centre of the circle every direction is as good
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.q = {0, 0};
  EXPECT_LE(assemble(m, state).largest_phi, 1e-12);
}

TEST(assemble, follows_constraints_in_time) {
  runtime::HandKernel k("moved");
  runtime::make_moved(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.t = 0.25;
  const Assembly a = assemble(m, state);
  EXPECT_EQ(a.degrees_of_freedom, 0u);
  EXPECT_NEAR(state.q[0], 0.1 * std::sin(0.25), 1e-12);
  EXPECT_NEAR(state.dq[0], 0.1 * std::cos(0.25), 1e-12);
  EXPECT_NEAR(state.dq[1], -0.1 * std::cos(0.25), 1e-12);
}

TEST(assemble, of_a_tree_is_counting) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  EXPECT_EQ(assemble(m, state).degrees_of_freedom, 1u);
  EXPECT_EQ(runtime::error_of([&] { assemble(m, state, {.coordinates = {"X"}}); }),
            "'spring' has no coordinate 'X' to hold; did you mean 'x'?");
  EXPECT_EQ(runtime::error_of([&] { assemble(m, state, {.rates = {"x"}}); }),
            "'spring' has no rate 'x' to hold; did you mean 'dx'?");
}

TEST(assemble, contradicting_constraints_are_called_over_constrained) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k, 2, 50);
  Mechanism m(k.abi(), {"rod [m]", "other [mm]"});
  State state = m.nominal_state();
  state.q = {0.3, -0.5};
  EXPECT_THAT(runtime::error_of([&] { assemble(m, state); }),
              testing::MatchesRegex(
                  "'rod' cannot be assembled: constraint 'rod' is -0.05 m after [0-9]+ iterations "
                  "\\(tolerance 1e-12 m\\)\n"
                  "    it is over-constrained: of 2 constraints, only 1 can be met independently "
                  "by 2 free coordinates, and the rest contradict them\n"
                  "    free: x, z; held: none\n"
                  "    hold fewer or other coordinates, or remove or correct a constraint"));
  EXPECT_THAT(state.q, ElementsAre(0.3, -0.5));
}

TEST(assemble, what_cannot_be_reached_says_how_far_it_got) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi(), {"rod [m]"});
  State state = m.nominal_state();
  state.q = {0.9, -0.1};
  EXPECT_THAT(
      runtime::error_of([&] { assemble(m, state, {.coordinates = {"x"}}); }),
      testing::MatchesRegex(
          "'rod' cannot be assembled: constraint 'rod' is 0.229 m after [0-9]+ iterations "
          "\\(tolerance 1e-12 m\\)\n"
          "    it could not be closed from here: 'rod' was 0.236 m at the start and no change of "
          "the free coordinates brings it closer\n"
          "    free: z; held: x\n"
          "    try other start values, hold other coordinates, or check the lengths"));
  EXPECT_THAT(runtime::error_of([&] { assemble(m, state, {}, {.max_iterations = 1}); }),
              testing::HasSubstr("at the start and the iterations were used up"));
  EXPECT_THAT(runtime::error_of([&] {
                assemble(m, state, {.coordinates = {"x", "z"}});
              }),
              testing::HasSubstr("of 1 constraint, only 0 can be met independently by 0 free "
                                 "coordinates, and the rest contradict them\n"
                                 "    free: none; held: x, z"));
}

TEST(assemble, rates_that_contradict_are_an_error) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi(), {"rod [m]"});
  State state = m.nominal_state();
  state.dq = {0, 0.5};
  EXPECT_EQ(runtime::error_of([&] { assemble(m, state, {.rates = {"dz"}}); }),
            "the rates of 'rod' contradict its constraints: 'rod' changes by -0.5 m/s (tolerance "
            "1e-11 m/s)\n"
            "    of 1 constraints, only 0 can be met by 1 free rates\n"
            "    free: dx; held: dz\n"
            "    hold fewer or other rates");
}

TEST(assemble, a_start_that_is_not_finite_is_an_error_that_names_the_constraint) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi(), {"rod [m]"});
  State state = m.nominal_state();
  state.q[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(runtime::error_of([&] { assemble(m, state); }),
            "'rod' cannot be assembled: constraint 'rod' is nan at the given coordinates");
  state.q.pop_back();
  EXPECT_EQ(runtime::error_of([&] { assemble(m, state); }),
            "'rod' has 2 coordinates, but the state has 1 and 2 rates");
}

}  // namespace
}  // namespace klingel::mechanism
