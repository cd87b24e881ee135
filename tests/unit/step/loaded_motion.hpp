// A wheelset that moves along a track which is curved, canted, climbing and not smooth, for tests
// of loaded contact: place and motion in closed form, as the kernels of a vehicle give them.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "contact/loaded_pair.hpp"
#include "profile/gauge.hpp"
#include "profile/named_profile.hpp"
#include "step/loaded_set.hpp"
#include "tests/support/random.hpp"
#include "track/rail_frame.hpp"
#include "track/track.hpp"

namespace klingel::step::test {

using Vector = Eigen::Vector3d;

// S1002 of 460 mm on 60E1 at 1:40, 60 kN. A left wheel; a right one is its mirror image.
struct Standard {
  profile::Profile rail = profile::profile("60E1:1:40", profile::ProfileKind::rail);
  spline::CubicSpline f_w = profile::wheel_function(
      profile::profile("S1002", profile::ProfileKind::wheel), profile::Side::left, 0.46);
  spline::CubicSpline f_r = profile::rail_function(rail, profile::Side::left);
  double rail_distance = profile::rail_distance(profile::standard_gauge, rail);
  double y_w = 0.75, y_rest = 0.75 - rail_distance / 2;
  contact::LoadedPair pair =
      contact::loaded_pair(f_w, f_r, y_rest, 60e3, contact::HertzTable(2 * 82e9 * 1.28, 0.28));
  contact::ChartedPair charts = contact::charted(pair, f_w);
};
inline const Standard& standard() {
  static const Standard all;
  return all;
}

// An arc of 150 m with transition, cant, gradient and waves of some millimetres; s = 0 near the
// ground's origin, so that differences of places keep their digits.
inline const track::Track& rough_track() {
  static const track::Track track = [] {
    using namespace contact;
    using namespace profile;
    using namespace track;
    using namespace spline;
    TrackDescription d;
    d.rail_distance = standard().rail_distance;
    d.start.s = -40;
    d.start.x = -40;
    Section straight, in, arc;
    straight.length = 10;
    straight.gradient = Ramp{0.01, 0.01};
    in.kind = SectionKind::transition;
    in.length = 60;
    in.shape = RampShape::smooth;
    in.gradient = Ramp{0.01, 0.01};
    arc.kind = SectionKind::arc;
    arc.length = 50;
    arc.radius = 150;
    arc.cant = Ramp{0.08, 0.08};
    arc.gradient = Ramp{0.01, 0.01};
    d.sections = {straight, in, arc};
    const auto wave = [&](Channel channel, double amplitude, double wavelength) {
      Irregularity i;
      i.channel = channel;
      i.signal = Harmonic{amplitude, wavelength, 1};
      d.irregularities.push_back(i);
    };
    wave(Channel::vertical, 2e-3, 7);
    wave(Channel::lateral, 2e-3, 9);
    wave(Channel::cross_level, 1e-3, 5);
    wave(Channel::gauge, 1e-3, 6);
    return build_track(d);
  }();
  return track;
}

// r(t) of second degree; base = yaw(t) about z, then roll(t) about the new x, both of second
// degree.
struct Motion {
  Vector r, v, a;
  double yaw[3], roll[3];  // value, rate, acceleration
  double spin;

  struct State {
    std::array<double, 12> pose;
    std::array<double, 7> twist;
    std::array<double, 6> bias;
  };
  State at(double t) const {
    const auto value = [t](const double* x) { return x[0] + t * (x[1] + t / 2 * x[2]); };
    const auto rate = [t](const double* x) { return x[1] + t * x[2]; };
    const Eigen::Matrix3d R = (Eigen::AngleAxisd(value(yaw), Vector::UnitZ()) *
                               Eigen::AngleAxisd(value(roll), Vector::UnitX()))
                                  .toRotationMatrix();
    const Vector e_x = R.col(0), up = Vector::UnitZ();
    const Vector place = r + t * v + t * t / 2 * a, speed = v + t * a;
    const Vector w = rate(yaw) * up + rate(roll) * e_x;
    const Vector dw = yaw[2] * up + roll[2] * e_x + rate(yaw) * rate(roll) * up.cross(e_x);
    State s;
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      s.pose[k] = place[i];
      for (std::size_t c = 0; c < 3; ++c) s.pose[3 + 3 * c + k] = R(i, static_cast<int>(c));
      s.twist[k] = speed[i], s.twist[3 + k] = w[i];
      s.bias[k] = a[i], s.bias[3 + k] = dw[i];
    }
    s.twist[6] = spin;
    return s;
  }
};

inline Vector eigen(const spline::Vec3& a) { return {a.x, a.y, a.z}; }

inline const track::RailLine& rail_of(profile::Side side) {
  return side == profile::Side::left ? rough_track().left : rough_track().right;
}

// A wheel of the standard pair on one side of the track, in all four lanes.
inline LoadedSet one_wheel(profile::Side side, double r0 = 0.46) {
  LoadedSet set;
  const double y_w = side == profile::Side::left ? standard().y_w : -standard().y_w;
  for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane)
    set.occupy(lane, standard().charts, rail_of(side), side, r0, y_w);
  return set;
}

inline void evaluate(LoadedSet& set, const Motion::State& s, double s_r) {
  for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane) set.set_s_r(lane, s_r);
  const double *p = s.pose.data(), *t = s.twist.data(), *b = s.bias.data();
  set.evaluate({p, p, p, p}, {t, t, t, t}, {b, b, b, b});
}

enum class Where { tread, root, flank };

inline const LoadedSet::Sheet& sheet_of(const LoadedSet& set, Where where) {
  return where == Where::tread ? set.tread() : set.flange();
}

struct Case {
  profile::Side side;
  Where where;
  double s;  // of the track
  Motion motion;
};

// A wheel that runs at some 15 m/s with the given phi of its flange or tread, all rates random.
inline Case any_case(profile::Side side, Where where, klingel::test::Random& random,
                     double deepest = -1e-4, double highest = 2e-5) {
  Case c{side, where, random.uniform(-30, 60), {}};
  const double outwards = side == profile::Side::left ? 1 : -1;
  const track::RailFrame f = track::rail_frame(rail_of(side), c.s);
  const Vector t = eigen(f.axes.x), across = eigen(f.axes.y), up = eigen(f.axes.z);
  Motion& m = c.motion;
  const double speed = random.uniform(5, 25);
  const double heading = std::atan2(t.y(), t.x());
  m.v = speed * t + random.within(0.1) * across + random.within(0.03) * up;
  m.a = random.within(0.5) * t + random.within(1) * across + random.within(1) * up;
  m.yaw[0] = heading + random.within(0.01);
  m.yaw[1] = speed * f.k.z + random.within(0.1);
  m.yaw[2] = random.within(1);
  const double lean = std::asin(across.z());
  m.roll[0] = lean + random.within(4e-3);
  m.roll[1] = random.within(0.1);
  m.roll[2] = random.within(1);
  m.spin = speed / 0.46 * random.uniform(0.98, 1.02);
  const auto place = [&](double y, double z) {
    const Motion::State s = m.at(0);
    const Vector axle(s.pose[6], s.pose[7], s.pose[8]);
    m.r = eigen(f.origin) + outwards * y * across + z * up - outwards * standard().y_w * axle;
  };
  // y and z of O_w in the section
  const Standard& all = standard();
  double y = 0, z = all.charts.top + 0.46;
  if (where == Where::tread) y = all.y_rest + random.uniform(-5e-3, 4.5e-3);
  if (where == Where::root) y = all.pair.y_both + random.uniform(0, 6e-4);
  if (where == Where::flank) {
    // on a flank the height is free and y follows
    z += random.uniform(2e-3, 6e-3);
    y = all.pair.y_both + 2.5e-3;
  }
  const double phi = random.uniform(deepest, highest);
  LoadedSet set = one_wheel(side);
  for (int i = 0; i < 30; ++i) {
    place(y, z);
    evaluate(set, m.at(0), c.s);
    const LoadedSet::Sheet& sheet = sheet_of(set, where);
    if (sheet.has == 0) {
      y += 1e-3;
      continue;
    }
    const double missing = std::clamp(phi - sheet.phi[0], -5e-4, 5e-4);
    if (where == Where::flank) {
      y += outwards * missing / sheet.G[0][0];
    } else {
      z += missing / sheet.G[1][0];
    }
  }
  return c;
}

inline double along(const base::Pack* row, const double* u) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += row[i][0] * u[i];
  return sum;
}

}  // namespace klingel::step::test
