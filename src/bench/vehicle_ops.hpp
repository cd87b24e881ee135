// Operations of a vehicle's kernels, for `klingel ops`.
#pragma once

#include <cstddef>
#include <string>

#include "kernel/abi.h"

namespace klingel::bench {

struct VehicleOps {
  std::string vehicle;   // shipped name or file
  bool json = false;     // instead of the tables
  bool code = false;     // compile, and print the bytes of machine code
  bool article = false;  // the article's second table beside ours
};

// Bytes of machine code of all stages and functions; 0 for kernels that are not in a library of
// their own.
std::size_t code_bytes(const klingel_kernel& kernel);

void print_vehicle_ops(const VehicleOps& arguments);

}  // namespace klingel::bench
