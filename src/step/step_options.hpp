// How a step is done.
#pragma once

#include <cstdint>

namespace klingel::step {

enum class Scheme {
  imex,            // creep velocities at t+h in the contact frame of t+h, to first order
  imex_printed,    // as the article prints it: in the contact frame of t
  explicit_euler,  // creep forces at t; stable only with steps near 1e-4 s
  trapezoidal,     // all forces at t and t+h, of second order; takes some iterations per step
  reference        // Dormand-Prince with error control inside the step; for tests
};

// How the linear systems of a step are solved.
enum class LinearMethod {
  static_lu,    // generated elimination; corrections of q and dq in the metric of its matrix
  partitioning  // the article's: LU with full pivoting chooses coordinates that depend on the
                // others, and corrections change only those (partitioning.hpp)
};

// How rigid treads are kept on their rails.
enum class Projections {
  // What q, dq and s miss of the constraints, within wider tolerances, goes into the right side and
  // the prediction of the next step, whose constraint rows are of second order. Most steps then
  // evaluate contacts once and project nothing.
  predicted,
  full  // the article's: q and dq onto the constraints whenever narrow tolerances are missed
};

struct StepOptions {
  Scheme scheme = Scheme::imex;
  LinearMethod method = LinearMethod::static_lu;
  Projections projections = Projections::predicted;
  double phi_tolerance = 1e-7;  // m, of phi_n
  // m and rad, of phi_d; where it vanishes the gap is smallest, so phi_n feels it only squared
  double phi_d_tolerance = 1e-6;
  double rate_tolerance = 1e-5;  // m/s, of dphi_n_dq dq
  // Larger phi_n (m) and dphi_n_dq dq (m/s) after all iterations are a failure.
  double phi_limit = 1e-6, rate_limit = 1e-4;
  // Largest counts of a step. What happens there is in docs/realtime.md.
  int most_iterations = 5;  // corrections of dq; of q and s twice as many
  int most_attempts = 4;    // solutions after the first one
  // Contacts searched for. Bounded by corrections; a real-time loop allows one per wheel
  // (limit_searches), and loses some of the runs in which wheels leave their treads.
  double searches_per_wheel = 20;
  void limit_searches() { searches_per_wheel = 1; }
  // Of loaded treads: creep forces, stiff elements and the turn of the treads' normals are those of
  // t + theta h; normal forces those of t+h. 0.5 is of second order and damps nothing.
  double theta = 0.55;
  bool balance = false;  // keep the energy balance
  // For measuring the longest step: solutions, corrections and searches are done as often as they
  // ever can be, of every wheel. Tolerances are met long before.
  bool exhaust = false;

  void set_projections(Projections how) {
    projections = how;
    const bool full = how == Projections::full;
    phi_tolerance = full ? 1e-8 : 1e-7;
    phi_d_tolerance = full ? 1e-7 : 1e-6;
    rate_tolerance = full ? 1e-7 : 1e-5;
  }
};

}  // namespace klingel::step
