// Equal units of a train, found in a schedule: code for one of them serves all.
//
// Every body falls into three parts, done one after the other:
//
//   shared     atoms of no unit: numbers of the step, parameters of the train
//   repeated   atoms of one unit that have a counterpart in every other: compiled for the first
//              unit, called for each with other addresses
//   rest       atoms of several units, as forces of couplers are, and whatever has no counterpart
//
// Parts exchange values in the workspace, where units follow one another. Whether units are equal
// is not asked but found, atom by atom: an atom has a counterpart if the same operation is done
// with the counterparts of its operands. What is not equal is only slower, never wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exec/straight_line.hpp"

namespace klingel::exec {

class RepeatedUnits {
 public:
  // An array as repeated code sees it: for unit k it begins at `array` + shift[k].
  struct Array {
    enum class Of : std::uint8_t { inputs, workspace, outputs };
    Of of;
    std::uint32_t array;
    std::vector<std::uint32_t> shift;  // elements
  };
  struct Part {
    std::uint32_t segment;  // of segments().stages
    bool repeated = false;
  };
  // A line of a repeated part whose places are in these arrays; the workspace is the unit's own.
  struct Unit {
    Line line;
    std::vector<Array> inputs, outputs;
  };

  RepeatedUnits(const gen::Program& program, const gen::Schedule& schedule);

  // Units, or 0: the program has no equal ones, or they are too little of it.
  std::size_t count() const { return names_.size(); }
  // Parts of all bodies as stages of a schedule; the rest is as in the one that was given.
  const gen::Schedule& segments() const { return segments_; }
  // Rows of atoms within the segments.
  const EqualAtoms& rows() const { return *rows_; }
  // By body, stages first.
  const std::vector<std::vector<Part>>& parts() const { return parts_; }
  Unit unit(Line line, std::size_t body) const;
  // Where the first unit's part of the workspace begins, and how long it is.
  std::uint32_t first_slot() const { return first_slot_; }
  std::uint32_t unit_slots() const { return unit_slots_; }

 private:
  static constexpr std::int32_t none = -1, several = -2;
  static constexpr std::uint32_t nothing = Line::never;
  using Shift = std::vector<std::uint32_t>;
  // by element of an array: its shift, a number of shifts_; 0 is none
  using Shifts = std::vector<std::uint32_t>;

  void find_names();
  bool label_symbols();
  void label_atoms();
  void find_counterparts();
  void find_counterparts(std::size_t unit, std::vector<std::vector<sym::Id>>& found) const;
  void choose_repeated(const std::vector<std::vector<sym::Id>>& found);
  void choose_stores(std::size_t function, std::vector<std::vector<bool>>& done);
  void make_segments();
  void assign_slots();
  std::uint32_t number(const Shift& shift);
  const gen::Body& body(std::size_t number) const {
    return number < schedule_.stages.size() ? schedule_.stages[number]
                                            : schedule_.functions[number - schedule_.stages.size()];
  }
  std::size_t bodies() const { return schedule_.stages.size() + schedule_.functions.size(); }
  bool repeats(sym::Id id) const { return first_[id] != nothing; }

  const gen::Program& program_;
  const gen::Schedule& schedule_;
  const sym::Graph& g_;
  std::vector<std::string> names_;
  std::vector<std::int32_t> label_;           // by node: unit, none or several
  std::vector<std::uint32_t> body_;           // by node
  std::vector<std::uint32_t> first_;          // by repeated node: its place in own_
  std::vector<sym::Id> own_;                  // repeated atoms of the first unit
  std::vector<std::vector<sym::Id>> others_;  // their counterparts, by unit
  std::vector<Shift> shifts_;
  std::vector<Shifts> input_shifts_;                // by input
  std::vector<std::vector<Shifts>> output_shifts_;  // by function and output
  gen::Schedule segments_;
  std::unique_ptr<EqualAtoms> rows_;
  std::vector<std::vector<Part>> parts_;
  std::uint32_t first_slot_ = 0, unit_slots_ = 0;
};

}  // namespace klingel::exec
