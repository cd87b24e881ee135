// Tables of two gears with compliant teeth.
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key gear_keys[] = {
    key<&Gear::point>("point", "-", required, "the gear's centre"),
    key<&Gear::base>("base", "-", required, "the base the gear turns with"),
    key<&Gear::angle>("angle", "rad", required, "how far it has turned"),
    key<&Gear::radius>("radius", "m", required, "")};

constexpr Key pair_keys[] = {
    name_key,
    key<&GearPair::one>("one", "-", required, "the first gear; see gear"),
    key<&GearPair::two>("two", "-", required, "the second gear"),
    key<&GearPair::mesh>("mesh", "-", required, "where the teeth meet"),
    key<&GearPair::line>("line", "-", required, "direction of the tooth force on gear two"),
    key<&GearPair::line_base>("line_base", "-", required, "base of line"),
    key<&GearPair::stiffness>("stiffness", "N/m", required, "of the teeth along the line",
                              Limit::no_source),
    key<&GearPair::damping>("damping", "N s/m", "0", "", Limit::no_source),
    stiff_key};

}  // namespace

constinit const Section Gear::table = {"gear", "One gear of a pair.", gear_keys};
constinit const Section GearPair::table = {
    "gear_pair", "Two gears; tooth deflection is radius angle + radius angle.", pair_keys,
    "two gears with compliant teeth"};

}  // namespace klingel::vehicle
