// Material that a profile loses, by place: cells of equal width along y. What a contact removes is
// spread over the width of its patch as the energy is where all of it slips: with (1 - v^2/b^2),
// the product of the pressure and the length of a strip at the distance v from the middle.
#pragma once

#include <cstddef>
#include <vector>

#include "spline/cubic_spline.hpp"

namespace klingel::wear {

class WearMap {
 public:
  WearMap() = default;
  // y from begin to end, m.
  WearMap(double begin, double end, double cell = 0.25e-3);

  // A patch in the middle y, half as wide as b, m, across a surface that leans by `angle`: removes
  // this section, m^2. What lies beyond the profile's ends goes to the last cell. Where worn
  // surfaces nearly agree, ellipses grow wider than the surfaces agree: more than `widest` is cut.
  static constexpr double widest = 15e-3;  // m, half of it
  void add(double y, double b, double angle, double section);
  void add(const WearMap& other, double share);

  const std::vector<double>& depth() const { return depth_; }  // m along z, by cell
  double y(std::size_t cell) const { return begin_ + (static_cast<double>(cell) + 0.5) * cell_; }
  double cell() const { return cell_; }
  double section() const;  // all that was removed, m^2

  // The largest depth normal to a surface z(y), m: along z it is more on a steep flange.
  double deepest(const spline::CubicSpline& z) const;

  // Mean with neighbours, Gaussian of this standard deviation, m: waves shorter than what patches
  // of other runs would fill are no result. The section stays.
  WearMap smoothed(double width) const;

 private:
  double begin_ = 0, cell_ = 1;
  std::vector<double> depth_;
};

}  // namespace klingel::wear
