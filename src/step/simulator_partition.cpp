// The step's linear systems by coordinate partitioning. The Jacobian of the normal constraints is
// factored once per step, where velocities are projected: the next step begins there, so its
// implicit system and its corrections of q use the same factors, as the article says.
#include <algorithm>

#include "runtime/dense_matrix.hpp"
#include "step/simulator_parts.hpp"

namespace klingel::step {

Simulator::Parts::Partition::Partition(std::size_t n, std::size_t w)
    : factors(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(w)),
      active(w),
      Phi(static_cast<Eigen::Index>(w), static_cast<Eigen::Index>(n)),
      A(Phi.cols(), Phi.cols()),
      f(Phi.cols()),
      g(Phi.rows()),
      dq(Phi.cols()),
      lambda(Phi.rows()),
      x(Phi.cols() + Phi.rows()) {}

// Factors dphi_n_dq where the instant and the tread points stand, for the wheels of `next` that are
// on their rails. False if their constraints depend on each other.
bool Simulator::Parts::decompose(Instant& instant) {
  const std::span<const double> J = instant.kernels.evaluate(id.twist_dq);
  const std::size_t rows = 9 * data.wheelsets.size();
  Eigen::Index held = 0;
  for (std::size_t i = 0; i < w; ++i) {
    const bool on = next.tread[i].on;
    partition.active[i] = on ? 1 : 0;
    held += on ? 1 : 0;
    const Wrench W = tread[i].W_n();
    for (std::size_t c = 0; c < n; ++c) {
      const double* column = &J[rows * c + 9 * data.wheels[i].wheelset];
      double sum = 0;
      for (std::size_t k = 0; k < 6; ++k) sum += W[k] * column[k];
      partition.Phi(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) = on ? sum : 0;
    }
  }
  partition.known = partition.Phi.allFinite() && partition.factors.decompose(partition.Phi, held);
  return partition.known;
}

// x of the implicit system; the tread points stand at t.
bool Simulator::Parts::solve_partitioned() {
  Partition& p = partition;
  if ((!p.known || p.active != active) && !decompose(at_t())) return false;
  runtime::KernelSet& k = at_t().kernels;
  const std::span<const double> values = k.evaluate(id.step_matrix);
  const klingel_output& matrix = k.abi().functions[id.step_matrix].outputs[0];
  runtime::fill_dense(matrix, values, p.A);
  if (!p.A.allFinite()) return false;
  std::copy_n(rhs.begin(), n, p.f.data());
  std::copy_n(rhs.begin() + static_cast<std::ptrdiff_t>(n), w, p.g.data());
  if (!p.factors.solve(p.A, k.value(id.h)[0], p.f, p.g, p.dq, p.lambda)) return false;
  p.x << p.dq, p.lambda;
  x = {p.x.data(), n + w};
  return true;
}

// target += the change of dependent coordinates that the constraints ask for
bool Simulator::Parts::correct_dependent(std::span<double> target) {
  Partition& p = partition;
  // a wheel was caught, or a contact moved far: the Jacobian of where they are now
  if ((!p.known || p.active != active) && !decompose(at_end())) return false;
  std::copy_n(rhs.begin() + static_cast<std::ptrdiff_t>(n), w, p.g.data());
  p.factors.solve_dependent(p.g, p.dq);
  if (!p.dq.allFinite()) return false;
  for (std::size_t i = 0; i < n; ++i) target[i] += p.dq[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace klingel::step
