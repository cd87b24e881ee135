// Subject: spline/spline_fit. Claims: interpolating splines pass through their points, are C2,
// reproduce cubics and converge with the fourth order; smoothing ones go from interpolation to the
// straight line and minimise what they say; functions are followed to the tolerance asked for.
#include "spline/spline_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/error.hpp"

namespace klingel::spline {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const SplineEnd natural = {SplineEnd::natural};

std::vector<double> uneven(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> step(0.02, 1);
  std::vector<double> x = {-1};
  for (int i = 1; i < n; ++i) x.push_back(x.back() + step(random));
  return x;
}

template <typename F>
std::vector<double> values(const std::vector<double>& x, F f) {
  std::vector<double> y;
  for (const double at : x) y.push_back(f(at));
  return y;
}

TEST(interpolate, passes_through_uneven_points_and_is_c2_with_all_ends) {
  const auto x = uneven(30, 1);
  const auto y = values(x, [](double u) { return std::sin(3 * u) + 0.1 * u; });
  for (const SplineEnd end : {SplineEnd{}, natural, SplineEnd{SplineEnd::clamped, 0.7}}) {
    const CubicSpline s = interpolate(x, y, end, end);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(s.value(x[i]), y[i], 1e-13);
    // second derivatives reach 100 here, so this is round-off
    EXPECT_LT(s.largest_jump(0), 1e-13);
    EXPECT_LT(s.largest_jump(1), 1e-12);
    EXPECT_LT(s.largest_jump(2), 1e-10);
  }
}

TEST(interpolate, ends_are_what_they_are_called) {
  const std::vector<double> x = {0, 1, 3, 4, 6}, y = {1, -1, 2, 2, 5};
  const CubicSpline n = interpolate(x, y, natural, natural);
  EXPECT_NEAR(n.second_derivative(0), 0, 1e-14);
  EXPECT_NEAR(n.second_derivative(6), 0, 1e-14);
  const CubicSpline c = interpolate(x, y, {SplineEnd::clamped, 3}, {SplineEnd::clamped, -4});
  EXPECT_NEAR(c.derivative(0), 3, 1e-14);
  EXPECT_NEAR(c.derivative(6), -4, 1e-14);
  const CubicSpline k = interpolate(x, y);
  EXPECT_NEAR(k.pieces()[0].a, k.pieces()[1].a, 1e-14);
  EXPECT_NEAR(k.pieces()[2].a, k.pieces()[3].a, 1e-14);
}

TEST(interpolate, cubics_are_reproduced) {
  const auto f = [](double u) { return ((2 * u - 1) * u + 3) * u - 5; };
  for (const int n : {4, 5, 20}) {
    const auto x = uneven(n, 3);
    const CubicSpline s = interpolate(x, values(x, f));
    for (double u = x.front(); u < x.back(); u += 0.01) {
      EXPECT_NEAR(s.value(u), f(u), 1e-12 * (1 + std::abs(f(u)))) << n;
    }
  }
}

TEST(interpolate, error_falls_with_the_fourth_power_of_the_step) {
  const auto worst = [](int n) {
    std::vector<double> x;
    for (int i = 0; i <= n; ++i) x.push_back(2.0 * i / n);
    const CubicSpline s = interpolate(x, values(x, [](double u) { return std::exp(u); }));
    double error = 0;
    for (double u = 0; u < 2; u += 1e-3)
      error = std::max(error, std::abs(s.value(u) - std::exp(u)));
    return error;
  };
  // halving the step divides the error by about 16
  EXPECT_NEAR(std::log2(worst(40) / worst(80)), 4, 0.3);
}

TEST(interpolate, two_clamped_points_are_a_hermite_piece) {
  const std::vector<double> x = {0, 2}, y = {0, 8};
  const CubicSpline s = interpolate(x, y, {SplineEnd::clamped, 0}, {SplineEnd::clamped, 12});
  EXPECT_NEAR(s.value(1), 1, 1e-15);
}

TEST(interpolate, broken_points_are_refused) {
  const auto make = [](std::vector<double> x, std::vector<double> y, SplineEnd end = {}) {
    return [=] { interpolate(x, y, end, end); };
  };
  EXPECT_THAT(make({0, 1, 2}, {0, 1, 2}), ThrowsMessage<base::Error>(HasSubstr("at least 4")));
  EXPECT_THAT(make({0, 1}, {0, 1}, natural), ThrowsMessage<base::Error>(HasSubstr("at least 3")));
  EXPECT_THAT(make({}, {}, {SplineEnd::clamped}), ThrowsMessage<base::Error>(HasSubstr("found 0")));
  EXPECT_THAT(make({0, 1, 2, 3}, {0, 1, 2}), ThrowsMessage<base::Error>(HasSubstr("as many")));
  EXPECT_THAT(make({0, 1, 1, 3}, {0, 1, 2, 3}),
              ThrowsMessage<base::Error>(HasSubstr("point 2 is at 1, after 1")));
  EXPECT_THAT(make({0, 1, 2, 3}, {0, std::nan(""), 2, 3}),
              ThrowsMessage<base::Error>(HasSubstr("not finite")));
}

// What a smoothing spline minimises, its integral exact because g'' is linear in each piece.
double cost(const CubicSpline& g, const std::vector<double>& x, const std::vector<double>& y,
            const std::vector<double>& w, double lambda) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += w[i] * std::pow(y[i] - g.value(x[i]), 2);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double a = g.second_derivative(x[i]);
    const double b = g.pieces()[i].second_derivative(x[i + 1]);
    sum += lambda * (x[i + 1] - x[i]) * (a * a + a * b + b * b) / 3;
  }
  return sum;
}

class Smooth : public testing::Test {
 protected:
  Smooth() {
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0, 0.05);
    for (const double u : x) {
      y.push_back(std::cos(u) + noise(random));
      w.push_back(0.5 + std::abs(noise(random)) * 20);
    }
  }
  std::vector<double> x = uneven(40, 7), y, w;
};

TEST_F(Smooth, no_lambda_interpolates) {
  const CubicSpline s = smooth(x, y, w, 0), n = interpolate(x, y, natural, natural);
  for (double u = x.front(); u < x.back(); u += 0.05) EXPECT_NEAR(s.value(u), n.value(u), 1e-12);
}

TEST_F(Smooth, a_large_lambda_gives_the_line_of_least_squares) {
  double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    s0 += w[i], s1 += w[i] * x[i], s2 += w[i] * x[i] * x[i];
    t0 += w[i] * y[i], t1 += w[i] * x[i] * y[i];
  }
  const double slope = (s0 * t1 - s1 * t0) / (s0 * s2 - s1 * s1), level = (t0 - slope * s1) / s0;
  const CubicSpline s = smooth(x, y, w, 1e9);
  // the rest of the bending is of the order of 1/lambda
  for (const double u : x) EXPECT_NEAR(s.value(u), level + slope * u, 1e-5);
}

TEST_F(Smooth, every_neighbour_costs_more) {
  const double lambda = 0.03;
  const CubicSpline best = smooth(x, y, w, lambda);
  EXPECT_LT(best.largest_jump(1), 1e-12);
  EXPECT_LT(best.largest_jump(2), 1e-11);
  const double least = cost(best, x, y, w, lambda);
  std::vector<double> g = values(x, [&](double u) { return best.value(u); });
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const double step : {1e-3, -1e-3}) {
      std::vector<double> other = g;
      other[i] += step;
      EXPECT_GT(cost(interpolate(x, other, natural, natural), x, y, w, lambda), least);
    }
  }
}

TEST_F(Smooth, noise_becomes_smaller) {
  const CubicSpline raw = smooth(x, y, {}, 0), calm = smooth(x, y, {}, 0.01);
  double before = 0, after = 0;
  for (const double u : x) {
    before += std::pow(raw.value(u) - std::cos(u), 2);
    after += std::pow(calm.value(u) - std::cos(u), 2);
  }
  EXPECT_LT(after, 0.7 * before);
}

TEST_F(Smooth, broken_input_is_refused) {
  const auto message = [](const char* text) { return ThrowsMessage<base::Error>(HasSubstr(text)); };
  EXPECT_THAT([&] { smooth(x, y, {}, -1); }, message("zero or positive"));
  EXPECT_THAT([&] { smooth(x, y, {}, std::nan("")); }, message("zero or positive"));
  w[3] = 0;
  EXPECT_THAT([&] { smooth(x, y, w, 1); }, message("weight 3"));
  w.pop_back();
  EXPECT_THAT([&] { smooth(x, y, w, 1); }, message("39 weights"));
}

TEST(follow, a_function_with_a_jump_of_curvature_is_followed) {
  // a parabola that begins at 0.3
  const auto f = [](double u) {
    const double v = std::max(0.0, u - 0.3);
    return ValueAndSlope{50 * v * v, 100 * v};
  };
  for (const double tolerance : {1e-3, 1e-6}) {
    const CubicSpline s = follow(f, {0, 0.3, 1}, tolerance);
    double worst = 0;
    for (double u = 0; u < 1; u += 1e-5) worst = std::max(worst, std::abs(s.value(u) - f(u).value));
    // samples inside a piece may miss the very largest distance
    EXPECT_LT(worst, 1.3 * tolerance);
    EXPECT_LT(s.largest_jump(2), 1e-9);
    for (std::size_t i = 2; i < s.knots().size(); ++i) {
      const double h = s.knots()[i - 1] - s.knots()[i - 2], k = s.knots()[i] - s.knots()[i - 1];
      EXPECT_LT(std::max(h, k) / std::min(h, k), 4.01);
    }
  }
}

TEST(follow, a_rounded_jump_of_curvature_does_not_ring) {
  // straight, then a parabola on either side; the middle must not move
  const auto f = [](double u) {
    const double v = std::max(0.0, u - 0.03) + std::min(0.0, u + 0.02);
    return ValueAndSlope{u < 0 ? -30 * v * v : 50 * v * v, u < 0 ? -60 * v : 100 * v};
  };
  const double rounding = 1e-7;
  const CubicSpline s = follow(f, {-0.1, -0.02, 0.03, 0.1}, 1e-9, rounding);
  for (double u = -0.1; u < 0.1; u += 1e-5) {
    EXPECT_NEAR(s.value(u), f(u).value, rounding * 1.02) << u;
    EXPECT_GT(s.second_derivative(u), -60.1) << u;
    EXPECT_LT(s.second_derivative(u), 100.1) << u;
  }
  EXPECT_NEAR(s.value(0), 0, 1e-12);
  EXPECT_NEAR(s.second_derivative(0.05), 100, 0.1);
  EXPECT_NEAR(s.second_derivative(-0.05), -60, 0.1);
  // without rounding it does
  const CubicSpline ringing = follow(f, {-0.1, -0.02, 0.03, 0.1}, 1e-9);
  double highest = 0;
  for (double u = 0; u < 0.1; u += 1e-6) highest = std::max(highest, ringing.second_derivative(u));
  EXPECT_GT(highest, 103);
}

TEST(follow, a_function_that_jumps_is_refused) {
  const auto f = [](double u) { return ValueAndSlope{u < 0.3 ? 0.0 : 1.0, 0}; };
  EXPECT_THAT([&] { follow(f, {0, 1}, 1e-6); }, ThrowsMessage<base::Error>(HasSubstr("jumps")));
}

}  // namespace
}  // namespace klingel::spline
