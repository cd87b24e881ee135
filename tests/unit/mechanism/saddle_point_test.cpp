// The constrained linear system: equal to a dense solve of the whole matrix, also with redundant
// constraints, a singular mass matrix, and units far apart.
#include "mechanism/saddle_point.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "tests/support/allocation_count.hpp"

namespace klingel::mechanism {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  MatrixXd matrix(Index rows, Index cols) {
    return MatrixXd::NullaryExpr(rows, cols, [this] { return value(); });
  }
  VectorXd vector(Index size) { return matrix(size, 1); }
  // symmetric, of this rank
  MatrixXd mass(Index n, Index rank) {
    const MatrixXd A = matrix(n, rank);
    return A * A.transpose();
  }

 private:
  double value() { return static_cast<double>(engine_()) / 2147483648.0 - 1; }
  std::mt19937 engine_;
};

struct Solution {
  VectorXd x, lambda;
};

Solution solved(const MatrixXd& M, const MatrixXd& J, const VectorXd& delta,
                const VectorXd& gamma) {
  SaddlePoint system(M.rows(), J.rows());
  Solution s{VectorXd(M.rows()), VectorXd(J.rows())};
  EXPECT_TRUE(system.factor(M, J, J.rows()));
  system.solve(delta, gamma, s.x, s.lambda);
  return s;
}

TEST(saddle_point, agrees_with_the_whole_matrix_for_random_systems) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Index n = 1 + seed % 12, m = std::min<Index>(n, seed % 5);
    const MatrixXd M = random.mass(n, n) + 0.1 * MatrixXd::Identity(n, n), J = random.matrix(m, n);
    const VectorXd delta = random.vector(n), gamma = random.vector(m);
    MatrixXd whole = MatrixXd::Zero(n + m, n + m);
    whole << M, J.transpose(), J, MatrixXd::Zero(m, m);
    VectorXd right(n + m);
    right << delta, gamma;
    const VectorXd expected = whole.fullPivLu().solve(right);
    const Solution s = solved(M, J, delta, gamma);
    // conditions of random systems of this size are below 1e6
    EXPECT_LT((s.x - expected.head(n)).norm(), 1e-9 * (1 + expected.norm())) << seed;
    EXPECT_LT((s.lambda - expected.tail(m)).norm(), 1e-9 * (1 + expected.norm())) << seed;
  }
}

TEST(saddle_point, redundant_constraints_change_nothing_but_the_sharing_of_the_load) {
  Random random(3);
  const Index n = 6, m = 3;
  const MatrixXd M = random.mass(n, n), J = random.matrix(m, n);
  const VectorXd delta = random.vector(n), gamma = random.vector(m);
  const Solution plain = solved(M, J, delta, gamma);

  // the first constraint twice, scaled, and the sum of the other two
  MatrixXd more(m + 2, n);
  more << J, 1000 * J.row(0), J.row(1) + J.row(2);
  VectorXd more_gamma(m + 2);
  more_gamma << gamma, 1000 * gamma(0), gamma(1) + gamma(2);
  const Solution s = solved(M, more, delta, more_gamma);
  EXPECT_LT((s.x - plain.x).norm(), 1e-12 * plain.x.norm());
  EXPECT_LT((more.transpose() * s.lambda - J.transpose() * plain.lambda).norm(), 1e-11);
  EXPECT_NEAR(s.lambda(0), 1000 * s.lambda(m), 1e-11);
  EXPECT_NEAR(2 * s.lambda(0), plain.lambda(0), 1e-11);
}

TEST(saddle_point, more_constraints_than_coordinates_may_be_consistent) {
  Random random(4);
  const MatrixXd M = random.mass(3, 3), J = random.matrix(7, 2) * random.matrix(2, 3);
  const VectorXd x = random.vector(3), delta = random.vector(3);
  const Solution s = solved(M, J, delta, J * x);
  EXPECT_LT((J * s.x - J * x).norm(), 1e-12);
  EXPECT_LT((M * s.x + J.transpose() * s.lambda - delta).norm(), 1e-12);
}

TEST(saddle_point, a_singular_mass_matrix_is_fine_where_constraints_hold_the_rest) {
  Random random(5);
  const Index n = 5, m = 2;
  const MatrixXd M = random.mass(n, 3), J = random.matrix(m, n);
  const VectorXd delta = random.vector(n), gamma = random.vector(m);
  const Solution s = solved(M, J, delta, gamma);
  EXPECT_LT((J * s.x - gamma).norm(), 1e-11);
  EXPECT_LT((M * s.x + J.transpose() * s.lambda - delta).norm(), 1e-11);
}

TEST(saddle_point, units_far_apart_do_not_harm_the_light_coordinate) {
  // 1e6 kg beside 1e-6 kg m^2, coupled by a constraint
  MatrixXd M = MatrixXd::Zero(3, 3), J(1, 3);
  M.diagonal() << 1e6, 1e-6, 1e-6;
  J << 1, 1e-3, 2e-3;
  const VectorXd delta = VectorXd::Constant(3, 1e-3), gamma = VectorXd::Zero(1);
  const Solution s = solved(M, J, delta, gamma);
  // by hand: lambda = J M^-1 delta / J M^-1 J^T
  const VectorXd expected_free = delta.cwiseQuotient(M.diagonal());
  const double lambda =
      J.row(0).dot(expected_free) / J.row(0).dot(J.row(0).transpose().cwiseQuotient(M.diagonal()));
  const VectorXd expected =
      expected_free - lambda * J.row(0).transpose().cwiseQuotient(M.diagonal());
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(s.x(i), expected(i), 1e-11 * std::abs(expected(i)));
}

TEST(saddle_point, a_motion_without_inertia_is_found_and_named) {
  MatrixXd M = MatrixXd::Identity(3, 3);
  M(1, 1) = 0;
  SaddlePoint tree(3, 0);
  EXPECT_FALSE(tree.factor(M, MatrixXd(0, 3), 0));
  EXPECT_EQ(tree.worst_coordinate(), 1);
  EXPECT_EQ(tree.worst_pivot(), 0);
  // held by a constraint it is no trouble, by another one it is
  SaddlePoint held(3, 1);
  MatrixXd J(1, 3);
  J << 0, 1, 0;
  EXPECT_TRUE(held.factor(M, J, 1));
  J << 1, 0, 0;
  EXPECT_FALSE(held.factor(M, J, 1));
  EXPECT_EQ(held.worst_coordinate(), 1);
}

TEST(saddle_point, a_rank_limit_keeps_the_most_independent_constraints) {
  // the third constraint is almost the sum of the others, and almost consistent
  const MatrixXd M = MatrixXd::Identity(3, 3);
  MatrixXd J(3, 3);
  J << 1, 0, 0, 0, 1, 0, 1, 1, 1e-5;
  const VectorXd delta = VectorXd::Zero(3), gamma = VectorXd::Constant(3, 1) + VectorXd::Unit(3, 2);
  VectorXd off = gamma;
  off(2) += 1e-5;
  SaddlePoint system(3, 3);
  VectorXd x(3), lambda(3);
  ASSERT_TRUE(system.factor(M, J, 3));
  system.solve(delta, off, x, lambda);
  EXPECT_NEAR(x(2), 1, 1e-9);  // taken at its word, a little error becomes a large one
  ASSERT_TRUE(system.factor(M, J, 2));
  EXPECT_EQ(system.rank(), 2);
  system.solve(delta, off, x, lambda);
  EXPECT_NEAR(x(0), 1, 1e-4);
  EXPECT_NEAR(x(1), 1, 1e-4);
  EXPECT_NEAR(x(2), 0, 1e-4);
}

TEST(saddle_point, constraints_without_any_direction_are_ignored) {
  const Solution s =
      solved(MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2), VectorXd::Ones(2), VectorXd::Zero(2));
  EXPECT_EQ(s.x, VectorXd::Ones(2));
  EXPECT_EQ(s.lambda, VectorXd::Zero(2));
}

TEST(saddle_point, allocates_only_in_its_constructor) {
  Random random(6);
  const Index n = 40, m = 20;
  const MatrixXd M = random.mass(n, n);
  MatrixXd J = random.matrix(m, n);
  J.bottomRows(5) = J.topRows(5);
  const VectorXd delta = random.vector(n), gamma = VectorXd::Zero(m);
  VectorXd x(n), lambda(m);
  SaddlePoint system(n, m);
  const std::size_t before = test::allocation_count();
  for (Index most = 1; most <= m; ++most) {  // 15 are independent
    ASSERT_TRUE(system.factor(M, J, most));
    system.solve(delta, gamma, x, lambda);
  }
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_LT((J * x).norm(), 1e-8);
}

}  // namespace
}  // namespace klingel::mechanism
