#include "fmu/held_state.hpp"

#include <cstring>
#include <memory>
#include <string>

namespace klingel::fmu {
namespace {

constexpr char no_state[] = "there is no state, or it was freed", no_memory[] = "out of memory";

// Behind the pointer an importer holds. Its first word says that it is one of ours.
constexpr char a_state = 0;
struct Held {
  const void* mark = &a_state;
  std::string bytes;
};

Held* held(void* state) {
  auto* h = static_cast<Held*>(state);
  return h != nullptr && h->mark == &a_state ? h : nullptr;
}
const Held* held(const void* state) { return held(const_cast<void*>(state)); }

void free_held(Held* h) {
  h->mark = nullptr;
  delete h;
}

}  // namespace

Status hold_state(Component& component, const char* function, void** state) {
  if (state == nullptr) return Status::error;
  try {
    if (Held* old = held(*state)) return component.save(old->bytes);
    auto made = std::make_unique<Held>();
    const Status status = component.save(made->bytes);
    if (status == Status::ok) *state = made.release();
    return status;
  } catch (const std::exception&) {
    return component.refuse(function, no_memory);
  }
}

Status restore_state(Component& component, const char* function, const void* state) {
  const Held* h = held(state);
  return h != nullptr ? component.restore(h->bytes) : component.refuse(function, no_state);
}

void free_state(void** state) {
  if (state == nullptr || *state == nullptr) return;
  // some importers (fmusim up to 0.0.39) hand in the state itself, not where it is kept
  if (Held* itself = held(static_cast<void*>(state))) return free_held(itself);
  if (Held* h = held(*state)) free_held(h);
  *state = nullptr;
}

Status held_size(Component& component, const char* function, const void* state, std::size_t* size) {
  const Held* h = held(state);
  if (h == nullptr || size == nullptr) return component.refuse(function, no_state);
  *size = h->bytes.size();
  return Status::ok;
}

Status write_held(Component& component, const char* function, const void* state, void* bytes,
                  std::size_t size) {
  const Held* h = held(state);
  if (h == nullptr || bytes == nullptr || size < h->bytes.size())
    return component.refuse(function, "there is no state, or too little room for it");
  std::memcpy(bytes, h->bytes.data(), h->bytes.size());
  return Status::ok;
}

Status read_held(Component& component, const char* function, const void* bytes, std::size_t size,
                 void** state) {
  if (bytes == nullptr || state == nullptr || size != component.state_size())
    return component.refuse(function, "the bytes are not those of a state of this FMU");
  try {
    auto made = std::make_unique<Held>();
    made->bytes.assign(static_cast<const char*>(bytes), size);
    *state = made.release();  // a new one, whatever was there
    return Status::ok;
  } catch (const std::exception&) {
    return component.refuse(function, no_memory);
  }
}

}  // namespace klingel::fmu
