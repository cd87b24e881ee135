// Eigenvalues of the small motions of a vehicle in steady motion: M z'' = K z + C z' + G dN, Phi z
// = 0 (steady_motion.hpp), with z = Z x, Z a basis of the kernel of Phi, and the balance taken on a
// basis Y of the kernel of G^T, so that dN drops out:
//
//   Y^T M Z x'' = Y^T K Z x + Y^T C Z x'                                       [eq:modes]
//
// Left out, because they are zero: the place along the track and the angles of spin, which nothing
// depends on (1 + wheelsets eigenvalues), and the mode in which the vehicle as a whole is faster.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "stability/steady_motion.hpp"

namespace klingel::stability {

struct Mode {
  std::complex<double> lambda;  // 1/s; of a pair the one with im > 0
  Eigen::VectorXcd shape;       // of the coordinates, the largest 1

  double frequency() const;  // Hz
  double damping() const;    // ratio: -re / |lambda|
  bool oscillates() const { return lambda.imag() > oscillation; }

  static constexpr double oscillation = 0.3;  // rad/s: slower is no oscillation
};

// Sorted by frequency, then by the real part, the largest first.
std::vector<Mode> modes(const SmallMotions& motions);

// The mode that oscillates with the least damping, in the sense of its growth; null if none does.
const Mode* least_damped(const std::vector<Mode>& modes);

// Who moves: shares of the kinetic energy by name before the last dot of the coordinates (bodies),
// or by coordinate; largest first, below 1 % left out.
struct Share {
  std::string name;
  double share = 0;
};
std::vector<Share> shares(const Mode& mode, const Eigen::MatrixXd& M,
                          const std::vector<std::string>& coordinates, bool by_body);

}  // namespace klingel::stability
