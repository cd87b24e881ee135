// A loaded set of kernels: the C table of kernel/abi.h together with whatever keeps it alive.
//
//   exec::Kernel kernel = exec::load(program);      // load.hpp
//   exec::Evaluator evaluator(kernel);              // evaluator.hpp, or call kernel.abi() directly
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "exec/backend.hpp"
#include "kernel/abi.h"

namespace klingel::exec {

// Cheap to copy and to move: all copies share one table, which is constant and may be used by many
// threads at once. Library, code or tapes are released with the last copy.
class Kernel {
 public:
  // `table` owns what it points to (an aliasing pointer) and was checked.
  Kernel(std::shared_ptr<const klingel_kernel> table, Backend backend, std::string note,
         std::string warning = {});

  const klingel_kernel& abi() const { return *table_; }
  // What runs it: interpreter, jit or cc, never automatic.
  Backend backend() const { return backend_; }
  // What was done to get it, or why it is not the back end one might expect; for a log.
  const std::string& note() const { return note_; }
  // What the user should know, such as a cache that is not safe; empty if there is nothing.
  const std::string& warning() const { return warning_; }

  // What the caller relies on; an Error that names both sides if it is not so.
  void expect_input(const std::string& name, std::uint32_t size) const;
  void expect_output(const std::string& function, const std::string& output, std::uint32_t rows,
                     std::uint32_t cols) const;

 private:
  std::shared_ptr<const klingel_kernel> table_;
  Backend backend_;
  std::string note_, warning_;
};

}  // namespace klingel::exec
