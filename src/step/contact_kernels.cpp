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

ContactKernels::Block ContactKernels::allocate(std::size_t size) {
  Block block(static_cast<Pack*>(::operator new[](size * sizeof(Pack), std::align_val_t{64})));
  std::uninitialized_fill_n(block.get(), size,
                            base::splat(std::numeric_limits<double>::quiet_NaN()));
  return block;
}

ContactKernels::ContactKernels(const klingel_kernel& kernel) {
  const runtime::KernelSet names(on_four_lanes(kernel));  // checks the table, and finds by name
  KLINGEL_ASSERT(kernel.n_inputs == inputs && kernel.n_stages <= most_stages);
  names.expect("tangent", "pivot", 1, 1);
  names.expect("frame", "cos_angle", 1, 1);
  names.expect("motion", "V", 1, 1);

  workspace_ = std::make_shared<Workspace>(Workspace{allocate(kernel.workspace_size), 1, 1});
  user_ = 1;
  std::size_t size = 0;
  for (const klingel_input& in : std::span(kernel.inputs, kernel.n_inputs)) size += in.size;
  for (std::uint8_t f = 0; f < functions; ++f)
    size += memories(f) * outputs_of(kernel.functions[names.function(function_names[f])]);
  block_ = allocate(size);
  Pack* next = block_.get();
  const auto take = [&next](std::size_t count) { return std::exchange(next, next + count); };

  for (std::uint8_t i = 0; i < inputs; ++i) {
    number_[i] = names.input(input_names[i]);
    const klingel_input& in = kernel.inputs[number_[i]];
    stage_[i] = in.stage;
    set_memory(static_cast<Input>(i), take(in.size));
    for (std::size_t k = 0; k < in.size; ++k) memory_[i][k] = base::splat(in.nominal[k]);
  }
  for (std::size_t k = 0; k < kernel.n_stages; ++k) {
    KLINGEL_ASSERT(kernel.stages[k].rare == 0);
    stages_[k] = {kernel.stages[k].call, kernel.stages[k].context};
  }
  out_ = std::make_unique<Outputs[]>(2 * functions);
  for (std::uint8_t f = 0; f < functions; ++f) {
    const klingel_function& function = kernel.functions[names.function(function_names[f])];
    KLINGEL_ASSERT(function.rare == 0 && function.n_outputs <= most_outputs);
    functions_[f] = {{function.call, function.context},
                     1u << f,
                     function.stage,
                     next,
                     &out_[2 * f],
                     &out_[2 * f + memories(f) - 1],
                     outputs_of(function)};
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

void ContactKernels::share_workspace(const ContactKernels& of) {
  workspace_ = of.workspace_;
  user_ = ++workspace_->users;
}

void ContactKernels::renew(FunctionCall& f) {
  if ((kept_ & f.bit) != 0) {
    std::swap(f.out, f.other);
    f.results = reinterpret_cast<Pack*>((*f.out)[0]);
    kept_ &= ~f.bit;
  }
  if (workspace_->user != user_) workspace_->user = user_, valid_ = 0;
  auto* const w = reinterpret_cast<double*>(workspace_->memory.get());
  for (; valid_ <= f.last_stage; ++valid_) {
    const Call& stage = stages_[valid_];
    stage.call(stage.context, in_.data(), w, nullptr);
  }
  f.call(f.context, in_.data(), w, f.out->data());
  known_ |= f.bit;
}

}  // namespace klingel::step
