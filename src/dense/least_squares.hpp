// The x of least norm that makes |A x - b| least, by a complete orthogonal decomposition: A may be
// of any shape and rank.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace klingel::dense {

class LeastSquares {
 public:
  // Pivots below `threshold` times the largest count as zero; 0: below rounding times the size.
  explicit LeastSquares(const Eigen::MatrixXd& A, double threshold = 0);
  ~LeastSquares();

  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// A X = B, A square; the least X where many are solutions.
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace klingel::dense
