// Derivatives of the step, and estimates, for Python.
#include <memory>

#include "compile/prepare_run.hpp"
#include "estimate/estimate_results.hpp"
#include "python/bind.hpp"
#include "simulation/linearise.hpp"

namespace klingel::python {
namespace {

exec::Options kernels_for(const std::string& backend) {
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(backend);
  return kernels;
}

// A vehicle with its derivatives, on lanes.
struct PythonLineariser {
  PythonLineariser(const std::string& what, const std::vector<std::string>& states,
                   const std::vector<std::string>& given, const std::vector<std::string>& channels,
                   const std::string& backend)
      : vehicle(compile::compile(vehicle::load_scenario(what), kernels_for(backend))),
        instance(vehicle.description) {
    instance.start();
    const exec::Options kernels = kernels_for(backend);
    of = std::make_unique<simulation::Lineariser>(
        compile::with_derivatives(vehicle, compile::on_lanes(vehicle, kernels, 4), kernels),
        instance, simulation::LineariseOptions{states, given, channels});
  }

  compile::CompiledVehicle vehicle;
  simulation::Instance instance;
  std::unique_ptr<simulation::Lineariser> of;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
};

// J as an array of rows and columns, states and channels at t+h, columns at an event
py::tuple linearise(PythonLineariser& self, const std::optional<std::string>& state) {
  bool fine = false;
  {
    const InUse in_use(self.busy, "lineariser");
    const py::gil_scoped_release free;
    if (state) self.instance.restore(*state);
    fine = self.of->linearise(self.instance);
  }
  if (!fine) base::fail("the step from this state fails: {}", self.instance.failure());
  const simulation::Linearisation& r = self.of->result();
  const std::size_t rows = r.states + r.channels, columns = r.states + r.given;
  py::array_t<double, py::array::f_style> J(std::vector<std::size_t>{rows, columns});
  std::copy(r.J.begin(), r.J.end(), J.mutable_data());
  return py::make_tuple(J, copy_of(r.x), copy_of(r.y), r.one_sided, r.across);
}

// JSON of all runs, and channels and rows of the first
py::tuple run_estimate(const std::string& file, std::optional<double> duration,
                       std::optional<std::size_t> runs, const std::string& method,
                       const std::string& backend) {
  std::vector<estimate::RunResult> results;
  std::string json;
  Interrupt interrupt;
  {
    const py::gil_scoped_release free;
    estimate::Estimate e = estimate::load_estimate(file);
    if (duration) e.changes.duration = *duration;
    if (runs && *runs < 1) base::fail("runs must be at least 1");
    if (runs) e.runs = *runs;
    if (method == "extended") e.setup.filter.method = kalman::Method::extended;
    if (method == "unscented") e.setup.filter.method = kalman::Method::unscented;
    if (method != "extended" && method != "unscented" && !method.empty())
      base::fail("there is no filter '{}'; extended and unscented are", method);
    const estimate::Experiment experiment(std::move(e), kernels_for(backend));
    for (std::size_t i = 0; i < experiment.file().runs && !interrupt(); ++i)
      results.push_back(experiment.run(i, i == 0));
    json = estimate::estimate_json(experiment.file(), results);
  }
  interrupt.raise();
  py::dict columns;
  const record::Recording& rows = results.front().rows;
  for (std::size_t i = 0; i < rows.channels().size(); ++i)
    columns[py::str(rows.channels()[i].name)] = copy_of(rows.column(i));
  return py::make_tuple(json, columns);
}

}  // namespace

void add_estimation(py::module_& m) {
  py::class_<PythonLineariser>(m, "Lineariser")
      .def(py::init<const std::string&, const std::vector<std::string>&,
                    const std::vector<std::string>&, const std::vector<std::string>&,
                    const std::string&>(),
           Release())
      .def_property_readonly("states",
                             [](const PythonLineariser& l) { return l.of->state_names(); })
      .def_property_readonly("given", [](const PythonLineariser& l) { return l.of->given_names(); })
      .def_property_readonly("channels",
                             [](const PythonLineariser& l) { return l.of->channel_names(); })
      .def("linearise", &linearise);
  m.def("run_estimate", &run_estimate);
}

}  // namespace klingel::python
