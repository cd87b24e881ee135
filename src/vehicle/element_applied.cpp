// Tables of forces and torques from outside.
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key force_keys[] = {
    name_key,
    key<&AppliedForce::force>("force", "N", required, "may use inputs"),
    key<&AppliedForce::base>("base", "-", "ground", "base of force"),
    key<&AppliedForce::to>("to", "-", required, "where it acts"),
    key<&AppliedForce::from>("from", "-", none, "where its reaction acts"),
    stiff_key};

constexpr Key torque_keys[] = {
    name_key,
    key<&AppliedTorque::torque>("torque", "N m", required, "may use inputs"),
    key<&AppliedTorque::base>("base", "-", "to", "base of torque"),
    key<&AppliedTorque::to>("to", "-", required, "of the body it acts on"),
    key<&AppliedTorque::from>("from", "-", none, "of the body its reaction acts on"),
    stiff_key};

}  // namespace

constinit const Section AppliedForce::table = {"applied_force", "A force from outside.", force_keys,
                                               "forces from outside"};
constinit const Section AppliedTorque::table = {"applied_torque", "A torque from outside.",
                                                torque_keys, "torques from outside"};

}  // namespace klingel::vehicle
