#include "exec/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/assert.hpp"
#include "kernel/check.h"

namespace klingel::exec {
namespace {

std::uint32_t count(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

klingel_output describe(const gen::Manifest::Output& o) {
  if (!o.sparse) return {o.name.c_str(), o.rows, o.cols, o.size, nullptr, nullptr};
  // without nonzeros the rows are never read, but null would mean dense
  const std::uint32_t* row = o.row.empty() ? o.col_start.data() : o.row.data();
  return {o.name.c_str(), o.rows, o.cols, o.size, o.col_start.data(), row};
}

// zeros have signs that matter; NaNs have some that do not
bool same_values(std::span<const double> a, const double* b) {
  return std::equal(a.begin(), a.end(), b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (x != x && y != y);
  });
}

std::string input_difference(const klingel_input& in, const gen::Manifest::Input& expected) {
  if (in.name != expected.name) return fmt::format("'{}' is '{}'", expected.name, in.name);
  if (in.size != expected.names.size()) {
    return fmt::format("'{}' has {} elements instead of {}", in.name, in.size,
                       expected.names.size());
  }
  if (in.stage != expected.stage) return fmt::format("'{}' belongs to another stage", in.name);
  if (!std::equal(expected.names.begin(), expected.names.end(), in.names)) {
    return fmt::format("'{}' has elements of other names", in.name);
  }
  if (!same_values(expected.nominal, in.nominal)) {
    return fmt::format("'{}' has other nominal values", in.name);
  }
  return {};
}

std::string output_difference(const klingel_output& o, const gen::Manifest::Output& expected) {
  if (o.name != expected.name) return fmt::format("'{}' is '{}'", expected.name, o.name);
  if (o.rows != expected.rows || o.cols != expected.cols || o.size != expected.size ||
      (o.col_start != nullptr) != expected.sparse) {
    return fmt::format("'{}' has another shape", o.name);
  }
  if (expected.sparse &&
      (!std::equal(expected.col_start.begin(), expected.col_start.end(), o.col_start) ||
       !std::equal(expected.row.begin(), expected.row.end(), o.row))) {
    return fmt::format("'{}' has another sparsity", o.name);
  }
  return {};
}

std::string function_difference(const klingel_function& f,
                                const gen::Manifest::Function& expected) {
  if (f.name != expected.name) return fmt::format("'{}' is '{}'", expected.name, f.name);
  if (f.stage != expected.stage || (f.rare != 0) != expected.rare ||
      f.n_outputs != expected.outputs.size()) {
    return fmt::format("'{}' has other stages or another number of outputs", f.name);
  }
  for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
    const std::string d = output_difference(f.outputs[i], expected.outputs[i]);
    if (!d.empty()) return fmt::format("'{}': output {}", f.name, d);
  }
  return {};
}

}  // namespace

Table::Table(gen::Manifest manifest, std::span<const Call> stages, std::span<const Call> functions)
    : manifest_(std::move(manifest)) {
  KLINGEL_ASSERT_EQ(stages.size(), manifest_.stages.size());
  KLINGEL_ASSERT_EQ(functions.size(), manifest_.functions.size());

  for (const gen::Manifest::Input& in : manifest_.inputs) {
    auto& names = names_.emplace_back();
    for (const std::string& name : in.names) names.push_back(name.c_str());
    inputs_.push_back(
        {in.name.c_str(), count(in.names), in.stage, names.data(), in.nominal.data()});
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages_.push_back({manifest_.stages[i].name.c_str(), stages[i].call, stages[i].context,
                       manifest_.stages[i].rare ? 1u : 0u});
  }
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const gen::Manifest::Function& f = manifest_.functions[i];
    auto& outputs = outputs_.emplace_back();
    for (const gen::Manifest::Output& o : f.outputs) outputs.push_back(describe(o));
    functions_.push_back({f.name.c_str(), f.about.c_str(), f.stage, count(outputs), outputs.data(),
                          functions[i].call, functions[i].context, f.rare ? 1u : 0u});
  }
  kernel_ = {.abi = KLINGEL_ABI,
             .lanes = manifest_.lanes,
             .model = manifest_.model.c_str(),
             .hash = manifest_.hash.c_str(),
             .workspace_size = manifest_.workspace_size,
             .n_inputs = count(inputs_),
             .n_stages = count(stages_),
             .n_functions = count(functions_),
             .inputs = inputs_.data(),
             .stages = stages_.data(),
             .functions = functions_.data()};

  char message[300] = "";
  const bool is_wrong = klingel_kernel_check(&kernel_, message, sizeof message) != 0;
  KLINGEL_ASSERT_EQ(std::string(is_wrong ? message : ""), "");
}

std::string difference(const klingel_kernel& kernel, const gen::Manifest& manifest) {
  if (kernel.model != manifest.model) {
    return fmt::format("the model is '{}' instead of '{}'", kernel.model, manifest.model);
  }
  if (kernel.lanes != manifest.lanes) {
    return fmt::format("it runs on {} lanes instead of {}", kernel.lanes, manifest.lanes);
  }
  if (kernel.n_inputs != manifest.inputs.size() || kernel.n_stages != manifest.stages.size() ||
      kernel.n_functions != manifest.functions.size()) {
    return "the number of inputs, stages or functions differs";
  }
  for (std::uint32_t i = 0; i < kernel.n_inputs; ++i) {
    const std::string d = input_difference(kernel.inputs[i], manifest.inputs[i]);
    if (!d.empty()) return "input " + d;
  }
  for (std::uint32_t i = 0; i < kernel.n_stages; ++i) {
    if (kernel.stages[i].name != manifest.stages[i].name) {
      return fmt::format("stage '{}' is '{}'", manifest.stages[i].name, kernel.stages[i].name);
    }
    if ((kernel.stages[i].rare != 0) != manifest.stages[i].rare)
      return fmt::format("stage '{}' is rare in one of them", kernel.stages[i].name);
  }
  for (std::uint32_t i = 0; i < kernel.n_functions; ++i) {
    const std::string d = function_difference(kernel.functions[i], manifest.functions[i]);
    if (!d.empty()) return "function " + d;
  }
  if (kernel.workspace_size != manifest.workspace_size) return "the size of the workspace differs";
  if (kernel.hash != manifest.hash) {
    return fmt::format("its sha256 is {} instead of {}", kernel.hash, manifest.hash);
  }
  return {};
}

}  // namespace klingel::exec
