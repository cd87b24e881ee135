// The lines of the rails under four wheels: the pieces of their splines where the wheels are, and
// the frames of their sections there (track/rail_frame.hpp), four at a time.
#pragma once

#include <array>

#include "base/dual.hpp"
#include "step/pack_vector.hpp"
#include "track/rail_frame.hpp"

namespace klingel::step {

// As track::RailFrameOf has them.
struct RailFrames {
  PackVector origin, k, dk;
  PackAxes axes;
  base::Pack v, dv;
};
using RailSlopes = track::RailFrameOf<base::Dual<1>>;  // with derivatives by s_r

class RailPieces {
 public:
  // The line must outlive it.
  void occupy(std::size_t lane, const track::RailLine& line);

  // Frames at the abscissae s_r; pieces are looked up where wheels have left theirs.
  RailFrames at(const base::Pack& s_r);
  RailSlopes slopes_at(const base::Pack& s_r);
  // Lanes whose abscissa is on its line.
  unsigned contain(const base::Pack& s_r) const {
    return occupied_ & base::bits((low_ <= s_r) & (s_r <= high_));
  }

 private:
  // coefficients of a spline's pieces [eq:spline]; of a lane without a line: s itself
  struct Piece {
    base::Pack a{}, b{}, c{}, d{}, u_bp{};

    void set(std::size_t lane, const spline::CubicPiece& piece);
  };
  void look_up(std::size_t lane, double s_r);
  void look_up(const base::Pack& s_r);
  template <class T>
  track::RailFrameOf<T> frames(const T& s_r) const;
  RailFrames packs_of_frames(const base::Pack& s_r) const;

  Piece x_{.c = base::splat(1)}, y_, z_, theta_;
  base::Pack begin_{}, end_{};  // where the pieces hold
  base::Pack low_{}, high_{};   // where the lines are
  std::array<const track::RailLine*, base::pack_lanes> lines_{};
  unsigned occupied_ = 0;
};

}  // namespace klingel::step
