#include "model/spatial.hpp"

namespace klingel::model {

using mech::cross;
using mech::Triple;
using sym::Expr;

Triple head(const Six& u) { return {u[0], u[1], u[2]}; }
Triple tail(const Six& u) { return {u[3], u[4], u[5]}; }
Six joined(const Triple& u, const Triple& v) { return {u[0], u[1], u[2], v[0], v[1], v[2]}; }

Six plus(const Six& u, const Six& v) {
  Six sum;
  for (std::size_t i = 0; i < 6; ++i) sum[i] = u[i] + v[i];
  return sum;
}

Expr dot(const Six& u, const Six& v) {
  const Expr linear = mech::dot(head(u), head(v));
  return linear + mech::dot(tail(u), tail(v));
}

Six wrench_about(const Triple& r, const Six& wrench) {
  return joined(head(wrench), mech::plus(tail(wrench), cross(r, head(wrench))));
}

Six motion_at(const Triple& r, const Six& motion) {
  return joined(mech::plus(head(motion), cross(tail(motion), r)), tail(motion));
}

Six turned(const mech::Block& R, const Six& u) {
  return joined(mech::product(R, head(u)), mech::product(R, tail(u)));
}

SixBySix turned(const mech::Block& R, const SixBySix& K) {
  SixBySix out;
  for (const std::size_t first : {0, 3, 18, 21}) {
    const auto at = [first](std::size_t i) { return first + 6 * (i / 3) + i % 3; };
    mech::Block t;
    for (std::size_t i = 0; i < 9; ++i) t[i] = K[at(i)];
    t = mech::rotated(R, t);
    for (std::size_t i = 0; i < 9; ++i) out[at(i)] = t[i];
  }
  return out;
}

mech::Block moved(const mech::Block& J, Expr mass, const Triple& c) {
  mech::Block out = J;
  const Triple s = mech::scaled(mass, c);
  const Expr square = mech::dot(c, s);
  for (std::size_t i = 0; i < 3; ++i) {
    out[4 * i] += square;
    for (std::size_t j = 0; j < 3; ++j) out[3 * i + j] -= c[i] * s[j];
  }
  return out;
}

mech::Block moved(const mech::Block& J, const Triple& s, const Triple& r) {
  mech::Block out = J;
  const Expr product = mech::dot(r, s);
  for (std::size_t i = 0; i < 3; ++i) {
    out[4 * i] += 2 * product;
    for (std::size_t j = 0; j < 3; ++j) {
      out[3 * i + j] -= r[i] * s[j];
      out[3 * i + j] -= s[i] * r[j];
    }
  }
  return out;
}

SixBySix inertia(Expr mass, const Triple& s, const mech::Block& J) {
  const Expr zero = mass - mass;
  const mech::Block across = {zero, -s[2], s[1], s[2], zero, -s[0], -s[1], s[0], zero};
  SixBySix I;
  I.fill(zero);
  for (std::size_t i = 0; i < 3; ++i) {
    I[7 * i] = mass;
    for (std::size_t j = 0; j < 3; ++j) {
      I[6 * i + 3 + j] = -across[3 * i + j];
      I[6 * (3 + i) + j] = across[3 * i + j];
      I[6 * (3 + i) + 3 + j] = J[3 * i + j];
    }
  }
  return I;
}

}  // namespace klingel::model
