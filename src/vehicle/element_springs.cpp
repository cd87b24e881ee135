// Tables of springs with dampers.
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

using Isotropic = IsotropicSpring;
constexpr Key isotropic_keys[] = {
    name_key,
    key<&Isotropic::from>("from", "-", required, "on the first body"),
    key<&Isotropic::to>("to", "-", required,
                        "on the second body; unloaded where the points coincide"),
    key<&Isotropic::stiffness>("stiffness", "N/m", required, "", Limit::no_source),
    key<&Isotropic::damping>("damping", "N s/m", "0", "", Limit::no_source),
    key<&Isotropic::seen_from>("seen_from", "-", "ground",
                               "the rate of the vector between the points is seen here"),
    key<&Isotropic::preload>("preload", "N", none, "force on 'to' where the points coincide"),
    key<&Isotropic::preload_base>("preload_base", "-", "ground", "base of preload"),
    stiff_key};

constexpr Key line_keys[] = {
    name_key,
    key<&LineSpring::from>("from", "-", required, "on the first body"),
    key<&LineSpring::to>("to", "-", required, "on the second body; never in the same place"),
    key<&LineSpring::stiffness>("stiffness", "N/m", required, "", Limit::no_source),
    key<&LineSpring::damping>("damping", "N s/m", "0", "", Limit::no_source),
    key<&LineSpring::natural_length>("natural_length", "m", "0", "length without force"),
    key<&LineSpring::preload>("preload", "N", "0", "tension at the natural length"),
    stiff_key};

constexpr Key bushing_keys[] = {
    name_key,
    key<&Bushing::from>("from", "-", required, "on the first body"),
    key<&Bushing::from_base>("from_base", "-", required, "the base the first body turns with"),
    key<&Bushing::to>("to", "-", required, "on the second body"),
    key<&Bushing::to_base>("to_base", "-", required, "the base the second body turns with"),
    key<&Bushing::axes>("axes", "-", "from_base",
                        "stiffness and damping are along and about its axes"),
    key<&Bushing::stiffness>("stiffness", "N/m", "0, 0, 0", "along x, y, z", Limit::no_source),
    key<&Bushing::damping>("damping", "N s/m", "0, 0, 0", "along x, y, z", Limit::no_source),
    key<&Bushing::turning_stiffness>("turning_stiffness", "N m/rad", "0, 0, 0", "about x, y, z",
                                     Limit::no_source),
    key<&Bushing::turning_damping>("turning_damping", "N m s/rad", "0, 0, 0", "about x, y, z",
                                   Limit::no_source),
    stiff_key};

using Torsion = TorsionSpring;
constexpr Key torsion_keys[] = {
    name_key,
    key<&Torsion::from>("from", "-", required, "of the first body"),
    key<&Torsion::to>("to", "-", required, "of the second body"),
    key<&Torsion::axis>("axis", "-", required, "axis of the moment"),
    key<&Torsion::axis_base>("axis_base", "-", "from", "base of axis"),
    key<&Torsion::angle>("angle", "rad", required, "turn of 'to' in 'from' about the axis"),
    key<&Torsion::stiffness>("stiffness", "N m/rad", required, "", Limit::no_source),
    key<&Torsion::damping>("damping", "N m s/rad", "0", "", Limit::no_source),
    key<&Torsion::rest>("rest", "rad", "0", "angle without moment"),
    key<&Torsion::preload>("preload", "N m", "0", "moment at rest"),
    stiff_key};

}  // namespace

constinit const Section IsotropicSpring::table = {
    "isotropic_spring", "Force stiffness r + damping dr/dt between two points.", isotropic_keys,
    "springs alike in all directions"};
constinit const Section LineSpring::table = {"line_spring",
                                             "Spring and damper along the line between two points.",
                                             line_keys, "springs along a line"};
constinit const Section Bushing::table = {
    "bushing", "Stiffness and damping along and about the axes of a base.", bushing_keys,
    "springs along and about three axes"};
constinit const Section TorsionSpring::table = {"torsion_spring",
                                                "Moment about an axis, linear in an angle.",
                                                torsion_keys, "springs about an axis"};

}  // namespace klingel::vehicle
