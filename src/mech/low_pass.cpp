#include "mech/low_pass.hpp"

#include <cmath>
#include <numbers>

#include "sym/depends.hpp"
#include "sym/tape.hpp"

namespace klingel::mech {

// y'' + sqrt(2) w y' + w^2 y = w^2 u with the states y and v = y'/w, by the trapezoidal rule: with
// a = w h/2 and the mean input u of the step
//   y1 - a v1 = y + a v
//   a y1 + (1 + sqrt(2) a) v1 = -a y + (1 - sqrt(2) a) v + 2 a u
Expr low_pass(Model& m, const std::string& name, Expr x, double cutoff) {
  const bool of_step = sym::depends_on(x, sym::SymbolKind::acceleration);
  const double rest = sym::value(x);
  const Expr deviation = x - rest;
  // accelerations are means of the step already, places and rates are known at its ends
  const Expr seen = of_step ? m.number(0) : deviation;
  const std::size_t first = m.internal_state(name + ".low_pass", seen);
  const std::size_t second = m.internal_state(name + ".low_pass_rate", seen);
  const Expr y = m.internal_states()[first].value, v = m.internal_states()[second].value;
  const Expr end = m.internal_states()[first].stroke_end;
  const Expr u = of_step ? deviation : (seen + end) / 2;
  const Expr a = std::numbers::pi * cutoff * m.step();
  const Expr damped = std::numbers::sqrt2 * a;
  const Expr determinant = 1 + damped + a * a;
  const Expr r1 = y + a * v;
  const Expr kept = (1 - damped) * v - a * y;
  const Expr r2 = kept + 2 * a * u;
  const Expr upper = (1 + damped) * r1;
  const Expr next = (upper + a * r2) / determinant;
  const Expr next_rate = (r2 - a * r1) / determinant;
  m.advance(first, next, m.number(0));
  m.advance(second, next_rate, m.number(0));
  return y + rest;
}

}  // namespace klingel::mech
