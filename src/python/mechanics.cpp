// Models of mechanisms, their equations and their motion for Python.
#include <memory>

#include "exec/load.hpp"
#include "gen/emit_c.hpp"
#include "gen/program.hpp"
#include "mech/closures.hpp"
#include "mech/elements.hpp"
#include "mech/equations.hpp"
#include "mech/kinematics.hpp"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "mechanism/trajectory.hpp"
#include "python/symbolic.hpp"
#include "sym/print.hpp"

namespace klingel::python {
namespace {

using ModelPointer = std::shared_ptr<mech::Model>;

// Handles that keep their model alive.
struct Base {
  ModelPointer model;
  mech::Base b;
};
struct Point {
  ModelPointer model;
  mech::Point p;
};
struct Vector {
  ModelPointer model;
  mech::Vector v;
};
struct Tensor {
  ModelPointer model;
  mech::Tensor t;
};

mech::Scalar scalar(const Number& x) {
  if (const auto* e = std::get_if<Expression>(&x)) return e->e;
  return std::get<double>(x);
}

// 0, 1, 2 or "x", "y", "z"
int axis_of(const std::variant<int, std::string>& axis) {
  if (const int* i = std::get_if<int>(&axis)) {
    if (*i >= 0 && *i < 3) return *i;
    base::fail("an axis is 0, 1 or 2, found {}", *i);
  }
  const std::string& name = std::get<std::string>(axis);
  for (int i = 0; i < 3; ++i)
    if (name == std::string(1, static_cast<char>('x' + i))) return i;
  base::fail("an axis is 'x', 'y' or 'z', found '{}'", name);
}
using Axis = std::variant<int, std::string>;

std::vector<Expressions> rows_of(const ModelPointer& model, const sym::Matrix& M) {
  std::vector<Expressions> rows(M.rows(),
                                Expressions(M.cols(), {model, model->graph().rational(0, 1)}));
  for (const sym::Entry& e : M.entries()) rows[e.row][e.col] = {model, e.value};
  return rows;
}

// The equations with the model that they belong to.
struct Equations {
  ModelPointer model;
  mech::Equations e;
};

// A mechanism with its state.
struct Mechanism {
  Mechanism(const ModelPointer& model, const std::string& backend) {
    exec::Options options;
    options.backend = exec::backend_by_name(backend);
    const gen::Program program(model->graph(), model->name(),
                               mech::interface(*model, mech::equations(*model)));
    kernel = std::make_unique<exec::Kernel>(exec::load(program, options));
    std::vector<std::string> constraints;
    for (const mech::Constraint& c : model->constraints()) constraints.push_back(c.name);
    mechanism = std::make_unique<mechanism::Mechanism>(kernel->abi(), constraints);
    state = mechanism->nominal_state();
  }

  std::unique_ptr<exec::Kernel> kernel;
  std::unique_ptr<mechanism::Mechanism> mechanism;
  mechanism::State state;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
};

// names of columns, rows x columns, and why it ended early ("" if it did not)
py::tuple simulate(Mechanism& m, double duration, double step, double interval,
                   const std::string& method, const std::vector<std::string>& outputs) {
  if (!(duration > 0) || !(step > 0) || !(interval > 0))
    base::fail("duration, step and interval must be positive, found {}, {} and {} s", duration,
               step, interval);
  std::optional<mechanism::Trajectory> trajectory;
  std::string failure;
  Interrupt interrupt;
  {
    const py::gil_scoped_release free;
    const InUse mine(m.busy, "mechanism");
    mechanism::IntegratorOptions options;
    options.method = mechanism::method_by_name(method);
    options.h = step;
    mechanism::Integrator integrator(*m.mechanism, options);
    const double end = m.state.t + duration;
    trajectory.emplace(*m.mechanism, mechanism::rows_for(m.state.t, end, interval), outputs);
    // as Integrator::simulate() does it, and asked for Ctrl-C at every row
    const double begin = m.state.t;
    const std::size_t rows = mechanism::rows_for(begin, end, interval);
    for (std::size_t row = 0; row < rows && !interrupt(); ++row) {
      const double t = row + 1 == rows ? end : begin + static_cast<double>(row) * interval;
      if (row > 0 && integrator.advance(m.state, t) != runtime::Status::ok) {
        failure = integrator.failure_text();
        break;
      }
      if (!trajectory->add(*m.mechanism, m.state)) break;
    }
  }
  interrupt.raise();
  const std::size_t columns = trajectory->columns().size(), rows = trajectory->rows();
  py::array_t<double> values(std::vector<std::size_t>{rows, columns});
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const double> row = trajectory->row(i);
    std::copy(row.begin(), row.end(), values.mutable_data() + i * columns);
  }
  return py::make_tuple(trajectory->columns(), values, failure);
}

template <class T>
T same(const T& like, const mech::Vector& v) {
  return {like.model, v};
}

void add_vectors(py::module_& m) {
  py::class_<Base>(m, "Base", "A base: three axes that turn together. See Model.rotation.")
      .def_property_readonly(
          "name", [](const Base& b) { return mech::name(b.b); }, "Its name.")
      .def("__repr__", [](const Base& b) { return "Base '" + mech::name(b.b) + "'"; });
  py::class_<Point>(m, "Point", "A point. See Model.point.")
      .def_property_readonly(
          "name", [](const Point& p) { return mech::name(p.p); }, "Its name.")
      .def("__repr__", [](const Point& p) { return "Point '" + mech::name(p.p) + "'"; });
  py::class_<Vector>(m, "Vector",
                     "A vector that knows the base of its components x, y, z. Sums and products "
                     "of vectors in different bases change the base that is cheaper to change.")
      .def_property_readonly(
          "x",
          [](const Vector& v) {
            return Expression{v.model, v.v.x()};
          },
          "Its first component.")
      .def_property_readonly(
          "y",
          [](const Vector& v) {
            return Expression{v.model, v.v.y()};
          },
          "Its second component.")
      .def_property_readonly(
          "z",
          [](const Vector& v) {
            return Expression{v.model, v.v.z()};
          },
          "Its third component.")
      .def_property_readonly(
          "base",
          [](const Vector& v) {
            return Base{v.model, v.v.base};
          },
          "The base of its components.")
      .def("__repr__",
           [](const Vector& v) {
             return fmt::format("({}, {}, {}) in '{}'", sym::text(v.v.x()), sym::text(v.v.y()),
                                sym::text(v.v.z()), mech::name(v.v.base));
           })
      .def("__add__", [](const Vector& u, const Vector& v) { return same(u, u.v + v.v); })
      .def("__sub__", [](const Vector& u, const Vector& v) { return same(u, u.v - v.v); })
      .def("__neg__", [](const Vector& u) { return same(u, -u.v); })
      .def(
          "__mul__",
          [](const Vector& u, const Number& s) {
            return same(u, u.model->expression(scalar(s)) * u.v);
          },
          py::is_operator())
      .def(
          "__rmul__",
          [](const Vector& u, const Number& s) {
            return same(u, u.model->expression(scalar(s)) * u.v);
          },
          py::is_operator())
      .def(
          "__truediv__",
          [](const Vector& u, const Number& s) {
            return same(u, u.v / u.model->expression(scalar(s)));
          },
          py::is_operator())
      .def(
          "dot",
          [](const Vector& u, const Vector& v) {
            return Expression{u.model, mech::dot(u.v, v.v)};
          },
          py::arg("other"), "The scalar product.")
      .def(
          "cross", [](const Vector& u, const Vector& v) { return same(u, mech::cross(u.v, v.v)); },
          py::arg("other"), "The vector product.")
      .def(
          "norm",
          [](const Vector& u) {
            return Expression{u.model, mech::norm(u.v)};
          },
          "The length.")
      .def(
          "in_base",
          [](const Vector& u, const Base& b) { return same(u, mech::in_base(u.v, b.b)); },
          py::arg("base"), "The same vector with components in another base.");
  py::class_<Tensor>(m, "Tensor", "A tensor of inertia. See Model.inertia.");
  m.def(
      "position",
      [](const Point& O, const Point& P) {
        return Vector{O.model, mech::position(O.p, P.p)};
      },
      py::arg("O"), py::arg("P"), "The vector from O to P.");
  m.def(
      "angular_velocity",
      [](const Base& A, const Base& B) {
        return Vector{A.model, mech::angular_velocity(A.b, B.b)};
      },
      py::arg("A"), py::arg("B"), "The angular velocity of base B with respect to A.");
  m.def(
      "angular_acceleration",
      [](const Base& A, const Base& B) {
        return Vector{A.model, mech::angular_acceleration(A.b, B.b)};
      },
      py::arg("A"), py::arg("B"), "The angular acceleration of base B with respect to A.");
  m.def(
      "velocity",
      [](const Point& O, const Base& A, const Point& P) {
        return Vector{P.model, mech::velocity({O.p, A.b}, P.p)};
      },
      py::arg("O"), py::arg("A"), py::arg("P"),
      "The velocity of P with respect to point O and base A.");
  m.def(
      "acceleration",
      [](const Point& O, const Base& A, const Point& P) {
        return Vector{P.model, mech::acceleration({O.p, A.b}, P.p)};
      },
      py::arg("O"), py::arg("A"), py::arg("P"),
      "The acceleration of P with respect to point O and base A.");
}

void add_equations(py::module_& m) {
  const auto list = [](std::vector<sym::Expr> mech::Equations::*member) {
    return [member](const Equations& e) { return kept(e.model, e.e.*member); };
  };
  py::class_<Equations>(m, "Equations",
                        "M_qq ddq + dphi_dq^T lambda = delta_q, dphi_dq ddq = gamma: lists and "
                        "matrices (lists of rows) of expressions.")
      .def_property_readonly("q", list(&mech::Equations::q), "Coordinates.")
      .def_property_readonly("dq", list(&mech::Equations::dq), "Their rates.")
      .def_property_readonly("ddq", list(&mech::Equations::ddq), "Their accelerations.")
      .def_property_readonly("delta_q", list(&mech::Equations::delta_q),
                             "Applied, elastic, gyroscopic and gravity terms.")
      .def_property_readonly("phi", list(&mech::Equations::phi), "Constraints phi = 0.")
      .def_property_readonly("beta", list(&mech::Equations::beta), "dphi_dq dq = beta.")
      .def_property_readonly("gamma", list(&mech::Equations::gamma),
                             "Right sides of the constraints' accelerations.")
      .def_property_readonly(
          "M_qq", [](const Equations& e) { return rows_of(e.model, e.e.M_qq); }, "The mass matrix.")
      .def_property_readonly(
          "dphi_dq", [](const Equations& e) { return rows_of(e.model, e.e.dphi_dq); },
          "The Jacobian of the constraints.")
      .def_property_readonly(
          "kinetic_energy",
          [](const Equations& e) {
            return Expression{e.model, e.e.kinetic_energy};
          },
          "Of all bodies.")
      .def_property_readonly(
          "potential_energy",
          [](const Equations& e) {
            return Expression{e.model, e.e.potential_energy};
          },
          "Of gravity and springs.");
}

void add_elements(py::class_<mech::Model, ModelPointer>& c) {
  c.def(
       "isotropic_spring",
       [](mech::Model& m, const std::string& name, const Point& from, const Point& to,
          const Number& stiffness, const Number& damping, const Base& seen_from) {
         mech::isotropic_spring(m, name, from.p, to.p, scalar(stiffness), scalar(damping),
                                seen_from.b);
       },
       py::arg("name"), py::arg("start"), py::arg("end"), py::arg("stiffness"), py::arg("damping"),
       py::arg("seen_from"), "A spring and damper in all directions between two points.")
      .def(
          "line_spring",
          [](mech::Model& m, const std::string& name, const Point& from, const Point& to,
             const Number& stiffness, const Number& damping, const Number& natural_length,
             const Number& preload) {
            mech::line_spring(m, name, from.p, to.p, scalar(stiffness), scalar(damping),
                              scalar(natural_length), scalar(preload));
          },
          py::arg("name"), py::arg("start"), py::arg("end"), py::arg("stiffness"),
          py::arg("damping"), py::arg("natural_length"), py::arg("preload") = 0.0,
          "A spring and damper along the line between two points.")
      .def(
          "torsion_spring",
          [](mech::Model& m, const std::string& name, const Base& from, const Base& to,
             const Vector& axis, const Expression& angle, const Number& stiffness,
             const Number& damping, const Number& rest) {
            mech::torsion_spring(m, name, from.b, to.b, axis.v, angle.e, scalar(stiffness),
                                 scalar(damping), scalar(rest));
          },
          py::arg("name"), py::arg("start"), py::arg("end"), py::arg("axis"), py::arg("angle"),
          py::arg("stiffness"), py::arg("damping"), py::arg("rest") = 0.0,
          "A spring and damper about an axis; `angle` measures the turn.")
      .def(
          "applied_force",
          [](mech::Model& m, const std::string& name, const Vector& force, const Point& to,
             const std::optional<Point>& from) {
            mech::applied_force(m, name, force.v, to.p,
                                from ? std::optional(from->p) : std::nullopt);
          },
          py::arg("name"), py::arg("force"), py::arg("point"), py::arg("reaction") = py::none(),
          "A force at a point, with its reaction at another if one is given.")
      .def(
          "applied_torque",
          [](mech::Model& m, const std::string& name, const Vector& torque, const Base& to,
             const std::optional<Base>& from) {
            mech::applied_torque(m, name, torque.v, to.b,
                                 from ? std::optional(from->b) : std::nullopt);
          },
          py::arg("name"), py::arg("torque"), py::arg("base"), py::arg("reaction") = py::none(),
          "A torque on a base, with its reaction on another if one is given.")
      .def(
          "constrain",
          [](mech::Model& m, const std::string& name, const Expression& phi) {
            m.constrain(name, phi.e);
          },
          py::arg("name"), py::arg("phi"), "The constraint phi = 0.")
      .def(
          "coincide",
          [](mech::Model& m, const std::string& name, const Point& P, const Point& Q,
             const Base& base, const std::optional<Axis>& normal) {
            if (normal)
              mech::coincide_in_plane(m, name, P.p, Q.p, base.b, axis_of(*normal));
            else
              mech::coincide(m, name, P.p, Q.p, base.b);
          },
          py::arg("name"), py::arg("P"), py::arg("Q"), py::arg("base"),
          py::arg("normal") = py::none(),
          "Two points coincide; in a plane mechanism give the axis normal to its plane.")
      .def(
          "distance",
          [](mech::Model& m, const std::string& name, const Point& P, const Point& Q,
             const Number& length) { mech::distance(m, name, P.p, Q.p, scalar(length)); },
          py::arg("name"), py::arg("P"), py::arg("Q"), py::arg("length"),
          "Two points keep their distance: a massless rod.");
}

void add_model(py::module_& module) {
  py::class_<mech::Model, ModelPointer> c(
      module, "Model", "A mechanism in symbols: coordinates, bases, points, bodies, elements.");
  c.def(py::init<std::string>(), py::arg("name"))
      .def_property_readonly("name", &mech::Model::name, "Its name, that of its C files, too.")
      .def_property_readonly("warnings", &mech::Model::warnings, "Doubts about the data.")
      .def_property_readonly(
          "ground",
          [](const ModelPointer& m) {
            return Base{m, m->ground_base()};
          },
          "The base that does not turn.")
      .def_property_readonly(
          "origin",
          [](const ModelPointer& m) {
            return Point{m, m->origin()};
          },
          "The point that does not move.")
      .def(
          "coordinate",
          [](const ModelPointer& m, const std::string& name, double value, double rate) {
            return kept(std::shared_ptr<void>(m), m->coordinate(name, value, rate));
          },
          py::arg("name"), py::arg("value") = 0.0, py::arg("rate") = 0.0,
          "A coordinate with its values at the start.")
      .def(
          "parameter",
          [](const ModelPointer& m, const std::string& name, double value) {
            return Expression{m, m->parameter(name, value)};
          },
          py::arg("name"), py::arg("value"), "A number that is constant during a run.")
      .def(
          "input",
          [](const ModelPointer& m, const std::string& name, double value) {
            return Expression{m, m->input(name, value)};
          },
          py::arg("name"), py::arg("value") = 0.0, "A number that is given at every step.")
      .def(
          "number",
          [](const ModelPointer& m, double value) {
            return Expression{m, m->number(value)};
          },
          py::arg("value"), "A constant.")
      .def_property_readonly(
          "time",
          [](const ModelPointer& m) {
            return Expression{m, m->graph().time()};
          },
          "The symbol t.")
      .def(
          "rotation",
          [](const ModelPointer& m, const std::string& name, const Base& parent, const Axis& axis,
             const Number& angle) {
            return Base{m, m->rotation(name, parent.b, axis_of(axis), scalar(angle))};
          },
          py::arg("name"), py::arg("parent"), py::arg("axis"), py::arg("angle"),
          "A base turned by an angle in rad about an axis of its parent: 'x', 'y' or 'z'.")
      .def(
          "rotation_about",
          [](const ModelPointer& m, const std::string& name, const Base& parent,
             const std::array<Number, 3>& axis, const Number& angle) {
            return Base{
                m, m->rotation(name, parent.b, {scalar(axis[0]), scalar(axis[1]), scalar(axis[2])},
                               scalar(angle))};
          },
          py::arg("name"), py::arg("parent"), py::arg("axis"), py::arg("angle"),
          "A base turned about any axis, given by three components in the parent.")
      .def(
          "base",
          [](const ModelPointer& m, const std::string& name) {
            return Base{m, m->base(name)};
          },
          py::arg("name"), "An existing base.")
      .def(
          "point",
          [](const ModelPointer& m, const std::string& name, const std::optional<Point>& parent,
             const std::optional<Vector>& r) {
            if (!parent && !r) return Point{m, m->point(name)};
            if (!parent || !r) base::fail("a new point needs its parent and the vector from it");
            return Point{m, m->point(name, parent->p, r->v)};
          },
          py::arg("name"), py::arg("parent") = py::none(), py::arg("r") = py::none(),
          "A new point at the vector r from its parent, or an existing point.")
      .def(
          "vector",
          [](const ModelPointer& m, const Base& base, const Number& x, const Number& y,
             const Number& z) {
            return Vector{m, m->vector(base.b, scalar(x), scalar(y), scalar(z))};
          },
          py::arg("base"), py::arg("x"), py::arg("y"), py::arg("z"),
          "A vector by its components in a base.")
      .def(
          "axis",
          [](const ModelPointer& m, const Base& base, const Axis& axis) {
            return Vector{m, m->axis_vector(base.b, axis_of(axis))};
          },
          py::arg("base"), py::arg("axis"), "The unit vector along an axis of a base.")
      .def(
          "inertia",
          [](const ModelPointer& m, const Base& base, const Number& xx, const Number& yy,
             const Number& zz, const Number& xy, const Number& xz, const Number& yz) {
            return Tensor{m, m->inertia(base.b, scalar(xx), scalar(yy), scalar(zz), scalar(xy),
                                        scalar(xz), scalar(yz))};
          },
          py::arg("base"), py::arg("xx"), py::arg("yy"), py::arg("zz"), py::arg("xy") = 0.0,
          py::arg("xz") = 0.0, py::arg("yz") = 0.0, "A symmetric tensor by its six entries.")
      .def(
          "body",
          [](const ModelPointer& m, const std::string& name, const Point& point, const Base& base,
             const Number& mass, const std::optional<Vector>& com,
             const std::optional<Tensor>& inertia, bool about_point) {
            if (!com && !inertia) {
              m->body(name, point.p, base.b, scalar(mass));
              return;
            }
            const mech::Vector to_com = com ? com->v : m->vector(base.b, 0, 0, 0);
            const mech::Tensor I = inertia ? inertia->t : m->inertia(base.b, 0, 0, 0);
            if (about_point)
              m->body_about_point(name, point.p, base.b, scalar(mass), to_com, I);
            else
              m->body(name, point.p, base.b, scalar(mass), to_com, I);
          },
          py::arg("name"), py::arg("point"), py::arg("base"), py::arg("mass"),
          py::arg("com") = py::none(), py::arg("inertia") = py::none(),
          py::arg("about_point") = false,
          "A body; com leads from the point to the centre of mass, the inertia is about that "
          "centre or, with about_point, about the point.")
      .def(
          "set_gravity", [](mech::Model& m, const Vector& g) { m.set_gravity(g.v); }, py::arg("g"),
          "The acceleration of free fall.")
      .def(
          "output",
          [](mech::Model& m, const std::string& name, const Expressions& values) {
            m.output(name, plain(values));
          },
          py::arg("name"), py::arg("values"), "Further results of the mechanism.")
      .def(
          "equations",
          [](const ModelPointer& m) {
            return Equations{m, mech::equations(*m)};
          },
          "The equations of motion.")
      .def(
          "c_files",
          [](const ModelPointer& m) {
            const gen::Program program(m->graph(), m->name(),
                                       mech::interface(*m, mech::equations(*m)));
            py::dict files;
            for (const gen::File& f : gen::emit_c(program).files) files[py::str(f.name)] = f.text;
            return files;
          },
          "The equations as C11: file names and their texts.");
  add_elements(c);
}

}  // namespace

void add_mechanics(py::module_& module) {
  add_vectors(module);
  add_equations(module);
  add_model(module);
  py::class_<Mechanism>(module, "Mechanism")
      .def(py::init<const ModelPointer&, const std::string&>())
      .def_property(
          "time", [](Mechanism& m) { return m.state.t; },
          [](Mechanism& m, double t) { m.state.t = t; })
      .def_property_readonly("coordinate_names",
                             [](Mechanism& m) { return m.mechanism->coordinate_names(); })
      .def_property_readonly("rate_names", [](Mechanism& m) { return m.mechanism->rate_names(); })
      .def_property_readonly("parameter_names",
                             [](Mechanism& m) { return m.mechanism->parameter_names(); })
      .def_property_readonly("input_names", [](Mechanism& m) { return m.mechanism->input_names(); })
      .def_property_readonly("output_names",
                             [](Mechanism& m) { return m.mechanism->output_names(); })
      .def_property_readonly("constraint_names",
                             [](Mechanism& m) { return m.mechanism->constraint_names(); })
      .def("coordinate",
           [](Mechanism& m, const std::string& name) {
             return m.mechanism->coordinate(m.state, name);
           })
      .def("set_coordinate", [](Mechanism& m, const std::string& name,
                                double value) { m.mechanism->coordinate(m.state, name) = value; })
      .def("rate",
           [](Mechanism& m, const std::string& name) { return m.mechanism->rate(m.state, name); })
      .def("set_rate", [](Mechanism& m, const std::string& name,
                          double value) { m.mechanism->rate(m.state, name) = value; })
      .def("parameter",
           [](Mechanism& m, const std::string& name) { return m.mechanism->parameter(name); })
      .def("set_parameter", [](Mechanism& m, const std::string& name,
                               double value) { m.mechanism->set_parameter(name, value); })
      .def("input", [](Mechanism& m, const std::string& name) { return m.mechanism->input(name); })
      .def("set_input", [](Mechanism& m, const std::string& name,
                           double value) { m.mechanism->set_input(name, value); })
      .def("assemble",
           [](Mechanism& m, const std::vector<std::string>& coordinates,
              const std::vector<std::string>& rates) {
             const mechanism::Assembly a =
                 mechanism::assemble(*m.mechanism, m.state, {coordinates, rates});
             return py::make_tuple(a.degrees_of_freedom, a.redundant, a.largest_phi);
           })
      .def("largest_phi", [](Mechanism& m) { return m.mechanism->largest_phi(m.state); })
      .def("energy",
           [](Mechanism& m) {
             const mechanism::Energy e = m.mechanism->energy(m.state);
             return py::make_tuple(e.kinetic, e.potential);
           })
      .def("accelerations",
           [](Mechanism& m) {
             std::vector<double> ddq(m.mechanism->coordinates()),
                 lambda(m.mechanism->constraints());
             if (m.mechanism->accelerations(m.state, ddq, lambda) != runtime::Status::ok)
               base::fail("{}", m.mechanism->failure_text());
             return py::make_tuple(copy_of(ddq), copy_of(lambda));
           })
      .def("simulate", &simulate);
}

}  // namespace klingel::python
