#include "sym/number.hpp"

#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace klingel::sym {
namespace {

constexpr std::int64_t max_integer = std::int64_t{1} << 53;
constexpr std::int64_t max_part = (std::int64_t{1} << 31) - 1;

Int128 magnitude(Int128 x) { return x < 0 ? -x : x; }

Int128 gcd(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 r = a % b;
    a = b;
    b = r;
  }
  return a;
}

// the double nearest to num / den, both positive, rounded once: going through long double would
// round twice and miss it about once in 4000 cases. Long division to 55 bits and a sticky bit
double nearest_quotient(Int128 num, Int128 den) {
  Int128 q = num / den, r = num % den;
  int e = 0;
  for (; q < Int128{1} << 55; --e) {
    r *= 2;
    q = 2 * q + (r >= den ? 1 : 0);
    if (r >= den) r -= den;
  }
  if (r != 0) q |= 1;
  return std::ldexp(static_cast<double>(q), e);
}

}  // namespace

Number Number::reduced(Int128 num, Int128 den) {
  if (den < 0) {
    num = -num;
    den = -den;
  }
  const Int128 d = gcd(magnitude(num), den);
  num /= d;
  den /= d;
  if (den == 1 && magnitude(num) <= max_integer) return Number(static_cast<std::int64_t>(num));
  if (den > 1 && den <= max_part && magnitude(num) <= max_part) {
    Number r;
    r.num_ = static_cast<std::int64_t>(num);
    r.den_ = static_cast<std::int64_t>(den);
    return r;
  }
  const double size = nearest_quotient(magnitude(num), den);
  return real(num < 0 ? -size : size);
}

Number Number::rational(std::int64_t num, std::int64_t den) {
  if (den == 0) base::fail("the rational number {}/0 has a zero denominator", num);
  return reduced(num, den);
}

Number Number::real(double value) {
  if (!std::isfinite(value)) base::fail("a constant must be finite, found {}", value);
  if (std::abs(value) <= static_cast<double>(max_integer) && value == std::trunc(value)) {
    return Number(static_cast<std::int64_t>(value));
  }
  // a small dyadic fraction: value = m * 2^e with m odd and e < 0
  int e = 0;
  double m = std::frexp(value, &e);
  constexpr int bits = 31;
  const double scaled = std::ldexp(m, bits);  // an integer iff 31 bits are enough
  if (scaled == std::trunc(scaled)) {
    std::int64_t num = static_cast<std::int64_t>(scaled);
    int shift = bits - e;  // value = num / 2^shift
    while (shift > 0 && num % 2 == 0) {
      num /= 2;
      --shift;
    }
    if (shift > 0 && shift <= 30 && num >= -max_part && num <= max_part) {
      Number r;
      r.num_ = num;
      r.den_ = std::int64_t{1} << shift;
      return r;
    }
  }
  Number r;
  r.num_ = 0;
  r.den_ = 0;
  r.real_ = value;
  return r;
}

double Number::value() const {
  return exact() ? static_cast<double>(num_) / static_cast<double>(den_) : real_;
}

bool Number::negative() const { return exact() ? num_ < 0 : real_ < 0; }

Op Number::op() const { return !exact() ? Op::real : den_ == 1 ? Op::integer : Op::rational; }

Number operator+(const Number& x, const Number& y) {
  if (!x.exact() || !y.exact()) return Number::real(x.value() + y.value());
  return Number::reduced(
      static_cast<Int128>(x.num_) * y.den_ + static_cast<Int128>(y.num_) * x.den_,
      static_cast<Int128>(x.den_) * y.den_);
}

Number operator-(const Number& x) {
  Number r = x;
  r.num_ = -r.num_;
  r.real_ = x.exact() ? 0 : -x.real_;
  return r;
}

Number operator-(const Number& x, const Number& y) { return x + -y; }

Number operator*(const Number& x, const Number& y) {
  if (!x.exact() || !y.exact()) return Number::real(x.value() * y.value());
  return Number::reduced(static_cast<Int128>(x.num_) * y.num_,
                         static_cast<Int128>(x.den_) * y.den_);
}

Number operator/(const Number& x, const Number& y) {
  if (y.is(0)) base::fail("division of the constant {} by zero", x.value());
  if (!x.exact() || !y.exact()) return Number::real(x.value() / y.value());
  return Number::reduced(static_cast<Int128>(x.num_) * y.den_,
                         static_cast<Int128>(x.den_) * y.num_);
}

std::optional<Number> exact_sqrt(const Number& x) {
  if (!x.exact() || x.negative()) return std::nullopt;
  const auto root = [](std::int64_t n) {
    return static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(n))));
  };
  const std::int64_t n = root(x.num());
  const std::int64_t d = root(x.den());
  if (n * n != x.num() || d * d != x.den()) return std::nullopt;
  return Number::rational(n, d);
}

}  // namespace klingel::sym
