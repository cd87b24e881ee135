// The public class of klingel/linearise.hpp.
#include <klingel/linearise.hpp>

#include "simulation/linearise.hpp"

namespace klingel {

Lineariser::Lineariser(Simulation& vehicle, const std::vector<std::string>& states,
                       const std::vector<std::string>& given,
                       const std::vector<std::string>& channels)
    : vehicle_(&vehicle),
      of_(std::make_unique<simulation::Lineariser>(
          std::make_shared<const simulation::Description>(vehicle.instance().description()),
          vehicle.instance(), simulation::LineariseOptions{states, given, channels})) {}
Lineariser::Lineariser(Lineariser&&) noexcept = default;
Lineariser::~Lineariser() = default;

const std::vector<std::string>& Lineariser::states() const { return of_->state_names(); }
const std::vector<std::string>& Lineariser::given() const { return of_->given_names(); }
const std::vector<std::string>& Lineariser::channels() const { return of_->channel_names(); }
bool Lineariser::linearise() { return of_->linearise(vehicle_->instance()); }
double Lineariser::A(std::size_t i, std::size_t j) const { return of_->result().A(i, j); }
double Lineariser::B(std::size_t i, std::size_t j) const { return of_->result().B(i, j); }
double Lineariser::C(std::size_t i, std::size_t j) const { return of_->result().C(i, j); }
double Lineariser::D(std::size_t i, std::size_t j) const { return of_->result().D(i, j); }
std::size_t Lineariser::one_sided() const { return of_->result().one_sided; }
std::size_t Lineariser::across_events() const { return of_->result().across; }

}  // namespace klingel
