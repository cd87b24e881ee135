// What a vehicle file says, as plain values: groups are instantiated, names are full names
// ("rear.front.z"), formulas are trees whose names are full names too. Nothing symbolic: room model
// makes a mech::Model of it. The words are those of the library (mech/model.hpp,
// mech/elements.hpp). The contents of files are described by tables of keys (schema.hpp), one for
// every struct that has a `table`; docs/vehicle_format.md shows them.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "vehicle/constraints.hpp"
#include "vehicle/elements.hpp"
#include "vehicle/value_types.hpp"

namespace klingel::vehicle {

// A number can be set before a run; a formula follows the parameters it is made of.
struct Parameter {
  std::string name;
  base::Place place;
  Expression value;
};

struct Coordinate {
  std::string name;
  base::Place place;
  double value = 0, rate = 0;  // at the start, m or rad and per second
};

struct Input {
  std::string name;
  base::Place place;
  double value = 0;  // while a scenario gives none
  std::string unit;
  std::optional<std::array<double, 2>> slider = {};  // least and largest value in a live view
};

// Orientation of a base in its parent.
struct Rotation {
  int axis = 0;  // 0, 1, 2: a coordinate axis
  Expression angle;
};
struct AxisRotation {
  Triple axis;  // components in the parent
  Expression angle;
};
struct EulerParameters {
  std::array<Expression, 4> e;
};
struct RotationMatrix {
  std::array<Expression, 9> R_PB;  // row by row
};

struct Base {
  static const Section table;
  std::string name;
  base::Place place;
  BaseName parent;
  std::variant<Rotation, AxisRotation, EulerParameters, RotationMatrix> turn;
};

struct Point {
  static const Section table;
  std::string name;
  base::Place place;
  PointName parent;
  BaseName base;
  Triple r;
};

struct Body {
  static const Section table;
  std::string name;
  base::Place place;
  PointName point;
  BaseName base;
  Expression mass;
  Triple com;
  std::array<Expression, 6> inertia;  // xx yy zz xy xz yz in the body's base
  bool about_point = false;           // else about the centre of mass
};

// Further results: formulas, or the motion of a point or base.
struct Output {
  enum class Measure { formulas, position, velocity, angular_velocity };
  static const Section table;
  std::string name;
  base::Place place;
  Measure measure = Measure::formulas;
  std::vector<Expression> values;
  std::string of, from;      // points, or bases of an angular velocity
  BaseName seen_from, base;  // of the frame, of the components
};

// What an instrument on the vehicle shows, along the axes of the base it turns with.
struct Sensor {
  enum class Kind { accelerometer, gyro, displacement, velocity };
  static const Section table;
  std::string name;
  base::Place place;
  Kind kind = Kind::accelerometer;
  PointName from, to;  // an accelerometer is at `to`; a gyro has neither
  BaseName base;
  bool gravity = true;  // of an accelerometer
  double cutoff = 0;    // Hz, of a low-pass filter; 0: none
};

// How a body is drawn.
struct Shape {
  static const Section table;
  std::string name;
  base::Place place;
  BodyName body;
  std::string kind;                        // box, cylinder, coach, wagon, locomotive
  std::array<double, 3> size{}, centre{};  // m, in the body's base
  std::string colour;                      // "#rrggbb", or empty
};

// Two wheels on an axle. Reference points of the wheels are at -distance/2 (right) and
// +distance/2 (left) along y of the base that does not spin.
struct Wheelset {
  static const Section table;
  std::string name;
  base::Place place;
  PointName point;
  BaseName base, spinning_base;
  CoordinateName spin;
  double radius = 0, radius_right = 0, radius_left = 0;
  Expression distance;
  std::string profile_right, profile_left;  // shipped name, or absolute path of a file
};

struct Material {
  double E = 210e9, poisson = 0.27, G = 210e9 / (2 * 1.27);  // Pa, -, Pa
};

// How the equations are made shorter (room reduce). None: they are as the article has them.
struct Reductions {
  static constexpr const char* known[] = {"trigonometric", "base_parameters", "elimination",
                                          "linearisation"};
  std::vector<std::string> names;  // among these
  std::vector<std::string> small;  // coordinates, by full name, for "linearisation"
  std::vector<std::string> drop;   // inertial parameters, for "elimination"
  base::Place place;
  bool has(std::string_view name) const;
};

// What channels body.x ... body.yaw and the speed of the vehicle are taken from.
struct Reference {
  static const Section table;
  BodyName body;
  BaseName base;                           // empty: the body's
  std::array<std::string, 6> coordinates;  // x y z roll pitch yaw; empty where there is none
};

// A vehicle of a train: its names begin with "NAME.", what is reported of it is its reference.
struct Unit {
  std::string name;
  Reference reference;  // without a body if its file names none
};

// A formula of parameters whose value has a limit: checked when the file is read, and again when
// parameters change later.
struct LimitedValue {
  Expression value;
  bool positive = false;  // greater than zero; else not negative
  std::string what;       // "'stiffness' (file:line)"
};

// A formula that was the value of a key with a unit.
struct FormulaOfKey {
  Expression value;
  std::string unit;
};

struct Vehicle {
  std::string name, about;
  std::string file;                // as messages call it
  std::filesystem::path folder;    // paths in the file are relative to it
  Triple gravity = {0, 0, -9.81};  // in the ground base
  bool exact_tangents = false;     // of stiff elements
  std::vector<Parameter> parameters;
  std::map<std::string, std::string> parameter_units;  // where they are known, by full name
  std::vector<Coordinate> coordinates;
  std::vector<Input> inputs;
  std::vector<Base> bases;
  std::vector<Point> points;
  std::vector<Body> bodies;
  std::vector<Element> elements;
  std::vector<Constraint> constraints;
  std::vector<Output> outputs;
  std::vector<Sensor> sensors;
  std::vector<Shape> shapes;
  std::vector<Wheelset> wheelsets;
  Material material;
  Reductions reductions;
  std::optional<Reference> reference;
  std::vector<Unit> units;          // of a train, front first; empty for a single vehicle
  std::vector<std::string> counts;  // "coach.count": can be set from outside, too
  std::optional<base::Place> time;  // where the first formula uses time, if one does
  std::vector<LimitedValue> limits;
  std::vector<std::string> warnings;
};

// A parameter, initial coordinate or input given from outside the file, by its full name.
struct Setting {
  std::string name;
  std::string value;  // a number or a formula
};

// Reads a vehicle file, or the vehicle.toml of a folder, or a shipped vehicle by its name. Wrong
// files are Errors with file, line and column.
Vehicle load_vehicle(const std::string& name_or_path, const std::vector<Setting>& settings = {});
// The same from text. `file` is what messages call it; relative paths begin in its folder.
Vehicle parse_vehicle(std::string_view text, const std::string& file,
                      const std::vector<Setting>& settings = {});

// The unit of a train that a full name belongs to; null for names of the train and without units.
const Unit* unit_of(const Vehicle& vehicle, const std::string& name);

// The file of a vehicle, as base/lookup.hpp finds it; `folder` is that of the file that names it.
std::filesystem::path find_vehicle(const std::string& name_or_path,
                                   const std::filesystem::path& folder = {});

// Values of parameters and of formulas of parameters.
class NominalValues {
 public:
  // Formulas that depend on themselves are an Error that shows the circle.
  explicit NominalValues(const std::vector<Parameter>& parameters);
  // Anything but parameters in the formula, or a result that is not finite, is an Error.
  double operator()(const Expression& e) const;
  // Whether a formula has a value here: it is made of numbers and parameters only.
  bool knows(const Expression& e) const;

  // Where readers put formulas that have limits; nowhere if it is null.
  std::vector<LimitedValue>* limits = nullptr;
  // And all formulas of parameters, with the units of their keys.
  std::vector<FormulaOfKey>* formulas = nullptr;

 private:
  std::map<std::string, double> values_;
};

}  // namespace klingel::vehicle
