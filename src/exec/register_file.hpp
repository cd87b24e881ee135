// Which value of a straight line is in which register while its instructions are compiled.
//
// Belady's rule: when all registers are taken, the value needed farthest in the future leaves; the
// line contains its next use. A value without a home in memory gets a slot of the frame then.
// Operands in memory are read by the instruction itself unless they are needed again soon.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "exec/machine_code.hpp"
#include "exec/straight_line.hpp"

namespace klingel::exec {

// Slots of the frame, the lowest free one first: addresses stay short.
class Frame {
 public:
  // `width` neighbours, aligned
  std::uint32_t take(unsigned width = 1) {
    if (width > 1) return take_aligned(width);
    for (; first_ < taken_.size(); ++first_) {
      if (~taken_[first_] == 0) continue;
      const int bit = std::countr_one(taken_[first_]);
      taken_[first_] |= std::uint64_t{1} << bit;
      return note(static_cast<std::uint32_t>(64 * first_) + static_cast<std::uint32_t>(bit));
    }
    taken_.push_back(1);
    return note(static_cast<std::uint32_t>(64 * first_));
  }

  // `n` neighbours behind everything taken so far
  std::uint32_t take_row(std::size_t n) {
    const auto begin = static_cast<std::uint32_t>(size_);
    taken_.resize((size_ + n + 63) / 64, 0);
    for (std::size_t i = size_; i < size_ + n; ++i) taken_[i / 64] |= std::uint64_t{1} << i % 64;
    size_ += n;
    return begin;
  }

  void release(std::uint32_t slot, unsigned width = 1) {
    for (const std::uint32_t end = slot + width; slot < end; ++slot) {
      taken_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
      first_ = std::min<std::size_t>(first_, slot / 64);
    }
  }

  std::size_t size() const { return size_; }

 private:
  std::uint32_t take_aligned(unsigned width) {
    const std::uint64_t row = (std::uint64_t{1} << width) - 1;
    for (std::size_t word = first_;; ++word) {
      if (word == taken_.size()) taken_.push_back(0);
      for (unsigned bit = 0; bit < 64; bit += width) {
        if ((taken_[word] >> bit & row) != 0) continue;
        taken_[word] |= row << bit;
        const auto slot = static_cast<std::uint32_t>(64 * word + bit);
        note(slot + width - 1);
        return slot;
      }
    }
  }
  std::uint32_t note(std::uint32_t slot) {
    size_ = std::max<std::size_t>(size_, slot + 1);
    return slot;
  }

  std::vector<std::uint64_t> taken_;
  std::size_t first_ = 0;  // no free slot in words before this
  std::size_t size_ = 0;
};

using Registers = std::uint64_t;  // a set, one bit each

class RegisterFile {
 public:
  RegisterFile(const Line& line, MachineCode& code)
      : line_(line), code_(code), all_((Registers{1} << code.registers()) - 1) {
    values_.reserve(line.values.size());
    for (const Line::Value& v : line.values) values_.push_back({v.home, v.use, -1});
    in_.fill(never);
  }

 protected:
  static constexpr std::uint32_t never = Line::never;

  struct State {
    MemoryPlace home;    // its place in memory, or none
    std::uint32_t next;  // the instruction that needs it next
    int reg;             // or -1
  };

  State& state(std::uint32_t v) { return values_[v]; }
  unsigned width(std::uint32_t v) const { return line_.values[v].width; }
  // A lane of a row has no memory of its own, and the first lane is in the row's register, too.
  std::uint32_t row_of(std::uint32_t v) const { return line_.values[v].of; }
  bool is_lane(std::uint32_t v) const { return row_of(v) != never; }
  int reg_of(std::uint32_t v) const {
    if (values_[v].reg >= 0 || !is_lane(v) || line_.values[v].lane > 0) return values_[v].reg;
    return values_[row_of(v)].reg;
  }
  bool in_own_register(std::uint32_t v) const { return values_[v].reg >= 0; }
  Registers bits_of(std::uint32_t v) const { return reg_of(v) >= 0 ? bit(reg_of(v)) : 0; }
  bool in_memory(std::uint32_t v) const {
    const State& s = values_[is_lane(v) ? row_of(v) : v];
    return s.home.base != MemoryPlace::Base::nowhere;
  }
  // Where a value is that is not in a register; a lane needs its row in memory then.
  MemoryPlace home_of(std::uint32_t v) {
    if (!is_lane(v)) return state(v).home;
    give_home(row_of(v));
    MemoryPlace home = state(row_of(v)).home;
    home.index += line_.values[v].lane;
    return home;
  }
  static Registers bit(int reg) { return Registers{1} << reg; }

  // A register for a new value; those in `kept` stay as they are.
  int take_register(Registers kept) {
    const Registers free = ~taken_ & all_ & ~kept;
    if (free != 0) return std::countr_zero(free);
    const int reg = farthest(kept);
    evict(reg);
    return reg;
  }

  // The same among those that every instruction knows.
  static constexpr Registers low_ones = (Registers{1} << MachineCode::low_registers) - 1;
  int take_low_register(Registers kept) { return take_register(kept | (all_ & ~low_ones)); }

  // A copy there, if need be, until the next register is taken that is not in `kept`.
  int low(int reg, unsigned w, Registers& kept) {
    if (reg < MachineCode::low_registers) return reg;
    const int to = take_low_register(kept);
    code_.copy(to, reg, w);
    kept |= bit(to);
    return to;
  }

  int farthest(Registers kept) const {
    int best = -1;
    std::uint32_t distance = 0;
    for (int r = 0; r < code_.registers(); ++r) {
      if ((kept & bit(r)) != 0) continue;
      const State& s = values_[in_[static_cast<std::size_t>(r)]];
      if (best >= 0 && s.next <= distance) continue;
      best = r;
      distance = s.next;
    }
    KLINGEL_ASSERT(best >= 0);
    return best;
  }

  void evict(int reg) {
    const std::uint32_t v = in_[static_cast<std::size_t>(reg)];
    if (!is_lane(v)) give_home(v);
    drop(v);
  }

  // writes a value that is in a register only
  void give_home(std::uint32_t v) {
    State& s = state(v);
    if (in_memory(v)) return;
    const MemoryPlace& cut = line_.values[v].cut;
    s.home = cut.base != MemoryPlace::Base::nowhere && frame_.size() >= small_frame
                 ? cut
                 : MemoryPlace{MemoryPlace::Base::frame, 0, frame_.take(width(v))};
    code_.store(s.home, s.reg, width(v));
  }

  void drop(std::uint32_t v) {
    State& s = state(v);
    if (s.reg < 0) return;
    taken_ &= ~bit(s.reg);
    in_[static_cast<std::size_t>(s.reg)] = never;
    s.reg = -1;
  }

  void put(std::uint32_t v, int reg) {
    state(v).reg = reg;
    in_[static_cast<std::size_t>(reg)] = v;
    taken_ |= bit(reg);
  }

  int load(std::uint32_t v, Registers kept) {
    if (reg_of(v) >= 0) return reg_of(v);
    const MemoryPlace home = home_of(v);
    const int reg = take_register(kept);
    code_.load(reg, home, width(v));
    put(v, reg);
    return reg;
  }

  // A number that is the same on all lanes has to be loaded, other ones may be read in place.
  bool must_load(std::uint32_t v) const { return values_[v].home.spread; }

  // what was read is needed later, or never again
  void used(const Line::Operand& o) {
    State& s = state(o.value);
    s.next = o.next;
    if (o.next == never) {
      if (is_lane(o.value)) drop(o.value);
      release(is_lane(o.value) ? row_of(o.value) : o.value);
    }
  }

  // of a value that neither it nor one of its lanes is needed later
  void release(std::uint32_t v) {
    State& s = state(v);
    if (now_ < line_.values[v].last) return;
    drop(v);
    if (s.home.base == MemoryPlace::Base::frame) {
      released_.push_back({s.home.index, width(v)});  // after the instruction that reads it
      s.home = {};
    }
  }

  // a value that is in memory is worth a register
  bool is_worth_loading(const Line::Operand& o, Registers kept) const {
    if (o.next == never || o.next - now_ > soon) return false;
    if ((~taken_ & all_ & ~kept) != 0) return true;
    return values_[in_[static_cast<std::size_t>(farthest(kept))]].next > o.next;
  }

  const Line& line_;
  MachineCode& code_;
  Frame frame_;
  // slots free after this instruction, and how many
  std::vector<std::pair<std::uint32_t, unsigned>> released_;
  std::uint32_t now_ = 0;
  Registers taken_ = 0;

 private:
  // A value in memory is loaded, rather than read in place, if it is needed again within so many
  // instructions.
  static constexpr std::uint32_t soon = 24;
  // As long as the frame is no larger than this, it takes values that also have a slot in the
  // workspace: it is smaller and nearer.
  static constexpr std::size_t small_frame = 1024;

  Registers all_;
  std::vector<State> values_;
  std::array<std::uint32_t, MachineCode::most_registers> in_{};  // values, or never
};

}  // namespace klingel::exec
