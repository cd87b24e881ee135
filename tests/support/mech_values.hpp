// Numbers from the expressions of a mechanism: a state gives every symbol a value, quantities are
// evaluated at it, in double or long double.
#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "mech/model.hpp"
#include "sym/matrix.hpp"
#include "sym/tape.hpp"
#include "tests/support/random.hpp"

namespace klingel::test {

using mech::Expr;

// A value for every symbol of a model, nominal at first.
class State {
 public:
  explicit State(mech::Model& m) : model_(&m) {
    for (const sym::Symbol& s : m.graph().symbols()) values_.push_back(s.value);
  }
  State& set(Expr x, long double value) {
    values_[model_->graph().node(x.id()).a] = value;
    return *this;
  }
  long double operator[](Expr x) const { return values_[model_->graph().node(x.id()).a]; }
  const std::vector<long double>& values() const { return values_; }

 private:
  mech::Model* model_;
  std::vector<long double> values_;
};

// Positions, velocities, accelerations, time, inputs and forces at random; parameters nominal.
inline State random_state(mech::Model& m, std::uint64_t seed) {
  Random random(seed);
  State state(m);
  for (const sym::Symbol& s : m.graph().symbols()) {
    if (s.kind == sym::SymbolKind::parameter) continue;
    const bool position =
        s.kind == sym::SymbolKind::coordinate || s.kind == sym::SymbolKind::contact_coordinate;
    state.set({&m.graph(), s.id}, random.within(position ? std::numbers::pi : 2));
  }
  return state;
}

// A list of expressions, ready to be evaluated at many states. Make it after all symbols exist.
class Quantities {
 public:
  Quantities(mech::Model& m, std::span<const Expr> list)
      : symbols_(symbols_of(m)), tape_(symbols_, list) {}

  template <class Real = double>
  std::vector<Real> at(const State& state) const {
    const std::vector<Real> in(state.values().begin(), state.values().end());
    std::vector<Real> out(tape_.outputs()), registers(tape_.registers());
    tape_.run(in.data(), out.data(), registers.data());
    return out;
  }

 private:
  static std::vector<Expr> symbols_of(mech::Model& m) {
    std::vector<Expr> symbols;
    for (const sym::Symbol& s : m.graph().symbols()) symbols.push_back({&m.graph(), s.id});
    return symbols;
  }

  std::vector<Expr> symbols_;
  sym::Tape tape_;
};

inline std::vector<double> values_at(mech::Model& m, std::span<const Expr> list,
                                     const State& state) {
  return Quantities(m, list).at(state);
}
inline double value_at(mech::Model& m, Expr x, const State& state) {
  return Quantities(m, std::span(&x, 1)).at(state).front();
}

// All elements of a matrix, column by column, zeros written out.
inline std::vector<Expr> dense(mech::Model& m, const sym::Matrix& A) {
  std::vector<Expr> all(static_cast<std::size_t>(A.rows()) * A.cols(), m.number(0));
  for (const sym::Entry& e : A.entries())
    all[static_cast<std::size_t>(e.col) * A.rows() + e.row] = e.value;
  return all;
}

// x of A x = b, A n x n column by column; Gauss with column pivots.
inline std::vector<long double> solved(std::vector<long double> A, std::vector<long double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(A[k * n + i]) > std::abs(A[k * n + p])) p = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(A[j * n + k], A[j * n + p]);
    std::swap(b[k], b[p]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double f = A[k * n + i] / A[k * n + k];
      for (std::size_t j = k; j < n; ++j) A[j * n + i] -= f * A[j * n + k];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[j * n + k] * b[j];
    b[k] /= A[k * n + k];
  }
  return b;
}

}  // namespace klingel::test
