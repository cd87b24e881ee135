// A sheet of four wheels, with derivatives: LoadedSet::look() once more.
#include <algorithm>

#include "step/chart_between.hpp"
#include "step/loaded_dual.hpp"

namespace klingel::step {

using namespace slopes;

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

namespace {

// A flange farther from where its chart begins cannot touch within a step, m.
constexpr double far_from_chart = 1e-3;

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
    if (chart.tilt() != 0 && across < begin - far_from_chart) continue;
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
bool LoadedSlopes::look(const Wheels<By>& p, bool flange, const SheetSpring& spring, Sheet<By>& to,
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

template bool LoadedSlopes::look(const Wheels<Variables<false>>&, bool, const SheetSpring&,
                                 Sheet<Variables<false>>&, bool&) const;
template bool LoadedSlopes::look(const Wheels<Variables<true>>&, bool, const SheetSpring&,
                                 Sheet<Variables<true>>&, bool&) const;

}  // namespace klingel::step
