// Inertial parameters from measured motion and forces. With base parameters p_b (rank.hpp) the
// equations of motion of a mechanism without constraints are
//
//   Y_b(q, dq, ddq) p_b = f + Q(q, dq)
//
// f the measured forces on the coordinates, Q those of elements, which are known. All rows together
// are W p_b = y: least squares, rows weighed by the scatter of their coordinate's force, which
// follows from the residuals of a first pass. The covariance of p_b is (W^T W)^-1 of weighed rows.
#pragma once

#include <string>
#include <vector>

#include "mech/model.hpp"
#include "reduce/inertias.hpp"

namespace klingel::reduce {

struct Measured {
  // by sample: q, dq, ddq one after the other; forces by coordinate
  std::vector<std::vector<double>> states, forces;
};

struct IdentifiedParameter {
  std::string formula;  // of inertial parameters
  double value, sigma;  // and its standard deviation
  double nominal;       // of the model's own numbers
};

struct Identified {
  std::vector<IdentifiedParameter> parameters;
  double condition = 0;            // of W, columns scaled to one: 1 is best
  std::vector<double> scatter;     // of the force of every coordinate, rms of residuals
  std::vector<double> force_size;  // rms of the forces themselves
  std::size_t samples = 0;
};

// Samples that do not excite some base parameter are an Error that names it. Too few samples, or a
// mechanism with constraints, too.
Identified identify(mech::Model& model, const Measured& measured);

// A motion that excites: sums of five sines per coordinate about the nominal values, of `amplitude`
// (rad or m) together, with the forces it takes, and normal noise on them of `noise` times their
// rms. The same for the same seed.
struct Experiment {
  double duration = 10, interval = 0.01;  // s
  double amplitude = 0.8;
  double noise = 0;
  unsigned seed = 1;
};
Measured simulated_experiment(mech::Model& model, const Experiment& experiment);

// dq and ddq from q sampled at equal times, by a cubic fitted to 2 `half` + 1 neighbours; the ends
// that have too few are cut off. One list per coordinate.
struct Derivatives {
  std::size_t first = 0, count = 0;  // samples that are left
  std::vector<double> q, dq, ddq;
};
Derivatives differentiated(const std::vector<double>& q, double interval, std::size_t half);

}  // namespace klingel::reduce
