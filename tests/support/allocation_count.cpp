// malloc with a counter; see allocation_count.hpp. Under the address sanitizer, which has its own
// malloc, by its hook.
#include "tests/support/allocation_count.hpp"

#include <cerrno>

namespace {

thread_local std::size_t allocations = 0;

}  // namespace

std::size_t klingel::test::allocation_count() { return allocations; }

extern "C" {
#ifdef __SANITIZE_ADDRESS__

void __sanitizer_malloc_hook(const volatile void*, std::size_t) { ++allocations; }
void __sanitizer_free_hook(const volatile void*) {}

#else

// glibc's own functions under their other names
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

#endif
}
