#include "exec/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace klingel::exec {
namespace {

constexpr std::align_val_t cache_line{64};

// The place of a name in a list of structures with names. Allocates only to complain.
template <class Item>
std::size_t find(const Item* items, std::size_t size, std::string_view name, const char* what,
                 std::string_view owner) {
  for (std::size_t i = 0; i < size; ++i) {
    if (items[i].name == name) return i;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size; ++i) names.emplace_back(items[i].name);
  base::fail("'{}' has no {} '{}'{}", owner, what, name, base::did_you_mean(name, names));
}

}  // namespace

void Evaluator::Free::operator()(double* memory) const { ::operator delete[](memory, cache_line); }

Evaluator::Block Evaluator::allocate(std::size_t size, double value) {
  auto* memory = static_cast<double*>(
      ::operator new[](std::max<std::size_t>(size, 1) * sizeof(double), cache_line));
  std::uninitialized_fill_n(memory, size, value);
  return Block(memory);
}

Evaluator::Evaluator(Kernel kernel)
    : kernel_(std::move(kernel)),
      lanes_(kernel_.abi().lanes),
      workspace_(allocate(kernel_.abi().workspace_size * lanes_,
                          std::numeric_limits<double>::quiet_NaN())),
      evaluations_(kernel_.abi().n_stages, 0) {
  const klingel_kernel& k = kernel_.abi();
  for (const klingel_input& in : std::span(k.inputs, k.n_inputs)) {
    double* values = blocks_.emplace_back(allocate(in.size * lanes_, 0)).get();
    for (std::size_t i = 0; i < in.size; ++i)
      std::fill_n(values + i * lanes_, lanes_, in.nominal[i]);
    inputs_.push_back(values);
  }
  for (const klingel_function& f : std::span(k.functions, k.n_functions)) {
    Outputs& outputs = outputs_.emplace_back();
    for (const klingel_output& o : std::span(f.outputs, f.n_outputs)) {
      Block& block =
          blocks_.emplace_back(allocate(o.size * lanes_, std::numeric_limits<double>::quiet_NaN()));
      outputs.pointers.push_back(block.get());
      outputs.values.emplace_back(block.get(), o.size * lanes_);
    }
  }
}

std::size_t Evaluator::find_input(std::string_view name) const {
  const klingel_kernel& k = kernel_.abi();
  return find(k.inputs, k.n_inputs, name, "input", k.model);
}

std::size_t Evaluator::find_function(std::string_view name) const {
  const klingel_kernel& k = kernel_.abi();
  return find(k.functions, k.n_functions, name, "function", k.model);
}

void Evaluator::set(std::string_view input, std::initializer_list<double> values) {
  set(input, std::span(values.begin(), values.size()));
}

void Evaluator::set(std::string_view input, std::span<const double> values) {
  const std::size_t i = find_input(input);
  const klingel_input& in = kernel_.abi().inputs[i];
  if (values.size() != in.size * lanes_) {
    const std::string lanes = lanes_ > 1 ? fmt::format(" of {} lanes", lanes_) : "";
    base::fail("input '{}' of '{}' has {} elements{}, but {} values were given", input,
               kernel_.abi().model, in.size, lanes, values.size());
  }
  std::copy(values.begin(), values.end(), inputs_[i]);
  valid_ = std::min<std::size_t>(valid_, in.stage);
}

std::span<const double> Evaluator::input(std::string_view input) const {
  const std::size_t i = find_input(input);
  return {inputs_[i], kernel_.abi().inputs[i].size * lanes_};
}

std::span<const std::span<const double>> Evaluator::evaluate(std::string_view function) {
  const std::size_t f = find_function(function);
  const klingel_function& entry = kernel_.abi().functions[f];
  for (; valid_ <= entry.stage; ++valid_) {
    const klingel_stage& stage = kernel_.abi().stages[valid_];
    stage.call(stage.context, inputs_.data(), workspace_.get(), nullptr);
    ++evaluations_[valid_];
  }
  entry.call(entry.context, inputs_.data(), workspace_.get(), outputs_[f].pointers.data());
  return outputs_[f].values;
}

std::span<const double> Evaluator::output(std::string_view function,
                                          std::string_view output) const {
  const std::size_t f = find_function(function);
  const klingel_function& entry = kernel_.abi().functions[f];
  return outputs_[f].values[find(entry.outputs, entry.n_outputs, output, "output", entry.name)];
}

std::size_t Evaluator::evaluations(std::string_view stage) const {
  const klingel_kernel& k = kernel_.abi();
  return evaluations_[find(k.stages, k.n_stages, stage, "stage", k.model)];
}

}  // namespace klingel::exec
