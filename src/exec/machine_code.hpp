// Instructions of x86-64 with AVX2 and FMA, written by AsmJit, which only this file uses. Values
// are in 16 vector registers, or in 32 where the processor has AVX-512, on one lane or on four; on
// eight lanes the body is run twice. On one lane, values may also be rows of two or four numbers:
// `width`.
//
// Addresses are kept short, because every byte of a straight line is fetched anew: base registers
// point 128 bytes into what they address, so that one byte reaches 32 doubles. On four lanes, where
// these are only eight values, instructions of AVX-512 reach 256 with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exec/straight_line.hpp"

namespace klingel::exec {

// Arithmetic on registers, lane by lane. `to` may be one of the operands.
enum class Machine : std::uint8_t {
  add,
  sub,
  mul,
  div,
  sqrt,  // of b; a is not used
  bit_xor,
  bit_and,
  bit_or,
  smaller,  // a < b ? a : b
  larger,   // a > b ? a : b
  is_nan,   // all bits set where a or b is NaN
  is_not,   // all bits set where a and b are ordered and differ
};

// What a fused instruction makes of the product x y and the addend z.
enum class Product : std::uint8_t { plus, minus, less_addend };  // xy + z, z - xy, xy - z

class MachineCode {
 public:
  static constexpr int most_registers = 32;
  // choose(), blend() and comparisons know the first of them only.
  static constexpr int low_registers = 16;
  int registers() const { return registers_; }

  explicit MachineCode(unsigned lanes);
  ~MachineCode();
  MachineCode(const MachineCode&) = delete;
  MachineCode& operator=(const MachineCode&) = delete;

  // Why this processor, or this build, cannot run such code; empty if it can.
  static std::string refusal();

  // A body from here on, called as a klingel_call. What follows is put between the two; constants
  // and the size of the frame are known at the end. Its offset in the code. A light body has no
  // frame and calls nothing, which saves a score of instructions; not on eight lanes.
  std::size_t begin_body(bool light = false);
  std::size_t empty_body();  // one that only returns
  void end_body(std::span<const double> constants, std::size_t frame_slots);

  void load(int to, MemoryPlace from, unsigned width = 1);
  void store(MemoryPlace to, int from, unsigned width = 1);
  void apply(Machine what, int to, int a, int b, unsigned width = 1);
  void apply(Machine what, int to, int a, MemoryPlace b, unsigned width = 1);
  void copy(int to, int from, unsigned width = 1);
  // sum becomes the result of x, y and itself
  void multiply_into_sum(Product what, int sum, int x, int y, unsigned width = 1);
  void multiply_into_sum(Product what, int sum, int x, MemoryPlace y, unsigned width = 1);
  // x becomes the result of itself, y and z
  void multiply_into_factor(Product what, int x, int y, int z, unsigned width = 1);
  void multiply_into_factor(Product what, int x, int y, MemoryPlace z, unsigned width = 1);
  // to = where the sign bit of `chooser` is set: b, else a
  void choose(int to, int a, int b, int chooser, unsigned width = 1);

  // Lanes of rows. A lane is stored; `scratch` is lost for lanes of the upper half.
  void store_lane(MemoryPlace to, int from, unsigned lane, int scratch);
  void spread(int to, int from);
  // lane i becomes lane `order` >> 2 i
  void permute(int to, int from, unsigned order);
  void permute(int to, MemoryPlace from, unsigned order);
  // two numbers side by side; two pairs of them
  void pair(int to, int low, int high);
  void pair(int to, int low, MemoryPlace high);
  void halves(int to, int low, int high);
  void halves(int to, int low, MemoryPlace high);
  // lane i of b where bit i of `order` is set, else of a
  void blend(int to, int a, int b, unsigned order);

  // fills elements 0 .. place.index-1 of an output with zeros
  void clear(MemoryPlace place);

  // Calls a routine(const double* a, const double* b, double* to). All registers are lost.
  using Routine = void(const double* a, const double* b, double* to);
  void call(Routine* routine, MemoryPlace a, MemoryPlace b, MemoryPlace to);
  // Sine and cosine of `n` neighbouring slots of the frame, into neighbouring slots. All registers
  // are lost.
  void sincos(std::size_t n, MemoryPlace angles, MemoryPlace sines, MemoryPlace cosines);

  // The whole code; it does not depend on its address.
  std::span<const std::byte> bytes() const;

 private:
  class Implementation;
  int registers_;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace klingel::exec
