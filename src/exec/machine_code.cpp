// Registers of a body:
//
//   rbx   workspace + 128           r12   in, the table of inputs
//   rbp   slots of the frame + 128  r13   out, the table of outputs
//   rsp   the frame; its first word keeps the caller's rsp
//   r15   the byte offset of the lanes at work, where the body is run twice
//   rax rcx rdx rsi rdi             addresses of arrays used last, and scratch around calls
//
// The five are the ones a short instruction can use as a base.
#include "exec/machine_code.hpp"

#ifdef KLINGEL_ASMJIT
#include <asmjit/x86.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/pack.hpp"
#include "base/trig.h"

namespace klingel::exec {

#ifdef KLINGEL_ASMJIT

namespace {

namespace x86 = asmjit::x86;

// how far into its memory a base register points
constexpr int bias = 128;
// before the slots of a frame, which begin on a cache line
constexpr std::size_t frame_head = 64;
// bytes that are read but not used: a scalar operation on bits reads sixteen bytes
constexpr std::size_t pool_tail = 16;

void sincos_of_array(int n, const double* x, double* s, double* c) { klingel_sincos(n, x, s, c); }

// Of large angles. A function of its own, or the usual way would save registers for it.
[[gnu::noinline, gnu::cold]] void sincos_far(int n, const double* x, double* s, double* c) {
  klingel_sincos(n, x, s, c);
}

// The same for whole packs: nothing is left over.
void sincos_of_packs(int n, const double* x, double* s, double* c) {
  base::Mask far{};
  for (int i = 0; i < n; i += klingel_trig_lanes) {
    klingel_sincos_lanes(x + i, s + i, c + i);
    far |= ~(base::magnitude(base::load(x + i)) <= base::splat(KLINGEL_TRIG_LIMIT));
  }
  if (base::bits(far) != 0) sincos_far(n, x, s, c);
}

// The variables let tests see what happens on other processors.
bool is_masked(const char* variable) { return std::getenv(variable) != nullptr; }

int registers_of_host() {
  const asmjit::CpuFeatures::X86& features = asmjit::CpuInfo::host().features().x86();
  const bool all = features.hasAVX512_F() && features.hasAVX512_VL() && features.hasAVX512_DQ();
  return all && !is_masked("KLINGEL_WITHOUT_AVX512") ? MachineCode::most_registers
                                                     : MachineCode::low_registers;
}

asmjit::InstId id_of(Machine what, bool packed) {
  namespace I = x86::Inst;
  switch (what) {
    case Machine::add:
      return packed ? I::kIdVaddpd : I::kIdVaddsd;
    case Machine::sub:
      return packed ? I::kIdVsubpd : I::kIdVsubsd;
    case Machine::mul:
      return packed ? I::kIdVmulpd : I::kIdVmulsd;
    case Machine::div:
      return packed ? I::kIdVdivpd : I::kIdVdivsd;
    case Machine::sqrt:
      return packed ? I::kIdVsqrtpd : I::kIdVsqrtsd;
    case Machine::bit_xor:
      return I::kIdVxorpd;
    case Machine::bit_and:
      return I::kIdVandpd;
    case Machine::bit_or:
      return I::kIdVorpd;
    case Machine::smaller:
      return packed ? I::kIdVminpd : I::kIdVminsd;
    case Machine::larger:
      return packed ? I::kIdVmaxpd : I::kIdVmaxsd;
    case Machine::is_nan:
    case Machine::is_not:
      return packed ? I::kIdVcmppd : I::kIdVcmpsd;
  }
  return I::kIdNone;
}

bool is_commutative(Machine what) {
  return what == Machine::add || what == Machine::mul || what == Machine::bit_xor ||
         what == Machine::bit_and || what == Machine::bit_or;
}

}  // namespace

class MachineCode::Implementation {
 public:
  Implementation(unsigned lanes, int registers)
      : packed_(lanes > 1),
        twice_(lanes == 8),
        has_avx512_(registers > low_registers),
        size_(lanes > 1 ? 32 : 8),
        stride_(8 * static_cast<int>(lanes)) {
    KLINGEL_ASSERT(lanes == 1 || lanes == 4 || lanes == 8);
    code_.init(asmjit::Environment::host());
    code_.setErrorHandler(&thrower_);
    code_.attach(&a_);
  }

  std::size_t begin_body(bool light) {
    a_.align(asmjit::AlignMode::kCode, 64);
    const std::size_t begin = a_.offset();
    pool_ = a_.newLabel();
    wide_ = false;
    light_ = light;
    forget_addresses();
    if (light_) {
      KLINGEL_ASSERT(!twice_);
      workspace_ = x86::r10, inputs_ = x86::r8, outputs_ = x86::r9;
      a_.lea(workspace_, x86::ptr(x86::rdx, bias));
      a_.mov(inputs_, x86::rsi);
      a_.mov(outputs_, x86::rcx);
      return begin;
    }
    workspace_ = x86::rbx, inputs_ = x86::r12, outputs_ = x86::r13;
    for (const x86::Gp& r : saved) a_.push(r);
    a_.mov(x86::r11, x86::rsp);
    a_.sub(x86::rsp, 0x7fffff00);
    frame_at_ = a_.offset() - 4;
    a_.and_(x86::rsp, -64);
    a_.mov(x86::qword_ptr(x86::rsp), x86::r11);
    a_.lea(x86::rbp, x86::ptr(x86::rsp, frame_head + bias));
    a_.lea(workspace_, x86::ptr(x86::rdx, bias));
    a_.mov(inputs_, x86::rsi);
    a_.mov(outputs_, x86::rcx);
    if (twice_) {
      a_.xor_(x86::r15d, x86::r15d);
      again_ = a_.newLabel();
      a_.bind(again_);
    }
    return begin;
  }

  std::size_t empty_body() {
    a_.align(asmjit::AlignMode::kCode, 16);
    const std::size_t begin = a_.offset();
    a_.ret();
    return begin;
  }

  void end_body(std::span<const double> constants, std::size_t frame_slots) {
    if (twice_) {
      a_.add(workspace_, size_);
      a_.add(x86::r15, size_);
      a_.cmp(x86::r15, stride_);
      a_.jb(again_);
    }
    if (packed_ || wide_) a_.vzeroupper();
    if (light_) {
      KLINGEL_ASSERT(frame_slots == 0);
    } else {
      a_.mov(x86::rsp, x86::qword_ptr(x86::rsp));
      for (std::size_t i = saved.size(); i-- > 0;) a_.pop(saved[i]);
      const auto frame = static_cast<std::uint32_t>(frame_head + frame_slots * size_);
      std::memcpy(a_.bufferData() + frame_at_, &frame, sizeof frame);
    }
    a_.ret();

    a_.align(asmjit::AlignMode::kData, 64);
    a_.bind(pool_);
    for (const double x : constants)
      for (int lane = 0; lane < size_ / 8; ++lane) a_.embed(&x, sizeof x);
    const std::array<char, pool_tail> tail{};
    a_.embed(tail.data(), tail.size());
  }

  void load(int to, MemoryPlace from, unsigned width) {
    if (from.spread)
      a_.emit(x86::Inst::kIdVbroadcastsd, x86::Ymm(static_cast<std::uint32_t>(to)), memory(from));
    else
      a_.emit(is_packed(width) ? x86::Inst::kIdVmovupd : x86::Inst::kIdVmovsd, vector(to, width),
              near(from));
    note(width);
  }
  void store(MemoryPlace to, int from, unsigned width) {
    a_.emit(is_packed(width) ? x86::Inst::kIdVmovupd : x86::Inst::kIdVmovsd, near(to),
            vector(from, width));
  }

  void apply(Machine what, int to, int a, int b, unsigned width) {
    // a high register makes the instruction longer if it is b
    if (is_commutative(what) && b >= 8 && a < 8) std::swap(a, b);
    emit(what, to, a, vector(b, width), width);
  }
  void apply(Machine what, int to, int a, MemoryPlace b, unsigned width) {
    if (what == Machine::sqrt && !is_packed(width)) {  // without reading the old value of `to`
      load(to, b, width);
      emit(what, to, to, vector(to, width), width);
    } else {
      emit(what, to, a, near(b), width);
    }
  }
  void copy(int to, int from, unsigned width) {
    a_.emit(x86::Inst::kIdVmovapd, vector(to, width), vector(from, width));
  }
  void multiply_into_sum(Product what, int sum, int x, int y, unsigned width) {
    a_.emit(sum_id(what, width), vector(sum, width), vector(x, width), vector(y, width));
  }
  void multiply_into_sum(Product what, int sum, int x, MemoryPlace y, unsigned width) {
    a_.emit(sum_id(what, width), vector(sum, width), vector(x, width), near(y));
  }
  void multiply_into_factor(Product what, int x, int y, int z, unsigned width) {
    a_.emit(factor_id(what, width), vector(x, width), vector(y, width), vector(z, width));
  }
  void multiply_into_factor(Product what, int x, int y, MemoryPlace z, unsigned width) {
    a_.emit(factor_id(what, width), vector(x, width), vector(y, width), near(z));
  }
  void choose(int to, int a, int b, int chooser, unsigned width) {
    a_.emit(x86::Inst::kIdVblendvpd, vector(to, width), vector(a, width), vector(b, width),
            vector(chooser, width));
  }

  void store_lane(MemoryPlace to, int from, unsigned lane, int scratch) {
    const x86::Xmm low(static_cast<std::uint32_t>(lane < 2 ? from : scratch));
    if (lane >= 2)
      a_.emit(is_high(from) || is_high(scratch) ? x86::Inst::kIdVextractf64x2
                                                : x86::Inst::kIdVextractf128,
              low, vector(from, 4), asmjit::Imm(1));
    a_.emit(lane % 2 == 0 ? x86::Inst::kIdVmovsd : x86::Inst::kIdVmovhpd, memory(to), low);
  }
  void spread(int to, int from) {
    a_.vbroadcastsd(vector(to, 4).as<x86::Ymm>(), vector(from, 1).as<x86::Xmm>());
    note(4);
  }
  void permute(int to, int from, unsigned order) {
    a_.emit(x86::Inst::kIdVpermpd, vector(to, 4), vector(from, 4), asmjit::Imm(order));
    note(4);
  }
  void permute(int to, MemoryPlace from, unsigned order) {
    a_.emit(x86::Inst::kIdVpermpd, vector(to, 4), memory(from), asmjit::Imm(order));
    note(4);
  }
  void pair(int to, int low, int high) {
    a_.emit(x86::Inst::kIdVunpcklpd, vector(to, 2), vector(low, 2), vector(high, 2));
  }
  void pair(int to, int low, MemoryPlace high) {
    a_.emit(x86::Inst::kIdVmovhpd, vector(to, 2), vector(low, 2), memory(high));
  }
  void halves(int to, int low, int high) {
    a_.emit(insert_id(is_high(to) || is_high(low) || is_high(high)), vector(to, 4), vector(low, 4),
            vector(high, 2), asmjit::Imm(1));
    note(4);
  }
  void halves(int to, int low, MemoryPlace high) {
    a_.emit(insert_id(is_high(to) || is_high(low)), vector(to, 4), vector(low, 4), memory(high),
            asmjit::Imm(1));
    note(4);
  }
  void blend(int to, int a, int b, unsigned order) {
    a_.emit(x86::Inst::kIdVblendpd, vector(to, 4), vector(a, 4), vector(b, 4), asmjit::Imm(order));
    note(4);
  }

  void clear(MemoryPlace place) {
    address_to(x86::rdi, {MemoryPlace::Base::output, place.array, 0});
    a_.xor_(x86::esi, x86::esi);
    // only the lanes at work
    if (twice_) {
      const asmjit::Label next = a_.newLabel();
      a_.vxorpd(x86::xmm0, x86::xmm0, x86::xmm0);
      a_.mov(x86::ecx, place.index);
      a_.bind(next);
      a_.vmovupd(x86::ptr(x86::rdi), x86::ymm0);
      a_.add(x86::rdi, stride_);
      a_.dec(x86::ecx);
      a_.jnz(next);
    } else {
      a_.mov(x86::edx, place.index * static_cast<std::uint32_t>(stride_));
      call_address(reinterpret_cast<const void*>(&std::memset));
    }
    forget_addresses();
  }

  void call(Routine* routine, MemoryPlace a, MemoryPlace b, MemoryPlace to) {
    address_to(x86::rdi, a);
    if (b.base != MemoryPlace::Base::nowhere) address_to(x86::rsi, b);
    address_to(x86::rdx, to);
    call_address(reinterpret_cast<const void*>(routine));
    forget_addresses();
  }

  void sincos(std::size_t n, MemoryPlace angles, MemoryPlace sines, MemoryPlace cosines) {
    address_to(x86::rsi, angles);
    address_to(x86::rdx, sines);
    address_to(x86::rcx, cosines);
    a_.mov(x86::edi, static_cast<std::uint32_t>(n) * (static_cast<std::uint32_t>(size_) / 8));
    call_address(reinterpret_cast<const void*>(packed_ ? &sincos_of_packs : &sincos_of_array));
    forget_addresses();
  }

  std::span<const std::byte> bytes() const {
    const asmjit::CodeBuffer& buffer = code_.textSection()->buffer();
    return {reinterpret_cast<const std::byte*>(buffer.data()), buffer.size()};
  }

 private:
  static constexpr std::array<x86::Gp, 5> saved{x86::rbp, x86::rbx, x86::r12, x86::r13, x86::r15};
  static constexpr std::array<x86::Gp, 5> bases{x86::rax, x86::rcx, x86::rdx, x86::rsi, x86::rdi};

  bool is_packed(unsigned width) const { return packed_ || width > 1; }
  static bool is_high(int reg) { return reg >= low_registers; }
  static asmjit::InstId insert_id(bool high) {
    return high ? x86::Inst::kIdVinsertf64x2 : x86::Inst::kIdVinsertf128;
  }
  // The upper halves of registers are in use.
  void note(unsigned width) { wide_ = wide_ || width > 2; }

  x86::Vec vector(int i, unsigned width) const {
    return packed_ || width > 2 ? x86::Vec(x86::Ymm(static_cast<std::uint32_t>(i)))
                                : x86::Vec(x86::Xmm(static_cast<std::uint32_t>(i)));
  }

  asmjit::InstId sum_id(Product what, unsigned width) const {
    namespace I = x86::Inst;
    const bool packed = is_packed(width);
    switch (what) {
      case Product::plus:
        return packed ? I::kIdVfmadd231pd : I::kIdVfmadd231sd;
      case Product::minus:
        return packed ? I::kIdVfnmadd231pd : I::kIdVfnmadd231sd;
      case Product::less_addend:
        break;
    }
    return packed ? I::kIdVfmsub231pd : I::kIdVfmsub231sd;
  }
  asmjit::InstId factor_id(Product what, unsigned width) const {
    namespace I = x86::Inst;
    const bool packed = is_packed(width);
    switch (what) {
      case Product::plus:
        return packed ? I::kIdVfmadd213pd : I::kIdVfmadd213sd;
      case Product::minus:
        return packed ? I::kIdVfnmadd213pd : I::kIdVfnmadd213sd;
      case Product::less_addend:
        break;
    }
    return packed ? I::kIdVfmsub213pd : I::kIdVfmsub213sd;
  }

  void emit(Machine what, int to, int a, const asmjit::Operand_& b, unsigned width) {
    const auto id = id_of(what, is_packed(width));
    if (what == Machine::is_nan || what == Machine::is_not) {
      a_.emit(id, vector(to, width), vector(a, width), b,
              asmjit::Imm(what == Machine::is_nan ? 3 : 12));
    } else if (what == Machine::sqrt && is_packed(width)) {
      a_.emit(id, vector(to, width), b);
    } else {
      a_.emit(id, vector(to, width), vector(what == Machine::sqrt ? to_index(b) : a, width), b);
    }
    note(width);
  }
  static int to_index(const asmjit::Operand_& b) { return static_cast<int>(b.as<x86::Vec>().id()); }

  // arrays whose addresses are in registers, used last
  struct Base {
    MemoryPlace::Base kind = MemoryPlace::Base::nowhere;
    std::uint32_t array = 0;
    std::uint64_t used = 0;
  };
  void forget_addresses() { addresses_.fill({}); }

  x86::Gp base_of(MemoryPlace::Base kind, std::uint32_t array) {
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < bases.size(); ++i) {
      if (addresses_[i].kind == kind && addresses_[i].array == array) {
        addresses_[i].used = ++clock_;
        return bases[i];
      }
      if (addresses_[i].used < addresses_[oldest].used) oldest = i;
    }
    addresses_[oldest] = {kind, array, ++clock_};
    load_base(bases[oldest], kind, array);
    return bases[oldest];
  }

  void load_base(const x86::Gp& to, MemoryPlace::Base kind, std::uint32_t array) {
    if (kind == MemoryPlace::Base::constant) {
      a_.lea(to, x86::ptr(pool_, bias));
      return;
    }
    const x86::Gp& table = kind == MemoryPlace::Base::input ? inputs_ : outputs_;
    a_.mov(to, x86::ptr(table, static_cast<int>(8 * array)));
    if (twice_) a_.add(to, x86::r15);
  }

  // the size of one element, and how far the base of its memory points into it
  struct Address {
    int offset;
  };
  int offset_of(MemoryPlace p) const {
    const int i = static_cast<int>(p.index);
    switch (p.base) {
      case MemoryPlace::Base::workspace:
        return i * stride_ - bias;
      case MemoryPlace::Base::frame:
      case MemoryPlace::Base::constant:
        return i * size_ - bias;
      default:
        return i * stride_;
    }
  }

  // The memory operand of the next instruction, which AVX-512 has, too: there, an offset of one
  // byte counts in units of a register, where it would need four bytes.
  x86::Mem near(MemoryPlace p) {
    const x86::Mem place = memory(p);
    const int offset = offset_of(p), units = offset / size_;
    if (has_avx512_ && packed_ && offset % size_ == 0 && (offset < -128 || offset > 127) &&
        units >= -128 && units <= 127)
      a_.addInstOptions(asmjit::InstOptions::kX86_Evex);
    return place;
  }

  x86::Mem memory(MemoryPlace p) {
    switch (p.base) {
      case MemoryPlace::Base::workspace:
        return x86::ptr(workspace_, offset_of(p));
      case MemoryPlace::Base::frame:
        return x86::ptr(x86::rbp, offset_of(p));
      default:
        return x86::ptr(base_of(p.base, p.array), offset_of(p));
    }
  }

  // for an argument; registers that keep addresses are not trusted any more
  void address_to(const x86::Gp& to, MemoryPlace p) {
    if (p.base == MemoryPlace::Base::workspace || p.base == MemoryPlace::Base::frame) {
      a_.lea(to, memory(p));
    } else {
      load_base(to, p.base, p.array);
      if (offset_of(p) != 0) a_.add(to, offset_of(p));
    }
  }

  void call_address(const void* routine) {
    if (packed_ || wide_) a_.vzeroupper();
    a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(routine));
    a_.call(x86::rax);
  }

  bool packed_, twice_, has_avx512_;
  bool wide_ = false;   // in this body, of rows on one lane
  bool light_ = false;  // it
  x86::Gp workspace_, inputs_, outputs_;
  int size_;    // bytes of a value in a register, the frame or the pool
  int stride_;  // bytes of an element of inputs, outputs and workspace
  class Thrower : public asmjit::ErrorHandler {
    void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
      base::fail("the just-in-time compiler cannot encode an instruction: {}", message);
    }
  };
  Thrower thrower_;
  asmjit::CodeHolder code_;
  x86::Assembler a_;
  asmjit::Label pool_, again_;
  std::size_t frame_at_ = 0;
  std::array<Base, bases.size()> addresses_{};
  std::uint64_t clock_ = 0;
};

std::string MachineCode::refusal() {
  const asmjit::CpuFeatures::X86& features = asmjit::CpuInfo::host().features().x86();
  if (features.hasAVX2() && features.hasFMA() && !is_masked("KLINGEL_WITHOUT_AVX2")) return {};
  return "the just-in-time compiler writes instructions of x86-64 with AVX2 and FMA, which this "
         "processor does not have";
}

#else

namespace {

int registers_of_host() { return MachineCode::low_registers; }

}  // namespace

class MachineCode::Implementation {
 public:
  Implementation(unsigned, int) { base::fail("{}", refusal()); }
  std::size_t begin_body(bool) { return 0; }
  std::size_t empty_body() { return 0; }
  void end_body(std::span<const double>, std::size_t) {}
  void load(int, MemoryPlace, unsigned) {}
  void store(MemoryPlace, int, unsigned) {}
  template <class Second>
  void apply(Machine, int, int, Second, unsigned) {}
  void copy(int, int, unsigned) {}
  template <class Third>
  void multiply_into_sum(Product, int, int, Third, unsigned) {}
  template <class Third>
  void multiply_into_factor(Product, int, int, Third, unsigned) {}
  void choose(int, int, int, int, unsigned) {}
  void store_lane(MemoryPlace, int, unsigned, int) {}
  void spread(int, int) {}
  template <class From>
  void permute(int, From, unsigned) {}
  template <class High>
  void pair(int, int, High) {}
  template <class High>
  void halves(int, int, High) {}
  void blend(int, int, int, unsigned) {}
  void clear(MemoryPlace) {}
  void call(Routine*, MemoryPlace, MemoryPlace, MemoryPlace) {}
  void sincos(std::size_t, MemoryPlace, MemoryPlace, MemoryPlace) {}
  std::span<const std::byte> bytes() const { return {}; }
};

std::string MachineCode::refusal() {
  return "this program was built without AsmJit, which the just-in-time compiler needs; install "
         "libasmjit-dev and build again";
}

#endif

MachineCode::MachineCode(unsigned lanes)
    : registers_(registers_of_host()),
      implementation_(std::make_unique<Implementation>(lanes, registers_)) {}
MachineCode::~MachineCode() = default;

std::size_t MachineCode::begin_body(bool light) { return implementation_->begin_body(light); }
std::size_t MachineCode::empty_body() { return implementation_->empty_body(); }
void MachineCode::end_body(std::span<const double> constants, std::size_t frame_slots) {
  implementation_->end_body(constants, frame_slots);
}
void MachineCode::load(int to, MemoryPlace from, unsigned width) {
  implementation_->load(to, from, width);
}
void MachineCode::store(MemoryPlace to, int from, unsigned width) {
  implementation_->store(to, from, width);
}
void MachineCode::copy(int to, int from, unsigned width) { implementation_->copy(to, from, width); }
void MachineCode::multiply_into_sum(Product what, int sum, int x, int y, unsigned width) {
  implementation_->multiply_into_sum(what, sum, x, y, width);
}
void MachineCode::multiply_into_sum(Product what, int sum, int x, MemoryPlace y, unsigned width) {
  implementation_->multiply_into_sum(what, sum, x, y, width);
}
void MachineCode::multiply_into_factor(Product what, int x, int y, int z, unsigned width) {
  implementation_->multiply_into_factor(what, x, y, z, width);
}
void MachineCode::multiply_into_factor(Product what, int x, int y, MemoryPlace z, unsigned width) {
  implementation_->multiply_into_factor(what, x, y, z, width);
}
void MachineCode::apply(Machine what, int to, int a, int b, unsigned width) {
  implementation_->apply(what, to, a, b, width);
}
void MachineCode::apply(Machine what, int to, int a, MemoryPlace b, unsigned width) {
  implementation_->apply(what, to, a, b, width);
}
void MachineCode::choose(int to, int a, int b, int chooser, unsigned width) {
  implementation_->choose(to, a, b, chooser, width);
}
void MachineCode::store_lane(MemoryPlace to, int from, unsigned lane, int scratch) {
  implementation_->store_lane(to, from, lane, scratch);
}
void MachineCode::spread(int to, int from) { implementation_->spread(to, from); }
void MachineCode::permute(int to, int from, unsigned order) {
  implementation_->permute(to, from, order);
}
void MachineCode::permute(int to, MemoryPlace from, unsigned order) {
  implementation_->permute(to, from, order);
}
void MachineCode::pair(int to, int low, int high) { implementation_->pair(to, low, high); }
void MachineCode::pair(int to, int low, MemoryPlace high) { implementation_->pair(to, low, high); }
void MachineCode::halves(int to, int low, int high) { implementation_->halves(to, low, high); }
void MachineCode::halves(int to, int low, MemoryPlace high) {
  implementation_->halves(to, low, high);
}
void MachineCode::blend(int to, int a, int b, unsigned order) {
  implementation_->blend(to, a, b, order);
}
void MachineCode::clear(MemoryPlace place) { implementation_->clear(place); }
void MachineCode::call(Routine* routine, MemoryPlace a, MemoryPlace b, MemoryPlace to) {
  implementation_->call(routine, a, b, to);
}
void MachineCode::sincos(std::size_t n, MemoryPlace angles, MemoryPlace sines,
                         MemoryPlace cosines) {
  implementation_->sincos(n, angles, sines, cosines);
}
std::span<const std::byte> MachineCode::bytes() const { return implementation_->bytes(); }

}  // namespace klingel::exec
