// The energy of a vehicle and the work done on it.
#pragma once

namespace klingel::step {

struct EnergyBalance {
  double kinetic = 0, potential = 0;  // J; potential: of weight and springs
  double contacts = 0;                // stored in elastic contacts
  double inputs = 0, dampers = 0;     // work of inputs; of dampers, never positive
  double creep = 0;                   // work of creep forces: never positive
  double normal = 0;                  // work of normal forces: what contacts store less, at most
  double impacts = 0;                 // lost where rigid wheels hit their rails: never positive
  double track = 0;                   // work of rails that move on the wheels
  double exchanged = 0;               // sum of all work without regard to sign
  double start = 0;                   // kinetic and potential energy at the beginning
  double start_contacts = 0;          // stored in contacts then
  double error() const {
    return kinetic + potential - start - inputs - dampers - creep - normal - impacts - track;
  }
  // What normal forces put in beyond what contacts gave back: zero or a little less on fixed rails.
  double normal_gain() const { return normal + contacts - start_contacts; }
};

}  // namespace klingel::step
