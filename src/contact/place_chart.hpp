// Where minima of the gap are, by the place of the wheel above its rail: from where Newton's method
// finds the point a tread jumps to, or a flange, without a search. Made once, on a straight rail.
// Places are coarse and yaw is left out, so what the chart says is a start and never an answer.
#pragma once

#include <span>
#include <vector>

#include "contact/upright_wheel.hpp"

namespace klingel::contact {

class PlaceChart {
 public:
  // The surfaces must outlive the chart.
  explicit PlaceChart(const UprightWheel& upright);

  struct Pair {
    float u_w = 0, u_r = 0;
  };
  // Lateral places and rolls between four that were tried.
  struct Cell {
    static constexpr int capacity = 4;
    Pair tread[capacity];     // minima on the tread near the lowest, and some that may be the same
    int treads = 0;           // none also if there are more
    Pair flange;              // the lowest on the flange,
    bool has_flange = false;  // if there is one and no other like it
    // m: no flange of a wheel that stands on its tread is nearer to its rail, here and up to 1.5 mm
    // and 5 mrad from here. That yaw and curvature bring it nearer is so allowed for.
    float flange_gap = 0;

    std::span<const Pair> minima() const { return {tread, static_cast<std::size_t>(treads)}; }
  };
  // For a wheel whose tread touches at u_w and u_r, where slopes tell the roll and the difference
  // the lateral place. Null where nothing was tried.
  const Cell* find(double u_w, double u_r) const noexcept;

 private:
  static constexpr int cells_y = UprightWheel::places - 1, cells_roll = UprightWheel::rolls - 1;

  const WheelSurface* wheel_;
  const RailSurface* rail_;
  double begin_y_, f_0_;
  std::vector<Cell> cells_;
};

}  // namespace klingel::contact
