#include "scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "mech/kinematics.hpp"
#include "profile/named_profile.hpp"
#include "profile/profile_report.hpp"

namespace klingel::scene {
namespace {

using record::Solid;
using record::Triple;
using spline::Vec3;

constexpr double spring_length = 0.3;  // of springs whose ends meet when they are unloaded, m

// Edges of a homogeneous block of this mass and these moments about its centre; a negative square
// means that no block has them.
Triple block_edges(const mech::Body& b) {
  const double m = sym::value(b.mass);
  const double x = sym::value(b.inertia.c[0]), y = sym::value(b.inertia.c[4]),
               z = sym::value(b.inertia.c[8]);
  if (!(m > 0)) return {0, 0, 0};
  const auto edge = [&](double square) { return square > 0 ? std::sqrt(6 * square / m) : -1; };
  return {edge(y + z - x), edge(x + z - y), edge(x + y - z)};
}

Triple com_of(const mech::Body& b) {
  return {sym::value(b.com.c[0]), sym::value(b.com.c[1]), sym::value(b.com.c[2])};
}

class SceneBuilder {
 public:
  SceneBuilder(const compile::PreparedRun& p, ScenePoses& poses)
      : p_(p), m_(p.model->mechanics), poses_(poses) {
    // the start, and states around it: what keeps its place in a frame there is fixed to it
    states_.push_back(p.simulator->state().q);
    for (int k = 1; k <= 4; ++k) {
      states_.push_back(states_[0]);
      for (std::size_t i = 0; i < states_[0].size(); ++i)
        states_.back()[i] += 0.1 * std::sin(1.7 * k + 2.3 * static_cast<double>(i));
    }
    for (const std::vector<double>& q : states_) {
      const std::span<const ScenePoses::Pose> at = poses.at(q);
      poses_at_.emplace_back(at.begin(), at.end());
    }
  }

  std::vector<std::size_t> bogie_bodies() const {
    const std::vector<bool> is = bogies();
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < is.size(); ++i)
      if (is[i]) list.push_back(i);
    return list;
  }

  void solids(record::Scene& s) {
    const std::deque<mech::Body>& bodies = m_.bodies();
    const std::vector<bool> is_bogie = bogies();
    bool reference_found = false;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const mech::Body& b = bodies[i];
      Solid solid;
      solid.name = b.name;
      solid.frame = poses_.body_frame(i);
      solid.mass = sym::value(b.mass);
      // pictures follow the first one; bodies of further units look like it
      solid.is_reference = p_.model->reference && p_.model->reference->name == b.name;
      reference_found = reference_found || solid.is_reference;
      const bool carries_people = solid.is_reference || is_body_of_unit(b);
      if (reference_found && carries_people) solid.is_reference = true;
      solid.centre = com_of(b);
      shape(b, solid);
      if (is_bogie[i])
        bogie(solid);
      else if (carries_people && solid.shape == Solid::Shape::box)
        vehicle_body(b, solid);
      if (is_axle(b)) solid.shape = Solid::Shape::none;
      if (!shapes_of(b.name, solid, s)) s.solids.push_back(std::move(solid));
    }
  }

  // Elements as what they are.
  void springs(record::Scene& s) {
    std::vector<Drawn> found;
    for (const vehicle::Element& e : p_.vehicle.elements) draw(e, found);
    if (found.empty()) return;
    std::vector<sym::Expr> places;
    for (const Drawn& d : found) {
      for (const std::string& end : {d.from, d.to}) {
        const mech::Point point = end == "O" ? m_.origin() : m_.point(end);
        const mech::Vector r = mech::in_base(mech::position(m_.origin(), point), m_.ground_base());
        places.insert(places.end(), r.c.begin(), r.c.end());
      }
    }
    CoordinateFunctions functions(m_, places, false);
    std::vector<std::vector<double>> at;
    for (const std::vector<double>& q : states_) {
      const std::span<const double> v = functions.at(q);
      at.emplace_back(v.begin(), v.end());
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto from = end_of(at, 6 * i), to = end_of(at, 6 * i + 3);
      if (!from || !to) continue;
      record::Spring spring{found[i].name, *from, *to, found[i].kind};
      lengthen(spring, found[i].along);
      s.springs.push_back(std::move(spring));
    }
  }

 private:
  struct Drawn {
    std::string name, from, to;
    const char* kind;
    int along = -1;  // axis, for elements whose ends meet
  };

  void draw(const vehicle::Element& e, std::vector<Drawn>& all) const {
    if (const auto* bar = std::get_if<vehicle::AntiRollBar>(&e.what)) {
      for (std::size_t i = 0; i < 2; ++i) all.push_back({e.name, bar->from[i], bar->to[i], "rod"});
      all.push_back({e.name, bar->from[0], bar->from[1], "bar"});
      return;
    }
    const std::vector<std::string> ends = vehicle::points_of(e);
    if (ends.size() != 2 || ends[0] == ends[1]) return;
    Drawn d{e.name, ends[0], ends[1], "spring"};
    const vehicle::NominalValues nominal(p_.vehicle.parameters);
    const auto is_zero = [&](const vehicle::Expression& x) {
      return nominal.knows(x) && nominal(x) == 0;
    };
    constexpr double rod = 2e6;  // N/m: stiffer lines are rods
    if (const auto* b = std::get_if<vehicle::Bushing>(&e.what)) {
      // one that only turns has no ends to draw a spring between
      const auto all_zero = [&](const vehicle::Triple& three) {
        return std::all_of(three.begin(), three.end(), is_zero);
      };
      if (all_zero(b->stiffness) && all_zero(b->damping)) return;
    } else if (const auto* l = std::get_if<vehicle::LineSpring>(&e.what)) {
      if (is_zero(l->stiffness)) d.kind = "damper";
      if (nominal.knows(l->stiffness) && nominal(l->stiffness) >= rod) d.kind = "rod";
    } else if (const auto* s = std::get_if<vehicle::Strut>(&e.what)) {
      const bool springs = !is_zero(s->stiffness) || s->curve.given() || !s->polynomial.empty();
      if (!springs) d.kind = s->clearance ? "stop" : "damper";
      if (springs && !s->along.given() && nominal.knows(s->stiffness) &&
          nominal(s->stiffness) >= rod)
        d.kind = "rod";
      d.along = s->along.index;
    } else if (const auto* m = std::get_if<vehicle::SeriesDamper>(&e.what)) {
      d.kind = "damper";
      d.along = m->along.index;
    } else if (const auto* f = std::get_if<vehicle::Friction>(&e.what)) {
      d.kind = "friction";
      d.along = f->along.index;
    } else if (std::holds_alternative<vehicle::AirSpring>(e.what)) {
      d.kind = "air";
    }
    all.push_back(d);
  }

  // Solids as the vehicle file draws the body; whether it does.
  bool shapes_of(const std::string& body, const Solid& by_inertia, record::Scene& s) const {
    bool any = false;
    for (const vehicle::Shape& shape : p_.vehicle.shapes) {
      if (shape.body != body) continue;
      Solid solid = by_inertia;
      solid.shape = shape.kind == "cylinder" ? Solid::Shape::cylinder : Solid::Shape::box;
      solid.look = shape.kind, solid.colour = shape.colour;
      solid.centre = shape.centre, solid.size = shape.size;
      // pictures follow one solid
      solid.is_reference = by_inertia.is_reference && !any;
      any = true;
      s.solids.push_back(std::move(solid));
    }
    return any;
  }

  // a wheelset is drawn instead
  bool is_axle(const mech::Body& b) const {
    for (const model::WheelsetPlace& w : p_.model->wheelsets)
      if (b.point == w.centre && (b.base == w.spinning || b.base == w.still)) return true;
    return false;
  }

  bool on_axle(const mech::Body& b) const {
    return std::any_of(p_.model->wheelsets.begin(), p_.model->wheelsets.end(),
                       [&](const auto& w) { return b.base == w.still; });
  }

  bool is_body_of_unit(const mech::Body& b) const {
    const vehicle::Unit* unit = vehicle::unit_of(p_.vehicle, b.name);
    return unit != nullptr && unit->reference.body == b.name;
  }

  Vec3 at_start(std::size_t frame, const Triple& r) const {
    const ScenePoses::Pose& pose = poses_at_[0][frame];
    return pose.r + to_parent(pose.axes, {r[0], r[1], r[2]});
  }
  double wheelset_x(std::size_t k) const { return poses_at_[0][poses_.still_frame(k)].r.x; }

  // a heavy low body between wheelsets that are near it: the heaviest of those with the same ones
  std::vector<bool> bogies() const {
    constexpr double reach = 2.2, height = 1.2, least_mass = 300;  // m, m, kg
    const std::deque<mech::Body>& bodies = m_.bodies();
    std::vector<std::vector<std::size_t>> near(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (is_axle(bodies[i]) || sym::value(bodies[i].mass) < least_mass) continue;
      const Vec3 G = at_start(poses_.body_frame(i), com_of(bodies[i]));
      if (G.z - track_height() > height) continue;
      bool ahead = false, behind = false;
      for (std::size_t k = 0; k < p_.model->wheelsets.size(); ++k) {
        const double dx = wheelset_x(k) - G.x;
        if (std::abs(dx) > reach) continue;
        near[i].push_back(k);
        (dx > 0 ? ahead : behind) = true;
      }
      if (!ahead || !behind) near[i].clear();
    }
    std::vector<bool> result(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (near[i].empty()) continue;
      bool heaviest = true;
      for (std::size_t j = 0; j < bodies.size(); ++j)
        if (j != i && near[j] == near[i])
          heaviest = heaviest && sym::value(bodies[j].mass) < sym::value(bodies[i].mass);
      result[i] = heaviest;
    }
    return result;
  }

  double track_height() const { return p_.track.frame(p_.track.begin()).origin.z; }

  void shape(const mech::Body& b, Solid& solid) const {
    const double x = sym::value(b.inertia.c[0]), y = sym::value(b.inertia.c[4]),
                 z = sym::value(b.inertia.c[8]);
    const double m = solid.mass;
    // a body of revolution about y with an angle of its own: rotors
    if (m > 0 && std::abs(x - z) < 1e-9 * x && y < x && b.base != b.inertia.base) {
      const double r = std::sqrt(2 * y / m);
      const double length = std::sqrt(std::max(0.01, 12 * x / m - 3 * r * r));
      solid.shape = Solid::Shape::cylinder;
      solid.size = {2 * r, length, 2 * r};
      return;
    }
    // where no block has these moments: as large as one of a third of steel's density
    const Triple edges = block_edges(b);
    const double usual = std::cbrt(m / 2500);
    for (std::size_t i = 0; i < 3; ++i)
      solid.size[i] = edges[i] > 0 ? std::clamp(edges[i], 0.05, 30.0) : std::max(0.1, usual);
    const bool odd = std::any_of(edges.begin(), edges.end(), [](double e) { return e <= 0; });
    if (odd && !solid.is_reference) solid.size = {usual, usual, usual};
    // axle boxes have arms in their inertia, which would hide the wheels
    if (on_axle(b))
      for (double& edge : solid.size) edge = std::min(edge, 0.32);
  }

  // beams a little longer than its wheelsets stand apart, outside the wheels
  void bogie(Solid& solid) const {
    const Vec3 G = at_start(solid.frame, solid.centre);
    double reach = 0.8, y = 0.8, radius = 0.45, height = -1;
    for (std::size_t k = 0; k < p_.model->wheelsets.size(); ++k)
      if (std::abs(wheelset_x(k) - G.x) < 2.2) {
        reach = std::max(reach, std::abs(wheelset_x(k) - G.x));
        height = poses_at_[0][poses_.still_frame(k)].r.z;
      }
    for (const model::WheelPlace& w : p_.model->wheels) {
      y = std::max(y, std::abs(w.y_w) + 0.27);
      radius = w.radius;
    }
    solid.shape = Solid::Shape::bogie;
    solid.size = {2 * reach + 0.9, 2 * y, 0.18};
    // beams above the axle boxes
    const double rise = height + 0.45 * radius + 0.12 - G.z;
    solid.centre[2] += rise;
  }

  // The block's lower face goes up to where wheels and bogies are free; a body that no block can be
  // is as long as its wheelsets need.
  void vehicle_body(const mech::Body& body, Solid& solid) const {
    double first = 1e9, last = -1e9, top = 0;
    for (const std::size_t k : wheelsets_under(p_, body.name)) {
      first = std::min(first, wheelset_x(k));
      last = std::max(last, wheelset_x(k));
      top = std::max(top, poses_at_[0][poses_.still_frame(k)].r.z);
    }
    double radius = 0.45;
    for (const model::WheelPlace& w : p_.model->wheels) radius = std::max(radius, w.radius);
    const double span = std::max(0.0, last - first);
    const Triple edges = block_edges(body);
    const bool odd = edges[0] < 0.8 * span || edges[0] > 2.5 * span + 10 || edges[1] <= 0.5 ||
                     edges[2] <= 0.5 || edges[2] > 6 || edges[1] > 6;
    if (odd) solid.size = {span + 3.5, 2.6, 2.6};
    const Vec3 G = at_start(solid.frame, solid.centre);
    const double free = top + radius + 0.08;
    const double bottom = std::clamp(G.z - solid.size[2] / 2, free, free + 0.4);
    const double roof = std::clamp(G.z + solid.size[2] / 2, bottom + 2.0, bottom + 3.0);
    solid.size[2] = roof - bottom;
    solid.centre[2] += (roof + bottom) / 2 - G.z;
    // the middle between the wheelsets: masses inside are not where the shape is
    solid.centre[0] += (first + last) / 2 - G.x;
  }

  // the frame a point is fixed to, among bodies, wheelsets that do not spin, and the ground
  std::optional<record::SpringEnd> end_of(const std::vector<std::vector<double>>& at,
                                          std::size_t first) const {
    const std::size_t frames = poses_.names().size();
    for (std::size_t f = p_.model->wheelsets.size(); f < frames; ++f) {
      Triple fixed{};
      bool same = true;
      for (std::size_t k = 0; k < states_.size() && same; ++k) {
        const ScenePoses::Pose& pose = poses_at_[k][f];
        const Vec3 d = Vec3{at[k][first], at[k][first + 1], at[k][first + 2]} - pose.r;
        const Vec3 r = to_child(pose.axes, d);
        if (k == 0) fixed = {r.x, r.y, r.z};
        same = std::hypot(r.x - fixed[0], r.y - fixed[1], r.z - fixed[2]) < 1e-6;
      }
      if (same) return record::SpringEnd{f, fixed};
    }
    return {};
  }

  // Springs described by their deflection have ends that meet: the lower end goes down, or, on an
  // axle and where the rail is too near, the upper one up.
  void lengthen(record::Spring& spring, int along) const {
    const Vec3 a = at_start(spring.from.frame, spring.from.r);
    const Vec3 b = at_start(spring.to.frame, spring.to.r);
    if (norm(a - b) > 0.4 * spring_length) return;
    // what acts along an axis lies along it
    if (along == 0 || along == 1) {
      const auto axis = static_cast<std::size_t>(along);
      spring.from.r[axis] -= spring_length / 2, spring.to.r[axis] += spring_length / 2;
      return;
    }
    const double from = poses_at_[0][spring.from.frame].r.z, to = poses_at_[0][spring.to.frame].r.z;
    record::SpringEnd& lower = from < to ? spring.from : spring.to;
    record::SpringEnd& upper = from < to ? spring.to : spring.from;
    const bool on_axle = lower.frame < 2 * p_.model->wheelsets.size();
    if (!on_axle && std::min(a.z, b.z) - track_height() > spring_length + 0.1)
      lower.r[2] -= spring_length;
    else
      upper.r[2] += spring_length;
  }

  const compile::PreparedRun& p_;
  mech::Model& m_;
  ScenePoses& poses_;
  std::vector<std::vector<double>> states_;
  std::vector<std::vector<ScenePoses::Pose>> poses_at_;
};

record::Section sampled(const std::string& name, const spline::CubicSpline& f, double step) {
  record::Section s{name, {}, {}};
  const auto count = static_cast<std::size_t>(std::ceil((f.end() - f.begin()) / step));
  for (std::size_t i = 0; i <= count; ++i) {
    const double u =
        std::lerp(f.begin(), f.end(), static_cast<double>(i) / static_cast<double>(count));
    s.u.push_back(u);
    s.f.push_back(f.value(u));
  }
  return s;
}

void wheels(const compile::PreparedRun& p, record::Scene& s) {
  const std::vector<step::WheelData>& data = p.simulator->data().wheels;
  for (std::size_t i = 0; i < data.size(); ++i) {
    record::Section profile = sampled(p.model->wheels[i].profile, data[i].surface.f_w, 0.001);
    std::size_t index = 0;
    while (index < s.wheel_profiles.size() &&
           (s.wheel_profiles[index].u != profile.u || s.wheel_profiles[index].f != profile.f))
      ++index;
    if (index == s.wheel_profiles.size()) s.wheel_profiles.push_back(std::move(profile));
    s.wheels.push_back(
        {data[i].name, data[i].wheelset, data[i].side == profile::Side::left, data[i].y_w, index});
  }
  s.rail_left = sampled(p.track.left_profile, p.simulator->data().left.f_r, 0.001);
  s.rail_right = sampled(p.track.right_profile, p.simulator->data().right.f_r, 0.001);
}

void rail(const track::RailLine& line, double s, double lateral, double vertical,
          record::SceneRail& r) {
  r.x.push_back(line.x.value(s));
  r.y.push_back(line.y.value(s));
  r.z.push_back(line.z.value(s));
  r.cant.push_back(line.theta.value(s));
  r.lateral.push_back(lateral);
  r.vertical.push_back(vertical);
}

void track(const track::Track& track, double begin, double end, record::SceneTrack& t) {
  begin = std::clamp(begin, track.begin(), track.end());
  end = std::clamp(end, begin, track.end());
  // half a metre shows a wave of 10 m; long runs get by with fewer points
  const double step = std::max(0.5, (end - begin) / 8000);
  const auto count = static_cast<std::size_t>(std::ceil((end - begin) / step)) + 1;
  t.name = track.name;
  t.rail_distance = track.frame(begin).rail_distance;
  for (std::size_t i = 0; i < count; ++i) {
    const double s = std::min(end, begin + step * static_cast<double>(i));
    const track::TrackFrame frame = track.frame(s);
    t.s.push_back(s);
    t.x.push_back(frame.origin.x);
    t.y.push_back(frame.origin.y);
    t.z.push_back(frame.origin.z);
    t.heading.push_back(frame.heading);
    t.cant.push_back(frame.cant);
    t.curvature.push_back(frame.curvature);
    const track::RailDeviation d = track.deviation(s);
    rail(track.left, s, d.left_lateral, d.left_vertical, t.left);
    rail(track.right, s, d.right_lateral, d.right_vertical, t.right);
  }
}

}  // namespace

record::Scene scene(const compile::PreparedRun& p, ScenePoses& poses, double s_begin,
                    double s_end) {
  record::Scene s;
  s.vehicle = p.vehicle.name;
  s.about = p.vehicle.about;
  s.frames = poses.names();
  s.wheelsets = p.simulator->data().wheelsets;
  SceneBuilder builder(p, poses);
  builder.solids(s);
  builder.springs(s);
  wheels(p, s);
  track(p.track, s_begin, s_end, s.track);
  return s;
}

std::vector<std::size_t> bogie_bodies(const compile::PreparedRun& p, ScenePoses& poses) {
  return SceneBuilder(p, poses).bogie_bodies();
}

void set_nadal_limit(const compile::PreparedRun& p, assess::Assessment& assessment) {
  double angle = std::numeric_limits<double>::infinity(), friction = 0;
  std::set<std::string> seen;  // measuring a profile takes a millisecond
  for (std::size_t i = 0; i < p.model->wheels.size(); ++i) {
    friction = std::max(friction, p.simulator->friction(i));
    const std::string& name = p.model->wheels[i].profile;
    if (!seen.insert(name).second) continue;
    const auto profile = profile::profile(name, profile::ProfileKind::wheel, p.vehicle.folder);
    const std::optional<double> flange = profile::profile_report(profile).flange_angle;
    if (flange) angle = std::min(angle, *flange);
  }
  // a cone has no flange to climb
  constexpr double least = 0.7;  // rad
  if (!(angle >= least) || !std::isfinite(angle)) return;
  assessment.flange_angle = angle;
  assessment.friction = friction;
  assessment.nadal_limit = assess::limit_nadal(angle, friction);
}

}  // namespace klingel::scene
