#include "contact/contact_chart.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/multiply_add.hpp"

namespace klingel::contact {
namespace {

using base::multiply_add, base::Pack, base::splat, base::subtract_product;

// Coefficients (n + 2) of the uniform cubic B-spline through n values, in place: values at 1 ... n.
// The third derivative does not jump at the first and the last inner knot (not a knot), which gives
// the second coefficient from either end at once: c_1 = (8 v_1 - v_0 - v_2)/6. Three values have a
// parabola.
void interpolate(Pack* c, std::size_t n, std::size_t stride, std::vector<Pack>& work) {
  const auto at = [&](std::size_t i) -> Pack& { return c[(i + 1) * stride]; };  // c_i
  work.resize(n);
  Pack* v = work.data();
  for (std::size_t i = 0; i < n; ++i) v[i] = at(i);
  at(1) = (8 * v[1] - v[0] - v[2]) / 6;
  if (n == 3) {
    at(0) = at(1) + v[0] - v[1];
    at(2) = at(1) + v[2] - v[1];
  } else {
    at(n - 2) = (8 * v[n - 2] - v[n - 3] - v[n - 1]) / 6;
    // c_(i-1) + 4 c_i + c_(i+1) = 6 v_i between them
    std::vector<double> pivot(n);
    for (std::size_t i = 2; i + 2 < n; ++i) {
      const bool first = i == 2;
      pivot[i] = 1 / (first ? 4 : 4 - pivot[i - 1]);
      const Pack right = 6 * v[i] - (i + 3 == n ? at(n - 2) : Pack{});
      at(i) = (right - at(i - 1)) * pivot[i];
    }
    for (std::size_t i = n - 3; i-- > 2;) at(i) -= pivot[i] * at(i + 1);
    at(0) = 6 * v[1] - 4 * at(1) - at(2);
    at(n - 1) = 6 * v[n - 2] - 4 * at(n - 2) - at(n - 3);
  }
  c[0] = 6 * v[0] - 4 * at(0) - at(1);
  at(n) = 6 * v[n - 1] - 4 * at(n - 1) - at(n - 2);
}

// The polynomial through values at 0, 1, 2 and, if there are four, 3: its coefficients, in place.
void interpolate_turn(Pack* c, std::size_t n) {
  const Pack first = c[1] - c[0], second = c[2] - c[1] - first,
             third = n == 4 ? c[3] - c[2] - (c[2] - c[1]) - second : Pack{};
  c[1] = first - second / 2 + third / 3;
  c[2] = (second - third) / 2;
  if (n == 4) c[3] = third / 6;
}

// w . row
Pack weighted(const Pack* w, const Pack* row) {
  const Pack low = multiply_add(w[1], row[1], w[0] * row[0]);
  return multiply_add(w[3], row[3], multiply_add(w[2], row[2], low));
}

// Places on the three axes: a lane is an axis, the last one is none.
struct Cells {
  using Indices = int __attribute__((vector_size(16)));

  Pack u, on_axis;  // in steps from the first node; where it is not outside
  Indices index;
  Pack t;  // in the cell

  Cells(const ChartCells& of, const Pack& x) : u((x - of.begin) * of.per_step) {
    // what is not a number is beyond its axis
    on_axis = base::smaller(of.last, base::larger(Pack{}, u));
    index = __builtin_convertvector(base::smaller(of.last_cell, on_axis), Indices);
    t = on_axis - __builtin_convertvector(index, Pack);
  }
  bool inside() const { return base::bits(u == on_axis) == 15; }
};

// The four splines that are not zero in a cell, and their derivatives by the place t in it.
struct Weights {
  Pack b[4], d[4], dd[4];

  explicit Weights(const Pack& t) {
    const Pack s = 1 - t, ss = s * s, tt = t * t;
    b[0] = 1.0 / 6 * s * ss;
    b[1] = multiply_add(tt, multiply_add(t, splat(0.5), splat(-1)), splat(2.0 / 3));
    b[2] = multiply_add(ss, multiply_add(s, splat(0.5), splat(-1)), splat(2.0 / 3));
    b[3] = 1.0 / 6 * t * tt;
    d[0] = -0.5 * ss;
    d[1] = t * multiply_add(t, splat(1.5), splat(-2));
    d[2] = s * multiply_add(s, splat(-1.5), splat(2));
    d[3] = 0.5 * tt;
    dd[0] = s;
    dd[1] = multiply_add(t, splat(3), splat(-2));
    dd[2] = multiply_add(s, splat(3), splat(-2));
    dd[3] = t;
  }
};

// The polynomial in tau of one node, its first and half of its second derivative.
template <std::size_t nodes>
struct TurnAt {
  Pack v, d, half_dd;

  TurnAt(const Pack* c, const Pack& t) : v(c[nodes - 1]), d(v), half_dd(d) {
    v = multiply_add(v, t, c[nodes - 2]);
    d = multiply_add(d, t, v);
    v = multiply_add(v, t, c[nodes - 3]);
    if constexpr (nodes == 4) {
      half_dd = multiply_add(half_dd, t, d);
      d = multiply_add(d, t, v);
      v = multiply_add(v, t, c[0]);
    }
  }
};

// Sums over rho and tau, by planes of coefficients.
struct Planes {
  Pack f[4], f_r[4], f_rr[4], f_a[4];

  template <std::size_t nodes>
  void find(int i, const Pack* row, const Weights& r, const Pack& a) {
    const TurnAt<nodes> at(row, a);
    Pack sum = r.b[0] * at.v, sum_r = r.d[0] * at.v, sum_rr = r.dd[0] * at.v, sum_a = r.b[0] * at.d;
    for (int j = 1; j < 4; ++j) {
      row += nodes;
      const TurnAt<nodes> next(row, a);
      sum = multiply_add(r.b[j], next.v, sum), sum_r = multiply_add(r.d[j], next.v, sum_r);
      sum_rr = multiply_add(r.dd[j], next.v, sum_rr);
      sum_a = multiply_add(r.b[j], next.d, sum_a);
    }
    f[i] = sum, f_r[i] = sum_r, f_rr[i] = sum_rr, f_a[i] = sum_a;
  }
};

// Of functions that are not zero in a cell: third derivatives.
constexpr double third[4] = {-1, 3, -3, 1};

// The same with higher derivatives: f_raa is d^3/(d rho d tau^2), and so on.
struct SlopePlanes {
  Pack f[4], f_r[4], f_rr[4], f_rrr[4], f_a[4], f_ra[4], f_rra[4], f_aa[4];

  template <std::size_t nodes>
  void find(int i, const Pack* row, const Weights& r, const Pack& a) {
    Pack sum{}, sum_r{}, sum_rr{}, sum_rrr{}, sum_a{}, sum_ra{}, sum_rra{}, sum_aa{};
    for (int j = 0; j < 4; ++j, row += nodes) {
      const TurnAt<nodes> at(row, a);
      const Pack u = at.v, u_a = at.d, u_aa = 2 * at.half_dd;
      sum = multiply_add(r.b[j], u, sum), sum_r = multiply_add(r.d[j], u, sum_r);
      sum_rr = multiply_add(r.dd[j], u, sum_rr);
      sum_rrr = multiply_add(splat(third[j]), u, sum_rrr);
      sum_a = multiply_add(r.b[j], u_a, sum_a), sum_ra = multiply_add(r.d[j], u_a, sum_ra);
      sum_rra = multiply_add(r.dd[j], u_a, sum_rra), sum_aa = multiply_add(r.b[j], u_aa, sum_aa);
    }
    f[i] = sum, f_r[i] = sum_r, f_rr[i] = sum_rr, f_rrr[i] = sum_rrr;
    f_a[i] = sum_a, f_ra[i] = sum_ra, f_rra[i] = sum_rra, f_aa[i] = sum_aa;
  }
};

// The planes around a place. `stride`: of the first two axes.
template <class Sums>
Sums planes_at(const Cells& at, const std::vector<Pack>& coefficients, const std::size_t* stride) {
  const auto cell = [&at](int axis) { return static_cast<std::size_t>(at.index[axis]); };
  const Pack* row = &coefficients[cell(0) * stride[0] + cell(1) * stride[1]];
  const Weights rho(splat(at.t[1]));
  const Pack tau = splat(at.t[2]);
  Sums sums;
  if (stride[1] == 3) {
    for (int i = 0; i < 4; ++i, row += stride[0]) sums.template find<3>(i, row, rho, tau);
  } else {
    for (int i = 0; i < 4; ++i, row += stride[0]) sums.template find<4>(i, row, rho, tau);
  }
  return sums;
}

}  // namespace

ContactChart::ContactChart(const LoadedGap& gap, const ChartAxis& across, const ChartAxis& rho,
                           const ChartAxis& tau, double tilt, const ChartShear& shear)
    : axes_{across, rho, tau},
      tilt_(tilt),
      shear_(shear),
      stride_{(rho.count + 2) * tau.count, tau.count},
      cells_(axes_) {
  for (const ChartAxis& axis : axes_) KLINGEL_ASSERT_EQ(axis.count >= 3, true);
  KLINGEL_ASSERT_EQ(tau.count <= 4, true);
  coefficients_.resize((across.count + 2) * stride_[0]);
  const double r0 = gap.r0();
  for (std::size_t j = 0; j < rho.count; ++j) {
    for (std::size_t k = 0; k < tau.count; ++k) {
      const double e_n = rho.begin + rho.step * static_cast<double>(j);
      const double turned = tau.begin + tau.step * static_cast<double>(k);
      LoadedGap::Row row(gap, e_n, std::sqrt(turned / r0), tilt);
      const double begin = across.begin + shear.lean * e_n - shear.turn * turned;
      for (std::size_t i = 0; i < across.count; ++i) {
        const LoadedGap::Row::Rest rest = row.at(begin + across.step * static_cast<double>(i));
        coefficients_[(i + 1) * stride_[0] + (j + 1) * stride_[1] + k] = Pack{
            rest.down, rest.phi_down, rest.radius - r0, std::log(gap.eps() / (2 * rest.variance))};
      }
    }
  }
  std::vector<Pack> work;
  for (std::size_t i = 1; i <= across.count; ++i)
    for (std::size_t j = 1; j <= rho.count; ++j)
      interpolate_turn(&coefficients_[i * stride_[0] + j * stride_[1]], tau.count);
  for (std::size_t i = 1; i <= across.count; ++i)
    for (std::size_t k = 0; k < tau.count; ++k)
      interpolate(&coefficients_[i * stride_[0] + k], rho.count, stride_[1], work);
  for (std::size_t k = 0; k < stride_[0]; ++k)
    interpolate(&coefficients_[k], across.count, stride_[0], work);
}

ContactChart::ContactChart(Numbers numbers)
    : axes_{numbers.axes[0], numbers.axes[1], numbers.axes[2]},
      tilt_(numbers.tilt),
      shear_(numbers.shear),
      stride_{(axes_[1].count + 2) * axes_[2].count, axes_[2].count},
      cells_(axes_),
      coefficients_(std::move(numbers.coefficients)) {
  for (const ChartAxis& axis : axes_) {
    // no product of such counts overflows
    const std::size_t most = &axis == &axes_[2] ? 4 : 1 << 16;
    if (axis.count < 3 || axis.count > most || !(axis.step > 0))
      base::fail("a contact chart has an axis of {} nodes, expected 3 to {}", axis.count, most);
  }
  if (coefficients_.size() != (axes_[0].count + 2) * stride_[0])
    base::fail("a contact chart has {} coefficients, expected {}", coefficients_.size(),
               (axes_[0].count + 2) * stride_[0]);
}

ChartCells::ChartCells(const ChartAxis* axes) {
  last = last_cell = Pack{}, begin = Pack{}, step = per_step = splat(1);
  for (std::size_t i = 0; i < 3; ++i) {
    begin[i] = axes[i].begin, step[i] = axes[i].step, per_step[i] = 1 / axes[i].step;
    last[i] = static_cast<double>(axes[i].count - 1);
    if (i < 2) last_cell[i] = static_cast<double>(axes[i].count - 2);
  }
  per_a = splat(per_step[0]), per_rho = splat(per_step[1]), per_tau = splat(per_step[2]);
  per_aa = per_a * per_a, per_a_rho = per_a * per_rho;
  per_rho_rho = per_rho * per_rho, per_a_tau = per_a * per_tau;
}

void ContactChart::at(double across, double rho, double tau, Charted& p) const noexcept {
  const Cells at(cells_, Pack{across - shear_.lean * rho + shear_.turn * tau, rho, tau, 0});
  const auto planes = planes_at<Planes>(at, coefficients_, stride_);
  const Weights y(splat(at.t[0]));
  Pack f = weighted(y.b, planes.f), f_a = cells_.per_a * weighted(y.d, planes.f);
  Pack f_rho = cells_.per_rho * weighted(y.b, planes.f_r);
  Pack f_tau = cells_.per_tau * weighted(y.b, planes.f_a);
  Pack f_aa = cells_.per_aa * weighted(y.dd, planes.f);
  const Pack f_a_rho = cells_.per_a_rho * weighted(y.d, planes.f_r);
  Pack f_rho_rho = cells_.per_rho_rho * weighted(y.b, planes.f_rr);
  const Pack f_a_tau = cells_.per_a_tau * weighted(y.d, planes.f_a);
  p.inside = at.inside();
  if (!p.inside) {
    // straight on; the derivatives are those of what is said there
    const Pack beyond = (at.u - at.on_axis) * cells_.step;
    const double y = beyond[0], r = beyond[1], a = beyond[2];
    if (y != 0) {
      f += y * f_a;
      f_rho += y * f_a_rho;
      f_tau += y * f_a_tau;
      f_aa = Pack{};
    }
    if (r != 0) {
      f += r * f_rho;
      f_a += r * f_a_rho;
      f_rho_rho = Pack{};
    }
    if (a != 0) {
      f += a * f_tau;
      f_a += a * f_a_tau;
    }
  }
  // from the sheared axes to across, rho, tau
  const Pack L = splat(shear_.lean), T = splat(shear_.turn);
  const Pack leant = subtract_product(L, f_aa, f_a_rho);
  p.f = f, p.f_a = f_a, p.f_aa = f_aa;
  p.f_rho = subtract_product(L, f_a, f_rho);
  p.f_tau = multiply_add(T, f_a, f_tau);
  p.f_a_rho = leant;
  p.f_rho_rho = subtract_product(L, leant + f_a_rho, f_rho_rho);
  p.f_a_tau = multiply_add(T, f_aa, f_a_tau);
}

void ContactChart::at(double across, double rho, double tau, ChartedSlopes& p) const noexcept {
  const Cells at(cells_, Pack{across - shear_.lean * rho + shear_.turn * tau, rho, tau, 0});
  const Weights y(splat(at.t[0]));
  const auto planes = planes_at<SlopePlanes>(at, coefficients_, stride_);
  const Pack thirds[4] = {splat(third[0]), splat(third[1]), splat(third[2]), splat(third[3])};
  const Pack y1 = splat(cells_.per_step[0]), r1 = splat(cells_.per_step[1]),
             a1 = splat(cells_.per_step[2]);
  const Pack y2 = y1 * y1, r2 = r1 * r1, a2 = a1 * a1;
  p.inside = at.inside();
  p.f = weighted(y.b, planes.f);
  p.f_a = y1 * weighted(y.d, planes.f);
  p.f_aa = y2 * weighted(y.dd, planes.f);
  p.f_aaa = y1 * y2 * weighted(thirds, planes.f);
  p.f_rho = r1 * weighted(y.b, planes.f_r);
  p.f_a_rho = y1 * r1 * weighted(y.d, planes.f_r);
  p.f_aa_rho = y2 * r1 * weighted(y.dd, planes.f_r);
  p.f_rho_rho = r2 * weighted(y.b, planes.f_rr);
  p.f_a_rho_rho = y1 * r2 * weighted(y.d, planes.f_rr);
  p.f_rho_rho_rho = r1 * r2 * weighted(y.b, planes.f_rrr);
  p.f_tau = a1 * weighted(y.b, planes.f_a);
  p.f_a_tau = y1 * a1 * weighted(y.d, planes.f_a);
  p.f_aa_tau = y2 * a1 * weighted(y.dd, planes.f_a);
  p.f_rho_tau = r1 * a1 * weighted(y.b, planes.f_ra);
  p.f_a_rho_tau = y1 * r1 * a1 * weighted(y.d, planes.f_ra);
  p.f_rho_rho_tau = r2 * a1 * weighted(y.b, planes.f_rra);
  p.f_tau_tau = a2 * weighted(y.b, planes.f_aa);
  p.f_a_tau_tau = y1 * a2 * weighted(y.d, planes.f_aa);
  // from the sheared axes: d/d(rho) - L d/da and d/d(tau) + T d/da, highest ones first
  const Pack L = splat(shear_.lean), T = splat(shear_.turn);
  p.f_rho_rho_rho -= L * (3 * p.f_a_rho_rho - L * (3 * p.f_aa_rho - L * p.f_aaa));
  p.f_rho_rho_tau += T * p.f_a_rho_rho -
                     L * (2 * (p.f_a_rho_tau + T * p.f_aa_rho) - L * (p.f_aa_tau + T * p.f_aaa));
  p.f_a_rho_rho -= L * (2 * p.f_aa_rho - L * p.f_aaa);
  p.f_a_rho_tau += T * p.f_aa_rho - L * (p.f_aa_tau + T * p.f_aaa);
  p.f_a_tau_tau += T * (2 * p.f_aa_tau + T * p.f_aaa);
  p.f_aa_rho -= L * p.f_aaa;
  p.f_aa_tau += T * p.f_aaa;
  p.f_rho_rho -= L * (2 * p.f_a_rho - L * p.f_aa);
  p.f_rho_tau += T * p.f_a_rho - L * (p.f_a_tau + T * p.f_aa);
  p.f_tau_tau += T * (2 * p.f_a_tau + T * p.f_aa);
  p.f_a_rho -= L * p.f_aa;
  p.f_a_tau += T * p.f_aa;
  p.f_rho -= L * p.f_a;
  p.f_tau += T * p.f_a;
}

}  // namespace klingel::contact
