// Tracks: the article's one against its formulas, standard curves against closed forms, rails given
// by points against the track they were taken from, and what is refused or warned of.
#include "track/track.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::track {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Section straight(double length) { return {.length = length}; }
Section transition(double length, RampShape shape = RampShape::linear) {
  return {.kind = SectionKind::transition, .length = length, .shape = shape};
}
Section arc(double length, double radius, double cant = 0) {
  return {.kind = SectionKind::arc, .length = length, .radius = radius, .cant = Ramp{cant, cant}};
}

TrackDescription standard(std::vector<Section> sections) {
  TrackDescription d;
  d.name = "test";
  d.rail_distance = 1.5;
  d.sections = std::move(sections);
  return d;
}

Irregularity harmonic(Channel channel, double amplitude, double wavelength, double phase) {
  Irregularity i;
  i.channel = channel;
  i.signal = Harmonic{amplitude, wavelength, phase};
  return i;
}

// The article's track: s is x of the centre line.
TrackDescription article() {
  TrackDescription d;
  d.name = "article";
  d.rail_distance = 1.07;
  d.start.s = d.start.x = -50;
  d.sections = {
      straight(100),
      {.kind = SectionKind::double_transition, .length = 270, .offset = 50, .largest_cant = 0.1},
      straight(130)};
  d.irregularities = {harmonic(Channel::right_vertical, 0.01, 10, 0),
                      harmonic(Channel::left_vertical, 0.01, 10, pi / 2)};
  for (Irregularity& i : d.irregularities) i.frame = DeviationFrame::ground;
  return d;
}

// The same by its formulas, with nothing shared with the code under test.
struct Article {
  explicit Article(double s_) : s(s_), t(std::clamp((s_ - 50) / 270, 0.0, 1.0)) {}
  double s, t;
  double y() const { return 50 * (10 * t * t * t - 15 * std::pow(t, 4) + 6 * std::pow(t, 5)); }
  double dy() const { return 50.0 / 270 * (30 * t * t - 60 * t * t * t + 30 * std::pow(t, 4)); }
  double ddy() const { return 50.0 / (270.0 * 270) * (60 * t - 180 * t * t + 120 * t * t * t); }
  double cant() const { return -0.1 * t * t * (1 - t) * (1 - t) * (1 - 2 * t) / 0.0178885438; }
  spline::Vec3 rail(double side, double phase) const {
    const double n = std::sqrt(1 + dy() * dy()), half = side * 0.535;
    return {s - half * std::cos(cant()) * dy() / n, y() + half * std::cos(cant()) / n,
            half * std::sin(cant()) + 0.01 * std::sin(2 * pi * s / 10 + phase)};
  }
};

using test::error_of;

std::string refusal(const TrackDescription& d) {
  return error_of([&] { build_track(d); });
}

TEST(track, rails_of_the_article_follow_its_formulas) {
  const Track track = build_track(article());
  EXPECT_EQ(track.begin(), -50);
  EXPECT_EQ(track.end(), 450);
  EXPECT_THAT(track.warnings, IsEmpty());
  double position = 0, angle = 0;
  // steps that meet knots and the middles between them
  for (double s = -50; s <= 450; s += 0.0625) {
    const Article a(s);
    const RailSection l = section(track.left, s), r = section(track.right, s);
    position =
        std::max({position, norm(l.origin - a.rail(1, pi / 2)), norm(r.origin - a.rail(-1, 0))});
    angle = std::max({angle, std::abs(track.left.theta.value(s) - a.cant()),
                      std::abs(track.right.theta.value(s) - a.cant())});
  }
  // the cant's second derivative jumps by 1.5e-4 rad/m^2 where the curve begins and ends; a spline
  // with knots each h = 0.25 m cuts such a corner by about h^2 / 40 of it
  EXPECT_LT(angle, 2.5e-7);
  // half a track width of that angle, and h^4 f'''' / 384 = 1.6e-8 m of the irregularity
  EXPECT_LT(position, 2e-7);
}

TEST(track, curvature_of_the_articles_irregularity_is_right_within_three_thousandths) {
  const Track track = build_track(article());
  double error = 0;
  // middle of the run, where the track itself adds no vertical curvature to the rail: the straight
  for (double s = -40; s <= 40; s += 0.0625) {
    const double exact = -0.01 * std::pow(2 * pi / 10, 2) * std::sin(2 * pi * s / 10);
    error = std::max(error, std::abs(track.right.z.second_derivative(s) - exact));
  }
  // h^2 k^2 / 12 = 0.21 % of the largest curvature at a knot, half as much below it between knots
  EXPECT_LT(error, 0.003 * 0.01 * std::pow(2 * pi / 10, 2));
}

TEST(track, frame_of_the_article_follows_its_formulas) {
  const Track track = build_track(article());
  for (double s = -40; s <= 440; s += 1.3) {
    const Article a(s);
    const TrackFrame f = track.frame(s);
    // second derivatives of cant and heading jump at 50 m and 320 m, see above
    const double corner = std::min(std::abs(s - 50), std::abs(s - 320)) < 3 ? 2.5e-7 : 1e-9;
    EXPECT_LT(norm(f.origin - spline::Vec3{s, a.y(), 0}), 1e-8) << s;
    EXPECT_NEAR(f.heading, std::atan(a.dy()), corner) << s;
    // straight lines between knots: h^2 / 8 of the curvature's second derivative (3e-6 1/m^3)
    EXPECT_NEAR(f.curvature, a.ddy() / std::pow(1 + a.dy() * a.dy(), 1.5), 3e-8) << s;
    EXPECT_NEAR(f.cant, a.cant(), corner) << s;
    EXPECT_NEAR(f.rail_distance, 1.07, 1e-15);
    EXPECT_NEAR(dot(f.axes.x, f.axes.y), 0, 1e-15);
    EXPECT_NEAR(f.axes.y.z, std::sin(a.cant()), corner);
    // straight lines between knots
    const double plumb = 0.01 * std::cos(2 * pi * s / 10);
    EXPECT_NEAR(track.deviation(s).left_vertical, plumb * std::cos(a.cant()), 4e-5);
    EXPECT_NEAR(track.deviation(s).left_lateral, plumb * std::sin(a.cant()), 4e-6);
  }
  EXPECT_NEAR(track.frame(50 + 270 * (1 - 1 / std::sqrt(5)) / 2).cant, -0.1, 1e-9);
}

TEST(track, arc_is_a_circle_with_its_centre_to_the_left) {
  const Track track = build_track(standard({straight(10), arc(100, 50)}));
  const spline::Vec3 centre{10, 50, 0};
  // far from the jump of curvature, where the spline swings
  for (double s = 15; s <= 105; s += 0.7) {
    EXPECT_NEAR(norm(track.frame(s).origin - centre), 50, 1e-9);
    EXPECT_NEAR(norm(section(track.left, s).origin - centre), 49.25, 1e-9);
    EXPECT_NEAR(norm(section(track.right, s).origin - centre), 50.75, 1e-9);
  }
  EXPECT_NEAR(track.frame(110).heading, 2, 1e-12);
}

TEST(track, clothoid_and_bloss_turn_by_half_length_over_radius) {
  for (const RampShape shape : {RampShape::linear, RampShape::smooth}) {
    const Track track =
        build_track(standard({straight(20), transition(60, shape), arc(50, -300, 0.06)}));
    EXPECT_THAT(track.warnings, IsEmpty());
    EXPECT_NEAR(track.frame(80).heading, -60.0 / 600, 1e-12);
    EXPECT_NEAR(track.frame(50).curvature, -0.5 / 300, 1e-12);
    EXPECT_NEAR(track.frame(50).cant, 0.03, 1e-9);
    const double part = shape == RampShape::linear ? 0.25 : 0.15625;
    EXPECT_NEAR(track.frame(35).curvature, -part / 300, 1e-9);
  }
}

TEST(track, clothoid_ends_where_the_series_of_fresnels_integral_says) {
  const double L = 60, R = 300, phi = L / (2 * R);
  const Track track = build_track(standard({straight(1), transition(L), arc(10, R)}));
  const spline::Vec3 p = track.frame(1 + L).origin;
  const auto pw = [&](int n) { return std::pow(phi, n); };
  // the next terms are below 1e-11 m
  EXPECT_NEAR(p.x, 1 + L * (1 - pw(2) / 10 + pw(4) / 216 - pw(6) / 9360), 1e-10);
  EXPECT_NEAR(p.y, L * (phi / 3 - pw(3) / 42 + pw(5) / 1320 - pw(7) / 75600), 1e-10);
}

TEST(track, double_transition_may_begin_in_any_direction_and_end_parallel) {
  TrackDescription d = standard(
      {straight(5), {.kind = SectionKind::double_transition, .length = 100, .offset = -2}});
  d.start.heading = pi / 2;
  const Track track = build_track(d);
  const TrackFrame f = track.frame(105);
  EXPECT_NEAR(f.origin.x, 2, 1e-9);
  EXPECT_NEAR(f.origin.y, 105, 1e-9);
  EXPECT_NEAR(f.heading, pi / 2, 1e-9);
}

TEST(track, gradient_raises_and_widening_spreads_the_rails) {
  Section up = straight(100), flat = straight(20);
  up.gradient = Ramp{0.02, 0.02};
  up.widening = Ramp{0.01, 0.01};
  const Track track = build_track(standard({flat, transition(40), up}));
  EXPECT_THAT(track.warnings, IsEmpty());
  // a ramp of gradient from 0 to 0.02 over 40 m rises by half of 0.8 m
  EXPECT_NEAR(track.frame(60).origin.z, 0.4, 1e-9);
  EXPECT_NEAR(track.frame(160).origin.z, 2.4, 1e-9);
  EXPECT_NEAR(track.frame(120).axes.x.z, 0.02 / std::hypot(1, 0.02), 1e-12);
  EXPECT_NEAR(norm(section(track.left, 120).origin - section(track.right, 120).origin), 1.51, 1e-9);
  EXPECT_NEAR(norm(section(track.left, 10).origin - section(track.right, 10).origin), 1.5, 1e-9);
}

// In a canted curve: what recording cars measure lies in the plane of the rails.
TEST(track, irregularities_move_the_rails_in_the_canted_frame) {
  const double cant = -0.1, lateral = 0.004, vertical = 0.007;
  TrackDescription d = standard({arc(100, 300, cant)});
  const Track designed = build_track(d);
  d.irregularities = {harmonic(Channel::left_lateral, lateral, 1e9, pi / 2),
                      harmonic(Channel::right_vertical, vertical, 1e9, pi / 2)};
  const Track track = build_track(d);
  for (Irregularity& i : d.irregularities) i.frame = DeviationFrame::ground;
  const Track ground = build_track(d);
  for (double s = 10; s < 90; s += 3.7) {
    const TrackFrame f = track.frame(s);
    const auto moved = [&](const Track& by, RailLine Track::*rail) {
      return section(by.*rail, s).origin - section(designed.*rail, s).origin;
    };
    EXPECT_LT(norm(moved(track, &Track::left) - lateral * f.axes.y), 1e-9) << s;
    EXPECT_LT(norm(moved(track, &Track::right) - vertical * f.axes.z), 1e-9) << s;
    const spline::Vec3 c_h{-std::sin(f.heading), std::cos(f.heading), 0};
    EXPECT_LT(norm(moved(ground, &Track::left) - lateral * c_h), 1e-9) << s;
    EXPECT_LT(norm(moved(ground, &Track::right) - vertical * spline::Vec3{0, 0, 1}), 1e-9) << s;
    // channels have what was given, and of the ground what the track sees of it
    EXPECT_NEAR(track.deviation(s).left_lateral, lateral, 1e-12);
    EXPECT_NEAR(track.deviation(s).left_vertical, 0, 1e-12);
    EXPECT_NEAR(ground.deviation(s).right_vertical, vertical * std::cos(cant), 1e-12);
    EXPECT_NEAR(ground.deviation(s).right_lateral, vertical * std::sin(cant), 1e-12);
  }
}

TEST(track, rails_given_by_points_are_the_track_they_were_taken_from) {
  const Track track = build_track(article());
  TrackDescription d;
  d.name = "points";
  d.points.emplace();
  for (double s = -50; s <= 450; s += 0.25) {
    d.points->s.push_back(s);
    for (const RailLine* line : {&track.left, &track.right}) {
      const RailPoint p{line->x.value(s), line->y.value(s), line->z.value(s), line->theta.value(s)};
      (line == &track.left ? d.points->left : d.points->right).push_back(p);
    }
  }
  const Track again = build_track(d);
  for (double s = -49; s < 449; s += 0.7) {
    EXPECT_LT(norm(section(again.left, s).origin - section(track.left, s).origin), 1e-9);
    // irregularities are part of the points now and tilt the frame; the plan is the same
    EXPECT_NEAR(again.frame(s).heading, track.frame(s).heading, 1e-6);
    EXPECT_NEAR(again.frame(s).curvature, track.frame(s).curvature, 1e-5);
    EXPECT_NEAR(again.frame(s).rail_distance, 1.07, 2e-3);
  }
}

TEST(track, rails_along_a_centre_line_of_points_are_those_of_the_track) {
  TrackDescription d = article();
  d.irregularities.clear();
  const Track track = build_track(d);
  std::vector<double> s;
  std::vector<RailPoint> centre;
  for (double x = -50; x <= 450; x += 0.25) {
    const TrackFrame f = track.frame(x);
    s.push_back(x);
    centre.push_back({f.origin.x, f.origin.y, f.origin.z, f.cant});
  }
  TrackDescription again;
  again.points = rails_along(s, centre, 1.07);
  const Track copy = build_track(again);
  for (double x = -49; x < 449; x += 0.7) {
    EXPECT_LT(norm(section(copy.left, x).origin - section(track.left, x).origin), 1e-8);
    EXPECT_LT(norm(section(copy.right, x).origin - section(track.right, x).origin), 1e-8);
    EXPECT_NEAR(copy.frame(x).cant, track.frame(x).cant, 1e-9);
  }
}

TEST(track, jumps_between_sections_are_warned_of) {
  const Track track = build_track(standard({straight(50), arc(50, 300, -0.1)}));
  EXPECT_THAT(
      track.warnings,
      ElementsAre(HasSubstr("section 2 (arc): curvature jumps from 0 to 0.00333333 1/m at s "
                            "= 50 m"),
                  HasSubstr("section 2 (arc): cant jumps from 0 to -0.1 rad")));
}

TEST(track, cant_of_the_inner_rail_and_too_much_of_it_are_warned_of) {
  const Track track = build_track(standard({arc(50, 300, 0.2)}));
  EXPECT_THAT(track.warnings, ElementsAre(HasSubstr("more than usual for railways"),
                                          HasSubstr("section 1 (arc): the inner rail is higher")));
}

TEST(track, waves_too_short_for_the_knots_are_warned_of_with_a_better_step) {
  TrackDescription d = standard({straight(50)});
  d.irregularities = {harmonic(Channel::vertical, 1e-3, 2, 0)};
  EXPECT_THAT(
      build_track(d).warnings,
      ElementsAre("irregularity 'vertical' has waves of 2 m, the splines a knot each 0.25 m: "
                  "the error of its curvature is 5.1 %; with step = 0.05 it is 0.2 %"));
  d.step = 0.05;
  EXPECT_THAT(build_track(d).warnings, IsEmpty());
}

TEST(track, impossible_sections_are_refused) {
  const double nan = std::nan("");
  EXPECT_THAT(refusal(standard({})), HasSubstr("at least one section"));
  EXPECT_THAT(refusal(standard({straight(10), straight(-1)})),
              HasSubstr("section 2 (straight): length must be positive, found -1 m"));
  EXPECT_THAT(refusal(standard({straight(nan)})), HasSubstr("length must be positive"));
  EXPECT_THAT(refusal(standard({arc(10, 0)})), HasSubstr("section 1 (arc): radius must not be 0"));
  EXPECT_THAT(refusal(standard({arc(10, nan)})), HasSubstr("radius must not be nan"));
  EXPECT_THAT(refusal(standard({arc(10, HUGE_VAL)})), HasSubstr("is a straight"));
  EXPECT_THAT(refusal(standard({arc(1, 0.7)})), HasSubstr("less than half the distance"));
  EXPECT_THAT(refusal(standard({arc(10, 300, 0.5)})), HasSubstr("expected at most"));
  EXPECT_THAT(refusal(standard({arc(10, 300, nan)})), HasSubstr("finite"));
  TrackDescription d = standard({straight(10)});
  d.rail_distance = 0;
  EXPECT_THAT(refusal(d), HasSubstr("distance of the rails must be positive"));
  d = standard({straight(10)});
  d.step = 0;
  EXPECT_THAT(refusal(d), HasSubstr("step between points must be positive"));
  d.step = 1e-9;
  EXPECT_THAT(refusal(d), HasSubstr("too many"));
  d = standard({straight(10)});
  d.start.s = 1e300;
  EXPECT_THAT(refusal(d), HasSubstr("vanishes"));
  d.start.s = 1e9;
  EXPECT_THAT(refusal(d), HasSubstr("too far away"));
  d = standard({straight(10)});
  d.sections[0].gradient = Ramp{0, 1.5};
  EXPECT_THAT(refusal(d), HasSubstr("the gradient is"));
  d = standard({straight(10)});
  d.irregularities = {harmonic(Channel::left_lateral, 10, 10, 0)};
  EXPECT_THAT(refusal(d), HasSubstr("irregularities move a rail by"));
}

TEST(track, impossible_points_are_refused) {
  TrackDescription d;
  d.points = RailPoints{{0, 1, 2, 3}, {}, {}};
  EXPECT_THAT(refusal(d), HasSubstr("must be equal"));
  for (int i = 0; i < 4; ++i) {
    d.points->left.push_back({1.0 * i, 0.75, 0, 0});
    d.points->right.push_back({1.0 * i, -0.75, 0, 0});
  }
  EXPECT_EQ(refusal(d), "no error");
  std::swap(d.points->left, d.points->right);
  EXPECT_THAT(refusal(d), HasSubstr("are they swapped?"));
  std::swap(d.points->left, d.points->right);
  d.points->s[2] = 1;
  EXPECT_THAT(refusal(d), HasSubstr("point 3 has s = 1 m after 1 m"));
  d.points->s[2] = std::nan("");
  EXPECT_THAT(refusal(d), HasSubstr("point 3"));
}

}  // namespace
}  // namespace klingel::track
