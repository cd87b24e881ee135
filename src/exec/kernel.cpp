#include "exec/kernel.hpp"

#include "base/assert.hpp"
#include "base/error.hpp"
#include "kernel/check.h"

namespace klingel::exec {

Kernel::Kernel(std::shared_ptr<const klingel_kernel> table, Backend backend, std::string note,
               std::string warning)
    : table_(std::move(table)),
      backend_(backend),
      note_(std::move(note)),
      warning_(std::move(warning)) {
  KLINGEL_ASSERT(table_ != nullptr);
}

void Kernel::expect_input(const std::string& name, std::uint32_t size) const {
  char message[300];
  if (klingel_input_check(table_.get(), name.c_str(), size, message, sizeof message) != 0) {
    throw base::Error(message);
  }
}

void Kernel::expect_output(const std::string& function, const std::string& output,
                           std::uint32_t rows, std::uint32_t cols) const {
  char message[300];
  if (klingel_output_check(table_.get(), function.c_str(), output.c_str(), rows, cols, message,
                           sizeof message) != 0) {
    throw base::Error(message);
  }
}

}  // namespace klingel::exec
