// The contact kernels of four pairs of points with their memory. A step evaluates them more often
// than anything else, so they are called directly: a change costs three instructions, where
// runtime::KernelSet, which serves kernels of any kind, goes through lists. Allocates in the
// constructor only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>

#include "base/pack.hpp"
#include "kernel/abi.h"

namespace klingel::step {

class ContactKernels {
 public:
  // Inputs and functions of model/contact.hpp.
  enum Input : std::uint8_t { y_w, pose, s, spline, twist, bias, ds, inputs };
  enum Function : std::uint8_t { tangent, frame, rates, motion, functions };

  // The kernels must be on four lanes, or it is an Error. They must outlive it.
  explicit ContactKernels(const klingel_kernel& kernel);

  base::Pack* memory(Input i) { return memory_[i]; }
  // An input whose memory was written: what depends on it is out of date.
  void changed(Input i) {
    valid_ = std::min(valid_, stage_[i]);
    known_ &= independent_[i];
  }
  // Takes the place and the motion of another one's wheelsets for its own. That one must stay where
  // it is, and changed() is to be called for both.
  void share_wheelsets(ContactKernels& of);

  // Takes the memory of another one for what stages leave to functions. Of vehicles on lanes, one
  // is done with it before the next one begins, and it stays in the cache. What another one left
  // there is evaluated again, to the same bits. For one thread.
  void share_workspace(const ContactKernels& of);

  // The outputs of a function one after another. Not evaluated again while nothing it depends on
  // has changed.
  const base::Pack* evaluate(Function f) {
    if ((known_ & 1u << f) == 0) renew(functions_[f]);
    return functions_[f].results;
  }
  std::size_t size(Function f) const { return functions_[f].size; }  // of its outputs
  // What frame or motion gave last stays until the next but one evaluation: the next one goes
  // elsewhere.
  void keep(Function f) { kept_ |= 1u << f; }

 private:
  void set_memory(Input i, base::Pack* memory);

  struct Call {
    klingel_call* call;
    const void* context;
  };
  struct Free {
    void operator()(base::Pack* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
  };
  using Block = std::unique_ptr<base::Pack[], Free>;
  static Block allocate(std::size_t size);
  struct Workspace {
    Block memory;
    unsigned users = 0, user = 0;  // how many it has had, and the one whose values it has
  };
  static constexpr std::size_t most_stages = 8, most_outputs = 8;
  using Outputs = std::array<double*, most_outputs>;
  struct FunctionCall : Call {
    unsigned bit;
    std::uint32_t last_stage;
    base::Pack* results;
    const Outputs *out, *other;  // where the results go, and where they went before
    std::size_t size;
  };
  void renew(FunctionCall& f);

  unsigned known_ = 0;       // functions that are up to date, as bits
  unsigned kept_ = 0;        // functions whose outputs stay
  std::uint32_t valid_ = 0;  // stages before this one are up to date
  std::array<std::uint32_t, inputs> stage_{};
  std::array<unsigned, inputs> independent_{};  // functions that do not depend on an input
  std::array<base::Pack*, inputs> memory_{};
  std::array<const double*, inputs> in_{};  // the same in the order of the kernels
  std::array<std::uint32_t, inputs> number_{};
  std::shared_ptr<Workspace> workspace_;
  unsigned user_ = 0;  // of the workspace
  std::array<Call, most_stages> stages_{};
  std::array<FunctionCall, functions> functions_{};
  std::unique_ptr<Outputs[]> out_;  // two for each function
  Block block_;
};

}  // namespace klingel::step
