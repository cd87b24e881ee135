// What the eliminated system is used for: solutions, generalized forces, motions.
#include <algorithm>

#include "mech/kinematics.hpp"
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

Six StepSystem::climbed(std::uint32_t place, const Six& wrench) const {
  const Place& here = tree_.places()[place];
  const mech::Base above = tree_.places()[here.parent].in;
  const Six moved = wrench_about(here.r, wrench);
  return above == here.in ? moved : turned(base_change(above, here.in), moved);
}

Six StepSystem::descended(std::uint32_t place, const Six& motion) const {
  const Place& here = tree_.places()[place];
  const mech::Base above = tree_.places()[here.parent].in;
  return motion_at(here.r, above == here.in ? motion : turned(base_change(here.in, above), motion));
}

// the unknowns of a block from those outside it and the motion of its place
void StepSystem::complete_block(const Front::Block& block, std::span<const Expr> b,
                                const Six& motion, std::vector<Expr>& x) {
  std::vector<Expr> left;
  for (const Front::Pivot& p : block) {
    left.push_back(b[p.unknown]);
    for (const Front::Item& u : p.upper)
      left.back() -= u.value * (u.index < 6 ? motion[u.index] : x[u.index - 6]);
  }
  for (std::size_t k = 0; k < block.size(); ++k)
    for (const Front::Item& l : block[k].below) left[l.index] -= l.value * left[k];
  for (std::size_t k = block.size(); k-- > 0;) {
    for (const Front::Item& u : block[k].right) left[k] -= u.value * left[u.index];
    left[k] *= block[k].reciprocal;
    x[block[k].unknown] = left[k];
  }
}

std::vector<Expr> StepSystem::solve(std::span<const Expr> rhs) const {
  const std::vector<Place>& places = tree_.places();
  std::vector<Expr> b(rhs.begin(), rhs.end()), x(n_ + w_, zero());
  std::vector<Six> wrenches(places.size(), nothing()), motions(places.size(), nothing());
  const auto reduce = [&b](const std::vector<Front::Block>& blocks, Six& wrench) {
    for (const Front::Block& block : blocks) {
      for (const Front::Pivot& p : block)
        for (const Front::Item& l : p.lower)
          (l.index < 6 ? wrench[l.index] : b[l.index - 6]) -= l.value * b[p.unknown];
    }
  };
  const auto complete = [&](const std::vector<Front::Block>& blocks, const Six& motion) {
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
      complete_block(*block, b, motion, x);
  };
  for (auto i = static_cast<std::uint32_t>(places.size()); i-- > 1;) {
    Six& wrench = wrenches[i];
    reduce(pivots_[i].before, wrench);
    for (const PlaceColumn& c : places[i].columns) b[c.coordinate] += dot(c.motion, wrench);
    reduce(pivots_[i].after, wrench);
    wrenches[places[i].parent] = plus(wrenches[places[i].parent], climbed(i, wrench));
  }
  if (factors_ != nullptr) {
    std::vector<Expr> outer;
    for (const std::uint32_t i : outer_) outer.push_back(b[i]);
    const std::vector<Expr> found = factors_->solve(outer);
    for (std::size_t i = 0; i < outer_.size(); ++i) x[outer_[i]] = found[i];
  }
  for (std::uint32_t i = 1; i < places.size(); ++i) {
    Six& motion = motions[i];
    motion = descended(i, motions[places[i].parent]);
    complete(pivots_[i].after, motion);
    for (const PlaceColumn& c : places[i].columns) {
      for (std::size_t k = 0; k < 6; ++k) motion[k] += c.motion[k] * x[c.coordinate];
    }
    complete(pivots_[i].before, motion);
  }
  for (std::size_t i = n_; i < n_ + w_; ++i) x[i] *= 1 / symbols_.h;  // from h lambda_n
  return x;
}

Expr StepSystem::smallest_pivot() const {
  Expr smallest;
  // of the matrix for lambda_n, not h lambda_n
  const auto take = [&](std::uint32_t unknown, const Expr& pivot) {
    const Expr size = abs(unknown < n_ ? pivot : symbols_.h * pivot);
    smallest = smallest.empty() ? size : min(smallest, size);
  };
  for (const Pivots& of_place : pivots_) {
    for (const auto* blocks : {&of_place.before, &of_place.after})
      for (const Front::Block& block : *blocks)
        for (const Front::Pivot& pivot : block) take(pivot.unknown, pivot.value);
  }
  for (std::size_t i = 0; i < outer_.size(); ++i)
    take(outer_[factors_->order()[i]], factors_->pivots()[i]);
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
      for (const std::uint32_t j : parts_[k].own) list[j] += dot(column(k, j), wrench);
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
      for (const std::uint32_t j : parts_[k].own) {
        const Six own = column(k, j);
        for (std::size_t c = 0; c < 6; ++c) u[c] += own[c] * dq[j];
      }
      std::copy(u.begin(), u.end(), list.begin() + static_cast<std::ptrdiff_t>(6 * k));
    }
  }
  return list;
}

}  // namespace klingel::model
