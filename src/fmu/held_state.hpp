// States that an importer holds: bytes behind a pointer, the same in both standards. `function` is
// the function of the standard that was called, for messages.
#pragma once

#include <cstddef>

#include "fmu/component.hpp"

namespace klingel::fmu {

// Saves into a state the importer holds, or into a new one.
Status hold_state(Component& component, const char* function, void** state);
Status restore_state(Component& component, const char* function, const void* state);
void free_state(void** state);

// The state as bytes and back.
Status held_size(Component& component, const char* function, const void* state, std::size_t* size);
Status write_held(Component& component, const char* function, const void* state, void* bytes,
                  std::size_t size);
Status read_held(Component& component, const char* function, const void* bytes, std::size_t size,
                 void** state);

}  // namespace klingel::fmu
