#include "model/spatial.hpp"

#include <algorithm>

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

Six product(const SixBySix& K, const Six& u) {
  Six y;
  for (std::size_t i = 0; i < 6; ++i) {
    Six row;
    std::copy_n(K.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, row.begin());
    y[i] = dot(row, u);
  }
  return y;
}

Six product(const Six& u, const SixBySix& K) {
  Six y;
  for (std::size_t j = 0; j < 6; ++j) {
    Six column;
    for (std::size_t i = 0; i < 6; ++i) column[i] = K[6 * i + j];
    y[j] = dot(u, column);
  }
  return y;
}

Six wrench_about(const Triple& r, const Six& wrench) {
  return joined(head(wrench), mech::plus(tail(wrench), cross(r, head(wrench))));
}

Six motion_at(const Triple& r, const Six& motion) {
  return joined(mech::plus(head(motion), cross(tail(motion), r)), tail(motion));
}

SixBySix moved(const SixBySix& K, const Triple& r) {
  SixBySix out = K;
  // columns: those of w gain the motion they cause at r, -[r] on the right
  for (std::size_t i = 0; i < 6; ++i) {
    const Triple row = {K[6 * i], K[6 * i + 1], K[6 * i + 2]};
    const Triple turn = cross(r, row);
    for (std::size_t c = 0; c < 3; ++c) out[6 * i + 3 + c] += turn[c];
  }
  // rows: forces at r have moments
  for (std::size_t j = 0; j < 6; ++j) {
    const Triple force = {out[j], out[6 + j], out[12 + j]};
    const Triple moment = cross(r, force);
    for (std::size_t c = 0; c < 3; ++c) out[6 * (3 + c) + j] += moment[c];
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
