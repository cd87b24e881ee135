// klingel realtime: a vehicle in a loop in time with the clock, against a device or alone.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "capi/vehicle_model.hpp"
#include "cli/command.hpp"
#include "cli/realtime_view.hpp"
#include "cli/run_screen.hpp"
#include "cli/vehicle_arguments.hpp"
#include "compile/prepare_run.hpp"
#include "realtime/session.hpp"
#include "realtime/shared_memory.hpp"
#include "realtime/udp.hpp"
#include "report/plot.hpp"

namespace klingel::cli {
namespace {

struct RealtimeArguments {
  std::string what;
  ScenarioArguments scenario;
  std::optional<double> period;
  double seconds = 10, hold = 0.1, spin = 100, patience = 10;
  std::string overrun = "skip", end = "repeat", json, histogram, record, shm, header;
  std::string bind = "127.0.0.1", backend = "automatic";
  std::vector<std::string> inputs, outputs, safe, wet;
  int cpu = -1, priority = 80, port = -1, view = -1;
  bool stress = false, worst_case = false, lockstep = false, no_rehearsal = false;
};

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

realtime::LoopOptions loop_options(const RealtimeArguments& a, double step) {
  realtime::LoopOptions o;
  o.overrun = realtime::overrun_named(a.overrun);
  o.at_end = realtime::at_end_named(a.end);
  const double steps = a.period.value_or(step) / step;
  if (!(steps >= 1 - 1e-9 && steps <= 1e6) || std::abs(steps - std::round(steps)) > 1e-6)
    base::fail(
        "--period must be a multiple of the time step of {:g} s, found {:g} s; change it, "
        "or the step with --step",
        step, a.period.value_or(step));
  if (!(a.seconds > 0 && a.seconds <= 1e7))
    base::fail("--seconds must be above 0 and up to 1e7, found {:g}", a.seconds);
  if (!(a.hold >= 0 && a.hold <= 1e6))
    base::fail("--hold-input must be 0 s to 1e6 s, found {:g}", a.hold);
  if (!(a.patience > 0 && a.patience <= 1e6))
    base::fail("--patience must be above 0 and up to 1e6 s, found {:g}", a.patience);
  o.steps = static_cast<int>(std::lround(steps));
  o.period = nanoseconds(step * std::round(steps));
  o.periods =
      std::max<std::int64_t>(std::llround(a.seconds * 1e9 / static_cast<double>(o.period)), 1);
  if (!(a.spin >= 0) || nanoseconds(a.spin * 1e-6) > o.period)
    base::fail("--spin must be 0 us to the period of {:g} us, found {:g}",
               static_cast<double>(o.period) * 1e-3, a.spin);
  o.spin = nanoseconds(a.spin * 1e-6);
  o.rehearse = !a.no_rehearsal && o.spin > 0;
  o.lockstep = a.lockstep;
  o.hold = nanoseconds(a.hold);
  o.patience = nanoseconds(a.patience);
  return o;
}

// What is wrong is said before the vehicle is compiled.
void check_device(const RealtimeArguments& a) {
  if (!a.shm.empty() && a.port >= 0) base::fail("give --shm or --udp, not both");
  if (a.port > 65535) base::fail("--udp takes a port below 65536, found {}", a.port);
  if (a.port >= 0) realtime::is_this_machine(a.bind);  // an Error if it is no address
  if (a.lockstep && a.shm.empty() && a.port < 0)
    base::fail("--lockstep needs a device: --shm or --udp");
  if (a.hold != RealtimeArguments().hold && a.shm.empty() && a.port < 0 && a.header.empty())
    base::fail("--hold-input needs a device: --shm or --udp");
  if (!a.header.empty() && !(a.json.empty() && a.histogram.empty() && a.record.empty()))
    base::fail(
        "--header writes the layout and runs nothing, so that --json, --histogram and "
        "--record have no effect; call it once more without --header");
}

std::unique_ptr<realtime::Device> device_of(const RealtimeArguments& a,
                                            const realtime::Layout& layout) {
  const realtime::Frame inputs = layout.input_frame(), outputs = layout.output_frame();
  if (!a.shm.empty()) return std::make_unique<realtime::SharedMemoryDevice>(a.shm, inputs, outputs);
  if (a.port >= 0) {
    auto udp = std::make_unique<realtime::UdpDevice>(a.bind, static_cast<std::uint16_t>(a.port),
                                                     inputs, outputs);
    fmt::print("listens at {}:{}\n", a.bind, udp->port());
    if (!realtime::is_this_machine(a.bind))
      fmt::print(stderr,
                 "klingel: WARNING: everyone who can reach {} on UDP port {} can drive this "
                 "vehicle and read its outputs; nothing is encrypted or signed\n",
                 a.bind, udp->port());
    std::fflush(stdout);
    return udp;
  }
  return nullptr;
}

report::Plot histogram_plot(const realtime::Result& r) {
  report::Plot plot;
  plot.title = fmt::format("{} periods of {:g} us", r.counts.periods,
                           static_cast<double>(r.loop.period) * 1e-3);
  plot.x_label = "log10 of time in us";
  plot.y_label = "log10 of share that takes longer";
  const auto add = [&plot](const char* label, const realtime::Histogram& h) {
    report::Series s;
    s.label = label;
    std::int64_t left = h.count();
    for (const auto& bar : h.bars()) {
      if (bar.to > 100 && left > 0) {
        s.x.push_back(std::log10(static_cast<double>(bar.to) * 1e-3));
        s.y.push_back(std::log10(static_cast<double>(left) / static_cast<double>(h.count())));
      }
      left -= bar.count;
    }
    plot.series.push_back(std::move(s));
  };
  add("step", r.statistics.step);
  add("step, own time", r.statistics.step_own);
  add("wake-up", r.statistics.wake);
  add("input, output", r.statistics.io);
  return plot;
}

ExitCode code_of(const realtime::Ending& ending) {
  using Why = realtime::Ending::Why;
  switch (ending.why) {
    case Why::done:
    case Why::end_of_run:
    case Why::derailed:
      return ExitCode::fine;
    case Why::overrun:
    case Why::failed:
    case Why::device_silent:
      break;
  }
  return ExitCode::numeric_failure;
}

ExitCode run_loop(const RealtimeArguments& a) {
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(a.backend);
  vehicle::Scenario scenario = scenario_of(a.what, a.scenario);
  realtime::SessionOptions options;
  options.loop = loop_options(a, scenario.step);
  std::vector<realtime::WetSection> wet;
  for (const std::string& text : a.wet) wet.push_back(realtime::wet_section(text));
  check_device(a);
  compile::CompiledVehicle compiled = compile::compile(std::move(scenario), kernels);
  // the longest step is bounded: docs/realtime.md
  const auto bounded = std::make_shared<simulation::Description>(*compiled.description);
  bounded->method.limit_searches();
  const std::shared_ptr<const simulation::Description> description = bounded;
  compiled.description = description;
  const auto model = capi::vehicle_model({description, {}});
  const realtime::Layout layout = realtime::layout_of(*model, {a.inputs, a.outputs, a.safe});
  if (!a.header.empty()) {
    base::write_file(a.header, realtime::c_header(layout));
    fmt::print("wrote {}: {} inputs, {} outputs\n", a.header, layout.inputs.size(),
               layout.outputs.size());
    return ExitCode::fine;
  }
  options.permissions = {a.cpu, a.priority};
  options.stress = a.stress;
  options.record = a.record;

  std::optional<realtime::WorstCase> worst;
  if (a.worst_case) worst = realtime::worst_case(*description, 20'000);
  realtime::ModelPlant plant(model, layout, wet);
  const std::unique_ptr<realtime::Device> device = device_of(a, layout);
  std::unique_ptr<RealtimeView> view;
  if (a.view >= 0) {
    view = std::make_unique<RealtimeView>(std::move(compiled), *model, a.view);
    constexpr double frames = 50;  // per second
    options.loop.show_every = std::max<std::int64_t>(
        std::llround(1e9 / frames / static_cast<double>(options.loop.period)), 1);
    options.show = [&](std::span<const double> row) { view->show(row); };
    fmt::print("{} can be watched at {}\n", description->data.name, view->url());
    std::fflush(stdout);
  }
  const Interrupt interrupt;
  realtime::Result result = realtime::run_session(plant, device.get(), layout, options,
                                                  [] { return Interrupt::wanted(); });
  result.worst_case = worst;
  if (view) view->end(result.ending.message);

  for (const realtime::Limit& l : result.limits)
    if (!l.permitted) fmt::print("{}\n", l.text);
  fmt::print("{}", realtime::summary_text(result));
  if (!result.ending.message.empty()) fmt::print("ended: {}\n", result.ending.message);
  if (!a.json.empty()) base::write_file(a.json, realtime::json_text(result));
  if (!a.histogram.empty()) base::write_file(a.histogram, report::svg(histogram_plot(result)));
  if (Interrupt::wanted()) return Interrupt::exit_code();
  return code_of(result.ending);
}

}  // namespace

Command realtime_command() {
  const auto a = std::make_shared<RealtimeArguments>();
  Command c{Group::simulate, "realtime", "Run a vehicle in time with the clock, against a device"};
  c.about =
      "A loop on the monotonic clock: inputs, steps, outputs. A device talks to it through shared "
      "memory or UDP. Prints how long steps took, what was late, and by whose fault.";
  c.examples = {"klingel realtime feve3000_corrected --seconds 60 --json loop.json",
                "klingel realtime coach_300m --worst-case --stress",
                "klingel realtime feve3000_corrected --header vehicle.h",
                "klingel realtime feve3000_corrected --shm loco --record run.csv"};
  c.option("what", a->what, "Vehicle or scenario: a shipped name or a file")
      .names(Names::scenario)
      .required();
  c.option("--period", a->period, "Period of the loop, a multiple of the time step")
      .unit("s")
      .default_text("the time step");
  c.option("--seconds", a->seconds, "How long, in time of the run").unit("s");
  c.option("--overrun", a->overrun, "What follows a period that ends too late")
      .suggest({"skip", "catch-up", "stop"});
  c.option("--end", a->end, "What follows the end of the scenario or of its track")
      .suggest({"repeat", "hold", "stop"});
  c.option("--cpu", a->cpu, "Processor for the loop alone; -1 is any").value("NUMBER").at_least(-1);
  c.option("--priority", a->priority, "Of SCHED_FIFO; 0 is ordinary scheduling")
      .value("NUMBER")
      .at_least(0)
      .at_most(99);
  c.option("--spin", a->spin, "Wait awake for so long before a period")
      .unit("us")
      .at_least(0)
      .at_most(1e6);
  c.option("--no-rehearsal", a->no_rehearsal,
           "Do not warm caches with a copy while it waits awake");
  c.option("--shm", a->shm, "Talk to a device through shared memory of this name").value("NAME");
  c.option("--udp", a->port, "Talk to a device by UDP at this port; 0 is any free one, -1 none")
      .value("PORT")
      .at_least(-1)
      .at_most(65535);
  c.option("--bind", a->bind, "Address for UDP; the default is reached from this machine only")
      .value("ADDRESS")
      .needs("--udp");
  c.option("--inputs", a->inputs, "Inputs of the device, as patterns; without it all but friction")
      .value("PATTERN")
      .repeatable();
  c.option("--outputs", a->outputs,
           "Outputs for the device, as patterns; without it speed, s, y_rel, Y, Q and rates")
      .value("PATTERN")
      .repeatable();
  c.option("--hold-input", a->hold, "How long inputs are held without a new frame").unit("s");
  c.option("--safe", a->safe, "Value of an input after that; without it 0")
      .value("NAME=VALUE")
      .repeatable();
  c.option("--wet", a->wet, "Another friction between two places of the track")
      .value("FROM:TO:FRICTION")
      .repeatable();
  c.option("--lockstep", a->lockstep,
           "No clock: every period waits for the device's answer, as fast as both can");
  c.option("--patience", a->patience, "How long --lockstep waits for an answer")
      .unit("s")
      .needs("--lockstep");
  c.option("--header", a->header, "Write a C header for the device, and end").written();
  c.option("--record", a->record, "Write inputs and outputs of every period as CSV").written();
  c.option("--json", a->json, "Write the numbers as JSON").written();
  c.option("--histogram", a->histogram, "Write a picture of the times as SVG").written();
  c.option("--view", a->view,
           "Show the vehicle in a browser at this port; 0 is any free one, -1 none")
      .value("PORT")
      .at_least(-1)
      .at_most(65535);
  c.option("--stress", a->stress, "Spoil caches and use memory on another processor meanwhile");
  c.option("--worst-case", a->worst_case, "Also time steps with all their loops at the limits");
  add_scenario_options(c, a->scenario);
  add_backend_option(c, a->backend);
  c.run = [a] { return run_loop(*a); };
  return c;
}

}  // namespace klingel::cli
