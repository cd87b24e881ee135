// Operations of a vehicle's kernels, for `klingel ops`.
#pragma once

#include <string>

namespace klingel::cli {

struct VehicleOps {
  std::string vehicle;   // shipped name or file
  bool json = false;     // instead of the tables
  bool code = false;     // compile, and say how many bytes of machine code came out
  bool article = false;  // the article's second table beside ours
};

void print_vehicle_ops(const VehicleOps& arguments);

}  // namespace klingel::cli
