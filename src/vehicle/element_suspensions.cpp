// Tables of suspensions with characteristics, friction and internal states.
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

// Without along and axes an element acts along the line between its points.
template <class T>
constexpr Key from_key = key<&T::from>("from", "-", required, "on the first body");
template <class T>
constexpr Key to_key = key<&T::to>("to", "-", required, "on the second body");
template <class T>
constexpr Key axes_key = key<&T::axes>("axes", "-", none,
                                       "with along: acts along an axis of this base");
template <class T>
constexpr Key along_key = key<&T::along>("along", "-", none,
                                         "that axis; without it along the line between the points");

// Dampers by damping and blow-off, or by a curve.
template <class T>
constexpr Key blow_off_key = key<&T::blow_off>("blow_off", "N", none,
                                               "force where the damper blows off",
                                               Limit::not_negative);
template <class T>
constexpr Key blow_off_damping_key = key<&T::blow_off_damping>("blow_off_damping", "N s/m", "0",
                                                               "beyond it", Limit::no_source);
template <class T>
constexpr Key damper_curve_key = key<&T::damper_curve>("damper_curve", "m/s, N", none,
                                                       "force over speed, instead of damping");

constexpr Key strut_keys[] = {
    name_key,
    from_key<Strut>,
    to_key<Strut>,
    axes_key<Strut>,
    along_key<Strut>,
    key<&Strut::stiffness>("stiffness", "N/m", "0", "", Limit::no_source),
    key<&Strut::polynomial>("polynomial", "N/m, N/m^2 ...", none,
                            "further force: factors of u, u^2, u^3 ..., u the deflection"),
    key<&Strut::curve>("curve", "m, N", none, "further force over the deflection"),
    key<&Strut::preload>("preload", "N", "0", "tension without deflection"),
    key<&Strut::rest>("rest", "m", none,
                      "length, or place along the axis, without deflection; default: as placed"),
    key<&Strut::clearance>("clearance", "m", none, "deflection where a stop begins",
                           Limit::not_negative),
    key<&Strut::push_clearance>("push_clearance", "m", none,
                                "the same where it gets shorter; default: clearance",
                                Limit::not_negative),
    key<&Strut::stop_stiffness>("stop_stiffness", "N/m", "0", "of the stop", Limit::no_source),
    key<&Strut::stop_damping>("stop_damping", "N s/m", "0", "of the stop", Limit::no_source),
    key<&Strut::damping>("damping", "N s/m", "0", "", Limit::no_source),
    blow_off_key<Strut>,
    blow_off_damping_key<Strut>,
    damper_curve_key<Strut>,
    stiff_key};

using Series = SeriesDamper;
constexpr Key series_keys[] = {
    name_key,
    from_key<Series>,
    to_key<Series>,
    axes_key<Series>,
    along_key<Series>,
    key<&Series::end_stiffness>("end_stiffness", "N/m", required,
                                "of the mounts, in series with the damper", Limit::positive),
    key<&Series::damping>("damping", "N s/m", "0", "required without damper_curve",
                          Limit::not_negative),
    blow_off_key<Series>,
    blow_off_damping_key<Series>,
    damper_curve_key<Series>,
    key<&Series::stiffness>("stiffness", "N/m", "0", "of a spring beside them", Limit::no_source),
    key<&Series::preload>("preload", "N", "0", "tension of that spring without deflection"),
    key<&Series::rest>("rest", "m", none, "its length without deflection; default: as placed"),
    stiff_key};

constexpr Key friction_keys[] = {
    name_key,
    from_key<Friction>,
    to_key<Friction>,
    axes_key<Friction>,
    along_key<Friction>,
    key<&Friction::across>("across", "-", none,
                           "instead of along: in the plane across this axis of axes"),
    key<&Friction::force>("force", "N", required, "when it slides; may follow a load",
                          Limit::no_source),
    key<&Friction::stick_stiffness>("stick_stiffness", "N/m", required, "while it sticks",
                                    Limit::positive),
    stiff_key};

using Torque = FrictionTorque;
constexpr Key friction_torque_keys[] = {
    name_key,
    key<&Torque::from>("from", "-", required, "base of the first body"),
    key<&Torque::to>("to", "-", required, "base of the second body"),
    key<&Torque::axis>("axis", "-", required, "of 'from'"),
    key<&Torque::torque>("torque", "N m", required, "when it slides; may follow a load",
                         Limit::no_source),
    key<&Torque::stick_stiffness>("stick_stiffness", "N m/rad", required, "while it sticks",
                                  Limit::positive),
    stiff_key};

constexpr Key bar_keys[] = {
    name_key,
    key<&AntiRollBar::from>("from", "-", required, "ends of the links on the first body"),
    key<&AntiRollBar::to>("to", "-", required, "on the second body, in the same order"),
    key<&AntiRollBar::axes>("axes", "-", required, "the links act along an axis of this base"),
    key<&AntiRollBar::along>("along", "-", required, "that axis"),
    key<&AntiRollBar::stiffness>("stiffness", "N m/rad", required, "moment over angle of roll",
                                 Limit::no_source),
    key<&AntiRollBar::damping>("damping", "N m s/rad", "0", "", Limit::no_source),
    stiff_key};

constexpr Key air_keys[] = {
    name_key,
    key<&AirSpring::from>("from", "-", required, "below it"),
    key<&AirSpring::to>("to", "-", required, "above it"),
    key<&AirSpring::axes>("axes", "-", required, "the base of its axis"),
    key<&AirSpring::along>("along", "-", required, "its axis, from 'from' to 'to'"),
    key<&AirSpring::pressure>("pressure", "Pa", required, "absolute, as placed", Limit::positive),
    key<&AirSpring::outside_pressure>("outside_pressure", "Pa", "101325", "absolute",
                                      Limit::not_negative),
    key<&AirSpring::area>("area", "m^2", required, "effective", Limit::positive),
    key<&AirSpring::area_change>("area_change", "m", "0", "of the area by height, dA/dz"),
    key<&AirSpring::volume>("volume", "m^3", required, "of the bag", Limit::positive),
    key<&AirSpring::reservoir>("reservoir", "m^3", required, "auxiliary volume", Limit::positive),
    key<&AirSpring::exponent>("exponent", "1", "1.3", "of the gas: 1 isothermal, 1.4 adiabatic",
                              Limit::positive),
    key<&AirSpring::orifice_damping>("orifice_damping", "N s/m", required,
                                     "of the flow between both, as force over speed of the bag",
                                     Limit::positive),
    key<&AirSpring::shear_stiffness>("shear_stiffness", "N/m", "0", "across the axis",
                                     Limit::no_source),
    key<&AirSpring::shear_damping>("shear_damping", "N s/m", "0", "across the axis",
                                   Limit::no_source),
    stiff_key};

}  // namespace

constinit const Section Strut::table = {
    "strut", "Spring and damper with characteristics and stops along a line or an axis.",
    strut_keys, "springs and dampers with characteristics"};
constinit const Section SeriesDamper::table = {
    "series_damper", "Damper in series with a spring, with its force as internal state.",
    series_keys, "dampers with the stiffness of their ends"};
constinit const Section Friction::table = {
    "friction", "Dry friction that sticks elastically, with its force as internal state.",
    friction_keys, "dry friction along lines, axes or planes"};
constinit const Section FrictionTorque::table = {
    "friction_torque", "Dry friction about an axis, as of a centre plate.", friction_torque_keys,
    "dry friction about an axis"};
constinit const Section AntiRollBar::table = {"anti_roll_bar", "A torsion bar with two links.",
                                              bar_keys, "anti-roll bars"};
constinit const Section AirSpring::table = {
    "air_spring", "Air spring with reservoir and orifice (Nishimura), with one internal state.",
    air_keys, "air springs"};

}  // namespace klingel::vehicle
