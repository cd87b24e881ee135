// Newton for the whole vehicle: what the rails give to the wheels, together with the weight,
// changes the momentum.
#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;
using Three = std::array<double, 3>;

// Rows x, y, z of M dq, or of the column of one coordinate. These coordinates move the vehicle as a
// whole, so the rows are its momentum.
class Momentum {
 public:
  explicit Momentum(compile::PreparedRun& p) : p_(p) {
    const klingel_kernel& k = p.kernel->abi();
    for (std::uint32_t i = 0; i < k.n_functions; ++i) {
      if (std::string_view(k.functions[i].name) == "M_qq") M_ = &k.functions[i].outputs[0];
    }
  }
  Three operator()() { return times(p_.simulator->state().dq); }
  double mass() {
    std::vector<double> up(p_.simulator->coordinates(), 0.0);
    up[2] = 1;
    return times(up)[2];
  }

 private:
  Three times(const std::vector<double>& v) {
    const std::span<const double> values = p_.simulator->evaluate("M_qq");
    Three sum{};
    for (std::uint32_t c = 0; c < M_->cols; ++c) {
      if (M_->col_start == nullptr) {
        for (int r = 0; r < 3; ++r) sum[r] += values[c * M_->rows + r] * v[c];
        continue;
      }
      for (std::uint32_t e = M_->col_start[c]; e < M_->col_start[c + 1]; ++e)
        if (M_->row[e] < 3) sum[M_->row[e]] += values[e] * v[c];
    }
    return sum;
  }
  compile::PreparedRun& p_;
  const klingel_output* M_ = nullptr;
};

Three force_of_the_rails(const step::Simulator& s) {
  Three F{};
  for (const auto* points : {&s.tread(), &s.flange()}) {
    for (const step::PointResult& r : *points) {
      for (int k = 0; k < 3; ++k)
        F[k] += r.N * r.W_n[k] + r.f[0] * r.W_x[k] + (r.f[1] + r.turned) * r.W_y[k];
    }
  }
  return F;
}

struct Impulse {
  Three change{}, given{};
  double exchanged = 0;  // N s
};

// From 4 s to 5 s, in the first curve.
Impulse impulse_in_the_curve(double step) {
  vehicle::Scenario scenario = vehicle::load_scenario("feve3000_corrected");
  scenario.step = step;
  VehicleRun r(scenario);
  step::Simulator& s = r.simulator();
  Impulse i;
  Three begin{};
  Momentum momentum(r.p);
  const double weight = momentum.mass() * 9.8;
  while (s.state().t < 5 - step / 2) {
    const bool inside = s.state().t > 4 - step / 2;
    if (inside && i.exchanged == 0) begin = momentum();
    EXPECT_EQ(s.step(step), runtime::Status::ok) << s.failure_text();
    if (!inside) continue;
    const Three F = force_of_the_rails(s);
    for (int k = 0; k < 3; ++k) {
      const double total = F[k] - (k == 2 ? weight : 0);
      i.given[k] += step * total;
      i.exchanged += step * (std::abs(F[k]) + (k == 2 ? weight : 0));
    }
  }
  const Three end = momentum();
  for (int k = 0; k < 3; ++k) i.change[k] = end[k] - begin[k];
  return i;
}

TEST(balance, momentum_of_the_vehicle_changes_by_what_the_rails_give) {
  const Impulse i = impulse_in_the_curve(1e-3);
  // the curve turns 34 t at 24 m/s: a test of zero against zero would say nothing
  EXPECT_GT(std::abs(i.change[1]), 1e4);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(i.change[k], i.given[k], 1e-4 * i.exchanged) << k;
}

// Q is taken along the normal of the canted track, where gravity and the acceleration across both
// have a part.
TEST(balance, wheel_loads_carry_weight_and_inertia) {
  vehicle::Scenario scenario = vehicle::load_scenario("article_smooth");
  scenario.duration = 5;
  VehicleRun r(scenario);
  const double mass = Momentum(r.p).mass();
  ASSERT_EQ(r.go().end, record::RunEnd::completed);
  double Q = 0;
  for (const step::WheelData& w : r.simulator().data().wheels) Q += r.mean("Q." + w.name, 4, 5);
  // the middle of the vehicle over the same second
  double expected = 0;
  int n = 0;
  start::TrackPlace place(r.p.track);
  const std::span<const double> t = r.channel("t"), x = r.channel("body.x"),
                                y = r.channel("body.y"), v = r.channel("speed");
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i] < 4 || t[i] >= 5) continue;
    place.follow({x[i], y[i], 0});
    const track::TrackFrame& f = place.frame();
    // both positive to the left: in a left curve the right rail is high, and the product negative
    expected += mass * (9.8 * std::cos(f.cant) - v[i] * v[i] * f.curvature * std::sin(f.cant));
    ++n;
  }
  expected /= n;
  EXPECT_GT(std::abs(Q - mass * 9.8), 0.005 * mass * 9.8);  // cant and curve are seen
  // four wheelsets stand along 12 m where cant and curvature change
  EXPECT_NEAR(Q, expected, 2e-3 * expected);
}

}  // namespace
}  // namespace klingel
