// The implicit system of a step for dq(t+h) - dq and the multipliers of rigid treads,
//
//   [ M_qq + h C_qq   h dphi_n_dq^T ] [ dq(t+h) - dq ]   [ impulse ]
//   [ dphi_n_dq             0       ] [ lambda_n     ] = [ rates   ]      [eq:MphiTPhiZero6]
//
// Contacts enter as wrenches b - B u on wheelsets, u the motion of the wheelset at t+h. The
// generated elimination solves it; where one of its pivots vanishes, full pivoting does.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/pack.hpp"
#include "step/coordinates.hpp"
#include "step/instant.hpp"
#include "step/step_log.hpp"

namespace klingel::step {

// B by rows and b of a wheelset, rounded up to packs.
inline constexpr std::size_t wrench_size = 44;
inline constexpr std::size_t B_size = 36, b_size = 6;

class PartitionedSolver;
class PivotingSolver;
using runtime::Column;

class System {
 public:
  explicit System(const Description& vehicle);
  ~System();

  // Where these kernels have what the step gives them: right side, dq(t+h), wrenches. It is their
  // own memory.
  void use(KernelSet& kernels);
  // Four wheelsets each are the lanes of groups of sets (contact_forces.hpp), none is left out:
  // what acts on them is put where it belongs and not added to. On lanes of vehicles B and b of
  // four wheelsets are then side by side, and so are W_n of four wheels. Wheelsets by group and
  // lane, wheels by set and lane.
  void take_groups(KernelSet& kernels, std::span<const std::size_t> wheelsets,
                   std::span<const std::size_t> wheels);
  bool puts() const { return puts_; }
  bool side_by_side() const { return puts_ && side_by_side_; }

  // No contact acts; B() and b() of wheelsets, and W_n() of wheels are then written or added to.
  void clear(KernelSet& kernels);
  // The same in memory of its own, for methods that are not the step. B and b only.
  void clear();
  double* B(std::size_t wheelset) { return B_ + B_size * wheelset; }
  double* b(std::size_t wheelset) { return b_ + b_size * wheelset; }
  // Of four wheelsets side by side.
  base::Pack* B_of_four(std::size_t group) {
    return reinterpret_cast<base::Pack*>(B_) + B_size * group;
  }
  base::Pack* b_of_four(std::size_t group) {
    return reinterpret_cast<base::Pack*>(b_) + b_size * group;
  }
  double* W_n(std::size_t wheel) { return W_n_ + 6 * wheel; }
  // Of the wheels of a set side by side, or null.
  base::Pack* W_n_of_four(std::size_t set) {
    return groups_ && side_by_side_ ? reinterpret_cast<base::Pack*>(W_n_) + 6 * set : nullptr;
  }

  // Tells the kernels that it is all there. tangents: weights of the tangents of stiff elements.
  void give(KernelSet& kernels, double h, const std::array<double, 3>& tangents) const;
  // The same for normals and active constraints alone, when contacts have moved far.
  void give_normals(KernelSet& kernels);

  // x = matrix^-1 rhs, with rhs given to the kernels before. False if there is no finite solution.
  bool solve(KernelSet& kernels, Coordinates& coordinates, StepLog& log);

  std::vector<double> active;          // by wheel: 1 if its constraint holds
  Column<double> rhs;                  // right side: of coordinates, then of wheels
  Column<const double> x;              // solution
  Column<double> dq_end;               // dq(t+h) before projections
  bool by_pivoting = false;            // x is not that of the generated elimination
  std::span<const double> twists_end;  // v_C, w_total of each wheelset with dq_end

  // For LinearMethod::partitioning; the first call allocates.
  PartitionedSolver& partition();
  void forget_partition();
  // Takes the memory for full pivoting from a system of the same size: used by one thread.
  void share_memory(const System& of) { pivoting_ = of.pivoting_; }

 private:
  const Description& vehicle_;
  std::vector<double> own_;  // B and b, for methods that are not the step
  double *B_ = nullptr, *b_ = nullptr, *W_n_ = nullptr;
  bool groups_ = false, side_by_side_ = false;  // take_groups()
  bool puts_ = false;                           // since clear()
  std::unique_ptr<PartitionedSolver> partition_;
  std::shared_ptr<PivotingSolver> pivoting_;
};

}  // namespace klingel::step
