// Machine code in memory of its own: written first, then made executable and no longer writable.
#pragma once

#include <cstddef>
#include <span>

namespace klingel::exec {

class ExecutableMemory {
 public:
  // A copy of the code. An Error with the system's reason if it may not be made executable.
  explicit ExecutableMemory(std::span<const std::byte> code);
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  const std::byte* begin() const { return begin_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* begin_;
  std::size_t size_;
};

}  // namespace klingel::exec
