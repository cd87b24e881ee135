// How kernels are run, and the options of making them.
//
// Every back end offers the same C table (kernel/abi.h), so a caller cannot tell them apart. Three
// exist: the interpreter, which needs nothing; the just-in-time compiler, which is ready in
// milliseconds and whose code is the fastest; and the system's C compiler with dlopen, for machines
// without the second. Kernels on SIMD lanes are requested with Options::emit.lanes and say so in
// the member `lanes` of the table; every lane has the bits of a kernel without lanes.
//
// All back ends compute the same bits: the same operations in the same precision, the same
// libm, no contraction. Two things are excepted: sign and payload of a NaN, which C leaves open,
// and everything computed with Options::contraction, where a*b + c is rounded once instead of
// twice.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gen/emit_c.hpp"

namespace klingel::exec {

enum class Backend {
  automatic,    // the fastest this machine has: jit, else cc, else interpreter
  interpreter,  // no compiler needed
  jit,          // machine code made in memory: x86-64 with AVX2, where built with AsmJit
  cc,           // compiled by the system's C compiler, kept on disk
};

// "automatic", "interpreter", "jit" or "cc".
std::string_view name(Backend backend);
// The back end of that name; an Error that lists them if there is none.
Backend backend_by_name(std::string_view name);

struct Options {
  Backend backend = Backend::automatic;

  // Where compiled kernels are kept. Empty: $KLINGEL_CACHE, else $XDG_CACHE_HOME/klingel, else
  // $HOME/.cache/klingel. Nothing is ever removed from it; deleting the folder is always safe.
  std::filesystem::path cache_dir;

  // The compiler, a name or a path. Empty: $CC, which may have arguments ("ccache gcc"), else cc.
  std::string cc;
  // Given to the compiler after our own flags, when compiling and when linking.
  std::vector<std::string> flags;
  // Lets the compiler fuse a*b + c into one instruction with one rounding: a little faster and
  // no less accurate, but no longer the bits of the interpreter.
  bool contraction = false;
  // Compilers running at the same time; 0: as many as the machine has threads.
  unsigned jobs = 0;

  gen::EmitOptions emit;
};

}  // namespace klingel::exec
