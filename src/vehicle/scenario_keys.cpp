// Keys of scenario files; see keys.hpp.
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key scenario_file_keys[] = {
    {"extends", "path", "-", "none",
     "another scenario file; values of this file replace its values"},
    {"scenario", "table", "-", "required", "vehicle, track, start and time step"},
    {"creep", "table", "-", "defaults", "law of the creep forces"},
    {"contact", "table", "-", "defaults", "how wheels touch rails"},
    {"material", "table", "-", "the vehicle's", "E, poisson, G; see material of vehicles"},
    {"parameters", "table", "-", "the vehicle's",
     "values of parameters of the vehicle, by full name in quotes"},
    {"inputs", "table", "-", "the vehicle's",
     "\"NAME\" = number, ramp or table; full names in quotes"},
    {"driver", "table", "-", "none", "keeps the speed; without it the vehicle rolls"},
    {"rail_friction", "table", "-", "none", "friction along the track, instead of creep.friction"},
    {"output", "table", "-", "defaults", "what is recorded"}};

constexpr Key scenario_keys[] = {
    {"name", "text", "-", "the vehicle's", "for reports"},
    {"about", "text", "-", "none", "one sentence"},
    {"vehicle", "text", "-", "vehicle.toml of this folder",
     "a shipped vehicle, or the path of a vehicle file or its folder, relative to this file"},
    {"track", "text", "-", "straight", "a shipped track, or a track file relative to this file"},
    {"speed", "number", "m/s", "0", "at the start, along the track"},
    {"position", "number", "m", "0", "of the reference body along the track, at the start"},
    {"duration", "number", "s", "10", "how long it runs"},
    {"step", "number", "s", "1e-3", "time step"},
    {"integrator", "word", "-", "imex",
     "imex, imex-printed (the article's, with an error of the creepage in curves), explicit-euler, "
     "trapezoidal, reference (error controlled, slow)"},
    {"method", "word", "-", "static_lu",
     "linear algebra of the step: static_lu, or partitioning (LU with full pivoting, the "
     "article's)"},
    {"equilibrium", "word", "-", "static",
     "how the start is found: static, quasi-static (as after a long run at this speed in the curve "
     "at position), none"},
    {"hold", "table", "m or rad", "none",
     "NAME = value: coordinates held while the start is found, full names in quotes; those of the "
     "reference body are relative to the track: x from position, y from its middle, yaw from its "
     "heading; not with quasi-static"}};

constexpr Key creep_keys[] = {
    {"law", "word", "-", "she",
     "linear (Kalker), she (Shen-Hedrick-Elkins saturation), polach, fastsim"},
    {"friction", "number or table", "-", "0.3",
     "one value, or { other = value, \"WHEEL\" = value }"},
    {"kalker", "word", "-", "linear", "interpolation of Kalker's table: linear or smooth"},
    {"values", "table", "-", "the law's",
     "further numbers of the law: A, B (friction falling with slip) of all but linear; k_A, k_S "
     "(reduction factors) of polach; strips of fastsim"}};

constexpr Key contact_keys[] = {
    {"tread", "word", "-", "loaded",
     "loaded (points share the load, which changes smoothly), rigid (the article's one point)"},
    {"mode", "word", "-", "unilateral",
     "of a rigid tread: unilateral (may lift), bilateral (the article's)"},
    {"flange", "true or false", "-", "true",
     "loaded tread: whether the flange may be a sheet of its own; rigid tread: whether a second, "
     "elastic point is looked for"},
    {"flange_zone", "two numbers", "mm", "by the profiles; rigid tread: 33, 55",
     "distances from the taping line between which the flange touches; a loaded tread uses the "
     "first"},
    {"flange_stiffness", "number", "N/m", "5e7", "of a rigid tread's flange, along the normal"},
    {"flange_damping", "number", "N s/m", "1e5", "of a rigid tread's flange, along the normal"},
    {"rail_stiffness", "number", "N/m", "0",
     "of the rail behind a loaded flange, along its normal; 0: a rigid rail"},
    {"rail_damping", "number", "N s/m", "0", "parallel to rail_stiffness"},
    {"curvature_floor", "number", "1/m", "0.05",
     "rigid tread: lower bound of the sum of curvatures B"}};

constexpr Key input_keys[] = {{"from", "number", "N or N m", "0", "ramp: value before it"},
                              {"to", "number", "N or N m", "required", "ramp: value after it"},
                              {"begin", "number", "s", "0", "ramp: where it begins"},
                              {"end", "number", "s", "required", "ramp: where it ends"},
                              {"times", "numbers", "s", "none", "table: ascending times"},
                              {"values", "numbers", "N or N m", "none",
                               "table: as many values; linear between, constant outside"}};

constexpr Key driver_keys[] = {
    {"mode", "word", "-", "body",
     "body: a force on the reference body along its x; wheelsets: torques on all wheelsets, with "
     "their reaction on that body"},
    {"s", "numbers", "m", "none", "ascending places along the track"},
    {"speed", "number or numbers", "m/s", "required",
     "there; one number: everywhere. Linear between, constant outside"},
    {"response", "number", "s", "0.2", "time in which it corrects the speed, and looks ahead"}};

constexpr Key rail_friction_keys[] = {
    {"s", "numbers", "m", "required", "ascending places along the track"},
    {"left", "number or numbers", "-", "required",
     "coefficient on the left rail there; one number: everywhere. Linear between"},
    {"right", "number or numbers", "-", "required", "on the right rail"}};

constexpr Key scenario_output_keys[] = {
    {"interval", "number", "s", "0.01",
     "between recorded values; the nearest whole number of steps is taken"},
    {"channels", "list of texts", "-", "default",
     "names of the channels in results, instead of the default ones; * matches any text, \"all\" "
     "means all there are, \"default\" those without this key"}};

constexpr Section sections[] = {
    {"scenario file", "Top level of a scenario file.", scenario_file_keys},
    {"scenario", "The run.", scenario_keys},
    {"creep", "Creep forces.", creep_keys},
    {"contact", "Contact of wheels and rails.", contact_keys},
    {"input", "A table that gives an input over time.", input_keys},
    {"driver", "Keeps the speed of the vehicle.", driver_keys},
    {"rail_friction", "Friction as a function of distance and side.", rail_friction_keys},
    {"output of a scenario", "What is recorded.", scenario_output_keys},
};

}  // namespace

std::span<const Section> scenario_sections() { return sections; }

}  // namespace klingel::vehicle
