// What the loaded contacts of four wheels add to B and b of their wheelsets: the wrench b - B u
// with the motion u of t+h (model/vehicle_interface.hpp).
#pragma once

#include "step/contact_forces.hpp"
#include "step/loaded_set.hpp"

namespace klingel::step {

struct LoadedShare {
  base::Pack all[wrench_size] = {};
  base::Pack* const B = all;
  base::Pack* const b = all + 36;

  // rows^T S rows and rows^T c; S is symmetric, what is left of its diagonal is not read. Returns
  // the force in b - B u of these.
  PackVector add_normal(const LoadedSet& set, const base::Pack S[4][4], const base::Pack* c) {
    using base::multiply_add, base::Pack;
    const auto& R = set.rows();
    for (int j = 0; j < 6; ++j) {
      Pack SR[4];
      for (int i = 0; i < 4; ++i) {
        SR[i] = S[0][i] * R[0][j];
        for (int k = 1; k < 4; ++k) SR[i] = multiply_add(k < i ? S[k][i] : S[i][k], R[k][j], SR[i]);
      }
      for (int i = 0; i <= j; ++i) {
        Pack sum = R[0][i] * SR[0];
        for (int k = 1; k < 4; ++k) sum = multiply_add(R[k][i], SR[k], sum);
        B[6 * i + j] += sum;
        if (i < j) B[6 * j + i] += sum;
      }
      Pack sum = b[j];
      for (int k = 0; k < 4; ++k) sum = multiply_add(R[k][j], c[k], sum);
      b[j] = sum;
    }
    Pack left[4], rates[4];
    for (int k = 0; k < 4; ++k) rates[k] = along(R[k], set.u());
    for (int i = 0; i < 4; ++i) {
      left[i] = c[i];
      for (int k = 0; k < 4; ++k)
        left[i] = base::subtract_product(k < i ? S[k][i] : S[i][k], rates[k], left[i]);
    }
    PackVector force;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 4; ++k) force[i] = multiply_add(R[k][i], left[k], force[i]);
    return force;
  }

  // W^T C W theta, and what the slip of t and its change add; W has the rows W_x, W_y, (0, n_r)
  // Returns the force in b - B u of these.
  PackVector add_creep(const LoadedSet& set, const LoadedSet::Sheet& sheet, const PointForces& p,
                       double h, double theta) {
    using base::multiply_add, base::Pack;
    const Pack *W_x = sheet.frame.W_x, *W_y = sheet.frame.W_y, *u = set.u();
    const Pack n[3] = {sheet.n_r.x, sheet.n_r.y, sheet.n_r.z};
    const Pack nu_x = along(W_x, u), nu_y = along(W_y, u);
    const Pack nu_z = multiply_add(n[2], u[5], base::sum_of_products(n[1], u[4], n[0], u[3]));
    const Pack* dnu = sheet.motion.dnu;
    const Pack x = (1 - theta) * nu_x + theta * h * dnu[0];
    const Pack y = (1 - theta) * nu_y + theta * h * dnu[1];
    const Pack z = (1 - theta) * nu_z + theta * h * dnu[2];
    const Pack f[3] = {-(p.C_xx * x), -(p.C_yy * y + p.C_yz * z), p.C_yz * y - p.C_zz * z};
    const Pack xx = theta * p.C_xx, yy = theta * p.C_yy, yz = theta * p.C_yz, zz = theta * p.C_zz;
    // C W by rows
    Pack X[6], Y[6], Z[6];
    for (int c = 0; c < 6; ++c) X[c] = xx * W_x[c], Y[c] = yy * W_y[c], Z[c] = -(yz * W_y[c]);
    for (int c = 0; c < 3; ++c) Y[3 + c] += yz * n[c], Z[3 + c] += zz * n[c];
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 6; ++c) {
        Pack sum = multiply_add(W_y[r], Y[c], multiply_add(W_x[r], X[c], B[6 * r + c]));
        if (r >= 3) sum = multiply_add(n[r - 3], Z[c], sum);
        B[6 * r + c] = sum;
      }
      Pack sum = multiply_add(W_y[r], f[1], multiply_add(W_x[r], f[0], b[r]));
      if (r >= 3) sum = multiply_add(n[r - 3], f[2], sum);
      b[r] = sum;
    }
    const Pack left_x = f[0] - xx * nu_x, left_y = f[1] - (yy * nu_y + yz * nu_z);
    PackVector force;
    for (int i = 0; i < 3; ++i) force[i] = multiply_add(W_y[i], left_y, W_x[i] * left_x);
    return force;
  }

  // h/2 turn x F: forces turn with the rails within a step.
  PackVector add_turned(const LoadedSet& set, double h, const PackVector& force) {
    const PackVector turned = cross(base::splat(h / 2) * set.turn(), force);
    for (int i = 0; i < 3; ++i) b[i] += turned[i];
    return turned;
  }
};

}  // namespace klingel::step
