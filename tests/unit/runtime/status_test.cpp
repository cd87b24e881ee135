// A failure as text: time, step, what, where, residual with unit and tolerance.
#include "runtime/status.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace klingel::runtime {
namespace {

const std::vector<std::string> coordinates = {"crank", "rocker"};
const std::vector<std::string> constraints = {"loop.x [m]", "norm"};

TEST(status, a_projection_that_failed_says_which_constraint_and_how_far) {
  const Failure f{.status = Status::not_converged,
                  .t = 12.347,
                  .step = 12347,
                  .equation = "projection of q",
                  .where = Failure::Where::constraint,
                  .index = 0,
                  .residual = 3.1e-4,
                  .tolerance = 1e-9,
                  .iterations = 10};
  EXPECT_EQ(text(f, coordinates, constraints),
            "t = 12.347 s (step 12347): projection of q: not converged at constraint 'loop.x'\n"
            "    residual 0.00031 m after 10 iterations (tolerance 1e-09 m)");
}

TEST(status, a_coordinate_is_named_and_a_missing_unit_is_left_out) {
  Failure f{.status = Status::not_finite,
            .t = 0.5,
            .step = 3,
            .equation = "delta_q",
            .where = Failure::Where::coordinate,
            .index = 1};
  EXPECT_EQ(text(f, coordinates, constraints),
            "t = 0.5 s (step 3): delta_q: not finite at coordinate 'rocker'");
  f = {.status = Status::not_converged,
       .equation = "projection of dq",
       .where = Failure::Where::constraint,
       .index = 1,
       .residual = -2,
       .tolerance = 1e-10};
  EXPECT_EQ(text(f, coordinates, constraints),
            "t = 0 s: projection of dq: not converged at constraint 'norm'\n"
            "    residual -2 (tolerance 1e-10)");
  f = {.status = Status::singular,
       .equation = "M_qq",
       .where = Failure::Where::coordinate,
       .tolerance = 1e-13};
  EXPECT_EQ(text(f, coordinates, constraints),
            "t = 0 s: M_qq: singular at coordinate 'crank'\n"
            "    pivot 0 of the scaled mass matrix (tolerance 1e-13)");
}

TEST(status, an_index_without_a_name_and_no_failure_are_no_crash) {
  Failure f;
  EXPECT_EQ(text(f, {}, {}), "no failure");
  f = {.status = Status::not_finite, .where = Failure::Where::constraint, .index = 7};
  EXPECT_EQ(text(f, {}, {}), "t = 0 s: : not finite");
}

TEST(status, names_and_units_are_told_apart) {
  EXPECT_EQ(name_and_unit("loop.x [m]").name, "loop.x");
  EXPECT_EQ(name_and_unit("loop.x [m]").unit, "m");
  EXPECT_EQ(name_and_unit("phi[0]").name, "phi[0]");
  EXPECT_EQ(name_and_unit("phi[0]").unit, "");
  EXPECT_EQ(name_and_unit(" []").name, "");
  for (const Status s : {Status::ok, Status::not_converged, Status::singular, Status::not_finite})
    EXPECT_FALSE(name(s).empty());
}

}  // namespace
}  // namespace klingel::runtime
