#include "contact/hertz.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/error.hpp"
#include "contact/hertz_cells.hpp"

namespace klingel::contact {
namespace {

constexpr int shift = hertz_cell_shift;
constexpr std::uint64_t first_index =
    std::bit_cast<std::uint64_t>(HertzTable::smallest_ratio) >> shift;
constexpr double below_one = 0x1.fffffffffffffp-1;  // ratio 1 belongs to the last cell

using Bits = std::uint64_t __attribute__((vector_size(32)));

// x^(1/3) of a normal positive number to 1e-14, twice as fast as the C library's: a third of the
// exponent from the upper half of the bits (3 % off), then two steps of Halley's rule, each of
// which triples the digits. The upper half is made a number and rounded by adding 2^52.
constexpr double whole = 0x1p52, of_exponent = 0x2a9f7893;
double third_of_exponent(double x) {
  const double upper = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> 32 |
                                             std::bit_cast<std::uint64_t>(whole)) -
                       whole;
  return std::bit_cast<double>(
      std::bit_cast<std::uint64_t>(upper * (1.0 / 3) + (whole + of_exponent)) << 32);
}
base::Pack third_of_exponent(const base::Pack& x) {
  const base::Pack upper = (base::Pack)((Bits)x >> 32 | (Bits)base::splat(whole)) - whole;
  return (base::Pack)((Bits)(upper * (1.0 / 3) + (whole + of_exponent)) << 32);
}
template <class T>
T cube_root(const T& x, T r) {
  for (int i = 0; i < 2; ++i) {
    const T r3 = r * r * r;
    r *= (r3 + 2 * x) / (2 * r3 + x);
  }
  return r;
}

double value(const double (&p)[4], double x) { return p[0] + x * (p[1] + x * (p[2] + x * p[3])); }

}  // namespace

Curvatures curvatures(double Rw_x, double Rw_y, double Rr_x, double Rr_y) noexcept {
  return {0.5 * (1 / Rw_x + 1 / Rr_x), 0.5 * (1 / Rw_y + 1 / Rr_y)};
}

HertzTable::HertzTable(double E, double poisson) {
  if (!(E > 0) || !std::isfinite(E)) base::fail("Young's modulus is {} Pa, expected above 0", E);
  if (!(poisson >= 0 && poisson <= 0.5))
    base::fail("Poisson's ratio is {}, expected between 0 and 0.5", poisson);
  softness_ = 1.5 * (1 - poisson * poisson) / E;
  cells_ = hertz_cells();
}

double HertzPatch::p0() const noexcept { return 1.5 * N / (std::numbers::pi * a * b); }

HertzTable::Limited HertzTable::limited(Curvatures curvatures, double B_floor) const noexcept {
  double A = curvatures.A, B = curvatures.B;
  Limited out{};
  if (B < B_floor) {
    B = B_floor;
    out.limited = true;
  }
  if (!(A + B > 0) || !std::isfinite(A + B)) return out;
  out.valid = true;

  // the larger curvature is positive, the smaller one may be anything
  out.along = A <= B;
  const double larger = out.along ? B : A, smaller = out.along ? A : B;
  double ratio = smaller / larger;
  out.sum = A + B;
  if (!(ratio >= smallest_ratio)) {
    ratio = smallest_ratio;
    out.sum = larger * (1 + ratio);
    out.limited = true;
  }

  const std::uint64_t index = std::bit_cast<std::uint64_t>(std::min(ratio, below_one)) >> shift;
  const HertzCell& cell = cells_[index - first_index];
  const double x = ratio - std::bit_cast<double>(index << shift);
  out.m = value(cell.m, x);
  out.n = value(cell.n, x);
  out.d = value(cell.d, x);
  return out;
}

HertzPatch HertzTable::patch(Curvatures curvatures, double N, double B_floor) const noexcept {
  const Limited shape = limited(curvatures, B_floor);
  HertzPatch out;
  out.valid = shape.valid;
  out.limited = shape.limited;
  if (!shape.valid || !(N > 0)) return out;
  const double c3 = softness_ * N / shape.sum, c = cube_root(c3, third_of_exponent(c3));
  out.a = c * (shape.along ? shape.m : shape.n);
  out.b = c * (shape.along ? shape.n : shape.m);
  out.delta = shape.d * shape.sum * c * c;
  out.N = N;
  return out;
}

// as limited() and patch(), on four lanes
HertzTable::Axes HertzTable::axes(const base::Pack& A, const base::Pack& B_given,
                                  const base::Pack& N, double B_floor) const noexcept {
  using base::Pack, base::splat;
  const Pack B = base::larger(B_given, splat(B_floor));
  const Pack infinite = splat(std::numeric_limits<double>::infinity());
  const base::Mask acts = (A + B > Pack{}) & (A + B < infinite) & (N > Pack{});
  const base::Mask along = A <= B;
  const Pack big = base::select(along, B, A), small = base::select(along, A, B);
  Pack ratio = base::select(acts, small / big, splat(1)), sum = A + B;
  const base::Mask flat = ratio < splat(smallest_ratio);
  ratio = base::select(flat, splat(smallest_ratio), ratio);
  sum = base::select(acts, base::select(flat, big * (1 + ratio), sum), splat(1));

  const Bits index = (Bits)base::smaller(ratio, splat(below_one)) >> shift;
  const Pack x = ratio - (Pack)(index << shift);
  Pack m[4], n[4];
  for (std::size_t i = 0; i < base::pack_lanes; ++i) {
    const HertzCell& cell = cells_[index[i] - first_index];
    m[i] = base::load(cell.m), n[i] = base::load(cell.n);
  }
  base::transpose(m[0], m[1], m[2], m[3]);
  base::transpose(n[0], n[1], n[2], n[3]);
  const Pack c3 = softness_ * base::select(acts, N, splat(1)) / sum;
  const Pack c = cube_root(c3, third_of_exponent(c3));
  const Pack major = c * (m[0] + x * (m[1] + x * (m[2] + x * m[3])));
  const Pack minor = c * (n[0] + x * (n[1] + x * (n[2] + x * n[3])));
  return {base::select(acts, base::select(along, major, minor), Pack{}),
          base::select(acts, base::select(along, minor, major), Pack{})};
}

double HertzTable::stiffness(Curvatures curvatures, double B_floor) const noexcept {
  const Limited shape = limited(curvatures, B_floor);
  if (!shape.valid) return 0;
  // delta = d (A + B) c^2 and c^3 = softness N/(A + B)
  return 1 / (softness_ * shape.d * std::sqrt(shape.d * shape.sum));
}

}  // namespace klingel::contact
