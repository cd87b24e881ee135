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

}  // namespace klingel::sym
