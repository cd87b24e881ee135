// How a simulator gets the schemes for comparison, without what they are made of.
#pragma once

namespace klingel::step {
class Simulator;
}

namespace klingel::reference {

// From now on the simulator supports Scheme::trapezoidal and Scheme::reference. Their memory is
// taken when one of them is first used.
void add_comparison(step::Simulator& simulator);

}  // namespace klingel::reference
