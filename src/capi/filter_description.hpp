// A Kalman filter as plain values and as bytes: what a package or FMU of an estimate carries.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "capi/model.hpp"
#include "kalman/vehicle_model.hpp"
#include "simulation/description_file.hpp"

namespace klingel::capi {

struct FilterDescription {
  std::string name;
  simulation::StoredDescription vehicle;  // with its start
  // The same with kernels on lanes and those of derivatives, for the filter.
  std::shared_ptr<const simulation::Description> on_lanes;
  kalman::Setup setup;
  kalman::StartValues start;
};

// Kernels are named and given by whoever reads, as those of a vehicle.
std::string filter_bytes(const FilterDescription& description);
FilterDescription read_filter(std::string_view bytes,
                              std::span<const klingel_kernel* const> kernels,
                              const std::string& what);

// `bytes`: of the description, for the token.
std::shared_ptr<const Model> filter_model(FilterDescription description, std::string_view bytes);

}  // namespace klingel::capi
