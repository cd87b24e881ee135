// Methods with error control are not for targets: their steps have no fixed work. `klingel export`
// refuses them, so this is never reached.
#include "runtime/dopri5.hpp"

#include "base/error.hpp"

namespace klingel::runtime {

struct Dopri5::Parts {};

Dopri5::Dopri5(std::size_t, double) {}
Dopri5::~Dopri5() = default;

bool Dopri5::attempt(const System&, Vector&, Vector&, double&, double&) {
  base::fail("methods with error control are not part of packages");
}

}  // namespace klingel::runtime
