#include "exec/jit_body.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/assert.hpp"
#include "exec/routines.hpp"

namespace klingel::exec {
namespace {

constexpr std::uint32_t never = Line::never;
using Registers = std::uint32_t;  // a set, one bit each

// A value in memory is loaded, rather than read in place, if it is needed again within so many
// instructions.
constexpr std::uint32_t soon = 24;
// As long as the frame is no larger than this, it takes values that also have a slot in the
// workspace: it is smaller and nearer.
constexpr std::size_t small_frame = 1024;

// Slots of the frame, the lowest free one first: addresses stay short.
class Frame {
 public:
  std::uint32_t take() {
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

  void release(std::uint32_t slot) {
    taken_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    first_ = std::min<std::size_t>(first_, slot / 64);
  }

  std::size_t size() const { return size_; }

 private:
  std::uint32_t note(std::uint32_t slot) {
    size_ = std::max<std::size_t>(size_, slot + 1);
    return slot;
  }

  std::vector<std::uint64_t> taken_;
  std::size_t first_ = 0;  // no free slot in words before this
  std::size_t size_ = 0;
};

class BodyCompiler {
 public:
  BodyCompiler(const Line& line, unsigned lanes, MachineCode& code)
      : line_(line), lanes_(lanes > 1 ? 4 : 1), code_(code) {
    values_.reserve(line.values.size());
    for (const Line::Value& v : line.values) values_.push_back({v.home, v.use, -1});
    in_.fill(never);
  }

  std::size_t run() {
    const std::size_t begin = code_.begin_body();
    for (const MemoryPlace& output : line_.dense) code_.clear(output);
    for (now_ = 0; now_ < line_.instructions.size(); ++now_) {
      compile(line_.instructions[now_]);
      for (const std::uint32_t slot : released_) frame_.release(slot);
      released_.clear();
    }
    code_.end_body(line_.constants, frame_.size());
    return begin;
  }

 private:
  struct State {
    MemoryPlace home;    // its place in memory, or none
    std::uint32_t next;  // the instruction that needs it next
    int reg;             // or -1
  };

  void compile(const Line::Instruction& i) {
    switch (i.action) {
      case Action::add:
        return binary(i, Machine::add, true);
      case Action::mul:
        return binary(i, Machine::mul, true);
      case Action::sub:
        return binary(i, Machine::sub, false);
      case Action::div:
        return binary(i, Machine::div, false);
      case Action::fused_plus:
        return fused(i, Product::plus);
      case Action::fused_minus:
        return fused(i, Product::minus);
      case Action::fused_less_addend:
        return fused(i, Product::less_addend);
      case Action::flip:
        return binary(i, Machine::bit_xor, true);
      case Action::mask:
        return binary(i, Machine::bit_and, true);
      case Action::sqrt:
        return root(i);
      case Action::min:
        return extremum(i, Machine::smaller);
      case Action::max:
        return extremum(i, Machine::larger);
      case Action::sign:
        return sign(i);
      case Action::call:
        return call(i);
      case Action::sincos:
        return sincos(line_.groups[i.to]);
      case Action::store:
        return store(i);
    }
  }

  // ------------------------------------------------------------------------------ registers

  State& state(std::uint32_t v) { return values_[v]; }
  bool in_memory(std::uint32_t v) const {
    return values_[v].home.base != MemoryPlace::Base::nowhere;
  }
  static Registers bit(int reg) { return Registers{1} << reg; }

  // A register for a new value; those in `kept` stay as they are.
  int take_register(Registers kept) {
    const Registers free = ~taken_ & ((Registers{1} << MachineCode::registers) - 1) & ~kept;
    if (free != 0) return std::countr_zero(free);
    const int reg = farthest(kept);
    evict(reg);
    return reg;
  }

  int farthest(Registers kept) const {
    int best = -1;
    std::uint32_t distance = 0;
    for (int r = 0; r < MachineCode::registers; ++r) {
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
    give_home(v);
    drop(v);
  }

  // writes a value that is in a register only
  void give_home(std::uint32_t v) {
    State& s = state(v);
    if (in_memory(v)) return;
    const MemoryPlace& cut = line_.values[v].cut;
    s.home = cut.base != MemoryPlace::Base::nowhere && frame_.size() >= small_frame
                 ? cut
                 : MemoryPlace{MemoryPlace::Base::frame, 0, frame_.take()};
    code_.store(s.home, s.reg);
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
    if (state(v).reg >= 0) return state(v).reg;
    const int reg = take_register(kept);
    code_.load(reg, state(v).home);
    put(v, reg);
    return reg;
  }

  // what was read is needed later, or never again
  void used(const Line::Operand& o) {
    State& s = state(o.value);
    s.next = o.next;
    if (o.next != never) return;
    drop(o.value);
    if (s.home.base == MemoryPlace::Base::frame) {
      released_.push_back(s.home.index);  // after the instruction that reads it
      s.home = {};
    }
  }

  // a value that is in memory is worth a register
  bool is_worth_loading(const Line::Operand& o, Registers kept) const {
    if (o.next == never || o.next - now_ > soon) return false;
    const Registers all = (Registers{1} << MachineCode::registers) - 1;
    if ((~taken_ & all & ~kept) != 0) return true;
    return values_[in_[static_cast<std::size_t>(farthest(kept))]].next > o.next;
  }

  // ---------------------------------------------------------------------------- instructions

  void binary(const Line::Instruction& i, Machine what, bool is_commutative) {
    Line::Operand a = i.a, b = i.b;
    if (is_commutative && state(a.value).reg < 0) {
      // the operand that stays in memory is the second
      if (state(b.value).reg >= 0 || b.next < a.next) std::swap(a, b);
    }
    const int ra = load(a.value, state(b.value).reg >= 0 ? bit(state(b.value).reg) : 0);
    if (state(b.value).reg < 0 && is_worth_loading(b, bit(ra))) load(b.value, bit(ra));
    const int rb = state(b.value).reg;
    const MemoryPlace place = state(b.value).home;
    used(a);
    if (b.value != a.value) used(b);
    const int to = take_register(0);
    if (rb >= 0) {
      code_.apply(what, to, ra, rb);
    } else {
      code_.apply(what, to, ra, place);
    }
    define(i.to, to);
  }

  // The result takes the place of an operand, as the machine wants it: of c if that is not needed
  // again, else of a factor, else of a copy of c.
  void fused(const Line::Instruction& i, Product what) {
    Line::Operand a = i.a, b = i.b;
    const Line::Operand c = i.c;
    if (state(a.value).reg < 0 && state(b.value).reg >= 0) std::swap(a, b);
    const auto reg_of = [this](const Line::Operand& o) { return state(o.value).reg; };
    const auto bits_of = [&](const Line::Operand& o) {
      return reg_of(o) >= 0 ? bit(reg_of(o)) : 0;
    };
    load(a.value, bits_of(b) | bits_of(c));
    const bool ends_c = c.next == never && c.value != a.value && c.value != b.value;
    const bool ends_a = a.next == never && a.value != b.value && a.value != c.value;
    const bool takes_a = !ends_c && ends_a;
    if (takes_a) {
      load(b.value, bits_of(a) | bits_of(c));
      if (reg_of(c) < 0 && is_worth_loading(c, bits_of(a) | bits_of(b)))
        load(c.value, bits_of(a) | bits_of(b));
    } else {
      if (ends_c) load(c.value, bits_of(a) | bits_of(b));
      if (reg_of(b) < 0 && is_worth_loading(b, bits_of(a) | bits_of(c)))
        load(b.value, bits_of(a) | bits_of(c));
    }
    const int ra = reg_of(a), rb = reg_of(b), rc = reg_of(c);
    const MemoryPlace at_b = state(b.value).home, at_c = state(c.value).home;
    int to = takes_a ? ra : rc;
    if (!takes_a && !ends_c) {
      to = take_register(bits_of(a) | bits_of(b) | bits_of(c));
      if (rc >= 0) {
        code_.copy(to, rc);
      } else {
        code_.load(to, at_c);
      }
    }
    used(a);
    if (b.value != a.value) used(b);
    if (c.value != a.value && c.value != b.value) used(c);
    if (takes_a) {
      if (rc >= 0) {
        code_.multiply_into_factor(what, to, rb, rc);
      } else {
        code_.multiply_into_factor(what, to, rb, at_c);
      }
    } else if (rb >= 0) {
      code_.multiply_into_sum(what, to, ra, rb);
    } else {
      code_.multiply_into_sum(what, to, ra, at_b);
    }
    define(i.to, to);
  }

  void define(std::uint32_t v, int reg) {
    put(v, reg);
    if (state(v).next == never) drop(v);
  }

  void root(const Line::Instruction& i) {
    const int ra = state(i.a.value).reg;
    const MemoryPlace place = state(i.a.value).home;
    used(i.a);
    const int to = take_register(0);
    if (ra >= 0) {
      code_.apply(Machine::sqrt, to, ra, ra);
    } else {
      code_.apply(Machine::sqrt, to, to, place);
    }
    define(i.to, to);
  }

  // smaller(a, b) is b where one of them is NaN; a itself must win there
  void extremum(const Line::Instruction& i, Machine what) {
    const int a = load(i.a.value, state(i.b.value).reg >= 0 ? bit(state(i.b.value).reg) : 0);
    const int b = load(i.b.value, bit(a));
    const int nan = take_register(bit(a) | bit(b));
    code_.apply(Machine::is_nan, nan, a, a);
    const int to = take_register(bit(a) | bit(b) | bit(nan));
    code_.apply(what, to, a, b);
    code_.choose(to, to, a, nan);
    used(i.a);
    if (i.b.value != i.a.value) used(i.b);
    define(i.to, to);
  }

  // one with the sign of a where a is neither zero nor NaN, else a
  void sign(const Line::Instruction& i) {
    const int a = load(i.a.value, 0);
    const int chooser = take_register(bit(a));
    const int to = take_register(bit(a) | bit(chooser));
    code_.apply(Machine::bit_xor, chooser, chooser, chooser);
    code_.apply(Machine::is_not, chooser, a, chooser);
    code_.apply(Machine::bit_and, to, a, state(i.b.value).home);
    code_.apply(Machine::bit_or, to, to, state(i.c.value).home);
    code_.choose(to, a, to, chooser);
    for (const Line::Operand& o : {i.a, i.b, i.c}) used(o);
    define(i.to, to);
  }

  void store(const Line::Instruction& i) {
    const int reg = load(i.a.value, 0);
    code_.store(i.place, reg);
    // a home for nothing
    if (i.place.base == MemoryPlace::Base::workspace && !in_memory(i.a.value))
      state(i.a.value).home = i.place;
    used(i.a);
  }

  // ----------------------------------------------------------------------------------- calls

  // all values that are needed later go to memory, operands too
  void leave_registers() {
    for (int r = 0; r < MachineCode::registers; ++r) {
      if ((taken_ & bit(r)) != 0) evict(r);
    }
  }

  // a value that comes back in memory
  MemoryPlace define_in_memory(std::uint32_t v, MemoryPlace home) {
    state(v).home = home;
    return home;
  }

  void call(const Line::Instruction& i) {
    leave_registers();
    const MemoryPlace a = state(i.a.value).home;
    const MemoryPlace b = i.b.value == never ? MemoryPlace{} : state(i.b.value).home;
    used(i.a);
    if (i.b.value != never && i.b.value != i.a.value) used(i.b);
    const MemoryPlace to = define_in_memory(i.to, {MemoryPlace::Base::frame, 0, frame_.take()});
    code_.call(routine_of(i.op, lanes_), a, b, to);
  }

  void sincos(const Line::Group& group) {
    const std::size_t n = group.angles.size();
    const std::uint32_t angles = frame_.take_row(3 * n);
    const auto sines = static_cast<std::uint32_t>(angles + n);
    const auto cosines = static_cast<std::uint32_t>(sines + n);
    for (std::uint32_t k = 0; k < n; ++k) {
      const int reg = load(group.angles[k].value, 0);
      code_.store({MemoryPlace::Base::frame, 0, angles + k}, reg);
      used(group.angles[k]);
    }
    leave_registers();
    code_.sincos(n, {MemoryPlace::Base::frame, 0, angles}, {MemoryPlace::Base::frame, 0, sines},
                 {MemoryPlace::Base::frame, 0, cosines});
    for (std::uint32_t k = 0; k < n; ++k) {
      released_.push_back(angles + k);
      keep(group.sines[k], sines + k);
      keep(group.cosines[k], cosines + k);
    }
  }

  void keep(std::uint32_t v, std::uint32_t slot) {
    if (v == never || state(v).next == never) {
      released_.push_back(slot);
    } else {
      define_in_memory(v, {MemoryPlace::Base::frame, 0, slot});
    }
  }

  const Line& line_;
  unsigned lanes_;  // in a register
  MachineCode& code_;
  std::vector<State> values_;
  std::array<std::uint32_t, MachineCode::registers> in_{};  // values, or never
  Registers taken_ = 0;
  Frame frame_;
  std::vector<std::uint32_t> released_;  // slots free after this instruction
  std::uint32_t now_ = 0;
};

}  // namespace

std::size_t compile_body(const Line& line, unsigned lanes, MachineCode& code) {
  return BodyCompiler(line, lanes, code).run();
}

}  // namespace klingel::exec
