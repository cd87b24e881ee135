#include "mech/model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "mech/inertia.hpp"
#include "mech/rate.hpp"
#include "sym/tape.hpp"

namespace klingel::mech {
namespace {

template <class Nodes>
std::vector<std::string> names_of(const Nodes& nodes) {
  std::vector<std::string> names;
  for (const auto& n : nodes) names.push_back(n.name);
  return names;
}

template <class Names, class Nodes>
std::uint32_t find(const Names& names, const Nodes& nodes, const std::string& name,
                   const char* what, const std::string& model) {
  const auto it = names.find(name);
  if (it != names.end()) return it->second;
  base::fail("the model '{}' has no {} '{}' so far: define it before its first use{}", model, what,
             name, base::did_you_mean(name, names_of(nodes)));
}

void check_symmetric(const Block& inertia, const std::string& body) {
  if (!is_symmetric(inertia)) base::fail("the inertia tensor of body '{}' is not symmetric", body);
}

void check_axis(int k, const char* of, const std::string& name) {
  if (k < 0 || k > 2)
    base::fail("the axis of {} '{}' must be 0, 1 or 2 (x, y, z), found {}", of, name, k);
}

void check_position(std::span<const Expr> list, const char* what, const std::string& name) {
  constexpr sym::KindMask rates =
      bit(sym::SymbolKind::velocity) | bit(sym::SymbolKind::acceleration) |
      bit(sym::SymbolKind::contact_velocity) | bit(sym::SymbolKind::contact_acceleration);
  for (const Expr& x : list) {
    if ((x.graph().node(x.id()).kinds & rates) == 0) continue;
    base::fail(
        "the {} '{}' depends on velocities or accelerations; it may use coordinates, parameters "
        "and time only",
        what, name);
  }
}

}  // namespace

Model::Model(std::string name) : name_(std::move(name)) {
  const Expr o = zero(), i = one();
  bases_.push_back({"ground", 0, {i, o, o, o, i, o, o, o, i}, {o, o, o}});
  points_.push_back({"O", 0, {this, 0}, {o, o, o}});
  base_names_["ground"] = 0;
  point_names_["O"] = 0;
}

sym::Coordinate Model::coordinate(const std::string& name, double value, double rate) {
  return coordinates_.emplace_back(graph_.coordinate(name, value, rate));
}

sym::Coordinate Model::contact_coordinate(const std::string& name, double value, double rate) {
  return contact_coordinates_.emplace_back(graph_.contact_coordinate(name, value, rate));
}

Expr Model::parameter(const std::string& name, double value) {
  return parameters_.emplace_back(graph_.parameter(name, value));
}
Expr Model::input(const std::string& name, double value) {
  return inputs_.emplace_back(graph_.input(name, value));
}
Expr Model::force(const std::string& name, double value) {
  return forces_.emplace_back(graph_.force(name, value));
}

Expr Model::expression(const Scalar& s) {
  if (const double* v = std::get_if<double>(&s.value)) return graph_.number(*v);
  const Expr e = std::get<Expr>(s.value);
  if (&e.graph() != &graph_) base::fail("an expression of another model was used in '{}'", name_);
  return e;
}

std::uint32_t Model::add_name(std::unordered_map<std::string, std::uint32_t>& names,
                              const std::string& name, const char* what, std::size_t index) {
  if (name.empty()) base::fail("a {} of '{}' has no name", what, name_);
  if (!names.emplace(name, static_cast<std::uint32_t>(index)).second) {
    base::fail("the {} '{}' exists already in '{}'", what, name, name_);
  }
  return static_cast<std::uint32_t>(index);
}

Base Model::add_base(const std::string& name, Base parent, const Block& R_PB, const Triple& w_PB) {
  const std::uint32_t index = add_name(base_names_, name, "base", bases_.size());
  bases_.push_back({name, parent.index, R_PB, w_PB});
  for (const Expr& w : w_PB) graph_.set_label(w, fmt::format("angular velocity of {}", name));
  return {this, index};
}

Base Model::rotation(const std::string& name, Base parent, int k, Scalar angle) {
  check(parent, "a base");
  check_axis(k, "base", name);
  const Expr phi = expression(angle);
  check_position({&phi, 1}, "base", name);
  const Expr c = sym::cos(phi), s = sym::sin(phi);
  const std::size_t K = static_cast<std::size_t>(k), I = (K + 1) % 3, J = (K + 2) % 3;
  Block R = bases_[0].R_PB;  // identity
  R[3 * I + I] = R[3 * J + J] = c;
  R[3 * J + I] = s;
  R[3 * I + J] = -s;
  Triple w = bases_[0].w_PB;  // zero
  w[K] = rate(phi);
  return add_base(name, parent, R, w);
}

// Rodrigues: R = c E + s [n] + (1 - c) n n^T; w = dphi/dt n plus, for a moving axis, what R^T dR/dt
// gives
Base Model::rotation(const std::string& name, Base parent, std::array<Scalar, 3> axis,
                     Scalar angle) {
  check(parent, "a base");
  Triple n = {expression(axis[0]), expression(axis[1]), expression(axis[2])};
  if (mech::is_zero(n)) base::fail("the axis of base '{}' is the zero vector", name);
  const Expr phi = expression(angle);
  check_position(n, "base", name);
  check_position({&phi, 1}, "base", name);
  for (int k = 0; k < 3; ++k) {
    const auto at = [&n, k](int d) { return n[static_cast<std::size_t>((k + d) % 3)]; };
    if (at(1).is(0) && at(2).is(0) && at(0).is_number()) {
      return rotation(name, parent, k, sym::value(at(0)) > 0 ? phi : -phi);
    }
  }
  const Expr length = sym::sqrt(mech::dot(n, n));
  if (!length.is(1)) n = {n[0] / length, n[1] / length, n[2] / length};
  const Expr c = sym::cos(phi), s = sym::sin(phi), v = 1 - c;
  const Triple sn = mech::scaled(s, n), vn = mech::scaled(v, n);
  Block R;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) R[3 * i + j] = vn[i] * n[j];
    R[4 * i] += c;
  }
  R[1] -= sn[2], R[3] += sn[2];
  R[2] += sn[1], R[6] -= sn[1];
  R[5] -= sn[0], R[7] += sn[0];
  const Triple dn = {rate(n[0]), rate(n[1]), rate(n[2])};
  const Triple w = mech::is_zero(dn) ? mech::scaled(rate(phi), n) : angular_velocity_of(R);
  return add_base(name, parent, R, w);
}

// R and w = 2 E de with E built from e0 .. e3, components in the new base
Base Model::euler_parameters(const std::string& name, Base parent, std::array<Expr, 4> e) {
  check(parent, "a base");
  for (const Expr& x : e) expression(x);  // checks
  check_position(e, "base", name);
  const auto two = [&](Expr x) { return 2 * x; };
  const auto pair = [&](int i, int j) {
    return e[static_cast<std::size_t>(i)] * e[static_cast<std::size_t>(j)];
  };
  const Expr e11 = pair(1, 1), e22 = pair(2, 2), e33 = pair(3, 3);
  const Expr e12 = pair(1, 2), e13 = pair(1, 3), e23 = pair(2, 3);
  const Expr e01 = pair(0, 1), e02 = pair(0, 2), e03 = pair(0, 3);
  const Block R = {1 - two(e22 + e33), two(e12 - e03),     two(e13 + e02),
                   two(e12 + e03),     1 - two(e11 + e33), two(e23 - e01),
                   two(e13 - e02),     two(e23 + e01),     1 - two(e11 + e22)};
  std::array<Expr, 4> d;
  for (std::size_t i = 0; i < 4; ++i) d[i] = rate(e[i]);
  const Triple u = {e[1], e[2], e[3]}, du = {d[1], d[2], d[3]};
  const Triple a = mech::scaled(e[0], du), b = mech::scaled(d[0], u), c = mech::cross(u, du);
  Triple w;
  for (std::size_t i = 0; i < 3; ++i) {
    const Expr ab = a[i] - b[i];
    w[i] = two(ab - c[i]);
  }
  return add_base(name, parent, R, w);
}

Base Model::rotation_matrix(const std::string& name, Base parent, std::array<Scalar, 9> rows) {
  check(parent, "a base");
  Block R;
  std::array<double, 9> v;
  for (std::size_t i = 0; i < 9; ++i) {
    R[i] = expression(rows[i]);
    v[i] = sym::value(R[i]);
  }
  check_position(R, "base", name);
  // rows orthonormal and right handed at the nominal values
  const auto at = [&v](std::size_t i, std::size_t j) { return v[3 * i + j]; };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      const double d =
          at(i, 0) * at(j, 0) + at(i, 1) * at(j, 1) + at(i, 2) * at(j, 2) - (i == j ? 1 : 0);
      if (!(std::abs(d) < 1e-9)) {
        base::fail(
            "the matrix of base '{}' is not a rotation: rows {} and {} give {} at the nominal "
            "values",
            name, i + 1, j + 1, d + (i == j ? 1 : 0));
      }
    }
  }
  const double det = at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
                     at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
                     at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
  if (det < 0) base::fail("the matrix of base '{}' is a reflection, not a rotation", name);
  return add_base(name, parent, R, angular_velocity_of(R));
}

Base Model::base(const std::string& name) {
  return {this, find(base_names_, bases_, name, "base", name_)};
}
Point Model::point(const std::string& name) {
  return {this, find(point_names_, points_, name, "point", name_)};
}

Point Model::point(const std::string& name, Point parent, const Vector& r) {
  check(parent, "a point");
  check(r, "a point");
  check_position(r.c, "point", name);
  const std::uint32_t index = add_name(point_names_, name, "point", points_.size());
  points_.push_back({name, parent.index, r.base, r.c});
  return {this, index};
}

Vector Model::vector(Base base, Scalar x, Scalar y, Scalar z) {
  check(base, "a vector");
  return {base, {expression(x), expression(y), expression(z)}};
}

Vector Model::axis_vector(Base base, int k) {
  check_axis(k, "a vector of", name_);
  return vector(base, k == axis::x ? 1 : 0, k == axis::y ? 1 : 0, k == axis::z ? 1 : 0);
}

Tensor Model::tensor(Base base, std::array<Scalar, 9> rows) {
  check(base, "a tensor");
  Block c;
  for (std::size_t i = 0; i < 9; ++i) c[i] = expression(rows[i]);
  return {base, c};
}

Tensor Model::inertia(Base base, Scalar xx, Scalar yy, Scalar zz, Scalar xy, Scalar xz, Scalar yz) {
  return tensor(base, {xx, xy, xz, xy, yy, yz, xz, yz, zz});
}

const Body& Model::body(const std::string& name, Point point, Base base, Scalar mass) {
  return body(name, point, base, mass, vector(base, 0, 0, 0), inertia(base, 0, 0, 0));
}

const Body& Model::body_about_point(const std::string& name, Point point, Base base, Scalar mass,
                                    const Vector& com, const Tensor& inertia_about_point) {
  check(com, "the centre of mass of a body");
  check_symmetric(inertia_about_point.c, name);
  const Tensor at_com =
      about_com(inertia_about_point, expression(mass), in_base(com, inertia_about_point.base).c);
  return body(name, point, base, mass, com, at_com);
}

const Body& Model::body(const std::string& name, Point point, Base base, Scalar mass,
                        const Vector& com, const Tensor& inertia_about_com) {
  check(point, "a body");
  check(base, "a body");
  check(com, "the centre of mass of a body");
  check(inertia_about_com.base, "the inertia of a body");
  Body b{name, point, base, expression(mass), in_base(com, base), in_base(inertia_about_com, base)};
  check_symmetric(b.inertia.c, name);
  for (const Expr& x : b.com.c) check_constant(x, name, "centre of mass");
  for (const Expr& x : b.inertia.c) check_constant(x, name, "inertia");
  check_constant(b.mass, name, "mass");
  add_name(body_names_, name, "body", bodies_.size());
  if (const auto doubt = unphysical(b.mass, b.inertia.c)) {
    warnings_.push_back(fmt::format("body '{}' of '{}': {}", name, name_, *doubt));
  }
  describe_without_spin(b);
  return bodies_.emplace_back(std::move(b));
}

const Body& Model::body(const std::string& name) const {
  return bodies_[find(body_names_, bodies_, name, "body", name_)];
}

void Model::regroup(std::vector<Body> inertias) {
  for (Body& b : inertias) {
    check(b.point, "a regrouped inertia");
    check(b.base, "a regrouped inertia");
    for (const Expr& x : b.inertia.c) check_constant(x, b.name, "inertia");
    check_constant(b.mass, b.name, "mass");
    if (b.first_moment) {
      for (const Expr& x : *b.first_moment) check_constant(x, b.name, "first moment");
      if (is_zero(*b.first_moment)) b.first_moment.reset();
    }
    if (b.inertia.base == b.base) describe_without_spin(b);
  }
  inertias_.assign(inertias.begin(), inertias.end());
}

void Model::set_gravity(const Vector& g) {
  check(g, "gravity");
  gravity_ = g;
  // what was computed with another gravity
  std::erase_if(kinematics_, [](const auto& e) { return std::get<0>(e.first) == less_gravity; });
}

void Model::add_force(const std::string& name, const Vector& force, Point point) {
  check(force, "a force");
  check(point, "a force");
  actions_.push_back({name, force, point, vector(ground_base(), 0, 0, 0), ground_base()});
}

void Model::add_moment(const std::string& name, const Vector& moment, Base base) {
  check(moment, "a moment");
  check(base, "a moment");
  actions_.push_back({name, vector(ground_base(), 0, 0, 0), origin(), moment, base});
}

void Model::add_potential(Expr energy) { potentials_.push_back(expression(energy)); }

void Model::add_law(const std::string& element, Expr rate, Scalar stiffness, Scalar damping) {
  const Expr k = expression(stiffness), c = expression(damping);
  if (rate.is(0) || (k.is(0) && c.is(0))) return;
  laws_.push_back({element, rate, k, c, {}});
}

void Model::add_internal_law(const std::string& element, Expr rate, Expr stiffness, Expr drift) {
  laws_.push_back({element, rate, stiffness, zero(), drift});
}

std::size_t Model::internal_state(const std::string& name, Expr stroke) {
  const Expr value = graph_.symbol(name + ".state", sym::SymbolKind::other, 0);
  const Expr end = graph_.symbol(name + ".stroke_end", sym::SymbolKind::other, sym::value(stroke));
  internal_states_.push_back({name, value, stroke, end, value});
  return internal_states_.size() - 1;
}

void Model::advance(std::size_t state, Expr next, Expr rate) {
  internal_states_[state].next = next;
  graph_.set_rate(internal_states_[state].value, rate);
}

Expr Model::step() {
  if (const std::optional<Expr> made = graph_.find("step.h")) return *made;
  return graph_.symbol("step.h", sym::SymbolKind::other, 1e-3);
}

void Model::constrain(const std::string& name, Expr phi) {
  constexpr sym::KindMask rates =
      bit(sym::SymbolKind::velocity) | bit(sym::SymbolKind::acceleration) |
      bit(sym::SymbolKind::contact_velocity) | bit(sym::SymbolKind::contact_acceleration) |
      bit(sym::SymbolKind::input) | bit(sym::SymbolKind::force);
  if ((graph_.node(expression(phi).id()).kinds & rates) != 0) {
    base::fail(
        "the constraint '{}' of '{}' depends on velocities, accelerations or forces; it may use "
        "coordinates, "
        "parameters and time only",
        name, name_);
  }
  if (phi.is_number())
    base::fail("the constraint '{}' of '{}' is the constant {}", name, name_, sym::value(phi));
  constexpr sym::KindMask positions =
      bit(sym::SymbolKind::coordinate) | bit(sym::SymbolKind::contact_coordinate);
  if ((graph_.node(phi.id()).kinds & positions) == 0) {
    base::fail("the constraint '{}' of '{}' depends on no coordinate, so it restricts nothing",
               name, name_);
  }
  for (const Constraint& c : constraints_) {
    if (c.name == name) base::fail("the constraint '{}' exists already in '{}'", name, name_);
  }
  constraints_.push_back({name, phi});
}

void Model::measure(const std::string& name, const std::string& unit, const std::string& about,
                    Expr value) {
  for (const Measure& m : measures_)
    if (m.name == name) base::fail("the channel '{}' exists already", name);
  measures_.push_back({name, unit, about, expression(value)});
}

void Model::measure(const std::string& name, const std::string& unit, const std::string& about,
                    const Triple& values) {
  constexpr const char* axes[] = {".x", ".y", ".z"};
  for (std::size_t i = 0; i < 3; ++i) measure(name + axes[i], unit, about, values[i]);
}

void Model::output(const std::string& name, std::span<const Expr> values) {
  for (const Expr& x : values) expression(x);  // checks
  outputs_.emplace_back(name, std::vector<Expr>(values.begin(), values.end()));
}

void Model::check(const Base& b, const char* doing) const {
  if (b.model == nullptr) base::fail("{} of '{}' needs a base, found an empty one", doing, name_);
  if (b.model != this)
    base::fail("{} of '{}' uses a base of another model, '{}'", doing, name_, b.model->name());
}

void Model::check(const Point& p, const char* doing) const {
  if (p.model == nullptr) base::fail("{} of '{}' needs a point, found an empty one", doing, name_);
  if (p.model != this)
    base::fail("{} of '{}' uses a point of another model, '{}'", doing, name_, p.model->name());
}

void Model::check(const Vector& u, const char* doing) const { check(u.base, doing); }

}  // namespace klingel::mech
