#include "step/rail_pieces.hpp"

#include "spline/piece_range.hpp"

namespace klingel::step {

using base::Pack;

void RailPieces::Piece::set(std::size_t lane, const spline::CubicPiece& piece) {
  a[lane] = piece.a, b[lane] = piece.b, c[lane] = piece.c, d[lane] = piece.d;
  u_bp[lane] = piece.u_bp;
}

void RailPieces::occupy(std::size_t lane, const track::RailLine& line) {
  lines_[lane] = &line;
  low_[lane] = line.begin(), high_[lane] = line.end();
  occupied_ |= 1u << lane;
  look_up(lane, line.begin());
}

// The four splines of a line share their knots.
void RailPieces::look_up(std::size_t lane, double s_r) {
  const track::RailLine& line = *lines_[lane];
  const std::size_t i = line.x.index(s_r);
  x_.set(lane, line.x.pieces()[i]), y_.set(lane, line.y.pieces()[i]);
  z_.set(lane, line.z.pieces()[i]), theta_.set(lane, line.theta.pieces()[i]);
  const spline::PieceRange range = spline::piece_range(line.x, i);
  begin_[lane] = range.begin, end_[lane] = range.end;
}

void RailPieces::look_up(const Pack& s_r) {
  unsigned left = occupied_ & ~base::bits((begin_ <= s_r) & (s_r < end_));
  for (std::size_t lane = 0; left != 0; ++lane, left >>= 1)
    if ((left & 1) != 0) look_up(lane, s_r[lane]);
}

template <class T>
track::RailFrameOf<T> RailPieces::frames(const T& s_r) const {
  struct Values {
    T f, df, ddf, dddf;
  };
  const auto of = [&s_r](const Piece& p) {
    using base::multiply_add;
    const T u = s_r - p.u_bp, a = p.a, b = p.b, c = p.c, d = p.d, b2 = b + b, a3 = 3 * a;
    const T slope = multiply_add(a, u, b), bend = multiply_add(a3, u, b2);
    return Values{multiply_add(multiply_add(slope, u, c), u, d), multiply_add(bend, u, c),
                  multiply_add(a3, u, bend), a3 + a3};
  };
  const Values x = of(x_), y = of(y_), z = of(z_), theta = of(theta_);
  return track::rail_frame<T>({{x.f, y.f, z.f},
                               {x.df, y.df, z.df},
                               {x.ddf, y.ddf, z.ddf},
                               {x.dddf, y.dddf, z.dddf},
                               theta.f,
                               theta.df,
                               theta.ddf});
}

// flat: or twenty packs would be copied twice
[[gnu::flatten]] RailFrames RailPieces::packs_of_frames(const Pack& s_r) const {
  const auto vector = [](const spline::Vector3<Pack>& v) { return PackVector{v.x, v.y, v.z}; };
  const track::RailFrameOf<Pack> f = frames<Pack>(s_r);
  return {vector(f.origin),
          vector(f.k),
          vector(f.dk),
          {vector(f.axes.x), vector(f.axes.y), vector(f.axes.z)},
          f.v,
          f.dv};
}

RailFrames RailPieces::at(const Pack& s_r) {
  look_up(s_r);
  return packs_of_frames(s_r);
}

RailSlopes RailPieces::slopes_at(const Pack& s_r) {
  look_up(s_r);
  return frames(base::Dual<1>(s_r, 0));
}

}  // namespace klingel::step
