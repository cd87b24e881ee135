// Arithmetic on components: triples and 3x3 blocks of expressions, without a base.
//
// Sums are written one term after the other because C++ leaves the order of operands open and ids
// of atoms must not depend on the compiler. Zeros and ones fold away, so a rotation about a
// coordinate axis costs four products and two sums.
#pragma once

#include <array>

#include "sym/expr.hpp"

namespace klingel::mech {

using sym::Expr;
using Triple = std::array<Expr, 3>;
using Block = std::array<Expr, 9>;  // row major: element (i, j) is [3 i + j]

bool is_zero(const Triple& u);
bool is_zero(const Block& t);

Triple plus(const Triple& u, const Triple& v);
Triple minus(const Triple& u, const Triple& v);
Triple negated(const Triple& u);
Triple scaled(Expr s, const Triple& u);
Expr dot(const Triple& u, const Triple& v);
Triple cross(const Triple& u, const Triple& v);

Triple product(const Block& t, const Triple& u);             // t u
Triple transposed_product(const Block& t, const Triple& u);  // t^T u
Block product(const Block& s, const Block& t);
Block transposed(const Block& t);
Block plus(const Block& s, const Block& t);
Block scaled(Expr s, const Block& t);
bool is_symmetric(const Block& t);  // atom by atom

// R t R^T. For a symmetric t only six components are built; for a rotation about a coordinate axis
// that is 16 operations instead of 45, and 23 for any other t (see the source).
Block rotated(const Block& R, const Block& t);

// (alpha x) r + w x (w x r), by the matrix [alpha] + w w^T - |w|^2 E, whose atoms all vectors of a
// base share.
Triple turning_acceleration(const Triple& w, const Triple& alpha, const Triple& r);

// Number of operations of R u for a full u.
int product_cost(const Block& R);

}  // namespace klingel::mech
