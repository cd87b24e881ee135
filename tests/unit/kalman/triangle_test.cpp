// Subject: kalman/triangle. Claim: reflections keep M M^T and leave a lower triangle, products are
// those of the plain sum, for any sizes and wherever zeros are; neither allocates.
#include "kalman/triangle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/allocation_count.hpp"

namespace klingel::kalman {
namespace {

struct Size {
  std::size_t triangle, rows, columns;
};

Array random_array(std::size_t rows, std::size_t columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Array a(rows, columns);
  for (double& x : a.values()) x = normal(random);
  return a;
}

double product(const Array& M, std::size_t i, std::size_t k) {
  double sum = 0;
  for (std::size_t j = 0; j < M.columns(); ++j) sum += M(i, j) * M(k, j);
  return sum;
}

class of_size : public testing::TestWithParam<Size> {};

TEST_P(of_size, reflections_keep_the_covariance) {
  const auto [triangle, rows, columns] = GetParam();
  Array M = random_array(rows, columns, 3);
  // a row of zeros, and one that needs no reflection but a sign
  if (rows > 2)
    for (std::size_t j = 0; j < columns; ++j) M(1, j) = 0;
  for (std::size_t j = 1; j < columns; ++j) M(0, j) = 0;
  M(0, 0) = -2;
  const Array before = M;
  const std::size_t allocations = test::allocation_count();
  triangularise(M, triangle, rows, columns);
  EXPECT_EQ(test::allocation_count(), allocations);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k)
      EXPECT_NEAR(product(M, i, k), product(before, i, k), 1e-12 * static_cast<double>(columns))
          << i << " " << k;
  for (std::size_t i = 0; i < std::min(triangle, columns); ++i) {
    EXPECT_GE(M(i, i), 0);
    for (std::size_t j = i + 1; j < columns; ++j) EXPECT_EQ(M(i, j), 0);
  }
}

TEST_P(of_size, rows_behind_the_triangle_need_few_reflections) {
  const auto [triangle, rows, columns] = GetParam();
  Array all = random_array(rows, columns, 5), some = all;
  const std::size_t few = std::min(triangle / 2, columns);
  triangularise(all, triangle, rows, columns);
  triangularise(some, triangle, rows, columns, few);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < (i < triangle ? columns : few); ++j)
      EXPECT_NEAR(some(i, j), all(i, j), 1e-12) << i << " " << j;
  for (std::size_t i = triangle; i < rows; ++i)
    EXPECT_NEAR(square(some.row(i) + few, columns - few), square(all.row(i) + few, columns - few),
                1e-12 * static_cast<double>(columns));
}

INSTANTIATE_TEST_SUITE_P(triangle, of_size,
                         testing::Values(Size{1, 1, 1}, Size{3, 5, 7}, Size{4, 4, 9},
                                         Size{9, 14, 9}, Size{13, 18, 37}, Size{8, 8, 5}));

TEST(multiply, is_the_plain_sum_wherever_zeros_are) {
  for (const std::size_t inner : {1u, 5u, 16u, 37u}) {
    const std::size_t noise = 6, columns = inner + noise, n = inner + 3;
    Array A = random_array(n, inner, 1), W = random_array(inner, columns, 2);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < inner; ++k)
        if ((3 * i + k) % 4 == 0) A(i, k) = 0;
    // a triangle, but for two rows; a number or two of noise in some rows
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t c = k + 1; c < columns; ++c)
        if (k % 7 != 3 && (c < inner || (k + c) % 5 != 0)) W(k, c) = 0;
    Array to = random_array(n + 2, columns + 1, 4);
    const std::size_t allocations = test::allocation_count();
    multiply(A, n, inner, W, columns, to, 1, 1);
    EXPECT_EQ(test::allocation_count(), allocations);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < inner; ++k) sum += A(i, k) * W(k, c);
        EXPECT_NEAR(to(1 + i, 1 + c), sum, 1e-13 * static_cast<double>(inner)) << i << " " << c;
      }
  }
}

}  // namespace
}  // namespace klingel::kalman
