// Eight wheels of a metre-gauge locomotive in a canted curve, for benchmarks of the contact: poses
// and motions of four wheelsets, and contact coordinates on phi_d = 0 found by searching.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "contact/contact_search.hpp"
#include "profile/named_profile.hpp"
#include "profile/profile.hpp"
#include "track/track.hpp"

namespace klingel::bench {

// The inputs of model::contact_interface for one wheel, and what the search needs.
struct ContactState {
  std::array<double, 1> y_w;
  std::array<double, 12> pose;
  std::array<double, 4> s;
  std::array<double, 30> spline;
  std::array<double, 7> twist;
  std::array<double, 6> bias;
  bool left;
  contact::WheelPose wheel_pose;
  contact::ContactPoint point;
};

class ContactStates {
 public:
  static constexpr std::size_t count = 8;

  ContactStates() : track_(make_track()) {
    using namespace contact;
    using namespace profile;
    using namespace track;
    using namespace spline;
    using namespace creep;
    const Profile wheel = profile("feve_wheel", ProfileKind::wheel);
    const Profile rail = profile("feve_rail", ProfileKind::rail);
    for (const Side side : {Side::left, Side::right}) {
      const bool left = side == Side::left;
      wheels_[left] = {wheel_function(wheel, side, radius)};
      rails_[left] = {rail_function(rail, side), left ? track_.left : track_.right};
      searches_.emplace_back(wheels_[left], rails_[left]);
    }
    for (int wheelset = 0; wheelset < 4; ++wheelset) {
      for (const bool left : {true, false}) add(wheelset, left);
    }
  }
  ContactStates(const ContactStates&) = delete;

  const ContactState& operator[](std::size_t i) const { return states_[i]; }
  const contact::ContactSearch& search(std::size_t i) const {
    return searches_[states_[i].left ? 0 : 1];
  }

 private:
  static constexpr double radius = 0.5, half_distance = 0.535, speed = 15;

  // straight, transition, arc of 120 m to the left with 60 mm of cant
  static track::Track make_track() {
    using namespace contact;
    using namespace profile;
    using namespace track;
    using namespace spline;
    using namespace creep;
    TrackDescription d;
    d.name = "bench";
    d.rail_distance = 2 * half_distance;
    Section straight{.kind = SectionKind::straight, .length = 20};
    Section transition{.kind = SectionKind::transition, .length = 30};
    Section arc{.kind = SectionKind::arc, .length = 80, .radius = 120};
    arc.cant = Ramp{0.06, 0.06};
    d.sections = {straight, transition, arc};
    return build_track(d);
  }

  void add(int wheelset, bool left) {
    using namespace contact;
    using namespace profile;
    using namespace track;
    using namespace spline;
    using namespace creep;
    // two bogies, the first in the arc and the second in the transition
    const double s_track = std::array{57.0, 54.8, 46.0, 43.8}[wheelset];
    const double y = std::array{-3e-3, 1e-3, -2e-3, 0.5e-3}[wheelset];
    const double yaw = std::array{4e-3, -2e-3, 3e-3, -1e-3}[wheelset];
    const TrackFrame frame = track_.frame(s_track);
    const Axes& t = frame.axes;
    Axes e;
    e.x = std::cos(yaw) * t.x + std::sin(yaw) * t.y;
    e.y = std::cos(yaw) * t.y - std::sin(yaw) * t.x;
    e.z = t.z;
    const double y_w = left ? half_distance : -half_distance;
    Vec3 r_C = frame.origin + y * t.y + (radius + 0.16) * t.z;

    ContactState state{};
    state.left = left;
    state.y_w = {y_w};
    state.wheel_pose = {r_C + y_w * e.y, e};
    const ContactSearch& search = searches_[left ? 0 : 1];
    const MinimumList list = search.drop(state.wheel_pose, s_track, t.z);
    if (list.empty()) base::fail("bench: wheel {} finds no rail", states_.size());
    // the wheelset moved down until this wheel touches: a wheelset would roll a little instead
    r_C = r_C - list.front().distance * t.z;
    state.wheel_pose.r_Ow = state.wheel_pose.r_Ow - list.front().distance * t.z;
    state.point = list.front().point;
    if (search.refine(state.wheel_pose, state.point) != ContactStatus::converged)
      base::fail("bench: the contact of wheel {} was not found", states_.size());

    state.pose = {r_C.x, r_C.y, r_C.z, e.x.x, e.x.y, e.x.z,
                  e.y.x, e.y.y, e.y.z, e.z.x, e.z.y, e.z.z};
    const ContactCoordinates& s = state.point.s;
    state.s = {s.theta_w, s.u_w, s.s_r, s.u_r};
    const WheelSurface& wheel = wheels_[left];
    const RailSurface& rail = rails_[left];
    const RailLine& line = rail.line;
    const CubicSpline* splines[] = {&wheel.f_w, &rail.f_r, &line.x, &line.y, &line.z, &line.theta};
    const double at[] = {s.u_w, s.u_r, s.s_r, s.s_r, s.s_r, s.s_r};
    for (int k = 0; k < 6; ++k) {
      const CubicPiece& p = splines[k]->pieces()[splines[k]->index(at[k])];
      const double values[] = {p.a, p.b, p.c, p.d, p.u_bp};
      std::copy_n(values, 5, state.spline.begin() + 5 * k);
    }
    // rolling along the curve, with small motions on top
    const double turn = speed * frame.curvature, slip = 1 + 1e-3 * (wheelset - 1.5);
    const Vec3 v = speed * t.x + 0.02 * t.y;
    state.twist = {v.x, v.y, v.z, 0.01, -0.005, turn, slip * speed / radius};
    state.bias = {0.1, speed * turn, -0.2, 0.3, -0.1, 0.05};
    states_.push_back(state);
  }

  track::Track track_;
  std::array<contact::WheelSurface, 2> wheels_;  // right, left
  std::array<contact::RailSurface, 2> rails_;
  std::vector<contact::ContactSearch> searches_;  // left, right
  std::vector<ContactState> states_;
};

}  // namespace klingel::bench
