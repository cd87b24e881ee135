// Both trees as Graphviz text.
#include "mech/graphviz.hpp"

#include <gtest/gtest.h>

namespace klingel::mech {
namespace {

TEST(graphviz, draws_bases_and_points_with_their_bodies) {
  Model m("pendulum");
  const auto theta = m.coordinate("theta");
  const Base B = m.rotation("B", m.ground_base(), axis::y, theta.q);
  const Point P = m.point("P", m.origin(), m.vector(B, 0, 0, -m.parameter("l", 1)));
  m.body("bob", P, B, 1);
  EXPECT_EQ(bases_dot(m),
            "digraph \"pendulum bases\" {\n"
            "  rankdir=BT;\n"
            "  node [shape=box, fontname=\"sans-serif\"];\n"
            "  \"ground\";\n"
            "  \"B\" -> \"ground\" [label=\"w = (0, dtheta, 0)\"];\n"
            "}\n");
  EXPECT_EQ(points_dot(m),
            "digraph \"pendulum points\" {\n"
            "  rankdir=BT;\n"
            "  node [shape=ellipse, fontname=\"sans-serif\"];\n"
            "  \"O\";\n"
            "  \"P\" -> \"O\" [label=\"(0, 0, -l) in B\"];\n"
            "  \"body bob\" [shape=box, style=filled, fillcolor=lightgrey];\n"
            "  \"body bob\" -> \"P\" [style=dotted, label=\"turns with B\"];\n"
            "}\n");
}

TEST(graphviz, quotes_names_and_shortens_long_expressions) {
  Model m("a \"quoted\" \\ name");
  const auto q = m.coordinate("q");
  const Base B = m.rotation("say \"B\"", m.ground_base(), axis::x,
                            q.q * sym::sin(q.q) * m.parameter("a_long_name", 1));
  m.point("P", m.origin(), m.vector(B, 1, 2, 3));
  EXPECT_NE(bases_dot(m).find("digraph \"a \\\"quoted\\\" \\\\ name bases\""), std::string::npos);
  EXPECT_NE(bases_dot(m).find("\"say \\\"B\\\"\" -> \"ground\" [label=\"w = (..., 0, 0)\"]"),
            std::string::npos);
  EXPECT_NE(points_dot(m).find("(1, 2, 3) in say \\\"B\\\""), std::string::npos);
}

}  // namespace
}  // namespace klingel::mech
