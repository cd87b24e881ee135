// A wheelset under load: a cone against Hertz, S1002 against CONTACT, and what must hold anyway.
#include "contact/loaded_wheelset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "base/error.hpp"
#include "contact/conicity.hpp"
#include "profile/named_profile.hpp"
#include "tests/support/reference.hpp"

namespace klingel::contact {
namespace {

using klingel::test::reference_table;
using klingel::test::ReferenceRow;

// The steel of the reference: G = 82 GPa.
const HertzTable& steel() {
  static const HertzTable table(2 * 1.28 * 82e9, 0.28);
  return table;
}

struct Loaded {
  Loaded(const SideProfiles& left, const SideProfiles& right, double load,
         const WheelsetPlacement& placement = {})
      : geometry(left, right, placement), wheelset(geometry, left, right, load, steel()) {}
  Loaded(const std::string& wheel, const std::string& rail, double load,
         const WheelsetPlacement& placement = {})
      : Loaded({profile::profile(wheel), profile::profile(rail, profile::ProfileKind::rail)},
               {profile::profile(wheel), profile::profile(rail, profile::ProfileKind::rail)}, load,
               placement) {}

  WheelsetGeometry geometry;
  LoadedWheelset wheelset;
};

// Made once for each rail and load of the reference.
const LoadedWheelset& s1002(const std::string& rail, double load) {
  static std::map<std::pair<std::string, double>, std::unique_ptr<Loaded>> made;
  auto& one = made[{rail, load}];
  if (!one) one = std::make_unique<Loaded>("S1002", rail, load);
  return one->wheelset;
}

TEST(loaded_wheelset, a_cone_on_an_arc_is_hertz) {
  constexpr double R = 0.3, slope = 0.025, load = 60e3;
  WheelsetPlacement p;
  p.gauge_depth = 0.001;  // the arc ends soon
  const Loaded loaded("cone:0.025", "arc:0.3", load, p);
  const auto c = loaded.wheelset.at(0.002, 0, 0.0);
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->delta_r(), 2 * slope * 0.002, 1e-7);
  EXPECT_NEAR(c->left.angle, std::atan(slope), 1e-4);
  const HertzPatch hertz = steel().patch({1 / (2 * 0.46), 1 / (2 * R)}, load);
  const std::vector<Patch> patches = loaded.wheelset.patches(*c, profile::Side::left);
  ASSERT_EQ(patches.size(), 1);
  EXPECT_NEAR(patches[0].a, hertz.a, 0.01 * hertz.a);
  EXPECT_NEAR(patches[0].b, hertz.b, 0.01 * hertz.b);
  EXPECT_NEAR(patches[0].share, 1, 1e-12);
  EXPECT_NEAR(loaded.wheelset.approach(*c, profile::Side::left), hertz.delta, 0.01 * hertz.delta);
}

// 0.015 mm where the wheel stands on its tread: the model has one parameter for all loads. Radii
// themselves are 0.02 mm off where both sides are, at y = 0, and patches are 18 mm long. Where
// the flange takes over, delta_r changes by 2.3 mm within half a millimetre of y; there the share
// of the flange is known to about a tenth.
TEST(loaded_wheelset, delta_r_is_that_of_contact) {
  double squares = 0;
  int far = 0;
  for (const ReferenceRow& r : reference_table("loaded_wheelset.csv")) {
    const auto c = s1002(r.text("rail"), r["N"]).at(1e-3 * r["y"], 0, 0.0);
    ASSERT_TRUE(c);
    const double off = 1e3 * c->delta_r() - r["delta_r"];
    SCOPED_TRACE(testing::Message() << r.text("rail") << ", " << r["N"] << " N, y = " << r["y"]);
    if (r["y"] <= 4.5) {
      EXPECT_NEAR(off, 0, 0.015);
      EXPECT_NEAR(1e3 * c->left.rolling_radius, r["r_left"], 0.025);
      EXPECT_NEAR(1e3 * c->right.rolling_radius, r["r_right"], 0.025);
    } else if (r["y"] <= 6.25) {
      EXPECT_NEAR(off, 0, 0.25);
      squares += off * off;
      ++far;
    }
  }
  EXPECT_GE(far, 9);
  EXPECT_LT(std::sqrt(squares / far), 0.1);
}

// The stiffness of a sheet belongs to where the wheel stands at rest; elsewhere it is some percent
// off.
TEST(loaded_wheelset, approach_is_that_of_contact) {
  for (const ReferenceRow& r : reference_table("loaded_wheelset.csv")) {
    const LoadedWheelset& w = s1002(r.text("rail"), r["N"]);
    const auto c = w.at(1e-3 * r["y"], 0, 0.0);
    ASSERT_TRUE(c);
    SCOPED_TRACE(testing::Message() << r.text("rail") << ", " << r["N"] << " N, y = " << r["y"]);
    EXPECT_NEAR(1e3 * w.approach(*c, profile::Side::left), r["drop_left"], 0.16 * r["drop_left"]);
    EXPECT_NEAR(1e3 * w.approach(*c, profile::Side::right), r["drop_right"],
                0.16 * r["drop_right"]);
  }
}

// At 1:20 conicity is the small difference of nearly equal radii: 0.01 mm of delta_r is a tenth.
TEST(loaded_wheelset, conicity_is_that_of_contact) {
  std::map<std::pair<std::string, double>, RadiusDifference> made;
  for (const ReferenceRow& r : reference_table("loaded_conicity.csv")) {
    for (const auto& [column, load] : {std::pair("N30", 30e3), {"N60", 60e3}, {"N100", 100e3}}) {
      if (!r.has(column)) continue;
      RadiusDifference& f = made[{r.text("rail"), load}];
      if (f.y.empty()) {
        for (int i = -55; i <= 55; ++i) {
          f.y.push_back(1e-4 * i);
          f.delta_r.push_back(s1002(r.text("rail"), load).at(1e-4 * i, 0, 0.0)->delta_r());
        }
      }
      const double conicity = equivalent_conicity(f, 1e-3 * r["amplitude"], 1.5, 0.46).tan_gamma;
      SCOPED_TRACE(testing::Message()
                   << r.text("rail") << ", " << column << ", " << r["amplitude"]);
      if (r.text("rail") == "60E1:1:40") {
        EXPECT_NEAR(conicity / r[column], 1, r["amplitude"] <= 4 ? 0.05 : 0.10);
      } else {
        EXPECT_NEAR(conicity, r[column], 0.002);
      }
    }
  }
}

// Where radii change fastest they change in proportion to ever smaller steps.
TEST(loaded_wheelset, nothing_jumps) {
  const LoadedWheelset& w = s1002("60E1:1:40", 60e3);
  double last = 0, widest = 0, y_widest = 0;
  for (int i = 0; i <= 1600; ++i) {
    const double now = w.at(5e-6 * i, 0, 0.0)->delta_r();
    if (now - last > widest) widest = now - last, y_widest = 5e-6 * i;
    last = now;
  }
  // rigid: 0.4 mm at 0.226 mm, 2.2 mm at 5 mm, 7 mm at 6.7 mm
  EXPECT_LT(widest, 3e-4);
  const auto change = [&](double step) {
    return w.at(y_widest + step, 0, 0.0)->delta_r() - w.at(y_widest, 0, 0.0)->delta_r();
  };
  EXPECT_NEAR(change(1e-6) / change(0.5e-6), 2, 0.02);
}

TEST(loaded_wheelset, roll_is_found_so_that_both_wheels_stand_at_one_height) {
  const LoadedWheelset& w = s1002("60E1:1:40", 60e3);
  EXPECT_NEAR(w.at(0, 0)->left.lift, 0, 1e-12);
  for (const double y : {-0.006, -0.002, 0.001, 0.005, 0.007}) {
    for (const double yaw : {0.0, 0.02}) {
      const auto c = w.at(y, yaw);
      ASSERT_TRUE(c) << y;
      EXPECT_NEAR(c->left.lift, c->right.lift, 1e-10);
      EXPECT_GT(c->roll * y, 0);
      for (const LoadedSide* side : {&c->left, &c->right})
        EXPECT_NEAR(side->wheel.tread.Q + side->wheel.flange.Q, 60e3, 0.1);
    }
  }
}

TEST(loaded_wheelset, sides_are_mirror_images) {
  const LoadedWheelset& w = s1002("60E1:1:40", 60e3);
  const auto a = w.at(0.003, 0.01, 0.002), b = w.at(-0.003, -0.01, -0.002);
  ASSERT_TRUE(a && b);
  EXPECT_DOUBLE_EQ(a->left.rolling_radius, b->right.rolling_radius);
  EXPECT_DOUBLE_EQ(a->right.wheel_y, b->left.wheel_y);
  EXPECT_DOUBLE_EQ(a->left.lift, b->right.lift);
}

TEST(loaded_wheelset, different_sides_stand_each_by_its_own) {
  const SideProfiles left{profile::profile("S1002"), profile::profile("60E1:1:40")},
      right{profile::profile("S1002"), profile::profile("60E1:1:20")};
  const Loaded both(left, right, 60e3);
  const auto c = both.wheelset.at(0.002, 0, 0.0);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->left.rolling_radius,
            s1002("60E1:1:40", 60e3).at(0.002, 0, 0.0)->left.rolling_radius);
  EXPECT_EQ(c->right.rolling_radius,
            s1002("60E1:1:20", 60e3).at(0.002, 0, 0.0)->right.rolling_radius);
}

// An inclined rail and the profile of the inclined rail are the same rail; that is fitted anew.
TEST(loaded_wheelset, rails_may_lean) {
  WheelsetPlacement p;
  p.inclination = std::atan(1.0 / 40);
  const Loaded leaning("S1002", "60E1", 60e3, p);
  const LoadedWheelset& leant = s1002("60E1:1:40", 60e3);
  for (const double y : {0.0, 0.004}) {
    const auto a = leaning.wheelset.at(y, 0.01), b = leant.at(y, 0.01);
    ASSERT_TRUE(a && b);
    EXPECT_NEAR(a->left.rolling_radius, b->left.rolling_radius, 1e-7);
    EXPECT_NEAR(a->left.angle, b->left.angle, 1e-5);
    EXPECT_NEAR(a->roll, b->roll, 1e-7);
    // places on the rail are those of its own profile: turned about its origin
    const double turned = b->left.rail_y;
    EXPECT_NEAR(a->left.rail_y, turned, 5e-4);
    EXPECT_NE(a->left.rail_y, turned);
  }
}

// With little load on cones, whose points do not jump, the contact is the rigid one.
TEST(loaded_wheelset, little_load_is_nearly_rigid) {
  const Loaded light("cone:0.05", "60E1:1:40", 100);
  for (const double y : {-0.004, 0.0, 0.003}) {
    const auto soft = light.wheelset.at(y, 0.01);
    const auto rigid = light.geometry.at(y, 0.01);
    ASSERT_TRUE(soft && rigid);
    EXPECT_NEAR(soft->left.rolling_radius, rigid->left.rolling_radius, 2e-6);
    EXPECT_NEAR(soft->left.wheel_y, rigid->left.wheel_y, 5e-4);
    EXPECT_NEAR(soft->left.rail_y, rigid->left.rail_y, 5e-4);
    EXPECT_NEAR(soft->left.angle, rigid->left.angle, 1e-3);
    EXPECT_NEAR(soft->roll, rigid->roll, 1e-6);
    EXPECT_NEAR(soft->left.lift, rigid->left.lift, 1e-6);
  }
}

TEST(loaded_wheelset, what_does_not_stand_is_told) {
  const LoadedWheelset& w = s1002("60E1:1:40", 60e3);
  EXPECT_FALSE(w.at(0.3, 0, 0.0));
  EXPECT_FALSE(w.at(-0.3, 0));
  EXPECT_THROW(Loaded("S1002", "60E1", 0), base::Error);
  EXPECT_THROW(Loaded("S1002", "60E1", -1), base::Error);
  EXPECT_THROW(Loaded("S1002", "60E1", NAN), base::Error);
}

}  // namespace
}  // namespace klingel::contact
