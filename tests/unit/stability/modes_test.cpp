// Modes of matrices whose eigenvalues are known by hand.
#include "stability/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace klingel::stability {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

// Two masses along x, joined by a spring and a damper, rolling with the speed 5; a third that is
// held to the second by a constraint.
SmallMotions train(double m, double k, double c, bool third) {
  const Eigen::Index n = third ? 3 : 2;
  SmallMotions s;
  s.M = m * MatrixXd::Identity(n, n);
  if (third) s.M(1, 1) = s.M(2, 2) = m / 2;
  s.K = s.C = MatrixXd::Zero(n, n);
  s.K.topLeftCorner<2, 2>() << -k, k, k, -k;
  s.C.topLeftCorner<2, 2>() << -c, c, c, -c;
  s.Phi = MatrixXd::Zero(third ? 1 : 0, n);
  if (third) s.Phi << 0, 1, -1;
  s.G = s.Phi.transpose();
  s.D = MatrixXd::Ones(n, 1);
  s.dq = 5 * VectorXd::Ones(n);
  return s;
}

TEST(modes, of_two_masses_only_the_oscillation_is_left) {
  const double m = 3, k = 1200, c = 6;
  for (const bool third : {false, true}) {
    const std::vector<Mode> list = modes(train(m, k, c, third));
    ASSERT_EQ(list.size(), 1u) << "place and speed along the track are left out";
    const double re = -c / m, im = std::sqrt(2 * k / m - re * re);
    EXPECT_NEAR(list[0].lambda.real(), re, 1e-10);
    EXPECT_NEAR(list[0].lambda.imag(), im, 1e-10);
    EXPECT_NEAR(list[0].frequency(), im / (2 * std::acos(-1)), 1e-10);
    EXPECT_NEAR(list[0].damping(), -re / std::hypot(re, im), 1e-12);
    EXPECT_NEAR(std::abs(list[0].shape[0] + list[0].shape[1]), 0, 1e-9) << "against each other";
  }
}

TEST(modes, constraint_forces_may_act_otherwise_than_the_constraint_points) {
  // the constraint's force drags along the first mass, as a creep force by N does
  SmallMotions s = train(3, 1200, 0, true);
  s.G << 0.5, 1, -1;
  const std::vector<Mode> list = modes(s);
  ASSERT_FALSE(list.empty());
  // by hand: z3 = z2, n from the third equation, x = z1 - z2:
  //   m/2 z2'' = -n  ->  z1'' = -(k/m) x - z2''/4,  z2'' (1) m = k x
  const double k = 1200, m = 3, w2 = k / m + k / (4 * m) + k / m;
  EXPECT_NEAR(list.back().lambda.imag(), std::sqrt(w2), 1e-8);
}

TEST(modes, least_damped_and_who_moves) {
  const SmallMotions s = train(3, 1200, 6, false);
  std::vector<Mode> list = modes(s);
  list.push_back({{0.5, 0}, VectorXd::Ones(2)});  // grows without oscillation
  const Mode* least = least_damped(list);
  ASSERT_NE(least, nullptr);
  EXPECT_NEAR(least->lambda.real(), -2, 1e-9);
  const std::vector<Share> bodies = shares(*least, s.M, {"x", "rear.x"}, true);
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_NEAR(bodies[0].share, 0.5, 1e-9);
  EXPECT_EQ(shares(*least, s.M, {"x", "rear.x"}, false)[0].name.find("x") == std::string::npos,
            false);
}

}  // namespace
}  // namespace klingel::stability
