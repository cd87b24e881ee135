// A description as bytes: what a package or FMU carries, so that the target needs neither the
// files of the vehicle nor the compiler. Kernels are not in it; they are named by model and hash,
// and whoever reads gives them. The bytes depend on the description alone.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "simulation/description.hpp"
#include "step/vehicle_state.hpp"

namespace klingel::simulation {

struct StoredDescription {
  std::shared_ptr<const Description> description;
  // Where Instance::start() leads with nominal parameters and friction, so that it need not be
  // found on the target.
  std::optional<step::VehicleState> start;
};

std::string description_bytes(const StoredDescription& stored);

// The kernels must outlive it. An Error if the bytes are damaged, of another version, or if a
// kernel is missing or another one. `what` is for messages.
StoredDescription read_description(std::string_view bytes,
                                   std::span<const klingel_kernel* const> kernels,
                                   const std::string& what);

// The kernel of a model and hash; an Error if it is missing or another one. Null without a name.
const klingel_kernel* find_kernel(std::span<const klingel_kernel* const> kernels,
                                  const std::string& model, const std::string& hash);

// A state as part of other bytes.
void state_fields(base::ByteWriter& bytes, step::VehicleState& state);
void state_fields(base::ByteReader& bytes, step::VehicleState& state);

}  // namespace klingel::simulation
