// A chart of a sheet of a loaded contact: the sums of loaded_gap.hpp, tabulated once and then read
// within nanoseconds. It is a tensor product of cubic B-splines over the first two of
//
//   across   eta cos(tilt) + h sin(tilt), m; eta and h: position of the wheel's lowest point
//            across the rail and above it (LoadedGap::Row)
//   rho      e_n: inclination of the wheel outwards
//   tau      r0 e_t^2: from the yaw of the wheel relative to the rail, m
//
// and of one polynomial over tau, through its three or four nodes. A polynomial is read with fewer
// operations than a spline, and has a coefficient for each node and no more.
//
// So everything read from it is twice continuously differentiable, and forces made from its
// derivatives do no net work. Four fields:
//
//   zeta     h cos(tilt) - eta sin(tilt) at which phi = 0
//   w        d(phi)/d(down) there: phi = w (down - zeta)
//   F        mean rolling radius minus r0
//   log_B    logarithm of the curvature across, B in 1/m
//
// The tilt of a flange's chart is between the normals of its root and its flank: w then hardly
// changes, and phi = w (down - zeta) holds for deep and shallow contact alike. On a flange the
// contact changes quickly from root to flank and from flank to tip. Where it does so moves with
// lean and turn, and the nodes move along: the first axis is across - lean rho + turn tau.
//
// To first order in the radius r0 the chart serves wheels of other radii, too: lean moves the
// lowest point, turning acts through tau. Beyond its ends the chart is continued linearly and
// reports it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/pack.hpp"
#include "contact/loaded_gap.hpp"

namespace klingel::contact {

struct ChartAxis {
  double begin, step;
  std::size_t count;  // nodes, at least 3; of tau at most 4

  double end() const { return begin + step * static_cast<double>(count - 1); }
};

// The three axes side by side, for the place of a wheel among their nodes.
struct ChartCells {
  explicit ChartCells(const ChartAxis* axes);

  base::Pack begin, step, per_step, last, last_cell;  // the last node, and the last cell
  // For all fields: what derivatives by steps are multiplied with, as Charted names them.
  base::Pack per_a, per_rho, per_tau, per_aa, per_a_rho, per_rho_rho, per_a_tau;
};

// Values and derivatives of the four fields, one to a lane: zeta, w, F, log_B.
struct Charted {
  base::Pack f;
  base::Pack f_a, f_rho, f_tau;
  base::Pack f_aa, f_a_rho, f_rho_rho, f_a_tau;
  bool inside = true;
};
enum Field { zeta, w, F, log_B };

// The same with derivatives of the derivatives: third ones are constant or linear in a cell and
// jump from cell to cell.
struct ChartedSlopes : Charted {
  base::Pack f_rho_tau, f_tau_tau;
  base::Pack f_aaa, f_aa_rho, f_a_rho_rho, f_rho_rho_rho;
  base::Pack f_aa_tau, f_a_rho_tau, f_rho_rho_tau, f_a_tau_tau;
};

// How the nodes of the first axis move with lean and turn.
struct ChartShear {
  double lean = 0;  // m
  double turn = 0;
};

class ContactChart {
 public:
  ContactChart(const LoadedGap& gap, const ChartAxis& across, const ChartAxis& rho,
               const ChartAxis& tau, double tilt = 0, const ChartShear& shear = {});

  // A chart as plain numbers, for files: it reads as it did before, bit for bit.
  struct Numbers {
    ChartAxis axes[3];
    double tilt;
    ChartShear shear;
    std::vector<base::Pack> coefficients;
  };
  Numbers numbers() const { return {{axes_[0], axes_[1], axes_[2]}, tilt_, shear_, coefficients_}; }
  // An Error if there are not as many coefficients as the axes need.
  explicit ContactChart(Numbers numbers);

  // What is not a number gives what is not a number.
  void at(double across, double rho, double tau, Charted& p) const noexcept;
  Charted at(double across, double rho, double tau) const noexcept {
    Charted p;
    at(across, rho, tau, p);
    return p;
  }

  // Within the chart; outside of it only `inside` means anything.
  void at(double across, double rho, double tau, ChartedSlopes& p) const noexcept;

  double tilt() const { return tilt_; }
  const ChartAxis& across() const { return axes_[0]; }
  const ChartAxis& rho() const { return axes_[1]; }
  const ChartAxis& tau() const { return axes_[2]; }
  std::size_t bytes() const { return coefficients_.size() * sizeof(base::Pack); }

 private:
  ChartAxis axes_[3];
  double tilt_;
  ChartShear shear_;
  std::size_t stride_[2];  // of the first two axes
  ChartCells cells_;
  std::vector<base::Pack> coefficients_;
};

}  // namespace klingel::contact
