// Debian's AsmJit is compiled for programs: it takes `stderr` to be at a fixed place, which a
// module does not have. The linker gives it this variable instead (--wrap=stderr, see
// KlingelPython.cmake).
#include <cstdio>

extern "C" {
extern FILE* __real_stderr;
[[gnu::visibility("hidden")]] FILE* __wrap_stderr = nullptr;

[[gnu::constructor(101)]] static void set_standard_error() { __wrap_stderr = __real_stderr; }
}
