// Derivatives of a chain of masses on springs, and how many evaluations they take.
#include "start/unit_differences.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace klingel::start {
namespace {

// Units of three coordinates; the first of each is joined to the last of the unit before.
step::Units chain(std::size_t units) {
  step::Units list;
  for (std::size_t u = 0; u < units; ++u) {
    list.of.insert(list.of.end(), 3, u);
    if (u > 0) list.joined.push_back({u - 1, u});
  }
  return list;
}

// every coordinate depends on all of its unit, the first and the last on the neighbours', too
Eigen::VectorXd forces(const std::vector<double>& x) {
  const auto n = x.size();
  Eigen::VectorXd F(static_cast<Eigen::Index>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t u = i / 3 * 3;
    double sum = x[u] * x[u + 1] + static_cast<double>(i + 1) * x[u + 2];
    if (i % 3 == 0 && i > 0) sum += 5 * x[i - 1];
    if (i % 3 == 2 && i + 1 < n) sum -= 7 * x[i + 1];
    F[static_cast<Eigen::Index>(i)] = sum;
  }
  return F;
}

Eigen::MatrixXd derivative(const step::Units& units, const std::vector<double>& x) {
  std::vector<std::size_t> all(x.size());
  std::iota(all.begin(), all.end(), 0);
  Triplets entries;
  UnitDifferences(units, x.size(), all)(forces, x, 1e-6, 1, entries);
  const auto n = static_cast<Eigen::Index>(x.size());
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(unit_differences, units_at_once_have_the_derivatives_of_one_by_one) {
  std::vector<double> x(24);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1 * static_cast<double>(i) - 1;
  const Eigen::MatrixXd one_by_one = derivative({}, x), at_once = derivative(chain(8), x);
  EXPECT_LT((one_by_one - at_once).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_GT(one_by_one.lpNorm<Eigen::Infinity>(), 5);
}

TEST(unit_differences, evaluations_do_not_grow_with_the_train) {
  const auto evaluations = [](std::size_t units) {
    std::vector<std::size_t> all(3 * units);
    std::iota(all.begin(), all.end(), 0);
    return UnitDifferences(chain(units), 3 * units, all).evaluations();
  };
  EXPECT_EQ(evaluations(3), 2 * 9u);
  EXPECT_EQ(evaluations(100), 2 * 9u);
  EXPECT_EQ(UnitDifferences({}, 300, {0, 1, 2, 3}).evaluations(), 8u);
}

}  // namespace
}  // namespace klingel::start
