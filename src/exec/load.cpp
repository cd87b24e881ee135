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

Kernel load_compiled(const gen::Emitted& emitted, const Options& options) {
  const Compiler compiler = Compiler::find(options);
  const Cache cache(options.cache_dir.empty() ? default_cache_dir() : options.cache_dir);
  const std::string name = entry_name(compiler, emitted.manifest);
  const std::string path = cache.path_of(name).string();

  // found and sound
  const Cache::Entry found = cache.find(name);
  std::string damage = found.damage;
  if (!found.bytes.empty()) {
    try {
      auto table = load_compared(found.bytes, emitted.manifest, path);
      return {std::move(table), Backend::cc, fmt::format("loaded from '{}'", path)};
    } catch (const base::Error& error) {
      damage = error.what();
    }
  }

  // else made, and kept if possible
  const std::string bytes = build_library(compiler, emitted, options.jobs);
  auto table = load_compared(bytes, emitted.manifest, "the library compiled just now");
  std::string note;
  if (!damage.empty())
    note = fmt::format("'{}' could not be used ({}) and was replaced; ", path, damage);
  note += fmt::format("compiled with {}, ", compiler.command.front());
  if (!cache.exists()) {
    note += "not kept: no cache folder is known; set KLINGEL_CACHE";
  } else {
    try {
      cache.store(name, bytes);
      note += fmt::format("kept as '{}'", path);
    } catch (const base::Error& error) {
      note += fmt::format("not kept: {}", error.what());
    }
  }
  return {std::move(table), Backend::cc, std::move(note)};
}

}  // namespace

Kernel load(const gen::Program& program, const Options& options) {
  const gen::Emitted emitted = gen::emit_c(program, options.emit);
  if (options.backend == Backend::jit) {
    return {compile_in_memory(program, emitted.manifest, options.emit.schedule), Backend::jit,
            "compiled in memory, as asked"};
  }
  std::string note = "interpreted, as asked";
  if (options.backend != Backend::interpreter) {
    try {
      return load_compiled(emitted, options);
    } catch (const base::Error& error) {
      if (options.backend == Backend::cc) throw;
      note = fmt::format("interpreted, which is slower, because {}", error.what());
    }
  }
  return {interpret(program, emitted.manifest), Backend::interpreter, std::move(note)};
}

Kernel open_library(const std::filesystem::path& path, const std::string& model) {
  auto table = load_table(base::read_file(path), model, path.string());
  return {std::move(table), Backend::cc, fmt::format("loaded from '{}'", path.string())};
}

}  // namespace klingel::exec
