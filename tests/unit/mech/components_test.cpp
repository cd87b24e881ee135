// Components: sums in a fixed order, zeros and ones that cost nothing, tensors turned cheaply.
#include "mech/components.hpp"

#include <gtest/gtest.h>

#include "sym/count.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/random.hpp"

namespace klingel::mech {
namespace {

class components : public testing::Test {
 protected:
  Triple triple(const std::string& name) {
    return {g.symbol(name + "x"), g.symbol(name + "y"), g.symbol(name + "z")};
  }
  Block block(const std::string& name) {
    Block t;
    for (std::size_t i = 0; i < 9; ++i) t[i] = g.symbol(name + std::to_string(i));
    return t;
  }
  Block symmetric(const std::string& name) {
    Block t = block(name);
    t[3] = t[1], t[6] = t[2], t[7] = t[5];
    return t;
  }
  Expr n(std::int64_t value) { return g.rational(value, 1); }
  Block about(std::size_t k, Expr angle) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    Block R = {n(1), n(0), n(0), n(0), n(1), n(0), n(0), n(0), n(1)};
    R[4 * i] = R[4 * j] = cos(angle);
    R[3 * j + i] = sin(angle);
    R[3 * i + j] = -sin(angle);
    return R;
  }
  std::size_t operations(std::span<const Expr> list) { return sym::count(list).total(); }

  // both lists have the same values at random places
  void expect_equal(std::span<const Expr> a, std::span<const Expr> b) {
    test::Random random(1);
    std::vector<Expr> symbols;
    std::vector<double> at;
    for (const sym::Symbol& s : g.symbols()) {
      symbols.push_back({&g, s.id});
      at.push_back(random.within(2));
    }
    const std::vector<double> x = test::values(symbols, at, a), y = test::values(symbols, at, b);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-14) << i;
  }

  sym::Graph g;
};

TEST_F(components, zeros_are_seen) {
  EXPECT_TRUE(is_zero(Triple{n(0), n(0), n(0)}));
  EXPECT_FALSE(is_zero(Triple{n(0), g.symbol("x"), n(0)}));
  Block t;
  t.fill(n(0));
  EXPECT_TRUE(is_zero(t));
  t[5] = n(1);
  EXPECT_FALSE(is_zero(t));
}

TEST_F(components, products_are_what_they_are_called) {
  const Triple u = triple("u"), v = triple("v");
  EXPECT_EQ(dot(u, v), u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
  const Triple w = cross(u, v);
  EXPECT_EQ(w[0], u[1] * v[2] - u[2] * v[1]);
  EXPECT_EQ(w[1], u[2] * v[0] - u[0] * v[2]);
  EXPECT_EQ(w[2], u[0] * v[1] - u[1] * v[0]);
  const Block t = block("t");
  EXPECT_EQ(product(t, u)[1], t[3] * u[0] + t[4] * u[1] + t[5] * u[2]);
  EXPECT_EQ(transposed_product(t, u), product(transposed(t), u));
  const Block s = block("s");
  EXPECT_EQ(product(t, s)[5], t[3] * s[2] + t[4] * s[5] + t[5] * s[8]);
}

TEST_F(components, sums_and_multiples_are_taken_component_by_component) {
  const Triple u = triple("u"), v = triple("v");
  const Block s = block("s"), t = block("t");
  const Expr f = g.symbol("f");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plus(u, v)[i], u[i] + v[i]) << i;
    EXPECT_EQ(minus(u, v)[i], u[i] - v[i]) << i;
    EXPECT_EQ(negated(u)[i], -u[i]) << i;
    EXPECT_EQ(scaled(f, u)[i], f * u[i]) << i;
  }
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(plus(s, t)[i], s[i] + t[i]) << i;
    EXPECT_EQ(scaled(f, t)[i], f * t[i]) << i;
  }
}

TEST_F(components, every_entry_of_a_product_is_a_row_times_a_column) {
  const Block s = block("s"), t = block("t");
  const Triple u = triple("u");
  const Block st = product(s, t), turned = transposed(t);
  for (std::size_t i = 0; i < 3; ++i) {
    const Triple row = {s[3 * i], s[3 * i + 1], s[3 * i + 2]};
    EXPECT_EQ(product(s, u)[i], dot(row, u)) << i;
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(st[3 * i + j], dot(row, {t[j], t[3 + j], t[6 + j]})) << i << j;
      EXPECT_EQ(turned[3 * i + j], t[3 * j + i]) << i << j;
    }
  }
}

TEST_F(components, one_unequal_pair_is_enough_to_lose_symmetry) {
  const Block equal = symmetric("t");
  const Expr other = g.symbol("other");
  EXPECT_TRUE(is_symmetric(equal));
  for (const std::size_t i : {1, 2, 3, 5, 6, 7}) {
    Block t = equal;
    t[i] = other;
    EXPECT_FALSE(is_symmetric(t)) << i;
  }
}

// The short formulas hold for rotations about a coordinate axis only: a block that is nearly one
// must be turned by the long ones.
TEST_F(components, a_block_that_is_nearly_a_rotation_about_an_axis_is_not_taken_for_one) {
  const Block t = symmetric("t");
  const Expr angle = g.symbol("angle"), other = g.symbol("other");
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 9; ++i) {
      Block R = about(k, angle);
      R[i] = other;
      expect_equal(rotated(R, t), product(product(R, t), transposed(R)));
    }
  }
}

TEST_F(components, the_cost_of_a_product_counts_no_zeros_and_no_ones) {
  const Expr x = g.symbol("x");
  const auto cost = [&](Expr a, Expr b, Expr c) {
    return product_cost({a, b, c, n(0), n(0), n(0), n(0), n(0), n(0)});
  };
  EXPECT_EQ(cost(n(0), n(0), n(0)), 0);
  EXPECT_EQ(cost(n(1), n(0), n(0)), 0);
  EXPECT_EQ(cost(n(-1), n(0), n(0)), 0);
  EXPECT_EQ(cost(x, n(0), n(0)), 1);
  EXPECT_EQ(cost(n(1), n(-1), n(0)), 1);
  EXPECT_EQ(cost(x, n(1), n(2)), 4);
}

TEST_F(components, cross_of_a_vector_with_itself_is_exactly_zero) {
  const Triple u = triple("u");
  EXPECT_TRUE(is_zero(cross(u, u)));
}

TEST_F(components, a_turn_about_a_coordinate_axis_costs_four_products_and_two_sums) {
  const Expr angle = g.symbol("angle");
  for (std::size_t k = 0; k < 3; ++k) {
    const Block R = about(k, angle);
    EXPECT_EQ(product_cost(R), 6);
    const Triple u = triple("u" + std::to_string(k));
    // the angle's sine and cosine, and perhaps the sign of the sine
    EXPECT_LE(operations(product(R, u)), 6u + 3u);
  }
  EXPECT_EQ(product_cost(about(0, n(0))), 0);
  EXPECT_EQ(product_cost(block("full")), 15);
}

TEST_F(components, a_symmetric_tensor_turned_is_R_t_Rt_and_symmetric_atom_by_atom) {
  const Block t = symmetric("t");
  const Expr angle = g.symbol("angle");
  for (std::size_t k = 0; k < 3; ++k) {
    const Block R = about(k, angle);
    const Block turned = rotated(R, t);
    EXPECT_TRUE(is_symmetric(turned));
    // 16 operations, sine, cosine and a sign
    EXPECT_LE(operations(turned), 16u + 3u);
    expect_equal(turned, product(product(R, t), transposed(R)));
  }
  const Block R = product(about(0, g.symbol("a")), about(1, g.symbol("b")));
  EXPECT_TRUE(is_symmetric(rotated(R, t)));
  expect_equal(rotated(R, t), product(product(R, t), transposed(R)));
}

TEST_F(components, a_tensor_without_symmetry_keeps_both_halves) {
  const Block t = block("t"), R = about(2, g.symbol("angle"));
  EXPECT_FALSE(is_symmetric(rotated(R, t)));
  expect_equal(rotated(R, t), product(product(R, t), transposed(R)));
}

TEST_F(components, the_angle_vanishes_from_a_tensor_of_revolution) {
  const Expr I = g.symbol("I"), J = g.symbol("J");
  const Block t = {I, n(0), n(0), n(0), J, n(0), n(0), n(0), I};
  EXPECT_EQ(rotated(about(1, g.symbol("angle")), t), t);
  EXPECT_NE(rotated(about(0, g.symbol("other")), t), t);
}

TEST_F(components, turning_acceleration_is_alpha_x_r_plus_w_x_w_x_r) {
  const Triple w = triple("w"), alpha = triple("alpha"), r = triple("r");
  expect_equal(turning_acceleration(w, alpha, r), plus(cross(alpha, r), cross(w, cross(w, r))));
  EXPECT_TRUE(is_zero(turning_acceleration(w, alpha, Triple{n(0), n(0), n(0)})));
}

TEST_F(components, turning_accelerations_of_one_base_share_their_matrix) {
  const Triple w = triple("w"), alpha = triple("alpha"), r = triple("r"), s = triple("s");
  const Triple a = turning_acceleration(w, alpha, r), b = turning_acceleration(w, alpha, s);
  std::vector<Expr> both(a.begin(), a.end());
  both.insert(both.end(), b.begin(), b.end());
  // a second vector costs one product
  EXPECT_EQ(operations(both), operations(a) + 15);
}

}  // namespace
}  // namespace klingel::mech
