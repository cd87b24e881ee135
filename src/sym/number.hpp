// A constant: exact integer or small rational where possible, else a double.
//
// Exact arithmetic keeps 1/3 + 1/6 = 1/2 and makes x - x/2 - x/2 vanish, which is what lets
// sparsity fall out of constant folding. A result that leaves the exact range (integers beyond
// 2^53, parts of a rational beyond 2^31) becomes the nearest double. One value has one
// representation: a double that is an integer or a small dyadic fraction is stored exactly.
#pragma once

#include <cstdint>
#include <optional>

#include "sym/op.hpp"

namespace klingel::sym {

__extension__ typedef __int128 Int128;  // products of two parts of a number

class Number {
 public:
  constexpr Number(std::int64_t n = 0) : num_(n), den_(1) {}   // |n| <= 2^53
  static Number rational(std::int64_t num, std::int64_t den);  // den = 0 is an error
  static Number real(double value);                            // not finite is an error

  bool exact() const { return den_ != 0; }
  bool is_integer() const { return den_ == 1; }
  std::int64_t num() const { return num_; }
  std::int64_t den() const { return den_; }
  double value() const;
  bool negative() const;
  bool is(std::int64_t n) const { return den_ == 1 && num_ == n; }
  Op op() const;  // integer, rational or real

  friend Number operator+(const Number& x, const Number& y);
  friend Number operator-(const Number& x, const Number& y);
  friend Number operator*(const Number& x, const Number& y);
  friend Number operator/(const Number& x, const Number& y);  // y = 0 is an error
  friend Number operator-(const Number& x);
  friend bool operator==(const Number& x, const Number& y) = default;

 private:
  static Number reduced(Int128 num, Int128 den);

  std::int64_t num_ = 0;
  std::int64_t den_ = 1;  // 0 marks a double
  double real_ = 0;
};

// The exact square root, if there is one.
std::optional<Number> exact_sqrt(const Number& x);

}  // namespace klingel::sym
