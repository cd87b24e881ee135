// A kernel table in memory: the structures of kernel/abi.h filled from a manifest, for back ends
// that are not compiled C; and the comparison of a table with a manifest, for those that are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gen/manifest.hpp"
#include "kernel/abi.h"

namespace klingel::exec {

// What a table entry calls, with its context.
struct Call {
  klingel_call* call;
  const void* context;
};

// Owns everything the table points to, except the contexts. Stays where it is, because the
// structures point at each other.
class Table {
 public:
  // One call for each stage and each function of the manifest.
  Table(gen::Manifest manifest, std::span<const Call> stages, std::span<const Call> functions);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const klingel_kernel& abi() const { return kernel_; }

 private:
  gen::Manifest manifest_;
  std::vector<std::vector<const char*>> names_;
  std::vector<klingel_input> inputs_;
  std::vector<klingel_stage> stages_;
  std::vector<std::vector<klingel_output>> outputs_;
  std::vector<klingel_function> functions_;
  klingel_kernel kernel_{};
};

// What a checked table says differently than the manifest, as a phrase ("input 'q' has 3 elements
// instead of 2"); empty if nothing. A kernel that differs was not made from this program.
std::string difference(const klingel_kernel& kernel, const gen::Manifest& manifest);

}  // namespace klingel::exec
