// Full pivoting of systems that fall into parts.
#include "step/pivoting_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace klingel::step {
namespace {

// Unknowns 0 and 2 have to do with each other, and 1 and 3, whose first pivot is zero.
//   [ 2 0 1 0 ]
//   [ 0 0 0 3 ]
//   [ 1 0 4 0 ]
//   [ 0 5 0 1 ]
constexpr std::uint32_t col_start[] = {0, 2, 3, 5, 7}, row[] = {0, 2, 3, 0, 2, 1, 3};

klingel_output pattern() {
  klingel_output o{};
  o.rows = o.cols = 4, o.size = 7;
  o.col_start = col_start, o.row = row;
  return o;
}

TEST(pivoting_solver, solves_parts_whose_first_pivot_vanishes) {
  const klingel_output A = pattern();
  PivotingSolver solver(A, 4);
  const std::vector<double> values{2, 1, 5, 1, 4, 3, 1};
  // A (1, 2, 3, 4)
  ASSERT_TRUE(solver.solve(values, std::vector<double>{5, 12, 13, 14}));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(solver.x()[static_cast<std::size_t>(i)], i + 1, 1e-14);
}

TEST(pivoting_solver, says_that_a_part_is_singular) {
  const klingel_output A = pattern();
  PivotingSolver solver(A, 4);
  // rows 0 and 2 are equal
  EXPECT_FALSE(solver.solve(std::vector<double>{2, 2, 5, 1, 1, 3, 1}, std::vector<double>(4, 1)));
  EXPECT_FALSE(solver.solve(std::vector<double>{2, 1, 5, 1, 4, NAN, 1}, std::vector<double>(4, 1)));
}

}  // namespace
}  // namespace klingel::step
