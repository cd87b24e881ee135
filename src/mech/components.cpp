#include "mech/components.hpp"

#include <algorithm>

namespace klingel::mech {
namespace {

Expr sum3(Expr a, Expr b, Expr c, Expr d, Expr e, Expr f) {  // a b + c d + e f
  const Expr x = a * b;
  const Expr y = c * d;
  const Expr xy = x + y;
  const Expr z = e * f;
  return xy + z;
}

Expr difference(Expr a, Expr b, Expr c, Expr d) {  // a b - c d
  const Expr x = a * b;
  const Expr y = c * d;
  return x - y;
}

// the axis k if R is a rotation about coordinate axis k, else -1
int coordinate_axis(const Block& R) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const auto at = [&R](int r, int c) { return R[static_cast<std::size_t>(3 * r + c)]; };
    if (at(k, k).is(1) && at(k, i).is(0) && at(k, j).is(0) && at(i, k).is(0) && at(j, k).is(0) &&
        at(i, i) == at(j, j) && at(i, j) == -at(j, i)) {
      return k;
    }
  }
  return -1;
}

// R t R^T for a rotation with cosine c and sine s about axis k, with i, j the two others:
//   g = s (t_ii - t_jj) + c (t_ij + t_ji)
//   t'_ii = t_ii - s g,  t'_jj = t_jj + s g,  t'_ij = c g - t_ji,  t'_ji = c g - t_ij
//   t'_ik = c t_ik - s t_jk,  t'_jk = s t_ik + c t_jk, and so are t_ki and t_kj
// For a body of revolution t_ii and t_jj are one atom and the angle vanishes.
Block rotated_about_axis(const Block& R, const Block& t, int k) {
  const std::size_t K = static_cast<std::size_t>(k), I = (K + 1) % 3, J = (K + 2) % 3;
  const auto at = [](std::size_t r, std::size_t c) { return 3 * r + c; };
  const Expr c = R[at(I, I)], s = R[at(J, I)];
  const Expr d = t[at(I, I)] - t[at(J, J)];
  const Expr sd = s * d;
  const bool symmetric = t[at(I, J)] == t[at(J, I)];
  const Expr ct = symmetric ? c * t[at(I, J)] : c * (t[at(I, J)] + t[at(J, I)]);
  const Expr g = symmetric ? sd + 2 * ct : sd + ct;
  const Expr sg = s * g;
  Block r = t;
  r[at(I, I)] = t[at(I, I)] - sg;
  r[at(J, J)] = t[at(J, J)] + sg;
  r[at(I, J)] = c * g - t[at(J, I)];
  r[at(J, I)] = c * g - t[at(I, J)];
  const auto turn = [&](std::size_t i, std::size_t j) {
    r[i] = difference(c, t[i], s, t[j]);
    const Expr x = s * t[i];
    const Expr y = c * t[j];
    r[j] = x + y;
  };
  turn(at(I, K), at(J, K));
  turn(at(K, I), at(K, J));
  return r;
}

}  // namespace

bool is_zero(const Triple& u) {
  return std::all_of(u.begin(), u.end(), [](Expr x) { return x.is(0); });
}

bool is_zero(const Block& t) {
  return std::all_of(t.begin(), t.end(), [](Expr x) { return x.is(0); });
}

Triple plus(const Triple& u, const Triple& v) { return {u[0] + v[0], u[1] + v[1], u[2] + v[2]}; }

Triple minus(const Triple& u, const Triple& v) { return {u[0] - v[0], u[1] - v[1], u[2] - v[2]}; }

Triple negated(const Triple& u) { return {-u[0], -u[1], -u[2]}; }

Triple scaled(Expr s, const Triple& u) { return {s * u[0], s * u[1], s * u[2]}; }

Expr dot(const Triple& u, const Triple& v) { return sum3(u[0], v[0], u[1], v[1], u[2], v[2]); }

Triple cross(const Triple& u, const Triple& v) {
  return {difference(u[1], v[2], u[2], v[1]), difference(u[2], v[0], u[0], v[2]),
          difference(u[0], v[1], u[1], v[0])};
}

Triple product(const Block& t, const Triple& u) {
  return {sum3(t[0], u[0], t[1], u[1], t[2], u[2]), sum3(t[3], u[0], t[4], u[1], t[5], u[2]),
          sum3(t[6], u[0], t[7], u[1], t[8], u[2])};
}

Triple transposed_product(const Block& t, const Triple& u) { return product(transposed(t), u); }

Block transposed(const Block& t) { return {t[0], t[3], t[6], t[1], t[4], t[7], t[2], t[5], t[8]}; }

Block product(const Block& s, const Block& t) {
  Block r;
  for (std::size_t j = 0; j < 3; ++j) {
    const Triple column = product(s, Triple{t[j], t[3 + j], t[6 + j]});
    for (std::size_t i = 0; i < 3; ++i) r[3 * i + j] = column[i];
  }
  return r;
}

Block plus(const Block& s, const Block& t) {
  Block r;
  for (std::size_t i = 0; i < 9; ++i) r[i] = s[i] + t[i];
  return r;
}

Block scaled(Expr s, const Block& t) {
  Block r;
  for (std::size_t i = 0; i < 9; ++i) r[i] = s * t[i];
  return r;
}

bool is_symmetric(const Block& t) { return t[1] == t[3] && t[2] == t[6] && t[5] == t[7]; }

Block rotated(const Block& R, const Block& t) {
  if (const int k = coordinate_axis(R); k >= 0) return rotated_about_axis(R, t, k);
  const Block Rt = product(R, t);
  if (!is_symmetric(t)) return product(Rt, transposed(R));
  // the upper half; its mirror is the same atoms, which sums of rounded numbers would not be
  Block r;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      r[3 * i + j] = r[3 * j + i] =
          sum3(Rt[3 * i], R[3 * j], Rt[3 * i + 1], R[3 * j + 1], Rt[3 * i + 2], R[3 * j + 2]);
    }
  }
  return r;
}

Triple turning_acceleration(const Triple& w, const Triple& alpha, const Triple& r) {
  if (is_zero(r)) return r;
  const Expr xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
  const Expr xy = w[0] * w[1], xz = w[0] * w[2], yz = w[1] * w[2];
  const Block U = {-(yy + zz),    xy - alpha[2], xz + alpha[1], xy + alpha[2], -(xx + zz),
                   yz - alpha[0], xz - alpha[1], yz + alpha[0], -(xx + yy)};
  return product(U, r);
}

int product_cost(const Block& R) {
  int cost = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    int terms = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const Expr x = R[3 * i + j];
      if (x.is(0)) continue;
      ++terms;
      cost += x.is(1) || x.is(-1) ? 0 : 1;
    }
    cost += terms > 0 ? terms - 1 : 0;
  }
  return cost;
}

}  // namespace klingel::mech
