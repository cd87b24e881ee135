// Small motions, critical speed and steady curves for Python.
#include <numbers>

#include "python/bind.hpp"
#include "python/vehicle.hpp"

namespace klingel::python {
namespace {

using Named = std::vector<std::pair<std::string, double>>;

study::AnalysedValues values_of(Vehicle& v, const Named& parameters, std::optional<double> friction,
                                std::optional<double> speed) {
  study::AnalysedValues values;
  for (const auto& [name, value] : parameters)
    values.parameters.emplace_back(v.instance().parameter(name), value);
  v.runner.set_parameters(values.parameters);  // or an Error, of a negative mass, say
  values.friction = friction;
  values.speed = speed.value_or(v.scenario.speed);
  return values;
}

const study::LinearVehicle& linear_of(Vehicle& v) {
  if (!v.linear) v.linear = std::make_unique<study::LinearVehicle>(v.runner.prepared(), v.kernels);
  return *v.linear;
}

// eigenvalues (1/s) and shapes, modes x coordinates
py::tuple arrays_of(const std::vector<stability::Mode>& modes) {
  const std::size_t n = modes.empty() ? 0 : static_cast<std::size_t>(modes[0].shape.size());
  py::array_t<std::complex<double>> lambda(static_cast<py::ssize_t>(modes.size()));
  py::array_t<std::complex<double>> shapes(std::vector<std::size_t>{modes.size(), n});
  for (std::size_t i = 0; i < modes.size(); ++i) {
    lambda.mutable_data()[i] = modes[i].lambda;
    std::copy(modes[i].shape.data(), modes[i].shape.data() + n, shapes.mutable_data() + i * n);
  }
  return py::make_tuple(lambda, shapes);
}

py::tuple small_motions(Vehicle& v, std::optional<double> speed, const Named& parameters,
                        std::optional<double> friction) {
  std::vector<stability::Mode> modes;
  {
    const py::gil_scoped_release free;
    const InUse mine(v.busy, "vehicle");
    const study::AnalysedValues values = values_of(v, parameters, friction, speed);
    const std::unique_ptr<stability::SteadyMotion> motion = linear_of(v).straight(values);
    motion->settle(values.speed);
    modes = stability::modes(motion->small_motions());
  }
  return arrays_of(modes);
}

// speed or None, frequency, whether a mode grows from the first, derivatives by these parameters
py::tuple critical_speed(Vehicle& v, const Named& parameters, std::optional<double> friction,
                         double largest, const std::vector<std::string>& by) {
  stability::Critical c;
  std::vector<double> derivatives;
  {
    const py::gil_scoped_release free;
    const InUse mine(v.busy, "vehicle");
    const study::AnalysedValues values = values_of(v, parameters, friction, {});
    const std::unique_ptr<stability::SteadyMotion> motion = linear_of(v).straight(values);
    stability::Search search;
    search.largest = largest;
    c = stability::critical_speed(*motion, search);
    std::vector<std::size_t> indices;
    for (const std::string& name : by) indices.push_back(v.instance().parameter(name));
    if (c.speed && !by.empty()) {
      study::Measure measure;
      measure.kind = study::Measure::Kind::modes;
      measure.text = "critical_speed";
      measure.largest = largest;
      study::CaseAnalysis analysis(v.runner.prepared(), &linear_of(v), values);
      derivatives = *analysis.derivatives(measure, indices);
    }
  }
  return py::make_tuple(c.speed ? py::object(py::float_(*c.speed)) : py::object(py::none()),
                        c.mode.frequency(), c.from_the_first, derivatives);
}

// by name of the quantity: an array over wheels or wheelsets
py::dict curving(Vehicle& v, double radius, std::optional<double> speed, double cant_deficiency,
                 const Named& parameters, std::optional<double> friction) {
  stability::CurveResult r;
  {
    const py::gil_scoped_release free;
    const InUse mine(v.busy, "vehicle");
    const study::AnalysedValues values = values_of(v, parameters, friction, speed);
    stability::CurveCase one{radius, values.speed, cant_deficiency, friction, values.parameters};
    stability::Curving curving(v.description(), linear_of(v).linear());
    r = curving.solve(one);
  }
  if (!r.failure.empty()) base::fail("{}", r.failure);
  py::dict d;
  const auto add = [&d](const char* name, std::size_t count, const auto& value) {
    std::vector<double> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(value(i));
    d[name] = copy_of(list);
  };
  const std::size_t sets = r.wheelsets.size(), wheels = r.wheels.size();
  add("attack", sets, [&](std::size_t i) { return r.wheelsets[i].attack; });
  add("y_rel", sets, [&](std::size_t i) { return r.wheelsets[i].y; });
  add("sumY", sets, [&](std::size_t i) { return r.wheelsets[i].sum_Y; });
  add("Y", wheels, [&](std::size_t i) { return r.wheels[i].Y; });
  add("Q", wheels, [&](std::size_t i) { return r.wheels[i].Q; });
  add("YQ", wheels, [&](std::size_t i) { return r.wheels[i].YQ; });
  add("Tgamma", wheels, [&](std::size_t i) { return r.wheels[i].T_gamma; });
  d["forward"] = r.forward;
  d["cant"] = r.of.cant();
  return d;
}

}  // namespace

void add_stability(py::module_& m) {
  m.def("small_motions", &small_motions);
  m.def("critical_speed", &critical_speed);
  m.def("curving", &curving);
}

}  // namespace klingel::python
