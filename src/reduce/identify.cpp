#include "reduce/identify.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "base/error.hpp"
#include "dense/eigenvalues.hpp"
#include "dense/factors.hpp"
#include "dense/reflections.hpp"
#include "reduce/rank.hpp"
#include "reduce/regressor.hpp"

namespace klingel::reduce {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double worst_condition = 1e7;

std::vector<mech::Body> bodies_of(const mech::Model& model) {
  return {model.bodies().begin(), model.bodies().end()};
}

// numbers that are the same everywhere, unlike those of the standard library's distributions
class Noise {
 public:
  explicit Noise(unsigned seed) : random_(seed) {}
  double uniform() { return (random_() + 0.5) / 4294967296.0; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * M_PI * uniform());
  }

 private:
  std::mt19937 random_;
};

// The columns of base parameters.
MatrixXd columns(const MatrixXd& W, const BaseParameters& base) {
  MatrixXd W_b(W.rows(), static_cast<Index>(base.base.size()));
  for (std::size_t i = 0; i < base.base.size(); ++i)
    W_b.col(static_cast<Index>(i)) = W.col(static_cast<Index>(base.base[i].column));
  return W_b;
}

// Names of the parameters in directions that the samples do not show.
std::string unexcited(const dense::SingularValues& svd, const BaseParameters& base,
                      const std::vector<InertialParameter>& names) {
  std::string list;
  int found = 0;
  for (std::size_t i = 0; i < base.base.size(); ++i) {
    double share = 0;
    for (Index k = 0; k < svd.values.size(); ++k)
      if (svd.values[k] * worst_condition < svd.values[0])
        share = std::max(share, std::abs(svd.V(static_cast<Index>(i), k)));
    if (share < 0.3) continue;
    if (++found > 4) continue;
    list += (list.empty() ? "" : ", ") + names[base.base[i].column].name;
  }
  if (found > 4) list += fmt::format(" and {} more", found - 4);
  return list;
}

void check(const mech::Model& model, const Measured& measured) {
  if (!model.constraints().empty())
    base::fail(
        "'{}' has constraints: their forces are not measured, so its parameters cannot be "
        "identified; open the loops and measure forces there",
        model.name());
  for (const auto* rows : {&measured.states, &measured.forces})
    for (const std::vector<double>& row : *rows)
      for (const double x : row)
        if (!std::isfinite(x))
          base::fail("a measured value is not a finite number; remove the sample");
}

}  // namespace

Identified identify(mech::Model& model, const Measured& measured) {
  check(model, measured);
  Regressor regressor(model, bodies_of(model), true);
  const BaseParameters base = base_parameters(regressor.stacked(random_states(model, 60)));
  const auto n = static_cast<Index>(regressor.coordinates());
  const auto samples = static_cast<Index>(measured.states.size());
  const auto unknowns = static_cast<Index>(base.base.size());
  if (samples * n <= unknowns)
    base::fail("{} samples of {} forces are too few for {} base parameters", samples, n, unknowns);
  const MatrixXd W = columns(regressor.stacked(measured.states), base);
  VectorXd y(samples * n);
  for (Index k = 0; k < samples; ++k) {
    const double* x = measured.states[static_cast<std::size_t>(k)].data();
    y.segment(n * k, n) =
        Eigen::Map<const VectorXd>(measured.forces[static_cast<std::size_t>(k)].data(), n) +
        regressor.known_forces(x, x + n);
  }
  // excitation, of columns of equal size
  VectorXd scale(unknowns);
  for (Index j = 0; j < unknowns; ++j) scale[j] = std::max(W.col(j).norm(), 1e-300);
  const MatrixXd scaled = W * scale.cwiseInverse().asDiagonal();
  // R of a QR has the same singular values and is small
  const dense::SingularValues svd = dense::singular_values(dense::upper_factor(scaled));
  Identified result;
  result.samples = static_cast<std::size_t>(samples);
  result.condition = svd.values[0] / std::max(svd.values[unknowns - 1], 1e-300);
  if (!(result.condition < worst_condition))
    base::fail(
        "the recording does not excite all base parameters of '{}' (condition number {:.3g}): "
        "{} cannot be found from it; move all joints, faster and with larger turns",
        model.name(), result.condition, unexcited(svd, base, regressor.parameters()));

  VectorXd weight = VectorXd::Ones(samples * n), p, residual;
  MatrixXd weighed;
  for (int pass = 0; pass < 2; ++pass) {
    weighed = weight.asDiagonal() * W;
    p = dense::fit(weighed, VectorXd(weight.cwiseProduct(y)));
    residual = y - W * p;
    const double freedom =
        static_cast<double>(samples * n - unknowns) / static_cast<double>(samples * n);
    result.scatter.assign(static_cast<std::size_t>(n), 0);
    result.force_size.assign(static_cast<std::size_t>(n), 0);
    for (Index i = 0; i < n; ++i) {
      double sum = 0, size = 0;
      for (Index k = 0; k < samples; ++k) {
        sum += residual[n * k + i] * residual[n * k + i];
        const double f = measured.forces[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
        size += f * f;
      }
      const double count = static_cast<double>(samples);
      result.scatter[static_cast<std::size_t>(i)] = std::sqrt(sum / (count * freedom));
      result.force_size[static_cast<std::size_t>(i)] = std::sqrt(size / count);
    }
    for (Index k = 0; k < samples * n; ++k) {
      // exact data have no scatter to weigh by
      const auto i = static_cast<std::size_t>(k % n);
      weight[k] = 1 / std::max(result.scatter[i], 1e-12 * std::max(result.force_size[i], 1e-300));
    }
  }
  weighed = weight.asDiagonal() * W;
  const MatrixXd inverse = dense::inverse_upper(dense::upper_factor(weighed));
  const VectorXd nominal = regressor.values();
  for (std::size_t j = 0; j < base.base.size(); ++j) {
    const BaseParameter& b = base.base[j];
    double own = nominal[static_cast<Index>(b.column)];
    for (const auto& [column, factor] : b.together)
      own += factor * nominal[static_cast<Index>(column)];
    result.parameters.push_back({text(b, regressor.parameters()), p[static_cast<Index>(j)],
                                 inverse.row(static_cast<Index>(j)).norm(), own});
  }
  return result;
}

Measured simulated_experiment(mech::Model& model, const Experiment& e) {
  Regressor regressor(model, bodies_of(model), true);
  const VectorXd p = regressor.values();
  const std::size_t n = regressor.coordinates();
  Noise noise(e.seed);
  constexpr std::size_t sines = 5;
  std::vector<double> sizes(n * sines), phases(n * sines);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < sines; ++k) {
      phases[i * sines + k] = 2 * M_PI * noise.uniform();
      sizes[i * sines + k] = 0.3 + noise.uniform();
      sum += sizes[i * sines + k];
    }
    for (std::size_t k = 0; k < sines; ++k) sizes[i * sines + k] *= e.amplitude / sum;
  }
  Measured result;
  const auto count = static_cast<std::size_t>(std::floor(e.duration / e.interval + 0.5)) + 1;
  const double base_frequency = 2 * M_PI / e.duration;
  for (std::size_t s = 0; s < count; ++s) {
    const double t = static_cast<double>(s) * e.interval;
    std::vector<double> x(3 * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const mech::Expr q = model.coordinates()[i].q;
      x[i] = model.graph().symbol_of(q).value;
      for (std::size_t k = 0; k < sines; ++k) {
        const double w = base_frequency * static_cast<double>(1 + 2 * k);
        const double a = sizes[i * sines + k], phase = w * t + phases[i * sines + k];
        x[i] += a * std::sin(phase);
        x[n + i] += a * w * std::cos(phase);
        x[2 * n + i] -= a * w * w * std::sin(phase);
      }
    }
    const VectorXd f = regressor.at(x.data(), x.data() + n, x.data() + 2 * n) * p -
                       regressor.known_forces(x.data(), x.data() + n);
    result.states.push_back(std::move(x));
    result.forces.emplace_back(f.data(), f.data() + f.size());
  }
  for (std::size_t i = 0; i < n; ++i) {
    double size = 0;
    for (const std::vector<double>& f : result.forces) size += f[i] * f[i];
    size = std::sqrt(size / static_cast<double>(count));
    for (std::vector<double>& f : result.forces) f[i] += e.noise * size * noise.normal();
  }
  return result;
}

Derivatives differentiated(const std::vector<double>& q, double interval, std::size_t half) {
  Derivatives d;
  if (half < 2) base::fail("a cubic needs 5 neighbours at least, 2 on either side");
  if (q.size() < 2 * half + 1)
    base::fail("{} samples are too few for a fit over {} neighbours", q.size(), 2 * half + 1);
  const auto m = static_cast<Index>(2 * half + 1);
  MatrixXd A(m, 4);
  for (Index i = 0; i < m; ++i) {
    const double t = static_cast<double>(i) - static_cast<double>(half);
    A.row(i) << 1, t, t * t, t * t * t;
  }
  const MatrixXd fit = dense::fit(A, MatrixXd(MatrixXd::Identity(m, m)));
  d.first = half;
  d.count = q.size() - 2 * half;
  for (std::size_t k = 0; k < d.count; ++k) {
    const Eigen::Map<const VectorXd> window(q.data() + k, m);
    const VectorXd c = fit * window;
    d.q.push_back(c[0]);
    d.dq.push_back(c[1] / interval);
    d.ddq.push_back(2 * c[2] / (interval * interval));
  }
  return d;
}

}  // namespace klingel::reduce
