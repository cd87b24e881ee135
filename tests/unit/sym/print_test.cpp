// Expressions as text in four languages, with parentheses where they are needed and only there.
#include "sym/print.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

class print : public testing::Test {
 protected:
  static std::string c(Expr e) { return text(e, Language::c); }
  static std::string latex(Expr e) { return text(e, Language::latex); }
  static std::string python(Expr e) { return text(e, Language::python); }
  static std::string matlab(Expr e) { return text(e, Language::matlab); }

  Graph g;
  Expr x = g.symbol("x");
  Expr y = g.symbol("y");
  Expr z = g.symbol("z");
  Expr third = g.rational(1, 3);
};

// C

TEST_F(print, c_sums_associate_as_the_graph_does) {
  const Expr s = x + y, w = g.symbol("w");  // the older operand stands first
  EXPECT_EQ(c(s + z), "z + (x + y)");
  EXPECT_EQ(c(s + w), "x + y + w");
  EXPECT_EQ(c(x + (y + z)), "x + (y + z)");
  EXPECT_EQ(c(x - (y - z)), "x - (y - z)");
  EXPECT_EQ(c(x - y - z), "x - y - z");
  EXPECT_EQ(c(x - (y + z)), "x - (y + z)");
}

TEST_F(print, c_products_associate_as_the_graph_does) {
  const Expr p = x * y, w = g.symbol("w");
  EXPECT_EQ(c(p * z), "z*(x*y)");
  EXPECT_EQ(c(p * w), "x*y*w");
  EXPECT_EQ(c(x * (y * z)), "x*(y*z)");
  EXPECT_EQ(c(x / y / z), "x/y/z");
  EXPECT_EQ(c(x / (y * z)), "x/(y*z)");
  EXPECT_EQ(c(x / (y / z)), "x/(y/z)");
  EXPECT_EQ(c((x + y) * z), "z*(x + y)");
  EXPECT_EQ(c(x * y + z / x), "x*y + z/x");
}

TEST_F(print, c_signs) {
  EXPECT_EQ(c(-x), "-x");
  EXPECT_EQ(c(-(x * y)), "-x*y");
  EXPECT_EQ(c(-(x + y)), "-(x + y)");
  EXPECT_EQ(c(exp(-x) - y), "exp(-x) - y");
  EXPECT_EQ(c(-2 * x), "-2.0*x");
  EXPECT_EQ(c(y + -2 * x), "y - 2.0*x");
  EXPECT_EQ(c(y - -2 * x), "y + 2.0*x");
  EXPECT_EQ(c(y - (-2 * x) / z), "y + 2.0*x/z");
  EXPECT_EQ(c(x * y + (-2 * x + z)), "x*y + (z - 2.0*x)");
  EXPECT_EQ(c(x - (-3 - y)), "x - (-3.0 - y)");
  EXPECT_EQ(c(z * -(x * y - z)), "z*(z - x*y)");
}

TEST_F(print, c_negative_numbers_in_sums_are_subtracted) {
  EXPECT_EQ(c(x - 3), "x - 3.0");
  EXPECT_EQ(c(x * y - 0.1), "x*y - 0.1");
  EXPECT_EQ(c(-3 - x), "-3.0 - x");
  EXPECT_EQ(c(3 + x), "3.0 + x");
}

TEST_F(print, c_numbers_are_doubles_that_read_back) {
  EXPECT_EQ(c(g.number(2)), "2.0");
  EXPECT_EQ(c(third), "0.3333333333333333");
  EXPECT_EQ(c(g.number(0.1)), "0.1");
  EXPECT_EQ(c(g.number(-1e-300)), "-1e-300");
}

TEST_F(print, c_functions_are_those_of_math_h_and_three_of_our_own) {
  EXPECT_EQ(c(sqrt(x)), "sqrt(x)");
  EXPECT_EQ(c(sin(x)), "sin(x)");
  EXPECT_EQ(c(cos(x)), "cos(x)");
  EXPECT_EQ(c(tan(x)), "tan(x)");
  EXPECT_EQ(c(asin(x + y)), "asin(x + y)");
  EXPECT_EQ(c(acos(x)), "acos(x)");
  EXPECT_EQ(c(exp(x)), "exp(x)");
  EXPECT_EQ(c(log(x)), "log(x)");
  EXPECT_EQ(c(abs(x)), "fabs(x)");
  EXPECT_EQ(c(pow(x, y)), "pow(x, y)");
  EXPECT_EQ(c(atan2(x, -y)), "atan2(x, -y)");
  EXPECT_EQ(c(sign(x)), "klingel_sign(x)");
  EXPECT_EQ(c(min(x, y)), "klingel_min(x, y)");
  EXPECT_EQ(c(max(x, y)), "klingel_max(x, y)");
}

// LaTeX

TEST_F(print, latex_operations) {
  EXPECT_EQ(latex(x * y + z), "z + x \\, y");
  EXPECT_EQ(latex(x * (y + z)), "x \\, \\left(y + z\\right)");
  EXPECT_EQ(latex(x / (y + z)), "\\frac{x}{y + z}");
  EXPECT_EQ(latex(x * x), "{x}^{2}");
  EXPECT_EQ(latex(pow(x, y + z)), "{x}^{y + z}");
  EXPECT_EQ(latex(-(x + y)), "-\\left(x + y\\right)");
  EXPECT_EQ(latex(third * x), "\\frac{1}{3} \\, x");
  EXPECT_EQ(latex(-third * x), "-\\frac{1}{3} \\, x");
  EXPECT_EQ(latex(x - 3), "x - 3");
  EXPECT_EQ(latex(g.number(0.1)), "0.1");
}

TEST_F(print, latex_functions) {
  EXPECT_EQ(latex(sin(x + y)), "\\sin\\left(x + y\\right)");
  EXPECT_EQ(latex(sqrt(x)), "\\sqrt{x}");
  EXPECT_EQ(latex(abs(x)), "\\left|x\\right|");
  EXPECT_EQ(latex(asin(x)), "\\arcsin\\left(x\\right)");
  EXPECT_EQ(latex(acos(x)), "\\arccos\\left(x\\right)");
  EXPECT_EQ(latex(atan2(x, y)), "\\operatorname{atan2}\\left(x, y\\right)");
  EXPECT_EQ(latex(sign(x)), "\\operatorname{sign}\\left(x\\right)");
  EXPECT_EQ(latex(min(x, y)), "\\min\\left(x, y\\right)");
  EXPECT_EQ(latex(max(x, y)), "\\max\\left(x, y\\right)");
  EXPECT_EQ(latex(exp(x)), "\\exp\\left(x\\right)");
  EXPECT_EQ(latex(x - -2 * y), "x + 2 \\, y");
}

TEST_F(print, latex_symbols) {
  const auto symbol = [](const std::string& name) { return symbol_text(name, Language::latex); };
  EXPECT_EQ(symbol("x"), "x");
  EXPECT_EQ(symbol("theta"), "\\theta");
  EXPECT_EQ(symbol("theta_w"), "\\theta_{\\mathrm{w}}");
  EXPECT_EQ(symbol("dtheta"), "\\dot{\\theta}");
  EXPECT_EQ(symbol("ddtheta_w"), "\\ddot{\\theta}_{\\mathrm{w}}");
  EXPECT_EQ(symbol("delta"), "\\delta");  // not d(elta)
  EXPECT_EQ(symbol("ddelta"), "\\dot{\\delta}");
  EXPECT_EQ(symbol("mass"), "\\mathrm{mass}");
  EXPECT_EQ(symbol("v_Gr_Pw"), "v_{\\mathrm{Gr,Pw}}");
  EXPECT_EQ(symbol("rear.x"), "\\mathrm{rear}_{\\mathrm{x}}");
}

// Python and Matlab

TEST_F(print, python_operations) {
  EXPECT_EQ(python(pow(x, y)), "x**y");
  EXPECT_EQ(python(pow(x + y, -z)), "(x + y)**(-z)");
  EXPECT_EQ(python(pow(pow(x, y), z)), "(x**y)**z");
  EXPECT_EQ(python(-pow(x, y)), "-x**y");
  EXPECT_EQ(python(pow(exp(x), third)), "exp(x)**(1/3)");
  EXPECT_EQ(python(third * x), "1/3*x");
  EXPECT_EQ(python(-third * x + y), "y - 1/3*x");
  EXPECT_EQ(python(third / x), "1/3/x");
  EXPECT_EQ(python(x - third), "x - 1/3");
  EXPECT_EQ(python(abs(x)), "abs(x)");
  EXPECT_EQ(python(min(x, y)), "min(x, y)");
  EXPECT_EQ(python(2 * sign(x)), "2*(lambda v: (v > 0) - (v < 0))(x)");
}

TEST_F(print, matlab_operations) {
  EXPECT_EQ(matlab(pow(x, y)), "x^y");
  EXPECT_EQ(matlab(pow(pow(x, y), z)), "(x^y)^z");
  EXPECT_EQ(matlab(third * x), "1/3*x");
  EXPECT_EQ(matlab(sign(x)), "sign(x)");
  EXPECT_EQ(matlab(max(x, y)), "max(x, y)");
}

TEST_F(print, dots_in_names_become_underscores) {
  const Expr q = g.symbol("rear.front.x");
  EXPECT_EQ(c(q), "rear_front_x");
  EXPECT_EQ(python(2 * q), "2*rear_front_x");
}

// names given from outside

TEST_F(print, a_named_atom_is_not_spelled_out) {
  const Expr s = sin(x), e = s * y + s;
  const NameOf name_of = [&](Id id) { return id == s.id() ? "a0" : id == y.id() ? "q[1]" : ""; };
  EXPECT_EQ(text(g, e.id(), Language::c, name_of), "a0 + q[1]*a0");
  EXPECT_EQ(text(g, s.id(), Language::c, name_of), "sin(x)");  // the atom itself is spelled out
}

TEST_F(print, a_name_with_a_sign_is_merged_or_gets_parentheses) {
  const NameOf name_of = [&](Id id) { return id == y.id() ? "-a0" : ""; };
  EXPECT_EQ(text(g, (x - y).id(), Language::c, name_of), "x + a0");
  EXPECT_EQ(text(g, (x * y).id(), Language::c, name_of), "x*-a0");
  EXPECT_EQ(text(g, pow(y, z).id(), Language::matlab, name_of), "(-a0)^z");
}

// listings

TEST_F(print, a_listing_names_shared_atoms_once) {
  const Expr s = sin(x);
  const Expr p = s * y;
  const std::vector<std::pair<std::string, Expr>> results{{"u", p + s}, {"v", p}, {"w", cos(y)}};
  EXPECT_EQ(listing(results, Language::c),
            "const double a0 = sin(x);\n"
            "const double a1 = y*a0;\n"
            "const double u = a0 + a1;\n"
            "const double v = a1;\n"
            "const double w = cos(y);\n");
  EXPECT_EQ(listing(results, Language::python),
            "a0 = sin(x)\na1 = y*a0\nu = a0 + a1\nv = a1\nw = cos(y)\n");
  EXPECT_EQ(listing(results, Language::matlab),
            "a0 = sin(x);\na1 = y*a0;\nu = a0 + a1;\nv = a1;\nw = cos(y);\n");
  EXPECT_EQ(listing(results, Language::latex),
            "\\alpha_{1} &= \\sin\\left(x\\right) \\\\\n"
            "\\alpha_{2} &= y \\, \\alpha_{1} \\\\\n"
            "u &= \\alpha_{1} + \\alpha_{2} \\\\\n"
            "v &= \\alpha_{2} \\\\\n"
            "w &= \\cos\\left(y\\right) \\\\\n");
  EXPECT_EQ(listing({}, Language::c), "");
}

TEST_F(print, a_listing_of_two_graphs_is_an_error) {
  Graph other;
  const std::vector<std::pair<std::string, Expr>> results{{"u", x}, {"v", other.symbol("x")}};
  EXPECT_EQ(error_of([&] { listing(results, Language::c); }),
            "expressions of two different graphs were used together; build both in one graph");
}

// size

TEST_F(print, a_chain_of_a_million_atoms_is_written_in_linear_time_and_memory) {
  Expr e = x;
  for (int i = 0; i < 500'000; ++i) e = sin(e) + y;
  const std::string line = c(e);
  EXPECT_EQ(line.size(), 1 + 500'000 * std::string("y + sin()").size());
  EXPECT_EQ(line.substr(0, 18), "y + sin(y + sin(y ");

  Expr sum = x;  // grows to the left
  for (int i = 0; i < 500'000; ++i) sum = sin(y * i) + sum;
  EXPECT_GT(c(sum).size(), 5'000'000u);
  const std::vector<std::pair<std::string, Expr>> results{{"e", e}};
  EXPECT_EQ(listing(results, Language::python).size(), line.size() + 5);
}

TEST_F(print, no_operation_writes_its_operand_twice) {
  Expr e = x;  // twice at each level would be 2^1000 characters
  for (int i = 0; i < 1000; ++i) e = sign(e) + y;
  for (const auto& language : {c, latex, python, matlab}) EXPECT_LT(language(e).size(), 100'000u);
}

}  // namespace
}  // namespace klingel::sym
