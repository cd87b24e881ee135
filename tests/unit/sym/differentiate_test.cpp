// Derivatives: by a symbol, by time, along a direction; remembered, and safe on long chains.
#include "sym/differentiate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sym/jacobian.hpp"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

class differentiate : public testing::Test {
 protected:
  Expr c(std::int64_t num, std::int64_t den = 1) { return g.rational(num, den); }

  Graph g;
  Expr x = g.symbol("x");
  Expr y = g.symbol("y");
  Expr z = g.symbol("z");
};

// d/dx

TEST_F(differentiate, leaves) {
  EXPECT_EQ(derivative(x, x), c(1));
  EXPECT_EQ(derivative(y, x), c(0));
  EXPECT_EQ(derivative(c(5), x), c(0));
}

TEST_F(differentiate, sums) {
  EXPECT_EQ(derivative(x + y, x), c(1));
  EXPECT_EQ(derivative(y - x, x), c(-1));
  EXPECT_EQ(derivative(-x * y, x), -y);
}

TEST_F(differentiate, products) {
  EXPECT_EQ(derivative(x * y, x), y);
  EXPECT_EQ(derivative(x * x, x), 2 * x);
  EXPECT_EQ(derivative(pow(x, 3), x), x * x + 2 * x * x);
  EXPECT_EQ(derivative(sin(x) * y, x), cos(x) * y);
}

TEST_F(differentiate, quotients_use_the_quotient_again) {
  EXPECT_EQ(derivative(x / y, x), 1 / y);
  EXPECT_EQ(derivative(y / x, x), -((y / x) / x));
  const Expr q = sin(x) / x;
  EXPECT_EQ(derivative(q, x), (cos(x) - q) / x);
}

TEST_F(differentiate, roots_use_the_root_again) {
  EXPECT_EQ(derivative(sqrt(x), x), 1 / (2 * sqrt(x)));
  EXPECT_EQ(derivative(sqrt(x * y), x), y / (2 * sqrt(x * y)));
}

TEST_F(differentiate, chains) {
  EXPECT_EQ(derivative(sin(cos(x)), x), -(sin(x) * cos(cos(x))));
  EXPECT_EQ(derivative(exp(x * y), x), exp(x * y) * y);
  EXPECT_EQ(derivative(log(x * x), x), 2 * x * (1 / (x * x)));
  EXPECT_EQ(derivative(abs(sin(x)), x), sign(sin(x)) * cos(x));
}

TEST_F(differentiate, powers) {
  EXPECT_EQ(derivative(pow(x, y), x), y * pow(x, y - 1));
  EXPECT_EQ(derivative(pow(x, y), y), pow(x, y) * log(x));
  EXPECT_EQ(derivative(pow(x, 0.1), x), 0.1 * pow(x, 0.1 - 1));
}

TEST_F(differentiate, a_symbol_of_the_same_hash_bit_is_a_constant) {
  std::vector<Expr> s;
  for (int i = 0; i < 40; ++i) s.push_back(g.symbol("s" + std::to_string(i)));
  EXPECT_EQ(derivative(sin(s[0]) * s[32], s[32]), sin(s[0]));
}

TEST_F(differentiate, an_atom_is_differentiated_once) {
  Expr e = x;
  for (int i = 0; i < 100; ++i) e = sin(e * y) + x;
  const Expr first = derivative(e, x);
  const std::size_t size = g.size();
  EXPECT_EQ(derivative(e, x), first);
  EXPECT_EQ(g.size(), size);
}

TEST_F(differentiate, shared_atoms_do_not_multiply_the_work) {
  // as a tree this has 2^60 products
  Expr e = x;
  for (int i = 0; i < 60; ++i) e = e * e + y;
  EXPECT_LT(g.size(), 250u);
  derivative(e, x);
  EXPECT_LT(g.size(), 500u);
}

TEST_F(differentiate, a_chain_of_a_million_atoms_does_not_need_a_deep_stack) {
  Expr e = x;
  for (int i = 0; i < 500'000; ++i) e = sin(e) + y;
  const Expr d = derivative(e, x);
  const std::vector<Expr> leaves{x, y};
  double expected = 1, at = 0.3;
  for (int i = 0; i < 500'000; ++i) {
    expected *= std::cos(at);
    at = std::sin(at) + 0.1;
  }
  EXPECT_NEAR(test::value(leaves, std::vector<double>{0.3, 0.1}, d), expected, 1e-12);
}

// general derivations

TEST_F(differentiate, a_derivation_is_fixed_by_its_seeds) {
  const std::vector<Seed> seeds{{x, y}, {y, -x}};  // the rotation in the plane
  EXPECT_EQ(derivation(x * x + y * y, seeds), c(0));
  EXPECT_EQ(derivation(x + z, seeds), y);
  const std::vector<Expr> list{x, y, z};
  EXPECT_EQ(derivation(list, seeds), (std::vector<Expr>{y, -x, c(0)}));
}

TEST_F(differentiate, without_seeds_everything_is_constant) {
  EXPECT_EQ(derivation(x * y, std::vector<Seed>{}), c(0));
  EXPECT_TRUE(derivation(std::vector<Expr>{}, std::vector<Seed>{{x, y}}).empty());
}

// d/dt

TEST_F(differentiate, time_derivatives_follow_coordinate_velocity_acceleration) {
  const Coordinate q = g.coordinate("q");
  const Expr m = g.parameter("m");
  EXPECT_EQ(time_derivative(q.q), q.dq);
  EXPECT_EQ(time_derivative(q.dq), q.ddq);
  EXPECT_EQ(time_derivative(m * sin(q.q)), m * (cos(q.q) * q.dq));
  EXPECT_EQ(time_derivative(time_derivative(q.q * q.q)), 2 * (q.q * q.ddq + q.dq * q.dq));
}

TEST_F(differentiate, contact_coordinates_have_rates_as_well) {
  const Coordinate s = g.contact_coordinate("s");
  EXPECT_EQ(time_derivative(s.q), s.dq);
  EXPECT_EQ(time_derivative(s.dq), s.ddq);
}

TEST_F(differentiate, time_runs_and_parameters_and_spline_coefficients_stand_still) {
  const Expr t = g.time(), p = g.parameter("p"), a = g.symbol("a", SymbolKind::spline);
  EXPECT_EQ(time_derivative(t), c(1));
  EXPECT_EQ(time_derivative(p * t + a), p);
  EXPECT_EQ(time_derivative(p), c(0));
  EXPECT_EQ(time_derivative(c(2)), c(0));
}

TEST_F(differentiate, a_declared_rate_is_followed) {
  const Expr u = g.input("u"), du = g.input("du");
  g.set_rate(u, du);
  EXPECT_EQ(time_derivative(u * u), 2 * (u * du));
  g.set_rate(u, -u);
  EXPECT_EQ(time_derivative(u * u), -2 * (u * u));
}

TEST_F(differentiate, an_input_without_a_rate_is_an_error_that_names_it) {
  const Expr u = g.input("torque");
  const Coordinate q = g.coordinate("q");
  EXPECT_EQ(error_of([&] { time_derivative(u * q.q); }),
            "the time derivative of 'torque' (input) is not declared; give it with set_rate");
  EXPECT_EQ(error_of([&] { time_derivative(q.ddq); }),
            "the time derivative of 'ddq' (acceleration) is not declared; give it with set_rate");
}

TEST_F(differentiate, a_list_is_differentiated_by_time_at_once) {
  const Coordinate q = g.coordinate("q");
  const std::vector<Expr> list{q.q, sin(q.q), c(1)};
  EXPECT_EQ(time_derivative(list), (std::vector<Expr>{q.dq, cos(q.q) * q.dq, c(0)}));
}

// second derivative along a direction

TEST_F(differentiate, the_second_derivative_along_a_direction_of_a_circle) {
  const Expr v = g.symbol("v"), w = g.symbol("w");
  const std::vector<Seed> direction{{x, v}, {y, w}};
  EXPECT_EQ(second_directional_derivative(x * x + y * y, direction), 2 * (v * v) + 2 * (w * w));
  EXPECT_EQ(second_directional_derivative(x + 2 * y, direction), c(0));
}

TEST_F(differentiate, gamma_is_what_the_second_time_derivative_has_beside_accelerations) {
  // loop of a crank and a slider: phi = (l1 cos a + l2 cos b - s, l1 sin a + l2 sin b)
  const Coordinate a = g.coordinate("a"), b = g.coordinate("b"), s = g.coordinate("s");
  const Expr l1 = g.parameter("l1"), l2 = g.parameter("l2");
  const std::vector<Expr> phi{l1 * cos(a.q) + l2 * cos(b.q) - s.q, l1 * sin(a.q) + l2 * sin(b.q)};
  const std::vector<Expr> q{a.q, b.q, s.q}, ddq{a.ddq, b.ddq, s.ddq};
  const std::vector<Seed> along{{a.q, a.dq}, {b.q, b.dq}, {s.q, s.dq}};

  // J ddq + (second derivative along dq) = d^2 phi / dt^2, with (dJ/dt) dq for the second term
  const std::vector<Expr> gamma = second_directional_derivative(phi, along);
  const std::vector<Expr> second = time_derivative(time_derivative(phi));
  const Matrix J = jacobian(phi, q);
  std::vector<Expr> j_ddq(2, c(0)), dj_dq(2, c(0));
  for (const Entry& e : J.entries()) {
    j_ddq[e.row] += e.value * ddq[e.col];
    dj_dq[e.row] += time_derivative(e.value) * along[e.col].value;
  }
  const std::vector<Expr> leaves{a.q, b.q, a.dq, b.dq, s.dq, a.ddq, b.ddq, s.ddq, l1, l2};
  const std::vector<double> at{0.4, -0.3, 1.5, 0.7, -2.0, 3.0, -5.0, 0.9, 0.2, 0.6};
  const std::vector<double> G = test::values(leaves, at, gamma);
  const std::vector<double> S = test::values(leaves, at, second);
  const std::vector<double> A = test::values(leaves, at, j_ddq);
  const std::vector<double> D = test::values(leaves, at, dj_dq);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(G[i], D[i], 1e-15);         // a few roundings of numbers near one
    EXPECT_NEAR(A[i] + G[i], S[i], 1e-14);  // of numbers near ten
  }
  // by hand: -(l1 cos a da^2 + l2 cos b db^2)
  EXPECT_NEAR(G[0], -(0.2 * std::cos(0.4) * 2.25 + 0.6 * std::cos(-0.3) * 0.49), 1e-15);
}

TEST_F(differentiate, a_list_has_its_second_derivatives_at_once) {
  const Expr v = g.symbol("v");
  const std::vector<Seed> direction{{x, v}};
  const std::vector<Expr> list{x * x, y};
  EXPECT_EQ(second_directional_derivative(list, direction), (std::vector<Expr>{2 * (v * v), c(0)}));
}

// wrong use

TEST_F(differentiate, wrong_seeds_are_errors) {
  Graph other;
  const Expr w = other.symbol("w");
  const std::string mixed =
      "expressions of two different graphs were used together; build both in one graph";
  EXPECT_EQ(error_of([&] { derivative(x, x * y); }),
            "a symbol was expected, found an atom of operation 'mul'");
  EXPECT_EQ(error_of([&] { derivative(x, c(2)); }),
            "a symbol was expected, found an atom of operation 'integer'");
  EXPECT_EQ(error_of([&] { derivative(x, w); }), mixed);
  EXPECT_EQ(error_of([&] { derivation(x, std::vector<Seed>{{x, w}}); }), mixed);
  EXPECT_EQ(error_of([&] {
              derivation(x, std::vector<Seed>{{x, y}, {x, z}});
            }),
            "two seeds are given for the symbol 'x'");
  EXPECT_EQ(error_of([&] {
              derivation(std::vector<Expr>{x, w}, std::vector<Seed>{{x, y}});
            }),
            mixed);
  EXPECT_EQ(error_of([&] { derivative(Expr(), x); }),
            "an empty expression was used; give it a value first");
}

}  // namespace
}  // namespace klingel::sym
