// Stands for capi/vehicle_model.cpp in packages of mechanisms.
#include "base/error.hpp"
#include "capi/filter_model.hpp"
#include "capi/vehicle_model.hpp"

namespace klingel {

simulation::StoredDescription simulation::read_description(std::string_view,
                                                           std::span<const klingel_kernel* const>,
                                                           const std::string&) {
  base::fail("vehicles are not part of this package");
}

std::shared_ptr<const capi::Model> capi::vehicle_model(simulation::StoredDescription,
                                                       std::string_view) {
  base::fail("vehicles are not part of this package");
}

bool capi::is_filter(std::string_view) { return false; }

std::shared_ptr<const capi::Model> capi::filter_model_of(std::string_view,
                                                         std::span<const klingel_kernel* const>,
                                                         const std::string&) {
  base::fail("filters are not part of this package");
}

}  // namespace klingel
