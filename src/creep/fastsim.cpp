#include "creep/fastsim.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace klingel::creep {
namespace {

using std::numbers::pi;

struct Node {
  double x, weight;
};

// Gauss' abscissas on [-1, 1] from the largest down: zeros of the Legendre polynomial by Newton.
std::vector<Node> gauss(int n) {
  std::vector<Node> nodes;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double before = 1, p = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    nodes.push_back({x, 2 / ((1 - x * x) * slope * slope)});
  }
  return nodes;
}

}  // namespace

Fastsim::Fastsim(int strips) : stick_(0) {
  if (strips < 3 || strips > 100) base::fail("FASTSIM with {} strips, expected 3 to 100", strips);
  // y = sin t turns the integral over y into a sum over equal steps of t, exact for cos^4 t
  for (int j = 0; j < strips; ++j) {
    const double t = pi * ((j + 0.5) / strips - 0.5), half = std::cos(t);
    strips_.push_back({std::sin(t), half, half * half * pi / strips});
    stick_ += half * half * half * pi / strips / (4.0 / 3);
  }
  double before = 1;
  for (const Node& node : gauss(3 * strips)) {
    const double x = node.x;
    points_.push_back({x, node.weight, 1 - x * x, before - x, 0.5 * (before - x) * (before + x)});
    before = x;
  }
}

CreepResult Fastsim::operator()(const CreepInput& in) const noexcept {
  if (!acts(in) || !(in.mu > 0)) return {};
  const LinearCreep linear = linear_creep(in);
  const double a = in.a, b = in.b;
  // slopes of the traction along x, the patch turned so that it rolls forwards
  const double per_L = linear.direction * 3 * in.G / (8 * a * stick_);
  const double g_x = per_L * in.c.c11 * linear.xi_x, g_y = per_L * in.c.c22 * linear.xi_y;
  const double g_z = 4 * in.G * in.c.c23 * linear.varphi_z / (pi * a * std::sqrt(a / b));
  const double L = in.c.c11 / in.c.c22;  // L2/L1
  const double p_most = 2 * in.mu * in.N / (pi * a * b);

  double f_x = 0, f_y = 0, m_z = 0;
  for (const Strip& strip : strips_) {
    const double half = a * strip.half, y = b * strip.y;
    const double bound = p_most * strip.half * strip.half;
    const double d_x = (g_x - g_z * y) * half, d_y = g_y * half, d_yx = g_z * half * half;
    double p_x = 0, p_y = 0, sum_x = 0, sum_y = 0, sum_xy = 0;
    for (const Point& point : points_) {
      // stick: the exact integral of the slopes over the way from the point before
      p_x -= d_x * point.way;
      p_y -= d_y * point.way + d_yx * point.way_x;
      const double g = bound * point.bound, size2 = p_x * p_x + p_y * p_y;
      if (size2 > g * g) {
        // slip: what counts is the slope here and not that on the way, else spin would lag behind
        // by half a step; blended in so that the force is continuous where slip begins
        const double size = std::sqrt(size2);
        p_y += std::min(1.0, 10 * (1 - g / size)) * d_yx * (point.way_x - point.way * point.x);
        // slip is parallel to traction, but L1 and L2 differ: p_i = q_i/(1 + s/L_i), s by one step
        // of Newton's rule on 1/|p|, which is almost linear in s; fractions cleared
        const double over = (size - g) * size2, rate = g * (L * p_x * p_x + p_y * p_y);
        p_x *= rate + over;
        p_y *= rate + L * over;
        const double now = std::sqrt(p_x * p_x + p_y * p_y), back = now > 0 ? g / now : 0;
        p_x *= back;
        p_y *= back;
      }
      sum_x += point.weight * p_x;
      sum_y += point.weight * p_y;
      sum_xy += point.weight * point.x * p_y;
    }
    f_x += strip.weight * sum_x;
    f_y += strip.weight * sum_y;
    m_z += strip.weight * (half * sum_xy - y * sum_x);
  }
  const double ab = linear.direction * a * b;
  return secant(in, linear, ab * f_x, ab * f_y, a * b * m_z);
}

}  // namespace klingel::creep
