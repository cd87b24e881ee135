#include "contact/contact_chart.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/multiply_add.hpp"

namespace klingel::contact {
namespace {

using base::multiply_add, base::Pack, base::splat;

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

// w . row
Pack weighted(const Pack* w, const Pack* row) {
  const Pack low = multiply_add(w[1], row[1], w[0] * row[0]);
  return multiply_add(w[3], row[3], multiply_add(w[2], row[2], low));
}

// Places on the three axes: a lane is an axis, the last one is none.
struct Cells {
  using Indices = int __attribute__((vector_size(16)));

  Indices index;
  Pack beyond;  // how far outside of the axis
  // The four functions that are not zero in a cell, and their derivatives by the place in it.
  Pack b[4], d[4], dd[4];

  Cells(const ChartCells& of, const Pack& x) {
    const Pack u = (x - of.begin) * of.per_step;
    // what is not a number is beyond its axis
    const Pack inside = base::smaller(of.last, base::larger(Pack{}, u));
    index = __builtin_convertvector(base::smaller(of.last_cell, inside), Indices);
    const Pack t = inside - __builtin_convertvector(index, Pack), s = 1 - t;
    beyond = (u - inside) * of.step;
    const Pack ss = s * s, tt = t * t;
    b[0] = 1.0 / 6 * s * ss;
    b[1] = multiply_add(tt, t / 2 - 1, splat(2.0 / 3));
    b[2] = multiply_add(ss, s / 2 - 1, splat(2.0 / 3));
    b[3] = 1.0 / 6 * t * tt;
    d[0] = -0.5 * ss;
    d[1] = t * (1.5 * t - 2);
    d[2] = s * (2 - 1.5 * s);
    d[3] = 0.5 * tt;
    dd[0] = s;
    dd[1] = 3 * t - 2;
    dd[2] = 3 * s - 2;
    dd[3] = t;
  }
};

// The weights of one axis for all fields.
struct Weights {
  Pack b[4], d[4], dd[4];

  Weights(const Cells& at, int axis) {
    for (int i = 0; i < 4; ++i)
      b[i] = splat(at.b[i][axis]), d[i] = splat(at.d[i][axis]), dd[i] = splat(at.dd[i][axis]);
  }
};

// Sums over rho and tau, by planes of coefficients.
struct Planes {
  Pack f[4], f_r[4], f_rr[4], f_a[4];

  void find(int i, const Pack* row, std::size_t stride, const Weights& r, const Weights& a) {
    const Pack v = weighted(a.b, row), v_a = weighted(a.d, row);
    Pack sum = r.b[0] * v, sum_r = r.d[0] * v, sum_rr = r.dd[0] * v, sum_a = r.b[0] * v_a;
    for (int j = 1; j < 4; ++j) {
      row += stride;
      const Pack u = weighted(a.b, row), u_a = weighted(a.d, row);
      sum = multiply_add(r.b[j], u, sum), sum_r = multiply_add(r.d[j], u, sum_r);
      sum_rr = multiply_add(r.dd[j], u, sum_rr), sum_a = multiply_add(r.b[j], u_a, sum_a);
    }
    f[i] = sum, f_r[i] = sum_r, f_rr[i] = sum_rr, f_a[i] = sum_a;
  }
};

// Of functions that are not zero in a cell: third derivatives.
constexpr double third[4] = {-1, 3, -3, 1};

// The same with higher derivatives: f_raa is d^3/(d rho d tau^2), and so on.
struct SlopePlanes {
  Pack f[4], f_r[4], f_rr[4], f_rrr[4], f_a[4], f_ra[4], f_rra[4], f_aa[4];

  void find(int i, const Pack* row, std::size_t stride, const Weights& r, const Weights& a) {
    Pack sum{}, sum_r{}, sum_rr{}, sum_rrr{}, sum_a{}, sum_ra{}, sum_rra{}, sum_aa{};
    for (int j = 0; j < 4; ++j, row += stride) {
      const Pack u = weighted(a.b, row), u_a = weighted(a.d, row), u_aa = weighted(a.dd, row);
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

}  // namespace

ContactChart::ContactChart(const LoadedGap& gap, const ChartAxis& across, const ChartAxis& rho,
                           const ChartAxis& tau, double tilt, const ChartShear& shear)
    : axes_{across, rho, tau},
      tilt_(tilt),
      shear_(shear),
      stride_{(rho.count + 2) * (tau.count + 2), tau.count + 2},
      cells_(axes_) {
  for (const ChartAxis& axis : axes_) KLINGEL_ASSERT_EQ(axis.count >= 3, true);
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
        coefficients_[(i + 1) * stride_[0] + (j + 1) * stride_[1] + k + 1] = Pack{
            rest.down, rest.phi_down, rest.radius - r0, std::log(gap.eps() / (2 * rest.variance))};
      }
    }
  }
  std::vector<Pack> work;
  for (std::size_t i = 1; i <= across.count; ++i)
    for (std::size_t j = 1; j <= rho.count; ++j)
      interpolate(&coefficients_[i * stride_[0] + j * stride_[1]], tau.count, 1, work);
  for (std::size_t i = 1; i <= across.count; ++i)
    for (std::size_t k = 0; k < tau.count + 2; ++k)
      interpolate(&coefficients_[i * stride_[0] + k], rho.count, stride_[1], work);
  for (std::size_t k = 0; k < stride_[0]; ++k)
    interpolate(&coefficients_[k], across.count, stride_[0], work);
}

ContactChart::ContactChart(Numbers numbers)
    : axes_{numbers.axes[0], numbers.axes[1], numbers.axes[2]},
      tilt_(numbers.tilt),
      shear_(numbers.shear),
      stride_{(axes_[1].count + 2) * (axes_[2].count + 2), axes_[2].count + 2},
      cells_(axes_),
      coefficients_(std::move(numbers.coefficients)) {
  constexpr std::size_t most = 1 << 16;  // no product of such counts overflows
  for (const ChartAxis& axis : axes_) {
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
    last_cell[i] = static_cast<double>(axes[i].count - 2);
  }
}

void ContactChart::at(double across, double rho, double tau, Charted& p) const noexcept {
  const Cells at(cells_, Pack{across - shear_.lean * rho + shear_.turn * tau, rho, tau, 0});
  const auto cell = [&at](int axis) { return static_cast<std::size_t>(at.index[axis]); };
  const Pack* corner = &coefficients_[cell(0) * stride_[0] + cell(1) * stride_[1] + cell(2)];
  const Weights y(at, 0), r(at, 1), a(at, 2);
  Planes planes;
  for (int i = 0; i < 4; ++i)
    planes.find(i, corner + static_cast<std::size_t>(i) * stride_[0], stride_[1], r, a);
  const Pack per_y = splat(cells_.per_step[0]), per_r = splat(cells_.per_step[1]),
             per_a = splat(cells_.per_step[2]);
  p.f = weighted(y.b, planes.f);
  p.f_a = per_y * weighted(y.d, planes.f);
  p.f_aa = per_y * per_y * weighted(y.dd, planes.f);
  p.f_rho = per_r * weighted(y.b, planes.f_r);
  p.f_a_rho = per_y * per_r * weighted(y.d, planes.f_r);
  p.f_rho_rho = per_r * per_r * weighted(y.b, planes.f_rr);
  p.f_tau = per_a * weighted(y.b, planes.f_a);
  p.f_a_tau = per_y * per_a * weighted(y.d, planes.f_a);
  p.inside = base::bits(at.beyond == Pack{}) == 15;
  if (!p.inside) {
    // straight on; the derivatives are those of what is said there
    const double y = at.beyond[0], r = at.beyond[1], a = at.beyond[2];
    if (y != 0) {
      p.f += y * p.f_a;
      p.f_rho += y * p.f_a_rho;
      p.f_tau += y * p.f_a_tau;
      p.f_aa = Pack{};
    }
    if (r != 0) {
      p.f += r * p.f_rho;
      p.f_a += r * p.f_a_rho;
      p.f_rho_rho = Pack{};
    }
    if (a != 0) {
      p.f += a * p.f_tau;
      p.f_a += a * p.f_a_tau;
    }
  }
  // from the sheared axes to across, rho, tau
  p.f_rho_rho += -2 * shear_.lean * p.f_a_rho + shear_.lean * shear_.lean * p.f_aa;
  p.f_a_rho -= shear_.lean * p.f_aa;
  p.f_a_tau += shear_.turn * p.f_aa;
  p.f_rho -= shear_.lean * p.f_a;
  p.f_tau += shear_.turn * p.f_a;
}

void ContactChart::at(double across, double rho, double tau, ChartedSlopes& p) const noexcept {
  const Cells at(cells_, Pack{across - shear_.lean * rho + shear_.turn * tau, rho, tau, 0});
  const auto cell = [&at](int axis) { return static_cast<std::size_t>(at.index[axis]); };
  const Pack* corner = &coefficients_[cell(0) * stride_[0] + cell(1) * stride_[1] + cell(2)];
  const Weights y(at, 0), r(at, 1), a(at, 2);
  SlopePlanes planes;
  for (int i = 0; i < 4; ++i)
    planes.find(i, corner + static_cast<std::size_t>(i) * stride_[0], stride_[1], r, a);
  const Pack thirds[4] = {splat(third[0]), splat(third[1]), splat(third[2]), splat(third[3])};
  const Pack y1 = splat(cells_.per_step[0]), r1 = splat(cells_.per_step[1]),
             a1 = splat(cells_.per_step[2]);
  const Pack y2 = y1 * y1, r2 = r1 * r1, a2 = a1 * a1;
  p.inside = base::bits(at.beyond == Pack{}) == 15;
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
