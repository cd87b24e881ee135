// Linear systems of a vehicle at the start, in the sense of least squares.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace klingel::start {

// The least x of all that make |A x - b| least. Directions whose pivots are below `threshold` times
// the largest are not resisted at all; zero: what rounding leaves of them. `unit` says to which
// unit a column belongs. A single unit is solved with a dense matrix; several are eliminated unit
// by unit with those they share rows with, so that a train costs as much as its coaches.
Eigen::VectorXd least_solution(const Eigen::SparseMatrix<double>& A, const Eigen::VectorXd& b,
                               const std::vector<std::size_t>& unit, double threshold = 0);

}  // namespace klingel::start
