#include "runtime/kernel_set.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/pack.hpp"
#include "kernel/check.h"

namespace klingel::runtime {
namespace {

template <class Item>
int find(const Item* items, std::uint32_t size, std::string_view name) {
  for (std::uint32_t i = 0; i < size; ++i)
    if (items[i].name == name) return static_cast<int>(i);
  return -1;
}

template <class Item>
[[noreturn]] void not_found(const klingel_kernel& k, const Item* items, std::uint32_t size,
                            const char* what, std::string_view name) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < size; ++i) names.emplace_back(items[i].name);
  base::fail("the kernels of '{}' have no {} '{}'{}", k.model, what, name,
             base::did_you_mean(name, names));
}

// Functions marked rare with at most so many elements have memory from the beginning.
constexpr std::size_t few = 64;

// Rows and lanes are exchanged four by four; a block has room for the last four.
constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

// Rows become `lanes` values side by side, or the other way round.
void to_lanes(const double* const* rows, std::size_t lanes, std::size_t size, double* to) {
  if (lanes == base::pack_lanes) {
    const double *const first = rows[0], *const second = rows[1];
    const double *const third = rows[2], *const fourth = rows[3];
    for (std::size_t i = 0; i < size; i += 4) {
      base::Pack a = base::load(first + i), b = base::load(second + i);
      base::Pack c = base::load(third + i), d = base::load(fourth + i);
      base::transpose(a, b, c, d);
      base::store(a, to + 4 * i), base::store(b, to + 4 * i + 4);
      base::store(c, to + 4 * i + 8), base::store(d, to + 4 * i + 12);
    }
    return;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane) to[i * lanes + lane] = rows[lane][i];
}
void to_rows(const double* from, std::size_t lanes, std::size_t size, double* rows) {
  const std::size_t length = padded(size);
  if (lanes == base::pack_lanes) {
    for (std::size_t i = 0; i < size; i += 4) {
      base::Pack a = base::load(from + 4 * i), b = base::load(from + 4 * i + 4);
      base::Pack c = base::load(from + 4 * i + 8), d = base::load(from + 4 * i + 12);
      base::transpose(a, b, c, d);
      base::store(a, rows + i), base::store(b, rows + length + i);
      base::store(c, rows + 2 * length + i), base::store(d, rows + 3 * length + i);
    }
    return;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      rows[lane * length + i] = from[i * lanes + lane];
}

// checked before a member initialiser reads further than the version
const klingel_kernel* checked(const klingel_kernel& kernel) {
  char message[300];
  if (klingel_kernel_check(&kernel, message, sizeof message) != 0) throw base::Error(message);
  return &kernel;
}

}  // namespace

KernelSet::Block KernelSet::allocate(std::size_t size) {
  size = padded(size);
  const std::size_t bytes = std::max<std::size_t>(size, 1) * sizeof(double);
  auto* memory = static_cast<double*>(::operator new[](bytes, std::align_val_t{64}));
  std::uninitialized_fill_n(memory, size, std::numeric_limits<double>::quiet_NaN());
  return Block(memory);
}

KernelSet::Workspace::Workspace(const klingel_kernel& kernel)
    : memory_(allocate(std::size_t{checked(kernel)->workspace_size} * kernel.lanes)),
      outputs_(kernel.n_functions),
      rows_(kernel.n_functions) {}

KernelSet::KernelSet(const klingel_kernel& kernel)
    : KernelSet(kernel, std::make_shared<Workspace>(kernel)) {}

KernelSet::KernelSet(const klingel_kernel& kernel, std::shared_ptr<Workspace> workspace)
    : kernel_(checked(kernel)),
      lanes_(kernel.lanes),
      workspace_(std::move(workspace)),
      number_(++workspace_->sets_) {
  take_inputs();
}

KernelSet::KernelSet(KernelSet& all, std::size_t lane)
    : kernel_(all.kernel_), lanes_(1), all_(&all), lane_(lane) {
  KLINGEL_ASSERT(all.all_ == nullptr && lane < all.lanes_);
  all.make_rows();
  take_inputs();
  if (!inputs_.empty() && all.rows_[0][lane] == nullptr) ++all.lane_sets_;
  for (std::size_t i = 0; i < inputs_.size(); ++i) all.rows_[i][lane] = inputs_[i];
}

void KernelSet::take_inputs() {
  // room for four by four values of lanes, each input on cache lines of its own
  const auto room = [&](const klingel_input& in) { return (padded(in.size) * lanes_ + 7) / 8 * 8; };
  std::size_t all_inputs = 0;
  for (const klingel_input& in : std::span(kernel_->inputs, kernel_->n_inputs))
    all_inputs += room(in);
  double* next = blocks_.emplace_back(allocate(all_inputs)).get();
  for (const klingel_input& in : std::span(kernel_->inputs, kernel_->n_inputs)) {
    double* const values = next;
    next += room(in);
    for (std::size_t i = 0; i < in.size; ++i)
      std::fill_n(values + i * lanes_, lanes_, in.nominal[i]);
    inputs_.push_back(values);
  }
  outputs_.resize(kernel_->n_functions);
  for (std::uint32_t i = 0; i < kernel_->n_functions; ++i) {
    const klingel_function& f = kernel_->functions[i];
    for (const klingel_output& o : std::span(f.outputs, f.n_outputs))
      outputs_[i].size += o.size * lanes_;
    const bool alone = lanes_ == 1 && all_ == nullptr;
    if (all_ != nullptr && f.rare == 0)
      outputs_[i].begin = all_->output_rows_[i].get() + lane_ * padded(outputs_[i].size);
    else if (f.rare == 0 || alone || outputs_[i].size <= few * lanes_)
      make_outputs(i, outputs_[i].own);
  }
  words_ = kernel_->n_functions / 64 + 1;
  if (all_ == nullptr) bits_.assign((1 + lanes_) * words_, 0);
  known_ = all_ == nullptr ? bits_.data() : all_->known_ + (1 + lane_) * words_;
  independent_.assign(kernel_->n_stages * words_, 0);
  for (std::uint32_t s = 0; s < kernel_->n_stages; ++s) {
    for (std::uint32_t f = 0; f < kernel_->n_functions; ++f) {
      if (kernel_->functions[f].stage < s)
        independent_[s * words_ + f / 64] |= std::uint64_t{1} << f % 64;
    }
  }
}

void KernelSet::make_outputs(std::uint32_t function, Block& memory) {
  const klingel_function& f = kernel_->functions[function];
  Outputs& outputs = outputs_[function];
  if (memory == nullptr) memory = allocate(padded(outputs.size / lanes_) * lanes_);
  outputs.begin = memory.get();
  double* next = outputs.begin;
  for (const klingel_output& o : std::span(f.outputs, f.n_outputs)) {
    outputs.pointers.push_back(next);
    next += o.size * lanes_;
  }
}

void KernelSet::reserve(std::uint32_t function) {
  Outputs& outputs = outputs_[function];
  if (outputs.begin != nullptr) return;
  if (all_ == nullptr) return make_outputs(function, workspace_->outputs_[function]);
  all_->reserve(function);
  Block& row = all_->workspace_->rows_[function];
  if (row == nullptr) row = allocate(outputs.size);
  outputs.begin = row.get();
}

int KernelSet::find_input(std::string_view name) const {
  return find(kernel_->inputs, kernel_->n_inputs, name);
}

int KernelSet::find_function(std::string_view name) const {
  return find(kernel_->functions, kernel_->n_functions, name);
}

std::uint32_t KernelSet::input(std::string_view name) const {
  const int i = find_input(name);
  if (i < 0) not_found(*kernel_, kernel_->inputs, kernel_->n_inputs, "input", name);
  return static_cast<std::uint32_t>(i);
}

std::uint32_t KernelSet::function(std::string_view name) const {
  const int i = find_function(name);
  if (i < 0) not_found(*kernel_, kernel_->functions, kernel_->n_functions, "function", name);
  return static_cast<std::uint32_t>(i);
}

std::size_t KernelSet::expect(std::string_view function_name, std::string_view output,
                              std::uint32_t rows, std::uint32_t cols) const {
  const klingel_function& f = kernel_->functions[function(function_name)];
  char message[300];
  if (klingel_output_check(kernel_, f.name, std::string(output).c_str(), rows, cols, message,
                           sizeof message) != 0) {
    throw base::Error(message);
  }
  std::size_t offset = 0;
  for (const klingel_output& o : std::span(f.outputs, f.n_outputs)) {
    if (o.name == output && o.col_start != nullptr) {
      base::fail("output '{}' of function '{}' of '{}' is sparse, expected a dense one", output,
                 function_name, kernel_->model);
    }
    if (o.name == output) return offset;
    offset += o.size * lanes_;
  }
  return offset;
}

std::vector<std::string> KernelSet::names(std::uint32_t input) const {
  const klingel_input& in = kernel_->inputs[input];
  return {in.names, in.names + in.size};
}

void KernelSet::set(std::uint32_t input, std::span<const double> values) {
  KLINGEL_ASSERT_EQ(values.size(), kernel_->inputs[input].size * lanes_);
  if (has_column(input)) {
    const Column<double> to = column(input);
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = values[i];
  } else {
    std::copy(values.begin(), values.end(), inputs_[input]);
  }
  changed(input);
}

void KernelSet::set(std::uint32_t input, std::size_t element, double value) {
  KLINGEL_ASSERT(element < kernel_->inputs[input].size && !has_column(input));
  std::fill_n(inputs_[input] + element * lanes_, lanes_, value);
  changed(input);
}

void KernelSet::set_lane(std::uint32_t input, std::size_t lane, std::span<const double> values) {
  KLINGEL_ASSERT_EQ(values.size(), kernel_->inputs[input].size);
  double* to = inputs_[input] + lane;
  for (std::size_t i = 0; i < values.size(); ++i) to[i * lanes_] = values[i];
  changed(input);
}

void KernelSet::copy_column(std::uint32_t input) const {
  const Column<const double> from = column(input);
  for (std::size_t i = 0; i < kernel_->inputs[input].size; ++i) inputs_[input][i] = from[i];
}

void KernelSet::renew(std::uint32_t function) {
  if (all_ != nullptr) return renew_lane(function);
  const klingel_function& f = kernel_->functions[function];
  if (workspace_->user_ != number_) {
    workspace_->user_ = number_;
    valid_ = valid_rare_ = 0;
  }
  if (lane_sets_ != 0) {
    take_rows();
    has_rows_[function / 64] &= ~(std::uint64_t{1} << function % 64);
  }
  double* const w = workspace_->memory_.get();
  for (; valid_ <= f.stage; ++valid_) {
    const klingel_stage& stage = kernel_->stages[valid_];
    if (stage.rare == 0) stage.call(stage.context, inputs_.data(), w, nullptr);
  }
  if (f.rare != 0) renew_rare(function);
  const Outputs& outputs = outputs_[function];
  f.call(f.context, inputs_.data(), w, outputs.pointers.data());
  if (outputs.own == nullptr) return;  // other sets write there, too
  known_[function / 64] |= std::uint64_t{1} << function % 64;
}

void KernelSet::renew_rare(std::uint32_t function) {
  reserve(function);
  for (; valid_rare_ <= kernel_->functions[function].stage; ++valid_rare_) {
    const klingel_stage& stage = kernel_->stages[valid_rare_];
    if (stage.rare != 0)
      stage.call(stage.context, inputs_.data(), workspace_->memory_.get(), nullptr);
  }
}

void KernelSet::renew_lane(std::uint32_t function) {
  if (kernel_->functions[function].rare == 0) return all_->evaluate_rows(function);
  const Outputs& outputs = outputs_[function];
  if (outputs.begin == nullptr) reserve(function);
  all_->evaluate_lane(function, lane_, {outputs.begin, outputs.size});
  if (outputs.own == nullptr) return;  // other lanes write there, too
  known_[function / 64] |= std::uint64_t{1} << function % 64;
}

void KernelSet::make_rows() {
  if (!rows_.empty()) return;
  // a lane without a set of its own keeps what it has
  rows_.assign(kernel_->n_inputs, std::vector<const double*>(lanes_, nullptr));
  members_.resize(kernel_->n_inputs);
  changed_rows_.assign(kernel_->n_inputs / 64 + 1, 0);
  for (std::uint32_t i = 0; i < kernel_->n_inputs; ++i)
    row_bits_.push_back(std::uint64_t{1} << i % 64);
  output_rows_.resize(kernel_->n_functions);
  has_rows_.assign(kernel_->n_functions / 64 + 1, 0);
  for (std::uint32_t f = 0; f < kernel_->n_functions; ++f) {
    if (kernel_->functions[f].rare == 0)
      output_rows_[f] = allocate(padded(outputs_[f].size / lanes_) * lanes_);
  }
}

void KernelSet::take_rows() {
  for (std::size_t word = 0; word < changed_rows_.size(); ++word) {
    for (std::uint64_t& bits = changed_rows_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t input = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
      const std::vector<const double*>& rows = rows_[input];
      const std::size_t size = kernel_->inputs[input].size;
      if (members_[input].size != 0) {
        take_members(input);
        continue;
      }
      if (lane_sets_ == lanes_) {
        to_lanes(rows.data(), lanes_, size, inputs_[input]);
        continue;
      }
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        for (std::size_t i = 0; i < size && rows[lane] != nullptr; ++i)
          inputs_[input][i * lanes_ + lane] = rows[lane][i];
      }
    }
  }
}

// Four members of four rows at a time become lanes.
void KernelSet::take_members(std::size_t input) {
  const auto& [size, numbers] = members_[input];
  const std::vector<const double*>& rows = rows_[input];
  double* const to = inputs_[input];
  const bool fours = lanes_ == base::pack_lanes && lane_sets_ == lanes_;
  for (std::size_t first = 0; first < numbers.size(); first += 4) {
    const std::size_t from = first * size;
    if (!fours) {
      for (std::size_t lane = 0; lane < lanes_; ++lane)
        for (std::size_t i = 0; i < 4 * size && rows[lane] != nullptr; ++i)
          to[(numbers[first + i % 4] * size + i / 4) * lanes_ + lane] = rows[lane][from + i];
      continue;
    }
    const double *const r0 = rows[0] + from, *const r1 = rows[1] + from;
    const double *const r2 = rows[2] + from, *const r3 = rows[3] + from;
    double *const t0 = to + 4 * size * numbers[first], *const t1 =
                                                           to + 4 * size * numbers[first + 1];
    double *const t2 = to + 4 * size * numbers[first + 2], *const t3 =
                                                               to + 4 * size * numbers[first + 3];
    for (std::size_t i = 0; i < 4 * size; i += 4) {
      base::Pack a = base::load(r0 + i), b = base::load(r1 + i);
      base::Pack c = base::load(r2 + i), d = base::load(r3 + i);
      base::transpose(a, b, c, d);
      base::store(a, t0 + i), base::store(b, t1 + i);
      base::store(c, t2 + i), base::store(d, t3 + i);
    }
  }
}

bool KernelSet::put_side_by_side(std::uint32_t input, std::size_t size,
                                 std::span<const std::size_t> members) {
  if (all_ == nullptr) return false;
  KLINGEL_ASSERT(members.size() % 4 == 0 && members.size() * size == kernel_->inputs[input].size);
  all_->members_[input] = {size, {members.begin(), members.end()}};
  return true;
}

void KernelSet::use_column(std::uint32_t input) {
  if (all_ == nullptr || has_column(input)) return;
  all_->row_bits_[input] = 0;
  // an earlier change of a row must not be taken any more
  all_->changed_rows_[input / 64] &= ~(std::uint64_t{1} << input % 64);
}

void KernelSet::evaluate_lane(std::uint32_t function, std::size_t lane, std::span<double> to) {
  const std::span<const double> values = evaluate(function);
  KLINGEL_ASSERT_EQ(values.size(), to.size() * lanes_);
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = values[i * lanes_ + lane];
}

// Lanes that asked for nothing find what they had if their inputs are the same, or what they are
// going to ask for.
void KernelSet::evaluate_rows(std::uint32_t function) {
  const std::span<const double> values = evaluate(function);
  std::uint64_t& word = has_rows_[function / 64];
  const std::uint64_t bit = std::uint64_t{1} << function % 64;
  if ((word & bit) == 0)
    to_rows(values.data(), lanes_, values.size() / lanes_, output_rows_[function].get());
  word |= bit;
  for (std::size_t lane = 0; lane < lanes_; ++lane)
    bits_[(1 + lane) * words_ + function / 64] |= bit;
}

}  // namespace klingel::runtime
