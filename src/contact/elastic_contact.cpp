#include "contact/elastic_contact.hpp"

namespace klingel::contact {
namespace {

// where surfaces overlap; it may pull
template <class T>
ElasticForceOf<T> formula(const ElasticContact& contact, const T& delta, const T& rate) {
  if (contact.law == ElasticLaw::linear)
    return {contact.k * delta + contact.c * rate, T{} + contact.k, T{} + contact.c};
  const T root = base::root(delta), still = contact.k * delta * root;
  const T damping = 1 + contact.c * rate;
  return {still * damping, 1.5 * contact.k * root * damping, still * contact.c};
}

}  // namespace

ElasticForce elastic_force(const ElasticContact& contact, double delta, double rate) noexcept {
  if (!(delta > 0)) return {};
  const ElasticForce out = formula(contact, delta, rate);
  return out.N > 0 ? out : ElasticForce{};
}

ElasticForceOf<base::Pack> elastic_force(const ElasticContact& contact, const base::Pack& delta,
                                         const base::Pack& rate) noexcept {
  constexpr base::Pack nothing{};
  const ElasticForceOf<base::Pack> out = formula(contact, delta, rate);
  const base::Mask presses = (delta > nothing) & (out.N > nothing);
  return {base::select(presses, out.N, nothing), base::select(presses, out.dN_ddelta, nothing),
          base::select(presses, out.dN_drate, nothing)};
}

}  // namespace klingel::contact
