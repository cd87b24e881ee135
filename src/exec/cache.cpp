#include "exec/cache.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "exec/private_folder.hpp"

namespace klingel::exec {
namespace {

namespace fs = std::filesystem;

std::string library_of(const std::string& name) { return name + ".so"; }
std::string sidecar_of(const std::string& name) { return name + ".so.sha256"; }

// one line of sha256sum: digest, two blanks, file name
std::string sidecar_text(const std::string& name, std::string_view bytes) {
  return fmt::format("{}  {}\n", base::sha256(bytes), library_of(name));
}

}  // namespace

Cache::Entry Cache::find(const std::string& name) const {
  if (!exists()) return {};
  std::error_code ignored;
  if (!fs::exists(folder_, ignored)) return {};
  try {
    const PrivateFolder folder(folder_, PrivateFolder::If::missing_refuse);
    if (!folder.has(library_of(name))) return {};
    const std::string expected = folder.read(sidecar_of(name));
    std::string bytes = folder.read(library_of(name));
    if (sidecar_text(name, bytes) != expected) return {"", "it does not fit its checksum"};
    return {std::move(bytes), ""};
  } catch (const base::Error& error) {
    return {"", error.what()};
  }
}

void Cache::store(const std::string& name, std::string_view bytes) const {
  // the same key gives the same bytes, so two writers at once leave a pair that fits
  const PrivateFolder folder(folder_, PrivateFolder::If::missing_make);
  folder.write(library_of(name), bytes);
  folder.write(sidecar_of(name), sidecar_text(name, bytes));
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
