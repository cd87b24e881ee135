// A sheet of a loaded contact as a chart: what the sums of loaded_gap.hpp give, tabulated once and
// then read within nanoseconds. A tensor of cubic B-splines over
//
//   eta = y + r0 e_n     where the wheel's lowest point stands across the rail, m
//   rho = e_n            how far the wheel leans outwards
//   tau = r0 e_t^2       how far it is turned against the rail, m
//
// so that everything read from it is twice continuously differentiable, and forces made from its
// derivatives do no net work. Four fields:
//
//   zeta     height of the wheel's lowest point, z - r0 (1 - e_n^2/2), at which phi = 0
//   w        d(phi)/dz there: phi = w (height - zeta)
//   F        mean rolling radius less r0
//   log_B    logarithm of the curvature across, B in 1/m
//
// On a flange the contact changes quickly from root to flank and from flank to tip. Where it does so
// moves with lean and turn, and the nodes move along: the first axis is eta - lean rho + turn tau.
//
// To first order in the radius r0 the chart serves wheels of other radii, too: lean moves the lowest
// point, turning acts through tau. Beyond its ends the chart goes on straight and says so.
#pragma once

#include <cstddef>
#include <vector>

#include "base/pack.hpp"
#include "wheelrail/loaded_gap.hpp"

namespace klingel::wheelrail {

struct ChartAxis {
  double begin, step;
  std::size_t count;  // nodes, at least 3

  double end() const { return begin + step * static_cast<double>(count - 1); }
};

// Values and derivatives of the four fields, one to a lane: zeta, w, F, log_B.
struct Charted {
  base::Pack f;
  base::Pack f_eta, f_rho, f_tau;
  base::Pack f_eta_eta, f_eta_rho, f_rho_rho, f_eta_tau;
  bool inside = true;
};
enum Field { zeta, w, F, log_B };

// How the nodes of the first axis follow lean and turn.
struct ChartShear {
  double lean = 0;  // m
  double turn = 0;
};

class ContactChart {
 public:
  ContactChart(const LoadedGap& gap, const ChartAxis& eta, const ChartAxis& rho,
               const ChartAxis& tau, const ChartShear& shear = {});

  Charted at(double eta, double rho, double tau) const noexcept;

  const ChartAxis& eta() const { return axes_[0]; }
  const ChartAxis& rho() const { return axes_[1]; }
  const ChartAxis& tau() const { return axes_[2]; }
  std::size_t bytes() const { return coefficients_.size() * sizeof(base::Pack); }

 private:
  ChartAxis axes_[3];
  ChartShear shear_;
  std::size_t stride_[2];  // of eta and rho
  std::vector<base::Pack> coefficients_;
};

}  // namespace klingel::wheelrail
