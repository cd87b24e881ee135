// Runs a mechanism from generated C that was compiled elsewhere: what stands here is all of Klingel
// that a machine needs which only simulates. No symbols, no files of vehicles, no compiler.
//
//   runtime LIBRARY MODEL [SECONDS]
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "kernel/abi.h"
#include "kernel/check.h"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "mechanism/mechanism.hpp"

namespace {

// The table of a model in a shared library, checked; null after a message.
const klingel_kernel* load(const char* file, const std::string& model) {
  void* library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  void* entry = library != nullptr ? ::dlsym(library, (model + "_kernel").c_str()) : nullptr;
  if (entry == nullptr) {
    std::fprintf(stderr, "runtime: %s\n", ::dlerror());
    return nullptr;
  }
  const klingel_kernel* kernel = reinterpret_cast<klingel_kernel_entry*>(entry)();
  char message[200];
  if (klingel_kernel_check(kernel, message, sizeof message) == 0) return kernel;
  std::fprintf(stderr, "runtime: %s: %s\n", file, message);
  return nullptr;
}

int simulate(const klingel_kernel& kernel, double seconds) {
  klingel::mechanism::Mechanism mechanism(kernel);
  klingel::mechanism::State state = mechanism.nominal_state();
  klingel::mechanism::assemble(mechanism, state, {});
  klingel::mechanism::Integrator integrator(mechanism, {.h = 1e-3});
  if (integrator.advance(state, seconds) != klingel::runtime::Status::ok) {
    std::fprintf(stderr, "runtime: %s\n", integrator.failure_text().c_str());
    return 3;
  }
  std::printf("t %.17g\n", state.t);
  for (std::size_t i = 0; i < mechanism.coordinates(); ++i) {
    std::printf("%s %.17g\n%s %.17g\n", mechanism.coordinate_names()[i].c_str(), state.q[i],
                mechanism.rate_names()[i].c_str(), state.dq[i]);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3 || count > 4) {
    std::fprintf(stderr, "usage: runtime LIBRARY MODEL [SECONDS]\n");
    return 2;
  }
  const klingel_kernel* kernel = load(arguments[1], arguments[2]);
  if (kernel == nullptr) return 2;
  try {
    return simulate(*kernel, count == 4 ? std::atof(arguments[3]) : 1);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "runtime: %s\n", e.what());
    return 2;
  }
}
