// The place along a track is found again for points beside it, in small and in large steps.
#include "start/track_place.hpp"

#include <gtest/gtest.h>

namespace klingel::start {
namespace {

track::Track curved_track() {
  track::TrackDescription d;
  d.rail_distance = 1.5;
  d.start.s = 100;
  track::Section straight, in, arc;
  straight.length = 50;
  in.kind = track::SectionKind::transition;
  in.length = 40;
  arc.kind = track::SectionKind::arc;
  arc.length = 300;
  arc.radius = 150;
  arc.cant = track::Ramp{0.05, 0.05};
  d.sections = {straight, in, arc};
  return track::build_track(d);
}

// a point beside the centre line, perpendicular in plan
spline::Vec3 beside(const track::Track& track, double s, double left) {
  const track::TrackFrame f = track.frame(s);
  return f.origin + left * spline::Vec3{-std::sin(f.heading), std::cos(f.heading), 0.3};
}

TEST(track_place, follows_a_point_beside_the_track) {
  const track::Track track = curved_track();
  TrackPlace place(track);
  for (double s = 101; s < 485; s += 0.24) {
    place.follow(beside(track, s, 0.7));
    // heading and centre line are splines of their own: 1e-7 rad of difference, at 0.7 m
    EXPECT_NEAR(place.s(), s, 1e-6);
  }
  EXPECT_NEAR(place.frame().curvature, 1 / 150.0, 1e-9);
}

TEST(track_place, a_jump_is_found_by_searching_again) {
  const track::Track track = curved_track();
  TrackPlace place(track);
  for (const double s : {480.0, 110.0, 300.0, 101.0}) {
    place.follow(beside(track, s, -1));
    EXPECT_NEAR(place.s(), s, 1e-6);
  }
}

TEST(track_place, beyond_the_ends_it_stays_at_the_end) {
  const track::Track track = curved_track();
  TrackPlace place(track);
  place.follow({-30, 0, 0});
  EXPECT_EQ(place.s(), 100);
}

}  // namespace
}  // namespace klingel::start
