// Force elements as library calls. Each adds its actions (equal and opposite) and, where it stores
// energy, its potential to the model.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "mech/kinematics.hpp"
#include "mech/model.hpp"

namespace klingel::mech {

// Where an element holds a body: a point that moves with it and the base it turns with.
struct Attachment {
  Point point;
  Base base;
};

// Linear in all directions: force stiffness * r + damping * dr/dt from `from` towards `to`, r the
// vector between the points, its rate as seen from base `seen_from`. Unloaded where the points
// coincide; raise one of them by the natural length, or give the force `preload` that acts at r = 0
// (on `to`, constant in the ground if the energy is to hold). The damping force is not along r: as
// in the article its ends leave the couple damping r x dr/dt; a bushing does not.
void isotropic_spring(Model& model, const std::string& name, Point from, Point to, Scalar stiffness,
                      Scalar damping, Base seen_from, std::optional<Vector> preload = std::nullopt);

// Along the line between two points: tension stiffness (l - natural_length) + damping dl/dt +
// preload. The points must not coincide.
void line_spring(Model& model, const std::string& name, Point from, Point to, Scalar stiffness,
                 Scalar damping, Scalar natural_length, Scalar preload = 0);

// Separate stiffness and damping along the axes of a base (a bushing), and optionally about them.
// The axes may be fixed to either body or to a third one, which then bears the couple that is
// left. Turning: the potential of R, the turn of `to.base` in `from.base`, that has the given
// stiffness at small angles; about one axis the moment is stiffness * sin(angle).
struct Bushing {
  std::array<Scalar, 3> stiffness = {0, 0, 0}, damping = {0, 0, 0};  // N/m, N s/m
  std::array<Scalar, 3> turning_stiffness = {0, 0, 0},
                        turning_damping = {0, 0, 0};  // N m/rad, N m s/rad
};
void bushing(Model& model, const std::string& name, Attachment from, Attachment to, Base axes,
             const Bushing& data);

// Moment -(stiffness (angle - rest) + damping d(angle)/dt + preload) about an axis on `to`,
// opposite on `from`; `angle` is the expression that measures the turn of `to` in `from` about the
// axis.
void torsion_spring(Model& model, const std::string& name, Base from, Base to, const Vector& axis,
                    Expr angle, Scalar stiffness, Scalar damping, Scalar rest = 0,
                    Scalar preload = 0);

// Two gears with compliant teeth: tooth deflection u = radius_1 angle_1 + radius_2 angle_2 (gears
// that mesh externally turn against each other), tooth force stiffness u + damping du/dt along
// `line`, acting on gear 2 at the mesh point and opposite on gear 1.
struct Gear {
  Attachment body;  // point: the gear's centre
  Expr angle;
  Scalar radius;
};
void gear_pair(Model& model, const std::string& name, const Gear& one, const Gear& two, Point mesh,
               const Vector& line, Scalar stiffness, Scalar damping);

// A force or torque from outside on `to`, with its reaction on `from` if there is one. A force and
// its reaction balance only if they are on one line.
void applied_force(Model& model, const std::string& name, const Vector& force, Point to,
                   std::optional<Point> from = {});
void applied_torque(Model& model, const std::string& name, const Vector& torque, Base to,
                    std::optional<Base> from = {});

}  // namespace klingel::mech
