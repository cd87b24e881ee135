#include "exec/backend.hpp"

#include "base/error.hpp"

namespace klingel::exec {

std::string_view name(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "automatic";
    case Backend::interpreter:
      return "interpreter";
    case Backend::jit:
      return "jit";
    case Backend::cc:
      return "cc";
  }
  return "unknown";
}

Backend backend_by_name(std::string_view wanted) {
  for (const Backend b : {Backend::automatic, Backend::interpreter, Backend::jit, Backend::cc}) {
    if (name(b) == wanted) return b;
  }
  base::fail("there is no back end '{}': there are automatic, interpreter, jit and cc", wanted);
}

}  // namespace klingel::exec
