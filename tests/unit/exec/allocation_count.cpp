// operator new with a counter; see allocation_count.hpp. In a file of its own, because a compiler
// that sees both new and free takes the pair for a mistake.
#include "tests/unit/exec/allocation_count.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocations = 0;

void* try_to_allocate(std::size_t size, std::align_val_t alignment) noexcept {
  ++allocations;
  const auto a = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(a, size == 0 ? a : (size + a - 1) / a * a);
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  void* memory = try_to_allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::align_val_t usual{alignof(std::max_align_t)};

}  // namespace

std::size_t klingel::exec::allocation_count() { return allocations; }

// all forms: sanitizers have their own of each, and they do not call each other
// clang-format off
using std::size_t;
using Align = std::align_val_t;
using Nothrow = std::nothrow_t;
void* operator new(size_t n) { return allocate(n, usual); }
void* operator new[](size_t n) { return allocate(n, usual); }
void* operator new(size_t n, Align a) { return allocate(n, a); }
void* operator new[](size_t n, Align a) { return allocate(n, a); }
void* operator new(size_t n, const Nothrow&) noexcept { return try_to_allocate(n, usual); }
void* operator new[](size_t n, const Nothrow&) noexcept { return try_to_allocate(n, usual); }
void* operator new(size_t n, Align a, const Nothrow&) noexcept { return try_to_allocate(n, a); }
void* operator new[](size_t n, Align a, const Nothrow&) noexcept { return try_to_allocate(n, a); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, Align) noexcept { std::free(memory); }
void operator delete[](void* memory, Align) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, Align) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, Align) noexcept { std::free(memory); }
void operator delete(void* memory, const Nothrow&) noexcept { std::free(memory); }
void operator delete[](void* memory, const Nothrow&) noexcept { std::free(memory); }
void operator delete(void* memory, Align, const Nothrow&) noexcept { std::free(memory); }
void operator delete[](void* memory, Align, const Nothrow&) noexcept { std::free(memory); }
// clang-format on
