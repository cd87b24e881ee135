#include "exec/cache.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"

namespace klingel::exec {
namespace {

namespace fs = std::filesystem;

fs::path sidecar_of(const fs::path& library) { return library.string() + ".sha256"; }

// one line of sha256sum: digest, two blanks, file name
std::string sidecar_text(const fs::path& library, std::string_view bytes) {
  return fmt::format("{}  {}\n", base::sha256(bytes), library.filename().string());
}

}  // namespace

Cache::Entry Cache::find(const std::string& name) const {
  if (!exists()) return {};
  const fs::path library = path_of(name);
  std::error_code ignored;
  if (!fs::exists(library, ignored)) return {};
  try {
    const std::string expected = base::read_file(sidecar_of(library));
    std::string bytes = base::read_file(library);
    if (sidecar_text(library, bytes) != expected) return {"", "it does not fit its checksum"};
    return {std::move(bytes), ""};
  } catch (const base::Error& error) {
    return {"", error.what()};
  }
}

void Cache::store(const std::string& name, std::string_view bytes) const {
  // the same key gives the same bytes, so two writers at once leave a pair that fits
  const fs::path library = path_of(name);
  base::write_file(library, bytes);
  base::write_file(sidecar_of(library), sidecar_text(library, bytes));
}

fs::path default_cache_dir() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value != nullptr ? value : "");
  };
  if (const fs::path own = variable("KLINGEL_CACHE"); !own.empty()) return own;
  // the XDG specification requires that relative paths are ignored
  if (const fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / "klingel";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "klingel";
  return {};
}

}  // namespace klingel::exec
