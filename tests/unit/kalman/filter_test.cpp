// Subject: kalman/filter. Claim: on linear systems it is the Kalman filter that textbooks have in
// closed form; its innovations are as large as it says; missing, late and wrong samples are treated
// as they should.
#include "kalman/filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "tests/support/allocation_count.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/kalman/linear_model.hpp"

namespace klingel::kalman {
namespace {

using test::LinearModel;

Array array(std::size_t rows, std::size_t columns, std::initializer_list<double> values) {
  Array a(rows, columns);
  std::size_t i = 0;
  for (const double v : values) a(i / columns, i % columns) = v, ++i;
  return a;
}

// x' = x + w, y = x' ... here y(t+h) = x + w: the scalar random walk.
struct Walk {
  LinearModel model{array(1, 1, {1}), array(1, 1, {1})};
};

class by_method : public testing::TestWithParam<Method> {};

TEST_P(by_method, variance_of_a_random_walk_settles_at_its_closed_form) {
  Walk walk;
  const double q = 0.3, r = 0.7;
  FilterOptions options;
  options.method = GetParam();
  Filter f(walk.model, {0}, array(1, 1, {5}), array(1, 1, {q}), {r}, options);
  const double y[] = {0.1};
  for (int k = 0; k < 400; ++k) ASSERT_TRUE(f.step(y));
  // P = P- R / (P- + R) with P- = P + Q:  P^2 + Q P - Q R = 0
  const double Q = q * q, R = r * r, P = (-Q + std::sqrt(Q * Q + 4 * Q * R)) / 2;
  EXPECT_NEAR(f.sigma(0) * f.sigma(0), P, 1e-12);
  EXPECT_NEAR(f.x()[0], 0.1, 1e-9);
}

TEST_P(by_method, agrees_with_the_covariance_form_step_by_step) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr int n = 5, m = 3, k = 4;
  Eigen::MatrixXd A(n, n), C(m, n), N(n, k), S = Eigen::MatrixXd::Zero(n, n);
  for (auto* M : {&A, &C, &N})
    for (double& v : M->reshaped()) v = normal(random);
  A *= 0.4;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) S(i, j) = i == j ? 1.5 : 0.3 * normal(random);
  const auto to_array = [](const Eigen::MatrixXd& M) {
    Array a(static_cast<std::size_t>(M.rows()), static_cast<std::size_t>(M.cols()));
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      for (Eigen::Index j = 0; j < M.cols(); ++j)
        a(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) = M(i, j);
    return a;
  };
  LinearModel model(to_array(A), to_array(C));
  const std::vector<double> r = {0.5, 0.2, 1.1};
  FilterOptions options;
  options.method = GetParam();
  options.gate = 0;
  Filter f(model, std::vector<double>(n, 0.2), to_array(S), to_array(N), r, options);
  Eigen::VectorXd x = Eigen::VectorXd::Constant(n, 0.2);
  Eigen::MatrixXd P = S * S.transpose(), R = Eigen::MatrixXd::Zero(m, m);
  for (int i = 0; i < m; ++i)
    R(i, i) = r[static_cast<std::size_t>(i)] * r[static_cast<std::size_t>(i)];
  for (int step = 0; step < 20; ++step) {
    Eigen::Vector3d y(normal(random), normal(random), normal(random));
    ASSERT_TRUE(f.step({y.data(), 3}));
    // noise first, then step and measurement together
    const Eigen::MatrixXd W = P + N * N.transpose(), V = C * W * C.transpose() + R;
    const Eigen::MatrixXd K = A * W * C.transpose() * V.inverse();
    const Eigen::VectorXd e = y - C * x;
    const double nis = e.dot(V.inverse() * e);
    const double o = x[0] + (W * C.transpose() * V.inverse() * e)[0];
    const double o_variance = (W - W * C.transpose() * V.inverse() * C * W)(0, 0);
    x = A * x + K * e;
    P = A * W * A.transpose() - K * V * K.transpose();
    EXPECT_NEAR(f.innovations().nis, nis, 1e-9 * nis);
    EXPECT_NEAR(f.outputs()[0], o, 1e-9);
    EXPECT_NEAR(f.output_sigma()[0], std::sqrt(o_variance), 1e-9);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(f.x()[static_cast<std::size_t>(i)], x[i], 1e-9);
      EXPECT_NEAR(f.sigma(static_cast<std::size_t>(i)), std::sqrt(P(i, i)), 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, by_method, testing::Values(Method::extended, Method::unscented));

// A mass on a spring, its place measured: innovations and errors are as large as the filter says.
struct Oscillator {
  static constexpr double a = 0.995, b = 0.09;
  LinearModel model{array(2, 2, {a, b, -b, a}), array(1, 2, {1, 0})};
  Array noise = array(2, 1, {0, 0.05});
  double sigma = 0.2;
};

TEST(filter, is_consistent_with_the_system_that_it_knows) {
  Oscillator o;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  double nis = 0, nees = 0;
  constexpr int runs = 40, steps = 250;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> x = {normal(random), normal(random)};
    Filter f(o.model, {0, 0}, array(2, 2, {1, 0, 0, 1}), o.noise, {o.sigma});
    for (int k = 0; k < steps; ++k) {
      x[1] += o.noise(1, 0) * normal(random);
      const double y[] = {x[0] + o.sigma * normal(random)};
      x = {o.a * x[0] + o.b * x[1], -o.b * x[0] + o.a * x[1]};
      ASSERT_TRUE(f.step(y));
      nis += f.innovations().nis;
      const std::size_t which[] = {0, 1};
      nees += f.nees(which, x);
    }
  }
  // means over many independent numbers: four standard deviations of chi-square (innovations are
  // independent; errors are not, hence the wider bound)
  const double count = runs * steps;
  EXPECT_NEAR(nis / count, 1, 4 * std::sqrt(2 / count));
  EXPECT_NEAR(nees / count, 2, 0.25);
}

TEST(filter, missing_samples_are_no_information_and_outliers_are_left_out) {
  Oscillator o;
  Filter a(o.model, {0, 0}, array(2, 2, {1, 0, 0, 1}), o.noise, {o.sigma});
  Filter b(o.model, {0, 0}, array(2, 2, {1, 0, 0, 1}), o.noise, {o.sigma});
  const double nothing[] = {std::nan("")}, wild[] = {1e6}, good[] = {0.1};
  ASSERT_TRUE(a.step(good));
  ASSERT_TRUE(b.step(good));
  ASSERT_TRUE(a.step(nothing));
  ASSERT_TRUE(b.step(wild));
  EXPECT_EQ(a.innovations().used[0], 0);
  EXPECT_EQ(b.innovations().used[0], 2);
  EXPECT_EQ(b.outliers(), 1u);
  EXPECT_EQ(a.x(), b.x());
  EXPECT_EQ(a.sigma(0), b.sigma(0));
  const double infinite[] = {std::numeric_limits<double>::infinity()};
  ASSERT_TRUE(a.step(infinite));
  EXPECT_EQ(a.innovations().used[0], 0);
  EXPECT_TRUE(std::isfinite(a.x()[0]));
}

TEST(filter, late_samples_lead_to_the_same_estimate) {
  Oscillator o;
  FilterOptions options;
  options.most_delay = 4;
  Filter late(o.model, {0, 0}, array(2, 2, {1, 0, 0, 1}), o.noise, {o.sigma}, options);
  Oscillator other;
  Filter prompt(other.model, {0, 0}, array(2, 2, {1, 0, 0, 1}), o.noise, {o.sigma});
  const double nothing[] = {std::nan("")};
  for (int k = 0; k < 10; ++k) {
    const double y[] = {std::sin(0.3 * k)};
    ASSERT_TRUE(prompt.step(y));
    // the sample of step 3 comes after step 6
    ASSERT_TRUE(late.step(k == 3 ? nothing : y));
    if (k == 6) {
      const double missed = std::sin(0.3 * 3);
      EXPECT_FALSE(late.add_late(0, 5, missed));
      ASSERT_TRUE(late.add_late(0, 3, missed));
    }
    if (k == 3 || k == 6) {
      EXPECT_NE(late.x()[0], prompt.x()[0]);
    }
  }
  EXPECT_EQ(late.x(), prompt.x());
  EXPECT_EQ(late.sigma(1), prompt.sigma(1));
}

TEST(filter, unscented_points_see_the_mean_of_what_is_curved) {
  LinearModel model(array(1, 1, {0}), array(1, 1, {0}));
  model.nonlinear = 1;
  FilterOptions options;
  options.method = Method::unscented;
  Filter f(model, {0}, array(1, 1, {2}), Array(1, 0), {1}, options);
  const double nothing[] = {std::nan("")};
  ASSERT_TRUE(f.step(nothing));
  // of x^2 with x normal: mean sigma^2, variance 2 sigma^4
  EXPECT_NEAR(f.x()[0], 4, 1e-12);
  EXPECT_NEAR(f.sigma(0), std::sqrt(2.0) * 4, 1e-12);
}

TEST(filter, steps_allocate_nothing) {
  Oscillator o;
  Filter f(o.model, {0, 0}, array(2, 2, {1, 0, 0, 1}), o.noise, {o.sigma});
  const double y[] = {0.1};
  ASSERT_TRUE(f.step(y));
  const std::size_t before = test::allocation_count();
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(f.step(y));
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(filter, covariances_that_are_none_are_errors) {
  Oscillator o;
  const auto make = [&](const Array& S, double sigma) {
    return test::error_of([&] { Filter(o.model, {0, 0}, S, o.noise, {sigma}); });
  };
  EXPECT_THAT(make(array(2, 2, {1, 0, 0, 0}), 1), testing::HasSubstr("singular"));
  EXPECT_THAT(make(array(2, 2, {1, 0, 0, 1}), 0), testing::HasSubstr("singular"));
  EXPECT_THAT(make(array(2, 2, {1, 0, std::nan(""), 1}), 1), testing::HasSubstr("not finite"));
}

TEST(filter, what_arrives_late_goes_to_the_step_it_belongs_to) {
  Walk one, two;
  FilterOptions options;
  options.most_delay = 3;
  Filter arrives(one.model, {0}, array(1, 1, {1}), array(1, 1, {0.2}), {0.5}, options);
  Filter by_hand(two.model, {0}, array(1, 1, {1}), array(1, 1, {0.2}), {0.5}, options);
  const double nothing[] = {std::nan("")};
  const std::size_t delays[] = {3};
  for (int k = 0; k < 30; ++k) {
    const double y[] = {k % 4 == 0 ? std::nan("") : std::sin(0.3 * k)};
    ASSERT_TRUE(arrives.take(y, delays));
    if (std::isfinite(y[0])) by_hand.add_late(0, 2, y[0]);
    ASSERT_TRUE(by_hand.step(nothing));
    EXPECT_EQ(arrives.x(), by_hand.x());
  }
  // the first two came before there was a step to go to
  EXPECT_EQ(arrives.late_samples(), 20u);
}

TEST(filter, goes_on_from_bytes_bit_for_bit) {
  FilterOptions options;
  options.most_delay = 2;
  options.gate = 2;
  options.most_outliers = 3;
  const auto make = [&](LinearModel& model) {
    return Filter(model, {0, 0}, array(2, 2, {1, 0, 0.5, 1}), array(2, 1, {0.2, 0.1}), {0.5},
                  options);
  };
  LinearModel one(array(2, 2, {0.9, 0.1, -0.2, 0.8}), array(1, 2, {1, 0.3})), two = one;
  Filter a = make(one), b = make(two);
  const std::size_t delays[] = {2};
  const auto go = [&](Filter& f, int from, int to) {
    for (int k = from; k < to; ++k) {
      const double y[] = {k % 5 == 0 ? 30.0 : std::cos(0.2 * k)};
      ASSERT_TRUE(f.take(y, delays));
    }
  };
  go(a, 0, 23);
  base::ByteWriter bytes;
  a.write(bytes);
  base::ByteReader reader(bytes.bytes());
  b.read(reader);
  reader.finish();
  two.settled = one.settled, two.slots = one.slots;  // this model writes nothing
  go(a, 23, 60), go(b, 23, 60);
  EXPECT_EQ(b.x(), a.x());
  EXPECT_EQ(b.outliers(), a.outliers());
  EXPECT_GT(b.outliers(), 5u);
  LinearModel small(array(1, 1, {1}), array(1, 1, {1}));
  Filter other(small, {0}, array(1, 1, {1}), array(1, 1, {0.2}), {0.5}, options);
  base::ByteReader again(bytes.bytes());
  EXPECT_THAT(test::error_of([&] { other.read(again); }), testing::HasSubstr("expected 1"));
}

}  // namespace
}  // namespace klingel::kalman
