// What tests of the atom graph share: readable failures, error texts, values at a point.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "sym/print.hpp"
#include "sym/tape.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::sym {

// A failed EXPECT_EQ shows the expression and its id instead of bytes.
inline void PrintTo(const Expr& e, std::ostream* out) {
  if (e.empty()) {
    *out << "(empty)";
  } else {
    *out << text(e) << " [atom " << e.id() << "]";
  }
}

}  // namespace klingel::sym

namespace klingel::test {

// Outputs at the given values of the leaves, by the tape.
template <class Real = double>
std::vector<Real> values(std::span<const sym::Expr> leaves, const std::vector<Real>& at,
                         std::span<const sym::Expr> outputs) {
  const sym::Tape tape(leaves, outputs);
  std::vector<Real> out(outputs.size()), registers(tape.registers());
  tape.run(at.data(), out.data(), registers.data());
  return out;
}

template <class Real = double>
Real value(std::span<const sym::Expr> leaves, const std::vector<Real>& at, sym::Expr output) {
  return values<Real>(leaves, at, std::span(&output, 1)).front();
}

}  // namespace klingel::test
