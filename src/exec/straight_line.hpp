// A body of the schedule, a stage or a function, as one list of instructions for a machine with few
// registers: every operand has its place in memory, if any, and its next use.
//
// Rows of equal atoms (equal_atoms.hpp) are values of two or four lanes, computed by one
// instruction; what needs a single one of them reads its lane.
//
// jit_body.cpp goes through the resulting lines once. Nothing here depends on the machine.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "exec/equal_atoms.hpp"
#include "gen/schedule.hpp"

namespace klingel::exec {

// Memory a body may touch. `index` counts elements, or slots of the frame on the stack; `array` is
// the number of the input or output.
struct MemoryPlace {
  enum class Base : std::uint8_t { nowhere, input, output, workspace, constant, frame };
  Base base = Base::nowhere;
  std::uint32_t array = 0, index = 0;
  bool spread = false;  // one number there is for all lanes
};

// What one instruction does. Operations of sym::Op that no machine has are calls.
enum class Action : std::uint8_t {
  add,
  sub,
  mul,
  div,
  fused_plus,         // a b + c in one rounding
  fused_minus,        // c - a b
  fused_less_addend,  // a b - c
  sqrt,
  flip,  // neg: the bits of a xor those of b
  mask,  // abs: the bits of a and those of b
  min,   // with the rule of sym::evaluate: NaN goes through
  max,
  sign,    // b and c are the sign bit and one
  call,    // of the routine for `op`
  sincos,  // of a group of angles
  store,   // a to `place`
  // values of several lanes
  spread,   // a on all lanes
  permute,  // lane i is lane `order` >> 2 i of a
  halves,   // the first two lanes of a, then those of b
  blend,    // lane i of a, or of b where bit i of `order` is set
  gather,   // lanes a, b, c, d
};

struct Line {
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

  struct Value {
    MemoryPlace home;           // its place before the first instruction, or none
    MemoryPlace cut;            // a slot of the workspace that may keep it, or nowhere
    std::uint32_t use = never;  // its first use
    unsigned width = 1;         // lanes
    std::uint32_t of = never;   // it is this lane of another value
    unsigned lane = 0;
    std::uint32_t last = 0;  // its last use, or that of one of its lanes
  };
  // A value that is read, and the instruction that reads it next.
  struct Operand {
    std::uint32_t value = never;
    std::uint32_t next = never;
  };
  struct Instruction {
    Action action;
    sym::Op op;                // of a call
    std::uint32_t to = never;  // value; the number of the group for sincos
    Operand a, b, c, d;
    MemoryPlace place;   // of a store
    unsigned order = 0;  // of lanes
  };
  // Sine and cosine of many angles at once; `never` where one of the two is not needed.
  struct Group {
    struct Row {
      std::uint32_t value, first;  // its lanes are the results from the first on
      bool cosine;
    };
    std::vector<Operand> angles;
    std::vector<std::uint32_t> sines, cosines;
    std::vector<Row> rows;
  };

  std::vector<Value> values;
  std::vector<Instruction> instructions;
  std::vector<Group> groups;
  std::vector<double> constants;  // places of base `constant`, the most frequent ones first
  std::vector<MemoryPlace>
      dense;  // outputs to be filled with zeros; index is the number of elements
};

// Makes lines of the bodies of one schedule, one after the other.
class LineMaker {
 public:
  // Program and schedule stay where they are.
  LineMaker(const gen::Program& program, const gen::Schedule& schedule);
  // Of a schedule whose slots all are for other bodies, and with rows of atoms, if not null: slots
  // of a row are side by side.
  static LineMaker of_segments(const gen::Program& program, const gen::Schedule& schedule,
                               const EqualAtoms* rows = nullptr);

  // Neighbours in an input stay neighbours, so that they may be read as a row.
  bool rows_of_inputs = true;

  Line stage(std::size_t number);
  Line function(std::size_t number);
  // Outputs of a function that have elements which nobody stores.
  std::vector<MemoryPlace> dense_outputs(std::size_t function) const;

 private:
  class Maker;
  LineMaker(const gen::Program& program, const gen::Schedule& schedule, const EqualAtoms* rows,
            std::vector<bool> leaves)
      : program_(program),
        schedule_(schedule),
        rows_(rows),
        leaves_body_(std::move(leaves)),
        values_(leaves_body_.size(), Line::never) {}

  const gen::Program& program_;
  const gen::Schedule& schedule_;
  const EqualAtoms* rows_ = nullptr;
  std::vector<bool> leaves_body_;      // by node: other bodies read it
  std::vector<std::uint32_t> values_;  // by node: its value in the line being made, or never
};

}  // namespace klingel::exec
