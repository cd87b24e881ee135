// Mass data of a body: shifting a tensor, doubts about it, and the base without spin.
#include "mech/inertia.hpp"

#include <gtest/gtest.h>

#include "mech/mass_matrix.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

class inertia : public testing::Test {
 protected:
  std::optional<std::string> doubt(double mass, std::array<double, 6> I) {
    return unphysical(m.number(mass),
                      m.inertia(m.ground_base(), I[0], I[1], I[2], I[3], I[4], I[5]).c);
  }

  Model m{"m"};
};

TEST_F(inertia, about_the_centre_of_mass_is_less_by_the_parallel_axes) {
  const Base O = m.ground_base();
  const Tensor t = about_com(m.inertia(O, 100, 90, 80, 1, 2, 3), m.number(2),
                             {m.number(1), m.number(2), m.number(3)});
  const double expected[] = {100 - 2 * 13, 1 + 2 * 2, 2 + 2 * 3, 1 + 2 * 2,  90 - 2 * 10,
                             3 + 2 * 6,    2 + 2 * 3, 3 + 2 * 6, 80 - 2 * 5.};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(sym::value(t.c[i]), expected[i]) << i;
  EXPECT_TRUE(is_symmetric(t.c));
}

// a rod of length 2 about its end: m l^2 / 3; about its middle m l^2 / 12
TEST_F(inertia, of_a_rod_given_about_its_end) {
  const Base O = m.ground_base();
  const Body& rod =
      m.body_about_point("rod", m.origin(), O, 3, m.vector(O, 1, 0, 0), m.inertia(O, 0, 4, 4));
  EXPECT_EQ(sym::value(rod.inertia.c[4]), 1);
  EXPECT_EQ(sym::value(rod.inertia.c[8]), 1);
  EXPECT_TRUE(m.warnings().empty());
}

// symbols that go to the centre of mass and back again cancel
TEST_F(inertia, given_about_the_point_comes_back_as_given_in_M) {
  const auto a = m.coordinate("a");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Expr mass = m.parameter("mass", 2), cx = m.parameter("cx", 0.1),
             cz = m.parameter("cz", 0.3);
  const Expr I = m.parameter("I", 5);
  m.body_about_point("b", m.origin(), A, mass, m.vector(A, cx, 0, cz),
                     m.inertia(A, m.parameter("Ix", 5), I, m.parameter("Iz", 4)));
  EXPECT_EQ(mass_matrix(m).find(0, 0)->value, I);
}

TEST_F(inertia, that_a_body_can_have_raises_no_doubt) {
  EXPECT_FALSE(doubt(1, {1, 1, 1, 0, 0, 0}));
  EXPECT_FALSE(doubt(1, {1, 2, 3, 0, 0, 0}));  // a plate: the limit
  EXPECT_FALSE(doubt(1, {0, 1, 1, 0, 0, 0}));  // a rod
  EXPECT_FALSE(doubt(0, {0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(doubt(1, {1.1, 0.9, 0.7, 0.05, -0.08, 0.06}));
}

TEST_F(inertia, that_no_body_can_have_is_doubted_with_the_reason) {
  EXPECT_EQ(doubt(-2, {1, 1, 1, 0, 0, 0}), "the mass -2 is negative");
  EXPECT_EQ(doubt(1, {1, 1, -0.25, 0, 0, 0}),
            "a principal moment of inertia about the centre of mass is negative, -0.25");
  EXPECT_EQ(doubt(1, {1, 1, 3, 0, 0, 0}),
            "the principal moments of inertia about the centre of mass, 1, 1 and 3, break the "
            "triangle inequality: no real body has them");
  // harmless on the diagonal, but products turn it into (0.5, 0.5, 2)
  EXPECT_EQ(doubt(1, {1, 1, 1, 0.5, 0.5, 0.5}),
            "the principal moments of inertia about the centre of mass, 0.5, 0.5 and 2, break the "
            "triangle inequality: no real body has them");
}

TEST_F(inertia, is_described_as_far_out_as_one_axis_reaches) {
  const auto a = m.coordinate("a"), b = m.coordinate("b"), c = m.coordinate("c");
  const Base A = m.rotation("A", m.ground_base(), axis::x, a.q);
  const Base B = m.rotation("B", A, axis::y, b.q);
  const Base C = m.rotation("C", B, axis::y, c.q);
  const Expr I = m.parameter("I", 2), J = m.parameter("J", 3);
  const auto described_in = [&](const std::string& name, Base base, Expr x, Expr y, Expr z) {
    return m.body(name, m.origin(), base, 1, m.vector(base, 0, 0, 0), m.inertia(base, x, y, z))
        .inertia.base;
  };
  EXPECT_EQ(described_in("disc", C, I, J, I), A);  // past two spins about y
  EXPECT_EQ(described_in("ball", C, I, I, I), A);  // one axis for all steps
  EXPECT_EQ(described_in("other", C, J, I, I), C);
  EXPECT_EQ(described_in("roll", A, J, I, I), m.ground_base());
  const Body& disc = m.body("disc");
  EXPECT_EQ(spin_axis(disc), 1u);
  EXPECT_EQ(spin(disc)[1], c.dq + b.dq);
  EXPECT_TRUE(spin(disc)[0].is(0));
  EXPECT_TRUE(is_zero(spin(m.body("other"))));
}

TEST_F(inertia, a_fixed_turn_about_the_axis_does_not_stop_the_search) {
  const auto a = m.coordinate("a");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Base fixed = m.rotation("fixed", A, axis::y, 0.3);
  const Expr I = m.parameter("I", 2);
  const Body& disc = m.body("disc", m.origin(), fixed, 1, m.vector(fixed, 0, 0, 0),
                            m.inertia(fixed, I, m.parameter("J", 3), I));
  EXPECT_EQ(disc.inertia.base, m.ground_base());
  EXPECT_EQ(spin(disc)[1], a.dq);
}

}  // namespace
}  // namespace klingel::mech
