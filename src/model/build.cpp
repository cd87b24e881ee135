#include "model/build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "mech/kinematics.hpp"
#include "mech/low_pass.hpp"
#include "model/constraints.hpp"
#include "model/elements.hpp"

namespace klingel::model {
namespace {

using sym::Expr;

// Expressions are made one after the other, see parts.hpp.
class Builder {
 public:
  Builder(const vehicle::Vehicle& v, VehicleModel& result)
      : v_(v), result_(result), m_(result.mechanics), parts_(v, m_), nominal_(v.parameters) {}

  void build() {
    m_.set_gravity(parts_.vector(m_.ground_base(), v_.gravity));
    for (const vehicle::Base& b : v_.bases) parts_.base({b.name});
    for (const vehicle::Point& p : v_.points) parts_.point({p.name});
    for (const vehicle::Body& b : v_.bodies) at(b.place, [&] { add(b); });
    for (const vehicle::Element& e : v_.elements) {
      add_element(parts_, e);
      if (e.stiff) result_.stiff.push_back(e.name);
    }
    for (const vehicle::Constraint& c : v_.constraints) add_constraint(parts_, c);
    for (const vehicle::Output& o : v_.outputs) at(o.place, [&] { add(o); });
    for (const vehicle::Sensor& s : v_.sensors) at(s.place, [&] { add(s); });
    for (const vehicle::Wheelset& w : v_.wheelsets) at(w.place, [&] { add(w); });
    if (v_.reference) add(*v_.reference);
    for (const vehicle::LimitedValue& limit : v_.limits) add(limit);
    result_.material = v_.material;
    result_.exact_tangents = v_.exact_tangents;
    at(v_.reductions.place, [&] { reduce(v_.reductions); });
    result_.warnings = v_.warnings;
    for (const std::string& w : m_.warnings()) result_.warnings.push_back(w);
  }

 private:
  // Each value once, and only those that parameters change.
  void add(const vehicle::LimitedValue& limit) {
    const Expr value = parts_.formula(limit.value);
    if (value.is_number()) return;
    for (const LimitedValue& known : result_.limits)
      if (known.value == value && known.positive >= limit.positive) return;
    result_.limits.push_back({value, limit.positive, limit.what});
  }

  void reduce(const vehicle::Reductions& r) {
    result_.reductions = {r.has("trigonometric"), r.has("base_parameters"), r.small, r.drop};
    for (const vehicle::Wheelset& w : v_.wheelsets) {
      const std::string& spin = w.spin;
      if (std::find(r.small.begin(), r.small.end(), spin) == r.small.end()) continue;
      base::fail_at(r.place, "the spin '{}' of the wheelset '{}' is never small: take it out", spin,
                    w.name);
    }
    reduce::reduce_inertias(m_, result_.reductions);
  }

  void add(const vehicle::Body& b) {
    const mech::Base in = parts_.base(b.base);
    std::vector<Expr> I;
    for (const vehicle::Expression& e : b.inertia) I.push_back(parts_.formula(e));
    const mech::Tensor inertia = m_.inertia(in, I[0], I[1], I[2], I[3], I[4], I[5]);
    const mech::Vector com = parts_.vector(in, b.com);
    const Expr mass = parts_.formula(b.mass);
    if (b.about_point)
      m_.body_about_point(b.name, parts_.point(b.point), in, mass, com, inertia);
    else
      m_.body(b.name, parts_.point(b.point), in, mass, com, inertia);
  }

  void add(const vehicle::Output& o) {
    using Measure = vehicle::Output::Measure;
    std::vector<Expr> values;
    for (const vehicle::Expression& e : o.values) values.push_back(parts_.formula(e));
    if (o.measure != Measure::formulas) {
      const mech::Vector u =
          o.measure == Measure::position ? position(parts_.point({o.from}), parts_.point({o.of}))
          : o.measure == Measure::velocity
              ? velocity({parts_.point({o.from}), parts_.base(o.seen_from)}, parts_.point({o.of}))
              : angular_velocity(parts_.base({o.from}), parts_.base({o.of}));
      const mech::Vector in = mech::in_base(u, parts_.base(o.base));
      values.assign(in.c.begin(), in.c.end());
    }
    // outputs name functions in C, where a dot is not allowed
    std::string name = o.name;
    std::replace(name.begin(), name.end(), '.', '_');
    m_.output(name, values);
    measure(o, values);
  }

  // An output as channels: output.NAME, with components .x .y .z or numbers where it has several.
  void measure(const vehicle::Output& o, const std::vector<Expr>& values) {
    using Measure = vehicle::Output::Measure;
    constexpr const char* axes[] = {".x", ".y", ".z"};
    const bool formulas = o.measure == Measure::formulas;
    const std::string unit = formulas                         ? "SI"
                             : o.measure == Measure::position ? "m"
                             : o.measure == Measure::velocity ? "m/s"
                                                              : "rad/s";
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string part = !formulas            ? axes[i]
                               : values.size() == 1 ? ""
                                                    : fmt::format(".{}", i + 1);
      m_.measure("output." + o.name + part, unit, "output of the vehicle file", values[i]);
    }
  }

  void add(const vehicle::Sensor& s) {
    using Kind = vehicle::Sensor::Kind;
    const mech::Base base = parts_.base(s.base);
    switch (s.kind) {
      case Kind::accelerometer: {
        mech::Vector a = acceleration(m_.ground(), parts_.point(s.to));
        if (s.gravity && m_.gravity()) a = a - *m_.gravity();
        measure(s, "m/s2", s.gravity ? "acceleration, gravity included" : "acceleration",
                in_base(a, base));
        return;
      }
      case Kind::gyro:
        measure(s, "rad/s", "angular velocity",
                in_base(angular_velocity(m_.ground_base(), base), base));
        return;
      case Kind::displacement:
        measure(s, "m", "place of the second point seen from the first",
                in_base(position(parts_.point(s.from), parts_.point(s.to)), base));
        return;
      case Kind::velocity:
        measure(s, "m/s", "rate of the place of the second point seen from the first",
                in_base(velocity({parts_.point(s.from), base}, parts_.point(s.to)), base));
        return;
    }
  }

  // The components of a sensor as channels, filtered if it says so.
  void measure(const vehicle::Sensor& s, const char* unit, std::string about, mech::Vector u) {
    constexpr const char* axes[] = {".x", ".y", ".z"};
    const std::string name = "sensor." + s.name;
    if (s.cutoff > 0) {
      about += fmt::format(", low-pass {:g} Hz", s.cutoff);
      for (std::size_t i = 0; i < 3; ++i)
        u.c[i] = mech::low_pass(m_, name + axes[i], u.c[i], s.cutoff);
    }
    m_.measure(name, unit, about, u.c);
  }

  std::size_t index_of(const std::string& coordinate) const {
    for (std::size_t i = 0; i < v_.coordinates.size(); ++i)
      if (v_.coordinates[i].name == coordinate) return i;
    KLINGEL_ASSERT(false);
    return 0;
  }

  void add(const vehicle::Wheelset& w) {
    WheelsetPlace place{w.name,
                        parts_.point(w.point),
                        parts_.base(w.base),
                        parts_.base(w.spinning_base),
                        index_of(w.spin),
                        {0, 0}};
    const double half = nominal_(w.distance) / 2;
    const Expr y = parts_.formula(w.distance) / 2;
    for (const profile::Side side : {profile::Side::right, profile::Side::left}) {
      const bool right = side == profile::Side::right;
      const std::string name = w.name + (right ? ".right" : ".left");
      const mech::Point reference =
          m_.point(name, place.centre, m_.vector(place.still, 0, right ? -y : y, 0));
      place.wheels[right ? 0 : 1] = result_.wheels.size();
      result_.wheels.push_back({name, reference, result_.wheelsets.size(), side,
                                right ? -half : half, right ? w.radius_right : w.radius_left,
                                right ? w.profile_right : w.profile_left});
    }
    result_.wheelsets.push_back(place);
  }

  void add(const vehicle::Reference& r) {
    const mech::Body& body = m_.body(r.body);
    ReferenceBody reference{
        r.body, body.point, r.base.empty() ? body.base : parts_.base(r.base), {}};
    for (std::size_t i = 0; i < 6; ++i)
      if (!r.coordinates[i].empty()) reference.coordinates[i] = index_of(r.coordinates[i]);
    result_.reference = reference;
  }

  const vehicle::Vehicle& v_;
  VehicleModel& result_;
  mech::Model& m_;
  Parts parts_;
  vehicle::NominalValues nominal_;
};

}  // namespace

std::unique_ptr<VehicleModel> build(const vehicle::Vehicle& vehicle) {
  auto result = std::make_unique<VehicleModel>(vehicle.name);
  Builder(vehicle, *result).build();
  return result;
}

}  // namespace klingel::model
