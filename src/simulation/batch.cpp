#include "simulation/batch.hpp"

#include "base/error.hpp"
#include "step/step_names.hpp"

namespace klingel::simulation {

Batch::Batch(std::shared_ptr<const Description> on_lanes, const Instance& like)
    : description_(std::move(on_lanes)), batch_(description_->data) {
  fill(like);
}

Batch::Batch(Batch& kind, const Instance& like)
    : description_(kind.description_), batch_(kind.batch_[0].description()) {
  fill(like);
}

Batch Batch::beside(const Batch& neighbour, const Instance& like) {
  return {neighbour.description_, step::Batch::beside(neighbour.batch_), like};
}

Batch::Batch(std::shared_ptr<const Description> description, step::Batch batch,
             const Instance& like)
    : description_(std::move(description)), batch_(std::move(batch)) {
  fill(like);
}

void Batch::fill(const Instance& like) {
  const step::Scheme scheme = description_->method.scheme;
  if (scheme == step::Scheme::trapezoidal || scheme == step::Scheme::reference) {
    base::fail("vehicles on lanes know no integrator '{}'; use imex, or single vehicles",
               step::name(scheme));
  }
  for (std::size_t i = 0; i < batch_.size(); ++i)
    vehicles_.emplace_back(description_, batch_[i], like).become(like);
}

Instance& Batch::at(std::size_t i) {
  if (i >= size()) base::fail("there is no vehicle {} in a batch of {}", i, size());
  return vehicles_[i];
}

bool Batch::step() {
  batch_.give_states();
  for (std::size_t i = 0; i < size(); ++i)
    if (!failed(i)) vehicles_[i].before_step();
  const bool some_are_left = batch_.step(description_->step, description_->method);
  for (std::size_t i = 0; i < size(); ++i) vehicles_[i].after_step(!failed(i));
  return some_are_left;
}

void Batch::restore(std::size_t i, std::string_view state) {
  vehicles_[i].restore(state);
  batch_.revive(i);
}

}  // namespace klingel::simulation
