#include "exec/load.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "exec/cache.hpp"
#include "exec/compile.hpp"
#include "exec/interpreter.hpp"
#include "exec/jit.hpp"
#include "exec/library.hpp"
#include "exec/table.hpp"

namespace klingel::exec {
namespace {

// raised when the same key would no longer mean the same kind of library
constexpr int cache_format = 1;

// the model's name for readers, and a key of everything that the library depends on
std::string entry_name(const Compiler& compiler, const gen::Emitted& emitted) {
  std::string key = fmt::format("{}\n{}\n{}\n", cache_format, KLINGEL_ABI, compiler.identity);
  for (const gen::File& file : emitted.files) key += file.name + "\n" + file.text;
  return fmt::format("{}-{}", emitted.manifest.model, base::sha256(key).substr(0, 32));
}

std::shared_ptr<const klingel_kernel> load_compared(std::string_view bytes,
                                                    const gen::Manifest& manifest,
                                                    const std::string& origin) {
  auto table = load_table(bytes, manifest.model, origin);
  if (const std::string d = difference(*table, manifest); !d.empty()) {
    base::fail("{}: the kernels were not generated from this model: {}", origin, d);
  }
  return table;
}

// Compiles, and keeps the library if possible. `damage`: why an entry of the cache that exists
// cannot be used.
Kernel compile_and_keep(const gen::Emitted& emitted, const Compiler& compiler, const Cache& cache,
                        unsigned jobs, const std::string& damage) {
  const std::string name = entry_name(compiler, emitted);
  const std::string path = cache.path_of(name).string();
  const std::string bytes = build_library(compiler, emitted, jobs);
  auto table = load_compared(bytes, emitted.manifest, "the library compiled just now");
  std::string note, warning;
  if (!damage.empty()) note = fmt::format("'{}' could not be used ({}); ", path, damage);
  note += fmt::format("compiled with {}, ", compiler.command.front());
  if (!cache.exists()) {
    note += "not kept: no cache folder is known; set KLINGEL_CACHE";
  } else {
    try {
      cache.store(name, bytes);
      note += fmt::format("{} '{}'", damage.empty() ? "kept as" : "replaced", path);
    } catch (const base::Error& error) {
      note += fmt::format("not kept: {}", error.what());
      warning = fmt::format("compiled kernels are not kept: {}", error.what());
    }
  }
  if (warning.empty() && !damage.empty())
    warning = fmt::format("'{}' was not used but compiled again: {}", path, damage);
  return {std::move(table), Backend::cc, std::move(note), std::move(warning)};
}

Kernel load_compiled(const gen::Emitted& emitted, const Options& options) {
  const Compiler compiler = Compiler::find(options);
  const Cache cache(options.cache_dir.empty() ? default_cache_dir() : options.cache_dir);
  const std::string name = entry_name(compiler, emitted);
  const std::string path = cache.path_of(name).string();
  Cache::Entry found = cache.find(name);
  if (!found.bytes.empty()) {
    try {
      auto table = load_compared(found.bytes, emitted.manifest, path);
      return {std::move(table), Backend::cc, fmt::format("loaded from '{}'", path)};
    } catch (const base::Error& error) {
      found.damage = error.what();
    }
  }
  return compile_and_keep(emitted, compiler, cache, options.jobs, found.damage);
}

Kernel load_jit(const gen::Program& program, const gen::Manifest& manifest,
                const Options& options) {
  return {compile_in_memory(program, manifest, options.emit.schedule), Backend::jit,
          "compiled in memory"};
}

// The fastest back end first. Reasons why one does not work go into the note of the interpreter.
Kernel load_fastest(const gen::Program& program, const Options& options) {
  std::string reasons;
  try {
    // only the C compiler has the option to contract
    if (!options.contraction)
      return load_jit(program, gen::emit_manifest(program, options.emit), options);
  } catch (const base::Error& error) {
    reasons = error.what();
  }
  const gen::Emitted emitted = gen::emit_c(program, options.emit);
  try {
    return load_compiled(emitted, options);
  } catch (const base::Error& error) {
    reasons += (reasons.empty() ? "" : ", and ") + std::string(error.what());
  }
  return {interpret(program, emitted.manifest), Backend::interpreter,
          fmt::format("interpreted, which is slower, because {}", reasons)};
}

}  // namespace

Kernel load(const gen::Program& program, const Options& options) {
  switch (options.backend) {
    case Backend::interpreter:
      return {interpret(program, gen::emit_manifest(program, options.emit)), Backend::interpreter,
              "interpreted, as asked"};
    case Backend::jit:
      return load_jit(program, gen::emit_manifest(program, options.emit), options);
    case Backend::cc:
      return load_compiled(gen::emit_c(program, options.emit), options);
    case Backend::automatic:
      break;
  }
  return load_fastest(program, options);
}

Kernel open_library(const std::filesystem::path& path, const std::string& model) {
  auto table = load_table(base::read_file(path), model, path.string());
  return {std::move(table), Backend::cc, fmt::format("loaded from '{}'", path.string())};
}

}  // namespace klingel::exec
