// Charts: what the B-splines reproduce exactly, how near they come to the sums they are made of,
// and that their derivatives are theirs.
#include "contact/contact_chart.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "loaded_cases.hpp"
#include "tests/support/compare.hpp"

namespace klingel::contact {
namespace {

using namespace test;
using klingel::test::raise;

struct Place {
  double across, rho, tau;
};

// A chart, the sums behind it, and places in it.
struct Sheet60 {
  const char* name;
  const ChartedSheet& sheet;
  const LoadedGap& gap;

  const ContactChart& chart() const { return sheet.chart; }
  // within its ranges and lifted no more than the flange does it: the chart's first axis is sheared
  Place any(klingel::test::Random& random) const {
    for (;;) {
      const Place p{random.uniform(chart().across().begin, chart().across().end()),
                    random.uniform(chart().rho().begin, chart().rho().end()),
                    random.uniform(0, chart().tau().end())};
      if (chart().at(p.across, p.rho, p.tau).inside) return p;
    }
  }
};

std::vector<Sheet60> sheets() {
  return {{"tread", standard_charts().tread, standard_loaded().tread.gap},
          {"flange", *standard_charts().flange, standard_loaded().flange->gap}};
}

struct Errors {
  std::vector<double> all;
  void add(double e) { all.push_back(std::abs(e)); }
  double quantile(double share) {
    std::sort(all.begin(), all.end());
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
  }
};

// A cylinder of radius r0 on a parabola, leaning and turned: with t = e_n/e_c, p^2 = 1 - e_t^2
//   phi = z - y t - r0 p/e_c - t^2/(4 B) - eps ln(sqrt(pi eps/B)/(e_c l))
struct CylinderOnParabola {
  static constexpr double r0 = 0.46, B = 1 / 0.6, eps = 15e-6, length = 1e-2;
  LoadedGap gap{cone(r0, 0), parabola(B), {}, 1e-3, eps, length};

  // h at eta where phi = 0
  double zeta(double eta, double rho, double tau) const {
    const double e_t = std::sqrt(tau / r0), e_c = std::sqrt(1 - rho * rho - e_t * e_t);
    const double t = rho / e_c, y = eta - r0 * rho;
    const double z = y * t + r0 * std::sqrt(1 - e_t * e_t) / e_c + t * t / (4 * B) +
                     eps * std::log(std::sqrt(M_PI * eps / B) / (e_c * length));
    return z - r0 * (1 - rho * rho / 2);
  }
};

TEST(contact_chart, of_a_cylinder_on_a_parabola_is_its_closed_form) {
  const CylinderOnParabola pair;
  const ContactChart chart(pair.gap, {-8e-3, 4e-3, 5}, {-0.02, 2.5e-3, 17}, {0, 4e-4, 3});
  klingel::test::Random random(1);
  for (int i = 0; i < 500; ++i) {
    const double across = random.within(8e-3), rho = random.within(0.02);
    const double tau = random.uniform(0, 8e-4);
    const Charted c = chart.at(across, rho, tau);
    EXPECT_TRUE(c.inside);
    // end cells miss rho^3 eta/2, 6e-11 m; the rail's kinks are 4e-11 m
    EXPECT_NEAR(c.f[zeta], pair.zeta(across, rho, tau), 2e-10);
    EXPECT_NEAR(c.f[w], 1, 1e-12);
    EXPECT_NEAR(c.f[F], 0, 1e-12);
    EXPECT_NEAR(c.f[log_B], std::log(pair.B * (1 - rho * rho - tau / pair.r0)), 1e-5);
    const double h = 1e-5;
    EXPECT_NEAR(c.f_a[zeta],
                (pair.zeta(across + h, rho, tau) - pair.zeta(across - h, rho, tau)) / (2 * h),
                1e-6);
    EXPECT_NEAR(c.f_rho[zeta],
                (pair.zeta(across, rho + h, tau) - pair.zeta(across, rho - h, tau)) / (2 * h),
                1e-6);
    const double e_c2 = 1 - rho * rho - tau / pair.r0;
    EXPECT_NEAR(c.f_a_rho[zeta], (1 - tau / pair.r0) / std::pow(e_c2, 1.5), 1e-4);
  }
}

// A wheel nearly as flat as its cubic on a rail that is much rounder: the contact follows the
// wheel's shape, with f_w'^2/(4 B), of fourth order, besides. The largest error over some cells of
// a chart with nodes 1 mm apart.
double cubic_error(double low, double high) {
  constexpr double D = 20, end = 0.07;  // 1/m^2, m
  const spline::CubicSpline f_w(
      {-end, end}, {{D, -3 * D * end, 3 * D * end * end, 0.46 - D * end * end * end, -end}});
  const LoadedGap gap(f_w, parabola(1 / 0.6), {}, 1e-3, 15e-6, 1e-2);
  const ContactChart chart(gap, {-5e-3, 5e-4, 21}, {-1e-3, 1e-3, 3}, {0, 1e-5, 3});
  LoadedGap::Row row(gap, 0, 0);
  double worst = 0;
  for (double across = low; across <= high; across += 0.77e-4)
    raise(worst, std::abs(chart.at(across, 0, 0).f[zeta] - row.at(across).down));
  return worst;
}

// Without its third derivative the chart is 1e-9 m off; the rail's kinks are 4e-11 m.
TEST(contact_chart, holds_cubics_but_near_its_ends) {
  EXPECT_LT(cubic_error(-1.5e-3, 1.5e-3), 1e-10);
}

// Third derivatives do not jump at the first and last inner knot, so cubics are held everywhere.
TEST(contact_chart, holds_cubics_up_to_its_ends) { EXPECT_LT(cubic_error(-5e-3, 5e-3), 2e-10); }

TEST(contact_chart, meets_its_nodes) {
  for (const Sheet60& s : sheets()) {
    // without shear the nodes are where they are asked for
    const ContactChart& of = s.chart();
    const ContactChart chart(s.gap, {of.across().begin, 5e-4, 20}, {-0.01, 5e-3, 5}, {0, 1e-4, 4},
                             of.tilt());
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        const double rho = -0.01 + 5e-3 * static_cast<double>(j);
        const double tau = 1e-4 * static_cast<double>(k);
        LoadedGap::Row row(s.gap, rho, std::sqrt(tau / s.gap.r0()), of.tilt());
        for (std::size_t i = 0; i < 20; ++i) {
          const double across = of.across().begin + 5e-4 * static_cast<double>(i);
          const LoadedGap::Row::Rest rest = row.at(across);
          const Charted c = chart.at(across, rho, tau);
          EXPECT_NEAR(c.f[zeta], rest.down, 2e-11) << s.name;  // Newton's, and 64 coefficients
          EXPECT_NEAR(c.f[w], rest.phi_down, 1e-10) << s.name;
          EXPECT_NEAR(c.f[F], rest.radius - s.gap.r0(), 1e-10) << s.name;
          EXPECT_NEAR(std::exp(-c.f[log_B]), 2 * rest.variance / s.gap.eps(),
                      1e-8 * 2 * rest.variance / s.gap.eps())
              << s.name;
        }
      }
    }
  }
}

// How far charts are from their sums at random places: median, 99 % and worst.
struct Bound {
  const char* what;
  double median, most, worst;
};

// zeta, w, F, log_B, and the gradient of zeta by across, rho and tau
void compare(const Sheet60& s, int places, double lean, double turn, const Bound (&bounds)[7]) {
  Errors errors[7];
  klingel::test::Random random(1);
  const double r0 = s.gap.r0(), tilt = s.chart().tilt();
  for (int i = 0; i < places; ++i) {
    Place p = s.any(random);
    p.rho *= lean, p.tau *= turn;
    const Charted c = s.chart().at(p.across, p.rho, p.tau);
    if (!c.inside) continue;
    const double e_t = std::sqrt(p.tau / r0);
    LoadedGap::Row row(s.gap, p.rho, e_t, tilt);
    const LoadedGap::Row::Rest rest = row.at(p.across);
    const LoadedPlace at = s.gap.at(pose_of_row(s.gap, p.across, rest.down, p.rho, e_t, tilt));
    errors[0].add(c.f[zeta] - rest.down);
    errors[1].add(c.f[w] - rest.phi_down);
    errors[2].add(c.f[F] - (rest.radius - r0));
    errors[3].add(c.f[log_B] - std::log(at.B(s.gap.eps())));
    // where phi stays zero; y = eta - r0 rho, z = h + r0 (1 - rho^2/2)
    const double phi_a = std::cos(tilt) * at.phi_y + std::sin(tilt) * at.phi_z;
    const double phi_rho = at.phi_n - r0 * at.phi_y - r0 * p.rho * at.phi_z;
    errors[4].add(c.f_a[zeta] + phi_a / rest.phi_down);
    errors[5].add(c.f_rho[zeta] + phi_rho / rest.phi_down);
    if (e_t > 2e-3) errors[6].add(c.f_tau[zeta] + at.phi_t / (2 * r0 * e_t) / rest.phi_down);
  }
  for (int i = 0; i < 7; ++i) {
    const Bound& b = bounds[i];
    fmt::print("{:<6} {:<8} median {:.1e} 99 % {:.1e} worst {:.1e}\n", s.name, b.what,
               errors[i].quantile(0.5), errors[i].quantile(0.99), errors[i].quantile(1));
    EXPECT_LT(errors[i].quantile(0.5), b.median) << s.name << ' ' << b.what;
    EXPECT_LT(errors[i].quantile(0.99), b.most) << s.name << ' ' << b.what;
    EXPECT_LT(errors[i].quantile(1), b.worst) << s.name << ' ' << b.what;
  }
}

TEST(contact_chart, of_a_tread_is_within_half_a_micrometre_of_its_sums) {
  compare(sheets()[0], 3000, 1, 1,
          {{"zeta", 1e-10, 1e-7, 5e-7},  // m, of an approach of 7e-5 m
           {"w", 2e-9, 1e-4, 6e-4},
           {"F", 5e-10, 6e-6, 4e-5},  // m
           {"log_B", 5e-6, 0.02, 0.1},
           {"zeta_a", 5e-7, 6e-4, 4e-3},
           {"zeta_rho", 1e-7, 3e-4, 2e-3},  // m
           {"zeta_tau", 2e-7, 2e-4, 1e-3}});
}

// Between root and flank the rigid contact jumps by 9 mm along the wheel and by 10 mm of radius,
// within a few micrometres of y: that is the worst here, and a hundredth of all places.
TEST(contact_chart, of_a_flange_is_within_micrometres_of_its_sums) {
  compare(sheets()[1], 3000, 1, 1,
          {{"zeta", 5e-9, 2e-6, 1.5e-5},
           {"w", 5e-6, 6e-3, 0.03},
           {"F", 3e-8, 3e-4, 5e-3},
           {"log_B", 2e-4, 0.6, 3},
           {"zeta_a", 1e-5, 0.03, 0.4},
           {"zeta_rho", 3e-7, 4e-4, 3e-3},
           {"zeta_tau", 5e-5, 0.06, 0.6}});
}

// First and second derivatives by differences of at() within a cell. All fields are polynomials
// there, of the third degree in across and tau, so five points leave rounding only.
struct Derivatives {
  const char* name;
  base::Pack Charted::*derivative;
  base::Pack Charted::*of;
  double across, rho, tau;  // direction, in steps of the axes
};

constexpr Derivatives derivatives[] = {{"f_a", &Charted::f_a, &Charted::f, 1, 0, 0},
                                       {"f_rho", &Charted::f_rho, &Charted::f, 0, 1, 0},
                                       {"f_tau", &Charted::f_tau, &Charted::f, 0, 0, 1},
                                       {"f_aa", &Charted::f_aa, &Charted::f_a, 1, 0, 0},
                                       {"f_a_rho", &Charted::f_a_rho, &Charted::f_a, 0, 1, 0},
                                       {"f_a_rho", &Charted::f_a_rho, &Charted::f_rho, 1, 0, 0},
                                       {"f_rho_rho", &Charted::f_rho_rho, &Charted::f_rho, 0, 1, 0},
                                       {"f_a_tau", &Charted::f_a_tau, &Charted::f_a, 0, 0, 1},
                                       {"f_a_tau", &Charted::f_a_tau, &Charted::f_tau, 1, 0, 0}};

TEST(contact_chart, derivatives_are_those_of_what_is_read) {
  for (const Sheet60& s : sheets()) {
    klingel::test::Random random(2);
    std::vector<Place> places;
    while (places.size() < 300) {
      Place p = s.any(random);
      // in the middle of its cell
      const double cell = std::floor(p.tau / s.chart().tau().step);
      p.tau = (cell + random.uniform(0.3, 0.7)) * s.chart().tau().step;
      if (s.chart().at(p.across, p.rho, p.tau).inside) places.push_back(p);
    }
    for (const Derivatives& d : derivatives) {
      // small against a cell, and against the cells that the shear of a flange's chart moves
      // through; treads hardly change with tau, a small step would show rounding only
      const double turn = s.chart().tilt() == 0 ? 0.1 : 5e-4;
      const double h = 5e-4 * (d.across * s.chart().across().step + d.rho * 1e-3) +
                       turn * d.tau * s.chart().tau().step;
      base::Pack size{};
      Errors errors[4];
      for (const Place& p : places) {
        const auto at = [&](double x) {
          return s.chart().at(p.across + d.across * x, p.rho + d.rho * x, p.tau + d.tau * x).*d.of;
        };
        const base::Pack found = s.chart().at(p.across, p.rho, p.tau).*d.derivative;
        const base::Pack expected = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
        size = base::larger(size, base::magnitude(expected));
        for (int field = 0; field < 4; ++field) errors[field].add(found[field] - expected[field]);
      }
      for (int field = 0; field < 4; ++field) {
        // of the largest there is; third derivatives jump at nodes, which one in a hundred meets
        EXPECT_LT(errors[field].quantile(0.98), 1e-6 * size[field])
            << s.name << ' ' << d.name << ' ' << field;
        EXPECT_LT(errors[field].quantile(1), 1e-4 * size[field])
            << s.name << ' ' << d.name << ' ' << field;
      }
    }
  }
}

TEST(contact_chart, second_derivatives_go_on_across_nodes) {
  for (const Sheet60& s : sheets()) {
    const ContactChart& chart = s.chart();
    klingel::test::Random random(3);
    const ChartAxis axes[] = {chart.across(), chart.rho(), chart.tau()};
    for (int axis = 0; axis < 3; ++axis) {
      double worst[8] = {}, size[8] = {};
      for (int i = 0; i < 100; ++i) {
        // near nodes of the sheared axes: shift rho and tau only, across by its own step
        Place p = s.any(random);
        double* x[] = {&p.across, &p.rho, &p.tau};
        const ChartAxis& a = axes[axis];
        const std::size_t node = 1 + random.below(a.count - 2);
        if (axis == 0) {
          // rho = tau = 0: no shear
          p.rho = p.tau = 0;
        }
        *x[axis] = a.begin + a.step * static_cast<double>(node);
        const auto read = [&](double by) {
          Place q = p;
          double* y[] = {&q.across, &q.rho, &q.tau};
          *y[axis] += by * a.step;
          return chart.at(q.across, q.rho, q.tau);
        };
        const Charted left = read(-1e-9), right = read(1e-9);
        if (!left.inside || !right.inside) continue;
        int k = 0;
        for (base::Pack Charted::*f :
             {&Charted::f, &Charted::f_a, &Charted::f_rho, &Charted::f_tau, &Charted::f_aa,
              &Charted::f_a_rho, &Charted::f_rho_rho, &Charted::f_a_tau}) {
          for (int field = 0; field < 4; ++field) {
            raise(worst[k], std::abs((left.*f)[field] - (right.*f)[field]));
            raise(size[k], std::abs((left.*f)[field]));
          }
          ++k;
        }
      }
      // 2e-9 of a cell farther, or of many cells by the shear: third derivatives times this
      for (int k = 0; k < 8; ++k) EXPECT_LT(worst[k], 2e-7 * size[k]) << s.name << axis << k;
    }
  }
}

TEST(contact_chart, goes_on_straight_beyond_its_ends_and_says_so) {
  for (const Sheet60& s : sheets()) {
    const ContactChart& chart = s.chart();
    // inside but for one axis; the shear is not met at rho = tau = 0
    for (const bool high : {false, true}) {
      const double end = high ? chart.across().end() : chart.across().begin;
      const double out = high ? 1 : -1;
      const Charted at = chart.at(end - out * 1e-12, 0, 0);
      EXPECT_TRUE(at.inside);
      for (const double d : {1e-5, 1e-3, 5e-3}) {
        const Charted c = chart.at(end + out * d, 0, 0);
        EXPECT_FALSE(c.inside);
        for (int f = 0; f < 4; ++f) {
          // the end is met to 1e-12 m and what the second derivative makes of it
          EXPECT_NEAR(c.f[f], at.f[f] + out * d * at.f_a[f], 1e-9 + 1e-8 * std::abs(at.f_a[f]));
          EXPECT_NEAR(c.f_a[f], at.f_a[f], 1e-6 * (1 + std::abs(at.f_a[f])));
          EXPECT_EQ(c.f_aa[f], 0);
        }
      }
    }
    const double middle = (chart.across().begin + chart.across().end()) / 2;
    for (const double rho : {-0.03, 0.025}) {
      EXPECT_FALSE(chart.at(middle, rho, 0).inside);
      EXPECT_TRUE(std::isfinite(chart.at(middle, rho, 0).f[zeta]));
    }
    EXPECT_FALSE(chart.at(middle, 0, 2 * chart.tau().end()).inside);
    EXPECT_FALSE(chart.at(middle, 0, -1e-4).inside);
  }
}

TEST(contact_chart, what_is_read_has_no_step_where_the_chart_ends) {
  for (const Sheet60& s : sheets()) {
    const ContactChart& chart = s.chart();
    const double middle = (chart.across().begin + chart.across().end()) / 2;
    const Place ends[] = {{chart.across().begin, 0, 0},
                          {chart.across().end(), 0, 0},
                          {middle, chart.rho().begin, 1e-4},
                          {middle, chart.rho().end(), 1e-4},
                          {middle, 1e-3, chart.tau().end()}};
    const Place ways[] = {
        {1e-11, 0, 0}, {1e-11, 0, 0}, {0, 1e-11, 0}, {0, 1e-11, 0}, {0, 0, 1e-13}};
    for (int i = 0; i < 5; ++i) {
      const Place &e = ends[i], &d = ways[i];
      const Charted a = chart.at(e.across - d.across, e.rho - d.rho, e.tau - d.tau);
      const Charted b = chart.at(e.across + d.across, e.rho + d.rho, e.tau + d.tau);
      EXPECT_NE(a.inside, b.inside);
      for (base::Pack Charted::*f : {&Charted::f, &Charted::f_a, &Charted::f_rho, &Charted::f_tau})
        for (int field = 0; field < 4; ++field)
          EXPECT_NEAR((a.*f)[field], (b.*f)[field], 1e-6 * (1 + std::abs((a.*f)[field])));
    }
  }
}

// Beyond its ends f = f(end) + d f_a(end), so that f_rho is f_rho(end) + d f_a_rho(end).
TEST(contact_chart, gradient_beyond_the_ends_is_that_of_what_is_read) {
  for (const Sheet60& s : sheets()) {
    const ContactChart& chart = s.chart();
    const double across = chart.across().begin - 1e-3, h = 1e-6;
    const Charted c = chart.at(across, 1e-3, 1e-4);
    ASSERT_FALSE(c.inside);
    const double by_rho =
        (chart.at(across, 1e-3 + h, 1e-4).f[zeta] - chart.at(across, 1e-3 - h, 1e-4).f[zeta]) /
        (2 * h);
    EXPECT_NEAR(c.f_rho[zeta], by_rho, 1e-6) << s.name;  // m
  }
}

TEST(contact_chart, a_pair_takes_less_than_2_MB) {
  EXPECT_LT(standard_charts().bytes(), 2'000'000u);
  EXPECT_EQ(standard_charts().bytes(),
            standard_charts().tread.chart.bytes() + standard_charts().flange->chart.bytes());
}

TEST(charted_pair, knows_the_height_of_its_flange_and_where_it_stands) {
  const ChartedPair& charts = standard_charts();
  const LoadedPair& pair = standard_loaded();
  EXPECT_NEAR(charts.flange_height, 0.028, 1e-5);  // S1002
  EXPECT_NEAR(charts.r0, 0.46, 1e-9);
  EXPECT_EQ(charts.load, pair.load);
  EXPECT_EQ(charts.tread.k, pair.tread.k);
  EXPECT_EQ(charts.flange->k, pair.flange->k);
  EXPECT_NEAR(charts.top, resting_height(pair.tread.gap, pair.y_rest, 0, 0) - charts.r0, 1e-9);
  EXPECT_EQ(charts.tread.cosine, 1);
  EXPECT_NEAR(charts.flange->sine, std::sin(0.8), 1e-15);
}

TEST(charted_pair, covers_wheelsets_in_their_tracks) {
  const ChartedPair& charts = standard_charts();
  const LoadedPair& pair = standard_loaded();
  const double turned = 0.46 * 0.04 * 0.04 - 1e-12;
  // nodes follow the contact: leaning outwards by 20 mrad takes 6 mm at the outer end
  for (const double rho : {-0.02, 0.02})
    for (const double y : {-0.012, 0.0, 0.005})
      EXPECT_TRUE(charts.tread.chart.at(pair.y_rest + y, rho, turned).inside) << y << ' ' << rho;
  for (const double rho : {-0.01, 0.0, 0.01})
    for (const double y : {-0.015, 0.008})
      EXPECT_TRUE(charts.tread.chart.at(pair.y_rest + y, rho, turned).inside) << y << ' ' << rho;
  // a flange from where it nearly touches to where it stands on the rail
  const double c = charts.flange->cosine, s = charts.flange->sine;
  EXPECT_TRUE(charts.flange->chart.at(pair.y_both * c + charts.top * s, 0, 0).inside);
  const double up = charts.top + 0.95 * charts.flange_height;
  EXPECT_TRUE(charts.flange->chart.at((pair.y_both + 0.012) * c + up * s, 0, 0).inside);
}

// The shear of a tread is the move of the place with a certain slope under lean. Where slopes
// hardly change with y there is no such place, and there must be no shear.
TEST(charted_pair, covers_wheelsets_on_cones_and_on_rails_at_1_20) {
  const spline::CubicSpline f_w = cone(0.46, -0.05), f_r = arc(0.3, 0, 0.03);
  const StandardWheel& s = standard_wheel("60E1:1:20");
  const ChartedPair cones = charted(loaded_pair(f_w, f_r, 0, 50e3, steel()), f_w);
  const ChartedPair steep = charted(standard_loaded(60e3, "60E1:1:20"), s.f_w);
  for (const double rho : {-0.01, 0.01}) {
    for (const double y : {-0.010, 0.0, 0.008}) {
      EXPECT_TRUE(cones.tread.chart.at(y, rho, 0).inside) << y << ' ' << rho;
      EXPECT_TRUE(steep.tread.chart.at(s.y_rest + y, rho, 0).inside) << y << ' ' << rho;
    }
  }
}

TEST(charted_pair, without_a_flange_has_one_chart) {
  const spline::CubicSpline f_w = cone(0.46, -0.05), f_r = arc(0.3, 0, 0.03);
  const ChartedPair charts = charted(loaded_pair(f_w, f_r, 0, 50e3, steel()), f_w);
  EXPECT_FALSE(charts.flange);
  EXPECT_EQ(charts.bytes(), charts.tread.chart.bytes());
  EXPECT_LT(charts.bytes(), 2'500'000u);  // finer, because it may reach onto a flange
}

// Derivatives of derivatives: a central difference within a cell, which is cubic.
TEST(contact_chart, slopes_are_those_of_values_and_derivatives) {
  using S = base::Pack ChartedSlopes::*;
  struct Line {
    const char* name;
    base::Pack Charted::*of;
    int orders[3];  // by across, rho, tau
    S by[3];
  };
  using C = ChartedSlopes;
  const Line lines[] = {
      {"f", &Charted::f, {0, 0, 0}, {&C::f_a, &C::f_rho, &C::f_tau}},
      {"f_a", &Charted::f_a, {1, 0, 0}, {&C::f_aa, &C::f_a_rho, &C::f_a_tau}},
      {"f_rho", &Charted::f_rho, {0, 1, 0}, {&C::f_a_rho, &C::f_rho_rho, &C::f_rho_tau}},
      {"f_tau", &Charted::f_tau, {0, 0, 1}, {&C::f_a_tau, &C::f_rho_tau, &C::f_tau_tau}},
      {"f_aa", &Charted::f_aa, {2, 0, 0}, {&C::f_aaa, &C::f_aa_rho, &C::f_aa_tau}},
      {"f_a_rho", &Charted::f_a_rho, {1, 1, 0}, {&C::f_aa_rho, &C::f_a_rho_rho, &C::f_a_rho_tau}},
      {"f_rho_rho",
       &Charted::f_rho_rho,
       {0, 2, 0},
       {&C::f_a_rho_rho, &C::f_rho_rho_rho, &C::f_rho_rho_tau}},
      {"f_a_tau", &Charted::f_a_tau, {1, 0, 1}, {&C::f_aa_tau, &C::f_a_rho_tau, &C::f_a_tau_tau}}};
  for (const Sheet60& sheet : sheets()) {
    const ContactChart& chart = sheet.chart();
    const ContactChart::Numbers numbers = chart.numbers();
    const auto cell = [&](const Place& p) {
      const double x[] = {p.across - numbers.shear.lean * p.rho + numbers.shear.turn * p.tau, p.rho,
                          p.tau};
      std::array<double, 3> index;
      for (std::size_t i = 0; i < 3; ++i)
        index[i] = std::floor((x[i] - numbers.axes[i].begin) / numbers.axes[i].step);
      return index;
    };
    // lean and turn move places across, too: lengths that the values change over
    const double lengths[] = {
        numbers.axes[0].step,
        std::min(numbers.axes[1].step,
                 numbers.axes[0].step / (1e-9 + std::abs(numbers.shear.lean))),
        std::min(numbers.axes[2].step,
                 numbers.axes[0].step / (1e-9 + std::abs(numbers.shear.turn)))};
    klingel::test::Random random(7);
    int compared = 0;
    for (int k = 0; k < 300; ++k) {
      const Place p = sheet.any(random);
      ChartedSlopes at;
      chart.at(p.across, p.rho, p.tau, at);
      const Charted middle = chart.at(p.across, p.rho, p.tau);
      ASSERT_TRUE(at.inside);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double step = 1e-3 * lengths[axis];
        const auto moved = [&](double by) {
          return Place{p.across + (axis == 0 ? by : 0), p.rho + (axis == 1 ? by : 0),
                       p.tau + (axis == 2 ? by : 0)};
        };
        const Place ahead = moved(step), behind = moved(-step);
        if (cell(ahead) != cell(p) || cell(behind) != cell(p)) continue;
        const Charted high = chart.at(ahead.across, ahead.rho, ahead.tau),
                      low = chart.at(behind.across, behind.rho, behind.tau);
        if (!high.inside || !low.inside) continue;
        for (const Line& line : lines) {
          double length = 1;
          for (std::size_t i = 0; i < 3; ++i) length *= std::pow(lengths[i], line.orders[i]);
          for (int field = 0; field < 4; ++field) {
            const double value = (middle.*line.of)[field], slope = (at.*line.by[axis])[field];
            const double size = std::abs(middle.f[field]) / length;
            EXPECT_NEAR((at.*line.of)[field], value, 1e-13 * size);
            const double expected = ((high.*line.of)[field] - (low.*line.of)[field]) / (2 * step);
            const double curved =
                std::abs((high.*line.of)[field] - 2 * value + (low.*line.of)[field]) / step;
            ++compared;
            EXPECT_NEAR(slope, expected, 1e-3 * (std::abs(slope) + curved) + 1e-13 * size / step)
                << sheet.name << " " << line.name << " field " << field << " axis " << axis;
          }
        }
      }
    }
    EXPECT_GT(compared, 15000) << sheet.name;
  }
}

}  // namespace
}  // namespace klingel::contact
