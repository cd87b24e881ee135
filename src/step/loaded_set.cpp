#include "step/loaded_set.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/pack_exp.hpp"

namespace klingel::step {
namespace {

using base::Pack, base::splat;

PackVector vector_at(const Pack* from) { return {from[0], from[1], from[2]}; }

PackVector vector_of(const spline::Vector3<Pack>& v) { return {v.x, v.y, v.z}; }

// four rails' frames
struct Rails {
  PackVector origin, k, dk;
  PackAxes axes;
  Pack v, dv;

  explicit Rails(const RailFrames& f)
      : origin(vector_of(f.origin)),
        k(vector_of(f.k)),
        dk(vector_of(f.dk)),
        axes{vector_of(f.axes.x), vector_of(f.axes.y), vector_of(f.axes.z)},
        v(f.v),
        dv(f.dv) {}
};

// atan2(1, x) = pi/2 - atan(x); x is small but for wheels far out of line
Pack angle_of_cotangent(const Pack& x) {
  constexpr double half_pi = 1.5707963267948966, small = 0.1;
  if (base::bits(base::magnitude(x) < splat(small)) != 15)
    return Pack{std::atan2(1.0, x[0]), std::atan2(1.0, x[1]), std::atan2(1.0, x[2]),
                std::atan2(1.0, x[3])};
  const Pack xx = x * x;
  Pack sum = splat(-1.0 / 15);
  for (const int k : {13, 11, 9, 7, 5, 3, 1}) sum = (k % 4 == 1 ? 1.0 / k : -1.0 / k) + xx * sum;
  return half_pi - x * sum;
}

void put(Pack* wrench, const PackVector& force, const PackVector& moment) {
  for (int i = 0; i < 3; ++i) wrench[i] = force[i], wrench[3 + i] = moment[i];
}

}  // namespace

// The positions of the wheels, in their rails' frames.
struct LoadedSet::WheelPosition {
  Rails rail;
  PackVector r_CO, e;  // from the wheelset's centre to O_w; the axis
  Pack y, z;
  Pack eta, rho, tau;  // coordinates of the charts
  Pack D;
};

// How they move, and what is left of their accelerations at ddq = 0.
struct LoadedSet::Rates {
  PackVector v_C, w, w_total, v_O, turn;  // turn: of the frame, ds_r k
  PackVector a_C, dw_total;               // rates of the components of v_C and w_total
  Pack dy, dz, ddy, ddz;
  PackVector de, dde;  // of the axis, in the frame
  PackVector rail;     // velocity of a moving rail
};

void LoadedSet::occupy(std::size_t lane, const contact::ChartedPair& pair,
                       const track::RailLine& line, profile::Side side, double r0, double y_w) {
  rails_.occupy(lane, line);
  tread_charts_[lane] = &pair.tread;
  flange_charts_[lane] = pair.flange ? &*pair.flange : nullptr;
  for (auto [sheet, chart] :
       {std::pair(&tread_, tread_charts_[lane]), {&flange_, flange_charts_[lane]}})
    if (chart != nullptr) sheet->cosine[lane] = chart->cosine, sheet->sine[lane] = chart->sine;
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

void LoadedSet::evaluate(const Lanes& poses, const Lanes& twists, const Lanes& biases) {
  Pack pose[12], twist[7], bias[6];
  gather<12>(poses, pose);
  gather<7>(twists, twist);
  gather<6>(biases, bias);
  const PackVector r_C = vector_at(pose), e_y = vector_at(pose + 6);
  const PackVector r_O = r_C + y_w_ * e_y;

  // the foot of O_w on the rail's line: Newton's method, from where it is expected
  constexpr int most = 8;
  constexpr double close = 1e-8;  // m; y and z feel it by the slopes of irregular rails
  WheelPosition p{.rail = Rails(rails_.at(s_r_))};
  for (int i = 0;; ++i) {
    const PackVector d = r_O - p.rail.origin;
    p.y = dot(p.rail.axes.y, d), p.z = dot(p.rail.axes.z, d);
    const Pack along = dot(p.rail.axes.x, d);
    const base::Mask off = base::magnitude(along) > splat(close);
    if (i == most || (base::bits(off) & occupied_) == 0) break;
    const Pack per_s = p.rail.v + p.rail.k.y * p.z - p.rail.k.z * p.y;
    s_r_ = base::select(off, s_r_ + along / per_s, s_r_);
    p.rail = Rails(rails_.at(s_r_));
  }
  on_line_ = rails_.contain(s_r_);

  const PackAxes& axes = p.rail.axes;
  p.e = axes.in(e_y);
  p.r_CO = y_w_ * p.e;
  p.rho = side_ * p.e.z;
  p.tau = r0_ * p.e.x * p.e.x;
  const PackVector &k = p.rail.k, &dk = p.rail.dk;
  p.D = p.rail.v + k.y * p.z - k.z * p.y;

  // motion, in the frames   [eq:place]
  Rates m;
  m.v_C = axes.in(vector_at(twist));
  m.w = axes.in(vector_at(twist + 3));
  const Pack spin = twist[6];
  m.w_total = m.w + spin * p.e;
  m.v_O = m.v_C + cross(m.w, p.r_CO);
  ds_r_ = m.v_O.x / p.D;
  m.turn = ds_r_ * k;
  turn_ = axes.out(m.turn);
  m.dy = m.v_O.y + m.turn.x * p.z;
  m.dz = m.v_O.z - m.turn.x * p.y;
  m.de = cross(m.w - m.turn, p.e);

  put(u_, vector_at(twist), vector_at(twist + 3) + spin * e_y);

  // accelerations at ddq = 0; components in a turning frame: d(a)/dt - turn x a
  const PackVector dv_C = axes.in(vector_at(bias)), dw = axes.in(vector_at(bias + 3));
  m.a_C = dv_C - cross(m.turn, m.v_C);
  m.dw_total = dw + spin * cross(m.w, p.e) - cross(m.turn, m.w_total);
  const PackVector dv_O = dv_C + cross(dw, p.r_CO) + cross(m.w, cross(m.w, p.r_CO));
  const PackVector a_O = dv_O - cross(m.turn, m.v_O);
  const Pack dD = ds_r_ * (p.rail.dv + dk.y * p.z - dk.z * p.y) + k.y * m.dz - k.z * m.dy;
  const Pack dds_r = (a_O.x - ds_r_ * dD) / p.D;
  const PackVector dturn = dds_r * k + ds_r_ * ds_r_ * dk;
  m.ddy = a_O.y + dturn.x * p.z + m.turn.x * m.dz;
  m.ddz = a_O.z - dturn.x * p.y - m.turn.x * m.dy;
  const PackVector dw_rel = dw - cross(m.turn, m.w) - dturn;
  m.dde = cross(dw_rel, p.e) + cross(m.w - m.turn, m.de);

  // rows of dx by (v_C, w)
  const Pack per_D = 1 / p.D, zero{}, one = splat(1);
  const auto row = [&](int i, PackVector force, const PackVector& moment) {
    force.x -= per_D * dot(k, moment);
    put(rows_[i], axes.out(force), axes.out(moment + cross(p.r_CO, force)));
  };
  row(0, {per_D * k.x * p.z, one, zero}, {});
  row(1, {-per_D * k.x * p.y, zero, one}, {});
  row(2, {}, {p.e.y, -p.e.x, zero});
  row(3, {}, {zero, p.e.z, -p.e.y});

  // relative to rails that have moved
  if (moved_ || shifted_) {
    across_ = axes.y, up_ = axes.z;
    p.y -= rail_y_ + shift_y_, p.z -= rail_z_ + shift_z_;
    m.rail = {zero, rail_dy_, rail_dz_ + shift_dz_};
    m.dy -= m.rail.y + shift_dy_, m.dz -= m.rail.z;
    shift_velocity_ = axes.out({zero, zero, shift_dz_});
    const PackVector v = axes.out(m.rail);
    for (int i = 0; i < 3; ++i) u_[i] -= v[i];
  }
  p.eta = side_ * p.y + r0_ * p.rho;
  const Pack height = p.z - r0_ * (1 - p.rho * p.rho / 2);
  lift_ = height - top_;
  dx_[0] = m.dy, dx_[1] = m.dz, dx_[2] = m.de.z, dx_[3] = m.de.x;

  look(tread_, tread_charts_.data(), p, m, false);
  look(flange_, flange_charts_.data(), p, m, true);
}

LoadedSet::Between LoadedSet::between(std::size_t lane, const contact::ChartedSheet* chart,
                                      bool flange) const {
  const std::span<const ChartPlace> places = places_[lane];
  if (places.empty()) return {chart};
  const auto sheet = [&](std::size_t i) {
    const contact::ChartedPair& pair = *places[i].pair;
    return flange ? &*pair.flange : &pair.tread;
  };
  const double s = s_r_[lane];
  std::size_t next = 0;
  while (next < places.size() && places[next].s <= s) ++next;
  if (next == 0) return {sheet(0)};
  if (next == places.size()) return {sheet(next - 1)};
  const double length = places[next].s - places[next - 1].s;
  return {sheet(next - 1), sheet(next), (s - places[next - 1].s) / length, 1 / length};
}

namespace {

// part of the second chart in the first
void blend(contact::Charted& one, const contact::Charted& two, double share) {
  for (base::Pack contact::Charted::*field :
       {&contact::Charted::f, &contact::Charted::f_a, &contact::Charted::f_rho,
        &contact::Charted::f_tau, &contact::Charted::f_aa, &contact::Charted::f_a_rho,
        &contact::Charted::f_rho_rho, &contact::Charted::f_a_tau})
    one.*field += share * (two.*field - one.*field);
  one.inside = one.inside && two.inside;
}

// A value or derivative of the charts of four wheels, by field.
struct ChartedLanes {
  Pack zeta, w, F, log_B;

  ChartedLanes(const contact::Charted* of, Pack contact::Charted::*value)
      : zeta(of[0].*value), w(of[1].*value), F(of[2].*value), log_B(of[3].*value) {
    base::transpose(zeta, w, F, log_B);
  }
};

}  // namespace

// One sheet of the four wheels.
void LoadedSet::look(Sheet& sheet, const contact::ChartedSheet* const* charts,
                     const WheelPosition& p, const Rates& m, bool flange) {
  // a flange farther from where its chart begins cannot touch within a step, m
  constexpr double far = 1e-3;
  sheet.has = sheet.inside = 0;
  const Pack h = p.z - r0_ * (1 - p.rho * p.rho / 2);
  Pack &c = sheet.cosine, &s = sheet.sine;  // of the chart's tilt
  contact::Charted charted[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if ((occupied_ >> lane & 1) == 0 || charts[lane] == nullptr) continue;
    const Between place = between(lane, charts[lane], flange);
    const contact::ContactChart& chart = place.one->chart;
    if (!places_[lane].empty()) c[lane] = place.one->cosine, s[lane] = place.one->sine;
    const double across = p.eta[lane] * c[lane] + h[lane] * s[lane];
    double begin = chart.across().begin;
    if (place.two != nullptr) begin = std::min(begin, place.two->chart.across().begin);
    if (chart.tilt() != 0 && across < begin - far) continue;
    contact::Charted& x = charted[lane];
    chart.at(across, p.rho[lane], p.tau[lane], x);
    sheet.drift[lane] = 0;
    if (place.two != nullptr) {
      const contact::Charted y = place.two->chart.at(across, p.rho[lane], p.tau[lane]);
      const double down = h[lane] * c[lane] - p.eta[lane] * s[lane];
      const auto phi = [&](const contact::Charted& at) {
        return at.f[contact::w] * (down - at.f[contact::zeta]);
      };
      sheet.drift[lane] = (phi(y) - phi(x)) * place.per_length * ds_r_[lane];
      blend(x, y, place.share);
    }
    sheet.has |= 1u << lane;
    if (x.inside) sheet.inside |= 1u << lane;
  }
  if (sheet.has == 0) {
    sheet.phi = splat(1);
    return;
  }
  contact::Charted none{};
  none.f[contact::w] = 1;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if ((sheet.has >> lane & 1) == 0) charted[lane] = none;

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
  const Pack gap = h * c - p.eta * s - zeta;
  sheet.phi = base::select(base::mask(sheet.has), w * gap, splat(1));
  const Pack phi_a = w_a * gap - w * zeta_a, phi_r = w_r * gap - w * zeta_r;
  const Pack phi_t = w_t * gap - w * zeta_t;
  const Pack aa = -2 * w_a * zeta_a - w * zeta_aa;
  const Pack ar = -w_a * zeta_r - w_r * zeta_a - w * zeta_ar;
  const Pack rr = -2 * w_r * zeta_r - w * zeta_rr;
  const Pack at = -w_a * zeta_t - w_t * zeta_a - w * zeta_at;
  // by eta and h, which are turned by the tilt
  const Pack phi_eta = c * phi_a - s * w, phi_h = s * phi_a + c * w;
  const Pack ee = c * (c * aa - 2 * s * w_a), eh = c * s * aa + (c * c - s * s) * w_a,
             hh = s * (s * aa + 2 * c * w_a);
  const Pack er = c * ar - s * w_r, hr = s * ar + c * w_r;
  const Pack et = c * at - s * w_t, ht = s * at + c * w_t;
  // and by y, z, e_n, e_t: eta = y + r0 rho, h = z - r0 (1 - rho^2/2), tau = r0 e_t^2
  const Pack dh = r0_ * p.rho, dtau = 2 * r0_ * p.e.x;
  sheet.G[0] = side_ * phi_eta;
  sheet.G[1] = phi_h;
  sheet.G[2] = side_ * (phi_r + r0_ * phi_eta + dh * phi_h);
  sheet.G[3] = dtau * phi_t;
  Pack(&H)[4][4] = sheet.H;
  H[0][0] = ee;
  H[0][1] = side_ * eh;
  H[0][2] = er + r0_ * ee + dh * eh;
  H[0][3] = side_ * dtau * et;
  H[1][1] = hh;
  H[1][2] = side_ * (hr + r0_ * eh + dh * hh);
  H[1][3] = dtau * ht;
  H[2][2] = rr + 2 * (r0_ * er + dh * hr) + r0_ * (r0_ * ee + 2 * dh * eh + phi_h) + dh * dh * hh;
  H[2][3] = side_ * dtau * (r0_ * et + dh * ht);
  H[3][3] = 2 * r0_ * phi_t;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) H[i][j] = H[j][i];

  // the normal, the tangents and the middle of the patch
  const Pack size = base::root(sheet.G[0] * sheet.G[0] + sheet.G[1] * sheet.G[1]);
  const Pack n_y = sheet.G[0] / size, n_z = sheet.G[1] / size, zero{};
  const PackVector n{zero, n_y, n_z}, t_y{zero, n_z, -n_y};
  const Pack per_h = 1 / phi_h, steep = -phi_eta * per_h;  // slope of the rail, outwards
  sheet.u_w = side_ * (phi_r * per_h + steep * F);         // the lever of the normal force
  sheet.radius = r0_ + F;
  const Pack slope = side_ * (p.rho - steep) / (1 + steep * p.rho);  // of f_w there
  const Pack tan_a = slope * p.e.x;
  const PackVector down{zero, p.e.z, -p.e.y};
  PackVector r_CP = (y_w_ + sheet.u_w) * p.e + sheet.radius * down;
  r_CP.x += sheet.radius * tan_a;
  sheet.u_r = p.y + r_CP.y - p.r_CO.y;
  sheet.theta_w = angle_of_cotangent(tan_a);

  // wrenches about the wheelset's centre
  const PackAxes& axes = p.rail.axes;
  for (int i = 0; i < 6; ++i) {
    sheet.frame.W_n[i] = sheet.G[0] * rows_[0][i];
    for (int k = 1; k < 4; ++k) sheet.frame.W_n[i] += sheet.G[k] * rows_[k][i];
  }
  const PackVector t_x{splat(1), zero, zero};
  put(sheet.frame.W_x, axes.x, axes.out(cross(r_CP, t_x)));
  put(sheet.frame.W_y, axes.out(t_y), axes.out(cross(r_CP, t_y)));
  const Pack along_axis = dot(n, p.e);
  sheet.frame.Kw_x = base::root(1 - along_axis * along_axis) / sheet.radius;
  sheet.frame.Kw_y = 2 * B;
  sheet.frame.Kr_y = zero;
  sheet.frame.sin_angle = -n_y;
  sheet.frame.cos_angle = n_z;
  sheet.n_r = axes.out(n);

  // slip, and how it changes while the patch moves over wheel and rail
  PackVector v_P = m.v_C + cross(m.w_total, r_CP);
  if (moved_ || shifted_) v_P = v_P - m.rail;
  sheet.motion.nu[0] = v_P.x;
  sheet.motion.nu[1] = dot(t_y, v_P);
  sheet.motion.nu[2] = dot(n, m.w_total);
  const Pack rolling = cross(m.w_total, r_CP - p.r_CO).x;
  sheet.motion.V = (m.v_O.x - rolling) / 2;
  const Pack deta = side_ * m.dy + r0_ * side_ * m.de.z, drho = side_ * m.de.z;
  const Pack dtau_dt = dtau * m.de.x;
  const Pack dh_dt = m.dz + dh * drho, da = c * deta + s * dh_dt;
  const Pack dF = F_a * da + F_r * drho + F_t * dtau_dt;
  const Pack dphi_eta = ee * deta + eh * dh_dt + er * drho + et * dtau_dt;
  const Pack dphi_h = eh * deta + hh * dh_dt + hr * drho + ht * dtau_dt;
  const Pack dphi_r = er * deta + hr * dh_dt + rr * drho;
  const Pack dsteep = -(dphi_eta + steep * dphi_h) * per_h;
  const Pack lever = phi_r * per_h;
  const Pack du = side_ * ((dphi_r - lever * dphi_h) * per_h + dsteep * F + steep * dF);
  const Pack dangle = side_ * dsteep / (1 + steep * steep);  // n turns to -t_y
  PackVector dr = du * p.e + (y_w_ + sheet.u_w) * m.de + dF * down;
  // a turned wheel touches ahead of its axle, by the radius times tan_a
  const Pack under = 1 + steep * p.rho;
  const Pack dslope =
      side_ * ((drho - dsteep) * under - (p.rho - steep) * (dsteep * p.rho + steep * drho)) /
      (under * under);
  dr.x += sheet.radius * (slope * m.de.x + dslope * p.e.x) + dF * tan_a;
  dr.y += sheet.radius * m.de.z;
  dr.z -= sheet.radius * m.de.y;
  const PackVector dv_P = m.a_C + cross(m.dw_total, r_CP) + cross(m.w_total, dr);
  sheet.motion.dnu[0] = dv_P.x;
  sheet.motion.dnu[1] = dot(t_y, dv_P) + dangle * dot(n, v_P);
  sheet.motion.dnu[2] = dot(n, m.dw_total) - dangle * dot(t_y, m.w_total);

  // gamma_n = -d^2(phi)/dt^2 at ddq = 0
  const Pack ddx[4] = {m.ddy, m.ddz, m.dde.z, m.dde.x};
  Pack rate{};
  for (int i = 0; i < 4; ++i) {
    rate += sheet.G[i] * ddx[i];
    for (int j = 0; j < 4; ++j) rate += dx_[i] * H[i][j] * dx_[j];
  }
  sheet.motion.gamma_n = -rate;
}

}  // namespace klingel::step
