// The step of loaded treads. Both sheets of a wheel are elastic, N = k delta^(3/2) with delta =
// -phi, and act along the gradient of phi: no constraints, no projections, no wheels to release or
// catch. They are stiff, so the step takes them at t+h. With x the place of a wheel against its
// rail (loaded_set.hpp) and q(t+h) by the mid-point rule,
//
//   phi(t+h) = phi + h G (dx + dx(t+h))/2 - h^2/2 gamma_n
//   normal wrench = N(t+h) rows^T (G + theta H (x(t+h) - x))                       [eq:loadedstep]
//
// N is a line in delta(t+h), first its tangent at t; where the line is too far from N itself, as
// when a wheel lifts or a flange hits, it is taken anew at the delta that was found and the step
// solved again. Creep forces are those of t + theta h in secant form,
//
//   f = -C (W ((1 - theta) u + theta u(t+h)) + theta h dnu)
//
// and their C, too, is taken anew where the force would exceed mu N. Within a step the rails'
// frames turn with the track, and all forces with them: they act as in the middle of the step.
// Without that the normal forces of a curve would do work. (Moments act on wheelsets that turn
// alike.)
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "step/loaded_share.hpp"
#include "step/sheet_force.hpp"
#include "step/simulator_parts.hpp"

namespace klingel::step {
namespace {

using base::Pack, base::splat;

// A flange's patch moves quickly between root and flank: its normal is taken at t+h.
constexpr double theta_flange = 1;

// Damping of the contact: its tangent stiffness times this. A flange on a rigid rail flutters at
// some 100 Hz if friction is high and nothing damps it; the article's flange has 2e-3 s.
constexpr double tread_damping = 1e-4, flange_damping = 5e-4;  // s

// Cosine of the contact angle beyond which contact is on the flank.
constexpr double flank = 0.5;

using Pressed = Simulator::Parts::Pressed;

// The line of N at an approach, for some lanes.
void take_line(Pressed& p, const Pack& delta, const base::Mask& who) {
  const SheetForce<Pack> at = sheet_force(p.k, p.softness, delta);
  p.N = base::select(who, at.N, p.N);
  p.K = base::select(who, at.K, p.K);
  p.delta = base::select(who, delta, p.delta);
}

// dx of wheelsets that move with u
void rates(const LoadedSet& set, const Pack* u, Pack* dx) {
  for (int i = 0; i < 4; ++i) dx[i] = along(set.rows()[i], u);
}

// The motion of the wheelsets of a set at t+h.
void twists_of(const Points& points, std::size_t set, std::span<const double> of, Pack* u) {
  const ContactSet::Lanes rows = points.rows(set, of, 6);
  for (std::size_t i = 0; i < 6; ++i) u[i] = Pack{rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
}

// The approach of a sheet at t+h to a rail that stands back.
Pack approach(const LoadedSet& set, const LoadedSet::Sheet& sheet, const Pack& back,
              const Pack* dx_end, double h) {
  Pack rate{};
  for (int i = 0; i < 4; ++i) rate += sheet.G[i] * (set.dx()[i] + dx_end[i]);
  return -(sheet.phi + back + h / 2 * (rate - h * sheet.motion.gamma_n));
}

// The normal force at t+h, with its damping.
Pack force_of(const LoadedSet& set, const LoadedSet::Sheet& sheet, const Pressed& line,
              const Pack* dx_end, double h) {
  Pack rate{};
  for (int i = 0; i < 4; ++i) rate += sheet.G[i] * dx_end[i];
  return line.N +
         line.K * (approach(set, sheet, line.back, dx_end, h) - line.delta - line.damping * rate);
}

}  // namespace

void Simulator::Parts::make_loaded() {
  if (!data.loaded()) return;
  loaded.resize(tread.forces.size());
  slipping.resize(loaded.size());
  for (Sheets& s : loaded) s.tread.damping = tread_damping, s.flange.damping = flange_damping;
  for (std::size_t g = 0; g < loaded.size(); ++g) {
    tread.each(g, [&](std::size_t lane, std::size_t i) {
      const WheelData& wheel = data.wheels[i];
      if (wheel.pair == nullptr)
        base::fail("the wheel '{}' has no charts of loaded contact, others have", wheel.name);
      const spline::CubicSpline& f_w = wheel.surface.f_w;
      loaded[g].set.occupy(
          lane, *wheel.pair, wheel.side == profile::Side::left ? data.left.line : data.right.line,
          wheel.side, f_w.value(std::clamp(0.0, f_w.begin(), f_w.end())), wheel.y_w);
      loaded[g].tread.k[lane] = wheel.pair->tread.k;
      loaded[g].flange.k[lane] = wheel.pair->flange ? wheel.pair->flange->k : 0;
    });
  }
}

// Where the feet of the wheels on their rails are looked for first.
void Simulator::Parts::take_feet(const VehicleState& from) {
  for (std::size_t i = 0; i < w; ++i) {
    const auto [set, lane] = tread.place(i);
    loaded[set].set.set_s_r(lane, from.tread[i].s[2]);
  }
}

// Everything at the place and motion of an instant.
void Simulator::Parts::stand_loaded(const Instant& at) {
  for (std::size_t g = 0; g < loaded.size(); ++g) {
    loaded[g].set.evaluate(tread.rows(g, at.poses, 12), tread.rows(g, at.twists, 7),
                           tread.rows(g, at.biases, 6));
  }
}

// The rails behind flanges, k x + c dx/dt = N, within a step that begins with the deflections of
// the state: x(t+h) = back + softness N(t+h). For h = 0 they follow at once, as if without damping.
void Simulator::Parts::yield_rails(double h) {
  const double k = data.law.rail_stiffness, c = h > 0 ? data.law.rail_damping / h : 0;
  for (std::size_t g = 0; g < loaded.size() && k > 0; ++g) {
    Pressed& flange_of = loaded[g].flange;
    flange_of.softness = 1 / (k + c);
    tread.each(g, [&](std::size_t lane, std::size_t i) {
      flange_of.back[lane] = c * state.flange[i].deflection * flange_of.softness;
    });
  }
}

// Forces at t.
void Simulator::Parts::press_loaded() {
  results_known = false;
  const base::Mask all = base::mask(15);
  for (std::size_t g = 0; g < loaded.size(); ++g) {
    Sheets& s = loaded[g];
    take_line(s.tread, -s.set.tread().phi, all);
    take_line(s.flange, -s.set.flange().phi - s.flange.back, all);
    for (auto [points, sheet, line] :
         {std::tuple(&tread, &s.set.tread(), &s.tread), {&flange, &s.set.flange(), &s.flange}}) {
      PointForces& p = points->forces[g];
      p.gap = base::select(base::mask(sheet->has), sheet->phi, Pack{});
      p.N_t = line->N;
      p.acts = 0;
      p.C_xx = p.C_yy = p.C_yz = p.C_zz = Pack{};
      const unsigned who = base::bits(line->N > Pack{}) & tread.occupied(g);
      if (who != 0) creep_loaded(*points, g, *sheet, who, sheet->motion.nu);
    }
  }
}

// Patch and creep law of some lanes, with the normal forces N_t and the slip nu.
void Simulator::Parts::creep_loaded(Points& points, std::size_t set, const LoadedSet::Sheet& sheet,
                                    unsigned who, const Pack* nu) {
  PointForces& p = points.forces[set];
  const PointForces before = p;
  p.frame = sheet.frame;
  p.motion = sheet.motion;
  std::copy_n(nu, 3, p.motion.nu);
  p.acts = who;
  creep(points, set);
  std::copy_n(sheet.motion.nu, 3, p.motion.nu);
  p.acts = before.acts | who;
  if (before.acts == 0 || who == p.acts) return;
  // lanes that keep theirs
  const base::Mask chosen = base::mask(who);
  for (Pack PointForces::*field :
       {&PointForces::C_xx, &PointForces::C_yy, &PointForces::C_yz, &PointForces::C_zz,
        &PointForces::a, &PointForces::b, &PointForces::saturation})
    p.*field = base::select(chosen, p.*field, before.*field);
}

// Adds what a set has in B and b to those of its wheelsets; overwrites it.
void Simulator::Parts::add_share(std::size_t set, Pack* share) {
  for (std::size_t i = 0; i < wrench_size; i += 4)
    base::transpose(share[i], share[i + 1], share[i + 2], share[i + 3]);
  tread.each(set, [&](std::size_t lane, std::size_t wheel) {
    double* to = &Bb[wrench_size * data.wheels[wheel].wheelset];
    for (std::size_t i = 0; i < wrench_size; i += 4) {
      Pack sum;
      std::memcpy(&sum, to + i, sizeof sum);
      sum += share[i + lane];
      std::memcpy(to + i, &sum, sizeof sum);
    }
  });
}

// For methods that are not the step, after press_loaded(): b has the wrenches of the forces of now,
// B their tangent by the motion, secants of creep and h times the stiffness.
void Simulator::Parts::loaded_wrenches(double h) {
  std::fill(Bb.begin(), Bb.end(), 0.0);
  for (std::size_t g = 0; g < loaded.size(); ++g) {
    const Sheets& s = loaded[g];
    Share share;
    Pack S[4][4] = {}, c[4] = {};
    for (auto [points, sheet, line] :
         {std::tuple(&tread, &s.set.tread(), &s.tread), {&flange, &s.set.flange(), &s.flange}}) {
      PointForces& p = points->forces[g];
      p.N = p.N_t;
      std::copy_n(p.f_t, 3, p.f);
      if (p.acts == 0) continue;
      share.add_creep(s.set, *sheet, p, 0, 1);
      Pack rate{};
      for (int i = 0; i < 4; ++i) rate += sheet->G[i] * s.set.dx()[i];
      const Pack N = base::larger(line->N - line->damping * line->K * rate, Pack{});
      const Pack K = (h + line->damping) * line->K;
      p.N = base::select(base::mask(p.acts), N, Pack{});
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j)
          S[i][j] += K * sheet->G[i] * sheet->G[j] - h * N * sheet->H[i][j];
        c[i] += N * sheet->G[i];
      }
    }
    Pack slip[6];
    for (int i = 0; i < 6; ++i) slip[i] = along(share.B + 6 * i, s.set.u());
    share.add_normal(s.set, S, c);
    for (int i = 0; i < 6; ++i) share.b[i] -= slip[i];
    add_share(g, share.all);
  }
}

void Simulator::Parts::assemble_loaded(double h, const StepOptions& options) {
  std::fill(Bb.begin(), Bb.end(), 0.0);
  std::fill(active.begin(), active.end(), 0.0);
  const double theta = options.theta;
  for (std::size_t g = 0; g < loaded.size(); ++g) {
    Sheets& s = loaded[g];
    Share share, creep;
    Pack S[4][4] = {}, c[4] = {};
    const auto add = [&](const LoadedSet::Sheet& sheet, const Pressed& line, double turn) {
      if (base::bits(line.N > Pack{}) == 0) return;
      const Pack* dx = s.set.dx();
      Pack rate{};
      for (int i = 0; i < 4; ++i) rate += sheet.G[i] * dx[i];
      // N at t+h if the motion stayed that of t, but for the half step B u adds again
      const Pack N = line.N + line.K * (-sheet.phi - line.back - line.delta +
                                        h * h / 2 * sheet.motion.gamma_n - h / 2 * rate);
      const Pack K = (h / 2 + line.damping) * line.K, T = turn * h / 2 * line.N;
      for (int i = 0; i < 4; ++i) {
        Pack turned{};
        for (int j = 0; j < 4; ++j) {
          S[i][j] += K * sheet.G[i] * sheet.G[j] - T * sheet.H[i][j];
          turned += sheet.H[i][j] * dx[j];
        }
        c[i] += N * sheet.G[i] + T * turned;
      }
    };
    add(s.set.tread(), s.tread, theta);
    add(s.set.flange(), s.flange, theta_flange);
    share.add_normal(s.set, S, c);
    s.turned_normal = turn_half(s.set, h, share);
    if (tread.forces[g].acts != 0) creep.add_creep(s.set, s.set.tread(), tread.forces[g], h, theta);
    if (flange.forces[g].acts != 0)
      creep.add_creep(s.set, s.set.flange(), flange.forces[g], h, theta);
    s.turned_creep = turn_half(s.set, h, creep);
    for (std::size_t i = 0; i < wrench_size; ++i) share.all[i] += creep.all[i];
    add_share(g, share.all);
  }
  set_system(h, {theta * h * h / 2, theta * h, theta * h * h});
}

// Whether the lines and secants of this solution are good; where not, they are taken anew.
bool Simulator::Parts::settle_loaded(double h, const StepOptions& options) {
  constexpr double tolerance = 2e-3;  // of the static load
  constexpr double beyond = 1.01;     // of mu N
  bool good = true;
  twists_end = at_t().kernels.evaluate(id.twist_end);
  for (std::size_t g = 0; g < loaded.size(); ++g) {
    Sheets& s = loaded[g];
    slipping[g] = 0;
    Pack u[6], dx[4], load{}, mu{};
    twists_of(tread, g, twists_end, u);
    rates(s.set, u, dx);
    tread.each(g, [&](std::size_t lane, std::size_t i) {
      load[lane] = data.wheels[i].pair->load;
      mu[lane] = friction[i];
    });
    const auto check = [&](Points& points, const LoadedSet::Sheet& sheet, Pressed& line) {
      if (sheet.has == 0) return;
      const Pack delta = approach(s.set, sheet, line.back, dx, h);
      Pressed exact = line;
      const unsigned there = sheet.has & tread.occupied(g);
      take_line(exact, delta, base::mask(there));
      const Pack N = force_of(s.set, sheet, line, dx, h);
      const unsigned off =
          base::bits(base::magnitude(exact.N - line.N - line.K * (delta - line.delta)) >
                     tolerance * load) &
          there;
      PointForces& p = points.forces[g];
      p.N = base::larger(N, Pack{});
      // creep forces with this motion
      const Pack theta = splat(options.theta);
      Pack nu[3];
      const Pack *W_x = sheet.frame.W_x, *W_y = sheet.frame.W_y, *u_t = s.set.u();
      Pack mean[6];
      for (int i = 0; i < 6; ++i) mean[i] = u_t[i] + theta * (u[i] - u_t[i]);
      nu[0] = along(W_x, mean) + theta * h * sheet.motion.dnu[0];
      nu[1] = along(W_y, mean) + theta * h * sheet.motion.dnu[1];
      nu[2] = sheet.n_r.x * mean[3] + sheet.n_r.y * mean[4] + sheet.n_r.z * mean[5] +
              theta * h * sheet.motion.dnu[2];
      p.f[0] = -(p.C_xx * nu[0]);
      p.f[1] = -(p.C_yy * nu[1] + p.C_yz * nu[2]);
      p.f[2] = p.C_yz * nu[1] - p.C_zz * nu[2];
      const Pack size = base::root(p.f[0] * p.f[0] + p.f[1] * p.f[1]);
      unsigned slips = p.acts & base::bits(size > beyond * mu * p.N + 1e-3 * load);
      if (data.law.creep.law == creep::CreepLaw::linear) slips = 0;
      slipping[g] |= slips;
      if ((off | slips) == 0) return;
      good = false;
      take_line(line, delta, base::mask(off));
      const Pack pressing = force_of(s.set, sheet, exact, dx, h);
      p.N_t = base::select(base::mask(off | slips), pressing, p.N_t);
      const unsigned pressed = base::bits(pressing > Pack{});
      const unsigned who = (off | slips) & pressed;
      const base::Mask gone = base::mask(off & ~pressed);
      for (Pack* C : {&p.C_xx, &p.C_yy, &p.C_yz, &p.C_zz}) *C = base::select(gone, Pack{}, *C);
      p.acts &= ~(off & ~pressed);
      if (who != 0) creep_loaded(points, g, sheet, who, nu);
    };
    check(tread, s.set.tread(), s.tread);
    check(flange, s.set.flange(), s.flange);
  }
  return good;
}

void Simulator::Parts::doubt(Doubt& kind, unsigned lanes, std::size_t set) {
  if (lanes == 0) return;
  if (kind.steps++ > 0) return;
  kind.first = state.t;
  tread.each(set, [&](std::size_t lane, std::size_t i) {
    if ((lanes >> lane & 1) != 0) kind.wheel = static_cast<std::uint32_t>(i);
  });
}

// What acted, and its work: wrenches of the step times its mean motion.
void Simulator::Parts::record_loaded(double h, const StepOptions& options) {
  normal_work = creep_work = 0;
  for (std::size_t g = 0; g < loaded.size(); ++g) {
    const Sheets& s = loaded[g];
    Pack u[6], dx_end[4], dx[4], work{}, loss{};
    twists_of(tread, g, twists_end, u);
    rates(s.set, u, dx_end);
    for (int i = 0; i < 6; ++i) u[i] = h / 2 * (u[i] + s.set.u()[i]);
    for (int i = 0; i < 4; ++i) dx[i] = h / 2 * (s.set.dx()[i] + dx_end[i]);
    const auto add = [&](const LoadedSet::Sheet& sheet, const Pressed& line, const PointForces& p,
                         double turn) {
      if (sheet.has == 0) return;
      if (p.acts != 0) {
        const Pack slip[3] = {along(sheet.frame.W_x, u), along(sheet.frame.W_y, u),
                              sheet.n_r.x * u[3] + sheet.n_r.y * u[4] + sheet.n_r.z * u[5]};
        const Pack power = p.f[0] * slip[0] + p.f[1] * slip[1] + p.f[2] * slip[2];
        loss += base::select(base::mask(p.acts), power, Pack{});
      }
      const Pack N = force_of(s.set, sheet, line, dx_end, h);
      for (int i = 0; i < 4; ++i) {
        Pack force = N * sheet.G[i];
        for (int j = 0; j < 4; ++j) force += turn * line.N * sheet.H[i][j] * dx[j];
        work += force * dx[i];
      }
    };
    const PackVector path{u[0], u[1], u[2]};
    work += dot(s.turned_normal, path);
    loss += dot(s.turned_creep, path);
    add(s.set.tread(), s.tread, tread.forces[g], options.theta);
    add(s.set.flange(), s.flange, flange.forces[g], theta_flange);
    unsigned outside = 0, steep = 0;
    for (auto [points, sheet] : {std::pair(&tread, &s.set.tread()), {&flange, &s.set.flange()}}) {
      outside |= points->forces[g].acts & ~sheet->inside;
      steep |= points->forces[g].acts & base::bits(sheet->frame.cos_angle < splat(flank));
    }
    doubt(doubts.chart, outside, g);
    doubt(doubts.flank, steep, g);
    doubt(doubts.creep, slipping[g], g);
    tread.each(g, [&](std::size_t lane, std::size_t i) {
      normal_work += work[lane];
      creep_work += loss[lane];
      const PointForces &t = tread.forces[g], &f = flange.forces[g];
      next.tread[i].N = (t.acts >> lane & 1) != 0 ? t.N[lane] : 0;
      next.flange[i].N = (f.acts >> lane & 1) != 0 ? f.N[lane] : 0;
      next.flange[i].deflection = s.flange.back[lane] + s.flange.softness * next.flange[i].N;
      const bool before = state.flange[i].N > 0, after = next.flange[i].N > 0;
      if (before != after)
        note(after ? Event::Kind::flange_on : Event::Kind::flange_off, i, f.gap[lane]);
    });
  }
}

void Simulator::Parts::advance_loaded(double h) {
  for (std::size_t i = 0; i < n; ++i) next.q[i] = state.q[i] + (state.dq[i] + dq_new[i]) / 2 * h;
  next.dq = dq_new;
  for (Sheets& s : loaded) s.set.advance(h);
  at_end().kernels.set(id.q, next.q);
  at_end().kernels.set(id.dq, next.dq);
  newton_q = static_cast<int>(attempt);
  newton_s = 0;
  largest_phi = 0;
}

// The wheels at t+h. A wheel that has climbed with its flange or stands far above its rail is off.
runtime::Status Simulator::Parts::end_loaded(double h, const StepOptions& options) {
  at_end().poses = at_end().kernels.evaluate(id.pose);
  take_motion(at_end());
  stand_loaded(at_end());
  for (std::size_t i = 0; i < w; ++i) {
    const auto [g, lane] = tread.place(i);
    const LoadedSet& set = loaded[g].set;
    if ((set.on_line() >> lane & 1) == 0)
      return fail(runtime::Status::not_converged, "contact beyond the end of the rail", i, 0, 0, 0);
    const double gap = std::min(set.tread().phi[lane], set.flange().phi[lane]);
    if (!std::isfinite(gap) || !std::isfinite(set.lift()[lane]))
      return fail(runtime::Status::not_finite, "place of the wheel", i, 0, 0, 0);
    const double climbed = 0.9 * data.wheels[i].pair->flange_height;
    if (gap > data.law.lost_gap || (climbed > 0 && set.lift()[lane] > climbed)) {
      note(Event::Kind::derailed, i, set.lift()[lane]);
      return fail(runtime::Status::derailed, "contact with the rail", i,
                  std::max(gap, set.lift()[lane]), climbed > 0 ? climbed : data.law.lost_gap, 0);
    }
  }
  keep_loaded(next);
  end_step(h, options);
  return runtime::Status::ok;
}

// Where the patches are, for the state and its readers.
void Simulator::Parts::keep_loaded(VehicleState& to) const {
  for (std::size_t i = 0; i < w; ++i) {
    const auto [g, lane] = tread.place(i);
    const LoadedSet& set = loaded[g].set;
    const auto keep = [&](const LoadedSet::Sheet& sheet, PointState& point) {
      point.found = (sheet.has >> lane & 1) != 0;
      point.on = false;  // no constraint holds it
      point.s = {sheet.theta_w[lane], sheet.u_w[lane], set.s_r(lane), sheet.u_r[lane]};
      if (!point.found) point.s = {0, 0, set.s_r(lane), 0};
      point.ds = {0, 0, set.ds_r()[lane], 0};
      point.dds = {};
      point.gap = point.found ? sheet.phi[lane] : 0;
    };
    keep(set.tread(), to.tread[i]);
    keep(set.flange(), to.flange[i]);
  }
}

// In the sheets, and in rails that give way.
double Simulator::Parts::stored_in_contacts() const {
  double sum = 0;
  for (std::size_t i = 0; i < w && !loaded.empty(); ++i) {
    const auto [g, lane] = tread.place(i);
    const Sheets& s = loaded[g];
    const double x = state.flange[i].deflection;
    const auto energy = [](double k, double delta) {
      return delta > 0 ? 0.4 * k * delta * delta * std::sqrt(delta) : 0;
    };
    sum += energy(s.tread.k[lane], -s.set.tread().phi[lane]);
    sum += energy(s.flange.k[lane], -s.set.flange().phi[lane] - x);
    sum += 0.5 * data.law.rail_stiffness * x * x;
  }
  return sum;
}

}  // namespace klingel::step
