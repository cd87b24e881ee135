#include "assess/comfort.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assess/ride.hpp"
#include "assess/section_statistics.hpp"

namespace klingel::assess {
namespace {

using Column = std::vector<double>;

// rms over windows of 5 s, one behind the other, of the weighted signal.
Column windows(const Column& a, double interval, double (*weighting)(double)) {
  const Column x = weighted(a, interval, weighting);
  const auto size = static_cast<std::size_t>(std::max(1.0, std::round(5 / interval)));
  Column list;
  for (std::size_t i = 0; i < x.size(); i += size) {
    const std::size_t count = std::min(size, x.size() - i);
    if (list.empty() || 2 * count >= size) list.push_back(rms(std::span(x).subspan(i, count)));
  }
  return list;
}

double most(const Column& x) { return *std::max_element(x.begin(), x.end()); }

// Mean over 1 s around each row, as far as there are rows.
Column second(const Column& x, double interval) {
  const auto half = static_cast<std::ptrdiff_t>(std::round(0.5 / interval));
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  Column sums(x.size() + 1), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    sums[i + 1] = sums[i] + (std::isfinite(x[i]) ? x[i] : 0);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const std::ptrdiff_t a = std::max<std::ptrdiff_t>(0, i - half), b = std::min(n, i + half + 1);
    y[static_cast<std::size_t>(i)] =
        (sums[static_cast<std::size_t>(b)] - sums[static_cast<std::size_t>(a)]) /
        static_cast<double>(b - a);
  }
  return y;
}

struct Coefficients {
  double A, B, C, D, E;
};
constexpr Coefficients standing{28.54, 20.69, 11.1, 0.185, 2.283};
constexpr Coefficients seated{8.97, 9.68, 5.9, 0.120, 1.626};

double P_CT(const Coefficients& c, const TransitionComfort& t) {
  return std::max(c.A * t.y + c.B * t.jerk - c.C, 0.0) + c.D * std::pow(t.roll, c.E);
}

}  // namespace

std::optional<Comfort> comfort(const FloorSignal& point, double h) {
  if (point.a[1].size() < 4) return {};
  // an accelerometer that has not felt a step yet shows nothing
  std::array<Column, 3> a = point.a;
  for (Column& x : a)
    for (double& v : x)
      if (!std::isfinite(v)) v = 0;
  Comfort c;
  c.name = point.name;
  c.seconds = h * static_cast<double>(a[1].size());
  const Column x = windows(a[0], h, comfort_W_d), y = windows(a[1], h, comfort_W_d);
  const Column z = windows(a[2], h, comfort_W_b), back = windows(a[0], h, comfort_W_c);
  const double x95 = percentile(x, 0.95), y95 = percentile(y, 0.95), z95 = percentile(z, 0.95);
  const double x50 = percentile(x, 0.5), y50 = percentile(y, 0.5), z50 = percentile(z, 0.5);
  c.N_MV = 6 * std::hypot(x95, y95, z95);
  c.N_VD = 3 * std::sqrt(16 * x50 * x50 + 4 * y50 * y50 + z50 * z50) + 5 * y95;
  c.N_VA = 4 * z95 + 2 * std::hypot(y95, z95) + 4 * percentile(back, 0.95);
  c.continuous_y = most(y), c.continuous_z = most(z);
  c.Wz_y = sperling_Wz(a[1], h, sperling_lateral);
  c.Wz_z = sperling_Wz(a[2], h, sperling_vertical);
  return c;
}

std::vector<TransitionComfort> transition_comfort(const RunSignals& run, std::size_t point) {
  const TrackCourse& c = run.course;
  const double h = c.interval;
  const auto rows = [&](double seconds) {
    return static_cast<std::size_t>(std::round(seconds / h));
  };
  const Column y = second(run.floor[point].a[1], h);
  Column rate(run.roll.size());
  for (std::size_t i = 1; i < rate.size(); ++i)
    rate[i] = (run.roll[i] - run.roll[i - 1]) / h * 180 / std::numbers::pi;
  const Column roll = second(rate, h);
  std::vector<TransitionComfort> list;
  for (const Transition& t : cut(c).transitions) {
    if (std::abs(t.to) <= std::abs(t.from) || t.end - t.begin < rows(1)) continue;
    TransitionComfort p;
    p.run = run.name, p.point = run.floor[point].name;
    p.t = c.t[t.begin], p.from = t.from, p.to = t.to;
    const std::size_t last = std::min(y.size(), t.end + rows(1.6)), apart = rows(1);
    for (std::size_t i = t.begin; i < last; ++i) p.y = std::max(p.y, std::abs(y[i]));
    for (std::size_t i = t.begin; i < t.end; ++i) {
      if (i >= apart) p.jerk = std::max(p.jerk, std::abs(y[i] - y[i - apart]));
      p.roll = std::max(p.roll, std::abs(roll[i]));
    }
    p.standing = P_CT(standing, p), p.seated = P_CT(seated, p);
    list.push_back(std::move(p));
  }
  return list;
}

}  // namespace klingel::assess
