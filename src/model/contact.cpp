#include "model/contact.hpp"

#include <memory>
#include <string>
#include <vector>

#include "mech/components.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/linear_solve.hpp"

namespace klingel::model {
namespace {

using mech::cross;
using mech::dot;
using mech::minus;
using mech::plus;
using mech::scaled;
using mech::Triple;
using sym::Expr;
using sym::Seed;
using sym::SymbolKind;

Expr length(const Triple& u) { return sqrt(dot(u, u)); }
Triple unit(const Triple& u) {
  const Expr reciprocal = 1 / length(u);
  return scaled(reciprocal, u);
}
Triple derivative(const Triple& u, Expr x) {
  Triple d;
  for (int i = 0; i < 3; ++i) d[i] = sym::derivative(u[i], x);
  return d;
}
std::vector<Expr> list_of(const Triple& u, const Triple& v) {
  return {u[0], u[1], u[2], v[0], v[1], v[2]};
}

class Contact {
 public:
  explicit Contact(sym::Graph& graph) : g_(graph) {
    make_symbols();
    make_points();
    make_constraints();
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
    const std::vector<Expr> phi_n = {phi_n_};
    const std::vector<Expr> twist = twist_symbols();
    const std::vector<Expr> rate_n = {derivation(phi_n_, seeds())};
    const std::vector<Expr> rate_d = derivation(phi_d_, seeds());
    result.functions = {
        {"constraints",
         "normal and tangent constraints [eq:phin] [eq:phit]",
         {vector("phi_n", phi_n), vector("phi_d", phi_d_)}},
        {"jacobians",
         "their derivatives [eq:dqproj] [eq:dsproj]",
         {{"dphi_n_ds", sym::jacobian(phi_n, s_)},
          {"dphi_d_ds", sym::jacobian(phi_d_, s_)},
          {"dphi_n_dtwist", sym::jacobian(rate_n, twist)},
          {"dphi_d_dtwist", sym::jacobian(rate_d, twist)}}},
        {"gamma",
         "minus the second time derivatives at zero dds, with the bias of the wheelset",
         {vector("gamma_n", {gamma(phi_n_)}), vector("gamma_d", gamma_d())}},
    };
    return result;
  }

 private:
  Expr symbol(const std::string& name, SymbolKind kind, double value) {
    return g_.symbol(name, kind, value);
  }
  Triple triple(const std::string& name, SymbolKind kind, double x, double y, double z) {
    Triple u;
    u[0] = symbol(name + ".x", kind, x);
    u[1] = symbol(name + ".y", kind, y);
    u[2] = symbol(name + ".z", kind, z);
    return u;
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
    r_C_ = triple("r_C", position, 0, 0, 0.5);
    e_x_ = triple("e_x", position, 1, 0, 0);
    e_y_ = triple("e_y", position, 0, 1, 0);
    e_z_ = triple("e_z", position, 0, 0, 1);
    v_C_ = triple("v_C", velocity, 20, 0, 0);
    w_ = triple("w", velocity, 0, 0, 0);
    spin_ = symbol("spin", velocity, 40);
    dv_C_ = triple("dv_C", acceleration, 0, 0, 0);
    dw_ = triple("dw", acceleration, 0, 0, 0);
    const struct {
      const char* name;
      double value, rate;
    } names[4] = {{"theta_w", 1.5707963267948966, 0}, {"u_w", 0, 0}, {"s_r", 0, 20}, {"u_r", 0, 0}};
    for (const auto& n : names) {
      s_.push_back(symbol(n.name, SymbolKind::contact_coordinate, n.value));
      ds_.push_back(symbol(std::string("d") + n.name, SymbolKind::contact_velocity, n.rate));
    }
    f_w_ = cubic(piece("f_w", 0.05, 0.5), s_[1]);
    f_r_ = cubic(piece("f_r", 0, 0), s_[3]);
    base_[0] = cubic(piece("f_tx", 1, 0), s_[2]);
    base_[1] = cubic(piece("f_ty", 0, -0.75), s_[2]);
    base_[2] = cubic(piece("f_tz", 0, 0), s_[2]);
    theta_ = cubic(piece("f_ttheta", 0, 0), s_[2]);
  }

  // P_w [eq:OwPw] from C, and P_r from the ground
  void make_points() {
    const Expr cosine = cos(s_[0]);
    const Expr sine = sin(s_[0]);
    e_radial_ = minus(scaled(cosine, e_x_), scaled(sine, e_z_));
    const Expr y = y_w_ + s_[1];
    r_CPw_ = plus(scaled(f_w_, e_radial_), scaled(y, e_y_));
    // a surface of revolution: d/dtheta_w is f_w times a unit vector
    t_wx_ = minus(scaled(-sine, e_x_), scaled(cosine, e_z_));
    const Expr slope = sym::derivative(f_w_, s_[1]);
    t_wy_ = unit(plus(scaled(slope, e_radial_), e_y_));

    const Triple d = derivative(base_, s_[2]);
    const Expr xx = d[0] * d[0];
    const Expr horizontal = xx + d[1] * d[1];
    const Triple t = unit(d);
    const Expr reciprocal = 1 / sqrt(horizontal);
    const Triple c_h = {-d[1] * reciprocal, d[0] * reciprocal, g_.number(0)};
    const Triple n_h = cross(t, c_h);
    const Expr cos_cant = cos(theta_);
    const Expr sin_cant = sin(theta_);
    const Triple c = plus(scaled(cos_cant, c_h), scaled(sin_cant, n_h));
    const Triple n = minus(scaled(cos_cant, n_h), scaled(sin_cant, c_h));
    const Triple across = plus(scaled(s_[3], c), scaled(f_r_, n));
    const Triple r_OrPr = plus(base_, across);
    const Triple along = derivative(r_OrPr, s_[2]);
    t_rx_ = unit(along);
    const Expr rail_slope = sym::derivative(f_r_, s_[3]);
    t_ry_ = unit(plus(c, scaled(rail_slope, n)));
    // t_rx and t_ry are not quite perpendicular where the cant changes
    n_r_ = unit(cross(t_rx_, t_ry_));
    r_PrPw_ = minus(plus(r_C_, r_CPw_), r_OrPr);
    cos_angle_ = dot(t_ry_, c);
    sin_angle_ = dot(t_ry_, n);
  }

  void make_constraints() {
    phi_n_ = dot(n_r_, r_PrPw_);
    phi_d_ = {dot(t_rx_, r_PrPw_), dot(t_ry_, r_PrPw_), dot(t_wx_, n_r_), dot(t_wy_, n_r_)};
    dphi_d_ds_ = std::make_unique<sym::Matrix>(sym::jacobian(phi_d_, s_));
    // The pivots are known: s_r follows from the first row, u_r from the second (the slope of the
    // rail is never vertical), theta_w from the third; the last one, for u_w in the fourth, is the
    // sum of the profiles' curvatures and vanishes where the contact jumps.
    const std::uint32_t column_of[4] = {2, 3, 0, 1};
    std::vector<sym::Entry> entries;
    for (const sym::Entry& e : dphi_d_ds_->entries()) {
      for (std::uint32_t row = 0; row < 4; ++row) {
        if (column_of[row] == e.col) entries.push_back({e.row, row, e.value});
      }
    }
    factors_ =
        std::make_unique<sym::Factors>(sym::Matrix(4, 4, std::move(entries)),
                                       sym::SolveOptions{sym::Elimination::lu, {0, 1, 2, 3}});
  }

  // -dphi_d_ds^-1 b, in the order of s
  std::vector<Expr> solved(const std::vector<Expr>& b) const {
    const std::vector<Expr> x = factors_->solve(b);
    return {-x[2], -x[3], -x[0], -x[1]};
  }

  // pose moves with the twist; ds zero or not
  std::vector<Seed> seeds(bool contact_moves = true) const {
    std::vector<Seed> list;
    for (int i = 0; i < 3; ++i) list.push_back({r_C_[i], v_C_[i]});
    for (const Triple* e : {&e_x_, &e_y_, &e_z_}) {
      const Triple rate = cross(w_, *e);
      for (int i = 0; i < 3; ++i) list.push_back({(*e)[i], rate[i]});
    }
    if (contact_moves) {
      for (int i = 0; i < 4; ++i) list.push_back({s_[i], ds_[i]});
    }
    return list;
  }
  // the same for the rates of what contains velocities, at ddq = dds = 0
  std::vector<Seed> seeds_with_bias() const {
    std::vector<Seed> list = seeds();
    for (int i = 0; i < 3; ++i) {
      list.push_back({v_C_[i], dv_C_[i]});
      list.push_back({w_[i], dw_[i]});
    }
    return list;
  }
  Expr gamma(Expr phi) const {
    const Expr rate = derivation(phi, seeds());
    return -derivation(rate, seeds_with_bias());
  }
  std::vector<Expr> gamma_d() const {
    std::vector<Expr> list;
    for (const Expr& phi : phi_d_) list.push_back(gamma(phi));
    return list;
  }

  std::vector<Expr> twist_symbols() const {
    std::vector<Expr> list = list_of(v_C_, w_);
    list.push_back(spin_);
    return list;
  }

  sym::Interface inputs() const {
    std::vector<Expr> pose;
    for (const Triple* u : {&r_C_, &e_x_, &e_y_, &e_z_})
      pose.insert(pose.end(), u->begin(), u->end());
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
            {sym::Output::scalar("phi_n", phi_n_), sym::Output::vector("phi_d", phi_d_),
             sym::Output::vector("step", solved(phi_d_)),
             sym::Output::scalar("pivot", factors_->pivots().back())}};
  }

  sym::Function frame() const {
    const std::vector<Expr> W_n = list_of(n_r_, cross(r_CPw_, n_r_));
    const std::vector<Expr> W_x = list_of(t_rx_, cross(r_CPw_, t_rx_));
    const std::vector<Expr> W_y = list_of(t_ry_, cross(r_CPw_, t_ry_));
    // curvatures: one over the radii, positive where convex. The wheel rolls on the distance to its
    // axis along the normal: f_w over the cosine of the angle between normal and axis plane
    const Expr along_axis = dot(n_r_, e_y_);
    const Expr squared = along_axis * along_axis;
    const Expr Kw_x = sqrt(1 - squared) / f_w_;
    const Expr Kw_y = -curvature(f_w_, s_[1]);
    const Expr Kr_y = -curvature(f_r_, s_[3]);
    const std::vector<Expr> curvatures = {Kw_x, Kw_y, Kr_y};
    return {"frame",
            "normal, tangents, wrenches about the wheelset's centre, curvatures",
            {sym::Output::vector("W_n", W_n), sym::Output::vector("W_x", W_x),
             sym::Output::vector("W_y", W_y), sym::Output::vector("curvatures", curvatures),
             sym::Output::scalar("sin_angle", sin_angle_),
             sym::Output::scalar("cos_angle", cos_angle_)}};
  }

  // f'' / (1 + f'^2)^(3/2)
  static Expr curvature(Expr f, Expr u) {
    const Expr slope = sym::derivative(f, u);
    const Expr second = sym::derivative(slope, u);
    const Expr k = 1 + slope * slope;
    const Expr root = sqrt(k);
    return second / (k * root);
  }

  sym::Function rates() const {
    const std::vector<Expr> rate = derivation(phi_d_, seeds(false));
    return {"rates",
            "ds from the velocity of the wheelset [eq:dsproj]",
            {sym::Output::vector("ds_of_twist", solved(rate))}};
  }

  sym::Function motion() const {
    const Triple w_total = plus(w_, scaled(spin_, e_y_));
    const Triple v_Pw = plus(v_C_, cross(w_total, r_CPw_));
    const std::vector<Expr> nu = {dot(v_Pw, t_rx_), dot(v_Pw, t_ry_), dot(w_total, n_r_)};
    const Triple r_COw = scaled(y_w_, e_y_);
    const Triple r_OwPw = minus(r_CPw_, r_COw);
    const Triple v_Ow = plus(v_C_, cross(w_, r_COw));
    const Expr rolling = length(cross(w_total, r_OwPw));
    // The article's mean of two lengths, with the sign of the mean of the velocities along the rail
    // at which rail and wheel pass the patch: v_Ow and v_Ow - v_Pw. Nothing differentiates it.
    const Expr along = dot(v_Ow, t_rx_);
    const Expr direction = sign(2 * along - nu[0]);
    const Expr mean = (length(v_Ow) + rolling) / 2;
    const Expr V = direction * mean;
    return {"motion",
            "gamma_n, slip velocities, their change at ddq = 0, mean velocity, signed "
            "[eq:kalker_viscous]",
            {sym::Output::scalar("gamma_n", gamma(phi_n_)), sym::Output::vector("nu", nu),
             sym::Output::vector("dnu", derivation(nu, seeds_with_bias())),
             sym::Output::scalar("V", V)}};
  }

  sym::Graph& g_;
  Expr y_w_, spin_, f_w_, f_r_, theta_;
  Triple r_C_, e_x_, e_y_, e_z_, v_C_, w_, dv_C_, dw_, base_;
  std::vector<Expr> s_, ds_, spline_;
  Triple e_radial_, r_CPw_, r_PrPw_, t_wx_, t_wy_, t_rx_, t_ry_, n_r_;
  Expr cos_angle_, sin_angle_, phi_n_;
  std::vector<Expr> phi_d_;
  std::unique_ptr<sym::Matrix> dphi_d_ds_;
  std::unique_ptr<sym::Factors> factors_;
};

}  // namespace

sym::Interface contact_interface(sym::Graph& graph) { return Contact(graph).interface(); }

sym::Interface contact_reference_interface(sym::Graph& graph) {
  return Contact(graph).reference_interface();
}

}  // namespace klingel::model
