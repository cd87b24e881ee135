#include "model/build.hpp"

#include <algorithm>
#include <functional>

#include "base/assert.hpp"
#include "mech/closures.hpp"
#include "mech/elements.hpp"
#include "model/formula.hpp"

namespace klingel::model {
namespace {

using mech::Scalar;
using sym::Expr;

// Expressions are made one after the other, never as arguments of one call, whose order C++ leaves
// to the compiler: the same file gives the same atoms everywhere.
class Builder {
 public:
  Builder(const vehicle::Vehicle& v, VehicleModel& result)
      : v_(v), result_(result), m_(result.mechanics), formula_(v, m_), nominal_(v.parameters) {}

  void build() {
    m_.set_gravity(formula_.vector(m_.ground_base(), v_.gravity));
    for (const vehicle::Base& b : v_.bases) base_nodes_[b.name] = &b;
    for (const vehicle::Point& p : v_.points) point_nodes_[p.name] = &p;
    for (const vehicle::Base& b : v_.bases) base(b.name);
    for (const vehicle::Point& p : v_.points) point(p.name);
    for (const vehicle::Body& b : v_.bodies) at(b.place, [&] { add(b); });
    for (const vehicle::Element& e : v_.elements) {
      at(e.place, [&] { std::visit([&](const auto& what) { add(e.name, what); }, e.what); });
      if (e.stiff) result_.stiff.push_back(e.name);
    }
    for (const vehicle::Constraint& c : v_.constraints)
      at(c.place, [&] { std::visit([&](const auto& what) { add(c.name, what); }, c.what); });
    for (const vehicle::Output& o : v_.outputs) at(o.place, [&] { add(o); });
    for (const vehicle::Wheelset& w : v_.wheelsets) at(w.place, [&] { add(w); });
    if (v_.reference) add(*v_.reference);
    result_.material = v_.material;
    result_.warnings = v_.warnings;
    for (const std::string& w : m_.warnings()) result_.warnings.push_back(w);
  }

 private:
  // the mechanics does not know places: put them in front of what it says
  void at(const base::Place& place, const std::function<void()>& act) {
    try {
      act();
    } catch (const base::Error& error) {
      if (error.place()) throw;
      throw base::Error(place, error.what());
    }
  }

  // parents before children, whatever the order of the file
  mech::Base base(const std::string& name) {
    if (name == "ground") return m_.ground_base();
    if (const auto done = bases_.find(name); done != bases_.end()) return done->second;
    const vehicle::Base& b = *base_nodes_.at(name);
    const mech::Base parent = base(b.parent);
    at(b.place, [&] {
      bases_[name] =
          std::visit([&](const auto& turn) { return turned(name, parent, turn); }, b.turn);
    });
    return bases_.at(name);
  }
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::Rotation& r) {
    return m_.rotation(name, parent, r.axis, formula_(r.angle));
  }
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::AxisRotation& r) {
    const std::array<Scalar, 3> axis = formula_.triple(r.axis);
    return m_.rotation(name, parent, axis, formula_(r.angle));
  }
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::EulerParameters& r) {
    return m_.euler_parameters(name, parent, four(r.e));
  }
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::RotationMatrix& r) {
    std::vector<Scalar> R;
    for (const vehicle::Expression& e : r.R_PB) R.emplace_back(formula_(e));
    return m_.rotation_matrix(name, parent, {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]});
  }
  std::array<Expr, 4> four(const std::array<vehicle::Expression, 4>& e) {
    return {formula_(e[0]), formula_(e[1]), formula_(e[2]), formula_(e[3])};
  }

  mech::Point point(const std::string& name) {
    if (name == "O") return m_.origin();
    if (const auto done = points_.find(name); done != points_.end()) return done->second;
    const vehicle::Point& p = *point_nodes_.at(name);
    const mech::Point parent = point(p.parent);
    const mech::Base b = base(p.base);
    at(p.place, [&] { points_[name] = m_.point(name, parent, formula_.vector(b, p.r)); });
    return points_.at(name);
  }

  void add(const vehicle::Body& b) {
    const mech::Base in = base(b.base);
    std::vector<Expr> I;
    for (const vehicle::Expression& e : b.inertia) I.push_back(formula_(e));
    const mech::Tensor inertia = m_.inertia(in, I[0], I[1], I[2], I[3], I[4], I[5]);
    const mech::Vector com = formula_.vector(in, b.com);
    const Expr mass = formula_(b.mass);
    if (b.about_point)
      m_.body_about_point(b.name, point(b.point), in, mass, com, inertia);
    else
      m_.body(b.name, point(b.point), in, mass, com, inertia);
  }

  void add(const std::string& name, const vehicle::IsotropicSpring& s) {
    std::optional<mech::Vector> preload;
    if (s.preload) preload = formula_.vector(base(s.preload_base), *s.preload);
    const Expr k = formula_(s.stiffness), c = formula_(s.damping);
    mech::isotropic_spring(m_, name, point(s.from), point(s.to), k, c, base(s.seen_from), preload);
  }
  void add(const std::string& name, const vehicle::LineSpring& s) {
    const Expr k = formula_(s.stiffness), c = formula_(s.damping);
    const Expr length = formula_(s.natural_length), preload = formula_(s.preload);
    mech::line_spring(m_, name, point(s.from), point(s.to), k, c, length, preload);
  }
  void add(const std::string& name, const vehicle::Bushing& s) {
    const mech::Bushing data{formula_.triple(s.stiffness), formula_.triple(s.damping),
                             formula_.triple(s.turning_stiffness),
                             formula_.triple(s.turning_damping)};
    mech::bushing(m_, name, {point(s.from), base(s.from_base)}, {point(s.to), base(s.to_base)},
                  base(s.axes), data);
  }
  void add(const std::string& name, const vehicle::TorsionSpring& s) {
    const mech::Vector axis = formula_.vector(base(s.axis_base), s.axis);
    const Expr angle = formula_(s.angle), k = formula_(s.stiffness), c = formula_(s.damping);
    const Expr rest = formula_(s.rest), preload = formula_(s.preload);
    mech::torsion_spring(m_, name, base(s.from), base(s.to), axis, angle, k, c, rest, preload);
  }
  mech::Gear gear(const vehicle::Gear& g) {
    return {{point(g.point), base(g.base)}, formula_(g.angle), formula_(g.radius)};
  }
  void add(const std::string& name, const vehicle::GearPair& g) {
    const mech::Gear one = gear(g.one), two = gear(g.two);
    const mech::Vector line = formula_.vector(base(g.line_base), g.line);
    const Expr k = formula_(g.stiffness), c = formula_(g.damping);
    mech::gear_pair(m_, name, one, two, point(g.mesh), line, k, c);
  }
  void add(const std::string& name, const vehicle::AppliedForce& f) {
    std::optional<mech::Point> from;
    if (!f.from.empty()) from = point(f.from);
    mech::applied_force(m_, name, formula_.vector(base(f.base), f.force), point(f.to), from);
  }
  void add(const std::string& name, const vehicle::AppliedTorque& t) {
    std::optional<mech::Base> from;
    if (!t.from.empty()) from = base(t.from);
    mech::applied_torque(m_, name, formula_.vector(base(t.base), t.torque), base(t.to), from);
  }

  void add(const std::string& name, const vehicle::Condition& c) {
    m_.constrain(name, formula_(c.phi));
  }
  void add(const std::string& name, const vehicle::Coincide& c) {
    if (c.normal < 0)
      mech::coincide(m_, name, point(c.P), point(c.Q), base(c.base));
    else
      mech::coincide_in_plane(m_, name, point(c.P), point(c.Q), base(c.base), c.normal);
  }
  void add(const std::string& name, const vehicle::Parallel& c) {
    mech::parallel(m_, name, m_.axis_vector(base(c.base), c.axis), base(c.to_base), c.to_axis);
  }
  void add(const std::string& name, const vehicle::Distance& c) {
    mech::distance(m_, name, point(c.P), point(c.Q), formula_(c.length));
  }
  void add(const std::string& name, const vehicle::UnitNorm& c) {
    mech::unit_norm(m_, name, four(c.e));
  }

  void add(const vehicle::Output& o) {
    using Measure = vehicle::Output::Measure;
    std::vector<Expr> values;
    for (const vehicle::Expression& e : o.values) values.push_back(formula_(e));
    if (o.measure != Measure::formulas) {
      const mech::Vector u = o.measure == Measure::position ? position(point(o.from), point(o.of))
                             : o.measure == Measure::velocity
                                 ? velocity({point(o.from), base(o.seen_from)}, point(o.of))
                                 : angular_velocity(base(o.from), base(o.of));
      const mech::Vector in = mech::in_base(u, base(o.base));
      values.assign(in.c.begin(), in.c.end());
    }
    // outputs name functions in C, where a dot cannot stand
    std::string name = o.name;
    std::replace(name.begin(), name.end(), '.', '_');
    m_.output(name, values);
  }

  std::size_t index_of(const std::string& coordinate) const {
    for (std::size_t i = 0; i < v_.coordinates.size(); ++i)
      if (v_.coordinates[i].name == coordinate) return i;
    KLINGEL_ASSERT(false);
    return 0;
  }

  void add(const vehicle::Wheelset& w) {
    WheelsetPlace place{w.name,           point(w.point), base(w.base), base(w.spinning_base),
                        index_of(w.spin), {0, 0}};
    const double half = nominal_(w.distance) / 2;
    const Expr y = formula_(w.distance) / 2;
    for (const profile::Side side : {profile::Side::right, profile::Side::left}) {
      const bool right = side == profile::Side::right;
      const std::string name = w.name + (right ? ".right" : ".left");
      const mech::Point reference =
          m_.point(name, place.centre, m_.vector(place.still, 0, right ? -y : y, 0));
      place.wheels[right ? 0 : 1] = result_.wheels.size();
      result_.wheels.push_back({name, reference, result_.wheelsets.size(), side,
                                right ? -half : half, w.radius,
                                right ? w.profile_right : w.profile_left});
    }
    result_.wheelsets.push_back(place);
  }

  void add(const vehicle::Reference& r) {
    const mech::Body& body = m_.body(r.body);
    ReferenceBody reference{r.body, body.point, r.base.empty() ? body.base : base(r.base), {}};
    for (std::size_t i = 0; i < 6; ++i)
      if (!r.coordinates[i].empty()) reference.coordinates[i] = index_of(r.coordinates[i]);
    result_.reference = reference;
  }

  const vehicle::Vehicle& v_;
  VehicleModel& result_;
  mech::Model& m_;
  Formulas formula_;
  vehicle::NominalValues nominal_;
  std::map<std::string, const vehicle::Base*> base_nodes_;
  std::map<std::string, const vehicle::Point*> point_nodes_;
  std::map<std::string, mech::Base> bases_;
  std::map<std::string, mech::Point> points_;
};

}  // namespace

std::unique_ptr<VehicleModel> build(const vehicle::Vehicle& vehicle) {
  auto result = std::make_unique<VehicleModel>(vehicle.name);
  Builder(vehicle, *result).build();
  return result;
}

}  // namespace klingel::model
