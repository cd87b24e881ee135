// How LineMaker makes one line: atoms in the order of the schedule, rows of equal atoms as soon as
// one of them is needed (line_rows.cpp).
#pragma once

#include <array>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exec/straight_line.hpp"

namespace klingel::exec {

inline constexpr double sign_bit = -0.0;
inline double all_but_the_sign() {
  return std::bit_cast<double>(~std::bit_cast<std::uint64_t>(sign_bit));
}

Action action_of(sym::Op op, gen::Fused fused);

class LineMaker::Maker {
 public:
  Maker(LineMaker& owner, const gen::Body& body)
      : owner_(owner), program_(owner.program_), g_(program_.graph()), body_(body) {}

  Line run();

 private:
  using Id = sym::Id;
  using Op = sym::Op;
  using Row = EqualAtoms::Row;
  using Lanes = std::array<Id, 4>;

  void number_atoms();
  void number_row(const Row& row);
  void find_needed();
  void store_what_is_known();
  void compute(Id id);
  void compute_angles(Id first);
  void store(Id id);
  void store_outputs(Id id);
  void sort_constants();
  void find_next_uses();

  const Row* row_of(Id id) const {
    if (owner_.rows_ == nullptr) return nullptr;
    const std::uint32_t row = owner_.rows_->row_of(id);
    return row == EqualAtoms::none ? nullptr : &owner_.rows_->rows()[row];
  }
  bool is_own(Id id) const { return owner_.values_[id] < computed_.size(); }
  bool is_constant(Id id) const { return gen::is_given(g_, id) && g_.op(id) != Op::symbol; }
  MemoryPlace slot_of(Id id) const {
    return {MemoryPlace::Base::workspace, 0, owner_.schedule_.slots[id]};
  }
  // Where a value that is not of this body comes from.
  MemoryPlace origin_of(Id id) const;

  std::uint32_t add_value(Id id);
  std::uint32_t value_of(Id id);
  std::uint32_t constant(double x);
  void append(Action action, Op op, std::uint32_t to, std::uint32_t a,
              std::uint32_t b = Line::never, std::uint32_t c = Line::never);
  void store(std::uint32_t v, MemoryPlace place);

  // Rows of atoms.
  void compute_row(const Row& row);
  void flip_factor(std::array<std::uint32_t, 3>& v, unsigned& minus);
  std::uint32_t flipped(std::uint32_t v, unsigned signs);
  std::uint32_t add_lanes(unsigned width);
  std::uint32_t packed_constant(const std::array<double, 4>& x);
  // Values of several atoms as lanes of one; all that are of this body are computed.
  std::uint32_t lanes_of(const Lanes& ids, unsigned width);
  std::uint32_t make_lanes(const Lanes& ids, unsigned width);
  std::uint32_t permuted(std::uint32_t row, const Lanes& ids, unsigned width);
  std::uint32_t blended(const Lanes& ids, unsigned width);
  std::uint32_t spread(Id id);

  struct LaneGather {
    std::uint32_t to;
    std::array<std::uint32_t, 4> lanes;
  };

  LineMaker& owner_;
  const gen::Program& program_;
  const sym::Graph& g_;
  const gen::Body& body_;
  Line line_;
  std::vector<Id> numbered_;
  // by value, for the atoms of this body
  std::vector<bool> computed_, needed_, stored_;
  std::vector<Id> angles_;  // sines and cosines not computed yet
  std::unordered_map<Id, std::vector<MemoryPlace>> stores_;
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
  std::vector<LaneGather> gathers_;  // that follow the next sines and cosines
  // values of several lanes that were made before
  std::map<std::pair<unsigned, Lanes>, std::uint32_t> lanes_;
  std::map<std::pair<std::uint32_t, unsigned>, std::uint32_t> flipped_;
  std::map<std::array<std::uint64_t, 4>, std::uint32_t> packed_values_;
  std::map<std::uint32_t, std::array<double, 4>> packed_;  // constants
  std::unordered_map<Id, std::uint32_t> spread_;
};

}  // namespace klingel::exec
