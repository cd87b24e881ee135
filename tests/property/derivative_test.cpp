// Derivatives of random programs against differences of the interpreter in long double, forward
// against reverse, time derivatives against differences along a motion.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "tests/support/property.hpp"

namespace klingel::sym {
namespace {

using test::any_recipe;
using test::Bounded;
using test::check_property;
using test::Recipe;

// The derivative of the outputs of a tape along a curve, by central differences.
struct Difference {
  long double value;
  long double error;  // what going from step h to h/2 changed, and rounding
};

// `at(tau)` gives the inputs at a parameter tau of the curve. The step 2^-19 makes truncation
// (about h^2 = 4e-12) and rounding (2^-64 / h = 3e-14) small together.
template <class Curve>
std::vector<Difference> differences(const Tape& tape, const Curve& at,
                                    const std::vector<Bounded>& f) {
  constexpr long double h = 0x1p-19L;
  std::vector<long double> registers(tape.registers());
  const auto run = [&](long double tau) {
    const std::vector<long double> in = at(tau);
    std::vector<long double> out(tape.outputs());
    tape.run(in.data(), out.data(), registers.data());
    return out;
  };
  const auto plus = run(h), minus = run(-h), half_plus = run(h / 2), half_minus = run(-h / 2);
  std::vector<Difference> d;
  for (std::size_t i = 0; i < plus.size(); ++i) {
    const long double coarse = (plus[i] - minus[i]) / (2 * h);
    const long double fine = (half_plus[i] - half_minus[i]) / h;
    // the bound of f is for doubles, long double is 2^11 times finer
    const long double rounding = 4 * f[i].error * 0x1p-11L / h;
    d.push_back({(4 * fine - coarse) / 3, std::abs(fine - coarse) + rounding});
  }
  return d;
}

// Compares, and counts the comparisons that mean something: where the difference is known to eight
// digits. Where it is not known at all, as for sin(1e7 x), there is nothing to compare.
class Comparison {
 public:
  bool agree(const Bounded& ours, const Difference& numeric) {
    const double size = 1 + std::abs(ours.value);
    const long double tolerance = numeric.error + 2 * ours.error + 1e-300L;
    ++all_;
    sharp_ += tolerance < 1e-8 * size ? 1 : 0;
    return !(tolerance <= 1e-6 * size) || std::abs(ours.value - numeric.value) <= tolerance;
  }
  double sharp_part() const { return static_cast<double>(sharp_) / all_; }

 private:
  int all_ = 0, sharp_ = 0;
};

TEST(derivative, equals_the_difference_of_the_interpreter) {
  Comparison comparison;
  check_property(2000, [&] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);
    const std::vector<Bounded> f = test::bounded_values(x, recipe.point(), e);
    const Tape tape(x, e);
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto at = [&](long double tau) {
        std::vector<long double> point(recipe.point().begin(), recipe.point().end());
        point[k] += tau;
        return point;
      };
      const std::vector<Difference> numeric = differences(tape, at, f);
      const std::vector<Seed> seed{{x[k], g.number(1)}};
      const std::vector<Bounded> ours =
          test::bounded_values(x, recipe.point(), derivation(e, seed));
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (!comparison.agree(ours[i], numeric[i])) {
          RC_LOG() << recipe;
          RC_FAIL(fmt::format("d v{} / d x{}: {} +- {}, numerically {} +- {}", i, k, ours[i].value,
                              ours[i].error, numeric[i].value, numeric[i].error));
        }
      }
    }
  });
  EXPECT_GT(comparison.sharp_part(), 0.95);
}

TEST(derivative, second_derivatives_are_derivatives_of_first_ones) {
  Comparison comparison;
  check_property(500, [&] {
    const Recipe recipe = any_recipe({}, 20, 100);
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);
    const std::vector<Expr> v{g.symbol("v0"), g.symbol("v1"), g.symbol("v2"), g.symbol("v3")};
    const std::vector<double> direction{0.5, -1, 0.25, 2};
    std::vector<Seed> along;
    for (std::size_t k = 0; k < x.size(); ++k) along.push_back({x[k], v[k]});

    std::vector<Expr> leaves = x;
    leaves.insert(leaves.end(), v.begin(), v.end());
    std::vector<double> point = recipe.point();
    point.insert(point.end(), direction.begin(), direction.end());
    const std::vector<Expr> first = derivation(e, along);
    const std::vector<Bounded> f = test::bounded_values(leaves, point, first, 4);
    const std::vector<Bounded> ours =
        test::bounded_values(leaves, point, second_directional_derivative(e, along));
    const auto at = [&](long double tau) {
      std::vector<long double> moved(point.begin(), point.end());
      for (std::size_t k = 0; k < x.size(); ++k) moved[k] += tau * direction[k];
      return moved;
    };
    const std::vector<Difference> numeric = differences(Tape(leaves, first), at, f);
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!comparison.agree(ours[i], numeric[i])) {
        RC_LOG() << recipe;
        RC_FAIL(fmt::format("v{}: {} +- {}, numerically {} +- {}", i, ours[i].value, ours[i].error,
                            numeric[i].value, numeric[i].error));
      }
    }
  });
  EXPECT_GT(comparison.sharp_part(), 0.9);
}

TEST(derivative, forward_and_reverse_jacobians_agree) {
  check_property(2000, [] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> all = recipe.build(x);
    const std::vector<Expr> e(all.end() - 8, all.end());
    const Matrix forward = jacobian(e, x, JacobianMode::forward);
    const Matrix reverse = jacobian(e, x, JacobianMode::reverse);
    // an entry one of them finds to vanish is zero in value in the other
    std::vector<Expr> a, b;
    for (std::uint32_t r = 0; r < e.size(); ++r) {
      for (std::uint32_t c = 0; c < x.size(); ++c) {
        a.push_back(forward.find(r, c) ? forward.find(r, c)->value : g.number(0));
        b.push_back(reverse.find(r, c) ? reverse.find(r, c)->value : g.number(0));
      }
    }
    const std::vector<Bounded> u = test::bounded_values(x, recipe.point(), a);
    const std::vector<Bounded> v = test::bounded_values(x, recipe.point(), b);
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (!test::agree(u[i], v[i])) {
        RC_LOG() << recipe;
        RC_FAIL(fmt::format("entry {} of row {}: {} +- {} and {} +- {}", i % x.size(), i / x.size(),
                            u[i].value, u[i].error, v[i].value, v[i].error));
      }
    }
  });
}

TEST(derivative, time_derivatives_follow_a_motion) {
  Comparison comparison;
  check_property(2000, [&] {
    test::RecipeOptions options;
    options.symbols = 6;
    const Recipe recipe = any_recipe(options);
    Graph g;
    const Coordinate q = g.coordinate("q"), s = g.contact_coordinate("s");
    const Expr t = g.time(), p = g.parameter("p");
    const std::vector<Expr> x{q.q, q.dq, s.q, s.dq, t, p};
    const std::vector<Expr> e = recipe.build(x);

    // q(t + tau) = q + dq tau + ddq tau^2 / 2 and the same for s
    const double ddq = 0.8, dds = -1.7;
    const auto at = [&](long double tau) {
      std::vector<long double> y(recipe.point().begin(), recipe.point().end());
      y[0] += (y[1] + ddq * tau / 2) * tau;
      y[1] += ddq * tau;
      y[2] += (y[3] + dds * tau / 2) * tau;
      y[3] += dds * tau;
      y[4] += tau;
      return y;
    };
    // the motion itself is rounded a few times
    const std::vector<Bounded> f = test::bounded_values(x, recipe.point(), e, 4);
    const std::vector<Difference> numeric = differences(Tape(x, e), at, f);
    std::vector<Expr> leaves = x;
    leaves.insert(leaves.end(), {q.ddq, s.ddq});
    std::vector<double> point = recipe.point();
    point.insert(point.end(), {ddq, dds});
    const std::vector<Bounded> ours = test::bounded_values(leaves, point, time_derivative(e));
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!comparison.agree(ours[i], numeric[i])) {
        RC_LOG() << recipe;
        RC_FAIL(fmt::format("d v{} / dt: {} +- {}, numerically {} +- {}", i, ours[i].value,
                            ours[i].error, numeric[i].value, numeric[i].error));
      }
    }
  });
  EXPECT_GT(comparison.sharp_part(), 0.95);
}

}  // namespace
}  // namespace klingel::sym
