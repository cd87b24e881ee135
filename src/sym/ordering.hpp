// An elimination order for a sparse matrix, found once, at compile time.
#pragma once

#include <cstdint>
#include <vector>

#include "sym/matrix.hpp"

namespace klingel::sym {

// Minimum degree on the pattern of A + A^T, the lower index first among equals. A row whose
// diagonal is zero (a constraint) waits until elimination of its neighbours has filled the
// diagonal. An error if that never happens: the matrix is then singular for every value of its
// entries.
std::vector<std::uint32_t> minimum_degree_order(const Matrix& A);

// The same among rows whose pivot does not vanish when the matrix is eliminated with the nominal
// values of its symbols: a pivot may be filled and still be zero, as that of a second constraint on
// one coordinate.
std::vector<std::uint32_t> stable_order(const Matrix& A);

}  // namespace klingel::sym
