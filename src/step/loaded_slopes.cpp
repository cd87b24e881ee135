#include "step/loaded_slopes.hpp"

#include <algorithm>

#include "base/dual.hpp"
#include "creep/creep_slopes.hpp"
#include "step/chart_between.hpp"
#include "step/pack_vector.hpp"

namespace klingel::step {
namespace {

using base::difference_of_products, base::sum_of_products;
using base::Dual, base::Mask, base::multiply_add, base::Pack, base::reciprocal, base::splat,
    base::subtract_product;
using base::duals::difference_of_products, base::duals::sum_of_products;

// Variables, by number: those of place come first.
template <bool with_rails>
struct Variables {
  static constexpr bool rails = with_rails;
  static constexpr int along = 0, y = 1, z = 2, e_t = 3, e_n = 4, rail_y = 5, rail_z = 6,
                       place = rails ? 7 : 5;
  static constexpr int v = place, w = v + 3, spin = w + 3, rail_dy = spin + 1,
                       rail_dz = rail_dy + 1, all = rails ? rail_dz + 1 : rail_dy;
  using Place = Dual<place>;
  using Move = Dual<all>;
  // The motion at t+h depends on the motion at t only by rates of rails.
  using End = std::conditional_t<rails, Move, Place>;
};

template <class T>
struct Triple {
  T x, y, z;
};
template <class A, class B>
[[gnu::always_inline]] inline auto operator+(const Triple<A>& a, const Triple<B>& b) {
  return Triple<decltype(a.x + b.x)>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
[[gnu::always_inline]] inline auto operator-(const Triple<A>& a, const Triple<B>& b) {
  return Triple<decltype(a.x - b.x)>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S, class T>
[[gnu::always_inline]] inline auto operator*(const S& s, const Triple<T>& a) {
  return Triple<decltype(s * a.x)>{s * a.x, s * a.y, s * a.z};
}
template <class A, class B>
[[gnu::always_inline]] inline auto cross(const Triple<A>& a, const Triple<B>& b) {
  using T = decltype(a.x * b.x);
  return Triple<T>{difference_of_products(a.y, b.z, a.z, b.y),
                   difference_of_products(a.z, b.x, a.x, b.z),
                   difference_of_products(a.x, b.y, a.y, b.x)};
}
template <class T>
PackVector value(const Triple<T>& a) {
  return {a.x.v, a.y.v, a.z.v};
}
template <class T>
PackVector slope(const Triple<T>& a, int variable) {
  return {a.x.d[variable], a.y.d[variable], a.z.d[variable]};
}

PackVector triple_at(const Pack* from) { return {from[0], from[1], from[2]}; }

// What is fixed in the ground: its components in the frame turn back along the rail.
template <class T>
Triple<T> fixed(const PackVector& a, const PackVector& turn) {
  const PackVector back = cross(a, turn);
  return {T(a.x, 0, back.x), T(a.y, 0, back.y), T(a.z, 0, back.z)};
}

// A symmetric matrix of four rows, times a vector.
template <class T>
struct Symmetric {
  T yy, yz, yn, yt, zz, zn, zt, nn, nt, tt;

  template <class X>
  auto times(const X* x, int row) const {
    const T* rows[4][4] = {
        {&yy, &yz, &yn, &yt}, {&yz, &zz, &zn, &zt}, {&yn, &zn, &nn, &nt}, {&yt, &zt, &nt, &tt}};
    auto sum = *rows[row][0] * x[0];
    for (int j = 1; j < 4; ++j) sum = multiply_add(*rows[row][j], x[j], sum);
    return sum;
  }
  Pack value(int i, int j) const {
    const Pack rows[4][4] = {{yy.v, yz.v, yn.v, yt.v},
                             {yz.v, zz.v, zn.v, zt.v},
                             {yn.v, zn.v, nn.v, nt.v},
                             {yt.v, zt.v, nt.v, tt.v}};
    return rows[i][j];
  }
};

// A flange farther from where its chart begins cannot touch within a step, m.
constexpr double far = 1e-3;

}  // namespace

// Place and motion in the frames of the rails; names as in LoadedSet.
template <class By>
struct LoadedSlopes::Wheels {
  using Place = typename By::Place;
  using Move = typename By::Move;
  using End = typename By::End;

  PackAxes axes;
  PackVector turned;   // of the frame, per length along the rail
  Triple<Place> e, r;  // the axis; from the wheelset's centre to O_w
  Place y, z;          // against moved rails
  Place rho, tau, eta, height, per_D;
  Place along[4];  // ds_r in the rows of dx
  Triple<Move> v_C, w_total, turn, a_C, dw_total, de;
  Move v_along, ds_r, rail_dz;  // v_along: of O_w
  Move dx[4], ddx[4];
  Triple<End> v_end;
  Triple<Place> w_end;
  End dx_end[4];
};

// What charts say, lane by lane, with derivatives by across, rho, tau and along the rail.
struct LoadedSlopes::Charts {
  enum At { f, a, r, t, aa, ar, rr, at, rt, tt, aaa, aar, arr, rrr, aat, art, rrt, att, count };
  Pack of[count][lanes] = {};      // [...][field] after they were transposed
  Pack along[at + 1][lanes] = {};  // of profiles that change, per length of s_r
  // of these: both charts, f, a, r, t
  Pack one[4][lanes] = {}, two[4][lanes] = {};
  Pack per_length{};
  Pack cosine = splat(1), sine{};
  unsigned has = 0, inside = 0;
  bool changing = false;
};

// A sheet: names as in LoadedSet::Sheet.
template <class By>
struct LoadedSlopes::Sheet {
  using Place = typename By::Place;
  using Move = typename By::Move;

  Place phi, G[4], n_y, n_z, A, B;
  Symmetric<Place> H;
  Triple<Place> r_CP;
  Move nu[3], dnu[3], V, gamma_n, drift;
  Move H_dx[4];
  Place N, K;
  unsigned acts = 0;
  bool drifts = false;
};

// Forces and moments about the wheelsets' centres, in the frames.
template <class By>
struct LoadedSlopes::Sum {
  using Move = typename By::Move;
  Triple<Move> F, M, at_t, force;        // at_t: forces with the motion of t, which turn
  Pack bias[6][6] = {}, end[6][6] = {};  // by column
  Pack force_bias[6][3] = {}, force_end[6][3] = {};
  Pack friction[6] = {}, friction_at_t[3] = {};
};

void LoadedSlopes::occupy(std::size_t lane, const WheelData& wheel, const track::RailLine& line) {
  rails_.occupy(lane, line);
  tread_charts_[lane] = &wheel.pair->tread;
  flange_charts_[lane] = wheel.pair->flange ? &*wheel.pair->flange : nullptr;
  places_[lane] = wheel.places;
  const spline::CubicSpline& f_w = wheel.surface.f_w;
  side_[lane] = wheel.side == profile::Side::left ? 1 : -1;
  r0_[lane] = f_w.value(std::clamp(0.0, f_w.begin(), f_w.end()));
  y_w_[lane] = wheel.y_w;
  occupied_ |= 1u << lane;
}

void LoadedSlopes::shift(std::size_t lane, const RailShift& by) {
  shift_y_[lane] = by.y, shift_z_[lane] = by.z;
  shift_dy_[lane] = by.dy, shift_dz_[lane] = by.dz;
}

template <class By>
[[gnu::noinline]] void LoadedSlopes::place(const Motion& at, Wheels<By>& to) {
  using Place = typename By::Place;
  using Move = typename By::Move;
  const PackVector e_y = triple_at(at.pose + 6);
  const PackVector r_O = step::add(triple_at(at.pose), y_w_, e_y);

  // the foot, as LoadedSet finds it
  constexpr int most = 8;
  constexpr double close = 1e-8;
  s_r_ = at.s_r;
  RailSlopes rail = rails_.slopes_at(s_r_);
  Pack y0, z0, D;
  for (int i = 0;; ++i) {
    const auto of = [](const spline::Vector3<Dual<1>>& v) {
      return PackVector{v.x.v, v.y.v, v.z.v};
    };
    to.axes = {of(rail.axes.x), of(rail.axes.y), of(rail.axes.z)};
    const PackVector d = r_O - of(rail.origin);
    y0 = dot(to.axes.y, d), z0 = dot(to.axes.z, d);
    D = rail.v.v + difference_of_products(rail.k.y.v, z0, rail.k.z.v, y0);
    const Pack ahead = dot(to.axes.x, d);
    const Mask off = base::magnitude(ahead) > splat(close);
    if (i == most || (base::bits(off) & occupied_) == 0) break;
    s_r_ = base::select(off, s_r_ + ahead / D, s_r_);
    rail = rails_.slopes_at(s_r_);
  }
  const PackAxes& axes = to.axes;

  // along the rail all that the frame has changes; ds_r = 1/D per length
  const Pack per = 1 / D;
  const auto along_rail = [&](const Dual<1>& x) { return Place(x.v, By::along, per * x.d[0]); };
  const Triple<Place> k = {along_rail(rail.k.x), along_rail(rail.k.y), along_rail(rail.k.z)};
  const Triple<Place> dk = {along_rail(rail.dk.x), along_rail(rail.dk.y), along_rail(rail.dk.z)};
  const Place v = along_rail(rail.v), dv = along_rail(rail.dv);
  to.turned = per * value(k);
  const PackVector& turned = to.turned;
  Place y(y0, By::along, turned.x * z0), z(z0, By::along, -turned.x * y0);
  y.d[By::y] = splat(1), z.d[By::z] = splat(1);
  to.e = fixed<Place>(axes.in(e_y), turned);
  const Pack per_e = 1 / to.e.y.v;
  to.e.x.d[By::e_t] = to.e.z.d[By::e_n] = splat(1);
  to.e.y.d[By::e_t] = -to.e.x.v * per_e, to.e.y.d[By::e_n] = -to.e.z.v * per_e;
  const Triple<Place>& e = to.e;
  to.r = y_w_ * e;
  to.per_D = reciprocal(v + difference_of_products(k.y, z, k.z, y));
  const Place& per_D = to.per_D;

  // motion   [eq:place]
  to.v_C = fixed<Move>(axes.in(triple_at(at.twist)), turned);
  Triple<Move> w = fixed<Move>(axes.in(triple_at(at.twist + 3)), turned);
  to.v_C.x.d[By::v] = to.v_C.y.d[By::v + 1] = to.v_C.z.d[By::v + 2] = splat(1);
  w.x.d[By::w] = w.y.d[By::w + 1] = w.z.d[By::w + 2] = splat(1);
  const Move spin(at.twist[6], By::spin);
  to.w_total = {multiply_add(spin, e.x, w.x), multiply_add(spin, e.y, w.y),
                multiply_add(spin, e.z, w.z)};
  const Triple<Move> w_r = cross(w, to.r), v_O = to.v_C + w_r;
  to.v_along = v_O.x;
  to.ds_r = v_O.x * per_D;
  const Move& ds_r = to.ds_r;
  to.turn = ds_r * k;
  const Triple<Move>& turn = to.turn;
  const Move dy = multiply_add(turn.x, z, v_O.y), dz = subtract_product(turn.x, y, v_O.z);
  const Triple<Move> w_rel = w - turn;
  to.de = cross(w_rel, e);

  // accelerations at ddq = 0
  const Triple<Place> dv_C = fixed<Place>(axes.in(triple_at(at.bias)), turned),
                      dw = fixed<Place>(axes.in(triple_at(at.bias + 3)), turned);
  to.a_C = dv_C - cross(turn, to.v_C);
  to.dw_total = dw + spin * cross(w, e) - cross(turn, to.w_total);
  const Triple<Move> a_O = dv_C + cross(dw, to.r) + cross(w, w_r) - cross(turn, v_O);
  const Move dD = multiply_add(ds_r, dv + difference_of_products(dk.y, z, dk.z, y),
                               difference_of_products(k.y, dz, k.z, dy));
  const Move dds_r = subtract_product(ds_r, dD, a_O.x) * per_D;
  const Triple<Move> dturn = dds_r * k + (ds_r * ds_r) * dk;
  to.ddx[0] = a_O.y + sum_of_products(dturn.x, z, turn.x, dz);
  to.ddx[1] = a_O.z - sum_of_products(dturn.x, y, turn.x, dy);
  const Triple<Move> dw_rel = dw - cross(turn, w) - dturn;
  to.ddx[2] = difference_of_products(dw_rel.x, e.y, dw_rel.y, e.x) +
              difference_of_products(w_rel.x, to.de.y, w_rel.y, to.de.x);
  to.ddx[3] = difference_of_products(dw_rel.y, e.z, dw_rel.z, e.y) +
              difference_of_products(w_rel.y, to.de.z, w_rel.z, to.de.y);

  // rows of dx by (v_C, w): what ds_r takes from forces along the rail
  to.along[0] = per_D * k.x * z;
  to.along[1] = -(per_D * k.x * y);
  to.along[2] = -(per_D * difference_of_products(k.x, e.y, k.y, e.x));
  to.along[3] = -(per_D * difference_of_products(k.y, e.z, k.z, e.y));

  // against rails that have moved, and the motion at t+h
  to.y = y - shift_y_, to.z = z - shift_z_;
  to.dx[0] = dy - shift_dy_, to.dx[1] = dz - shift_dz_;
  to.dx[2] = to.de.z, to.dx[3] = to.de.x;
  to.rail_dz = Move(shift_dz_);
  const Triple<Place> v_end = fixed<Place>(axes.in(triple_at(at.end)), turned);
  to.w_end = fixed<Place>(axes.in(triple_at(at.end + 3)), turned);
  const Triple<Place> v_O_end = v_end + cross(to.w_end, to.r);
  const Place ds_end = v_O_end.x * per_D;
  const Triple<Place> turn_end = ds_end * k, w_rel_end = to.w_end - turn_end;
  to.dx_end[0] = multiply_add(turn_end.x, z, v_O_end.y) - shift_dy_;
  to.dx_end[1] = subtract_product(turn_end.x, y, v_O_end.z) - shift_dz_;
  to.dx_end[2] = difference_of_products(w_rel_end.x, e.y, w_rel_end.y, e.x);
  to.dx_end[3] = difference_of_products(w_rel_end.y, e.z, w_rel_end.z, e.y);
  to.v_end = {v_end.x, v_end.y, v_end.z - shift_dz_};
  if constexpr (By::rails) {
    to.y.d[By::rail_y] = to.z.d[By::rail_z] = splat(-1);
    to.dx[0].d[By::rail_dy] = to.dx[1].d[By::rail_dz] = splat(-1);
    to.dx_end[0].d[By::rail_dy] = to.dx_end[1].d[By::rail_dz] = splat(-1);
    to.v_end.z.d[By::rail_dz] = splat(-1);
    to.rail_dz.d[By::rail_dz] = splat(1);
  }

  to.rho = side_ * e.z;
  to.tau = r0_ * (e.x * e.x);
  to.eta = side_ * to.y + r0_ * to.rho;
  to.height = to.z + r0_ * (0.5 * (to.rho * to.rho) - 1);
}

namespace {

// In the order of LoadedSlopes::Charts.
constexpr Pack contact::ChartedSlopes::*fields[] = {&contact::ChartedSlopes::f,
                                                    &contact::ChartedSlopes::f_a,
                                                    &contact::ChartedSlopes::f_rho,
                                                    &contact::ChartedSlopes::f_tau,
                                                    &contact::ChartedSlopes::f_aa,
                                                    &contact::ChartedSlopes::f_a_rho,
                                                    &contact::ChartedSlopes::f_rho_rho,
                                                    &contact::ChartedSlopes::f_a_tau,
                                                    &contact::ChartedSlopes::f_rho_tau,
                                                    &contact::ChartedSlopes::f_tau_tau,
                                                    &contact::ChartedSlopes::f_aaa,
                                                    &contact::ChartedSlopes::f_aa_rho,
                                                    &contact::ChartedSlopes::f_a_rho_rho,
                                                    &contact::ChartedSlopes::f_rho_rho_rho,
                                                    &contact::ChartedSlopes::f_aa_tau,
                                                    &contact::ChartedSlopes::f_a_rho_tau,
                                                    &contact::ChartedSlopes::f_rho_rho_tau,
                                                    &contact::ChartedSlopes::f_a_tau_tau};

}  // namespace

// Charts of one sheet at four places. False if no wheel has it near its rail.
bool LoadedSlopes::read_charts(bool flange, const Pack& eta, const Pack& height, const Pack& rho,
                               const Pack& tau, Charts& to) const {
  const auto& charts = flange ? flange_charts_ : tread_charts_;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    to.of[Charts::f][lane][contact::w] = 1;
    if ((occupied_ >> lane & 1) == 0 || charts[lane] == nullptr) continue;
    const ChartBetween place = chart_between(places_[lane], charts[lane], flange, s_r_[lane]);
    const contact::ContactChart& chart = place.one->chart;
    const double c = place.one->cosine, s = place.one->sine;
    const double across = eta[lane] * c + height[lane] * s;
    double begin = chart.across().begin;
    if (place.two != nullptr) begin = std::min(begin, place.two->chart.across().begin);
    if (chart.tilt() != 0 && across < begin - far) continue;
    to.has |= 1u << lane;
    to.cosine[lane] = c, to.sine[lane] = s;
    contact::ChartedSlopes x;
    chart.at(across, rho[lane], tau[lane], x);
    bool inside = x.inside;
    if (place.two != nullptr) {
      contact::ChartedSlopes y;
      place.two->chart.at(across, rho[lane], tau[lane], y);
      inside = inside && y.inside;
      to.changing = true;
      to.per_length[lane] = place.per_length;
      for (std::size_t i = 0; i < 4; ++i)
        to.one[i][lane] = x.*fields[i], to.two[i][lane] = y.*fields[i];
      for (std::size_t i = 0; i < Charts::count; ++i) {
        const Pack change = y.*fields[i] - x.*fields[i];
        if (i <= Charts::at) to.along[i][lane] = place.per_length * change;
        x.*fields[i] += place.share * change;
      }
    }
    if (inside) to.inside |= 1u << lane;
    for (std::size_t i = 0; i < Charts::count; ++i) to.of[i][lane] = x.*fields[i];
  }
  if (to.has == 0) return false;
  const auto transpose = [](Pack(&p)[lanes]) { base::transpose(p[0], p[1], p[2], p[3]); };
  for (auto& p : to.of) transpose(p);
  if (to.changing) {
    for (auto& p : to.along) transpose(p);
    for (auto& p : to.one) transpose(p);
    for (auto& p : to.two) transpose(p);
  }
  return true;
}

// One sheet of the four wheels, as LoadedSet::look; false if none acts.
template <class By>
[[gnu::noinline]] bool LoadedSlopes::look(const Wheels<By>& p, bool flange,
                                          const SheetSpring& spring, Sheet<By>& to,
                                          bool& inside) const {
  using Place = typename By::Place;
  using Move = typename By::Move;
  Charts charts;
  if (!read_charts(flange, p.eta.v, p.height.v, p.rho.v, p.tau.v, charts)) return false;
  const Pack &c = charts.cosine, &s = charts.sine;
  const Place across = c * p.eta + s * p.height;
  const Pack per = p.per_D.v;
  // with derivatives by the place; rho changes with e_n, tau with e_t, both along the rail
  const auto made = [&](const Pack& f, const Pack& f_a, const Pack& f_r, const Pack& f_t,
                        const Pack& f_s) {
    Place x;
    x.v = f;
    for (int i = 0; i < By::place; ++i) x.d[i] = f_a * across.d[i];
    for (const int i : {By::along, By::e_n}) x.d[i] = multiply_add(f_r, p.rho.d[i], x.d[i]);
    for (const int i : {By::along, By::e_t}) x.d[i] = multiply_add(f_t, p.tau.d[i], x.d[i]);
    x.d[By::along] = multiply_add(f_s, per, x.d[By::along]);
    return x;
  };
  const auto read = [&](contact::Field field, int f, int f_a, int f_r, int f_t) {
    return made(charts.of[f][field], charts.of[f_a][field], charts.of[f_r][field],
                charts.of[f_t][field], charts.along[f][field]);
  };
  using C = Charts;
  using contact::zeta, contact::w, contact::F, contact::log_B;
  const Place down = c * p.height - s * p.eta;
  const Place z = read(zeta, C::f, C::a, C::r, C::t);
  const Place w0 = read(w, C::f, C::a, C::r, C::t);
  const Place gap = down - z;
  to.phi = w0 * gap;
  const Mask has = base::mask(charts.has & occupied_);
  to.phi.v = base::select(has, to.phi.v, splat(1));
  // N = k delta^(3/2) and its tangent
  const Pack approach = base::larger(-to.phi.v, Pack{}), root = base::root(approach);
  const Pack K = 1.5 * spring.k * root;
  to.acts = base::bits(spring.k * approach * root > Pack{}) & occupied_;
  inside = (to.acts & ~charts.inside) == 0;
  if (to.acts == 0 || !inside) return false;
  const Mask acts = base::mask(to.acts);
  to.N = base::chained(spring.k * approach * root, -K, to.phi);
  to.K = base::chained(K, base::select(acts, -0.75 * spring.k / root, Pack{}), to.phi);

  const Place z_a = read(zeta, C::a, C::aa, C::ar, C::at),
              z_r = read(zeta, C::r, C::ar, C::rr, C::rt),
              z_t = read(zeta, C::t, C::at, C::rt, C::tt);
  const Place w_a = read(w, C::a, C::aa, C::ar, C::at), w_r = read(w, C::r, C::ar, C::rr, C::rt),
              w_t = read(w, C::t, C::at, C::rt, C::tt);
  const Place phi_a = difference_of_products(w_a, gap, w0, z_a),
              phi_r = difference_of_products(w_r, gap, w0, z_r),
              phi_t = difference_of_products(w_t, gap, w0, z_t);
  const Place phi_eta = c * phi_a - s * w0, phi_h = s * phi_a + c * w0;
  const Place dh = r0_ * p.rho, dtau = 2 * r0_ * p.e.x;
  Place ee, eh, hh, er, hr, et, ht, rr;
  {
    const Place z_aa = read(zeta, C::aa, C::aaa, C::aar, C::aat),
                z_ar = read(zeta, C::ar, C::aar, C::arr, C::art),
                z_rr = read(zeta, C::rr, C::arr, C::rrr, C::rrt),
                z_at = read(zeta, C::at, C::aat, C::art, C::att);
    const Place aa = -sum_of_products(2 * w_a, z_a, w0, z_aa);
    const Place ar = -multiply_add(w_a, z_r, sum_of_products(w_r, z_a, w0, z_ar));
    rr = -sum_of_products(2 * w_r, z_r, w0, z_rr);
    const Place at = -multiply_add(w_a, z_t, sum_of_products(w_t, z_a, w0, z_at));
    ee = (c * c) * aa - (2 * c * s) * w_a;
    eh = (s * c) * aa + (c * c - s * s) * w_a;
    hh = (s * s) * aa + (2 * s * c) * w_a;
    er = c * ar - s * w_r, hr = s * ar + c * w_r;
    et = c * at - s * w_t, ht = s * at + c * w_t;
  }
  to.G[0] = side_ * phi_eta;
  to.G[1] = phi_h;
  to.G[2] = side_ * (multiply_add(dh, phi_h, phi_r + r0_ * phi_eta));
  to.G[3] = dtau * phi_t;
  {
    const Place by_e = multiply_add(dh, eh, r0_ * ee), by_h = multiply_add(dh, hh, r0_ * eh);
    to.H = {ee,
            side_ * eh,
            er + by_e,
            side_ * (dtau * et),
            hh,
            side_ * (hr + by_h),
            dtau * ht,
            r0_ * (2 * er + by_e + phi_h) + rr + dh * (2 * hr + by_h),
            side_ * (dtau * multiply_add(dh, ht, r0_ * et)),
            2 * r0_ * phi_t};
  }

  // the normal and the middle of the patch
  const Place &e_x = p.e.x, &e_y = p.e.y, &e_z = p.e.z;
  const Place per_size =
      reciprocal(base::root(sum_of_products(to.G[0], to.G[0], to.G[1], to.G[1])));
  to.n_y = to.G[0] * per_size, to.n_z = to.G[1] * per_size;
  const Place &n_y = to.n_y, &n_z = to.n_z;
  const Place F0 = read(F, C::f, C::a, C::r, C::t);
  const Place per_h = reciprocal(phi_h), steep = -(phi_eta * per_h), lever = phi_r * per_h;
  const Place on_axis = side_ * multiply_add(steep, F0, lever) + y_w_;  // y_w + u_w
  const Place radius = F0 + r0_;
  const Place per_under = reciprocal(steep * p.rho + 1);
  const Place slope = side_ * ((p.rho - steep) * per_under), tan_a = slope * e_x;
  to.r_CP = {sum_of_products(on_axis, e_x, radius, tan_a),
             sum_of_products(on_axis, e_y, radius, e_z),
             difference_of_products(on_axis, e_z, radius, e_y)};
  const Triple<Place>& r_CP = to.r_CP;
  const Place along_axis = sum_of_products(n_y, e_y, n_z, e_z);
  to.A = 0.5 * (base::root(1 - along_axis * along_axis) / radius);
  to.B = base::exponential(read(log_B, C::f, C::a, C::r, C::t));

  // slip, and how it changes while the patch moves over wheel and rail
  const auto across_patch = [&](const auto& a) {
    return difference_of_products(n_z, a.y, n_y, a.z);
  };
  const auto normal = [&](const auto& a) { return sum_of_products(n_y, a.y, n_z, a.z); };
  const Triple<Move>& w_total = p.w_total;
  Triple<Move> v_P = p.v_C + cross(w_total, r_CP);
  v_P.z = v_P.z - p.rail_dz;
  to.nu[0] = v_P.x, to.nu[1] = across_patch(v_P), to.nu[2] = normal(w_total);
  to.V = 0.5 *
         (p.v_along - difference_of_products(w_total.y, r_CP.z - p.r.z, w_total.z, r_CP.y - p.r.y));
  const Move drho = side_ * p.de.z, deta = side_ * p.dx[0] + r0_ * drho;
  const Move dtau_dt = dtau * p.de.x, dh_dt = multiply_add(dh, drho, p.dx[1]);
  const Move da = c * deta + s * dh_dt;
  const Move dF = multiply_add(read(F, C::a, C::aa, C::ar, C::at), da,
                               sum_of_products(read(F, C::r, C::ar, C::rr, C::rt), drho,
                                               read(F, C::t, C::at, C::rt, C::tt), dtau_dt));
  const Move dphi_h =
      multiply_add(eh, deta, multiply_add(hh, dh_dt, sum_of_products(hr, drho, ht, dtau_dt)));
  const Move dphi_eta =
      multiply_add(ee, deta, multiply_add(eh, dh_dt, sum_of_products(er, drho, et, dtau_dt)));
  const Move dphi_r = multiply_add(er, deta, sum_of_products(hr, dh_dt, rr, drho));
  const Move dsteep = -(multiply_add(steep, dphi_h, dphi_eta) * per_h);
  const Move du = side_ * multiply_add(subtract_product(lever, dphi_h, dphi_r), per_h,
                                       sum_of_products(F0, dsteep, steep, dF));
  const Move dangle = side_ * (dsteep * reciprocal(steep * steep + 1));
  const Move dunder = sum_of_products(p.rho, dsteep, steep, drho);
  const Move dslope = subtract_product(slope, dunder, side_ * (drho - dsteep)) * per_under;
  const Triple<Move> dr = {
      multiply_add(radius, sum_of_products(slope, p.de.x, dslope, e_x),
                   multiply_add(dF, tan_a, sum_of_products(du, e_x, on_axis, p.de.x))),
      multiply_add(radius, p.de.z,
                   multiply_add(dF, e_z, sum_of_products(du, e_y, on_axis, p.de.y))),
      subtract_product(radius, p.de.y,
                       subtract_product(dF, e_y, sum_of_products(du, e_z, on_axis, p.de.z)))};
  const Triple<Move> dv_P = p.a_C + cross(p.dw_total, r_CP) + cross(w_total, dr);
  to.dnu[0] = dv_P.x;
  to.dnu[1] = multiply_add(dangle, normal(v_P), across_patch(dv_P));
  to.dnu[2] = subtract_product(dangle, across_patch(w_total), normal(p.dw_total));

  Move rate = to.G[0] * p.ddx[0];
  for (int i = 1; i < 4; ++i) rate = multiply_add(to.G[i], p.ddx[i], rate);
  for (int i = 0; i < 4; ++i) {
    to.H_dx[i] = to.H.times(p.dx, i);
    rate = multiply_add(p.dx[i], to.H_dx[i], rate);
  }
  to.gamma_n = -rate;
  to.drifts = charts.changing;
  if (!charts.changing) return true;
  const auto phi_of = [&](const Pack(&f)[4][lanes]) {
    const Pack none{};
    const auto field = [&](contact::Field i) {
      return made(f[0][i], f[1][i], f[2][i], f[3][i], none);
    };
    return field(w) * (down - field(zeta));
  };
  to.drift = (charts.per_length * (phi_of(charts.two) - phi_of(charts.one))) * p.ds_r;
  return true;
}

namespace {

// Semi-axes and Kalker's coefficients of patches, by A, B and N. Axes are homogeneous of degree
// -1/3 in A and B and 1/3 in N, coefficients depend on the ratio of A and B only: one difference
// gives all.
void find_patch(const Description& vehicle, const Pack& A, const Pack& B_given, const Pack& N,
                creep::CreepInputOf<creep::CreepDual>& to) {
  using By = creep::ByPatch;
  constexpr double apart = 1e-5;  // of A
  const double B_floor = vehicle.data.law.B_floor;
  const Pack B = base::larger(B_given, splat(B_floor));
  const auto axes = [&](double by) { return vehicle.hertz.axes(A * (1 + by), B, N); };
  const contact::HertzTable::Axes at = axes(0), ahead = axes(apart), behind = axes(-apart);
  const creep::KalkerCoefficientsOf<Pack> c = vehicle.kalker.at(at.a, at.b),
                                          c_ahead = vehicle.kalker.at(ahead.a, ahead.b),
                                          c_behind = vehicle.kalker.at(behind.a, behind.b);
  const Pack per_A = 1 / A, per = 1 / (2 * apart) * per_A;
  const Pack per_B = base::select(B_given < splat(B_floor), Pack{}, 1 / B);
  const Pack per_N = base::select(N > Pack{}, 1 / N, Pack{});
  const auto make = [&](const Pack& x, const Pack& high, const Pack& low, double degree) {
    creep::CreepDual r(x);
    r.d[By::A] = per * (high - low);
    r.d[By::B] = (-degree / 3 * x - A * r.d[By::A]) * per_B;
    r.d[By::N] = degree / 3 * x * per_N;
    return r;
  };
  to.a = make(at.a, ahead.a, behind.a, 1), to.b = make(at.b, ahead.b, behind.b, 1);
  to.c = {make(c.c11, c_ahead.c11, c_behind.c11, 0), make(c.c22, c_ahead.c22, c_behind.c22, 0),
          make(c.c23, c_ahead.c23, c_behind.c23, 0), make(c.c33, c_ahead.c33, c_behind.c33, 0)};
}

// A row of a wrench: force along x, y, z and moment.
struct Wrenches {
  PackVector F, M;
  Pack operator[](int i) const { return i < 3 ? F[i] : M[i - 3]; }
};

}  // namespace

template <class By>
[[gnu::noinline]] void LoadedSlopes::add(const Wheels<By>& p, const Sheet<By>& sheet,
                                         const SheetSpring& spring, const Motion& at,
                                         const Description& vehicle, const Wanted& wanted,
                                         double theta_normal, Sum<By>& to) const {
  using Place = typename By::Place;
  using Move = typename By::Move;
  using End = typename By::End;
  const double h = at.h, theta = at.theta;
  const Mask acts = base::mask(sheet.acts);
  const Place &n_y = sheet.n_y, &n_z = sheet.n_z, &N = sheet.N, &K = sheet.K;

  // normal forces: N(t+h) rows^T (G + theta H (x(t+h) - x))   [eq:loadedstep]
  Move rate = sheet.G[0] * p.dx[0];
  End rate_end = sheet.G[0] * p.dx_end[0];
  for (int i = 1; i < 4; ++i) {
    rate = multiply_add(sheet.G[i], p.dx[i], rate);
    rate_end = multiply_add(sheet.G[i], p.dx_end[i], rate_end);
  }
  Move curved = h * h / 2 * sheet.gamma_n;
  if (sheet.drifts) curved = curved - h * sheet.drift;
  const Move N_end =
      multiply_add(K, curved - h / 2 * rate - (h / 2 + spring.damping) * rate_end, N);
  const Move N_now = multiply_add(K, curved - (h + spring.damping) * rate, N);
  const Place T = theta_normal * h / 2 * N;
  Move g[4], g_t[4];
  for (int i = 0; i < 4; ++i) {
    g[i] = multiply_add(T, sheet.H_dx[i] + sheet.H.times(p.dx_end, i), sheet.G[i] * N_end);
    g_t[i] = multiply_add(2 * T, sheet.H_dx[i], sheet.G[i] * N_now);
  }
  const auto force_of = [&](const auto* x) {
    auto ahead = p.along[0] * x[0];
    for (int i = 1; i < 4; ++i) ahead = multiply_add(p.along[i], x[i], ahead);
    return Triple<decltype(ahead)>{ahead, x[0], x[1]};
  };
  const Triple<Move> pressing = force_of(g);
  const Triple<Move> lever = cross(p.r, pressing);
  to.M = to.M + Triple<Move>{multiply_add(g[2], p.e.y, lever.x),
                             subtract_product(g[2], p.e.x, multiply_add(g[3], p.e.z, lever.y)),
                             subtract_product(g[3], p.e.y, lever.z)};
  to.F = to.F + pressing;
  to.at_t = to.at_t + force_of(g_t);

  // creep forces of t + theta h
  creep::CreepInputOf<creep::CreepDual> in;
  using Patch = creep::ByPatch;
  const Pack N_t = base::select(acts, N.v, Pack{});
  find_patch(vehicle, sheet.A.v, sheet.B.v, N_t, in);
  in.N = creep::CreepDual(N_t, Patch::N);
  in.mu = creep::CreepDual(at.friction, Patch::mu);
  in.G = vehicle.data.law.G, in.V_floor = vehicle.data.law.V_floor;
  for (int i = 0; i < 3; ++i) in.nu[i] = creep::CreepDual(sheet.nu[i].v, Patch::nu + i);
  in.V = creep::CreepDual(sheet.V.v, Patch::V);
  const creep::CreepSlopes secants = creep::creep_slopes(vehicle.data.law.creep, in);
  const auto chain = [&](const creep::CreepDual& C) {
    Move r;
    r.v = C.v;
    for (int i = 0; i < By::all; ++i) {
      Pack sum = C.d[Patch::V] * sheet.V.d[i];
      for (int k = 0; k < 3; ++k) sum = multiply_add(C.d[Patch::nu + k], sheet.nu[k].d[i], sum);
      if (i < By::place) {
        const int j = i < By::place ? i : 0;
        sum = multiply_add(C.d[Patch::A], sheet.A.d[j], sum);
        sum = multiply_add(C.d[Patch::B], sheet.B.d[j], sum);
        sum = multiply_add(C.d[Patch::N], N.d[j], sum);
      }
      r.d[i] = sum;
    }
    return r;
  };
  const Move C_xx = chain(secants.C_xx), C_yy = chain(secants.C_yy), C_yz = chain(secants.C_yz),
             C_zz = chain(secants.C_zz);
  const Triple<End> v_end = p.v_end + cross(p.w_end, sheet.r_CP);
  const Triple<Place>& w_end = p.w_end;
  const End nu_end[3] = {v_end.x, difference_of_products(n_z, v_end.y, n_y, v_end.z),
                         End(sum_of_products(n_y, w_end.y, n_z, w_end.z))};
  Move nu[3], nu_t[3];
  for (int i = 0; i < 3; ++i) {
    const Move later = theta * h * sheet.dnu[i];
    nu_t[i] = sheet.nu[i] + later;
    nu[i] = (1 - theta) * sheet.nu[i] + theta * nu_end[i] + later;
  }
  const Move f_x = -(C_xx * nu[0]), f_y = -sum_of_products(C_yy, nu[1], C_yz, nu[2]),
             m_z = difference_of_products(C_yz, nu[1], C_zz, nu[2]);
  const Triple<Move> creep = {f_x, f_y * n_z, -(f_y * n_y)};
  const Triple<Move> turning = cross(sheet.r_CP, creep);
  to.F = to.F + creep;
  to.M = to.M + Triple<Move>{turning.x, multiply_add(m_z, n_y, turning.y),
                             multiply_add(m_z, n_z, turning.z)};
  const Move f_yt = -sum_of_products(C_yy, nu_t[1], C_yz, nu_t[2]);
  to.at_t = to.at_t + Triple<Move>{-(C_xx * nu_t[0]), f_yt * n_z, -(f_yt * n_y)};
  const Triple<Place> W_G = force_of(sheet.G);
  const Mask presses = acts & (N_end.v > Pack{});
  if (wanted.forces) {
    const Move none{};
    to.force = to.force + base::select(presses, N_end, none) * W_G + creep;
  }

  // by bias and by the motion at t+h: wrenches of x, y, z and n in the frame
  const PackVector r_P = value(sheet.r_CP), e = value(p.e), r = value(p.r);
  const Pack zero{}, one = splat(1);
  const auto at_patch = [&](const PackVector& F) { return Wrenches{F, cross(r_P, F)}; };
  const Wrenches X = at_patch({one, zero, zero}), Y = at_patch({zero, n_z.v, -n_y.v}),
                 Z{{}, {zero, n_y.v, n_z.v}};
  Wrenches R[4];  // rows of dx
  for (int i = 0; i < 4; ++i) {
    R[i].F = {p.along[i].v, i == 0 ? one : zero, i == 1 ? one : zero};
    R[i].M = cross(r, R[i].F);
  }
  R[2].M = R[2].M + PackVector{e.y, -e.x, zero};
  R[3].M = R[3].M + PackVector{zero, e.z, -e.y};
  Wrenches n{};
  for (int k = 0; k < 4; ++k)
    n.F = step::add(n.F, sheet.G[k].v, R[k].F), n.M = step::add(n.M, sheet.G[k].v, R[k].M);
  for (int c = 0; c < 6; ++c) {
    const Pack x = -(C_xx.v * X[c]), y = -sum_of_products(C_yy.v, Y[c], C_yz.v, Z[c]),
               z = difference_of_products(C_yz.v, Y[c], C_zz.v, Z[c]), push = -(K.v * n[c]);
    Pack TH[4];
    for (int i = 0; i < 4; ++i) {
      TH[i] = sheet.H.value(i, 0) * R[0][c];
      for (int j = 1; j < 4; ++j) TH[i] = multiply_add(sheet.H.value(i, j), R[j][c], TH[i]);
      TH[i] *= T.v;
    }
    for (int i = 0; i < 6; ++i) {
      const Pack creeping = multiply_add(x, X[i], sum_of_products(y, Y[i], z, Z[i]));
      const Pack pushing = push * n[i];
      to.bias[c][i] += h * sum_of_products(splat(theta), creeping, splat(h / 2), pushing);
      Pack sum = sum_of_products(splat(theta), creeping, splat(h / 2 + spring.damping), pushing);
      for (int k = 0; k < 4; ++k) sum = multiply_add(TH[k], R[k][i], sum);
      to.end[c][i] += sum;
      if (i >= 3 || !wanted.forces) continue;
      const Pack pressed = base::select(presses, pushing, zero);
      to.force_bias[c][i] += h * (theta * creeping + h / 2 * pressed);
      to.force_end[c][i] += theta * creeping + (h / 2 + spring.damping) * pressed;
    }
  }
  if (!wanted.friction) return;
  constexpr int mu = Patch::mu;
  const auto by_friction = [&](const Move* slip, Pack* f) {
    f[0] = -(secants.C_xx.d[mu] * slip[0].v);
    f[1] = -sum_of_products(secants.C_yy.d[mu], slip[1].v, secants.C_yz.d[mu], slip[2].v);
    f[2] = difference_of_products(secants.C_yz.d[mu], slip[1].v, secants.C_zz.d[mu], slip[2].v);
  };
  Pack f[3], f_t[3];
  by_friction(nu, f), by_friction(nu_t, f_t);
  for (int i = 0; i < 6; ++i) {
    to.friction[i] += multiply_add(f[0], X[i], sum_of_products(f[1], Y[i], f[2], Z[i]));
    if (i < 3) to.friction_at_t[i] += sum_of_products(f_t[0], X[i], f_t[1], Y[i]);
  }
}

namespace {

void put_wrench(Pack* to, const PackVector& F, const PackVector& M) {
  for (int i = 0; i < 3; ++i) to[i] = F[i], to[3 + i] = M[i];
}

// Columns by place and by motion, in the frame, of vectors in it.
template <class By, std::size_t count, std::size_t rows = 3 * count>
void put_columns(const Triple<typename By::Move>* const (&of)[count], const PackVector& turned,
                 const Pack& y_w, const PackVector& e, Pack (&to)[wrench_columns][rows]) {
  const auto put = [&of](Pack* column, int variable) {
    for (std::size_t k = 0; k < count; ++k)
      for (int i = 0; i < 3; ++i) *column++ = slope(*of[k], variable)[i];
  };
  Pack by_t[rows], by_n[rows];
  put(to[0], By::along), put(to[1], By::y), put(to[2], By::z);
  put(by_t, By::e_t), put(by_n, By::e_n);
  for (std::size_t k = 0; k < count; ++k) {  // along the rail the frame turns
    const PackVector turns = cross(turned, value(*of[k]));
    for (int i = 0; i < 3; ++i) to[0][3 * k + static_cast<std::size_t>(i)] += turns[i];
  }
  for (std::size_t i = 0; i < rows; ++i) {
    // turned about x, y, z of the frame, O_w moves by y_w times the change of the axis
    const Pack t = multiply_add(y_w, to[0][i], by_t[i]), c = y_w * to[1][i],
               n = multiply_add(y_w, to[2][i], by_n[i]);
    to[3][i] = difference_of_products(e.y, n, e.z, c);
    to[4][i] = difference_of_products(e.z, t, e.x, n);
    to[5][i] = difference_of_products(e.x, c, e.y, t);
  }
  for (int i = 0; i < 7; ++i) put(to[6 + i], By::v + i);
}

// Columns in the frame become columns in the ground: of what they are of (rows), by what they are
// by (three columns at a time).
template <std::size_t rows>
void to_ground(const PackAxes& axes, Pack (&X)[wrench_columns][rows], Pack (*to)[rows]) {
  for (auto& column : X)
    for (std::size_t i = 0; i < rows; i += 3) {
      const PackVector out = axes.out(triple_at(column + i));
      for (int k = 0; k < 3; ++k) column[i + static_cast<std::size_t>(k)] = out[k];
    }
  constexpr std::size_t spin = 12;
  for (std::size_t first = 0; first < wrench_columns; first += 3) {
    if (first == spin) {
      for (std::size_t i = 0; i < rows; ++i) to[spin][i] += X[spin][i];
      ++first;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const int j = static_cast<int>(c);
      for (std::size_t i = 0; i < rows; ++i)
        to[first + c][i] +=
            multiply_add(axes.x[j], X[first][i],
                         sum_of_products(axes.y[j], X[first + 1][i], axes.z[j], X[first + 2][i]));
    }
  }
}

}  // namespace

template <bool with_rails>
bool LoadedSlopes::find(const Motion& at, const Description& vehicle,
                        const LoadedTreads::Set& springs, const Wanted& wanted, WrenchSlopes& to) {
  using By = Variables<with_rails>;
  Wheels<By> wheels;
  place(at, wheels);
  Sum<By> sum{};
  for (const bool flange : {false, true}) {
    const SheetSpring& spring = flange ? springs.flange : springs.tread;
    Sheet<By> sheet;
    bool inside = true;
    if (look(wheels, flange, spring, sheet, inside))
      add(wheels, sheet, spring, at, vehicle, wanted, flange ? theta_flange : at.theta, sum);
    else if (!inside)
      return false;
  }
  // forces turn with the rails within the step, as in its middle
  const Triple<typename By::Move> half = at.h / 2 * wheels.turn;
  sum.F = sum.F + cross(half, sum.at_t);
  const PackVector half_turn = value(half);
  const PackAxes& axes = wheels.axes;
  const PackVector e = value(wheels.e);

  Pack X[wrench_columns][6];
  put_columns<By>({&sum.F, &sum.M}, wheels.turned, y_w_, e, X);
  for (std::size_t c = 0; c < 6; ++c) {
    const PackVector F = triple_at(sum.bias[c]);
    put_wrench(X[13 + c], F + cross(half_turn, F), triple_at(sum.bias[c] + 3));
    put_wrench(X[19 + c], triple_at(sum.end[c]), triple_at(sum.end[c] + 3));
  }
  to_ground(axes, X, to.dw);
  const PackVector F = axes.out(value(sum.F)), M = axes.out(value(sum.M));
  for (int i = 0; i < 3; ++i) to.w[i] += F[i], to.w[3 + i] += M[i];
  if (wanted.forces) {
    Pack Y[wrench_columns][3];
    put_columns<By>({&sum.force}, wheels.turned, y_w_, e, Y);
    for (std::size_t c = 0; c < 6; ++c) {
      std::copy_n(sum.force_bias[c], 3, Y[13 + c]);
      std::copy_n(sum.force_end[c], 3, Y[19 + c]);
    }
    to_ground(axes, Y, to.dforce);
    const PackVector f = axes.out(value(sum.force));
    for (int i = 0; i < 3; ++i) to.force[i] += f[i];
  }
  if constexpr (with_rails) {
    for (std::size_t c = 0; c < rail_columns; ++c) {
      const int i = c == 0 ? By::rail_y : c < 3 ? By::rail_z : c == 3 ? By::rail_dy : By::rail_dz;
      const Pack share = c % 3 == 2 ? 0.5 * side_ : splat(1);
      const PackVector dF = axes.out(slope(sum.F, i)), dM = axes.out(slope(sum.M, i)),
                       df = axes.out(slope(sum.force, i));
      for (int k = 0; k < 3; ++k) {
        to.dw_rails[c][k] += share * dF[k], to.dw_rails[c][3 + k] += share * dM[k];
        to.dforce_rails[c][k] += share * df[k];
      }
    }
  }
  if (wanted.friction) {
    const PackVector f = triple_at(sum.friction);
    const PackVector dF = axes.out(f + cross(half_turn, triple_at(sum.friction_at_t))),
                     dM = axes.out(triple_at(sum.friction + 3)), df = axes.out(f);
    for (int k = 0; k < 3; ++k)
      to.dw_friction[k] += dF[k], to.dw_friction[3 + k] += dM[k], to.dforce_friction[k] += df[k];
  }
  return true;
}

bool LoadedSlopes::find(const Motion& at, const Description& vehicle,
                        const LoadedTreads::Set& springs, const Wanted& wanted, WrenchSlopes& to) {
  return wanted.rails ? find<true>(at, vehicle, springs, wanted, to)
                      : find<false>(at, vehicle, springs, wanted, to);
}

}  // namespace klingel::step
