#include "exec/backend.hpp"

namespace klingel::exec {

std::string_view name(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "automatic";
    case Backend::interpreter:
      return "interpreter";
    case Backend::cc:
      return "cc";
  }
  return "unknown";
}

}  // namespace klingel::exec
