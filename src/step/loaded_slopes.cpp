#include "step/loaded_slopes.hpp"

#include <algorithm>

#include "step/loaded_dual.hpp"

namespace klingel::step {

using namespace slopes;

void LoadedSlopes::occupy(std::size_t lane, const WheelData& wheel, const track::RailLine& line) {
  rails_.occupy(lane, line);
  tread_charts_[lane] = &wheel.pair->tread;
  flange_charts_[lane] = wheel.pair->flange ? &*wheel.pair->flange : nullptr;
  places_[lane] = wheel.places;
  const spline::CubicSpline& f_w = wheel.surface.f_w;
  side_[lane] = wheel.side == profile::Side::left ? 1 : -1;
  r0_[lane] = f_w.value(std::clamp(0.0, f_w.begin(), f_w.end()));
  y_w_[lane] = wheel.y_w;
  occupied_ |= 1u << lane;
}

void LoadedSlopes::shift(std::size_t lane, const RailShift& by) {
  shift_y_[lane] = by.y, shift_z_[lane] = by.z;
  shift_dy_[lane] = by.dy, shift_dz_[lane] = by.dz;
}

namespace {

void put_wrench(Pack* to, const PackVector& F, const PackVector& M) {
  for (int i = 0; i < 3; ++i) to[i] = F[i], to[3 + i] = M[i];
}

// Columns by place and by motion, in the frame, of vectors in it.
template <class By, std::size_t count, std::size_t rows = 3 * count>
void put_columns(const Triple<typename By::Move>* const (&of)[count], const PackVector& turned,
                 const Pack& y_w, const PackVector& e, Pack (&to)[wrench_columns][rows]) {
  const auto put = [&of](Pack* column, int variable) {
    for (std::size_t k = 0; k < count; ++k)
      for (int i = 0; i < 3; ++i) *column++ = slope(*of[k], variable)[i];
  };
  Pack by_t[rows], by_n[rows];
  put(to[0], By::along), put(to[1], By::y), put(to[2], By::z);
  put(by_t, By::e_t), put(by_n, By::e_n);
  for (std::size_t k = 0; k < count; ++k) {  // along the rail the frame turns
    const PackVector turns = cross(turned, value(*of[k]));
    for (int i = 0; i < 3; ++i) to[0][3 * k + static_cast<std::size_t>(i)] += turns[i];
  }
  for (std::size_t i = 0; i < rows; ++i) {
    // turned about x, y, z of the frame, O_w moves by y_w times the change of the axis
    const Pack t = multiply_add(y_w, to[0][i], by_t[i]), c = y_w * to[1][i],
               n = multiply_add(y_w, to[2][i], by_n[i]);
    to[3][i] = difference_of_products(e.y, n, e.z, c);
    to[4][i] = difference_of_products(e.z, t, e.x, n);
    to[5][i] = difference_of_products(e.x, c, e.y, t);
  }
  for (int i = 0; i < 7; ++i) put(to[6 + i], By::v + i);
}

// Columns in the frame become columns in the ground: of what they are of (rows), by what they are
// by (three columns at a time).
template <std::size_t rows>
void to_ground(const PackAxes& axes, Pack (&X)[wrench_columns][rows], Pack (*to)[rows]) {
  for (auto& column : X)
    for (std::size_t i = 0; i < rows; i += 3) {
      const PackVector out = axes.out(triple_at(column + i));
      for (int k = 0; k < 3; ++k) column[i + static_cast<std::size_t>(k)] = out[k];
    }
  constexpr std::size_t spin = 12;
  for (std::size_t first = 0; first < wrench_columns; first += 3) {
    if (first == spin) {
      for (std::size_t i = 0; i < rows; ++i) to[spin][i] += X[spin][i];
      ++first;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const int j = static_cast<int>(c);
      for (std::size_t i = 0; i < rows; ++i)
        to[first + c][i] +=
            multiply_add(axes.x[j], X[first][i],
                         sum_of_products(axes.y[j], X[first + 1][i], axes.z[j], X[first + 2][i]));
    }
  }
}

}  // namespace

template <bool with_rails>
bool LoadedSlopes::find(const Motion& at, const Description& vehicle,
                        const LoadedTreads::Set& springs, const Wanted& wanted, WrenchSlopes& to) {
  using By = Variables<with_rails>;
  Wheels<By> wheels;
  place(at, wheels);
  Sum<By> sum{};
  for (const bool flange : {false, true}) {
    const SheetSpring& spring = flange ? springs.flange : springs.tread;
    Sheet<By> sheet;
    bool inside = true;
    if (look(wheels, flange, spring, sheet, inside))
      add(wheels, sheet, spring, at, vehicle, wanted, flange ? theta_flange : at.theta, sum);
    else if (!inside)
      return false;
  }
  // forces turn with the rails within the step, as in its middle
  const Triple<typename By::Move> half = at.h / 2 * wheels.turn;
  sum.F = sum.F + cross(half, sum.at_t);
  const PackVector half_turn = value(half);
  const PackAxes& axes = wheels.axes;
  const PackVector e = value(wheels.e);

  Pack X[wrench_columns][6];
  put_columns<By>({&sum.F, &sum.M}, wheels.turned, y_w_, e, X);
  for (std::size_t c = 0; c < 6; ++c) {
    const PackVector F = triple_at(sum.bias[c]);
    put_wrench(X[13 + c], F + cross(half_turn, F), triple_at(sum.bias[c] + 3));
    put_wrench(X[19 + c], triple_at(sum.end[c]), triple_at(sum.end[c] + 3));
  }
  to_ground(axes, X, to.dw);
  const PackVector F = axes.out(value(sum.F)), M = axes.out(value(sum.M));
  for (int i = 0; i < 3; ++i) to.w[i] += F[i], to.w[3 + i] += M[i];
  if (wanted.forces) {
    Pack Y[wrench_columns][3];
    put_columns<By>({&sum.force}, wheels.turned, y_w_, e, Y);
    for (std::size_t c = 0; c < 6; ++c) {
      std::copy_n(sum.force_bias[c], 3, Y[13 + c]);
      std::copy_n(sum.force_end[c], 3, Y[19 + c]);
    }
    to_ground(axes, Y, to.dforce);
    const PackVector f = axes.out(value(sum.force));
    for (int i = 0; i < 3; ++i) to.force[i] += f[i];
  }
  if constexpr (with_rails) {
    for (std::size_t c = 0; c < rail_columns; ++c) {
      const int i = c == 0 ? By::rail_y : c < 3 ? By::rail_z : c == 3 ? By::rail_dy : By::rail_dz;
      const Pack share = c % 3 == 2 ? 0.5 * side_ : splat(1);
      const PackVector dF = axes.out(slope(sum.F, i)), dM = axes.out(slope(sum.M, i)),
                       df = axes.out(slope(sum.force, i));
      for (int k = 0; k < 3; ++k) {
        to.dw_rails[c][k] += share * dF[k], to.dw_rails[c][3 + k] += share * dM[k];
        to.dforce_rails[c][k] += share * df[k];
      }
    }
  }
  if (wanted.friction) {
    const PackVector f = triple_at(sum.friction);
    const PackVector dF = axes.out(f + cross(half_turn, triple_at(sum.friction_at_t))),
                     dM = axes.out(triple_at(sum.friction + 3)), df = axes.out(f);
    for (int k = 0; k < 3; ++k)
      to.dw_friction[k] += dF[k], to.dw_friction[3 + k] += dM[k], to.dforce_friction[k] += df[k];
  }
  return true;
}

bool LoadedSlopes::find(const Motion& at, const Description& vehicle,
                        const LoadedTreads::Set& springs, const Wanted& wanted, WrenchSlopes& to) {
  return wanted.rails ? find<true>(at, vehicle, springs, wanted, to)
                      : find<false>(at, vehicle, springs, wanted, to);
}

}  // namespace klingel::step
