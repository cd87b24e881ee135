// What the eliminated system is used for: solutions, generalized forces, motions.
#include <algorithm>

#include "model/step_system.hpp"

namespace klingel::model {

using sym::Expr;

void StepSystem::add_projected(const Carrier& carrier, const Six& wrench,
                               std::vector<Expr>& generalized) const {
  for (const std::uint32_t j : carrier.coordinates)
    generalized[j] += dot(column(carrier.first, j), wrench);
}

Six StepSystem::carrier_motion(const Carrier& carrier, std::span<const Expr> dq) const {
  Six sum;
  sum.fill(zero());
  for (const std::uint32_t j : carrier.coordinates) {
    const Six u = column(carrier.first, j);
    for (std::size_t c = 0; c < 6; ++c) sum[c] += u[c] * dq[j];
  }
  return sum;
}

std::vector<Expr> StepSystem::solve(std::span<const Expr> rhs) const {
  std::vector<Expr> outer(rhs.begin(), rhs.end());
  std::vector<std::vector<Expr>> reduced(parts_.size());
  for (const Carrier& carrier : carriers_) {
    Six wrench;
    wrench.fill(zero());
    for (const std::size_t k : carrier.parts) {
      const Part& part = parts_[k];
      if (!part.condensed) continue;
      std::vector<Expr> b;
      for (const std::uint32_t j : part.own) b.push_back(rhs[j]);
      if (part.wheels_inside) {
        for (const std::uint32_t i : part.wheels) b.push_back(rhs[n_ + i]);
      }
      const std::size_t inner = b.size(), rest = part.rest.size();
      b.resize(inner + rest + 6, zero());
      reduced[k] = part.factors->reduced(std::move(b));
      for (std::size_t i = 0; i < rest; ++i) outer[part.rest[i]] += reduced[k][inner + i];
      Six own;
      std::copy_n(reduced[k].begin() + static_cast<std::ptrdiff_t>(inner + rest), 6, own.begin());
      const Six moved = wrench_about(part.r, own);
      for (std::size_t c = 0; c < 6; ++c) wrench[c] += moved[c];
    }
    add_projected(carrier, wrench, outer);
  }
  std::vector<Expr> x(n_ + w_, zero());
  if (factors_ != nullptr) {
    std::vector<Expr> b;
    for (const std::uint32_t i : outer_) b.push_back(outer[i]);
    const std::vector<Expr> found = factors_->solve(b);
    for (std::size_t i = 0; i < outer_.size(); ++i) x[outer_[i]] = found[i];
  }
  for (const Carrier& carrier : carriers_) {
    const Six motion = carrier_motion(carrier, std::span<const Expr>(x).first(n_));
    for (const std::size_t k : carrier.parts) {
      const Part& part = parts_[k];
      if (!part.condensed) continue;
      const Six u = motion_at(part.r, motion);
      std::vector<Expr> known;
      for (const std::uint32_t row : part.rest) known.push_back(x[row]);
      known.insert(known.end(), u.begin(), u.end());
      const std::vector<Expr> own = part.factors->completed(reduced[k], known);
      for (std::size_t j = 0; j < part.own.size(); ++j) x[part.own[j]] = own[j];
      for (std::size_t i = part.own.size(); i < own.size(); ++i)
        x[n_ + part.wheels[i - part.own.size()]] = own[i];
    }
  }
  return x;
}

Expr StepSystem::smallest_pivot() const {
  Expr smallest;
  const auto take = [&smallest](const sym::Factors& factors) {
    const Expr own = factors.smallest_pivot();
    smallest = smallest.empty() ? own : min(smallest, own);
  };
  for (const Part& part : parts_) {
    if (part.factors != nullptr && !part.factors->pivots().empty()) take(*part.factors);
  }
  if (factors_ != nullptr) take(*factors_);
  return smallest;
}

std::vector<Expr> StepSystem::generalized(std::span<const Expr> wrenches) const {
  std::vector<Expr> list(n_, zero());
  for (const Carrier& carrier : carriers_) {
    Six sum;
    sum.fill(zero());
    for (const std::size_t k : carrier.parts) {
      Six wrench;
      std::copy_n(wrenches.begin() + static_cast<std::ptrdiff_t>(6 * k), 6, wrench.begin());
      for (const auto* mine : {&parts_[k].own, &parts_[k].kept}) {
        for (const std::uint32_t j : *mine) list[j] += dot(column(k, j), wrench);
      }
      const Six moved = wrench_about(parts_[k].r, wrench);
      for (std::size_t c = 0; c < 6; ++c) sum[c] += moved[c];
    }
    add_projected(carrier, sum, list);
  }
  return list;
}

std::vector<Expr> StepSystem::twists(std::span<const Expr> dq) const {
  std::vector<Expr> list(6 * parts_.size(), zero());
  for (const Carrier& carrier : carriers_) {
    const Six motion = carrier_motion(carrier, dq);
    for (const std::size_t k : carrier.parts) {
      Six u = motion_at(parts_[k].r, motion);
      for (const auto* mine : {&parts_[k].own, &parts_[k].kept}) {
        for (const std::uint32_t j : *mine) {
          const Six own = column(k, j);
          for (std::size_t c = 0; c < 6; ++c) u[c] += own[c] * dq[j];
        }
      }
      std::copy(u.begin(), u.end(), list.begin() + static_cast<std::ptrdiff_t>(6 * k));
    }
  }
  return list;
}

}  // namespace klingel::model
