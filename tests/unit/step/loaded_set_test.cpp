// A wheelset that moves along a curved, canted, rough track: everything LoadedSet says of its
// motion against differences of what it says of its place; and its place against the rail's own
// frames, the sums behind the charts, and the rigid search.
#include "step/loaded_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "contact/contact_search.hpp"
#include "loaded_motion.hpp"
#include "spline/spline_fit.hpp"
#include "tests/support/compare.hpp"

namespace klingel::step {
namespace {

using namespace test;
using klingel::test::raise;
using profile::Side;

constexpr Side sides[] = {Side::left, Side::right};
constexpr Where everywhere[] = {Where::tread, Where::root, Where::flank};

std::string name_of(Side side, Where where) {
  return std::string(side == Side::left ? "left " : "right ") + (where == Where::tread  ? "tread"
                                                                 : where == Where::root ? "root"
                                                                                        : "flank");
}

// The set at five instants around t = 0, and differences of what it says.
struct Film {
  static constexpr double h = 1e-5;  // s: some tenths of a millimetre of track
  Case what;
  std::array<LoadedSet, 5> sets;

  explicit Film(const Case& c) : what(c) {
    for (int k = 0; k < 5; ++k) {
      sets[static_cast<std::size_t>(k)] = one_wheel(c.side);
      evaluate(sets[static_cast<std::size_t>(k)], c.motion.at((k - 2) * h), c.s);
    }
  }
  const LoadedSet& set() const { return sets[2]; }
  const LoadedSet::Sheet& sheet() const { return sheet_of(sets[2], what.where); }
  template <class F>
  double rate(F f) const {
    return (8 * (f(sets[3]) - f(sets[1])) - (f(sets[4]) - f(sets[0]))) / (12 * h);
  }
  // of something of the sheet
  template <class F>
  double sheet_rate(F f) const {
    return rate([&](const LoadedSet& s) { return f(sheet_of(s, what.where)); });
  }
  double phi_acceleration() const {
    const auto phi = [&](std::size_t k) { return double{sheet_of(sets[k], what.where).phi[0]}; };
    return (16 * (phi(3) + phi(1)) - (phi(4) + phi(0)) - 30 * phi(2)) / (12 * h * h);
  }
};

// Films of random motions; phi between two heights.
std::vector<Film> films(Side side, Where where, double deepest = -1e-4, double highest = 2e-5) {
  klingel::test::Random random(1);
  std::vector<Film> list;
  for (int i = 0; i < 40; ++i) {
    const Case c = any_case(side, where, random, deepest, highest);
    Film film(c);
    if ((film.sheet().inside & 1) == 0 || film.sheet().phi[0] > highest + 1e-9 ||
        film.sheet().phi[0] < deepest - 1e-9)
      continue;
    list.push_back(film);
  }
  return list;
}

// Made once.
const std::vector<Film>& pressed(Side side, Where where) {
  static std::map<std::pair<Side, Where>, std::vector<Film>> all;
  std::vector<Film>& list = all[{side, where}];
  if (list.empty()) list = films(side, where);
  return list;
}
const std::vector<Film>& touching(Side side, Where where) {
  static std::map<std::pair<Side, Where>, std::vector<Film>> all;
  std::vector<Film>& list = all[{side, where}];
  if (list.empty()) list = films(side, where, -1e-9, 1e-9);
  return list;
}

template <class F>
void everywhere_do(F f) {
  for (const Side side : sides)
    for (const Where where : everywhere) f(side, where, name_of(side, where));
}

TEST(loaded_set, films_show_what_they_should) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    EXPECT_GT(pressed(side, where).size(), 35u) << name;
    EXPECT_GT(touching(side, where).size(), 35u) << name;
    for (const Film& film : pressed(side, where)) {
      const double steep = -film.sheet().frame.sin_angle[0] / film.sheet().frame.cos_angle[0] *
                           (side == Side::left ? -1 : 1);
      EXPECT_LT(steep, where == Where::tread ? 0.2 : 3.0) << name;
      EXPECT_GT(steep, where == Where::tread ? 0.0 : where == Where::root ? 0.2 : 1.0) << name;
    }
  });
}

// phi keeps 1e-16 of coordinates of metres, over 1e-5 s
TEST(loaded_set, W_n_times_the_motion_is_the_rate_of_phi) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    for (const Film& film : pressed(side, where)) {
      const double rate = film.sheet_rate([](const auto& x) { return double{x.phi[0]}; });
      const Motion::State s = film.what.motion.at(0);
      EXPECT_NEAR(along(film.sheet().frame.W_n, s.twist.data()), rate, 1e-8) << name;
      // with the spin, which does nothing
      double with_spin = 0;
      for (int i = 0; i < 6; ++i) with_spin += film.sheet().frame.W_n[i][0] * film.set().u()[i][0];
      EXPECT_NEAR(with_spin, rate, 1e-8) << name;
    }
  });
}

TEST(loaded_set, the_gradient_times_dx_is_the_rate_of_phi) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    for (const Film& film : pressed(side, where)) {
      double found = 0;
      for (int i = 0; i < 4; ++i) found += film.sheet().G[i][0] * film.set().dx()[i][0];
      const double rate = film.sheet_rate([](const auto& x) { return double{x.phi[0]}; });
      EXPECT_NEAR(found, rate, 1e-8) << name;
    }
  });
}

// The foot of O_w on the rail's line, and the wheel's place there, by bisection.
struct Section {
  double s_r, y, z, e_n, e_t;
};
Section section_of(const Case& c, double t) {
  const Motion::State s = c.motion.at(t);
  const track::RailLine& line = rail_of(c.side);
  const Vector axle(s.pose[6], s.pose[7], s.pose[8]);
  const Vector r = Vector(s.pose[0], s.pose[1], s.pose[2]) +
                   (c.side == Side::left ? 1 : -1) * standard().y_w * axle;
  double low = c.s - 1, high = c.s + 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const track::RailSection at = section(line, middle);
    (eigen(at.axes.x).dot(r - eigen(at.origin)) > 0 ? low : high) = middle;
  }
  const track::RailSection at = section(line, low);
  const Vector d = r - eigen(at.origin), e_x = eigen(at.axes.x), e_z = eigen(at.axes.z);
  return {low, eigen(at.axes.y).dot(d), e_z.dot(d), e_z.dot(axle), e_x.dot(axle)};
}

TEST(loaded_set, s_r_is_the_foot_of_the_perpendicular_from_wherever_it_is_looked_for) {
  for (const Side side : sides) {
    for (const Film& film : pressed(side, Where::tread)) {
      const Section expected = section_of(film.what, 0);
      for (const double off : {-0.5, 0.0, 0.2, 1.0}) {
        LoadedSet set = one_wheel(side);
        evaluate(set, film.what.motion.at(0), expected.s_r + off);
        // Newton stops at 1e-9 m
        EXPECT_NEAR(set.s_r(0), expected.s_r, 1.2e-9);
        EXPECT_EQ(set.on_line(), 15u);
      }
    }
  }
}

TEST(loaded_set, ds_r_is_the_rate_of_s_r_and_advances_it) {
  for (const Side side : sides) {
    for (const Film& film : pressed(side, Where::tread)) {
      const double h = 1e-3;
      const double rate = (section_of(film.what, h).s_r - section_of(film.what, -h).s_r) / (2 * h);
      EXPECT_NEAR(film.set().ds_r()[0], rate, 1e-4);  // m/s: third derivatives of the motion
      LoadedSet set = film.set();
      const double before = set.s_r(0);
      set.advance(h, base::Pack{});
      EXPECT_NEAR(set.s_r(0), before + h * film.set().ds_r()[0], 1e-14);
    }
  }
}

TEST(loaded_set, dx_is_the_rate_of_the_place_and_the_rows_times_the_motion) {
  for (const Side side : sides) {
    for (const Film& film : pressed(side, Where::tread)) {
      const double h = 1e-4;
      Section s[5];
      for (int k = 0; k < 5; ++k) s[k] = section_of(film.what, (k - 2) * h);
      const Motion::State at = film.what.motion.at(0);
      int i = 0;
      for (const auto part : {&Section::y, &Section::z, &Section::e_n, &Section::e_t}) {
        const double rate = (8 * (s[3].*part - s[1].*part) - (s[4].*part - s[0].*part)) / (12 * h);
        // knots of the rail's splines lie between some of the instants
        EXPECT_NEAR(film.set().dx()[i][0], rate, 2e-8) << i;
        EXPECT_NEAR(along(film.set().rows()[i], at.twist.data()), film.set().dx()[i][0], 1e-13);
        ++i;
      }
    }
  }
}

TEST(loaded_set, W_n_is_the_gradient_times_the_rows) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    for (const Film& film : pressed(side, where)) {
      for (int j = 0; j < 6; ++j) {
        double sum = 0;
        for (int i = 0; i < 4; ++i) sum += film.sheet().G[i][0] * film.set().rows()[i][j][0];
        EXPECT_NEAR(film.sheet().frame.W_n[j][0], sum, 1e-14) << name;
      }
    }
  });
}

// With phi = 0 nothing of w's second derivatives is left; what remains are second derivatives by
// tau and by rho and tau, which charts do not give: at some 0.1 rad/s of turning 1e-3 m/s^2.
TEST(loaded_set, gamma_n_is_the_acceleration_of_phi_where_sheets_touch) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    double worst = 0, size = 0;
    for (const Film& film : touching(side, where)) {
      const double expected = -film.phi_acceleration();
      raise(worst, std::abs(film.sheet().motion.gamma_n[0] - expected));
      raise(size, std::abs(expected));
    }
    EXPECT_GT(size, 1.5) << name;
    EXPECT_LT(worst, where == Where::tread ? 1e-4 : 3e-3) << name;
  });
}

// Second derivatives of w times the gap are left out: where the patch moves quickly from root to
// flank that is a tenth of it.
TEST(loaded_set, gamma_n_is_nearly_the_acceleration_of_phi_under_load) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    double worst = 0;
    for (const Film& film : pressed(side, where)) {
      raise(worst, std::abs(film.sheet().motion.gamma_n[0] + film.phi_acceleration()));
    }
    EXPECT_LT(worst, where == Where::tread ? 5e-3 : where == Where::flank ? 0.02 : 1) << name;
  });
}

// But for turning times turning, which the charts do not give.
TEST(loaded_set, second_derivatives_are_those_of_the_gradient) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    double worst[4] = {}, size[4] = {};
    for (const Film& film : touching(side, where)) {
      for (int i = 0; i < 4; ++i) {
        double found = 0;
        for (int j = 0; j < 4; ++j)
          found += film.sheet().H[std::min(i, j)][std::max(i, j)][0] * film.set().dx()[j][0];
        const double expected = film.sheet_rate([i](const auto& x) { return double{x.G[i][0]}; });
        raise(worst[i], std::abs(found - expected));
        raise(size[i], std::abs(expected));
      }
    }
    // knots of the charts lie between some of the instants: third derivatives jump
    EXPECT_LT(worst[0], 5e-5 * size[0]) << name;
    EXPECT_LT(worst[1], 5e-5 * size[1]) << name;
    EXPECT_LT(worst[2], 0.01) << name;  // m/s, without rho tau
    EXPECT_LT(worst[3], 0.02) << name;  // m/s, without rho tau and tau tau
  });
}

TEST(loaded_set, slip_is_the_wrenches_times_the_motion) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    for (const Film& film : pressed(side, where)) {
      const LoadedSet::Sheet& x = film.sheet();
      double nu[3] = {};
      for (int i = 0; i < 6; ++i) {
        nu[0] += x.frame.W_x[i][0] * film.set().u()[i][0];
        nu[1] += x.frame.W_y[i][0] * film.set().u()[i][0];
      }
      for (int i = 0; i < 3; ++i) nu[2] += x.n_r[i][0] * film.set().u()[3 + i][0];
      // terms of 25 m/s cancel
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(x.motion.nu[i][0], nu[i], 1e-12) << name << i;
    }
  });
}

void compare_dnu(int which, double tread, double flange) {
  everywhere_do([&](Side side, Where where, const std::string& name) {
    double worst = 0, size = 0;
    for (const Film& film : touching(side, where)) {
      const double expected =
          film.sheet_rate([&](const auto& x) { return double{x.motion.nu[which][0]}; });
      raise(worst, std::abs(film.sheet().motion.dnu[which][0] - expected));
      raise(size, std::abs(expected));
    }
    EXPECT_GT(size, 1) << name;
    EXPECT_LT(worst, where == Where::tread ? tread : flange) << name;
  });
}

// m/s^2; second derivatives by rho and tau are left out of the lever, times the spin of 30 rad/s
TEST(loaded_set, dnu_along_is_the_rate_of_slip) { compare_dnu(0, 1e-4, 0.01); }

// rad/s^2, of hundreds
TEST(loaded_set, dnu_of_spin_is_the_rate_of_spin) { compare_dnu(2, 1e-3, 1e-2); }

// A turned wheel touches radius slope e_t ahead, and the slope changes while the patch moves. What
// is left are 1e-6 m/s^2 on treads and 1e-3 on flanges.
TEST(loaded_set, dnu_across_is_the_rate_of_slip) { compare_dnu(1, 1e-4, 0.01); }

// What holds until then, of accelerations of 6 to 10 m/s^2.
TEST(loaded_set, dnu_across_is_nearly_the_rate_of_slip) { compare_dnu(1, 0.05, 4); }

// phi as read from charts against the sums behind them, at the same place.
TEST(loaded_set, phi_and_its_gradient_are_those_of_the_sums) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    const double mirror = side == Side::left ? 1 : -1;
    const contact::LoadedGap& gap =
        where == Where::tread ? standard().pair.tread.gap : standard().pair.flange->gap;
    for (const Film& film : pressed(side, where)) {
      const Section x = section_of(film.what, 0);
      const contact::LoadedPlace at = gap.at({mirror * x.y, x.z, mirror * x.e_n, mirror * x.e_t});
      const LoadedSet::Sheet& sheet = film.sheet();
      // phi = w (down - zeta) is the first of a series: 1 % of the approach on a flank
      const double far = where == Where::tread ? 3e-8 : where == Where::flank ? 1.5e-6 : 5e-6;
      EXPECT_NEAR(sheet.phi[0], at.phi, far) << name;
      const double off = where == Where::tread ? 3e-3 : where == Where::flank ? 0.03 : 0.25;
      EXPECT_NEAR(sheet.G[0][0], mirror * at.phi_y, off) << name;
      EXPECT_NEAR(sheet.G[1][0], at.phi_z, off) << name;
      EXPECT_NEAR(sheet.G[2][0], mirror * at.phi_n, off) << name;
      EXPECT_NEAR(sheet.G[3][0], mirror * at.phi_t, off) << name;
    }
  });
}

// A wheel of another radius than the charts were made with.
TEST(loaded_set, charts_serve_wheels_that_are_ground_down) {
  const Standard& all = standard();
  const double r0 = 0.44;
  const spline::CubicSpline f_w = profile::wheel_function(
      profile::profile("S1002", profile::ProfileKind::wheel), Side::left, r0);
  const contact::LoadedGap& made = all.pair.tread.gap;
  const contact::LoadedGap gap(f_w, all.f_r, {all.pair.split, contact::Interval{}.high}, 2e-3,
                               made.eps(), made.length());
  for (const Film& film : pressed(Side::left, Where::tread)) {
    Case c = film.what;
    // as much lower as the wheel is smaller
    const track::RailFrame f = track::rail_frame(rail_of(Side::left), c.s);
    c.motion.r -= (0.46 - r0) * eigen(f.axes.z);
    LoadedSet set = one_wheel(Side::left, r0);
    evaluate(set, c.motion.at(0), c.s);
    const Section x = section_of(c, 0);
    const contact::LoadedPlace at = gap.at({x.y, x.z, x.e_n, x.e_t});
    // to first order in lean and turn; radii are the wheel's own
    EXPECT_NEAR(set.tread().phi[0], at.phi, 2e-7);
    EXPECT_NEAR(set.tread().radius[0], at.radius, 2e-5);
  }
}

TEST(loaded_set, rolling_radius_and_places_are_the_means_of_the_sums) {
  for (const Side side : sides) {
    const double mirror = side == Side::left ? 1 : -1;
    for (const Film& film : touching(side, Where::tread)) {
      const Section x = section_of(film.what, 0);
      const contact::LoadedPlace at =
          standard().pair.tread.gap.at({mirror * x.y, x.z, mirror * x.e_n, mirror * x.e_t});
      EXPECT_NEAR(film.sheet().radius[0], at.radius, 1e-5);
      // the lever of the normal force, not the mean of places: for a patch of 10 mm on a profile
      // whose slope changes by 0.03 within it
      EXPECT_NEAR(film.sheet().u_w[0], mirror * at.u_w, 5e-4);
      EXPECT_NEAR(film.sheet().u_r[0], mirror * at.u_r, 5e-4);
    }
  }
}

// Left and right of a plane of symmetry: a set with mirrored rails and motions.
track::RailLine mirrored(const track::RailLine& line) {
  return {line.x, line.y.transformed(-1, 0), line.z, line.theta.transformed(-1, 0)};
}
Motion mirrored(Motion m) {
  for (Vector* v : {&m.r, &m.v, &m.a}) v->y() *= -1;
  for (int i = 0; i < 3; ++i) m.yaw[i] *= -1, m.roll[i] *= -1;
  return m;
}

TEST(loaded_set, a_mirrored_wheel_gives_mirrored_results) {
  const track::RailLine image = mirrored(rough_track().left);
  for (const Where where : everywhere) {
    for (const Film& film : pressed(Side::left, where)) {
      LoadedSet set;
      for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane)
        set.occupy(lane, standard().charts, image, Side::right, 0.46, -standard().y_w);
      evaluate(set, mirrored(film.what.motion).at(0), film.what.s);
      const LoadedSet::Sheet &a = film.sheet(), &b = sheet_of(set, where);
      const std::string name = name_of(Side::left, where);
      // second derivatives of flanges, 1e5 1/m, meet places rounded to 1e-16 m
      const auto same = [&](double x, double y, double size = 1) {
        EXPECT_NEAR(x, y, 1e-9 * size) << name;
      };
      EXPECT_NEAR(set.s_r(0), film.set().s_r(0), 1e-12);
      EXPECT_NEAR(b.phi[0], a.phi[0], 1e-15);
      same(b.G[0][0], -a.G[0][0]);
      same(b.G[1][0], a.G[1][0]);
      same(b.G[2][0], -a.G[2][0]);
      same(b.G[3][0], -a.G[3][0]);
      const double sign[] = {-1, 1, -1, -1};
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          same(b.H[i][j][0], sign[i] * sign[j] * a.H[i][j][0], 1 + std::abs(a.H[i][j][0]));
      same(b.motion.gamma_n[0], a.motion.gamma_n[0], 100);
      const double polar[] = {1, -1, 1, -1, 1, -1};  // force; moment
      for (int i = 0; i < 6; ++i) {
        same(b.frame.W_n[i][0], polar[i] * a.frame.W_n[i][0]);
        same(b.frame.W_x[i][0], polar[i] * a.frame.W_x[i][0]);
        same(b.frame.W_y[i][0], -polar[i] * a.frame.W_y[i][0]);
      }
      same(b.motion.V[0], a.motion.V[0], 10);
      const double slip[] = {1, -1, -1};
      for (int i = 0; i < 3; ++i) {
        same(b.motion.nu[i][0], slip[i] * a.motion.nu[i][0], 10);
        same(b.motion.dnu[i][0], slip[i] * a.motion.dnu[i][0], 1000);
      }
      same(b.u_w[0], -a.u_w[0]);
      same(b.u_r[0], -a.u_r[0]);
      same(b.radius[0], a.radius[0]);
      same(b.frame.Kw_x[0], a.frame.Kw_x[0]);
      same(b.frame.Kw_y[0], a.frame.Kw_y[0], 100);
      same(b.frame.sin_angle[0], -a.frame.sin_angle[0]);
      same(b.frame.cos_angle[0], a.frame.cos_angle[0]);
      same(b.theta_w[0], a.theta_w[0]);
    }
  }
}

TEST(loaded_set, V_is_the_speed_of_rolling_with_its_sign) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    for (const Film& film : pressed(side, where)) {
      const double speed = film.what.motion.v.norm();
      // the mean of the speeds of the rail and of the wheel's surface against the patch; flanks
      // have 15 mm more of radius, and spin is 2 % off
      EXPECT_NEAR(film.sheet().motion.V[0], speed, 0.04 * speed) << name;
      Motion back = film.what.motion;
      back.v *= -1, back.spin *= -1, back.yaw[1] *= -1, back.roll[1] *= -1;
      LoadedSet set = one_wheel(side);
      evaluate(set, back.at(0), film.what.s);
      const LoadedSet::Sheet& sheet = sheet_of(set, where);
      EXPECT_NEAR(sheet.motion.V[0], -film.sheet().motion.V[0], 1e-12) << name;
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(sheet.motion.nu[i][0], -film.sheet().motion.nu[i][0], 1e-12) << name;
      EXPECT_EQ(sheet.phi[0], film.sheet().phi[0]) << name;
    }
  });
}

TEST(loaded_set, spin_about_the_axle_does_not_change_phi_and_its_rates) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    for (const Film& film : pressed(side, where)) {
      Motion::State s = film.what.motion.at(0);
      s.twist[6] = -70;
      // and the base turned about the axle by a radian
      const Vector e_x(s.pose[3], s.pose[4], s.pose[5]), e_z(s.pose[9], s.pose[10], s.pose[11]);
      const Vector x = std::cos(1.0) * e_x - std::sin(1.0) * e_z;
      const Vector z = std::sin(1.0) * e_x + std::cos(1.0) * e_z;
      for (int i = 0; i < 3; ++i) {
        s.pose[static_cast<std::size_t>(3 + i)] = x[i];
        s.pose[static_cast<std::size_t>(9 + i)] = z[i];
      }
      LoadedSet set = one_wheel(side);
      evaluate(set, s, film.what.s);
      const LoadedSet::Sheet &a = film.sheet(), &b = sheet_of(set, where);
      EXPECT_EQ(b.phi[0], a.phi[0]) << name;
      EXPECT_EQ(b.motion.gamma_n[0], a.motion.gamma_n[0]) << name;
      for (int i = 0; i < 6; ++i) EXPECT_EQ(b.frame.W_n[i][0], a.frame.W_n[i][0]) << name;
    }
  });
}

TEST(loaded_set, W_n_is_a_force_along_the_normal_through_the_patch) {
  everywhere_do([](Side side, Where where, const std::string& name) {
    for (const Film& film : touching(side, where)) {
      const LoadedSet::Sheet& x = film.sheet();
      const auto vector = [](const base::Pack* w) { return Vector(w[0][0], w[1][0], w[2][0]); };
      const Vector force = vector(x.frame.W_n), moment = vector(x.frame.W_n + 3);
      const Vector n(x.n_r.x[0], x.n_r.y[0], x.n_r.z[0]);
      // the tangents have their arms at the patch: r from t_x, t_y and their moments
      const Vector t_x = vector(x.frame.W_x), t_y = vector(x.frame.W_y);
      EXPECT_NEAR(t_x.dot(n), 0, 1e-14);
      EXPECT_NEAR(t_y.dot(n), 0, 1e-14);
      EXPECT_NEAR(t_x.dot(t_y), 0, 1e-14);
      EXPECT_NEAR(t_x.cross(t_y).dot(n), 1, 1e-14);
      // across the rail; along it the line's own bends make a little of it
      const Vector across = force / force.norm();
      EXPECT_NEAR(across.dot(n), 1, 1e-4) << name;
      // the moment about the rail is that of a force through the patch: r x n = m with r from
      // r x t_x, r x t_y
      const double from_patch = vector(x.frame.W_x + 3).dot(t_y);  // -(r . n)
      const double other = vector(x.frame.W_y + 3).dot(t_x);       // r . n
      EXPECT_NEAR(from_patch, -other, 1e-12) << name;
      const double r_y = -vector(x.frame.W_x + 3).dot(n), r_x = vector(x.frame.W_y + 3).dot(n);
      EXPECT_NEAR(moment.dot(t_x) / force.norm(), r_y, 3e-4) << name;
      EXPECT_NEAR(moment.dot(t_y) / force.norm(), -r_x, 5e-3) << name;
    }
  });
}

// A steep cone on a round rail touches in a point, so that loaded contact is the rigid one but for
// its width; turned and leaning on a straight rail.
TEST(loaded_set, patches_are_where_the_rigid_search_finds_points) {
  const auto line = [](double slope, double value) {
    return spline::CubicSpline({-5, 5}, {{0, 0, slope, value - 5 * slope, -5}});
  };
  const auto straight = [&](double y) {
    return track::RailLine{line(1, 0), line(0, y), line(0, 0), line(0, 0)};
  };
  std::vector<double> u, f;
  for (int i = -100; i <= 100; ++i) {
    u.push_back(6e-4 * i);
    f.push_back(std::sqrt(0.08 * 0.08 - u.back() * u.back()) - 0.08);
  }
  const spline::CubicSpline head = spline::interpolate(u, f);
  const spline::CubicSpline cone_left({-0.07, 0.07}, {{0, 0, -0.4, 0.46 + 0.028, -0.07}});
  const contact::HertzTable steel(210e9, 0.28);
  const contact::ChartedPair charts =
      charted(loaded_pair(cone_left, head, 0.0, 50e3, steel), cone_left);
  ASSERT_FALSE(charts.flange);

  klingel::test::Random random(5);
  for (const Side side : sides) {
    const double out = side == Side::left ? 1 : -1;
    const contact::WheelSurface wheel{side == Side::left ? cone_left : cone_left.mirrored()};
    const contact::RailSurface rail{head, straight(out * 0.75)};
    const contact::ContactSearch search(wheel, rail);
    LoadedSet set;
    for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane)
      set.occupy(lane, charts, rail.line, side, 0.46, out * 0.75);
    for (int i = 0; i < 50; ++i) {
      Motion m{};
      m.r = Vector(random.within(1), random.within(5e-3), 0.46);
      m.yaw[0] = random.within(0.03);
      m.roll[0] = random.within(5e-3);  // within the chart: see charted_pair's tests
      m.v = Vector(20, 0, 0);
      m.spin = 40;
      for (int k = 0; k < 10; ++k) {
        evaluate(set, m.at(0), m.r.x());
        m.r.z() -= set.tread().phi[0] / set.tread().G[1][0];
      }
      const Motion::State s = m.at(0);
      const Vector axle(s.pose[6], s.pose[7], s.pose[8]);
      const Vector O = m.r + out * 0.75 * axle;
      const auto vec = [&](std::size_t k) {
        return spline::Vec3{s.pose[k], s.pose[k + 1], s.pose[k + 2]};
      };
      const contact::WheelPose pose{{O.x(), O.y(), O.z()}, {vec(3), vec(6), vec(9)}};
      const contact::MinimumList list = search.minima(pose, O.x());
      ASSERT_GE(list.count, 1);
      const contact::ContactPoint& point = list.front().point;
      const LoadedSet::Sheet& sheet = set.tread();
      // phi is the smallest gap at y_rest without turn or lean; elsewhere the patch is as wide
      EXPECT_NEAR(sheet.phi[0], point.gap, 2e-7);
      // the patch is 4 mm wide and the rail's curvature grows by 6 % within it: 0.1 mm
      EXPECT_NEAR(sheet.u_w[0], point.s.u_w, 1e-4);
      EXPECT_NEAR(sheet.u_r[0], point.s.u_r, 1e-4);
      EXPECT_NEAR(sheet.theta_w[0], point.s.theta_w, 4e-4);  // of up to 0.012
      EXPECT_NEAR(sheet.radius[0], wheel.f_w.value(point.s.u_w), 5e-5);
      EXPECT_NEAR(sheet.frame.sin_angle[0], std::sin(point.angle), 1e-3);
      EXPECT_NEAR(sheet.frame.Kw_x[0], 1 / point.Rw_x, 0.01 / point.Rw_x);
      EXPECT_NEAR(sheet.frame.Kw_y[0], 1 / point.Rw_y + 1 / point.Rr_y,
                  0.02 * (1 / point.Rw_y + 1 / point.Rr_y));
      // where the point is, from the moments of W_x and W_y about the wheelset's centre
      const double theta = point.s.theta_w, R = wheel.f_w.value(point.s.u_w);
      const Vector e_x(s.pose[3], s.pose[4], s.pose[5]), e_z(s.pose[9], s.pose[10], s.pose[11]);
      const Vector P =
          (out * 0.75 + point.s.u_w) * axle + R * std::cos(theta) * e_x - R * std::sin(theta) * e_z;
      // t_x is the ground's x: r x t_x = (0, r_z, -r_y)
      // radii count along (0, e_n, -e_c), which is no unit vector: e_t^2/2 of the radius
      EXPECT_NEAR(sheet.frame.W_x[4][0], P.z(), 5e-5 + 0.46 * axle.x() * axle.x() / 2);
      EXPECT_NEAR(sheet.frame.W_x[5][0], -P.y(), 1e-4);
      // r_x = (r x t_y) . n
      const Vector n(sheet.n_r.x[0], sheet.n_r.y[0], sheet.n_r.z[0]);
      const Vector moment(sheet.frame.W_y[3][0], sheet.frame.W_y[4][0], sheet.frame.W_y[5][0]);
      EXPECT_NEAR(moment.dot(n), P.x(), 1e-4);  // of up to 5 mm
    }
  }
}

TEST(loaded_set, lanes_do_not_know_each_other) {
  LoadedSet four;
  std::array<Case, 4> cases;
  klingel::test::Random random(9);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const Side side = sides[lane % 2];
    cases[lane] = any_case(side, everywhere[lane % 3], random);
    four.occupy(lane, standard().charts, rail_of(side), side, 0.46,
                side == Side::left ? standard().y_w : -standard().y_w);
    four.set_s_r(lane, cases[lane].s);
  }
  std::array<Motion::State, 4> s;
  for (std::size_t lane = 0; lane < 4; ++lane) s[lane] = cases[lane].motion.at(0);
  four.evaluate({s[0].pose.data(), s[1].pose.data(), s[2].pose.data(), s[3].pose.data()},
                {s[0].twist.data(), s[1].twist.data(), s[2].twist.data(), s[3].twist.data()},
                {s[0].bias.data(), s[1].bias.data(), s[2].bias.data(), s[3].bias.data()});
  for (std::size_t lane = 0; lane < 4; ++lane) {
    LoadedSet alone = one_wheel(cases[lane].side);
    evaluate(alone, s[lane], cases[lane].s);
    for (const Where where : {Where::tread, Where::flank}) {
      const LoadedSet::Sheet &a = sheet_of(alone, where), &b = sheet_of(four, where);
      EXPECT_EQ(a.has & 1, b.has >> lane & 1);
      if ((a.has & 1) == 0) continue;
      EXPECT_EQ(a.inside & 1, b.inside >> lane & 1);
      EXPECT_EQ(a.phi[0], b.phi[lane]);
      EXPECT_EQ(a.motion.gamma_n[0], b.motion.gamma_n[lane]);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(a.motion.dnu[i][0], b.motion.dnu[i][lane]);
      for (int i = 0; i < 6; ++i) EXPECT_EQ(a.frame.W_n[i][0], b.frame.W_n[i][lane]);
    }
  }
}

TEST(loaded_set, empty_lanes_have_no_sheets) {
  LoadedSet set;
  set.occupy(1, standard().charts, rail_of(Side::left), Side::left, 0.46, standard().y_w);
  klingel::test::Random random(2);
  const Case c = any_case(Side::left, Where::tread, random);
  evaluate(set, c.motion.at(0), c.s);
  EXPECT_EQ(set.tread().has, 2u);
  EXPECT_EQ(set.on_line(), 2u);
  EXPECT_EQ(set.tread().phi[0], 1);  // far above
  EXPECT_LT(std::abs(set.tread().phi[1]), 1.5e-4);
}

TEST(loaded_set, a_wheel_beyond_the_end_of_its_rail_is_not_on_it) {
  klingel::test::Random random(2);
  Case c = any_case(Side::left, Where::tread, random);
  LoadedSet set = one_wheel(Side::left);
  c.motion.r = eigen(rough_track().frame(rough_track().begin()).origin) - Vector(5, 0, -0.46);
  evaluate(set, c.motion.at(0), rough_track().begin());
  EXPECT_EQ(set.on_line(), 0u);
}

TEST(loaded_set, lift_is_the_height_above_a_centred_wheel) {
  for (const Side side : sides) {
    for (const Film& film : touching(side, Where::flank)) {
      const Section x = section_of(film.what, 0);
      EXPECT_NEAR(film.set().lift()[0],
                  x.z - 0.46 * (1 - x.e_n * x.e_n / 2) - standard().charts.top, 1e-9);
      EXPECT_GT(film.set().lift()[0], 1e-3);
    }
    for (const Film& film : touching(side, Where::tread))
      EXPECT_LT(std::abs(film.set().lift()[0]), 1e-3);
  }
}

}  // namespace
}  // namespace klingel::step
