#include "spline/cubic_spline.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::spline {
namespace {

void check(std::span<const double> knots, std::span<const CubicPiece> pieces) {
  if (pieces.empty() || knots.size() != pieces.size() + 1) {
    base::fail("a spline of {} pieces needs {} knots, found {}", pieces.size(), pieces.size() + 1,
               knots.size());
  }
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!std::isfinite(knots[i])) base::fail("knot {} of a spline is not a finite number", i);
    if (i > 0 && knots[i] <= knots[i - 1]) {
      base::fail("knots of a spline must ascend: knot {} is {}, after {}", i, knots[i],
                 knots[i - 1]);
    }
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const CubicPiece& p = pieces[i];
    if (!std::isfinite(p.a + p.b + p.c + p.d + p.u_bp)) {
      base::fail("piece {} of a spline has a coefficient that is not a finite number", i);
    }
  }
}

}  // namespace

CubicSpline::CubicSpline(std::vector<double> knots, std::vector<CubicPiece> pieces)
    : knots_(std::move(knots)), pieces_(std::move(pieces)) {
  check(knots_, pieces_);
  // four cells per piece: with even knots the piece is found at once, with uneven ones a few
  // steps further on
  const std::size_t n = 4 * pieces_.size();
  cells_per_unit_ = static_cast<double>(n) / (end() - begin());
  cells_.resize(n);
  std::uint32_t piece = 0;
  for (std::size_t cell = 0; cell < n; ++cell) {
    const double left = begin() + static_cast<double>(cell) / cells_per_unit_;
    while (piece + 1 < pieces_.size() && knots_[piece + 1] <= left) ++piece;
    cells_[cell] = piece;
  }
}

std::size_t CubicSpline::index(double u) const noexcept {
  // not(u > begin) also catches NaN, which must not become an index
  if (!(u > begin())) return 0;
  if (u >= end()) return pieces_.size() - 1;
  const auto cell = static_cast<std::size_t>((u - begin()) * cells_per_unit_);
  std::size_t i = cells_[std::min(cell, cells_.size() - 1)];
  // rounding may have put u one cell too far to the right
  while (i > 0 && u < knots_[i]) --i;
  while (i + 1 < pieces_.size() && knots_[i + 1] <= u) ++i;
  return i;
}

double CubicSpline::largest_jump(int order) const {
  const auto at = [order](const CubicPiece& p, double u) {
    return order == 0 ? p.value(u) : order == 1 ? p.derivative(u) : p.second_derivative(u);
  };
  double jump = 0;
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    jump = std::max(jump, std::abs(at(pieces_[i], knots_[i]) - at(pieces_[i - 1], knots_[i])));
  }
  return jump;
}

CubicSpline CubicSpline::mirrored() const {
  std::vector<double> knots(knots_.rbegin(), knots_.rend());
  for (double& u : knots) u = -u;
  // x = u - u_bp becomes -(u' - u_bp') with u_bp' = -u_bp: odd powers change sign
  std::vector<CubicPiece> pieces;
  pieces.reserve(pieces_.size());
  for (auto p = pieces_.rbegin(); p != pieces_.rend(); ++p) {
    pieces.push_back({-p->a, p->b, -p->c, p->d, -p->u_bp});
  }
  return {std::move(knots), std::move(pieces)};
}

CubicSpline CubicSpline::transformed(double scale, double shift) const {
  std::vector<CubicPiece> pieces = pieces_;
  for (CubicPiece& p : pieces) {
    p = {scale * p.a, scale * p.b, scale * p.c, scale * p.d + shift, p.u_bp};
  }
  return {knots_, std::move(pieces)};
}

}  // namespace klingel::spline
