// The graph: interned nodes, symbols with roles and rates, ids that depend on calls only.
#include "sym/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "sym/differentiate.hpp"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;
using testing::ElementsAre;

TEST(graph, a_node_has_16_bytes) { EXPECT_EQ(sizeof(Node), 16u); }

TEST(graph, equal_expressions_are_one_node) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const Expr first = sin(x * y) + 1;
  const std::size_t size = g.size();
  const Expr second = 1 + sin(y * x);
  EXPECT_EQ(first.id(), second.id());
  EXPECT_EQ(g.size(), size);
}

TEST(graph, operands_stand_before_their_atom) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  pow(sin(x + y) / (1 + x * x), y);
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g.node(id);
    if (is_leaf(n.op)) continue;
    EXPECT_LT(n.a, id);
    if (is_binary(n.op)) {
      EXPECT_LT(n.b, id);
    }
  }
}

// one atom per statement, because C++ leaves the order in which operands are evaluated open
std::vector<Expr> some_program(Graph& g) {
  const Coordinate q = g.coordinate("theta");
  const Expr l = g.parameter("l", 0.7);
  const Expr s = sin(q.q);
  const Expr c = cos(q.q);
  const Expr x = l * s;
  const Expr y = l * c;
  const Expr xx = x * x;
  const Expr r = sqrt(xx + 2 * y);
  const Expr v = time_derivative(r);
  return {x, y, r, v, derivative(v, q.dq), time_derivative(v)};
}

TEST(graph, the_same_program_builds_the_same_ids_and_texts) {
  Graph a, b;
  const std::vector<Expr> first = some_program(a);
  std::vector<std::vector<char>> addresses(100, std::vector<char>(1000));  // other addresses
  const std::vector<Expr> second = some_program(b);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].id(), second[i].id());
    EXPECT_EQ(text(first[i]), text(second[i]));
  }
}

TEST(graph, ids_do_not_change_from_version_to_version_unnoticed) {
  Graph g;
  const std::vector<Expr> e = some_program(g);
  EXPECT_THAT((std::vector<Id>{e[0].id(), e[1].id(), e[2].id()}), ElementsAre(6, 7, 12));
  EXPECT_EQ(text(e[2]), "sqrt(l*sin(theta)*(l*sin(theta)) + 2.0*(l*cos(theta)))");
}

TEST(graph, two_graphs_in_two_threads_do_not_meet) {
  std::vector<std::vector<Id>> ids(2);
  const auto build = [&ids](std::size_t k) {
    for (int i = 0; i < 200; ++i) {
      Graph g;
      ids[k].clear();
      for (const Expr& e : some_program(g)) ids[k].push_back(e.id());
    }
  };
  std::thread other(build, 1);
  build(0);
  other.join();
  EXPECT_EQ(ids[0], ids[1]);
}

// symbols

TEST(graph, a_symbol_keeps_name_kind_and_nominal_value) {
  Graph g;
  const Expr m = g.parameter("m", 2.5);
  g.set_value(m, 3);
  const Symbol& s = g.symbol_of(m);
  EXPECT_EQ(s.name, "m");
  EXPECT_EQ(s.kind, SymbolKind::parameter);
  EXPECT_EQ(s.value, 3);
  EXPECT_EQ(s.id, m.id());
  EXPECT_EQ(s.rate, no_id);
  EXPECT_EQ(g.symbol_of(g.input("u")).kind, SymbolKind::input);
  EXPECT_EQ(g.symbol_of(g.force("f")).kind, SymbolKind::force);
  EXPECT_EQ(g.symbol_of(g.symbol("k")).kind, SymbolKind::other);
}

TEST(graph, symbols_are_listed_in_the_order_of_declaration) {
  Graph g;
  g.coordinate("x");
  g.parameter("a");
  std::vector<std::string> names;
  for (const Symbol& s : g.symbols()) names.push_back(s.name);
  EXPECT_THAT(names, ElementsAre("x", "dx", "ddx", "a"));
}

TEST(graph, a_coordinate_is_linked_with_its_time_derivatives) {
  Graph g;
  const Coordinate x = g.coordinate("x", 1, 2);
  EXPECT_EQ(g.symbol_of(x.q).kind, SymbolKind::coordinate);
  EXPECT_EQ(g.symbol_of(x.dq).kind, SymbolKind::velocity);
  EXPECT_EQ(g.symbol_of(x.ddq).kind, SymbolKind::acceleration);
  EXPECT_EQ(g.symbol_of(x.q).rate, x.dq.id());
  EXPECT_EQ(g.symbol_of(x.dq).rate, x.ddq.id());
  EXPECT_EQ(g.symbol_of(x.ddq).rate, no_id);
  EXPECT_EQ(g.symbol_of(x.q).value, 1);
  EXPECT_EQ(g.symbol_of(x.dq).value, 2);
  const Coordinate s = g.contact_coordinate("s");
  EXPECT_EQ(g.symbol_of(s.q).kind, SymbolKind::contact_coordinate);
  EXPECT_EQ(g.symbol_of(s.dq).kind, SymbolKind::contact_velocity);
  EXPECT_EQ(g.symbol_of(s.ddq).kind, SymbolKind::contact_acceleration);
}

TEST(graph, the_derivative_of_a_coordinate_keeps_its_path) {
  Graph g;
  const Coordinate x = g.coordinate("rear.front.x");
  EXPECT_EQ(g.symbol_of(x.dq).name, "rear.front.dx");
  EXPECT_EQ(g.symbol_of(x.ddq).name, "rear.front.ddx");
}

TEST(graph, time_is_one_symbol) {
  Graph g;
  const Expr t = g.time();
  EXPECT_EQ(t, g.time());
  EXPECT_EQ(g.symbol_of(t).name, "t");
  EXPECT_EQ(g.symbol_of(t).kind, SymbolKind::time);
  Graph other;
  other.parameter("t");
  EXPECT_EQ(error_of([&] { other.time(); }),
            "the name 't' is taken by a symbol of kind parameter; time needs it");
}

TEST(graph, symbols_are_found_by_name) {
  Graph g;
  const Expr m = g.parameter("m_body");
  EXPECT_EQ(g.find("m_body"), m);
  EXPECT_EQ(g.find("m_wheel"), std::nullopt);
  EXPECT_EQ(g.lookup("m_body"), m);
}

TEST(graph, an_unknown_name_is_an_error_with_the_nearest_one) {
  Graph g;
  g.parameter("m_body");
  g.parameter("k_spring");
  EXPECT_EQ(error_of([&] { g.lookup("m_boby"); }),
            "there is no symbol 'm_boby' in this graph; did you mean 'm_body'?");
  EXPECT_EQ(error_of([&] { g.lookup("zzz"); }), "there is no symbol 'zzz' in this graph");
}

TEST(graph, a_name_is_used_once) {
  Graph g;
  g.symbol("x");
  EXPECT_EQ(error_of([&] { g.symbol("x"); }), "the symbol 'x' exists already in this graph");
  EXPECT_EQ(error_of([&] { g.coordinate("x"); }), "the symbol 'x' exists already in this graph");
}

TEST(graph, a_coordinate_whose_derivative_is_taken_leaves_nothing_behind) {
  Graph g;
  g.symbol("dx");
  EXPECT_EQ(error_of([&] { g.coordinate("x"); }), "the symbol 'dx' exists already in this graph");
  EXPECT_EQ(g.find("x"), std::nullopt);
  EXPECT_EQ(g.symbols().size(), 1u);
}

TEST(graph, names_have_letters_digits_underscores_and_dots) {
  Graph g;
  g.symbol("rear.front_left.u_2");
  for (const char* name : {"", "2x", "_x", ".x", "a b", "a-b", "a[1]", "\u03b1"}) {
    EXPECT_EQ(error_of([&] { g.symbol(name); }),
              fmt::format("'{}' is not a symbol name; a name starts with a letter and has letters, "
                          "digits, '_' and '.'",
                          name));
  }
}

TEST(graph, only_symbols_of_this_graph_have_rates_and_values) {
  Graph g, other;
  const Expr x = g.symbol("x"), y = other.symbol("y");
  EXPECT_EQ(error_of([&] { g.set_rate(x + 1, x); }),
            "a symbol was expected, found an atom of operation 'add'");
  EXPECT_EQ(error_of([&] { g.set_value(y, 1); }), "the expression does not belong to this graph");
  EXPECT_EQ(error_of([&] { g.set_value(Expr(), 1); }),
            "the expression does not belong to this graph");
  EXPECT_EQ(error_of([&] { g.set_rate(x, y); }),
            "expressions of two different graphs were used together; build both in one graph");
}

// what a node knows

TEST(graph, a_node_knows_the_roles_below_it) {
  Graph g;
  const Expr m = g.parameter("m");
  const Coordinate q = g.coordinate("q");
  const Expr e = m * sin(q.q) + q.dq;
  EXPECT_EQ(g.node(e.id()).kinds,
            bit(SymbolKind::parameter) | bit(SymbolKind::coordinate) | bit(SymbolKind::velocity));
  EXPECT_EQ(g.node(sqrt(m).id()).kinds, bit(SymbolKind::parameter));
  EXPECT_EQ(g.node(g.number(2).id()).kinds, 0);
}

TEST(graph, the_set_of_symbols_below_never_misses_one) {
  Graph g;
  std::vector<Expr> x;
  for (int i = 0; i < 70; ++i) x.push_back(g.symbol("x" + std::to_string(i)));  // bits repeat
  for (const Expr& a : x) {
    const std::uint32_t below = g.node((sin(a) * x[3] + 2).id()).symbols;
    EXPECT_NE(below & g.node(a.id()).symbols, 0u);
    EXPECT_NE(below & g.node(x[3].id()).symbols, 0u);
  }
}

// labels

TEST(graph, an_atom_keeps_its_first_label) {
  Graph g, other;
  const Expr x = g.symbol("x");
  const Expr w = 2 * x;
  EXPECT_EQ(g.label(w.id()), nullptr);
  g.set_label(w, "w_AB[rear_bogie]");
  g.set_label(w, "w_AB[front_bogie]");
  ASSERT_NE(g.label(w.id()), nullptr);
  EXPECT_EQ(*g.label(w.id()), "w_AB[rear_bogie]");
  g.set_label(x, "not kept: a symbol has a name");
  EXPECT_EQ(g.label(x.id()), nullptr);
  EXPECT_EQ(error_of([&] { other.set_label(w, "w"); }),
            "the expression does not belong to this graph");
}

// constants

TEST(graph, constants_are_exact_where_possible) {
  Graph g;
  EXPECT_EQ(g.number(0.25).op(), Op::rational);
  EXPECT_EQ(g.number(4).op(), Op::integer);
  EXPECT_EQ(g.number(0.1).op(), Op::real);
  EXPECT_EQ(error_of([&] { g.number(std::numeric_limits<double>::quiet_NaN()); }),
            "a constant must be finite, found nan");
  EXPECT_EQ(error_of([&] { g.rational(1, 0); }), "the rational number 1/0 has a zero denominator");
}

// size

TEST(graph, half_a_million_nodes_fit_40_megabytes) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Expr e = x;
  while (g.size() < 500'000) {
    e = e * y;
    e = e + x;
  }
  EXPECT_LT(g.bytes(), 40'000'000u);
  EXPECT_GE(g.bytes(), 500'000u * 16);
}

TEST(graph, memory_counts_what_operations_remember) {
  Graph g;
  const Expr x = g.symbol("x");
  Expr e = x;
  for (int i = 0; i < 10'000; ++i) e = sin(e) + x;
  derivative(e, x);
  const std::size_t with = g.bytes();
  g.forget_memos();
  EXPECT_LT(g.bytes() + 20'000 * sizeof(Id), with + 1);  // one value for each atom
}

}  // namespace
}  // namespace klingel::sym
