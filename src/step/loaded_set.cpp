#include "step/loaded_set.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/pack_exp.hpp"
#include "step/chart_between.hpp"

namespace klingel::step {
namespace {

using base::difference_of_products, base::multiply_add, base::Pack, base::splat,
    base::subtract_product, base::sum_of_products;

// atan2(1, x) = pi/2 - atan(x); x is small but for wheels far out of line
Pack angle_of_cotangent(const Pack& x) {
  constexpr double half_pi = 1.5707963267948966, small = 0.1;
  if (base::bits(base::magnitude(x) < splat(small)) != 15)
    return Pack{std::atan2(1.0, x[0]), std::atan2(1.0, x[1]), std::atan2(1.0, x[2]),
                std::atan2(1.0, x[3])};
  const Pack xx = x * x;
  Pack sum = splat(-1.0 / 15);
  for (const int k : {13, 11, 9, 7, 5, 3, 1})
    sum = multiply_add(xx, sum, splat(k % 4 == 1 ? 1.0 / k : -1.0 / k));
  return subtract_product(x, sum, splat(half_pi));
}

// A flange farther from where its chart begins cannot touch within a step. Treads are always near.
double begin_of(const contact::ContactChart& chart) {
  constexpr double far = 1e-3;  // m
  return chart.tilt() != 0 ? chart.across().begin - far : -INFINITY;
}

void put(Pack* wrench, const PackVector& force, const PackVector& moment) {
  wrench[0] = force.x, wrench[1] = force.y, wrench[2] = force.z;
  wrench[3] = moment.x, wrench[4] = moment.y, wrench[5] = moment.z;
}

}  // namespace

// The positions of the wheels, in their rails' frames.
struct LoadedSet::WheelPosition {
  const PackAxes& axes;
  const PackVector &r_CO, &e;  // from the wheelset's centre to O_w; the axis
  Pack y;
  Pack eta, rho, tau;  // coordinates of the charts
  Pack h;              // height of the wheel's lowest point above the rail
};

// How they move, and what is left of their accelerations at ddq = 0.
struct LoadedSet::Rates {
  const PackVector &v_C, &w_total;
  const PackVector &a_C, &dw_total;  // rates of their components
  Pack v_t;                          // of O_w along the rail
  const PackVector& de;              // of the axis, in the frame
  Pack ddx[4];
  const PackVector& rail;  // velocity of a moving rail
};

void LoadedSet::occupy(std::size_t lane, const contact::ChartedPair& pair,
                       const track::RailLine& line, profile::Side side, double r0, double y_w) {
  rails_.occupy(lane, line);
  tread_charts_[lane] = &pair.tread;
  flange_charts_[lane] = pair.flange ? &*pair.flange : nullptr;
  for (auto [sheet, chart] :
       {std::pair(&tread_, tread_charts_[lane]), {&flange_, flange_charts_[lane]}})
    if (chart != nullptr) {
      sheet->charts |= 1u << lane;
      sheet->cosine[lane] = chart->cosine, sheet->sine[lane] = chart->sine;
      sheet->begin[lane] = begin_of(chart->chart);
    }
  side_[lane] = side == profile::Side::left ? 1 : -1;
  r0_[lane] = r0;
  y_w_[lane] = y_w;
  top_[lane] = pair.top;
  occupied_ |= 1u << lane;
}

void LoadedSet::shift(std::size_t lane, const RailShift& by) {
  shift_y_[lane] = by.y, shift_z_[lane] = by.z;
  shift_dy_[lane] = by.dy, shift_dz_[lane] = by.dz;
  shifted_ = true;
}

void LoadedSet::evaluate(const WheelsetMotion& of) {
  const PackVector r_O = add(of.r_C, y_w_, of.e_y);

  // the foot of O_w on the rail's line: Newton's method, from where it is expected
  constexpr int most = 8;
  constexpr double close = 1e-8;  // m; y and z feel it by the slopes of irregular rails
  RailFrames rail = rails_.at(s_r_);
  const PackAxes& axes = rail.axes;
  const PackVector &k = rail.k, &dk = rail.dk;
  Pack y, z, D;
  for (int i = 0;; ++i) {
    const PackVector d = r_O - rail.origin;
    y = dot(axes.y, d), z = dot(axes.z, d);
    const Pack along = dot(axes.x, d);
    D = rail.v + difference_of_products(k.y, z, k.z, y);
    const base::Mask off = base::magnitude(along) > splat(close);
    if (i == most || (base::bits(off) & occupied_) == 0) break;
    s_r_ = base::select(off, s_r_ + along / D, s_r_);
    rail = rails_.at(s_r_);
  }
  on_line_ = rails_.contain(s_r_);

  const PackVector e = axes.in(of.e_y), r = y_w_ * e;
  const Pack per_D = 1 / D;

  // motion, in the frames   [eq:place]
  const PackVector v_C = axes.in(of.v_C), w = axes.in(of.w), w_total = add(w, of.spin, e);
  const PackVector w_r = cross(w, r), v_O = v_C + w_r;
  ds_r_ = v_O.x * per_D;
  const PackVector turn = ds_r_ * k, w_rel = w - turn, de = cross(w_rel, e);
  turn_ = axes.out(turn);
  Pack dy = multiply_add(turn.x, z, v_O.y), dz = subtract_product(turn.x, y, v_O.z);
  put(u_, of.v_C, add(of.w, of.spin, of.e_y));

  // accelerations at ddq = 0; components in a turning frame: d(a)/dt - turn x a
  const PackVector dv_C = axes.in(of.dv_C), dw_ground = axes.in(of.dw);
  const PackVector a_C = dv_C - cross(turn, v_C), dw = dw_ground - cross(turn, w);
  const PackVector dw_total = add(dw, of.spin, de);
  const PackVector a_O = a_C + cross(dw_ground, r) + cross(w_rel, w_r);
  const Pack dD = multiply_add(ds_r_, rail.dv + difference_of_products(dk.y, z, dk.z, y),
                               difference_of_products(k.y, dz, k.z, dy));
  const Pack dds_r = subtract_product(ds_r_, dD, a_O.x) * per_D;
  const PackVector dturn = add(dds_r * k, ds_r_ * ds_r_, dk);
  const Pack ddy = a_O.y + sum_of_products(dturn.x, z, turn.x, dz);
  const Pack ddz = a_O.z - sum_of_products(dturn.x, y, turn.x, dy);
  const PackVector dde = cross(dw - dturn, e) + cross(w_rel, de);

  // rows of dx by (v_C, w): a force F in the frame and the moment M + r_CO x F; ds_r takes
  // per_D k . M from F along the rail
  const Pack zero{}, along_y = per_D * k.x * z, along_z = -per_D * k.x * y;
  put(rows_[0], add(axes.y, along_y, axes.x),
      axes.out({-r.z, r.z * along_y, subtract_product(r.y, along_y, r.x)}));
  put(rows_[1], add(axes.z, along_z, axes.x), axes.out({r.y, r.z * along_z - r.x, -r.y * along_z}));
  const Pack along_n = -per_D * difference_of_products(k.x, e.y, k.y, e.x);
  put(rows_[2], along_n * axes.x, axes.out({e.y, r.z * along_n - e.x, -r.y * along_n}));
  const Pack along_t = -per_D * difference_of_products(k.y, e.z, k.z, e.y);
  put(rows_[3], along_t * axes.x,
      axes.out_yz(multiply_add(r.z, along_t, e.z), -multiply_add(r.y, along_t, e.y)));

  // relative to rails that have moved
  PackVector moving{};
  if (moved_ || shifted_) {
    across_ = axes.y, up_ = axes.z;
    y -= rail_y_ + shift_y_, z -= rail_z_ + shift_z_;
    moving = {zero, rail_dy_, rail_dz_ + shift_dz_};
    dy -= moving.y + shift_dy_, dz -= moving.z;
    shift_velocity_ = axes.out({zero, zero, shift_dz_});
    const PackVector v = axes.out(moving);
    u_[0] -= v.x, u_[1] -= v.y, u_[2] -= v.z;
  }
  const Pack rho = side_ * e.z;
  const WheelPosition p{.axes = axes,
                        .r_CO = r,
                        .e = e,
                        .y = y,
                        .eta = sum_of_products(side_, y, r0_, rho),
                        .rho = rho,
                        .tau = r0_ * e.x * e.x,
                        .h = z - r0_ * subtract_product(rho / 2, rho, splat(1))};
  lift_ = p.h - top_;
  dx_[0] = dy, dx_[1] = dz, dx_[2] = de.z, dx_[3] = de.x;
  const Rates m{.v_C = v_C,
                .w_total = w_total,
                .a_C = a_C,
                .dw_total = dw_total,
                .v_t = v_O.x,
                .de = de,
                .ddx = {ddy, ddz, dde.z, dde.x},
                .rail = moving};
  look(tread_, tread_charts_.data(), p, m, false);
  look(flange_, flange_charts_.data(), p, m, true);
}

namespace {

// A value or derivative of the charts of four wheels, by field.
struct ChartedLanes {
  Pack zeta, w, F, log_B;

  ChartedLanes(const contact::Charted* of, Pack contact::Charted::*value)
      : zeta(of[0].*value), w(of[1].*value), F(of[2].*value), log_B(of[3].*value) {
    base::transpose(zeta, w, F, log_B);
  }
};

}  // namespace

// Where charts change along the rail: those of now.
void LoadedSet::choose_charts(Sheet& sheet, const contact::ChartedSheet* const* charts,
                              bool flange) {
  sheet.drift = Pack{};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if ((sheet.charts >> lane & 1) == 0 || places_[lane].empty()) continue;
    const ChartBetween place = chart_between(places_[lane], charts[lane], flange, s_r_[lane]);
    sheet.cosine[lane] = place.one->cosine, sheet.sine[lane] = place.one->sine;
    sheet.begin[lane] = begin_of(place.one->chart);
    if (place.two != nullptr)
      sheet.begin[lane] = std::min(sheet.begin[lane], begin_of(place.two->chart));
  }
}

// Between two charts: values of the first become those of the place, and phi has a rate by it.
void LoadedSet::blend_charts(Sheet& sheet, const contact::ChartedSheet* chart,
                             const WheelPosition& p, double across, std::size_t lane, bool flange,
                             contact::Charted& x) const {
  const ChartBetween place = chart_between(places_[lane], chart, flange, s_r_[lane]);
  place.one->chart.at(across, p.rho[lane], p.tau[lane], x);
  if (place.two == nullptr) return;
  const contact::Charted y = place.two->chart.at(across, p.rho[lane], p.tau[lane]);
  const double down = p.h[lane] * sheet.cosine[lane] - p.eta[lane] * sheet.sine[lane];
  const auto phi = [&](const contact::Charted& at) {
    return at.f[contact::w] * (down - at.f[contact::zeta]);
  };
  sheet.drift[lane] = (phi(y) - phi(x)) * place.per_length * ds_r_[lane];
  blend(x, y, place.share);
}

// Reads charts where not all wheels are near or charts change; returns which of them are inside.
unsigned LoadedSet::read_some(Sheet& sheet, const contact::ChartedSheet* const* charts,
                              const WheelPosition& p, const Pack& across, bool flange,
                              contact::Charted* to) const {
  unsigned inside = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    contact::Charted& x = to[lane];
    if ((sheet.has >> lane & 1) == 0) {
      x = contact::Charted{};
      x.f[contact::w] = 1;
      continue;
    }
    if (changing_ && !places_[lane].empty())
      blend_charts(sheet, charts[lane], p, across[lane], lane, flange, x);
    else
      charts[lane]->chart.at(across[lane], p.rho[lane], p.tau[lane], x);
    inside |= static_cast<unsigned>(x.inside) << lane;
  }
  return inside;
}

// One sheet of the four wheels.
void LoadedSet::look(Sheet& sheet, const contact::ChartedSheet* const* charts,
                     const WheelPosition& p, const Rates& m, bool flange) {
  if (changing_) choose_charts(sheet, charts, flange);
  const Pack &h = p.h, &c = sheet.cosine, &s = sheet.sine;  // of the chart's tilt
  const Pack across = sum_of_products(p.eta, c, h, s);
  sheet.has = sheet.charts & ~base::bits(across < sheet.begin);
  sheet.inside = 0;
  if (sheet.has == 0) {
    sheet.phi = splat(1);
    return;
  }
  contact::Charted charted[lanes];
  if (sheet.has == 15 && !changing_) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      charts[lane]->chart.at(across[lane], p.rho[lane], p.tau[lane], charted[lane]);
      sheet.inside |= static_cast<unsigned>(charted[lane].inside) << lane;
    }
  } else {
    sheet.inside = read_some(sheet, charts, p, across, flange, charted);
  }

  const ChartedLanes f(charted, &contact::Charted::f), f_a(charted, &contact::Charted::f_a),
      f_r(charted, &contact::Charted::f_rho), f_t(charted, &contact::Charted::f_tau),
      f_aa(charted, &contact::Charted::f_aa), f_ar(charted, &contact::Charted::f_a_rho),
      f_rr(charted, &contact::Charted::f_rho_rho), f_at(charted, &contact::Charted::f_a_tau);
  const Pack &zeta = f.zeta, &zeta_a = f_a.zeta, &zeta_r = f_r.zeta, &zeta_t = f_t.zeta;
  const Pack &zeta_aa = f_aa.zeta, &zeta_ar = f_ar.zeta, &zeta_rr = f_rr.zeta, &zeta_at = f_at.zeta;
  const Pack &w = f.w, &w_a = f_a.w, &w_r = f_r.w, &w_t = f_t.w;
  const Pack &F = f.F, &F_a = f_a.F, &F_r = f_r.F, &F_t = f_t.F, B = base::exponential(f.log_B);

  // phi = w gap and its derivatives by across, down, rho, tau; second derivatives of w times the
  // gap are left out: the gap is some 50 um
  const Pack gap = difference_of_products(h, c, p.eta, s) - zeta;
  sheet.phi = base::select(base::mask(sheet.has), w * gap, splat(1));
  const Pack phi_a = difference_of_products(w_a, gap, w, zeta_a),
             phi_r = difference_of_products(w_r, gap, w, zeta_r),
             phi_t = difference_of_products(w_t, gap, w, zeta_t);
  const Pack aa = -sum_of_products(2 * w_a, zeta_a, w, zeta_aa);
  const Pack ar = -multiply_add(w_a, zeta_r, sum_of_products(w_r, zeta_a, w, zeta_ar));
  const Pack rr = -sum_of_products(2 * w_r, zeta_r, w, zeta_rr);
  const Pack at = -multiply_add(w_a, zeta_t, sum_of_products(w_t, zeta_a, w, zeta_at));
  // by eta and h, which are turned by the tilt
  const Pack phi_eta = difference_of_products(c, phi_a, s, w),
             phi_h = sum_of_products(s, phi_a, c, w);
  const Pack c_aa = c * aa, s_aa = s * aa;
  const Pack ee = c * subtract_product(2 * s, w_a, c_aa),
             eh = multiply_add(s, c_aa, difference_of_products(c, c, s, s) * w_a),
             hh = s * multiply_add(2 * c, w_a, s_aa);
  const Pack er = difference_of_products(c, ar, s, w_r), hr = sum_of_products(s, ar, c, w_r);
  const Pack et = difference_of_products(c, at, s, w_t), ht = sum_of_products(s, at, c, w_t);
  // and by y, z, e_n, e_t: eta = y + r0 rho, h = z - r0 (1 - rho^2/2), tau = r0 e_t^2
  const Pack dh = r0_ * p.rho, dtau = 2 * r0_ * p.e.x;
  const Pack by_e = multiply_add(dh, eh, r0_ * ee), by_h = multiply_add(dh, hh, r0_ * eh);
  Pack(&G)[4] = sheet.G;
  G[0] = side_ * phi_eta;
  G[1] = phi_h;
  G[2] = side_ * (phi_r + sum_of_products(r0_, phi_eta, dh, phi_h));
  G[3] = dtau * phi_t;
  Pack(&H)[4][4] = sheet.H;
  H[0][0] = ee;
  H[0][1] = side_ * eh;
  H[0][2] = er + by_e;
  H[0][3] = side_ * dtau * et;
  H[1][1] = hh;
  H[1][2] = side_ * (hr + by_h);
  H[1][3] = dtau * ht;
  H[2][2] = multiply_add(r0_, 2 * er + by_e + phi_h, rr) + dh * (2 * hr + by_h);
  H[2][3] = side_ * dtau * sum_of_products(r0_, et, dh, ht);
  H[3][3] = 2 * r0_ * phi_t;

  // gamma_n = -d^2(phi)/dt^2 at ddq = 0
  Pack rate{};
  for (int i = 0; i < 4; ++i) {
    Pack turned = H[0][i] * dx_[0];
    for (int j = 1; j < 4; ++j) turned = multiply_add(j < i ? H[j][i] : H[i][j], dx_[j], turned);
    sheet.dG[i] = turned;
    rate = multiply_add(G[i], m.ddx[i], multiply_add(dx_[i], turned, rate));
  }
  sheet.motion.gamma_n = -rate;

  // the normal, the tangents and the middle of the patch
  const Pack per_size = 1 / base::root(sum_of_products(G[0], G[0], G[1], G[1]));
  const Pack n_y = G[0] * per_size, n_z = G[1] * per_size;
  const Pack per_h = 1 / phi_h, steep = -phi_eta * per_h;       // slope of the rail, outwards
  sheet.u_w = side_ * sum_of_products(phi_r, per_h, steep, F);  // the lever of the normal force
  sheet.radius = r0_ + F;
  const Pack under = multiply_add(steep, p.rho, splat(1)), per_under = 1 / under;
  const Pack slope = side_ * (p.rho - steep) * per_under;  // of f_w there
  const Pack tan_a = slope * p.e.x;
  PackVector r_CP = (y_w_ + sheet.u_w) * p.e;
  r_CP.x = multiply_add(sheet.radius, tan_a, r_CP.x);
  r_CP.y = multiply_add(sheet.radius, p.e.z, r_CP.y);
  r_CP.z = subtract_product(sheet.radius, p.e.y, r_CP.z);
  sheet.u_r = p.y + r_CP.y - p.r_CO.y;
  sheet.theta_w = angle_of_cotangent(tan_a);

  // wrenches about the wheelset's centre: of G, of x along the rail and of t_y = (0, n_z, -n_y)
  const PackAxes& axes = p.axes;
  for (int i = 0; i < 6; ++i) {
    sheet.frame.W_n[i] = G[0] * rows_[0][i];
    for (int k = 1; k < 4; ++k)
      sheet.frame.W_n[i] = multiply_add(G[k], rows_[k][i], sheet.frame.W_n[i]);
  }
  put(sheet.frame.W_x, axes.x, axes.out_yz(r_CP.z, -r_CP.y));
  put(sheet.frame.W_y, axes.out_yz(n_z, -n_y),
      axes.out({-sum_of_products(r_CP.y, n_y, r_CP.z, n_z), r_CP.x * n_y, r_CP.x * n_z}));
  const Pack along_axis = sum_of_products(n_y, p.e.y, n_z, p.e.z);
  sheet.frame.Kw_x = base::root(subtract_product(along_axis, along_axis, splat(1))) / sheet.radius;
  sheet.frame.Kw_y = 2 * B;
  sheet.frame.sin_angle = -n_y;
  sheet.frame.cos_angle = n_z;
  sheet.n_r = axes.out_yz(n_y, n_z);

  // slip, and how it changes while the patch moves over wheel and rail
  PackVector v_P = m.v_C + cross(m.w_total, r_CP);
  if (moved_ || shifted_) v_P = v_P - m.rail;
  const auto across_patch = [&](const PackVector& a) {
    return difference_of_products(n_z, a.y, n_y, a.z);
  };
  const auto normal = [&](const PackVector& a) { return sum_of_products(n_y, a.y, n_z, a.z); };
  sheet.motion.nu[0] = v_P.x;
  sheet.motion.nu[1] = across_patch(v_P);
  sheet.motion.nu[2] = normal(m.w_total);
  sheet.motion.V = subtract_product(splat(0.5), v_P.x, m.v_t);  // mean of O_w and the rolling
  const Pack drho = side_ * m.de.z, deta = sum_of_products(side_, dx_[0], r0_, drho);
  const Pack dtau_dt = dtau * m.de.x;
  const Pack dh_dt = multiply_add(dh, drho, dx_[1]), da = sum_of_products(c, deta, s, dh_dt);
  const Pack dF = multiply_add(F_a, da, sum_of_products(F_r, drho, F_t, dtau_dt));
  const Pack dphi_eta = side_ * sheet.dG[0], dphi_h = sheet.dG[1];
  const Pack dphi_r = multiply_add(er, deta, sum_of_products(hr, dh_dt, rr, drho));
  const Pack dsteep = -multiply_add(steep, dphi_h, dphi_eta) * per_h;
  const Pack lever = phi_r * per_h;
  const Pack du = side_ * multiply_add(subtract_product(lever, dphi_h, dphi_r), per_h,
                                       sum_of_products(dsteep, F, steep, dF));
  // n turns to -t_y, by d(steep) / (1 + steep^2)
  const Pack cosine = phi_h * per_size, dangle = side_ * dsteep * (cosine * cosine);
  PackVector dr = add(du * p.e, y_w_ + sheet.u_w, m.de);
  // a turned wheel touches ahead of its axle, by the radius times tan_a
  const Pack dunder = sum_of_products(dsteep, p.rho, steep, drho);
  const Pack dslope = subtract_product(slope, dunder, side_ * (drho - dsteep)) * per_under;
  dr.x += sum_of_products(sheet.radius, sum_of_products(slope, m.de.x, dslope, p.e.x), dF, tan_a);
  dr.y += sum_of_products(sheet.radius, m.de.z, dF, p.e.z);
  dr.z -= sum_of_products(sheet.radius, m.de.y, dF, p.e.y);
  const PackVector dv_P = m.a_C + cross(m.dw_total, r_CP) + cross(m.w_total, dr);
  sheet.motion.dnu[0] = dv_P.x;
  sheet.motion.dnu[1] = multiply_add(dangle, normal(v_P), across_patch(dv_P));
  sheet.motion.dnu[2] = subtract_product(dangle, across_patch(m.w_total), normal(m.dw_total));
}

}  // namespace klingel::step
