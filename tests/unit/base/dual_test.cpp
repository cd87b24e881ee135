// Subject: base/dual. Claim: formulas of dual numbers have the derivatives of the formulas, of
// however many variables their parts are.
#include "base/dual.hpp"

#include <gtest/gtest.h>

namespace klingel::base {
namespace {

constexpr Pack x0 = {0.3, -0.2, 0.9, 0.45}, y0 = {1.1, 0.7, -0.4, 2};

template <class A, class B>
auto formula(const A& x, const B& y) {
  const auto smooth = sin(x * y) / (2 + cos(y)) - root(x * x + 0.1) * exponential(0.5 * x);
  const auto bent = larger(magnitude(y * 1.0), y * y) + smaller(y, y * 2.0);
  return subtract_product(y, y, multiply_add(x, y, smooth)) + (1 / (3 + y)) * bent -
         2.0 * arc_tangent(y);
}

// A dual of the first variable alone, and one of both.
TEST(dual, has_the_derivatives_of_its_formula) {
  const Dual<1> x(x0, 0);
  const Dual<2> y(y0, 1);
  const auto f = formula(x, y);
  static_assert(decltype(f)::size == 2);
  constexpr double h = 1e-5;
  const auto value = [&](double dx, double dy) {
    return formula(Dual<1>(x0 + dx), Dual<2>(y0 + dy)).v;
  };
  const Pack by_x = (value(h, 0) - value(-h, 0)) / (2 * h);
  const Pack by_y = (value(0, h) - value(0, -h)) / (2 * h);
  for (std::size_t lane = 0; lane < pack_lanes; ++lane) {
    EXPECT_EQ(f.v[lane], value(0, 0)[lane]);
    EXPECT_NEAR(f.d[0][lane], by_x[lane], 1e-9);
    EXPECT_NEAR(f.d[1][lane], by_y[lane], 1e-9);
  }
}

TEST(dual, products_of_any_widths_agree) {
  const Dual<1> a(x0, 0);
  const Dual<2> b(y0, 1);
  const Dual<3> c(x0 * y0, 2);
  const Dual<3> wide_a = a, wide_b = b;
  const auto same = [](const Dual<3>& p, const Dual<3>& q) {
    for (std::size_t lane = 0; lane < pack_lanes; ++lane) {
      EXPECT_NEAR(p.v[lane], q.v[lane], 1e-15);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(p.d[i][lane], q.d[i][lane], 1e-15);
    }
  };
  same(multiply_add(a, b, c), wide_a * wide_b + c);
  same(multiply_add(c, a, b), c * wide_a + wide_b);
  same(multiply_add(b, c, a), wide_b * c + wide_a);
  same(subtract_product(a, b, c), c - wide_a * wide_b);
  same(subtract_product(c, b, a), wide_a - c * wide_b);
  same(duals::sum_of_products(a, b, b, c), wide_a * wide_b + wide_b * c);
  same(duals::difference_of_products(a, c, a, b), wide_a * c - wide_a * wide_b);
}

TEST(dual, of_a_root_of_zero_counts_as_zero) {
  const Dual<1> zero(Pack{}, 0);
  EXPECT_EQ(root(zero).d[0][1], 0);
}

}  // namespace
}  // namespace klingel::base
