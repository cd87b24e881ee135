// A function of one variable made of cubic pieces, as the article describes profiles and track:
//
//   f(u) = ((a (u - u_bp) + b)(u - u_bp) + c)(u - u_bp) + d      [eq:spline]
//
// The symbolic model has one piece with its five numbers as inputs; the runtime looks the active
// piece up. Making a spline allocates, using it never does. Fitting points is in spline_fit.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace klingel::spline {

struct CubicPiece {
  double a = 0, b = 0, c = 0, d = 0, u_bp = 0;

  friend bool operator==(const CubicPiece&, const CubicPiece&) = default;

  double value(double u) const {
    const double x = u - u_bp;
    return ((a * x + b) * x + c) * x + d;
  }
  double derivative(double u) const {
    const double x = u - u_bp;
    return (3 * a * x + 2 * b) * x + c;
  }
  double second_derivative(double u) const { return 6 * a * (u - u_bp) + 2 * b; }
};

class CubicSpline {
 public:
  CubicSpline() = default;
  // Piece i holds between knots[i] and knots[i + 1]. Knots must be finite and ascend, coefficients
  // be finite; anything else is an Error. Whether pieces meet is not checked: see largest_jump.
  CubicSpline(std::vector<double> knots, std::vector<CubicPiece> pieces);

  double begin() const { return knots_.front(); }
  double end() const { return knots_.back(); }
  bool contains(double u) const { return begin() <= u && u <= end(); }

  // The active piece, found through a table of equal cells. Left and right of the ends the first
  // and last piece are continued; call contains() to exclude that.
  std::size_t index(double u) const noexcept;
  const CubicPiece& piece(double u) const noexcept { return pieces_[index(u)]; }

  double value(double u) const noexcept { return piece(u).value(u); }
  double derivative(double u) const noexcept { return piece(u).derivative(u); }
  double second_derivative(double u) const noexcept { return piece(u).second_derivative(u); }

  std::span<const double> knots() const { return knots_; }
  std::span<const CubicPiece> pieces() const { return pieces_; }

  // The largest step of the derivative of the given order (0, 1, 2) at inner knots.
  double largest_jump(int order) const;

  friend bool operator==(const CubicSpline&, const CubicSpline&) = default;

  // g(u) = f(-u), as a profile seen from the other side.
  CubicSpline mirrored() const;
  // g(u) = scale f(u) + shift.
  CubicSpline transformed(double scale, double shift) const;

 private:
  std::vector<double> knots_;
  std::vector<CubicPiece> pieces_;
  std::vector<std::uint32_t> cells_;  // the piece at the left end of each cell
  double cells_per_unit_ = 0;
};

}  // namespace klingel::spline
