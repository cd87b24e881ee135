#include "step/rigid_treads.hpp"

#include <algorithm>
#include <cmath>

#include "contact/contact_start.hpp"

namespace klingel::step {
namespace {

// the gap of a wheel in contact is smaller, m
constexpr double touching = 2e-5;

// a point nearer to where it was than this has not jumped, m
constexpr double apart = 1e-3;

bool may_search(const Locating& how) {
  if (how.searches == nullptr) return true;
  if (*how.searches == 0) return false;
  --*how.searches;
  return true;
}

bool is_regular(const Contact& contact, const contact::Interval& zone) {
  return zone.contains(contact.s()[1]) && contact.pivot() > 0;
}

// Starts near minima that a chart knows, and the lowest of them.
class Starts {
 public:
  Starts(const Description& vehicle, const contact::WheelPose& pose, std::size_t wheel, double s_r)
      : wheel_(vehicle.data.wheels[wheel].surface),
        rail_(vehicle.rail(wheel)),
        view_(section(rail_.line, s_r), s_r, pose) {}

  bool found() const { return best_.gap < far; }
  double gap() const { return best_.gap; }
  std::array<double, 4> s() const { return as_array(best_.s); }

  void look_at(const contact::PlaceChart::Pair& near) {
    constexpr double reach = 4e-3;  // m, from what the chart says
    contact::ContactStart start;
    if (find_start(wheel_, rail_, view_, near.u_w, near.u_r, reach, start) && start.gap < gap())
      best_ = start;
  }

 private:
  static constexpr double far = 1;  // m

  const contact::WheelSurface& wheel_;
  const contact::RailSurface& rail_;
  contact::RailView view_;
  contact::ContactStart best_{{}, far};
};

// Moves a point that was at last_u_w and last_u_r to the lowest minimum that the chart knows. False
// if the wheel does not touch there.
bool jump_by_chart(const Contact& contact, const Description& vehicle,
                   const contact::WheelPose& pose, std::size_t wheel, double last_u_w,
                   double last_u_r, double s_r, const Locating& how) {
  const contact::PlaceChart::Cell* cell = vehicle.charts[wheel]->find(last_u_w, last_u_r);
  if (cell == nullptr || cell->treads == 0) return false;
  Starts starts(vehicle, pose, wheel, s_r);
  // a branch that moves far within a cell is there twice
  const auto beside = [](double u_w, const contact::PlaceChart::Pair& pair) {
    constexpr double near = 2e-3;  // m
    return std::abs(pair.u_w - u_w) < near;
  };
  for (const contact::PlaceChart::Pair& pair : cell->minima()) {
    if (!beside(last_u_w, pair) && !(starts.found() && beside(starts.s()[1], pair)))
      starts.look_at(pair);
  }
  // the wheel stood where it was: there it is no lower
  if (!(starts.gap() < 0)) {
    for (const contact::PlaceChart::Pair& pair : cell->minima())
      if (beside(last_u_w, pair)) starts.look_at(pair);
  }
  if (!starts.found()) return false;
  contact.set_s(starts.s());
  return contact.project(std::max(how.tolerance, how.jump_tolerance), how.most) &&
         is_regular(contact, vehicle.data.wheels[wheel].tread) &&
         std::abs(contact.phi_n()) <= touching;
}

}  // namespace

RigidTreads::RigidTreads(const Description& vehicle)
    : tread(vehicle.data),
      flange(vehicle.data),
      groups(wheelset_groups(tread)),
      end(groups.size()),
      sets(tread.sets.size()) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    ContactSet& first = tread.sets[groups[i].front()];
    for (const std::size_t g : groups[i]) {
      sets[g].group = i;
      if (g != groups[i].front()) tread.sets[g].share_wheelsets(first);
      flange.sets[g].share_wheelsets(first);
    }
  }
  for (std::size_t g = 0; g < sets.size(); ++g) {
    tread.each(g, [&](std::size_t lane, std::size_t i) {
      Set& set = sets[g];
      const WheelData& wheel = vehicle.data.wheels[i];
      set.low[lane] = wheel.tread.low, set.high[lane] = wheel.tread.high;
      set.reach_side[lane] = vehicle.reaches[i].side();
      set.reach_least[lane] = vehicle.reaches[i].least();
      if (!wheel.flange.empty()) set.has_flange |= 1u << lane;
      set.turn[(4 - i % 4) % 4] |= 1u << lane;
    });
  }
}

void RigidTreads::share_memory(const RigidTreads& of) {
  for (std::size_t g = 0; g < sets.size(); ++g) {
    tread.sets[g].share_workspace(of.tread.sets[g]);
    flange.sets[g].share_workspace(of.flange.sets[g]);
  }
}

const contact::Minimum* lowest(const contact::MinimumList& list) {
  const contact::Minimum* best = nullptr;
  for (const contact::Minimum& m : list) {
    if (m.status != contact::ContactStatus::converged) continue;
    if (best == nullptr || m.point.gap < best->point.gap) best = &m;
  }
  return best;
}

void take_state(const Contact& contact, const PointState& point, const Instant& at,
                std::size_t wheelset) {
  contact.set_pose(at.pose(wheelset));
  contact.set_motion(at.twist(wheelset), at.bias(wheelset));
  contact.set_s(point.s);
  contact.set_rates(point.ds, point.dds);
}

void take_state(RigidTreads& treads, const Description&, const PackedState& state,
                const Instant& at) {
  const auto take = [&](Points& points, const std::vector<PointSetState>& of) {
    for (std::size_t g = 0; g < points.sets.size(); ++g) {
      ContactSet& set = points.sets[g];
      set.set_pose(points.rows(g, at.poses, 12));
      set.set_motion(points.rows(g, at.twists, 7), points.rows(g, at.biases, 6));
      set.take(points.occupied(g), of[g].s, of[g].ds, of[g].dds);
    }
  };
  take(treads.tread, state.tread);
  take(treads.flange, state.flange);
}

Located locate_tread(RigidTreads& treads, const Description& vehicle, const Instant& at,
                     std::size_t wheel, double last_u_w, double last_u_r, const Locating& how) {
  const Contact contact = treads.tread[wheel];
  const contact::Interval& zone = vehicle.data.wheels[wheel].tread;
  const double u_w = contact.s()[1], s_near = contact.s()[2];
  const bool found = contact.project(how.tolerance, how.most_on_branch);
  Located result;
  result.iterations = contact.iterations();
  if (found && is_regular(contact, zone)) {
    // of the longest step: the longest search, one for each wheel, whose result is not needed;
    // those that are needed come on top
    if (how.search)
      result.iterations +=
          vehicle.searches[wheel].contacts(at.wheel_pose(wheel), s_near, zone).count;
    return result;
  }
  const contact::WheelPose pose = at.wheel_pose(wheel);
  if (jump_by_chart(contact, vehicle, pose, wheel, last_u_w, last_u_r, s_near, how)) {
    result.jumped = std::abs(contact.s()[1] - u_w) > apart;
    treads.tread.restart(wheel);
    return result;
  }
  // where the map knows another point; unless the wheel touches there, anywhere on the tread
  const contact::Interval known = vehicle.maps[wheel].others(last_u_w, last_u_r);
  contact::MinimumList list;
  const contact::Minimum* best = nullptr;
  for (const contact::Interval* where : {&known, &zone}) {
    if (best != nullptr && std::abs(best->point.gap) <= touching) break;
    if (!may_search(how)) {
      result.kept = best == nullptr;
      break;
    }
    list = vehicle.searches[wheel].contacts(pose, s_near, *where);
    best = lowest(list);
  }
  if (best == nullptr) {
    result.found = result.kept;
    return result;
  }
  result.jumped = std::abs(best->point.s.u_w - u_w) > apart;
  contact.set_s(as_array(best->point.s));
  treads.tread.restart(wheel);
  result.found = contact.project(how.tolerance, how.most);
  return result;
}

FlangeLocated locate_flange(RigidTreads& treads, const Description& vehicle, const Instant& at,
                            std::size_t wheel, bool was_found, bool tread_found,
                            const Locating& how) {
  const contact::Interval& zone = vehicle.data.wheels[wheel].flange;
  const Contact contact = treads.flange[wheel];
  const auto settle = [&] {
    return contact.project(how.tolerance, how.most) && is_regular(contact, zone);
  };
  if (was_found && settle()) return FlangeLocated::found;
  const std::array<double, 4> tread = treads.tread[wheel].s();
  const contact::WheelPose pose = at.wheel_pose(wheel);
  if (tread_found) {
    // the point on the tread tells where the wheel stands
    const contact::PlaceChart::Cell* cell = vehicle.charts[wheel]->find(tread[1], tread[3]);
    if (cell != nullptr && cell->has_flange) {
      Starts starts(vehicle, pose, wheel, tread[2]);
      starts.look_at(cell->flange);
      if (starts.found()) contact.set_s(starts.s());
      if (starts.found() && settle()) {
        treads.flange.restart(wheel);
        if (!how.search) return FlangeLocated::found;
      }
    }
    if (cell != nullptr && cell->flange_gap > how.far && !how.search) return FlangeLocated::none;
  }
  if (!may_search(how)) return FlangeLocated::kept;
  const contact::MinimumList list = vehicle.searches[wheel].contacts(pose, tread[2], zone);
  const contact::Minimum* best = lowest(list);
  if (best == nullptr) return FlangeLocated::none;
  contact.set_s(as_array(best->point.s));
  treads.flange.restart(wheel);
  return contact.project(how.tolerance, how.most) ? FlangeLocated::found : FlangeLocated::none;
}

// Forces times mean velocity, so that with a constant mass matrix the kinetic energy changes by
// exactly that.
ContactWork contact_work(const RigidTreads& treads, const StepWork& s) {
  ContactWork work;
  for (std::size_t i = 0; i < s.vehicle.w; ++i) {
    const std::size_t k = s.vehicle.data.wheels[i].wheelset;
    const std::span<const double> pose = s.at_t.pose(k), twist = s.at_t.twist(k);
    const std::span<const double> end = s.system.twists_end.subspan(6 * k, 6);
    std::array<double, 6> mean;
    for (std::size_t c = 0; c < 3; ++c) {
      mean[c] = (twist[c] + end[c]) / 2;
      mean[3 + c] = (twist[3 + c] + twist[6] * pose[6 + c] + end[3 + c]) / 2;
    }
    for (const Points* points : {&treads.tread, &treads.flange}) {
      const auto [set, lane] = points->lane_of(i);
      const PointForces& p = points->forces[set];
      if ((p.acts >> lane & 1) == 0 || p.N[lane] == 0) continue;
      const ContactSet::Frames& frame = *p.frame;
      for (std::size_t c = 0; c < 6; ++c) {
        work.normal +=
            s.h * (p.N[lane] * frame.W_n[c][lane] + p.turned[lane] * frame.W_y[c][lane]) * mean[c];
        work.creep +=
            s.h * (p.f[0][lane] * frame.W_x[c][lane] + p.f[1][lane] * frame.W_y[c][lane]) * mean[c];
      }
      for (std::size_t c = 0; c < 3; ++c)
        work.creep += s.h * p.f[2][lane] * frame.W_n[c][lane] * mean[3 + c];
    }
  }
  if (treads.hit) work.before_impact = treads.kinetic + treads.potential;
  return work;
}

}  // namespace klingel::step
