#include "step/contact_kernels.hpp"

#include <limits>
#include <span>
#include <utility>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "runtime/kernel_set.hpp"

namespace klingel::step {
namespace {

using base::Pack;

constexpr const char* input_names[] = {"y_w", "pose", "s", "spline", "twist", "bias", "ds"};
constexpr const char* function_names[] = {"tangent", "frame", "rates", "motion"};

const klingel_kernel& on_four_lanes(const klingel_kernel& kernel) {
  if (kernel.lanes != base::pack_lanes) {
    base::fail("the kernels of '{}' are on {} lanes, a vehicle's contacts need {}", kernel.model,
               kernel.lanes, base::pack_lanes);
  }
  return kernel;
}

std::size_t outputs_of(const klingel_function& f) {
  std::size_t size = 0;
  for (const klingel_output& o : std::span(f.outputs, f.n_outputs)) size += o.size;
  return size;
}

// Functions whose outputs can be kept have two memories for them.
std::size_t memories(std::uint8_t f) {
  return f == ContactKernels::frame || f == ContactKernels::motion ? 2 : 1;
}

}  // namespace

ContactKernels::ContactKernels(const klingel_kernel& kernel) {
  const runtime::KernelSet names(on_four_lanes(kernel));  // checks the table, and finds by name
  KLINGEL_ASSERT(kernel.n_inputs == inputs && kernel.n_stages <= most_stages);
  names.expect("tangent", "pivot", 1, 1);
  names.expect("frame", "cos_angle", 1, 1);
  names.expect("motion", "V", 1, 1);

  std::size_t size = kernel.workspace_size;
  for (const klingel_input& in : std::span(kernel.inputs, kernel.n_inputs)) size += in.size;
  for (std::uint8_t f = 0; f < functions; ++f)
    size += memories(f) * outputs_of(kernel.functions[names.function(function_names[f])]);
  block_.reset(static_cast<Pack*>(::operator new[](size * sizeof(Pack), std::align_val_t{64})));
  std::uninitialized_fill_n(block_.get(), size,
                            base::splat(std::numeric_limits<double>::quiet_NaN()));
  Pack* next = block_.get();
  const auto take = [&next](std::size_t count) { return std::exchange(next, next + count); };

  for (std::uint8_t i = 0; i < inputs; ++i) {
    number_[i] = names.input(input_names[i]);
    const klingel_input& in = kernel.inputs[number_[i]];
    stage_[i] = in.stage;
    set_memory(static_cast<Input>(i), take(in.size));
    for (std::size_t k = 0; k < in.size; ++k) memory_[i][k] = base::splat(in.nominal[k]);
  }
  workspace_ = take(kernel.workspace_size);
  for (std::size_t k = 0; k < kernel.n_stages; ++k) {
    KLINGEL_ASSERT(kernel.stages[k].rare == 0);
    stages_[k] = {kernel.stages[k].call, kernel.stages[k].context};
  }
  out_ = std::make_unique<Outputs[]>(2 * functions);
  for (std::uint8_t f = 0; f < functions; ++f) {
    const klingel_function& function = kernel.functions[names.function(function_names[f])];
    KLINGEL_ASSERT(function.rare == 0 && function.n_outputs <= most_outputs);
    functions_[f] = {{function.call, function.context},
                     function.stage,
                     outputs_of(function),
                     &out_[2 * f],
                     &out_[2 * f + memories(f) - 1]};
    results_[f] = next;
    for (std::size_t m = 0; m < memories(f); ++m)
      for (std::size_t k = 0; k < function.n_outputs; ++k)
        out_[2 * f + m][k] = reinterpret_cast<double*>(take(function.outputs[k].size));
    for (std::uint8_t i = 0; i < inputs; ++i)
      if (function.stage < stage_[i]) independent_[i] |= 1u << f;
  }
}

void ContactKernels::set_memory(Input i, Pack* memory) {
  memory_[i] = memory;
  in_[number_[i]] = reinterpret_cast<const double*>(memory);
}

void ContactKernels::share_wheelsets(ContactKernels& of) {
  for (const Input i : {pose, twist, bias}) set_memory(i, of.memory(i)), changed(i);
}

void ContactKernels::renew(Function f) {
  FunctionCall& function = functions_[f];
  if ((kept_ & 1u << f) != 0) {
    std::swap(function.out, function.other);
    results_[f] = reinterpret_cast<Pack*>((*function.out)[0]);
    kept_ &= ~(1u << f);
  }
  auto* const w = reinterpret_cast<double*>(workspace_);
  for (; valid_ <= function.last_stage; ++valid_) {
    const Call& stage = stages_[valid_];
    stage.call(stage.context, in_.data(), w, nullptr);
  }
  function.call(function.context, in_.data(), w, function.out->data());
  known_ |= 1u << f;
}

}  // namespace klingel::step
