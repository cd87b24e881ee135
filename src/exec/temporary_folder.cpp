#include "exec/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace klingel::exec {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::error_code status;
  const fs::path parent = fs::temp_directory_path(status);
  if (status) base::fail("there is no folder for temporary files: {}", status.message());
  std::string name = (parent / "klingel-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    base::fail("cannot make a temporary folder in '{}': {}", parent.string(),
               std::generic_category().message(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace klingel::exec
