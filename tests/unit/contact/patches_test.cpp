// Patches of loaded wheels: parabolas with closed answers, S1002 against CONTACT.
#include "contact/patches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "contact/loaded_wheelset.hpp"
#include "profile/named_profile.hpp"
#include "tests/support/reference.hpp"

namespace klingel::contact {
namespace {

using klingel::test::reference_table;
using klingel::test::ReferenceRow;

// The lower one of some parabolas g = -depth + B (u - u0)^2.
struct Valley {
  double u0, depth, B;
};

std::vector<LoadedGap::Gap> gaps(const std::vector<Valley>& valleys) {
  std::vector<LoadedGap::Gap> list;
  for (double u = -0.05; u < 0.05; u += 1e-4) {
    double g = INFINITY;
    for (const Valley& v : valleys) g = std::min(g, -v.depth + v.B * (u - v.u0) * (u - v.u0));
    list.push_back({u, u + 0.01, g, u + 0.05});
  }
  return list;
}

TEST(patches, a_parabola_has_one_zone_of_known_width) {
  const std::vector<Zone> found = zones(gaps({{0.003, 6e-5, 5}}));
  ASSERT_EQ(found.size(), 1);
  // p > 0.45 P where B u^2 < 0.55 P
  const double half = std::sqrt(0.55 * 6e-5 / 5);
  EXPECT_NEAR(found[0].points.front().u_w, 0.003 - half, 1e-5);
  EXPECT_NEAR(found[0].points.back().u_w, 0.003 + half, 1e-5);
  EXPECT_NEAR(found[0].length(), 2 * half, 2e-5);
  EXPECT_NEAR(found[0].points.front().u_r, 0.013 - half, 1e-5);
}

TEST(patches, a_shallow_valley_counts_away_from_a_deep_one_only) {
  EXPECT_EQ(zones(gaps({{0.01, 6e-5, 5}, {-0.01, 1e-5, 50}})).size(), 2);
  EXPECT_EQ(zones(gaps({{0.005, 6e-5, 20}, {-0.002, 1e-5, 50}})).size(), 1);
}

TEST(patches, without_overlap_there_is_none) { EXPECT_TRUE(zones(gaps({{0, -1e-6, 5}})).empty()); }

// The patches of each case of the reference, with those of the left wheel.
struct Case {
  std::vector<ReferenceRow> wanted;
  std::vector<Patch> found;
};

std::vector<Case> cases() {
  std::map<std::pair<std::string, double>, std::unique_ptr<LoadedWheelset>> made;
  const HertzTable steel(2 * 1.28 * 82e9, 0.28);
  std::vector<Case> list;
  for (const ReferenceRow& r : reference_table("loaded_patches.csv")) {
    if (r["patch"] == 1) {
      auto& w = made[{r.text("rail"), r["N"]}];
      if (!w) {
        const SideProfiles p{profile::profile("S1002"), profile::profile(r.text("rail"))};
        const WheelsetGeometry geometry(p, p, {});
        w = std::make_unique<LoadedWheelset>(geometry, p, p, r["N"], steel);
      }
      list.push_back({{}, w->patches(*w->at(1e-3 * r["y"], 0, 0.0), profile::Side::left)});
    }
    list.back().wanted.push_back(r);
  }
  return list;
}

testing::Message name(const ReferenceRow& r) {
  return testing::Message() << r.text("rail") << ", " << r["N"] << " N, y = " << r["y"];
}

// A patch that is about to part, or about to vanish, may be counted differently.
TEST(patches, there_are_as_many_as_contact_has) {
  int off = 0, all = 0;
  for (const Case& c : cases()) {
    ++all;
    off += c.found.size() != c.wanted.size();
  }
  EXPECT_EQ(all, 94);
  EXPECT_LE(off, 2);
}

// Lengths of the reference come in elements of 0.25 mm. Where the profiles nearly conform a patch
// has tails with hardly any pressure; those are cut off.
TEST(patches, lengths_are_those_of_contact) {
  std::vector<double> off;
  for (const Case& c : cases()) {
    if (c.found.size() != c.wanted.size()) continue;
    const ReferenceRow& r = c.wanted[0];
    const Patch& p = c.found[0];
    SCOPED_TRACE(name(r));
    off.push_back(std::abs(1e3 * p.zone.length() / r["length_s"] - 1));
    EXPECT_GT(1e3 * p.rail_low(), r["rail_u_min"] - 1.0);
    EXPECT_LT(1e3 * p.rail_high(), r["rail_u_max"] + 1.0);
    // the middle, by weight, is inside
    EXPECT_NEAR(1e3 * p.u_w, r["wheel_u"], 1.4);
  }
  std::sort(off.begin(), off.end());
  EXPECT_LT(off[off.size() / 2], 0.05);
  EXPECT_LT(off[off.size() * 8 / 10], 0.15);
}

// Ellipses with the area of the patches: 7 %, and 15 % at 1:20 where the crown ends within the
// patch.
TEST(patches, equivalent_ellipses_have_the_area_of_contact) {
  for (const Case& c : cases()) {
    const ReferenceRow& r = c.wanted[0];
    if (c.wanted.size() != 1 || std::abs(r["y"]) > 4.5) continue;
    SCOPED_TRACE(name(r));
    const Patch& p = c.found[0];
    const double area = 1e6 * M_PI * p.a * p.b;
    EXPECT_NEAR(area / r["area"], 1, r["N"] == 30000 && r["y"] == 0.5 ? 0.12 : 0.10);
  }
}

// Each wheel carries its load; what two patches carry is known to a tenth of it.
TEST(patches, forces_are_those_of_contact) {
  for (const Case& c : cases()) {
    const ReferenceRow& r = c.wanted[0];
    SCOPED_TRACE(name(r));
    double share = 0;
    for (const Patch& p : c.found) share += p.share;
    EXPECT_NEAR(share, 1, 1e-9);
    if (c.found.size() != c.wanted.size()) continue;
    for (std::size_t i = 0; i < c.found.size(); ++i)
      EXPECT_NEAR(c.found[i].N, c.wanted[i]["F_n"], 0.12 * r["N"]);
  }
}

}  // namespace
}  // namespace klingel::contact
