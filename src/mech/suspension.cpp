#include "mech/suspension.hpp"

#include "base/error.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "sym/tape.hpp"

namespace klingel::mech {
namespace {

// Guards divisions by what may be zero; far below any force or distance that means something.
constexpr double tiny = 1e-30;

// 1 where x > 0, 0 where x < 0
Expr is_positive(Expr x) { return (1 + sym::sign(x)) / 2; }
Expr clamped(Expr x, Expr most) {
  const Expr below = sym::min(x, most);
  return sym::max(-most, below);
}

// The force `tension` along the stroke.
void act(Model& m, const Stroke& s, Expr tension) {
  const Vector pull = tension * s.direction;
  if (s.kind == Stroke::Kind::turn) {
    m.add_moment(s.name + ".to", -pull, s.to.base);
    m.add_moment(s.name + ".from", pull, s.from.base);
    return;
  }
  m.add_force(s.name + ".from", pull, s.from.point);
  m.add_force(s.name + ".to", -pull, s.to.point);
  // not along the line between the points: what the axes are fixed to bears the couple
  if (s.kind == Stroke::Kind::axis)
    m.add_moment(s.name + ".axes", cross(position(s.from.point, s.to.point), pull), s.axes);
}

void measure(Model& m, const Stroke& s, Expr force, Expr stroke) {
  const bool turns = s.kind == Stroke::Kind::turn;
  m.measure(
      (turns ? "moment." : "force.") + s.name, turns ? "Nm" : "N",
      turns ? "moment of the element against the turn" : "force of the element, tension positive",
      force);
  m.measure((turns ? "turn." : "stroke.") + s.name, turns ? "rad" : "m",
            turns ? "turn of the element" : "deflection of the element, longer positive", stroke);
  m.measure((turns ? "turn_rate." : "rate.") + s.name, turns ? "rad/s" : "m/s",
            turns ? "rate of the turn" : "rate of the deflection", s.rate);
}

// The time derivative of what follows places, as a friction that follows a load. Of what follows
// speeds or inputs it is not known, and counts as zero.
Expr rate_by_place(Model& m, Expr x) {
  for (const sym::SymbolKind kind : {sym::SymbolKind::velocity, sym::SymbolKind::input,
                                     sym::SymbolKind::force, sym::SymbolKind::other})
    if (sym::depends_on(x, kind)) return m.number(0);
  return sym::time_derivative(x);
}

Expr deflection(Model& m, const Stroke& s, const std::optional<Scalar>& rest) {
  if (rest) return s.length - m.expression(*rest);
  return s.length - m.number(sym::value(s.length));
}

// Force, slope and energy of a spring; force, slope and what a stop adds to a damper.
struct Response {
  Expr force, slope, energy;
};

Response spring(Model& m, const SpringLaw& law, Expr u) {
  const Expr k = m.expression(law.stiffness), preload = m.expression(law.preload);
  const Expr linear = k * u;
  Response r{linear + preload, k, u * (linear / 2 + preload)};
  Expr power = m.number(1);
  for (std::size_t i = 0; i < law.polynomial.size(); ++i) {
    const Expr c = m.expression(law.polynomial[i]);
    const double n = static_cast<double>(i + 1);
    r.slope += n * c * power;
    power = power * u;
    r.force += c * power;
    r.energy += c * power * u / (n + 1);
  }
  if (law.curve) {
    r.force += law.curve->value(u);
    r.slope += law.curve->slope(u);
    // from the place without deflection, so that there the energy is zero
    const Expr zero = law.curve->integral(m.number(0));
    r.energy += law.curve->integral(u) - zero;
  }
  if (law.stop) {
    const Expr stiffness = m.expression(law.stop->stiffness);
    const Expr pull = u - m.expression(law.stop->pull);
    const Expr push = u + m.expression(law.stop->push);
    const Expr over = sym::max(pull, m.number(0)), under = sym::min(push, m.number(0));
    const Expr far = over + under;
    r.force += stiffness * far;
    const Expr pulled = is_positive(pull);
    r.slope += stiffness * (pulled + is_positive(-push));
    r.energy += stiffness * far * far / 2;
  }
  return r;
}

// Force over speed and its slope.
Response damper(Model& m, const DamperLaw& law, Expr v) {
  if (law.curve) return {law.curve->value(v), law.curve->slope(v), {}};
  const Expr c = m.expression(law.damping);
  if (!law.blow_off) return {c * v, c, {}};
  const Expr limit = m.expression(*law.blow_off), beyond = m.expression(law.blow_off_damping);
  const Expr inner = clamped(c * v, limit);
  const Expr force = inner + beyond * (v - inner / c);
  const Expr blown = is_positive(sym::abs(c * v) - limit);
  return {force, c + blown * (beyond - c), {}};
}

// Speed over force and its slope, the same law the other way round.
Response damper_speed(Model& m, const DamperLaw& law, Expr F) {
  if (law.curve) {
    const Characteristic inverse = law.curve->inverse();
    return {inverse.value(F), inverse.slope(F), {}};
  }
  const Expr c = m.expression(law.damping);
  if (!law.blow_off) return {F / c, 1 / c, {}};
  const Expr limit = m.expression(*law.blow_off), beyond = m.expression(law.blow_off_damping);
  const Expr inner = clamped(F, limit), slow = inner / c;
  const Expr speed = slow + (F - inner) / beyond;
  const Expr blown = is_positive(sym::abs(F) - limit);
  const Expr before = 1 / c, more = 1 / beyond - before;
  return {speed, before + blown * more, {}};
}

// The force of a spring of stiffness k that ends in a damper, as an internal state:
//   dF/dt = k (v - w(F)),  w the speed of the damper.
// Over a step, with w linear about F and the rate of the stroke constant, its exact solution is
//   F(t+h) = F + phi (k ds - h k w(F)),  phi = (1 - e^-x)/x,  x = h k w'(F);
// e^-x is 1/(1 + x + x^2/2) here: of second order, and 0 for a stiff spring.
Expr maxwell(Model& m, const Stroke& s, Scalar stiffness, const DamperLaw& law) {
  const Expr k = m.expression(stiffness), h = m.step();
  const std::size_t index = m.internal_state(s.name, s.length);
  const InternalState state = m.internal_states()[index];
  const Expr F = state.value;
  const Response w = damper_speed(m, law, F);
  const Expr x = h * k * w.slope;
  const Expr half = 1 + x / 2;
  const Expr phi = half / (1 + x * half);
  const Expr growth = phi * k, drift = -(growth * h * w.force);
  const Expr grown = F + growth * (state.stroke_end - state.stroke);
  const Expr slip = s.rate - w.force;
  m.advance(index, grown + drift, k * slip);
  m.add_internal_law(s.name, s.rate, growth, drift);
  m.add_potential(F * F / (2 * k));
  return F;
}

}  // namespace

Stroke stroke_along_line(Model& m, const std::string& name, Point from, Point to) {
  if (from == to)
    base::fail("the element '{}' joins the point '{}' with itself", name, mech::name(from));
  const Vector r = position(from, to);
  const Expr l = norm(r);
  const Vector e = r / l;
  const Expr rate = dot(e, velocity({from, m.ground_base()}, to));
  return {Stroke::Kind::line, name, l, rate, {from, {}}, {to, {}}, e, {}};
}

Stroke stroke_along_axis(Model& m, const std::string& name, Point from, Point to, Base axes,
                         int axis) {
  const auto i = static_cast<std::size_t>(axis);
  const Triple r = in_base(position(from, to), axes).c;
  const Triple v = in_base(velocity({from, axes}, to), axes).c;
  return {Stroke::Kind::axis,        name, r[i], v[i], {from, {}}, {to, {}},
          m.axis_vector(axes, axis), axes};
}

Stroke stroke_about_axis(Model& m, const std::string& name, Base from, Base to, int axis) {
  const auto x = static_cast<std::size_t>(axis), y = (x + 1) % 3, z = (x + 2) % 3;
  const Block R = base_change(from, to);
  const Expr sine = R[3 * z + y] - R[3 * y + z], cosine = R[4 * y] + R[4 * z];
  const Triple w = in_base(angular_velocity(from, to), from).c;
  return {Stroke::Kind::turn, name,     sym::atan2(sine, cosine),  w[x],
          {{}, from},         {{}, to}, m.axis_vector(from, axis), from};
}

void strut(Model& m, const Stroke& s, const SpringLaw& law, const DamperLaw& damping) {
  const Expr u = deflection(m, s, law.rest);
  const Response elastic = spring(m, law, u);
  const Response viscous = damper(m, damping, s.rate);
  Expr force = elastic.force + viscous.force, slope = viscous.slope;
  if (law.stop) {
    const Expr c = m.expression(law.stop->damping);
    const Expr pulled = is_positive(u - m.expression(law.stop->pull));
    const Expr touching = pulled + is_positive(-(u + m.expression(law.stop->push)));
    const Expr damped = c * touching;
    force += damped * s.rate;
    slope += damped;
  }
  act(m, s, force);
  m.add_law(s.name, s.rate, elastic.slope, slope);
  m.add_potential(elastic.energy);
  measure(m, s, force, u);
}

void series_damper(Model& m, const Stroke& s, Scalar end_stiffness, const DamperLaw& law,
                   const SpringLaw& beside) {
  const Expr u = deflection(m, s, beside.rest);
  const Expr F = maxwell(m, s, end_stiffness, law);
  const Response elastic = spring(m, beside, u);
  const Expr force = F + elastic.force;
  act(m, s, force);
  if (!elastic.slope.is(0)) m.add_law(s.name, s.rate, elastic.slope, m.number(0));
  m.add_potential(elastic.energy);
  measure(m, s, force, u);
}

void friction(Model& m, const std::vector<Stroke>& strokes, Scalar friction,
              Scalar stick_stiffness) {
  const Expr most = m.expression(friction), k = m.expression(stick_stiffness), h = m.step();
  const auto size = [&](const std::vector<Expr>& u) {
    if (u.size() == 1) return sym::abs(u[0]);
    Expr sum = m.number(0);
    for (const Expr& x : u) sum += x * x;
    return sym::sqrt(sum);
  };
  // the forces if it stuck: as the motion goes on (predicted), and with the strokes at t+h
  std::vector<Expr> F, v, predicted, ended;
  std::vector<std::size_t> states;
  for (const Stroke& s : strokes) {
    states.push_back(m.internal_states().size());
    const InternalState state = m.internal_states()[m.internal_state(s.name, s.length)];
    F.push_back(state.value);
    v.push_back(s.rate);
    predicted.push_back(state.value + k * (h * s.rate));
    ended.push_back(state.value + k * (state.stroke_end - state.stroke));
  }
  // Sliding: the force at t+h is friction v(t+h)/|v(t)|, a secant that cannot reverse the motion;
  // never stiffer than sticking.
  const Expr speed = size(v), trial = size(predicted);
  const Expr slides = is_positive(trial - most);
  const Expr secant = sym::min(k, 2 * most / (h * speed + tiny));
  const Expr stiffness = k + slides * (secant - k);
  const Expr share = sym::min(m.number(1), most / (trial + tiny));
  const Expr share_end = sym::min(m.number(1), most / (size(ended) + tiny));
  // it slides now if the force is at its limit, and sticking would take it further beyond
  Expr power = m.number(0);
  for (std::size_t i = 0; i < F.size(); ++i) power += F[i] * v[i];
  const Expr now = size(F), limit_rate = rate_by_place(m, most);
  // the limit that cut the force off is that of a step before, some ms ago
  const Expr older = 2e-3 * sym::abs(limit_rate);
  const Expr short_of = (1 - 1e-6) * most - now;
  const Expr full = is_positive(older - short_of);
  const Expr slides_now = full * is_positive(k * power / (now + tiny) - limit_rate);
  const Expr sticks = 1 - slides_now;
  const Expr follows = slides_now * (limit_rate / (most + tiny));
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    const Stroke& s = strokes[i];
    const Expr change = share * predicted[i] - F[i];
    const Expr drift = change - stiffness * (h * v[i]);
    m.add_internal_law(s.name, s.rate, stiffness, drift);
    const Expr next = share_end * ended[i];
    const Expr stuck = sticks * (k * v[i]);
    m.advance(states[i], next, stuck + follows * F[i]);
    m.add_potential(F[i] * F[i] / (2 * k));
    act(m, s, F[i]);
    measure(m, s, F[i], deflection(m, s, {}));
  }
}

void anti_roll_bar(Model& m, const std::string& name, const Stroke& left, const Stroke& right,
                   Scalar span, Scalar stiffness, Scalar damping) {
  const Expr width = m.expression(span), k = m.expression(stiffness), c = m.expression(damping);
  const Expr first = deflection(m, left, {});
  const Expr u = (first - deflection(m, right, {})) / width;
  const Expr rate = (left.rate - right.rate) / width;
  const Expr elastic = k * u;
  const Expr moment = elastic + c * rate;
  const Expr link = moment / width;
  act(m, left, link);
  act(m, right, -link);
  m.add_law(name, rate, k, c);
  m.add_potential(elastic * u / 2);
  m.measure("moment." + name, "Nm", "moment of the bar", moment);
  m.measure("turn." + name, "rad", "twist of the bar", u);
  m.measure("turn_rate." + name, "rad/s", "rate of the twist", rate);
  m.measure("force." + name, "N", "force of the first link, tension positive", link);
}

void air_spring(Model& m, const Stroke& up, const std::array<Stroke, 2>& across,
                const AirSpring& a) {
  const Expr p = m.expression(a.pressure), A = m.expression(a.area);
  const Expr gauge = p - m.expression(a.outside);
  const Expr compression = m.expression(a.exponent) * p * A * A;
  const Expr K1 = compression / m.expression(a.volume);
  const Expr K2 = compression / m.expression(a.reservoir);
  const Expr K3 = -(gauge * m.expression(a.area_change));
  const Expr share = K1 / (K1 + K2);
  // K1 in series with K2 beside C: a spring K1 K2/(K1 + K2), and beside it a Maxwell element
  SpringLaw still;
  still.stiffness = share * K2 + K3;
  still.preload = -(gauge * A);
  DamperLaw orifice;
  orifice.damping = share * share * m.expression(a.orifice_damping);
  const Expr u = deflection(m, up, {});
  const Expr F = maxwell(m, up, share * K1, orifice);
  const Response elastic = spring(m, still, u);
  const Expr force = F + elastic.force;
  act(m, up, force);
  m.add_law(up.name, up.rate, elastic.slope, m.number(0));
  m.add_potential(elastic.energy);
  measure(m, up, force, u);
  for (const Stroke& s : across) {
    SpringLaw shear;
    shear.stiffness = a.shear_stiffness;
    DamperLaw damping;
    damping.damping = a.shear_damping;
    strut(m, s, shear, damping);
  }
}

}  // namespace klingel::mech
