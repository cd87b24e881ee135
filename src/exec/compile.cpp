#include "exec/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "exec/process.hpp"
#include "exec/temporary_folder.hpp"

namespace klingel::exec {
namespace {

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// the last lines of a long text
std::string tail(const std::string& text, std::size_t lines = 20) {
  std::size_t at = text.find_last_not_of('\n');
  if (at == std::string::npos) return {};
  const std::size_t end = at + 1;
  while (lines > 0 && at != std::string::npos && at > 0) {
    at = text.rfind('\n', at - 1);
    --lines;
  }
  return at == std::string::npos || at == 0 ? text.substr(0, end)
                                            : text.substr(at + 1, end - at - 1);
}

std::string answer(const std::vector<std::string>& compiler, const std::string& question) {
  Outcome outcome = run({compiler + std::vector{question}, {}});
  if (outcome.code != 0) {
    base::fail("'{} {}' fails with exit code {}:\n{}", line_of(compiler), question, outcome.code,
               tail(outcome.output));
  }
  return std::move(outcome.output);
}

// What -march=native means here: the lines of /proc/cpuinfo that describe the kind of processor,
// not its present clock. A cache may be shared by machines through a network folder. Empty if it
// cannot be told.
std::string processor() try {
  std::istringstream lines(base::read_file("/proc/cpuinfo"));
  std::string text;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    for (const char* key : {"vendor_id", "cpu family", "model", "stepping", "flags"}) {
      if (line.starts_with(key)) text += line + "\n";
    }
  }
  return text;
} catch (const base::Error&) {
  return {};
}

// Measured with gcc 12 on two cores of an AMD EPYC: a program of 21,065 statements in 11 files
// (28,627 operations, random, values reused far away) and a generated LU of a 38 x 38 matrix
// (10,785 operations). Compiling both, in seconds of processor time, and one evaluation:
//
//                              compile    random     LU
//   -O0                          3.2 s    40.5 us   7.4 us
//   -O1                          7.0 s    12.9 us   2.7 us
//   -O1 -march=native            7.0 s    11.9 us   2.3 us
//   -O2 -march=native            9.2 s    12.3 us   2.6 us
//   -O3 -march=native            9.8 s    12.2 us   2.6 us
//   interpreter                  0.0 s    75   us  21.7 us
//
// Atoms are straight lines without loops and already free of common subexpressions, so -O1 leaves
// nothing to find; what -O2 adds, pairs of doubles packed into vectors, costs more than it gains.
// clang 14 compiles in half the time, to code of the same speed.
std::vector<std::string> own_flags(bool contraction, bool native, bool on_lanes) {
  std::vector<std::string> flags{"-std=c11", "-O1", "-fPIC"};
  // vectors are passed between functions of one file only: how, is the compiler's own business
  if (on_lanes) flags.push_back("-Wno-psabi");
  // no function of the library is replaced from outside, so they may be inlined into each other:
  // a fifth of the time at -O3
  flags.push_back("-fno-semantic-interposition");
  // sqrt becomes one instruction instead of a call that might set errno; results are the same
  flags.push_back("-fno-math-errno");
  // compilers turn pow(x, 2.0) into x*x and pow(2.0, x) into exp2(x), which is not what pow gives
  // in the last bit; integer powers are products before they come here, so nothing is lost
  flags.push_back("-fno-builtin-pow");
  // the bits of the interpreter. Contraction makes the LU 15 % faster; gcc does it only in a pass
  // that -O1 leaves out
  flags.push_back(contraction ? "-ffp-contract=fast" : "-ffp-contract=off");
  if (contraction) flags.push_back("-fexpensive-optimizations");
  // kernels run where they are compiled. No instruction chosen by this rounds differently, except
  // the fused ones contraction is about
  if (native) flags.push_back("-march=native");
  return flags;
}

void run_or_fail(const std::vector<Command>& commands, unsigned jobs, const std::string& what) {
  const std::vector<Outcome> outcomes = run_all(commands, jobs);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (outcomes[i].code == 0 || outcomes[i].code == Outcome::not_run) continue;
    base::fail("the compiler fails on {} with exit code {}: {}\n{}", what, outcomes[i].code,
               line_of(commands[i].words), tail(outcomes[i].output));
  }
}

}  // namespace

Compiler Compiler::find(const Options& options) {
  Compiler compiler;
  compiler.command = {options.cc};
  if (options.cc.empty()) {
    const char* variable = std::getenv("CC");
    std::istringstream words(variable != nullptr ? variable : "");
    compiler.command.assign(std::istream_iterator<std::string>(words), {});
    if (compiler.command.empty()) compiler.command = {"cc"};
  }
  const std::filesystem::path program = find_program(compiler.command.front());
  compiler.command.front() = program.string();

  // -march=native is for gcc and clang on PCs; other processors spell it differently
  std::string native;
#if defined(__x86_64__)
  native = processor();
#endif
  compiler.flags =
      own_flags(options.contraction, !native.empty(), options.emit.lanes > 1) + options.flags;

  std::error_code ignored;
  const std::string real_path = std::filesystem::canonical(program, ignored).string();
  const std::string version = answer(compiler.command, "--version");
  const std::string target = answer(compiler.command, "-dumpmachine");
  compiler.identity = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", line_of(compiler.command), real_path,
                                  line_of(compiler.flags), version, target, native);
  return compiler;
}

std::string build_library(const Compiler& compiler, const gen::Emitted& emitted, unsigned jobs) {
  // names relative to the folder: its random name must not end up in the library
  const TemporaryFolder folder;
  gen::write_files(emitted.files, folder.path().string());

  std::vector<Command> compile;
  std::vector<std::string> objects;
  for (const std::string& source : emitted.sources) {
    objects.push_back(source + ".o");
    compile.push_back({compiler.command + compiler.flags +
                           std::vector<std::string>{"-c", source, "-o", objects.back()},
                       folder.path()});
  }
  if (jobs == 0) jobs = std::max(1u, std::thread::hardware_concurrency());
  run_or_fail(compile, jobs, "the emitted C");

  // -Bsymbolic: calls between our files never leave the library
  const std::string library = emitted.manifest.model + ".so";
  const std::vector<std::string> link{"-shared", "-Wl,-Bsymbolic", "-o", library};
  run_or_fail(
      {{compiler.command + compiler.flags + link + objects + std::vector<std::string>{"-lm"},
        folder.path()}},
      1, "linking");
  return base::read_file(folder.path() / library);
}

}  // namespace klingel::exec
