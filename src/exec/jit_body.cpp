#include "exec/jit_body.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "exec/register_file.hpp"
#include "exec/routines.hpp"

namespace klingel::exec {
namespace {

class BodyCompiler : RegisterFile {
 public:
  BodyCompiler(const Line& line, unsigned lanes, MachineCode& code)
      : RegisterFile(line, code), lanes_(lanes > 1 ? 4 : 1) {}

  std::size_t run(bool light = false) {
    if (line_.instructions.empty() && line_.dense.empty()) return code_.empty_body();
    const std::size_t begin = code_.begin_body(light);
    for (const MemoryPlace& output : line_.dense) code_.clear(output);
    for (now_ = 0; now_ < line_.instructions.size(); ++now_) {
      compile(line_.instructions[now_]);
      for (const auto& [slot, width] : released_) frame_.release(slot, width);
      released_.clear();
    }
    code_.end_body(line_.constants, frame_.size());
    return begin;
  }

  bool has_frame() const { return frame_.size() > 0; }

 private:
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
      case Action::spread:
        return spread(i);
      case Action::permute:
        return permute(i);
      case Action::halves:
        return halves(i);
      case Action::blend:
        return blend(i);
      case Action::gather:
        return gather(i);
    }
  }

  // ---------------------------------------------------------------------------- instructions

  void binary(const Line::Instruction& i, Machine what, bool is_commutative) {
    Line::Operand a = i.a, b = i.b;
    if (is_commutative && reg_of(a.value) < 0) {
      // the operand that stays in memory is the second
      if (reg_of(b.value) >= 0 || b.next < a.next) std::swap(a, b);
    }
    const int ra = load(a.value, bits_of(b.value));
    if (reg_of(b.value) < 0 && (must_load(b.value) || is_worth_loading(b, bit(ra))))
      load(b.value, bit(ra));
    const int rb = reg_of(b.value);
    const MemoryPlace place = rb >= 0 ? MemoryPlace{} : home_of(b.value);
    used(a);
    if (b.value != a.value) used(b);
    const int to = take_register(0);
    if (rb >= 0) {
      code_.apply(what, to, ra, rb, width(i.to));
    } else {
      code_.apply(what, to, ra, place, width(i.to));
    }
    define(i.to, to);
  }

  // The result takes the place of an operand, as the machine wants it: of c if that is not needed
  // again, else of a factor, else of a copy of c.
  void fused(const Line::Instruction& i, Product what) {
    Line::Operand a = i.a, b = i.b;
    const Line::Operand c = i.c;
    const unsigned w = width(i.to);
    if (reg_of(a.value) < 0 && reg_of(b.value) >= 0) std::swap(a, b);
    const auto bits = [this](const Line::Operand& o) { return bits_of(o.value); };
    // the register of a row is not free when one of its lanes is read for the last time
    const auto ends = [this](const Line::Operand& o) {
      return o.next == never &&
             (is_lane(o.value) ? in_own_register(o.value) : line_.values[o.value].last <= now_);
    };
    load(a.value, bits(b) | bits(c));
    const bool ends_c = ends(c) && c.value != a.value && c.value != b.value;
    const bool ends_a = ends(a) && a.value != b.value && a.value != c.value;
    const bool takes_a = !ends_c && ends_a;
    if (takes_a) {
      load(b.value, bits(a) | bits(c));
      if (reg_of(c.value) < 0 && (must_load(c.value) || is_worth_loading(c, bits(a) | bits(b))))
        load(c.value, bits(a) | bits(b));
    } else {
      if (ends_c) load(c.value, bits(a) | bits(b));
      if (reg_of(b.value) < 0 && (must_load(b.value) || is_worth_loading(b, bits(a) | bits(c))))
        load(b.value, bits(a) | bits(c));
    }
    const int ra = reg_of(a.value), rb = reg_of(b.value);
    int rc = reg_of(c.value);
    const MemoryPlace at_b = rb >= 0 ? MemoryPlace{} : home_of(b.value);
    const MemoryPlace at_c = rc >= 0 ? MemoryPlace{} : home_of(c.value);
    int to = takes_a ? ra : rc;
    if (!takes_a && !ends_c) {
      to = take_register(bits(a) | bits(b) | bits(c));
      if (rc >= 0) {
        code_.copy(to, rc, w);
      } else {
        code_.load(to, at_c, w);
      }
    }
    used(a);
    if (b.value != a.value) used(b);
    if (c.value != a.value && c.value != b.value) used(c);
    if (takes_a) {
      if (rc >= 0) {
        code_.multiply_into_factor(what, to, rb, rc, w);
      } else {
        code_.multiply_into_factor(what, to, rb, at_c, w);
      }
    } else if (rb >= 0) {
      code_.multiply_into_sum(what, to, ra, rb, w);
    } else {
      code_.multiply_into_sum(what, to, ra, at_b, w);
    }
    define(i.to, to);
  }

  void define(std::uint32_t v, int reg) {
    put(v, reg);
    if (state(v).next == never) release(v);
  }

  void root(const Line::Instruction& i) {
    if (must_load(i.a.value)) load(i.a.value, 0);
    const int ra = reg_of(i.a.value);
    const MemoryPlace place = ra >= 0 ? MemoryPlace{} : home_of(i.a.value);
    used(i.a);
    const int to = take_register(0);
    if (ra >= 0) {
      code_.apply(Machine::sqrt, to, ra, ra, width(i.to));
    } else {
      code_.apply(Machine::sqrt, to, to, place, width(i.to));
    }
    define(i.to, to);
  }

  // smaller(a, b) is b where one of them is NaN; a itself must win there
  void extremum(const Line::Instruction& i, Machine what) {
    const unsigned w = width(i.to);
    const int a = load(i.a.value, bits_of(i.b.value));
    const int b = load(i.b.value, bit(a));
    Registers kept = bit(a) | bit(b);
    const int low_a = low(a, w, kept);
    const int nan = take_low_register(kept);
    code_.apply(Machine::is_nan, nan, low_a, low_a, w);
    const int to = take_low_register(kept | bit(nan));
    code_.apply(what, to, a, b, w);
    code_.choose(to, to, low_a, nan, w);
    used(i.a);
    if (i.b.value != i.a.value) used(i.b);
    define(i.to, to);
  }

  // one with the sign of a where a is neither zero nor NaN, else a
  void sign(const Line::Instruction& i) {
    Registers kept = bit(load(i.a.value, 0));
    const int a = low(reg_of(i.a.value), 1, kept);
    const int chooser = take_low_register(kept);
    const int to = take_low_register(kept | bit(chooser));
    code_.apply(Machine::bit_xor, chooser, chooser, chooser);
    code_.apply(Machine::is_not, chooser, a, chooser);
    code_.apply(Machine::bit_and, to, a, state(i.b.value).home);
    code_.apply(Machine::bit_or, to, to, state(i.c.value).home);
    code_.choose(to, a, to, chooser);
    for (const Line::Operand& o : {i.a, i.b, i.c}) used(o);
    define(i.to, to);
  }

  void store(const Line::Instruction& i) {
    const std::uint32_t v = i.a.value;
    if (is_lane(v) && reg_of(v) < 0 && state(row_of(v)).reg >= 0) {
      // straight from the row
      const int row = state(row_of(v)).reg;
      const unsigned lane = line_.values[v].lane;
      code_.store_lane(i.place, row, lane, lane < 2 ? 0 : take_register(bit(row)));
      used(i.a);
      return;
    }
    const int reg = load(v, 0);
    code_.store(i.place, reg, width(v));
    // a home for nothing
    if (i.place.base == MemoryPlace::Base::workspace && !is_lane(v) && !in_memory(v))
      state(v).home = i.place;
    used(i.a);
  }

  // ----------------------------------------------------------------------------- lanes of rows

  void spread(const Line::Instruction& i) {
    const std::uint32_t v = i.a.value;
    const int from = reg_of(v);
    MemoryPlace place = from >= 0 ? MemoryPlace{} : home_of(v);
    place.spread = true;
    used(i.a);
    const int to = take_register(0);
    if (from >= 0) {
      code_.spread(to, from);
    } else {
      code_.load(to, place, width(i.to));
    }
    define(i.to, to);
  }

  void permute(const Line::Instruction& i) {
    const std::uint32_t v = i.a.value;
    // two lanes are not read as four
    if (width(v) < 4 || must_load(v)) load(v, 0);
    const int from = reg_of(v);
    const MemoryPlace place = from >= 0 ? MemoryPlace{} : home_of(v);
    used(i.a);
    const int to = take_register(0);
    if (from >= 0) {
      code_.permute(to, from, i.order);
    } else {
      code_.permute(to, place, i.order);
    }
    define(i.to, to);
  }

  void halves(const Line::Instruction& i) {
    const int a = load(i.a.value, bits_of(i.b.value));
    const int b = reg_of(i.b.value);
    const MemoryPlace place = b >= 0 ? MemoryPlace{} : home_of(i.b.value);
    used(i.a);
    if (i.b.value != i.a.value) used(i.b);
    const int to = take_register(0);
    if (b >= 0) {
      code_.halves(to, a, b);
    } else {
      code_.halves(to, a, place);
    }
    define(i.to, to);
  }

  void blend(const Line::Instruction& i) {
    Registers kept = bit(load(i.a.value, bits_of(i.b.value)));
    kept |= bit(load(i.b.value, kept));
    const int a = low(reg_of(i.a.value), 4, kept), b = low(reg_of(i.b.value), 4, kept);
    used(i.a);
    used(i.b);
    const int to = take_low_register(0);
    code_.blend(to, a, b, i.order);
    define(i.to, to);
  }

  // Numbers of different places, two by two.
  void gather(const Line::Instruction& i) {
    const std::array<Line::Operand, 4> from{i.a, i.b, i.c, i.d};
    const unsigned w = width(i.to);
    // lanes of rows that are in registers only go through memory first
    for (unsigned k = 0; k < w; ++k)
      if (reg_of(from[k].value) < 0) home_of(from[k].value);
    Registers kept = 0;
    for (unsigned k = 0; k < w; ++k) kept |= bits_of(from[k].value);
    std::array<int, 2> pairs{};
    for (unsigned k = 0; k < w; k += 2) {
      const std::uint32_t low = from[k].value, high = from[k + 1].value;
      const int to = take_register(kept);
      kept |= bit(to);
      int first = reg_of(low);
      if (first < 0) {
        code_.load(to, home_of(low));
        first = to;
      }
      if (const int second = low == high ? first : reg_of(high); second >= 0) {
        code_.pair(to, first, second);
      } else {
        code_.pair(to, first, home_of(high));
      }
      pairs[k / 2] = to;
    }
    if (w == 4) code_.halves(pairs[0], pairs[0], pairs[1]);
    for (unsigned k = 0; k < w; ++k) {
      bool first = true;
      for (unsigned j = 0; j < k; ++j) first = first && from[j].value != from[k].value;
      if (first) used(from[k]);
    }
    define(i.to, pairs[0]);
  }

  // ----------------------------------------------------------------------------------- calls

  // all values that are needed later go to memory, operands too
  void leave_registers() {
    for (int r = 0; r < code_.registers(); ++r) {
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
    const MemoryPlace a = home_of(i.a.value);
    const MemoryPlace b = i.b.value == never ? MemoryPlace{} : home_of(i.b.value);
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
    }
    for (const Line::Operand& angle : group.angles) used(angle);  // lanes of one row among them
    leave_registers();
    code_.sincos(n, {MemoryPlace::Base::frame, 0, angles}, {MemoryPlace::Base::frame, 0, sines},
                 {MemoryPlace::Base::frame, 0, cosines});
    std::vector<bool> in_row(2 * n, false);
    for (const Line::Group::Row& row : group.rows) {
      const std::size_t first = row.first + (row.cosine ? n : 0);
      std::fill_n(in_row.begin() + static_cast<std::ptrdiff_t>(first), width(row.value), true);
      keep(row.value, static_cast<std::uint32_t>(sines + first));
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      released_.push_back({angles + k, 1});
      if (!in_row[k]) keep(group.sines[k], sines + k);
      if (!in_row[n + k]) keep(group.cosines[k], cosines + k);
    }
  }

  void keep(std::uint32_t v, std::uint32_t slot) {
    if (v == never || line_.values[v].last <= now_) {
      released_.push_back({slot, v == never ? 1 : width(v)});
    } else {
      define_in_memory(v, {MemoryPlace::Base::frame, 0, slot});
    }
  }

  unsigned lanes_;  // in a register
};

// Whether its registers are enough for a line; tried for short ones.
bool needs_no_frame(const Line& line, unsigned lanes) {
  constexpr std::size_t most = 400;
  const auto calls = [](const Line::Instruction& i) {
    return i.action == Action::call || i.action == Action::sincos;
  };
  if (lanes == 8 || line.instructions.size() > most || !line.dense.empty() ||
      std::any_of(line.instructions.begin(), line.instructions.end(), calls))
    return false;
  MachineCode elsewhere(lanes);
  BodyCompiler compiler(line, lanes, elsewhere);
  compiler.run();
  return !compiler.has_frame();
}

}  // namespace

std::size_t compile_body(const Line& line, unsigned lanes, MachineCode& code) {
  return BodyCompiler(line, lanes, code).run(needs_no_frame(line, lanes));
}

}  // namespace klingel::exec
