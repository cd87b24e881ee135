// The description of a mechanism: symbols, a tree of bases, a tree of points, bodies, actions and
// constraints. What is computed from it is in kinematics.hpp and equations.hpp.
//
//   Model m("pendulum");
//   const auto theta = m.coordinate("theta", 0.5);
//   const Expr l = m.parameter("l", 1.0), mass = m.parameter("mass", 2.0);
//   const Base  B = m.rotation("B", m.ground_base(), axis::y, theta.q);
//   const Point P = m.point("P", m.origin(), m.vector(B, 0, 0, -l));
//   m.body("bob", P, B, mass);
//   m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
//
// Bases and points are made below ones that exist, so a loop in a tree cannot be written; loops of
// a mechanism are closed by constraints. A model does not move in memory: handles point to it.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "mech/vector.hpp"
#include "sym/graph.hpp"

namespace klingel::mech {

namespace axis {
inline constexpr int x = 0, y = 1, z = 2;
}

// A number or an expression, so that points and parameters may be written with plain numbers.
struct Scalar {
  Scalar(Expr e) : value(e) {}
  Scalar(double v) : value(v) {}
  Scalar(int v) : value(static_cast<double>(v)) {}
  std::variant<Expr, double> value;
};

// Orientation of a base in its parent.
struct BaseNode {
  std::string name;
  std::uint32_t parent = 0;  // the root is its own parent
  Block R_PB;                // components in this base B to components in its parent P
  Triple w_PB;               // angular velocity of B in P, components in B
};

struct PointNode {
  std::string name;
  std::uint32_t parent = 0;  // the root is its own parent
  Base base;                 // of r
  Triple r;                  // from the parent to this point
};

// A rigid body: a point and a base, which may hang on different branches of the two trees.
struct Body {
  std::string name;
  Point point;
  Base base;
  Expr mass;
  Vector com;      // from point to the centre of mass G
  Tensor inertia;  // about G. Both in a base in which they are constant: see Model::body
  // Of regrouped parameters (Model::regroup), which are no longer those of a real body: the first
  // moment about `point`, in the base of the inertia, which is then about `point`, too. `com` is
  // zero.
  std::optional<Triple> first_moment = {};
};

// An action on a body: force at a point, moment on the base the body turns with.
// How an element answers a deflection: a force -(stiffness deflection + damping rate) along it, to
// first order. For implicit steps, which take such forces at their end.
struct ElementLaw {
  std::string element;
  Expr rate;  // of the deflection, linear in dq
  Expr stiffness, damping;
  // Of a force with an internal state: over a step it changes by stiffness (change of the
  // deflection) + drift. Empty: it has none.
  Expr drift = {};
};

// An internal state of an element: the force of a spring that ends in a damper or in friction. It
// changes from step to step, with the stroke of the element (docs/decisions/015).
struct InternalState {
  std::string name;
  Expr value;       // at t, a symbol
  Expr stroke;      // of the element, by q
  Expr stroke_end;  // at t+h, a symbol
  Expr next;        // the state at t+h, by value, stroke and stroke_end
};

struct Action {
  std::string name;
  Vector force;
  Point point;
  Vector moment;
  Base base;
};

// A scalar that is recorded as a channel: the force of an element, the reading of a sensor. It may
// contain accelerations (ddq): those of a step are known when it has been done.
struct Measure {
  std::string name;  // of the channel: "force.yaw_damper"
  std::string unit, about;
  Expr value;
};

struct Constraint {
  std::string name;
  Expr phi;
};

class Model {
 public:
  explicit Model(std::string name);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const std::string& name() const { return name_; }
  sym::Graph& graph() { return graph_; }

  // Symbols. Values are defaults for simulation, reports and self-tests.
  sym::Coordinate coordinate(const std::string& name, double value = 0, double rate = 0);
  sym::Coordinate contact_coordinate(const std::string& name, double value = 0, double rate = 0);
  Expr parameter(const std::string& name, double value);
  Expr input(const std::string& name, double value = 0);
  Expr force(const std::string& name, double value = 0);
  Expr number(double value) { return graph_.number(value); }
  Expr expression(const Scalar& s);

  // Bases. Angles in rad; the rotation takes the parent's axes to the new ones.
  Base ground_base() { return {this, 0}; }
  Base rotation(const std::string& name, Base parent, int coordinate_axis, Scalar angle);
  // About an axis given by components in the parent; it is normalised. A zero axis is an error.
  Base rotation(const std::string& name, Base parent, std::array<Scalar, 3> axis, Scalar angle);
  // By Euler parameters e0 (scalar), e1, e2, e3, whose norm the user keeps at 1 by a constraint.
  Base euler_parameters(const std::string& name, Base parent, std::array<Expr, 4> e);
  // By a matrix R_PB given row by row, orthonormal for all values of its symbols.
  Base rotation_matrix(const std::string& name, Base parent, std::array<Scalar, 9> R_PB);
  Base base(const std::string& name);  // an existing one

  // Points.
  Point origin() { return {this, 0}; }
  Point point(const std::string& name, Point parent, const Vector& r);
  Point point(const std::string& name);  // an existing one
  Frame ground() { return {origin(), ground_base()}; }

  Vector vector(Base base, Scalar x, Scalar y, Scalar z);
  Vector zero_vector() { return vector(ground_base(), 0, 0, 0); }
  Vector axis_vector(Base base, int coordinate_axis);
  Tensor tensor(Base base, std::array<Scalar, 9> rows);
  // Symmetric tensor from moments and products; products are entries of the tensor.
  Tensor inertia(Base base, Scalar xx, Scalar yy, Scalar zz, Scalar xy = 0, Scalar xz = 0,
                 Scalar yz = 0);

  // Bodies. The tensor is about the centre of mass. A body of revolution (two moments are one
  // expression, no products, centre of mass on the axis) whose base spins about its axis is
  // described in the base that does not spin, so that the angle of spin vanishes from the
  // equations.
  const Body& body(const std::string& name, Point point, Base base, Scalar mass);  // a point mass
  const Body& body(const std::string& name, Point point, Base base, Scalar mass, const Vector& com,
                   const Tensor& inertia_about_com);
  // The same with the tensor given about `point`.
  const Body& body_about_point(const std::string& name, Point point, Base base, Scalar mass,
                               const Vector& com, const Tensor& inertia_about_point);
  const Body& body(const std::string& name) const;
  // Other masses and inertias that give the same equations of motion, to make these from: base
  // parameters (reduce/base_parameters.hpp). Energies, reports and pictures keep the bodies.
  void regroup(std::vector<Body> inertias);
  const std::deque<Body>& inertias() const { return inertias_.empty() ? bodies_ : inertias_; }

  void set_gravity(const Vector& g);  // e.g. (0, 0, -9.81) in the ground base
  const std::optional<Vector>& gravity() const { return gravity_; }

  // Actions from outside or between bodies. Ready elements are in elements.hpp.
  void add_force(const std::string& name, const Vector& force, Point point);
  void add_moment(const std::string& name, const Vector& moment, Base base);
  // Potential energy of an element, for energy balances.
  void add_potential(Expr energy);

  // The law of an element along one deflection. Actions are not made from it.
  void add_law(const std::string& element, Expr rate, Scalar stiffness, Scalar damping);

  // The change of a force with an internal state over a step.
  void add_internal_law(const std::string& element, Expr rate, Expr stiffness, Expr drift);
  // A state, zero at the start: its index. advance() says how it changes.
  std::size_t internal_state(const std::string& name, Expr stroke);
  void advance(std::size_t state, Expr next, Expr rate);
  Expr step();  // the time step h, for `next`

  // Constraints phi = 0 in q, s and t.
  void constrain(const std::string& name, Expr phi);

  // Further results as kernel outputs.
  void output(const std::string& name, std::span<const Expr> values);

  // A channel of recordings.
  void measure(const std::string& name, const std::string& unit, const std::string& about,
               Expr value);
  // Three of them, of components: NAME.x, NAME.y, NAME.z.
  void measure(const std::string& name, const std::string& unit, const std::string& about,
               const Triple& values);

  // Contents, in the order of definition.
  const std::vector<sym::Coordinate>& coordinates() const { return coordinates_; }
  const std::vector<sym::Coordinate>& contact_coordinates() const { return contact_coordinates_; }
  const std::vector<Expr>& parameters() const { return parameters_; }
  const std::vector<Expr>& inputs() const { return inputs_; }
  const std::vector<Expr>& forces() const { return forces_; }
  const std::vector<BaseNode>& bases() const { return bases_; }
  const std::vector<PointNode>& points() const { return points_; }
  const std::deque<Body>& bodies() const { return bodies_; }
  const std::vector<Action>& actions() const { return actions_; }
  const std::vector<Expr>& potentials() const { return potentials_; }
  const std::vector<ElementLaw>& laws() const { return laws_; }
  const std::vector<InternalState>& internal_states() const { return internal_states_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  const std::vector<std::pair<std::string, std::vector<Expr>>>& outputs() const { return outputs_; }

  const std::vector<Measure>& measures() const { return measures_; }

  // Doubts about the data (unphysical inertia), each with its reason.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Results of the kinematic operators, kept so that asking again costs nothing.
  using Key = std::tuple<char, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Key, Vector>& kinematics() { return kinematics_; }
  static constexpr char less_gravity = 'G';  // these keys are forgotten when gravity changes
  std::map<std::pair<std::uint32_t, std::uint32_t>, Block>& base_changes() { return base_changes_; }

  // An error unless the handle belongs to this model.
  void check(const Base& b, const char* doing) const;
  void check(const Point& p, const char* doing) const;
  void check(const Vector& u, const char* doing) const;

 private:
  std::uint32_t add_name(std::unordered_map<std::string, std::uint32_t>& names,
                         const std::string& name, const char* what, std::size_t index);
  Base add_base(const std::string& name, Base parent, const Block& R_PB, const Triple& w_PB);
  Expr zero() { return graph_.rational(0, 1); }
  Expr one() { return graph_.rational(1, 1); }

  std::string name_;
  sym::Graph graph_;
  std::vector<sym::Coordinate> coordinates_, contact_coordinates_;
  std::vector<Expr> parameters_, inputs_, forces_, potentials_;
  std::vector<BaseNode> bases_;
  std::vector<PointNode> points_;
  std::deque<Body> bodies_, inertias_;  // references given out stay valid
  std::vector<Action> actions_;
  std::vector<ElementLaw> laws_;
  std::vector<InternalState> internal_states_;
  std::vector<Constraint> constraints_;
  std::vector<Measure> measures_;
  std::vector<std::pair<std::string, std::vector<Expr>>> outputs_;
  std::optional<Vector> gravity_;
  std::vector<std::string> warnings_;
  std::unordered_map<std::string, std::uint32_t> base_names_, point_names_, body_names_;
  std::map<Key, Vector> kinematics_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Block> base_changes_;
};

}  // namespace klingel::mech
