#include "fmu/held_state.hpp"

#include <cstring>
#include <memory>
#include <string>

namespace klingel::fmu {
namespace {

constexpr char no_state[] = "there is no state", no_memory[] = "out of memory";

const std::string* bytes_of(const void* state) { return static_cast<const std::string*>(state); }

}  // namespace

Status hold_state(Component& component, const char* function, void** state) {
  if (state == nullptr) return Status::error;
  try {
    if (*state != nullptr) return component.save(*static_cast<std::string*>(*state));
    auto made = std::make_unique<std::string>();
    const Status status = component.save(*made);
    if (status == Status::ok) *state = made.release();
    return status;
  } catch (const std::exception&) {
    return component.refuse(function, no_memory);
  }
}

Status restore_state(Component& component, const char* function, const void* state) {
  if (state == nullptr) return component.refuse(function, no_state);
  return component.restore(*bytes_of(state));
}

void free_state(void** state) {
  if (state == nullptr) return;
  delete static_cast<std::string*>(*state);
  *state = nullptr;
}

Status held_size(Component& component, const char* function, const void* state, std::size_t* size) {
  if (state == nullptr || size == nullptr) return component.refuse(function, no_state);
  *size = bytes_of(state)->size();
  return Status::ok;
}

Status write_held(Component& component, const char* function, const void* state, void* bytes,
                  std::size_t size) {
  if (state == nullptr || bytes == nullptr || size < bytes_of(state)->size())
    return component.refuse(function, "there is no state, or too little room for it");
  std::memcpy(bytes, bytes_of(state)->data(), bytes_of(state)->size());
  return Status::ok;
}

Status read_held(Component& component, const char* function, const void* bytes, std::size_t size,
                 void** state) {
  if (bytes == nullptr || state == nullptr || size != component.state_size())
    return component.refuse(function, "the bytes are not those of a state of this FMU");
  try {
    auto made = std::make_unique<std::string>(static_cast<const char*>(bytes), size);
    free_state(state);
    *state = made.release();
    return Status::ok;
  } catch (const std::exception&) {
    return component.refuse(function, no_memory);
  }
}

}  // namespace klingel::fmu
