#include "exec/library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "exec/temporary_folder.hpp"
#include "kernel/check.h"

namespace klingel::exec {
namespace {

// dlopen maps a file by its headers without looking at its length, and the process dies of SIGBUS
// when it touches a page behind the end: a cut file must be found before.
bool is_whole_library(std::string_view bytes) {
  ElfW(Ehdr) header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_DYN) return false;
  const auto is_inside = [&](std::size_t offset, std::size_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  };
  if (header.e_phentsize != sizeof(ElfW(Phdr)) ||
      !is_inside(header.e_phoff, header.e_phnum * sizeof(ElfW(Phdr)))) {
    return false;
  }
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (!is_inside(segment.p_offset, segment.p_filesz)) return false;
  }
  return true;
}

struct Close {
  void operator()(void* handle) const { ::dlclose(handle); }
};

// symbols stay private to the library: two models, or two versions of one, do not meet
std::shared_ptr<void> open_copy(std::string_view bytes, const std::string& model,
                                const std::string& origin) {
  const TemporaryFolder folder;
  const std::filesystem::path copy = folder.path() / (model + ".so");
  base::write_file(copy, bytes);
  void* handle = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    base::fail(
        "{}: the library cannot be loaded: {}; if programs may not run in the folder of temporary "
        "files, set TMPDIR to another one",
        origin, reason != nullptr ? reason : "unknown reason");
  }
  return {handle, Close{}};
}

}  // namespace

std::shared_ptr<const klingel_kernel> load_table(std::string_view bytes, const std::string& model,
                                                 const std::string& origin) {
  if (!is_whole_library(bytes)) {
    base::fail("{}: this is not a shared library of this machine, or a part of it is missing",
               origin);
  }
  const std::shared_ptr<void> library = open_copy(bytes, model, origin);
  const std::string symbol = model + "_kernel";
  const auto entry =
      reinterpret_cast<klingel_kernel_entry*>(::dlsym(library.get(), symbol.c_str()));
  if (entry == nullptr) {
    base::fail("{}: the library has no function '{}'; it holds no kernels of the model '{}'",
               origin, symbol, model);
  }
  const klingel_kernel* table = entry();
  char message[300];
  if (klingel_kernel_check(table, message, sizeof message) != 0) {
    base::fail("{}: {}", origin, message);
  }
  if (table->model != model) {
    base::fail("{}: these are kernels of the model '{}', expected '{}'", origin, table->model,
               model);
  }
  return {library, table};  // lives as long as the library
}

}  // namespace klingel::exec
