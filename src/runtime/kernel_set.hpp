// The kernels of a model together with the memory they work on: inputs, workspace and outputs, all
// allocated in the constructor. Remembers which stages are up to date. Finds by name at setup; a
// step uses the indices.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.hpp"
#include "kernel/abi.h"
#include "runtime/column.hpp"

namespace klingel::runtime {

// On lanes every element is `lanes` consecutive values, in all that is set and evaluated; an
// element set alone is set on all lanes.
//
// For one thread at a time; make one for each thread. The table must outlive it. A damaged table
// is an Error; so is an unknown name.
class KernelSet {
  struct Free {
    void operator()(double* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
  };
  using Block = std::unique_ptr<double[], Free>;  // begins on a cache line

 public:
  // What kernels keep from stage to stage. Sets of the same kernels that are used in turn, by one
  // thread, may have it in common: what another one left there is evaluated again, to the same
  // bits.
  class Workspace {
   public:
    explicit Workspace(const klingel_kernel& kernel);

   private:
    friend class KernelSet;
    Block memory_;
    // By function: outputs of sets on lanes, and of one of their lanes, of functions marked rare
    // that have many elements. Thousands of vehicles would keep thousands of matrices that nobody
    // asks for.
    std::vector<Block> outputs_, rows_;
    std::uint64_t sets_ = 0,
                  user_ = 0;  // how many sets it has had, and the one whose values it has
  };

  explicit KernelSet(const klingel_kernel& kernel);
  KernelSet(const klingel_kernel& kernel, std::shared_ptr<Workspace> workspace);
  // One lane of a set on several, as if it were alone. What one lane asks for is evaluated for all,
  // so lanes that are all set before the first of them asks share an evaluation. The set must
  // outlive it.
  KernelSet(KernelSet& all, std::size_t lane);

  const klingel_kernel& abi() const { return *kernel_; }
  // Of a lane: the set whose lane it is, and which one; else the set itself and 0.
  KernelSet& all() { return all_ != nullptr ? *all_ : *this; }
  std::size_t lane() const { return lane_; }
  const std::shared_ptr<Workspace>& workspace() const { return workspace_; }

  bool has_input(std::string_view name) const { return find_input(name) >= 0; }
  bool has_function(std::string_view name) const { return find_function(name) >= 0; }
  std::uint32_t input(std::string_view name) const;
  std::uint32_t function(std::string_view name) const;
  // The function has this output with this shape, and its values begin at the result in what
  // evaluate() gives. Only dense outputs.
  std::size_t expect(std::string_view function, std::string_view output, std::uint32_t rows,
                     std::uint32_t cols) const;

  // Names of the elements of an input.
  std::vector<std::string> names(std::uint32_t input) const;

  // Nominal values at first. Setting makes the input's stage and all later ones out of date.
  void set(std::uint32_t input, std::span<const double> values);
  void set(std::uint32_t input, std::size_t element, double value);
  // One lane alone: its elements one after another.
  void set_lane(std::uint32_t input, std::size_t lane, std::span<const double> values);
  std::span<const double> value(std::uint32_t input) const {
    if (has_column(input)) copy_column(input);
    return {inputs_[input], kernel_->inputs[input].size * lanes_};
  }
  // For setting many values at once: write to memory(), then call changed().
  std::span<double> memory(std::uint32_t input) {
    KLINGEL_ASSERT(!has_column(input));
    return {inputs_[input], kernel_->inputs[input].size * lanes_};
  }
  void changed(std::uint32_t input) { changed(std::array{input}); }
  // The same for several inputs at once.
  template <std::size_t n>
  void changed(const std::array<std::uint32_t, n>& inputs) {
    std::uint32_t stage = kernel_->n_stages;
    for (const std::uint32_t input : inputs) {
      stage = std::min(stage, kernel_->inputs[input].stage);
      if (all_ != nullptr) all_->changed_rows_[input / 64] |= all_->row_bits_[input];
    }
    all().outdate_from(stage);
    if (all_ != nullptr) forget_from(stage);
  }

  // Of one lane: lets an input be written where the kernels read it, among those of other lanes, as
  // column() gives it. memory() is then not for it. To be called for every lane, before anything is
  // written. Of a set that is no lane this is so anyway.
  void use_column(std::uint32_t input);
  Column<double> column(std::uint32_t input) {
    return {all().inputs_[input] + lane_, kernel_->lanes};
  }
  Column<const double> column(std::uint32_t input) const {
    return {(all_ != nullptr ? all_ : this)->inputs_[input] + lane_, kernel_->lanes};
  }
  // Of the set that has the lanes: columns of an input were written.
  void columns_changed(std::uint32_t input) {
    const std::uint32_t stage = kernel_->inputs[input].stage;
    outdate_from(stage);
    const std::uint64_t* const keep = &independent_[stage * words_];
    for (std::size_t i = words_; i < bits_.size(); ++i) bits_[i] &= keep[i % words_];
  }
  // What evaluate() gives, without copies of lanes.
  Column<const double> evaluate_column(std::uint32_t function) {
    return {all().evaluate(function).data() + lane_, kernel_->lanes};
  }

  // Of one lane: lets the memory of an input have members of `size` elements in fours side by side,
  // value i of four members and then value i + 1. Members by their numbers, in the order they have
  // there. False of a set that is no lane, which has them one after another. To be called for every
  // lane, before anything is written.
  bool put_side_by_side(std::uint32_t input, std::size_t size,
                        std::span<const std::size_t> members);

  // The outputs one after another, in memory that stays; NaN before the first evaluation. Not
  // evaluated again while nothing it depends on was set. Lanes share the memory of functions marked
  // rare that have many elements, with all sets of their workspace: it stays until another one asks
  // for the same function.
  std::span<const double> evaluate(std::uint32_t function) {
    if ((known_[function / 64] >> function % 64 & 1) == 0) renew(function);
    const Outputs& outputs = outputs_[function];
    return {outputs.begin, outputs.size};
  }
  // The same of one lane, into memory of the caller.
  void evaluate_lane(std::uint32_t function, std::size_t lane, std::span<double> to);
  // Makes the memory that lanes share, which a first evaluation would do.
  void reserve(std::uint32_t function);

 private:
  static Block allocate(std::size_t size);

  // A stage and everything that depends on it.
  void outdate_from(std::uint32_t stage) {
    if (valid_ > stage) valid_ = stage;
    if (valid_rare_ > stage) valid_rare_ = stage;
    forget_from(stage);
  }
  void forget_from(std::uint32_t stage) {
    const std::uint64_t* const keep = &independent_[stage * words_];
    known_[0] &= keep[0];
    for (std::size_t i = 1; i < words_; ++i) known_[i] &= keep[i];
  }
  bool has_column(std::uint32_t input) const {
    return all_ != nullptr && all_->row_bits_[input] == 0;
  }
  void copy_column(std::uint32_t input) const;  // into the lane's own memory
  void renew(std::uint32_t function);
  void renew_lane(std::uint32_t function);
  void renew_rare(std::uint32_t function);
  int find_input(std::string_view name) const;
  int find_function(std::string_view name) const;

  struct Outputs {
    Block own;
    double* begin = nullptr;  // of its own memory, or of what others share; null if not made yet
    std::size_t size = 0;
    std::vector<double*> pointers;
  };

  void take_inputs();
  void make_outputs(std::uint32_t function, Block& memory);
  // Lanes as sets of their own: what they set becomes lanes at the next evaluation, and outputs
  // become a row for each lane, all lanes at once. A lane that sets something afterwards leaves the
  // rows of the others as they are.
  void make_rows();
  void take_rows();
  void take_members(std::size_t input);
  void evaluate_rows(std::uint32_t function);

  const klingel_kernel* kernel_;
  std::size_t lanes_;
  KernelSet* all_ = nullptr;  // whose lane it is
  std::size_t lane_ = 0;
  std::shared_ptr<Workspace> workspace_;  // none of a lane
  std::uint64_t number_ = 0;              // among the sets of the workspace
  std::vector<Block> blocks_;             // of inputs
  std::vector<double*> inputs_;
  std::vector<Outputs> outputs_;                  // by function
  std::vector<std::vector<const double*>> rows_;  // of inputs, by lane, set by sets of one lane
  std::size_t lane_sets_ = 0;
  struct Members {
    std::size_t size = 0;  // zero: elements of rows are in their order
    std::vector<std::size_t> numbers;
  };
  std::vector<Members> members_;             // by input, of rows
  std::vector<std::uint64_t> changed_rows_;  // bits of inputs
  std::vector<std::uint64_t> row_bits_;      // by input: its bit, zero if lanes write to columns
  std::vector<Block> output_rows_;           // by function: all lanes; none of rare ones
  std::vector<std::uint64_t> has_rows_;      // bits of functions: outputs are in rows
  // Bits of functions, 64 to a word: those that are up to date, of this set and then of its lanes,
  // and by stage those that do not depend on it.
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
  std::uint64_t* known_ = nullptr;  // of a lane: in the set whose lane it is
  std::vector<std::uint64_t> independent_;
  // Of a set with a workspace:
  std::uint32_t valid_ = 0;       // stages before this one are up to date, but for rare ones
  std::uint32_t valid_rare_ = 0;  // rare stages before this one are up to date
};

}  // namespace klingel::runtime
