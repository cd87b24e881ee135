#include "wheelrail/elastic_contact.hpp"

#include <cmath>

namespace klingel::wheelrail {

ElasticForce elastic_force(const ElasticContact& contact, double delta, double rate) noexcept {
  if (!(delta > 0)) return {};
  ElasticForce out;
  if (contact.law == ElasticLaw::linear) {
    out = {contact.k * delta + contact.c * rate, contact.k, contact.c};
  } else {
    const double root = std::sqrt(delta), still = contact.k * delta * root;
    const double damping = 1 + contact.c * rate;
    out = {still * damping, 1.5 * contact.k * root * damping, still * contact.c};
  }
  return out.N > 0 ? out : ElasticForce{};
}

}  // namespace klingel::wheelrail
