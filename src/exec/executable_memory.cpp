#include "exec/executable_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.hpp"

namespace klingel::exec {

ExecutableMemory::ExecutableMemory(std::span<const std::byte> code)
    : size_(std::max<std::size_t>(code.size(), 1)) {
  const auto reason = [] { return std::generic_category().message(errno); };
  void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) base::fail("there is no memory for machine code: {}", reason());
  begin_ = static_cast<std::byte*>(memory);
  if (!code.empty()) std::memcpy(begin_, code.data(), code.size());
  if (::mprotect(memory, size_, PROT_READ | PROT_EXEC) != 0) {
    const std::string why = reason();
    ::munmap(memory, size_);
    base::fail("memory may not be made executable here: {}", why);
  }
}

ExecutableMemory::~ExecutableMemory() { ::munmap(begin_, size_); }

}  // namespace klingel::exec
