// Derivatives on atoms.
//
// One idea serves all: a *derivation* D is fixed by its values on symbols (its seeds) and follows
// from D(x + y) = Dx + Dy and D(x y) = Dx y + x Dy on everything else.
//   d/dx            seeds  x -> 1
//   d/dt            seeds  q -> dq, dq -> ddq, t -> 1, ...
//   along v         seeds  x_i -> v_i
// Each derivation keeps a memo table on the graph, so an atom is differentiated once.
#pragma once

#include <span>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::sym {

struct Seed {
  Expr symbol;
  Expr value;  // D(symbol)
};

// The derivation with these seeds (other symbols are constants) applied to e.
Expr derivation(Expr e, std::span<const Seed> seeds);
std::vector<Expr> derivation(std::span<const Expr> list, std::span<const Seed> seeds);

// d(e)/d(x) for a symbol x.
Expr derivative(Expr e, Expr x);

// d(e)/dt through the declared rates: q -> dq -> ddq, t -> 1, parameters and spline coefficients ->
// 0. A symbol of another kind without a declared rate is an error that names it.
Expr time_derivative(Expr e);
std::vector<Expr> time_derivative(std::span<const Expr> list);

// The second derivative of e along the direction given by the seeds, the direction held constant:
// d^2/da^2 e(x + a v) at a = 0. With x = q and v = dq this is the part of the second time
// derivative of a constraint that does not contain ddq, i.e. -gamma  [eq:MphiTPhiZero4]
Expr second_directional_derivative(Expr e, std::span<const Seed> seeds);
std::vector<Expr> second_directional_derivative(std::span<const Expr> list,
                                                std::span<const Seed> seeds);

}  // namespace klingel::sym
