// The register tape: every operation, few registers, clear errors.
#include "sym/tape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "base/trig.h"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(tape, every_operation_gives_what_the_library_gives) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const std::vector<Expr> leaves{x, y};
  const double a = 0.3, b = -0.7;
  const std::vector<std::pair<Expr, double>> cases{
      {-x, -a},
      {sqrt(x), std::sqrt(a)},
      {sin(x), klingel_sin(a)},
      {cos(x), klingel_cos(a)},
      {tan(x), std::tan(a)},
      {asin(x), std::asin(a)},
      {acos(x), std::acos(a)},
      {exp(x), std::exp(a)},
      {log(x), std::log(a)},
      {abs(y), 0.7},
      {sign(y), -1},
      {x + y, a + b},
      {x - y, a - b},
      {x * y, a * b},
      {x / y, a / b},
      {pow(x, y), std::pow(a, b)},
      {atan2(x, y), std::atan2(a, b)},
      {min(x, y), b},
      {max(x, y), a},
      {x + g.rational(1, 3), a + 1.0 / 3},
  };
  for (const auto& [e, expected] : cases) {
    EXPECT_EQ(test::value(leaves, std::vector<double>{a, b}, e), expected) << text(e);
  }
}

TEST(tape, sine_and_cosine_are_within_a_unit_of_the_library) {
  for (double x = -20; x < 20; x += 0.0137) {
    const double s = std::sin(x), c = std::cos(x);
    EXPECT_LE(std::abs(evaluate(Op::sin, x, x) - s), std::abs(std::nextafter(s, 2) - s)) << x;
    EXPECT_LE(std::abs(evaluate(Op::cos, x, x) - c), std::abs(std::nextafter(c, 2) - c)) << x;
  }
}

TEST(tape, sign_min_and_max_know_zero_and_nan) {
  EXPECT_EQ(evaluate(Op::sign, 0.0, 0.0), 0);
  EXPECT_EQ(evaluate(Op::sign, 1e-300, 0.0), 1);
  EXPECT_TRUE(std::isnan(evaluate(Op::sign, nan, 0.0)));
  for (const Op op : {Op::min, Op::max}) {
    EXPECT_TRUE(std::isnan(evaluate(op, nan, 1.0))) << name(op);
    EXPECT_TRUE(std::isnan(evaluate(op, 1.0, nan))) << name(op);
  }
}

TEST(tape, values_agree_with_a_plain_function) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const Expr s = sin(x), e = (s * y + 2) / (s * s + 0.1) - sqrt(y) * 0.25;
  const std::vector<Expr> leaves{x, y};
  const auto plain = [](double a, double b) {
    const double t = klingel_sin(a);
    return (2 + t * b) / (0.1 + t * t) - 0.25 * std::sqrt(b);
  };
  for (double a = -2; a < 2; a += 0.37) {
    EXPECT_EQ(test::value(leaves, std::vector<double>{a, 0.4 + a * a}, e), plain(a, 0.4 + a * a));
  }
}

TEST(tape, long_double_keeps_more_digits) {
  Graph g;
  const Expr x = g.symbol("x");
  const Expr e = (1 + x) - 1.0 / 3 * 3;  // 1 + x - 1
  const std::vector<Expr> leaves{x};
  EXPECT_EQ(test::value<long double>(leaves, {0x1p-60L}, e), 0x1p-60L);
}

TEST(tape, outputs_may_be_inputs_constants_and_repeated) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const std::vector<Expr> leaves{x, y}, outputs{y, g.number(0.5), x * y, x * y, x};
  EXPECT_EQ(test::values(leaves, {3.0, 7.0}, outputs), (std::vector<double>{7, 0.5, 21, 21, 3}));
}

TEST(tape, any_atom_may_be_a_leaf) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const Expr s = sin(x);
  const std::vector<Expr> leaves{s, y};
  const Tape tape(leaves, std::vector<Expr>{s * y});
  EXPECT_EQ(tape.instructions().size(), 1u);
  EXPECT_EQ(test::value(leaves, std::vector<double>{2, 5}, s * y), 10);
}

TEST(tape, unused_leaves_are_legal) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const std::vector<Expr> leaves{x, y};
  EXPECT_EQ(test::value(leaves, std::vector<double>{2, 5}, 2 * y), 10);
}

TEST(tape, a_register_is_used_again_when_its_value_is_dead) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Expr e = x;
  for (int i = 0; i < 1000; ++i) e = sin(e) * y;
  const Tape tape(std::vector<Expr>{x, y}, std::vector<Expr>{e});
  EXPECT_EQ(tape.instructions().size(), 2000u);
  EXPECT_EQ(tape.registers(), 3u);  // two inputs and one value
}

TEST(tape, an_instruction_per_atom_and_none_for_leaves) {
  Graph g;
  const Expr x = g.symbol("x");
  const Expr s = sin(x);
  const Tape tape(std::vector<Expr>{x}, std::vector<Expr>{s * s + s});
  EXPECT_EQ(tape.instructions().size(), 3u);
  EXPECT_EQ(tape.inputs(), 1u);
  EXPECT_EQ(tape.outputs(), 1u);
}

TEST(tape, many_threads_run_one_tape) {
  Graph g;
  const Expr x = g.symbol("x");
  Expr e = x;
  for (int i = 0; i < 100; ++i) e = sin(e) + x;
  const std::vector<Expr> leaves{x}, outputs{e};
  const Tape tape(leaves, outputs);
  std::vector<double> results(4);
  const auto run = [&](std::size_t k) {
    const double in = 0.1 * static_cast<double>(k);
    std::vector<double> r(tape.registers());
    for (int i = 0; i < 1000; ++i) tape.run(&in, &results[k], r.data());
  };
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < results.size(); ++k) threads.emplace_back(run, k);
  for (std::thread& t : threads) t.join();
  for (std::size_t k = 0; k < results.size(); ++k) {
    EXPECT_EQ(results[k],
              test::value(leaves, std::vector<double>{0.1 * static_cast<double>(k)}, e));
  }
}

TEST(tape, a_chain_of_a_million_atoms_does_not_need_a_deep_stack) {
  Graph g;
  const Expr x = g.symbol("x");
  Expr e = x;
  double expected = 0.5;
  for (int i = 0; i < 500'000; ++i) {
    e = sin(e) + x;
    expected = klingel_sin(expected) + 0.5;
  }
  EXPECT_EQ(test::value(std::vector<Expr>{x}, std::vector<double>{0.5}, e), expected);
}

TEST(tape, nominal_values_and_constants_are_evaluated) {
  Graph g;
  const Expr x = g.parameter("x", 0.25), y = g.parameter("y", 3);
  EXPECT_EQ(value(sqrt(x) * y), 1.5);
  EXPECT_EQ(value(g.number(2)), 2);
  EXPECT_EQ(value_of_constant(g, g.rational(1, 3).id()), 1.0 / 3);
  EXPECT_EQ(value_of_constant(g, (sqrt(g.number(2)) * 3).id()), std::sqrt(2.0) * 3);
}

TEST(tape, a_missing_symbol_is_named) {
  Graph g, other;
  const Expr x = g.symbol("x"), m = g.parameter("m");
  EXPECT_EQ(error_of([&] { Tape(std::vector<Expr>{x}, std::vector<Expr>{m * x}); }),
            "the symbol 'm' (parameter) is needed but is not among the inputs");
  EXPECT_EQ(error_of([&] { value_of_constant(g, (2 * m).id()); }),
            "the symbol 'm' (parameter) is needed but is not among the inputs");
  EXPECT_EQ(error_of([&] { Tape(std::vector<Expr>{x}, std::vector<Expr>{}); }),
            "a tape needs at least one output");
  EXPECT_EQ(error_of([&] { Tape(std::vector<Expr>{x}, std::vector<Expr>{other.symbol("x")}); }),
            "expressions of two different graphs were used together; build both in one graph");
}

}  // namespace
}  // namespace klingel::sym
