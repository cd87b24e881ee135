// What the loaded contacts of four wheels add to B and b of their wheelsets: the wrench b - B u
// with the motion u of t+h (model/vehicle_interface.hpp).
#pragma once

#include "step/contact_forces.hpp"
#include "step/loaded_set.hpp"

namespace klingel::step {

struct LoadedShare {
  // Until complete(): of B, the symmetric part on and above the diagonal, the skew part below it
  // (what B has more above the diagonal).
  base::Pack all[wrench_size];
  base::Pack* const B = all;
  base::Pack* const b = all + 36;

  // one store after another: as a loop it would be the slow start of a string operation
  LoadedShare() {
#pragma GCC unroll 64
    for (base::Pack& x : all) x = base::Pack{};
  }

  // rows^T S rows and rows^T c; S is symmetric, what is left of its diagonal is not read.
  void add_normal(const LoadedSet& set, const base::Pack S[4][4], const base::Pack* c) {
    using base::multiply_add, base::Pack;
    const auto& R = set.rows();
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      Pack SR[4];
      for (int i = 0; i < 4; ++i) {
        SR[i] = S[0][i] * R[0][j];
        for (int k = 1; k < 4; ++k) SR[i] = multiply_add(k < i ? S[k][i] : S[i][k], R[k][j], SR[i]);
      }
      for (int i = 0; i <= j; ++i) {
        Pack sum = B[6 * i + j];
        for (int k = 0; k < 4; ++k) sum = multiply_add(R[k][i], SR[k], sum);
        B[6 * i + j] = sum;
      }
      Pack sum = b[j];
      for (int k = 0; k < 4; ++k) sum = multiply_add(R[k][j], c[k], sum);
      b[j] = sum;
    }
  }

  // W^T C W theta, and what the slip of t and its change add; W has the rows W_x, W_y, (0, n_r).
  // Returns the force in b - B u of these at the motion of t.
  PackVector add_creep(const LoadedSet::Sheet& sheet, const PointForces& p, double h,
                       double theta) {
    using base::multiply_add, base::Pack, base::subtract_product;
    const Pack *W_x = sheet.frame.W_x, *W_y = sheet.frame.W_y;
    const Pack n[3] = {sheet.n_r.x, sheet.n_r.y, sheet.n_r.z};
    const Pack theta_h = base::splat(theta * h), rest = base::splat(1 - theta);
    Pack slip[3], now[3];
    for (int i = 0; i < 3; ++i) {
      const Pack change = theta_h * sheet.motion.dnu[i], &nu = sheet.motion.nu[i];
      slip[i] = multiply_add(rest, nu, change), now[i] = nu + change;
    }
    const Pack f[3] = {-(p.C_xx * slip[0]), -(p.C_yy * slip[1] + p.C_yz * slip[2]),
                       p.C_yz * slip[1] - p.C_zz * slip[2]};
    const Pack xx = theta * p.C_xx, yy = theta * p.C_yy, yz = theta * p.C_yz, zz = theta * p.C_zz;
    Pack skew[6];
#pragma GCC unroll 6
    for (int c = 0; c < 6; ++c) {
      const Pack X = xx * W_x[c], Y = yy * W_y[c];
      for (int r = 0; r <= c; ++r) {
        Pack sum = multiply_add(W_y[r], Y, multiply_add(W_x[r], X, B[6 * r + c]));
        if (r >= 3) sum = multiply_add(n[r - 3], zz * n[c - 3], sum);
        B[6 * r + c] = sum;
      }
      if (c >= 3) skew[c] = yz * n[c - 3];
      for (int r = 0; c >= 3 && r < c; ++r) {
        Pack sum = multiply_add(W_y[r], skew[c], B[6 * c + r]);
        if (r >= 3) sum = subtract_product(W_y[c], skew[r], sum);
        B[6 * c + r] = sum;
      }
      Pack sum = multiply_add(W_y[c], f[1], multiply_add(W_x[c], f[0], b[c]));
      if (c >= 3) sum = multiply_add(n[c - 3], f[2], sum);
      b[c] = sum;
    }
    const Pack f_x = -(p.C_xx * now[0]), f_y = -(p.C_yy * now[1] + p.C_yz * now[2]);
    PackVector force;
    for (int i = 0; i < 3; ++i) force[i] = multiply_add(W_y[i], f_y, W_x[i] * f_x);
    return force;
  }

  void add(const PackVector& force) {
    for (int i = 0; i < 3; ++i) b[i] += force[i];
  }

  // After all was added: makes B whole, here or where it and b belong.
  void complete() { complete(B, b); }
  void complete(base::Pack* to_B, base::Pack* to_b) const {
    for (int r = 0; r < 6; ++r) {
      to_B[7 * r] = B[7 * r], to_b[r] = b[r];
      for (int c = r + 1; c < 6; ++c) {
        const base::Pack even = B[6 * r + c], odd = B[6 * c + r];
        to_B[6 * r + c] = even + odd, to_B[6 * c + r] = even - odd;
      }
    }
  }
};

}  // namespace klingel::step
