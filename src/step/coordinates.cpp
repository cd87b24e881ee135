#include "step/coordinates.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

#include "base/pack.hpp"

namespace klingel::step {
namespace {

using base::Pack;

// One number or four, from memory and back.
template <class T>
T take(const double* from) {
  if constexpr (std::is_same_v<T, double>)
    return *from;
  else
    return base::load(from);
}
void put(double x, double* to) { *to = x; }
void put(const Pack& x, double* to) { base::store(x, to); }

}  // namespace

// Calls visit(k, T) for the coordinates of vehicles that have asked: at k is the next one, or the
// next four, as the type of the second argument says.
template <class Visit>
void Coordinates::each(unsigned& asked, std::size_t lanes, Visit visit) const {
  const unsigned who = std::exchange(asked, 0), everyone = (1u << lanes) - 1;
  const std::size_t size = vehicle_.n * lanes;
  if (who == everyone) {
    std::size_t k = 0;
    for (; k + base::pack_lanes <= size; k += base::pack_lanes) visit(k, Pack{});
    for (; k < size; ++k) visit(k, double{});
    return;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if ((who >> lane & 1) == 0) continue;
    for (std::size_t k = lane; k < size; k += lanes) visit(k, double{});
  }
}

void Coordinates::find_right_side(KernelSet& at_t) {
  if (rhs_ == 0) return;
  KernelSet& all = at_t.all();
  const double* const impulse = all.evaluate(vehicle_.id.impulse).data();
  double* const rhs = all.memory(vehicle_.id.rhs).data();
  each(rhs_, all.abi().lanes,
       [=](std::size_t k, auto type) { put(take<decltype(type)>(impulse + k), rhs + k); });
  all.columns_changed(vehicle_.id.rhs);
  checked_ = 0;
}

// One look at all numbers: a sum with a NaN or an infinity is not finite.
bool Coordinates::has_finite_solution(KernelSet& at_t) {
  const unsigned own = bit(at_t.lane());
  if ((checked_ & own) != 0) return (finite_ & own) != 0;
  KernelSet& all = at_t.all();
  const std::size_t lanes = all.abi().lanes, size = (vehicle_.n + vehicle_.w) * lanes;
  const double* const x = all.evaluate(vehicle_.id.solve).data();
  checked_ = (1u << lanes) - 1;
  finite_ = 0;
  if (lanes == 1 || lanes == base::pack_lanes) {
    Pack sums{};
    std::size_t k = 0;
    for (; k + base::pack_lanes <= size; k += base::pack_lanes) sums += base::load(x + k);
    if (lanes == base::pack_lanes) {
      finite_ = base::bits(sums - sums == Pack{});
      return (finite_ & own) != 0;
    }
    double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; k < size; ++k) sum += x[k];
    finite_ = std::isfinite(sum) ? 1 : 0;
    return finite_ != 0;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    double sum = 0;
    for (std::size_t k = lane; k < size; k += lanes) sum += x[k];
    if (std::isfinite(sum)) finite_ |= bit(lane);
  }
  return (finite_ & own) != 0;
}

void Coordinates::find_dq_end(KernelSet& at_t) {
  if (dq_end_ == 0) return;
  KernelSet& all = at_t.all();
  const double* const x = all.evaluate(vehicle_.id.solve).data();
  const double* const dq = all.value(vehicle_.id.dq).data();
  double* const dq_end = all.memory(vehicle_.id.dq_end).data();
  each(dq_end_, all.abi().lanes, [=](std::size_t k, auto type) {
    using T = decltype(type);
    put(take<T>(dq + k) + take<T>(x + k), dq_end + k);
  });
  all.columns_changed(vehicle_.id.dq_end);
}

void Coordinates::find_end(KernelSet& at_t, KernelSet& at_end, double h) {
  if (end_ == 0) return;
  KernelSet &all = at_t.all(), &all_end = at_end.all();
  const KernelIds& id = vehicle_.id;
  const double* const q = all.value(id.q).data();
  const double* const dq = all.value(id.dq).data();
  const double* const dq_end = all.value(id.dq_end).data();
  double* const q_next = all_end.memory(id.q).data();
  double* const dq_next = all_end.memory(id.dq).data();
  each(end_, all.abi().lanes, [=](std::size_t k, auto type) {
    using T = decltype(type);
    const T end = take<T>(dq_end + k);
    put(take<T>(q + k) + (take<T>(dq + k) + end) / 2 * h, q_next + k);
    put(end, dq_next + k);
  });
  all_end.columns_changed(id.q);
  all_end.columns_changed(id.dq);
}

}  // namespace klingel::step
