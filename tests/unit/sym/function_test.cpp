// Functions: what an output holds and how many doubles it writes.
#include "sym/function.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

TEST(function, a_scalar_output_is_one_double) {
  Graph g;
  const Output o = Output::scalar("energy", g.symbol("e"));
  EXPECT_EQ(o.name, "energy");
  EXPECT_EQ(o.size(), 1u);
  EXPECT_FALSE(o.sparse);
}

TEST(function, a_vector_output_is_a_column) {
  Graph g;
  const std::vector<Expr> values{g.symbol("x"), g.number(0), g.symbol("z")};
  const Output o = Output::vector("r", values);
  EXPECT_EQ(o.matrix.rows(), 3u);
  EXPECT_EQ(o.matrix.cols(), 1u);
  EXPECT_EQ(o.size(), 3u);
}

TEST(function, a_sparse_output_writes_its_nonzeros) {
  Graph g;
  Output o{"M", Matrix(3, 3, {{0, 0, g.symbol("x")}, {2, 1, g.symbol("y")}}), true};
  EXPECT_EQ(o.size(), 2u);
  o.sparse = false;
  EXPECT_EQ(o.size(), 9u);
}

}  // namespace
}  // namespace klingel::sym
