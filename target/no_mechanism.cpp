// Stands for capi/mechanism_model.cpp in packages of vehicles.
#include "base/error.hpp"
#include "capi/mechanism_model.hpp"

namespace klingel::capi {

bool is_mechanism(std::string_view) { return false; }

MechanismDescription read_mechanism(std::string_view, const klingel_kernel*, const std::string&) {
  base::fail("mechanisms are not part of this package");
}

std::shared_ptr<const Model> mechanism_model(MechanismDescription) {
  base::fail("mechanisms are not part of this package");
}

}  // namespace klingel::capi
