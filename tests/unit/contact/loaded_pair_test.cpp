// Sheets, widths and stiffnesses of loaded pairs, and a wheelset on them against CONTACT: rolling
// radii, approach and lateral force (tests/reference/loaded_wheelset.csv).
#include "contact/loaded_pair.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "loaded_cases.hpp"
#include "tests/support/reference.hpp"

namespace klingel::contact {
namespace {

using namespace test;
using klingel::test::ReferenceRow;

// A wheel that touches without load: z of O_w.
double rigid_height(const StandardWheel& w, double y) {
  static std::map<const StandardWheel*, LoadedGap> gaps;
  const LoadedGap& whole =
      gaps.try_emplace(&w, LoadedGap(w.f_w, w.f_r, {}, 1e-3, 1e-6, 1e-2)).first->second;
  double least = HUGE_VAL;
  for (const LoadedGap::Gap& g : whole.gaps({y, 0.46, 0, 0})) {
    const double df = w.f_w.derivative(g.u_w);
    least = std::min(least, g.g * std::sqrt(1 + df * df));
  }
  return 0.46 - least;
}

struct Stand {
  double radius, drop, Y;  // mm, mm, N on the rail, outwards
};

// A left wheel, alone. A right wheel is its mirror image.
Stand stand(const LoadedPair& pair, const StandardWheel& w, double y, double N) {
  const LoadedWheel wheel = let_down(pair, y, 0, 0, N);
  const double Y =
      -wheel.tread.N * wheel.tread.place.phi_y - wheel.flange.N * wheel.flange.place.phi_y;
  return {1e3 * wheel.radius, 1e3 * (rigid_height(w, y) - wheel.z), Y};
}

// The wheelset of a row of the table.
struct Compared {
  std::string what;
  double N, y;
  bool steep;             // 1:20
  double delta_r, rigid;  // found less expected, mm; the same of a rigid wheelset
  double drop[2], Y[2];   // found / expected: left, right
};

const std::vector<Compared>& compared() {
  static const std::vector<Compared> all = [] {
    std::vector<Compared> list;
    for (const ReferenceRow& row : klingel::test::reference_table("loaded_wheelset.csv")) {
      const std::string& rail = row.text("rail");
      const StandardWheel& w = standard_wheel(rail);
      const double N = row["N"], y = 1e-3 * row["y"];
      const LoadedPair& pair = standard_loaded(N, rail);
      const Stand left = stand(pair, w, w.y_rest + y, N), right = stand(pair, w, w.y_rest - y, N);
      list.push_back({fmt::format("{} {} kN {} mm", rail, N / 1000, row["y"]),
                      N,
                      row["y"],
                      rail == "60E1:1:20",
                      left.radius - right.radius - row["delta_r"],
                      row["delta_r_rigid"] - row["delta_r"],
                      {left.drop / row["drop_left"], right.drop / row["drop_right"]},
                      {left.Y / row["Y_left"], -right.Y / row["Y_right"]}});
    }
    return list;
  }();
  return all;
}

TEST(loaded_pair, rolling_radii_on_the_tread_are_those_of_CONTACT_within_0_02_mm) {
  int count = 0;
  double worst = 0, worst_rigid = 0;
  for (const Compared& c : compared()) {
    if (c.y > 4.5) continue;
    EXPECT_NEAR(c.delta_r, 0, 0.02) << c.what;  // 0.015 is found
    worst = std::max(worst, std::abs(c.delta_r));
    worst_rigid = std::max(worst_rigid, std::abs(c.rigid));
    ++count;
  }
  EXPECT_EQ(count, 35);
  // what the model is there for: rigid wheelsets are 0.35 mm off
  EXPECT_LT(worst, 0.05 * worst_rigid);
}

TEST(loaded_pair,
     rolling_radii_from_the_root_to_the_flange_are_those_of_CONTACT_but_near_the_change) {
  std::map<double, std::pair<double, int>> squares, rigid;
  for (const Compared& c : compared()) {
    if (c.y <= 4.5 || c.steep) continue;
    squares[c.N].first += c.delta_r * c.delta_r, ++squares[c.N].second;
    rigid[c.N].first += c.rigid * c.rigid;
    // at 5 and 5.5 mm the load goes from tread to flange; above 6 mm what counts is 0.02 mm of y
    EXPECT_LT(std::abs(c.delta_r), c.y == 6 ? 0.005 : c.N == 100e3 ? 0.22 : 0.15) << c.what;
  }
  const auto rms = [&](double N) { return std::sqrt(squares[N].first / squares[N].second); };
  const auto rigid_rms = [&](double N) { return std::sqrt(rigid[N].first / squares[N].second); };
  ASSERT_EQ(squares[60e3].second, 4);
  EXPECT_LT(rms(30e3), 0.05);   // 0.033 mm
  EXPECT_LT(rms(60e3), 0.1);    // 0.094 mm
  EXPECT_LT(rms(100e3), 0.15);  // 0.144 mm: the tread gives its load away too early, at 5 mm
  for (const double N : {60e3, 100e3}) EXPECT_LT(rms(N), 0.4 * rigid_rms(N));
}

TEST(loaded_pair, rolling_radii_at_1_20_are_those_of_CONTACT) {
  for (const Compared& c : compared()) {
    if (!c.steep) continue;
    EXPECT_NEAR(c.delta_r, 0, c.y < 4.5 ? 0.011 : 0.035) << c.what;
  }
}

TEST(loaded_pair, approach_is_that_of_CONTACT_within_15_percent) {
  double sum = 0;
  int count = 0;
  for (const Compared& c : compared()) {
    for (const double ratio : c.drop) {
      EXPECT_NEAR(ratio, 1, 0.15) << c.what;
      sum += ratio, ++count;
    }
  }
  // one stiffness for all places of a sheet: too stiff where its patch is narrow
  EXPECT_NEAR(sum / count, 0.95, 0.02);
}

TEST(loaded_pair, lateral_force_is_that_of_CONTACT_within_4_percent_on_the_tread) {
  for (const Compared& c : compared()) {
    const double left = c.y <= 4.5 ? 0.04 : c.steep ? 0.24 : 0.18;  // 5 mm: tread to flange
    EXPECT_NEAR(c.Y[0], 1, left) << c.what;
    EXPECT_NEAR(c.Y[1], 1, 0.02) << c.what;
  }
}

TEST(loaded_pair, width_is_its_share_of_the_approach_at_the_static_load) {
  double last = 0;
  for (const double load : {5e3, 30e3, 60e3, 100e3, 150e3}) {
    const LoadedPair& pair = standard_loaded(load);
    ASSERT_TRUE(pair.flange);
    EXPECT_EQ(pair.load, load);
    const auto check = [&](const Sheet& sheet, double y, double share, double narrow) {
      const double eps = sheet.gap.eps();
      // the fixed point is left at 1e-6
      EXPECT_NEAR(eps / (share * std::pow(load / sheet.k, 2.0 / 3)), 1, 2e-6) << load;
      const LoadedPlace at = sheet.gap.at({y, resting_height(sheet.gap, y, 0, 0), 0, 0});
      EXPECT_NEAR(at.smallest, at.phi, 1e-10) << load;
      LoadedGap within = sheet.gap;
      within.set_width(narrow * eps, within.length());
      const LoadedPlace in = within.at({y, resting_height(within, y, 0, 0), 0, 0});
      const double A = 1 / (2 * in.radius * std::sqrt(1 + in.slope * in.slope));
      EXPECT_NEAR(sheet.k / steel().stiffness({A, in.B(narrow * eps)}), 1, 1e-5) << load;
    };
    check(pair.tread, pair.y_rest, tread_share, 1);
    check(*pair.flange, pair.y_both, flange_share, flange_narrow);
    EXPECT_GT(pair.tread.gap.eps(), last);
    last = pair.tread.gap.eps();
  }
  EXPECT_NEAR(standard_loaded(60e3).tread.gap.eps(), 15.4e-6, 1e-7);
}

TEST(loaded_pair, splits_S1002_between_the_points_that_a_rigid_wheel_jumps_from_and_to) {
  // docs/contact.md: S1002 on 60E1 at 1:40 jumps at 0.226, 4.992 and 6.260 mm, rolling; without
  // roll the second one is at 5.17 mm, and lands on the root
  for (const double load : {30e3, 100e3}) {
    const LoadedPair& pair = standard_loaded(load);
    EXPECT_NEAR(pair.y_both - pair.y_rest, 5.17e-3, 2e-5);
    EXPECT_NEAR(pair.split, -25.0e-3, 1e-4);
  }
  const StandardWheel& w = standard_wheel();
  const LoadedGap whole(w.f_w, w.f_r, {}, 1e-3, 1e-6, 1e-2);
  const LoadedGap::Row row(whole, 0, 0);
  const LoadedPair& pair = standard_loaded();
  EXPECT_GT(row.lowest(pair.y_both - 2e-6), pair.split + 2e-3);
  EXPECT_LT(row.lowest(pair.y_both + 2e-6), pair.split - 2e-3);
  EXPECT_GT(std::abs(w.f_w.derivative(row.lowest(pair.y_both + 2e-6))), 0.2);
}

TEST(loaded_pair, a_cone_on_an_arc_has_one_sheet) {
  const LoadedPair pair = loaded_pair(
      wheel_function(profile::profile("cone:0.05"), profile::Side::left, 0.46),
      rail_function(profile::profile("arc:0.3"), profile::Side::left), 0, 50e3, steel());
  EXPECT_FALSE(pair.flange);
  // Hertz: A = 1/(2 r) cos, B = 1/(2 R); the arc differs from a parabola by (s/R)^2
  const double k = steel().stiffness({1 / 0.92, 1 / 0.6});
  EXPECT_NEAR(pair.tread.k / k, 1, 3e-3);
  const LoadedWheel wheel = let_down(pair, 0, 0, 0, 50e3);
  EXPECT_NEAR(wheel.tread.delta / std::pow(50e3 / k, 2.0 / 3), 1, 4e-3);
  EXPECT_EQ(wheel.flange.N, 0);
}

TEST(loaded_pair, has_the_sheets_an_expert_asks_for) {
  const StandardWheel& w = standard_wheel();
  EXPECT_FALSE(loaded_pair(w.f_w, w.f_r, w.y_rest, 60e3, steel(), {false, {}}).flange);
  const LoadedPair pair = loaded_pair(w.f_w, w.f_r, w.y_rest, 60e3, steel(), {true, -0.03});
  ASSERT_TRUE(pair.flange);
  EXPECT_EQ(pair.split, -0.03);
  EXPECT_EQ(pair.y_both, standard_loaded().y_both);
  // a split where the wheel would have none
  const LoadedPair cut =
      loaded_pair(cone(0.46, -0.05), arc(0.3, 0, 0.03), 0, 60e3, steel(), {true, -0.02});
  ASSERT_TRUE(cut.flange);
  EXPECT_EQ(cut.split, -0.02);
}

TEST(loaded_pair, a_wheel_let_down_carries_its_load_with_both_sheets) {
  const LoadedPair& pair = standard_loaded();
  int both = 0;
  for (const double load : {1e3, 20e3, 60e3, 150e3}) {
    for (double y = -4e-3; y < 7.1e-3; y += 5e-4) {
      for (const double e_n : {-0.01, 0.0, 0.004}) {
        const LoadedWheel wheel = let_down(pair, pair.y_rest + y, e_n, 0.01, load);
        EXPECT_NEAR((wheel.tread.Q + wheel.flange.Q) / load, 1, 1e-8);
        for (const auto& [part, sheet] :
             {std::pair{&wheel.tread, &pair.tread}, {&wheel.flange, &*pair.flange}}) {
          const LoadedPlace at = sheet->gap.at({pair.y_rest + y, wheel.z, e_n, 0.01});
          EXPECT_EQ(part->delta, std::max(0.0, -at.phi));
          EXPECT_EQ(part->N, sheet->k * part->delta * std::sqrt(part->delta));
          EXPECT_EQ(part->Q, part->N * at.phi_z);
        }
        const double N = wheel.tread.N + wheel.flange.N;
        EXPECT_NEAR(
            wheel.radius * N,
            wheel.tread.N * wheel.tread.place.radius + wheel.flange.N * wheel.flange.place.radius,
            1e-12 * N);
        both += wheel.tread.N > 0.01 * load && wheel.flange.N > 0.01 * load;
      }
    }
  }
  EXPECT_GT(both, 5);
}

TEST(loaded_pair, load_goes_over_from_tread_to_flange_without_a_jump) {
  const LoadedPair& pair = standard_loaded();
  const double step = 1e-5;
  LoadedWheel last = let_down(pair, pair.y_both - 1e-3, 0, 0, 60e3);
  const double before = last.tread.Q;
  for (double y = pair.y_both - 1e-3 + step; y < pair.y_both + 1e-3; y += step) {
    const LoadedWheel wheel = let_down(pair, y, 0, 0, 60e3);
    // 10 um outwards lifts the root by 4 um of some 70 um
    EXPECT_LT(std::abs(wheel.flange.Q - last.flange.Q), 0.03 * 60e3) << y - pair.y_both;
    EXPECT_LT(std::abs(wheel.z - last.z), 1.0 * step);
    last = wheel;
  }
  EXPECT_GT(before, 0.99 * 60e3);
  EXPECT_GT(last.flange.Q, 0.99 * 60e3);
}

// Heights are taken from the rail's straight continuation there.
TEST(loaded_pair, a_wheel_beside_the_rail_is_an_error) {
  const StandardWheel& w = standard_wheel();
  for (const double y : {-0.25, 0.25, 1.0})
    EXPECT_THROW(loaded_pair(w.f_w, w.f_r, y, 60e3, steel()), base::Error) << y;
}

TEST(loaded_pair, a_load_that_is_none_is_an_error) {
  const StandardWheel& w = standard_wheel();
  for (const double load : {-1.0, 0.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(loaded_pair(w.f_w, w.f_r, w.y_rest, load, steel()), base::Error) << load;
}

}  // namespace
}  // namespace klingel::contact
