// A Kalman filter behind the C interface: inputs are those of the vehicle and the measurements,
// outputs are estimates with their standard deviations. A step is one of the filter, and the
// measurements are those of its end; what was never set, is NaN or has a `valid` of zero is
// missing. Packages and FMUs of estimates are made of it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "capi/model.hpp"
#include "kernel/abi.h"

namespace klingel::capi {

bool is_filter(std::string_view bytes);
// From bytes of filter_description.hpp. An Error if they are damaged or do not fit the kernels.
std::shared_ptr<const Model> filter_model_of(std::string_view bytes,
                                             std::span<const klingel_kernel* const> kernels,
                                             const std::string& what);

}  // namespace klingel::capi
