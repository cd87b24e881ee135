// The article's example of atoms made "on the way" [fig:on_the_way]: u has components in base B1,
// v in base B2, turned by theta about x; their sum in B1 gives the atoms alpha_1 ... alpha_11 and
// no others. (The article's alpha_8 = alpha_5 - alpha_6 is a misprint: the rotation matrix has a
// plus there.)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "sym/count.hpp"
#include "sym/print.hpp"
#include "sym/traverse.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/golden.hpp"

namespace klingel::sym {
namespace {

// one atom per statement, in the order of the article
struct Example {
  Graph g;
  Expr theta = g.symbol("theta");
  Expr cos_theta = cos(theta);
  Expr sin_theta = sin(theta);
  std::array<Expr, 3> u{g.symbol("u_x"), g.symbol("u_y"), g.symbol("u_z")};
  std::array<Expr, 3> v{g.symbol("v_x"), g.symbol("v_y"), g.symbol("v_z")};
};

std::array<Expr, 3> sum_by_rows(const Example& e) {
  const Expr a3 = e.cos_theta * e.v[1];
  const Expr a4 = e.sin_theta * e.v[2];
  const Expr a5 = e.sin_theta * e.v[1];
  const Expr a6 = e.cos_theta * e.v[2];
  const Expr a7 = a3 - a4;
  const Expr a8 = a5 + a6;
  const Expr a9 = e.u[0] + e.v[0];
  const Expr a10 = e.u[1] + a7;
  const Expr a11 = e.u[2] + a8;
  return {a9, a10, a11};
}

// u + R_12 v with the whole matrix, its zeros and ones included
std::array<Expr, 3> sum_by_matrix(Example& e) {
  const Expr zero = e.g.number(0), one = e.g.number(1);
  const Expr minus_sin = -e.sin_theta;
  const std::array<std::array<Expr, 3>, 3> R_12{
      {{one, zero, zero}, {zero, e.cos_theta, minus_sin}, {zero, e.sin_theta, e.cos_theta}}};
  std::array<Expr, 3> sum = e.u;
  for (std::size_t r = 0; r < 3; ++r) {
    Expr row = zero;
    for (std::size_t c = 0; c < 3; ++c) {
      const Expr product = R_12[r][c] * e.v[c];
      row += product;
    }
    sum[r] += row;
  }
  return sum;
}

// the atoms among some nodes, one line each: \alpha_{3} &= \alpha_{1} \, v_{\mathrm{y}} \\ ...
std::string listing_of_atoms(const Graph& g, const std::vector<Id>& nodes) {
  std::unordered_map<Id, std::string> names;
  const NameOf name_of = [&names](Id id) { return names.contains(id) ? names[id] : ""; };
  std::string out;
  for (const Id id : nodes) {
    if (is_leaf(g.op(id))) continue;
    const std::string name = fmt::format("\\alpha_{{{}}}", names.size() + 1);
    out += fmt::format("{} &= {} \\\\\n", name, text(g, id, Language::latex, name_of));
    names[id] = name;
  }
  return out;
}

TEST(on_the_way, the_graph_has_the_atoms_of_the_article_in_its_order) {
  Example e;
  const std::array<Expr, 3> sum = sum_by_rows(e);
  const Graph& g = e.g;
  const auto c = e.cos_theta.id(), s = e.sin_theta.id();
  const auto vx = e.v[0].id(), vy = e.v[1].id(), vz = e.v[2].id();
  const auto ux = e.u[0].id(), uy = e.u[1].id(), uz = e.u[2].id();
  struct Atom {
    Op op;
    Id a, b;
  };
  std::vector<Id> alpha;
  for (Id id = 0; id < g.size(); ++id) {
    if (!is_leaf(g.op(id))) alpha.push_back(id);
  }
  ASSERT_EQ(alpha.size(), 11u);
  const Id a3 = alpha[2], a4 = alpha[3], a5 = alpha[4], a6 = alpha[5], a7 = alpha[6], a8 = alpha[7];
  const std::vector<Atom> expected{
      {Op::cos, e.theta.id(), 0}, {Op::sin, e.theta.id(), 0}, {Op::mul, c, vy},  {Op::mul, s, vz},
      {Op::mul, s, vy},           {Op::mul, c, vz},           {Op::sub, a3, a4}, {Op::add, a5, a6},
      {Op::add, ux, vx},          {Op::add, uy, a7},          {Op::add, uz, a8}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(g.op(alpha[i]), expected[i].op) << "alpha_" << i + 1;
    EXPECT_EQ(g.node(alpha[i]).a, expected[i].a) << "alpha_" << i + 1;
    EXPECT_EQ(g.node(alpha[i]).b, expected[i].b) << "alpha_" << i + 1;
  }
  EXPECT_EQ(sum[0].id(), alpha[8]);
  EXPECT_EQ(sum[1].id(), alpha[9]);
  EXPECT_EQ(sum[2].id(), alpha[10]);
}

TEST(on_the_way, the_listing_is_that_of_the_article) {
  Example e;
  sum_by_rows(e);
  std::vector<Id> nodes;
  for (Id id = 0; id < e.g.size(); ++id) nodes.push_back(id);
  test::expect_golden("on_the_way/atoms.tex", listing_of_atoms(e.g, nodes));
}

TEST(on_the_way, the_whole_matrix_leads_to_the_same_atoms) {
  Example rows, matrix;
  const std::array<Expr, 3> by_rows = sum_by_rows(rows), by_matrix = sum_by_matrix(matrix);
  const Count c = count(by_matrix);
  EXPECT_EQ(c.atoms, 11u);
  EXPECT_EQ(c.trig, 2u);
  EXPECT_EQ(c.mul, 4u);
  EXPECT_EQ(c.add, 5u);
  EXPECT_EQ(c.neg, 0u);  // the minus of -sin(theta) ended in alpha_7
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(text(by_matrix[i]), text(by_rows[i]));
  // asked for again, nothing is made
  const std::size_t size = matrix.g.size();
  EXPECT_EQ(sum_by_matrix(matrix), by_matrix);
  EXPECT_EQ(matrix.g.size(), size);
}

}  // namespace
}  // namespace klingel::sym
