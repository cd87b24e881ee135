// The graph as a register tape: a list of instructions an interpreter runs, without a compiler.
//
// A tape computes some atoms (outputs) from others (leaves: symbols or any atoms given from
// outside). Registers are reused as soon as a value is dead, so the working set stays small. A tape
// is immutable after construction: many threads may run one tape, each with its own registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sym/expr.hpp"
#include "sym/operands.hpp"

namespace klingel::sym {

class Tape {
 public:
  struct Instruction {
    Op op;
    Fused fused;                // of add and sub
    std::uint32_t to, a, b, c;  // registers; c of a fused one only
  };

  // An output that depends on a symbol not among the leaves is an error that names the symbol.
  // `fused`, by node, marks products that the one sum that uses them takes without rounding them;
  // empty: none.
  Tape(const Graph& g, std::span<const Id> leaves, std::span<const Id> outputs,
       const std::vector<bool>& fused = {});
  Tape(std::span<const Expr> leaves, std::span<const Expr> outputs);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_.size(); }
  std::size_t registers() const { return registers_; }
  const std::vector<Instruction>& instructions() const { return instructions_; }

  // in[inputs()], out[outputs()], r[registers()], nothing overlapping. Available for double and
  // long double (the latter to check derivatives numerically).
  template <class Real>
  void run(const Real* in, Real* out, Real* r) const;

 private:
  std::vector<double> constants_;  // registers 0 ..; then the inputs, then values
  std::size_t inputs_ = 0;
  std::size_t registers_ = 0;
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> outputs_;
};

// One operation on values, as every back end must compute it. min and max pass NaN on.
template <class Real>
Real evaluate(Op op, Real a, Real b);

// The value of an expression with every symbol at its nominal value (or as given).
double value(Expr e);
double value_of_constant(const Graph& g, Id id);  // an atom without symbols

}  // namespace klingel::sym
