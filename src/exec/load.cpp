#include "exec/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "exec/cache.hpp"
#include "exec/compile.hpp"
#include "exec/interpreter.hpp"
#include "exec/jit.hpp"
#include "exec/library.hpp"
#include "exec/replacement.hpp"
#include "exec/table.hpp"

namespace klingel::exec {
namespace {

// raised when the same key would no longer mean the same kind of library
constexpr int cache_format = 1;

// the model's name for people, the key for everything the library depends on
std::string entry_name(const Compiler& compiler, const gen::Manifest& manifest) {
  const std::string key = base::sha256(
      fmt::format("{}\n{}\n{}\n{}", cache_format, KLINGEL_ABI, manifest.hash, compiler.identity));
  return fmt::format("{}-{}", manifest.model, key.substr(0, 32));
}

std::shared_ptr<const klingel_kernel> load_compared(std::string_view bytes,
                                                    const gen::Manifest& manifest,
                                                    const std::string& origin) {
  auto table = load_table(bytes, manifest.model, origin);
  if (const std::string d = difference(*table, manifest); !d.empty()) {
    base::fail("{}: the kernels were not made from this program: {}", origin, d);
  }
  return table;
}

// One program on its way through the system's compiler and the cache.
class Compilation {
 public:
  // An Error if there is no compiler.
  Compilation(gen::Emitted emitted, const Options& options)
      : emitted_(std::move(emitted)),
        compiler_(Compiler::find(options)),
        cache_(options.cache_dir.empty() ? default_cache_dir() : options.cache_dir),
        name_(entry_name(compiler_, emitted_.manifest)),
        path_(cache_.path_of(name_).string()),
        jobs_(options.jobs),
        delay_(options.background_delay) {}

  const gen::Manifest& manifest() const { return emitted_.manifest; }

  // Found and sound, or null.
  std::shared_ptr<const klingel_kernel> find() {
    const Cache::Entry found = cache_.find(name_);
    damage_ = found.damage;
    if (found.bytes.empty()) return nullptr;
    try {
      return load_compared(found.bytes, emitted_.manifest, path_);
    } catch (const base::Error& error) {
      damage_ = error.what();
      return nullptr;
    }
  }
  std::string found_note() const { return fmt::format("loaded from '{}'", path_); }

  // Made, and kept if possible.
  Replacement::Result make(const std::stop_token& stop) const {
    const std::string bytes = build_library(compiler_, emitted_, jobs_, stop);
    auto table = load_compared(bytes, emitted_.manifest, "the library compiled just now");
    std::string note;
    if (!damage_.empty())
      note = fmt::format("'{}' could not be used ({}) and was replaced; ", path_, damage_);
    note += fmt::format("compiled with {}, ", compiler_.command.front());
    if (!cache_.exists()) {
      note += "not kept: no cache folder is known; set KLINGEL_CACHE";
    } else {
      try {
        cache_.store(name_, bytes);
        note += fmt::format("kept as '{}'", path_);
      } catch (const base::Error& error) {
        note += fmt::format("not kept: {}", error.what());
      }
    }
    return {std::move(table), std::move(note)};
  }

  // The same beside other work: a little later, so that a run of a moment starts no compiler, and
  // with one processor left to that work.
  Replacement::Result make_in_background(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, std::chrono::duration<double>(delay_), [] { return false; });
    if (stop.stop_requested()) return {};
    if (jobs_ == 0) jobs_ = std::max(2u, std::thread::hardware_concurrency()) - 1;
    return make(stop);
  }

 private:
  gen::Emitted emitted_;
  Compiler compiler_;
  Cache cache_;
  std::string name_, path_;
  unsigned jobs_;
  double delay_;
  std::string damage_;  // why an entry that exists cannot be used
};

Kernel load_compiled(gen::Emitted emitted, const Options& options) {
  Compilation compilation(std::move(emitted), options);
  if (auto table = compilation.find())
    return {std::move(table), Backend::cc, compilation.found_note()};
  Replacement::Result made = compilation.make({});
  return {std::move(made.kernels), Backend::cc, std::move(made.note)};
}

Kernel load_jit(const gen::Program& program, const gen::Manifest& manifest, const Options& options,
                std::string note) {
  return {compile_in_memory(program, manifest, options.emit.schedule), Backend::jit,
          std::move(note)};
}

// Compiled kernels if they are at hand, else those of the just-in-time compiler until the others
// are.
Kernel load_soon(const gen::Program& program, gen::Emitted emitted, const Options& options) {
  const gen::Manifest manifest = emitted.manifest;
  std::shared_ptr<Compilation> compilation;
  try {
    compilation = std::make_shared<Compilation>(std::move(emitted), options);
  } catch (const base::Error& error) {
    return load_jit(program, manifest, options,
                    fmt::format("compiled in memory, because {}", error.what()));
  }
  if (auto table = compilation->find())
    return {std::move(table), Backend::cc, compilation->found_note()};
  return {std::make_shared<const Replacement>(
              compile_in_memory(program, manifest, options.emit.schedule), manifest,
              [compilation](const std::stop_token& stop) {
                return compilation->make_in_background(stop);
              }),
          "compiled in memory"};
}

}  // namespace

Kernel load(const gen::Program& program, const Options& options) {
  gen::Emitted emitted = gen::emit_c(program, options.emit);
  const gen::Manifest manifest = emitted.manifest;
  switch (options.backend) {
    case Backend::interpreter:
      return {interpret(program, manifest), Backend::interpreter, "interpreted, as asked"};
    case Backend::jit:
      return load_jit(program, manifest, options, "compiled in memory, as asked");
    case Backend::cc:
      return load_compiled(std::move(emitted), options);
    case Backend::automatic:
      break;
  }
  // with contraction the two would not have the same bits
  if (jit_refusal().empty() && !options.contraction)
    return load_soon(program, std::move(emitted), options);
  try {
    return load_compiled(std::move(emitted), options);
  } catch (const base::Error& error) {
    return {interpret(program, manifest), Backend::interpreter,
            fmt::format("interpreted, which is slower, because {}", error.what())};
  }
}

Kernel open_library(const std::filesystem::path& path, const std::string& model) {
  auto table = load_table(base::read_file(path), model, path.string());
  return {std::move(table), Backend::cc, fmt::format("loaded from '{}'", path.string())};
}

}  // namespace klingel::exec
