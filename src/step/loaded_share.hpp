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

  // (h/2) rows^T S rows and rows^T c
  void add_normal(const LoadedSet& set, const base::Pack S[4][4], const base::Pack* c) {
    const auto& R = set.rows();
    for (int j = 0; j < 6; ++j) {
      base::Pack SR[4];
      for (int i = 0; i < 4; ++i) {
        SR[i] = S[i][0] * R[0][j];
        for (int k = 1; k < 4; ++k) SR[i] += S[i][k] * R[k][j];
      }
      for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 4; ++k) B[6 * i + j] += R[k][i] * SR[k];
      }
      for (int k = 0; k < 4; ++k) b[j] += R[k][j] * c[k];
    }
  }

  // W^T C W theta, and what the slip of t and its change add
  void add_creep(const LoadedSet& set, const LoadedSet::Sheet& sheet, const PointForces& p,
                 double h, double theta) {
    const base::Pack *W_x = sheet.frame.W_x, *W_y = sheet.frame.W_y, *u = set.u();
    const base::Pack n[3] = {sheet.n_r.x, sheet.n_r.y, sheet.n_r.z};
    const base::Pack nu_x = along(W_x, u), nu_y = along(W_y, u);
    const base::Pack nu_z = n[0] * u[3] + n[1] * u[4] + n[2] * u[5];
    const base::Pack* dnu = sheet.motion.dnu;
    const base::Pack x = (1 - theta) * nu_x + theta * h * dnu[0];
    const base::Pack y = (1 - theta) * nu_y + theta * h * dnu[1];
    const base::Pack z = (1 - theta) * nu_z + theta * h * dnu[2];
    const base::Pack f[3] = {-(p.C_xx * x), -(p.C_yy * y + p.C_yz * z), p.C_yz * y - p.C_zz * z};
    const base::Pack xx = theta * p.C_xx, yy = theta * p.C_yy, yz = theta * p.C_yz,
                     zz = theta * p.C_zz;
    for (int i = 0; i < 6; ++i) {
      const base::Pack X = xx * W_x[i], Y = yy * W_y[i], coupling = yz * W_y[i];
      for (int j = 0; j < 6; ++j) B[6 * i + j] += X * W_x[j] + Y * W_y[j];
      for (int j = 0; j < 3; ++j) {
        B[6 * i + 3 + j] += coupling * n[j];
        B[6 * (3 + j) + i] -= coupling * n[j];
      }
      b[i] += W_x[i] * f[0] + W_y[i] * f[1];
    }
    for (int i = 0; i < 3; ++i) {
      const base::Pack spin = zz * n[i];
      for (int j = 0; j < 3; ++j) B[6 * (3 + i) + 3 + j] += spin * n[j];
      b[3 + i] += n[i] * f[2];
    }
  }
};

// h/2 turn x F, with F the force in b - B u; added to b.
inline PackVector turn_half(const LoadedSet& set, double h, LoadedShare& share) {
  PackVector force;
  for (int i = 0; i < 3; ++i) force[i] = share.b[i] - along(share.B + 6 * i, set.u());
  const PackVector turned = cross(base::splat(h / 2) * set.turn(), force);
  for (int i = 0; i < 3; ++i) share.b[i] += turned[i];
  return turned;
}

}  // namespace klingel::step
