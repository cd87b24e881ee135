// klingel_load of include/klingel.h: the one function of the C interface that needs the compiler.
#include <cstring>
#include <exception>

#include <klingel.h>
#include "capi/vehicle_model.hpp"
#include "compile/prepare_run.hpp"
#include "vehicle/scenario.hpp"

extern "C" klingel_model* klingel_load(const char* what, char* message, size_t size) {
  using namespace klingel;
  const auto say = [&](const char* text) {
    if (message == nullptr || size == 0) return;
    std::strncpy(message, text, size - 1);
    message[size - 1] = 0;
  };
  say("");
  try {
    const compile::CompiledVehicle compiled =
        compile::compile(vehicle::load_scenario(what != nullptr ? what : ""));
    return capi::for_c(capi::vehicle_model({compiled.description, {}}));
  } catch (const std::exception& e) {
    say(e.what());
    return nullptr;
  }
}
