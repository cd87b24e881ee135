// An ordinary mechanism behind the C interface: fixed steps from its assembled start.
#pragma once

#include "capi/model.hpp"
#include "kernel/abi.h"
#include "mechanism/mechanism.hpp"

namespace klingel::capi {

struct MechanismDescription {
  const klingel_kernel* kernel = nullptr;
  std::vector<std::string> constraints;  // names
  std::vector<std::string> held;         // coordinates kept when it is assembled
  std::string method = "rk4";            // of fixed steps
  double step = 1e-3, duration = 10;     // s
};

std::string mechanism_bytes(const MechanismDescription& description);
// The kernel must outlive it. Damaged bytes or another kernel are an Error.
MechanismDescription read_mechanism(std::string_view bytes, const klingel_kernel* kernel,
                                    const std::string& what);
// Whether the bytes are those of a mechanism; else they may be those of a vehicle.
bool is_mechanism(std::string_view bytes);

// Methods with error control are an Error: their steps have no fixed work.
std::shared_ptr<const Model> mechanism_model(MechanismDescription description);

}  // namespace klingel::capi
