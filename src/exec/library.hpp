// A shared library with a kernel table in it, loaded into this process.
//
// The system's loader takes two files for the same one when path or inode agree, so a library that
// was replaced on disk would give the old code as long as anybody uses it. Therefore bytes are
// loaded, not files: every load makes a private copy, which is removed from disk at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kernel/abi.h"

namespace klingel::exec {

// The table of `model` in a shared library given by its bytes, checked by klingel_kernel_check. The
// library stays loaded as long as the table is held. Throws Error, beginning with `origin`, when
// the bytes are not a whole library, cannot be loaded, or hold no usable kernels of this model.
std::shared_ptr<const klingel_kernel> load_table(std::string_view bytes, const std::string& model,
                                                 const std::string& origin);

}  // namespace klingel::exec
