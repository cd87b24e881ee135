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

// The four functions that are not zero in a cell, and their derivatives by the cell's coordinate.
struct Basis {
  Pack b[4], d[4], dd[4];  // the same on every lane
  explicit Basis(double t) {
    const double s = 1 - t;
    b[0] = splat(s * s * s / 6);
    b[1] = splat((4 + t * t * (3 * t - 6)) / 6);
    b[2] = splat((4 + s * s * (3 * s - 6)) / 6);
    b[3] = splat(t * t * t / 6);
    d[0] = splat(-s * s / 2);
    d[1] = splat(t * (3 * t - 4) / 2);
    d[2] = splat(-s * (3 * s - 4) / 2);
    d[3] = splat(t * t / 2);
    dd[0] = splat(s);
    dd[1] = splat(3 * t - 2);
    dd[2] = splat(3 * s - 2);
    dd[3] = splat(t);
  }
};

// w . row
Pack weighted(const Pack* w, const Pack* row) {
  const Pack low = multiply_add(w[1], row[1], w[0] * row[0]);
  return multiply_add(w[3], row[3], multiply_add(w[2], row[2], low));
}

struct Cell {
  std::size_t index;
  double t, beyond;  // place in the cell, and how far outside of the axis
};

Cell find(const ChartAxis& axis, double x) {
  const auto last = static_cast<double>(axis.count - 1);
  const double u = (x - axis.begin) / axis.step, inside = std::min(std::max(u, 0.0), last);
  const auto i = std::min(static_cast<std::size_t>(inside), axis.count - 2);
  return {i, inside - static_cast<double>(i), (u - inside) * axis.step};
}

}  // namespace

ContactChart::ContactChart(const LoadedGap& gap, const ChartAxis& across, const ChartAxis& rho,
                           const ChartAxis& tau, double tilt, const ChartShear& shear)
    : axes_{across, rho, tau},
      tilt_(tilt),
      shear_(shear),
      stride_{(rho.count + 2) * (tau.count + 2), tau.count + 2} {
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

Charted ContactChart::at(double across, double rho, double tau) const noexcept {
  const Cell y = find(axes_[0], across - shear_.lean * rho + shear_.turn * tau);
  const Cell r = find(axes_[1], rho), a = find(axes_[2], tau);
  const Basis Y(y.t), R(r.t), A(a.t);
  Charted p{};
  for (std::size_t i = 0; i < 4; ++i) {
    Pack f{}, f_r{}, f_rr{}, f_a{};
    const Pack* row = &coefficients_[(y.index + i) * stride_[0] + r.index * stride_[1] + a.index];
    for (std::size_t j = 0; j < 4; ++j, row += stride_[1]) {
      const Pack v = weighted(A.b, row), v_a = weighted(A.d, row);
      f = multiply_add(R.b[j], v, f);
      f_r = multiply_add(R.d[j], v, f_r);
      f_rr = multiply_add(R.dd[j], v, f_rr);
      f_a = multiply_add(R.b[j], v_a, f_a);
    }
    p.f = multiply_add(Y.b[i], f, p.f);
    p.f_a = multiply_add(Y.d[i], f, p.f_a);
    p.f_aa = multiply_add(Y.dd[i], f, p.f_aa);
    p.f_rho = multiply_add(Y.b[i], f_r, p.f_rho);
    p.f_a_rho = multiply_add(Y.d[i], f_r, p.f_a_rho);
    p.f_rho_rho = multiply_add(Y.b[i], f_rr, p.f_rho_rho);
    p.f_tau = multiply_add(Y.b[i], f_a, p.f_tau);
    p.f_a_tau = multiply_add(Y.d[i], f_a, p.f_a_tau);
  }
  const double per_y = 1 / axes_[0].step, per_r = 1 / axes_[1].step, per_a = 1 / axes_[2].step;
  p.f_a *= splat(per_y);
  p.f_rho *= splat(per_r);
  p.f_tau *= splat(per_a);
  p.f_aa *= splat(per_y * per_y);
  p.f_a_rho *= splat(per_y * per_r);
  p.f_rho_rho *= splat(per_r * per_r);
  p.f_a_tau *= splat(per_y * per_a);
  if (y.beyond != 0 || r.beyond != 0 || a.beyond != 0) {
    // straight on; the derivatives are those of what is said there
    p.inside = false;
    if (y.beyond != 0) {
      p.f += y.beyond * p.f_a;
      p.f_rho += y.beyond * p.f_a_rho;
      p.f_tau += y.beyond * p.f_a_tau;
      p.f_aa = Pack{};
    }
    if (r.beyond != 0) {
      p.f += r.beyond * p.f_rho;
      p.f_a += r.beyond * p.f_a_rho;
      p.f_rho_rho = Pack{};
    }
    if (a.beyond != 0) {
      p.f += a.beyond * p.f_tau;
      p.f_a += a.beyond * p.f_a_tau;
    }
  }
  // from the sheared axes to across, rho, tau
  p.f_rho_rho += -2 * shear_.lean * p.f_a_rho + shear_.lean * shear_.lean * p.f_aa;
  p.f_a_rho -= shear_.lean * p.f_aa;
  p.f_a_tau += shear_.turn * p.f_aa;
  p.f_rho -= shear_.lean * p.f_a;
  p.f_tau += shear_.turn * p.f_a;
  return p;
}

}  // namespace klingel::contact
