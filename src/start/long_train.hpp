// Derivatives and solutions for vehicles with many coordinates: long trains. Forces of a coordinate
// depend on others near by in the order of the file only, unit after unit, so many coordinates are
// moved at once, and matrices are sparse. Time and memory grow with the length of the train, not
// with its square.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <functional>
#include <vector>

#include "step/vehicle_copy.hpp"

namespace klingel::start {

// From this number of coordinates on: about six coaches. Below it, dense matrices are as quick.
inline constexpr std::size_t many_coordinates = 250;

using SparseMatrix = Eigen::SparseMatrix<double>;
using ForcesOf = std::function<Eigen::VectorXd(const std::vector<double>&)>;

// dF/dx at x, by central differences with steps of h.
SparseMatrix differences(const ForcesOf& F, const std::vector<double>& x, double h);

// Rows and columns of a square matrix that are chosen.
SparseMatrix part_of(const SparseMatrix& A, const std::vector<std::size_t>& chosen);

// (A - weak I) x = b for A = dF/dq, which has no negative stiffness: weak springs hold coordinates
// that nothing else holds, and change the others by nothing that matters to Newton's method.
Eigen::VectorXd solve_weakly_held(const SparseMatrix& A, const Eigen::VectorXd& b);

// The x that comes nearest to A x = b; of several the shortest.
Eigen::VectorXd least_squares(const SparseMatrix& A, const Eigen::VectorXd& b);

using Wrench6 = std::array<double, 6>;  // force and moment about the centre of a wheelset

// delta_NK(q, dq = 0) + J^T b, b: a wrench on each wheelset. The place of the kernels is set.
Eigen::VectorXd forces_with(runtime::KernelSet& kernels, const std::vector<Wrench6>& b);

// Two rows W^T J for each wheelset, J: (v_C, w of still) by dq; one row for each wheel, in their
// order. The place of the kernels is set.
Eigen::MatrixXd rows_of_wheelsets(step::VehicleCopy& copy,
                                  const std::function<std::array<Wrench6, 2>(std::size_t)>& W);

}  // namespace klingel::start
