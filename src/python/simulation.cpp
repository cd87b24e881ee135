// Vehicles, simulations and batches for Python.
#include <cmath>
#include <memory>

#include "base/file.hpp"
#include "base/nearest.hpp"
#include "python/bind.hpp"
#include "python/vehicle.hpp"
#include "record/summary.hpp"
#include "report/page.hpp"
#include "start/modes.hpp"
#include "study/case_scenario.hpp"
#include "study/scenario_changes.hpp"
#include "study/threads.hpp"

namespace klingel::python {
namespace {

using Named = std::vector<std::pair<std::string, double>>;

exec::Options kernels_of(const std::string& backend) {
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(backend);
  return kernels;
}

// A vehicle that is driven step by step.
struct Simulation {
  explicit Simulation(VehiclePointer of)
      : vehicle(std::move(of)), instance(vehicle->runner.prepared().description) {}

  VehiclePointer vehicle;
  simulation::Instance instance;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
};

void check_input(const std::string& name, double value) {
  if (!std::isfinite(value)) base::fail("the input '{}' is {}, expected a number", name, value);
}

study::Case case_of(const simulation::Instance& v, const Named& parameters, const Named& inputs,
                    std::optional<double> friction, std::optional<double> speed,
                    std::optional<double> position) {
  study::Case c;
  for (const auto& [name, value] : parameters) {
    if (!std::isfinite(value))
      base::fail("the parameter '{}' is {}, expected a number", name, value);
    c.parameters.emplace_back(v.parameter(name), value);
  }
  for (const auto& [name, value] : inputs) {
    const std::size_t index = v.input(name);
    check_input(name, value);
    c.inputs.emplace_back(index, value);
  }
  c.friction = friction;
  c.speed = speed;
  c.position = position;
  return c;
}

py::list channels_of(const std::vector<record::Channel>& channels) {
  py::list list;
  for (const record::Channel& c : channels) list.append(py::make_tuple(c.name, c.unit, c.about));
  return list;
}

// All channels as rows of one array, which the recording keeps alive.
py::array values_of(const py::object& self) {
  const auto& r = self.cast<const record::Recording&>();
  if (r.channels().empty() || r.rows() == 0)
    return py::array_t<double>(std::vector<std::size_t>{r.channels().size(), r.rows()});
  const std::span<const double> first = r.column(0);
  py::array_t<double> view({r.channels().size(), r.rows()},
                           {r.capacity() * sizeof(double), sizeof(double)}, first.data(), self);
  view.attr("flags").attr("writeable") = false;
  return view;
}

py::tuple outcome_tuple(study::Outcome outcome) {
  const std::string summary = record::summary_json(outcome.summary);
  return py::make_tuple(std::make_shared<record::Recording>(std::move(outcome.recording)), summary);
}

study::RunOptions run_options(std::optional<double> duration, std::optional<double> interval,
                              std::vector<std::string> channels, SharedInterrupt& interrupt) {
  study::RunOptions o;
  o.duration = duration;
  o.interval = interval;
  o.channels = std::move(channels);
  o.stop = [&interrupt] { return interrupt(); };
  return o;
}

// Recording and summary.json.
py::tuple run(Vehicle& v, const study::Case& c, const std::optional<std::string>& state,
              std::optional<double> duration, std::optional<double> interval,
              std::vector<std::string> channels) {
  SharedInterrupt interrupt;
  study::RunOptions options = run_options(duration, interval, std::move(channels), interrupt);
  study::Outcome outcome;
  {
    const py::gil_scoped_release free;
    const InUse mine(v.busy, "vehicle");
    v.runner.begin(c);
    if (state) v.instance().restore(*state);
    outcome = study::whole_run(v.runner.prepared(), options);
  }
  interrupt.raise();
  return outcome_tuple(std::move(outcome));
}

// The page of a run; what was recorded for it, and summary.json.
py::tuple report(Vehicle& v, const study::Case& c, std::optional<double> duration,
                 const std::string& path) {
  SharedInterrupt interrupt;
  study::RunOptions options = run_options(duration, {}, {}, interrupt);
  options.page = true;
  study::Outcome outcome;
  {
    const py::gil_scoped_release free;
    const InUse mine(v.busy, "vehicle");
    v.runner.begin(c);
    outcome = study::whole_run(v.runner.prepared(), options);
    const std::string_view page = report::page_template();
    base::write_file(path, page.empty() ? report::plain_page(outcome.recording, "Klingel report")
                                        : report::page(page, outcome.page));
  }
  interrupt.raise();
  return outcome_tuple(std::move(outcome));
}

// Cases in groups of lanes, one group after the other in each thread.
void run_groups(std::vector<std::unique_ptr<study::CaseRunner>>& own, Vehicle& v,
                const std::vector<study::Case>& cases, const study::RunOptions& options,
                std::size_t threads, std::vector<study::Outcome>& outcomes) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t t) {
    try {
      if (t > 0)
        own[t] = std::make_unique<study::CaseRunner>(compile::compile(v.scenario, v.kernels),
                                                     v.kernels, v.runner.lanes());
      study::CaseRunner& runner = t > 0 ? *own[t] : v.runner;
      for (;;) {
        const std::size_t begin = next.fetch_add(runner.lanes());
        if (begin >= cases.size() || options.stop()) break;
        const std::size_t end = std::min(begin + runner.lanes(), cases.size());
        std::vector<study::Outcome> group =
            runner.run({cases.begin() + static_cast<std::ptrdiff_t>(begin),
                        cases.begin() + static_cast<std::ptrdiff_t>(end)},
                       options);
        std::move(group.begin(), group.end(),
                  outcomes.begin() + static_cast<std::ptrdiff_t>(begin));
      }
    } catch (...) {
      next = cases.size();
      throw;
    }
  };
  study::on_threads(threads, work, options.stop);
}

// channels, values (cases x channels x rows; NaN behind the end of a short run), summaries
py::tuple run_batch(Vehicle& v, const std::vector<study::Case>& cases,
                    std::optional<double> duration, std::optional<double> interval,
                    std::vector<std::string> channels, std::size_t threads, bool balance) {
  SharedInterrupt interrupt;
  study::RunOptions options = run_options(duration, interval, std::move(channels), interrupt);
  options.balance = balance;
  std::vector<study::Outcome> outcomes(cases.size());
  std::vector<std::unique_ptr<study::CaseRunner>> own(threads);
  {
    const py::gil_scoped_release free;
    const InUse mine(v.busy, "vehicle");
    run_groups(own, v, cases, options, threads, outcomes);
  }
  interrupt.raise();
  std::size_t rows = 0;
  const record::Recording* any = nullptr;
  for (const study::Outcome& o : outcomes) {
    rows = std::max(rows, o.recording.rows());
    if (!o.recording.channels().empty()) any = &o.recording;
  }
  const std::size_t columns = any == nullptr ? 0 : any->channels().size();
  py::array_t<double> values(std::vector<std::size_t>{cases.size(), columns, rows});
  double* to = values.mutable_data();
  py::list summaries;
  for (const study::Outcome& o : outcomes) {
    for (std::size_t c = 0; c < columns; ++c, to += rows) {
      std::fill(to, to + rows, std::numeric_limits<double>::quiet_NaN());
      if (o.recording.channels().empty()) continue;
      const std::span<const double> column = o.recording.column(c);
      std::copy(column.begin(), column.end(), to);
    }
    summaries.append(record::summary_json(o.summary));
  }
  return py::make_tuple(any == nullptr ? py::list() : channels_of(any->channels()), values,
                        summaries);
}

VehiclePointer load(const std::string& what, const study::ScenarioChanges& changes,
                    const std::string& backend) {
  const exec::Options kernels = kernels_of(backend);
  vehicle::Scenario scenario =
      study::names_case(what) ? study::scenario_of_case(what) : vehicle::load_scenario(what);
  return std::make_shared<Vehicle>(
      compile::compile(study::changed(std::move(scenario), changes), kernels), kernels);
}

py::dict parameters_of(const simulation::Instance& v) {
  py::dict d;
  for (std::size_t i = 0; i < v.parameter_names().size(); ++i)
    d[py::str(v.parameter_names()[i])] = v.parameter_value(i);
  return d;
}

py::dict inputs_of(const simulation::Instance& v) {
  py::dict d;
  for (std::size_t i = 0; i < v.input_names().size(); ++i)
    d[py::str(v.input_names()[i])] = v.input_value(i);
  return d;
}

// Frequencies and shapes at the start.
py::tuple modes_of(Vehicle& v) {
  std::vector<start::Mode> modes;
  {
    const py::gil_scoped_release free;
    const InUse mine(v.busy, "vehicle");
    v.runner.begin({});
    modes = start::modes(v.instance().simulator(), v.instance().simulator().state());
  }
  const std::size_t n = v.instance().simulator().coordinate_names().size();
  py::array_t<double> frequencies(static_cast<py::ssize_t>(modes.size()));
  py::array_t<double> shapes(std::vector<std::size_t>{modes.size(), n});
  for (std::size_t i = 0; i < modes.size(); ++i) {
    frequencies.mutable_data()[i] = modes[i].frequency;
    std::copy(modes[i].shape.begin(), modes[i].shape.end(), shapes.mutable_data() + i * n);
  }
  return py::make_tuple(frequencies, shapes);
}

// Up to so many steps; how many were done. False steps are in failure().
std::size_t steps(Simulation& s, std::size_t count, bool to_the_end) {
  Interrupt interrupt;
  std::size_t done = 0;
  {
    const py::gil_scoped_release free;
    const InUse mine(s.busy, "simulation");
    if (!s.instance.started()) s.instance.start();
    while ((to_the_end ? !s.instance.finished() : done < count) && !interrupt()) {
      if (!s.instance.step()) break;
      ++done;
    }
  }
  interrupt.raise();
  return done;
}

// Values of channels into an array that the caller has, or a new one.
void values_into(Simulation& s, const std::vector<std::size_t>& channels,
                 py::array_t<double, py::array::c_style> to) {
  if (static_cast<std::size_t>(to.size()) != channels.size())
    base::fail("{} channels do not fit into an array of {}", channels.size(), to.size());
  double* at = to.mutable_data();
  for (std::size_t i = 0; i < channels.size(); ++i) at[i] = s.instance.value(channels[i]);
}

void add_vehicle(py::module_& m) {
  py::class_<study::ScenarioChanges>(m, "Changes")
      .def(py::init<>())
      .def_readwrite("track", &study::ScenarioChanges::track)
      .def_readwrite("law", &study::ScenarioChanges::law)
      .def_readwrite("integrator", &study::ScenarioChanges::integrator)
      .def_readwrite("wheel_profile", &study::ScenarioChanges::wheel_profile)
      .def_readwrite("rail_profile", &study::ScenarioChanges::rail_profile)
      .def_readwrite("speed", &study::ScenarioChanges::speed)
      .def_readwrite("position", &study::ScenarioChanges::position)
      .def_readwrite("step", &study::ScenarioChanges::step)
      .def_readwrite("duration", &study::ScenarioChanges::duration)
      .def_readwrite("interval", &study::ScenarioChanges::interval)
      .def_readwrite("friction", &study::ScenarioChanges::friction)
      .def_readwrite("channels", &study::ScenarioChanges::channels)
      .def("set", [](study::ScenarioChanges& c, const std::string& name, const std::string& value) {
        c.parameters.push_back({name, value});
      });
  py::class_<record::Recording, std::shared_ptr<record::Recording>>(m, "Recording")
      .def_property_readonly("rows", &record::Recording::rows)
      .def_property_readonly("channels",
                             [](const record::Recording& r) { return channels_of(r.channels()); })
      .def("column",
           [](const py::object& self, const std::string& name) {
             return view_of(self.cast<const record::Recording&>().column(name), self);
           })
      .def_property_readonly("values", &values_of);
  py::class_<study::Case>(m, "Case");
  py::class_<Vehicle, VehiclePointer>(m, "Vehicle")
      .def_property_readonly("name", [](Vehicle& v) { return v.runner.prepared().vehicle.name; })
      .def_property_readonly("about", [](Vehicle& v) { return v.runner.prepared().vehicle.about; })
      .def_property_readonly("scenario", [](Vehicle& v) { return v.scenario.name; })
      .def_property_readonly("track", [](Vehicle& v) { return v.description().track.name; })
      .def_property_readonly("step", [](Vehicle& v) { return v.description().step; })
      .def_property_readonly("duration", [](Vehicle& v) { return v.description().duration; })
      .def_property_readonly("warnings", [](Vehicle& v) { return v.description().warnings; })
      .def_property_readonly("parameters", [](Vehicle& v) { return parameters_of(v.instance()); })
      .def_property_readonly("inputs", [](Vehicle& v) { return inputs_of(v.instance()); })
      .def_property_readonly("coordinates",
                             [](Vehicle& v) { return v.instance().simulator().coordinate_names(); })
      .def_property_readonly("wheels",
                             [](Vehicle& v) {
                               std::vector<std::string> names;
                               for (const step::WheelData& w : v.description().data.wheels)
                                 names.push_back(w.name);
                               return names;
                             })
      .def_property_readonly("channels",
                             [](Vehicle& v) { return channels_of(v.instance().channels()); })
      .def("case",
           [](Vehicle& v, const Named& parameters, const Named& inputs,
              std::optional<double> friction, std::optional<double> speed,
              std::optional<double> position) {
             return case_of(v.instance(), parameters, inputs, friction, speed, position);
           })
      .def("run", &run)
      .def("report", &report)
      .def("run_batch", &run_batch)
      .def("modes", &modes_of);
  m.def("load", &load, Release());
}

}  // namespace

void add_simulation(py::module_& m) {
  add_vehicle(m);
  py::class_<Simulation>(m, "Simulation")
      .def(py::init<VehiclePointer>())
      .def_property_readonly("time", [](Simulation& s) { return s.instance.time(); })
      .def_property_readonly("started", [](Simulation& s) { return s.instance.started(); })
      .def_property_readonly("finished", [](Simulation& s) { return s.instance.finished(); })
      .def_property_readonly("failure", [](Simulation& s) { return s.instance.failure(); })
      .def_property_readonly("parameters", [](Simulation& s) { return parameters_of(s.instance); })
      .def_property_readonly("inputs", [](Simulation& s) { return inputs_of(s.instance); })
      .def("set_parameter",
           [](Simulation& s, const std::string& name, double value) {
             s.instance.set_parameter(s.instance.parameter(name), value);
           })
      .def("input", [](Simulation& s, const std::string& name) { return s.instance.input(name); })
      .def("set_input",
           [](Simulation& s, std::size_t index, double value) {
             if (index >= s.instance.input_names().size())
               base::fail("there is no input {}: the vehicle has {}", index,
                          s.instance.input_names().size());
             check_input(s.instance.input_names()[index], value);
             s.instance.set_input(index, value);
           })
      .def("release_input",
           [](Simulation& s, const std::string& name) {
             s.instance.release_input(s.instance.input(name));
           })
      .def("set_friction",
           [](Simulation& s, double mu, const std::optional<std::string>& wheel) {
             if (wheel) return s.instance.give_friction(s.instance.wheel(*wheel), mu);
             for (std::size_t i = 0; i < s.instance.simulator().data().wheels.size(); ++i)
               s.instance.give_friction(i, mu);
           })
      .def("start",
           [](Simulation& s, std::optional<double> position, std::optional<double> speed) {
             const py::gil_scoped_release free;
             const InUse mine(s.busy, "simulation");
             start::Start& options = s.instance.start_options();
             options.position = position.value_or(s.instance.description().start.position);
             options.speed = speed.value_or(s.instance.description().start.speed);
             s.instance.start();
           })
      .def("steps", &steps)
      .def("channel",
           [](Simulation& s, const std::string& name) { return s.instance.channel(name); })
      .def("value", [](Simulation& s, std::size_t channel) { return s.instance.value(channel); })
      .def("values_into", &values_into)
      .def("save", [](Simulation& s) { return s.instance.save(); })
      .def("restore", [](Simulation& s, const std::string& state) { s.instance.restore(state); })
      .def("record",
           [](Simulation& s, const std::vector<std::string>& channels, double interval) {
             if (!(interval >= 0) || !std::isfinite(interval))
               base::fail(
                   "interval is {} s, expected the time between rows; 0: that of the scenario",
                   interval);
             s.instance.record(channels, interval);
           })
      .def("recorded", [](Simulation& s) {
        return std::make_shared<record::Recording>(s.instance.recorded());
      });
}

}  // namespace klingel::python
