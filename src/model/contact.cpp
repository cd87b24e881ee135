#include "model/contact.hpp"

#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "contact/contact_equations.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/linear_solve.hpp"

namespace klingel::model {
namespace {

using contact::ContactConstraints;
using contact::ProfileAt;
using contact::RailPoint;
using contact::WheelPoint;
using sym::Expr;
using sym::Seed;
using sym::SymbolKind;
using Vector = spline::Vector3<Expr>;

// a u + b v
Vector combined(Expr a, const Vector& u, Expr b, const Vector& v) {
  const Vector first = a * u;
  return first + b * v;
}
Vector derivative(const Vector& u, Expr x) {
  return {sym::derivative(u.x, x), sym::derivative(u.y, x), sym::derivative(u.z, x)};
}
std::vector<Expr> list_of(const Vector& u, const Vector& v) {
  return {u.x, u.y, u.z, v.x, v.y, v.z};
}
// force and moment of a unit force along u
std::vector<Expr> wrench(const Vector& arm, const Vector& u) { return list_of(u, cross(arm, u)); }
ProfileAt<Expr> profile_at(Expr f, Expr u) {
  const Expr slope = sym::derivative(f, u);
  return {f, slope, sym::derivative(slope, u)};
}
// -f'' / (1 + f'^2)^(3/2), one over the radius, positive where convex; per = 1 / sqrt(1 + f'^2)
Expr curvature(const ProfileAt<Expr>& p, Expr per) { return -(p.ddf * (per * per * per)); }

class Contact {
 public:
  explicit Contact(sym::Graph& graph) : g_(graph) {
    make_symbols();
    make_points();
    make_factors();
  }

  sym::Interface interface() {
    sym::Interface result = inputs();
    result.functions = {tangent(), frame(), rates(), motion()};
    return result;
  }

  sym::Interface reference_interface() {
    sym::Interface result = inputs();
    const auto vector = [](const char* name, const std::vector<Expr>& values) {
      return sym::Output::vector(name, values);
    };
    const std::vector<Expr> phi_n = {e_.phi_n};
    const std::vector<Expr> phi_d = this->phi_d();
    const std::vector<Expr> twist = twist_symbols();
    const std::vector<Expr> rate_n = {derivation(e_.phi_n, seeds())};
    const std::vector<Expr> rate_d = derivation(phi_d, seeds());
    result.functions = {
        {"constraints",
         "normal and tangent constraints [eq:phin] [eq:phit]",
         {vector("phi_n", phi_n), vector("phi_d", phi_d)}},
        {"jacobians",
         "their derivatives [eq:dqproj] [eq:dsproj]",
         {{"dphi_n_ds", sym::jacobian(phi_n, s_)},
          {"dphi_d_ds", sym::jacobian(phi_d, s_)},
          {"dphi_n_dtwist", sym::jacobian(rate_n, twist)},
          {"dphi_d_dtwist", sym::jacobian(rate_d, twist)}}},
        {"gamma",
         "minus the second time derivatives at zero dds, with the bias of the wheelset",
         {vector("gamma_n", {gamma(e_.phi_n)}), vector("gamma_d", gamma_d())}},
    };
    return result;
  }

 private:
  Expr symbol(const std::string& name, SymbolKind kind, double value) {
    return g_.symbol(name, kind, value);
  }
  Vector vector(const std::string& name, SymbolKind kind, double x, double y, double z) {
    return {symbol(name + ".x", kind, x), symbol(name + ".y", kind, y),
            symbol(name + ".z", kind, z)};
  }
  sym::Cubic piece(const std::string& name, double c, double d) {
    sym::Cubic p;
    p.a = symbol(name + ".a", SymbolKind::spline, 0);
    p.b = symbol(name + ".b", SymbolKind::spline, 0);
    p.c = symbol(name + ".c", SymbolKind::spline, c);
    p.d = symbol(name + ".d", SymbolKind::spline, d);
    p.u_bp = symbol(name + ".u_bp", SymbolKind::spline, 0);
    for (const Expr& e : {p.a, p.b, p.c, p.d, p.u_bp}) spline_.push_back(e);
    return p;
  }

  // nominal values: a conical wheel of 0.5 m upright on a rail along x
  void make_symbols() {
    constexpr auto position = SymbolKind::coordinate, velocity = SymbolKind::velocity,
                   acceleration = SymbolKind::acceleration;
    y_w_ = symbol("y_w", SymbolKind::parameter, -0.75);
    r_C_ = vector("r_C", position, 0, 0, 0.5);
    axes_x_ = vector("e_x", position, 1, 0, 0);
    axes_y_ = vector("e_y", position, 0, 1, 0);
    axes_z_ = vector("e_z", position, 0, 0, 1);
    v_C_ = vector("v_C", velocity, 20, 0, 0);
    w_ = vector("w", velocity, 0, 0, 0);
    spin_ = symbol("spin", velocity, 40);
    dv_C_ = vector("dv_C", acceleration, 0, 0, 0);
    dw_ = vector("dw", acceleration, 0, 0, 0);
    const struct {
      const char* name;
      double value, rate;
    } names[4] = {{"theta_w", 1.5707963267948966, 0}, {"u_w", 0, 0}, {"s_r", 0, 20}, {"u_r", 0, 0}};
    for (const auto& n : names) {
      s_.push_back(symbol(n.name, SymbolKind::contact_coordinate, n.value));
      ds_.push_back(symbol(std::string("d") + n.name, SymbolKind::contact_velocity, n.rate));
    }
    w_profile_ = profile_at(cubic(piece("f_w", 0.05, 0.5), s_[1]), s_[1]);
    r_profile_ = profile_at(cubic(piece("f_r", 0, 0), s_[3]), s_[3]);
    line_.C.x = cubic(piece("f_tx", 1, 0), s_[2]);
    line_.C.y = cubic(piece("f_ty", 0, -0.75), s_[2]);
    line_.C.z = cubic(piece("f_tz", 0, 0), s_[2]);
    line_.theta = cubic(piece("f_ttheta", 0, 0), s_[2]);
    line_.C1 = derivative(line_.C, s_[2]);
    line_.C2 = derivative(line_.C1, s_[2]);
    line_.C3 = derivative(line_.C2, s_[2]);
    line_.dtheta = sym::derivative(line_.theta, s_[2]);
    line_.ddtheta = sym::derivative(line_.dtheta, s_[2]);
  }

  // P_w [eq:OwPw], P_r and the constraints, in the rail's base
  void make_points() {
    const track::RailFrameOf<Expr> F = rail_frame(line_);
    t_ = F.axes.x, c_ = F.axes.y, n_ = F.axes.z;
    const Expr cosine = cos(s_[0]);
    const Expr sine = sin(s_[0]);
    radial_ = cosine * axes_x_;
    radial_ = radial_ - sine * axes_z_;
    y_ = y_w_ + s_[1];
    rail_ = rail_point(F, r_profile_, s_[3]);
    wheel_ = wheel_point(F, axes_y_, radial_, w_profile_, y_);
    Vector r = local(r_C_ - line_.C) + wheel_.arm;
    r.y = r.y - s_[3];
    r.z = r.z - r_profile_.f;
    e_ = contact_constraints(rail_, r_profile_, wheel_, w_profile_, r);
  }
  // components in the rail's base of a vector of the ground, and the reverse
  Vector local(const Vector& u) const { return {dot(t_, u), dot(c_, u), dot(n_, u)}; }
  Vector ground(const Vector& u) const {
    const Vector across = combined(u.y, c_, u.z, n_);
    return u.x * t_ + across;
  }

  void make_factors() {
    // The pivots are known: s_r follows from the first row, u_r from the second (the slope of the
    // rail is never vertical), theta_w from the third; the last one, for u_w in the fourth, is the
    // sum of the profiles' curvatures and vanishes where the contact jumps.
    const std::uint32_t column_of[4] = {2, 3, 0, 1};
    std::vector<sym::Entry> entries;
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (std::uint32_t j = 0; j < 4; ++j) {
        const Expr value = e_.dphi_d_ds[i][column_of[j]];
        if (!value.empty()) entries.push_back({i, j, value});
      }
    }
    factors_ =
        std::make_unique<sym::Factors>(sym::Matrix(4, 4, std::move(entries)),
                                       sym::SolveOptions{sym::Elimination::lu, {0, 1, 2, 3}});
  }

  std::vector<Expr> phi_d() const { return {std::begin(e_.phi_d), std::end(e_.phi_d)}; }

  // -dphi_d_ds^-1 b, in the order of s
  std::vector<Expr> solved(const std::vector<Expr>& b) const {
    const std::vector<Expr> x = factors_->solve(b);
    return {-x[2], -x[3], -x[0], -x[1]};
  }

  // pose and s move with the twist and ds
  std::vector<Seed> seeds() const {
    std::vector<Seed> list;
    const auto add = [&](const Vector& u, const Vector& rate) {
      list.push_back({u.x, rate.x});
      list.push_back({u.y, rate.y});
      list.push_back({u.z, rate.z});
    };
    add(r_C_, v_C_);
    for (const Vector* e : {&axes_x_, &axes_y_, &axes_z_}) add(*e, cross(w_, *e));
    for (int i = 0; i < 4; ++i) list.push_back({s_[i], ds_[i]});
    return list;
  }
  // minus the second rate at ddq = dds = 0, by derivation
  Expr gamma(Expr phi) const {
    const std::vector<Expr> velocities = list_of(v_C_, w_), bias = list_of(dv_C_, dw_);
    std::vector<Seed> list = seeds();
    for (int i = 0; i < 6; ++i) list.push_back({velocities[i], bias[i]});
    const Expr rate = derivation(phi, seeds());
    return -derivation(rate, list);
  }
  std::vector<Expr> gamma_d() const {
    std::vector<Expr> list;
    for (const Expr& phi : e_.phi_d) list.push_back(gamma(phi));
    return list;
  }

  std::vector<Expr> twist_symbols() const {
    std::vector<Expr> list = list_of(v_C_, w_);
    list.push_back(spin_);
    return list;
  }

  sym::Interface inputs() const {
    std::vector<Expr> pose = list_of(r_C_, axes_x_);
    const std::vector<Expr> rest = list_of(axes_y_, axes_z_);
    pose.insert(pose.end(), rest.begin(), rest.end());
    sym::Interface result;
    result.stages = {
        {"position", {{"y_w", {y_w_}}, {"pose", pose}, {"s", s_}, {"spline", spline_}}},
        {"velocity", {{"twist", twist_symbols()}, {"bias", list_of(dv_C_, dw_)}}},
        {"rate", {{"ds", ds_}}}};
    return result;
  }

  sym::Function tangent() const {
    return {"tangent",
            "constraints and the Newton correction of s [eq:phin] [eq:phit] [eq:NRs]",
            {sym::Output::scalar("phi_n", e_.phi_n), sym::Output::vector("phi_d", phi_d()),
             sym::Output::vector("step", solved(phi_d())),
             sym::Output::scalar("pivot", factors_->pivots().back())}};
  }

  sym::Function frame() const {
    const Vector arm = combined(w_profile_.f, radial_, y_, axes_y_);
    const Vector n_r = ground(rail_.n_r), t_rx = ground(rail_.t_rx);
    const Vector t_ry = combined(rail_.t_ry_c, c_, rail_.t_ry_n, n_);
    // curvatures: one over the radii, positive where convex. The wheel rolls on the distance to its
    // axis along the normal: f_w over the cosine of the angle between normal and axis plane
    const Expr along_axis = dot(wheel_.e_y, rail_.n_r);
    const Expr squared = along_axis * along_axis;
    const Expr Kw_x = sqrt(1 - squared) / w_profile_.f;
    const Expr Kw_y = curvature(w_profile_, wheel_.per_y);
    const Expr Kr_y = curvature(r_profile_, rail_.per_y);
    const std::vector<Expr> curvatures = {Kw_x, Kw_y, Kr_y};
    const std::vector<Expr> W_n = wrench(arm, n_r), W_x = wrench(arm, t_rx);
    return {"frame",
            "normal, tangents, wrenches about the wheelset's centre, curvatures",
            {sym::Output::vector("W_n", W_n), sym::Output::vector("W_x", W_x),
             sym::Output::vector("W_y", wrench(arm, t_ry)),
             sym::Output::vector("curvatures", curvatures),
             sym::Output::scalar("sin_angle", rail_.t_ry_n),
             sym::Output::scalar("cos_angle", rail_.t_ry_c)}};
  }

  // how phi_d moves with the twist, s held: P_w moves with v_C + w x arm, t_w turn with w
  sym::Function rates() const {
    const Vector w = local(w_);
    const Vector v = local(v_C_) + cross(w, wheel_.arm);
    const Expr x = dot(rail_.t_rx, v), y = rail_.along_ry(v);
    const Expr turn_x = dot(w, cross(wheel_.t_wx, rail_.n_r));
    const Expr turn_y = dot(w, cross(wheel_.t_wy, rail_.n_r));
    return {"rates",
            "ds from the velocity of the wheelset [eq:dsproj]",
            {sym::Output::vector("ds_of_twist", solved({x, y, turn_x, turn_y}))}};
  }

  // The wheelset's motion in the rail's base; w_total is with the spin.
  struct Motion {
    Vector v, w, w_total;  // of C
    Vector dv, dw, dw_total;
    Vector shift;  // along the wheel's surface: how the place of P_w moves with ds
    Vector darm;   // rate of the arm from C to P_w
    Vector v_P;    // of the wheel's material at P_w
    Vector dv_P;   // its rate, following the contact
  };
  Motion wheelset_motion() const {
    Motion m;
    m.v = local(v_C_), m.w = local(w_), m.dv = local(dv_C_), m.dw = local(dw_);
    m.w_total = m.w + spin_ * wheel_.e_y;
    m.dw_total = m.dw + spin_ * cross(m.w, wheel_.e_y);
    m.shift = combined(w_profile_.f * ds_[0], wheel_.t_wx, ds_[1], wheel_.W);
    m.v_P = m.v + cross(m.w_total, wheel_.arm);
    m.darm = cross(m.w, wheel_.arm) + m.shift;
    const Vector turned = cross(m.w_total, m.darm);
    m.dv_P = m.dv + cross(m.dw_total, wheel_.arm);
    m.dv_P = m.dv_P + turned;
    return m;
  }

  // Where phi_d = 0 and stays so, r_PrPw = phi_n n_r and r' = phi_n' n_r + phi_n n_r', so that
  // phi_n'' = n_r . r'' + phi_n |n_r'|^2.
  Expr gamma_n(const Motion& m, const Vector& dn) const {
    const Expr theta = ds_[0], u_w = ds_[1], s = ds_[2], u_r = ds_[3];
    const Vector& n = rail_.n_r;
    // the wheel's point: carried by C, with the place on the wheel moving
    const Vector twice = m.darm + m.shift;
    const Vector carried = m.dv + cross(m.dw, wheel_.arm);
    Expr wheel = dot(n, carried + cross(m.w, twice));
    const Expr bend = w_profile_.ddf * (u_w * u_w), radial_n = dot(wheel_.radial, n);
    const Expr inwards = bend - w_profile_.f * (theta * theta);
    wheel = wheel + inwards * radial_n;
    // and with 2 f_w' theta' u_w' t_wx, which is normal to n_r
    // the rail's
    const Expr ss = s * s, su = s * u_r, uu = u_r * u_r;
    const Expr along = dot(n, rail_.dW_ds), twist = 2 * dot(n, rail_.dW_du);
    const Expr across = n.z * r_profile_.ddf;
    Expr rail = ss * along;
    rail = rail + su * twist;
    rail = rail + uu * across;
    return rail - (wheel + e_.phi_n * dot(dn, dn));
  }

  // rates of slip at ddq = 0, from those of the rail's directions
  std::vector<Expr> slip_rates(const Motion& m, const Vector& dn) const {
    const Expr s = ds_[2], u_r = ds_[3];
    const Vector dW = combined(s, rail_.dW_ds, u_r, rail_.dW_du);
    const Vector dt_rx = contact::unit_rate(rail_.t_rx, rail_.per_x, dW);
    // of (0, 1, f_r') = dr_OrPr/du_r: by s_r as W by u_r, and f_r' changes
    Vector d = s * rail_.dW_du;
    d.z = d.z + u_r * r_profile_.ddf;
    const Expr stretch = rail_.along_ry(d);
    const Vector dt_ry = {rail_.per_y * d.x, rail_.per_y * (d.y - stretch * rail_.t_ry_c),
                          rail_.per_y * (d.z - stretch * rail_.t_ry_n)};
    const Expr x = dot(m.dv_P, rail_.t_rx), y = rail_.along_ry(m.dv_P),
               z = dot(m.dw_total, rail_.n_r);
    return {x + dot(m.v_P, dt_rx), y + dot(m.v_P, dt_ry), z + dot(m.w_total, dn)};
  }

  // The article's mean of two lengths, with the sign of the mean of the velocities along the rail
  // at which rail and wheel pass the patch: v_Ow and v_Ow - v_Pw. Nothing differentiates it.
  Expr mean_velocity(const Motion& m, Expr nu_x) const {
    const Vector r_COw = y_w_ * wheel_.e_y;
    const Vector r_OwPw = combined(w_profile_.f, wheel_.radial, s_[1], wheel_.e_y);
    const Vector v_Ow = m.v + cross(m.w, r_COw);
    const Expr rolling = norm(cross(m.w_total, r_OwPw));
    const Expr along = dot(v_Ow, rail_.t_rx);
    const Expr direction = sign(2 * along - nu_x);
    const Expr mean = (norm(v_Ow) + rolling) / 2;
    return direction * mean;
  }

  sym::Function motion() const {
    const Motion m = wheelset_motion();
    const Vector dn = combined(ds_[2], rail_.dn_ds, ds_[3], rail_.dn_du);
    const std::vector<Expr> nu = {dot(m.v_P, rail_.t_rx), rail_.along_ry(m.v_P),
                                  dot(m.w_total, rail_.n_r)};
    const Expr gamma = gamma_n(m, dn);
    const std::vector<Expr> dnu = slip_rates(m, dn);
    return {"motion",
            "gamma_n, slip velocities, their change at ddq = 0, mean velocity, signed "
            "[eq:kalker_viscous]",
            {sym::Output::scalar("gamma_n", gamma), sym::Output::vector("nu", nu),
             sym::Output::vector("dnu", dnu), sym::Output::scalar("V", mean_velocity(m, nu[0]))}};
  }

  sym::Graph& g_;
  Expr y_w_, spin_, y_;
  Vector r_C_, axes_x_, axes_y_, axes_z_, v_C_, w_, dv_C_, dw_;
  std::vector<Expr> s_, ds_, spline_;
  ProfileAt<Expr> w_profile_, r_profile_;
  track::LineAt<Expr> line_;
  Vector t_, c_, n_;  // the rail's base, in the ground
  Vector radial_;     // from the axle to P_w, in the ground
  RailPoint<Expr> rail_;
  WheelPoint<Expr> wheel_;
  ContactConstraints<Expr> e_;
  std::unique_ptr<sym::Factors> factors_;
};

}  // namespace

sym::Interface contact_interface(sym::Graph& graph) { return Contact(graph).interface(); }

sym::Interface contact_reference_interface(sym::Graph& graph) {
  return Contact(graph).reference_interface();
}

}  // namespace klingel::model
