// Suspension elements with characteristics, friction and internal states, as library calls. Each
// acts on a stroke: along the line between two points, along an axis of a base, or about one.
// Forces with internal states are taken at the end of the step by vehicles on tracks
// (docs/decisions/015-internal-states.md); docs/suspensions.md has the equations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mech/characteristic.hpp"
#include "mech/elements.hpp"

namespace klingel::mech {

// A deflection and what a force along it does: tension draws the ends together, a moment works
// against the turn.
struct Stroke {
  enum class Kind { line, axis, turn };
  Kind kind = Kind::line;
  std::string name;   // of the element, with a suffix where it has several strokes
  Expr length, rate;  // m and m/s, or rad and rad/s
  Attachment from, to;
  Vector direction;  // unit
  Base axes;         // of a stroke along an axis: what bears the couple that is left
};

Stroke stroke_along_line(Model& model, const std::string& name, Point from, Point to);
Stroke stroke_along_axis(Model& model, const std::string& name, Point from, Point to, Base axes,
                         int axis);
// The turn of `to` in `from` about an axis of `from`; exact about this axis alone.
Stroke stroke_about_axis(Model& model, const std::string& name, Base from, Base to, int axis);

// Force over deflection u: stiffness u + polynomial [0] u + polynomial [1] u^2 ... + curve(u), and
// stops that begin at clearance either side. Deflections count from `rest`.
struct SpringLaw {
  Scalar stiffness = 0, preload = 0;
  std::vector<Scalar> polynomial;
  std::optional<Characteristic> curve;
  struct Stop {
    Scalar pull, push;  // clearance: how far it may get longer and shorter, m
    Scalar stiffness, damping = 0;
  };
  std::optional<Stop> stop;
  std::optional<Scalar> rest;  // length without deflection; none: as the parts are placed
};

// Force over speed: damping v up to `blow_off`, beyond it more slowly; or a curve.
struct DamperLaw {
  Scalar damping = 0;
  std::optional<Scalar> blow_off;       // N
  Scalar blow_off_damping = 0;          // N s/m, beyond
  std::optional<Characteristic> curve;  // instead
};

// Spring and damper side by side.
void strut(Model& model, const Stroke& stroke, const SpringLaw& spring, const DamperLaw& damper);

// A spring of `end_stiffness` and a damper one behind the other (Maxwell), with its force as
// internal state, and beside them a spring (Zener). A blow-off damper needs blow_off_damping > 0.
void series_damper(Model& model, const Stroke& stroke, Scalar end_stiffness,
                   const DamperLaw& damper, const SpringLaw& beside);

// Dry friction of one stroke, or of several at right angles together, with the force of a spring of
// `stick_stiffness` as internal state: it sticks elastically and slides at the force `friction`.
void friction(Model& model, const std::vector<Stroke>& strokes, Scalar friction,
              Scalar stick_stiffness);

// A bar that twists when two links get different lengths: moment stiffness * (difference of their
// strokes / span) about an axis across them.
void anti_roll_bar(Model& model, const std::string& name, const Stroke& left, const Stroke& right,
                   Scalar span, Scalar stiffness, Scalar damping);

// Air spring after Nishimura: bag (K1) in series with reservoir (K2) beside orifice (C), and beside
// all the change of the area.
struct AirSpring {
  Scalar pressure;                        // absolute, Pa, as loaded
  Scalar outside = 101325;                // Pa
  Scalar area;                            // m^2
  Scalar area_change = 0;                 // dA/dz, m^2 per m of height
  Scalar volume, reservoir;               // m^3
  Scalar exponent = 1.3;                  // of the gas
  Scalar orifice_damping;                 // N s/m, of the bag's stroke
  Scalar shear_stiffness, shear_damping;  // N/m, N s/m, across
};
// `up` is the stroke along the axis of the spring, the others lie across it.
void air_spring(Model& model, const Stroke& up, const std::array<Stroke, 2>& across,
                const AirSpring& data);

}  // namespace klingel::mech
