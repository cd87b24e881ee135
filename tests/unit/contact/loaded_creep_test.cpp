// Creep forces on patches that are no ellipses: CONTACT's on the patches of S1002 on 60E1 at 60 kN
// (tests/reference/loaded_creep.csv), and those of the laws on the ellipse that loaded contact
// gives at that place, without anything known of the patch. docs/validation_forces.md has the same
// with ellipses of the published area.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "creep/creep_law.hpp"
#include "loaded_cases.hpp"
#include "tests/support/reference.hpp"

namespace klingel::contact {
namespace {

using namespace test;
using klingel::test::ReferenceRow;

struct Difference {
  std::string what;
  double of_muN;
};

std::vector<Difference> differences(creep::CreepLaw law) {
  const LoadedPair& pair = standard_loaded(60e3);
  const creep::KalkerTable kalker(0.28);
  std::vector<Difference> list;
  for (const ReferenceRow& row : klingel::test::reference_table("loaded_creep.csv")) {
    // the ellipse as a run has it: radius along, and the curvature of the chart across
    const double y = pair.y_rest + 1e-3 * row["y"];
    const LoadedWheel wheel = let_down(pair, y, 0, 0, 60e3);
    const LoadedGap& gap = pair.tread.gap;
    const LoadedPlace at = gap.at({y, resting_height(gap, y, 0, 0), 0, 0});
    const double cosine = 1 / std::sqrt(1 + at.slope * at.slope);
    const HertzPatch patch =
        steel().patch({cosine / (2 * at.radius), at.B(gap.eps())}, wheel.tread.N);
    creep::CreepInput in;
    in.a = patch.a, in.b = patch.b;
    in.N = wheel.tread.N;
    in.mu = 0.3;
    in.G = 82e9;
    in.c = kalker.at(patch.a, patch.b);
    in.nu[0] = row["xi_x"], in.nu[1] = row["xi_y"], in.nu[2] = 1e3 * row["varphi_z"];
    in.V = 1;
    const creep::CreepResult r = creep::CreepModel{law, {}, creep::Fastsim{}}(in);
    const double d = std::hypot(r.f[0] - row["f_x"], r.f[1] - row["f_y"]) / (0.3 * row["F_n"]);
    const std::string what = fmt::format(
        "{:<12} y {:>2} {:<7} a {:.2f} b {:.2f} mm: {:6.0f} {:6.0f} N of {:6.0f} {:6.0f}: "
        "{:.1f} % of mu N",
        row.text("set"), row.text("y"), name(law), 1e3 * patch.a, 1e3 * patch.b, r.f[0], r.f[1],
        row["f_x"], row["f_y"], 100 * d);
    fmt::print("{}\n", what);
    list.push_back({what, d});
  }
  return list;
}

double mean(const std::vector<Difference>& list) {
  double sum = 0;
  for (const Difference& d : list) sum += d.of_muN;
  return sum / static_cast<double>(list.size());
}

TEST(loaded_creep, of_fastsim_on_our_ellipse_is_that_of_CONTACT_within_8_percent) {
  const std::vector<Difference> list = differences(creep::CreepLaw::fastsim);
  ASSERT_EQ(list.size(), 16u);
  for (const Difference& d : list) EXPECT_LT(d.of_muN, 0.08) << d.what;
  EXPECT_LT(mean(list), 0.04);
}

TEST(loaded_creep, of_she_on_our_ellipse_is_that_of_CONTACT_within_8_percent) {
  const std::vector<Difference> list = differences(creep::CreepLaw::she);
  ASSERT_EQ(list.size(), 16u);
  for (const Difference& d : list) EXPECT_LT(d.of_muN, 0.08) << d.what;
  EXPECT_LT(mean(list), 0.04);
}

}  // namespace
}  // namespace klingel::contact
