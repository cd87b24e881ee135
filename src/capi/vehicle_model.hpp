// A vehicle on its track behind the C interface.
#pragma once

#include "capi/model.hpp"
#include "simulation/description_file.hpp"

namespace klingel::capi {

// The token is made of kernels and data if the latter's bytes are given, else of the kernels.
std::shared_ptr<const Model> vehicle_model(simulation::StoredDescription stored,
                                           std::string_view bytes = {});

}  // namespace klingel::capi
