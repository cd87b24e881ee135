// klingel view: a vehicle that runs while one looks at it in a browser, or the page of a run that
// has been done. The simulation stays in this thread, the server has its own.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/run_screen.hpp"
#include "cli/vehicle_arguments.hpp"
#include "report/page.hpp"
#include "report/page_recording.hpp"
#include "report/recording_folder.hpp"
#include "scene/live_page.hpp"
#include "step/step_names.hpp"
#include "view/access.hpp"

namespace klingel::cli {
namespace {

struct Arguments {
  std::string what = "feve3000_corrected";
  ScenarioArguments scenario;
  std::string bind = "127.0.0.1", backend = "automatic", rate = "1";
  unsigned port = 8080;
  bool paused = false;
};

view::ServerOptions server_options(const Arguments& a, bool live) {
  if (a.port > 65535) base::fail("--port must be below 65536, found {}", a.port);
  view::ServerOptions options;
  options.address = a.bind;
  options.port = static_cast<std::uint16_t>(a.port);
  options.live = live;
  if (!view::is_loopback(a.bind)) options.token = view::random_token();
  return options;
}

// flushed at once, also into a pipe: a script may wait for the address
void announce(const view::Server& server, const Arguments& a, const std::string& what) {
  fmt::print("{} at {}\n", what, server.url());
  if (!view::is_loopback(a.bind))
    fmt::print("everyone who has this address and can reach {} can watch and control it\n", a.bind);
  fmt::print("Ctrl-C ends it\n");
  std::fflush(stdout);
}

ExitCode view_recording(const Arguments& a) {
  const std::string recording = report::recording_in(a.what);
  const std::string page =
      report::page_template().empty()
          ? report::plain_page(report::channels_of_page(recording, "recording"), "Klingel report")
          : report::page(report::page_template(), recording);
  const Interrupt interrupt;
  const view::Server server(server_options(a, false), page);
  announce(server, a, fmt::format("the run in '{}' is", a.what));
  while (!Interrupt::wanted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return ExitCode::fine;
}

double rate_of(const std::string& text) {
  if (text == "max") return 0;
  std::size_t used = 0;
  double rate = 0;
  try {
    rate = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || !(rate > 0 && rate <= view::most_speed)) {
    base::fail(
        "--rate takes a number of simulated seconds per second, at most {:g}, or 'max', found '{}'",
        view::most_speed, text);
  }
  return rate;
}

// the first of a kind is said when it happens, all at the end
class Screen {
 public:
  explicit Screen(const view::Server& server) : server_(server) {}

  void look() {
    const view::Server::Counts now = server_.counts();
    if (now.ignored > 0 && before_.ignored == 0)
      fmt::print(stderr, "klingel: warning: a message that is not a command was ignored\n");
    if (now.refused > 0 && before_.refused == 0)
      fmt::print(stderr,
                 "klingel: warning: a request from another web page or host name was refused\n");
    before_ = now;
  }

  void end() const {
    const view::Server::Counts c = server_.counts();
    fmt::print("{} frames sent, {} left out for slow pages", c.sent, c.dropped);
    if (c.ignored > 0) fmt::print(", {} messages ignored", c.ignored);
    if (c.refused > 0) fmt::print(", {} requests refused", c.refused);
    fmt::print("\n");
  }

 private:
  const view::Server& server_;
  view::Server::Counts before_;
};

// A folder that is neither a shipped name nor holds a recording is said to be one.
vehicle::Scenario scenario_or_folder(const Arguments& a) {
  try {
    return scenario_of(a.what, a.scenario);
  } catch (const base::Error&) {
    if (std::filesystem::is_directory(a.what)) report::recording_in(a.what);
    throw;
  }
}

ExitCode view_live(const Arguments& a) {
  const double rate = rate_of(a.rate);
  if (report::page_template().empty()) {
    base::fail(
        "this program was built without npm, so it has no page to show; install nodejs and npm and "
        "build it again with network access: ./run build");
  }
  const vehicle::Scenario scenario = scenario_or_folder(a);

  const Interrupt interrupt;
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(a.backend);
  compile::PreparedRun p = compile::prepare_run(scenario, kernels);
  scene::LivePage page(p);
  view::LiveOptions options;
  options.step = scenario.step;
  options.method = p.description->method;
  // tells a derailment from numbers that blow up; other schemes keep none
  options.method.balance = options.method.scheme != step::Scheme::trapezoidal &&
                           options.method.scheme != step::Scheme::reference;
  options.speed = rate;
  options.paused = a.paused;
  options.controls = scene::controls_of(p);
  options.body = p.description->start.body;
  options.inputs = [&](double t) { p.instance->set_inputs(t); };
  options.motion = [&](std::vector<double>& values) { page.motion(values); };
  view::Live live(*p.simulator, p.track, options);

  view::Server server(server_options(a, true), page.html(live, options.controls));
  announce(server, a, fmt::format("{} on {} is", p.vehicle.name, p.track.name));
  Screen screen(server);
  live.run(
      server, [] { return Interrupt::wanted(); }, [&] { screen.look(); });
  screen.end();
  return ExitCode::fine;
}

}  // namespace

Command view_command() {
  const auto a = std::make_shared<Arguments>();
  Command c{Group::simulate, "view", "Watch a vehicle run in a browser, and drive it"};
  c.about =
      "Prints an address to open in a browser. With a folder that 'klingel run --out' wrote, it "
      "shows that run instead. Ctrl-C ends it.";
  c.examples = {"klingel view", "klingel view coach_300m --rate 0.2", "klingel view results"};
  c.option("what", a->what, "Vehicle or scenario: a shipped name or a file; or a folder of results")
      .names(Names::scenario);
  c.option("--port", a->port, "Port to serve at; 0 takes any free one").value("PORT");
  c.option("--bind", a->bind, "Address to serve at; the default is reached from this machine only")
      .value("ADDRESS");
  c.option("--rate", a->rate, "Simulated seconds per second, or 'max'").value("NUMBER");
  c.option("--paused", a->paused, "Wait until the page starts the run");
  add_scenario_options(c, a->scenario);
  add_backend_option(c, a->backend);
  c.run = [a] {
    const bool is_run = std::filesystem::is_directory(a->what) && report::holds_recording(a->what);
    return is_run ? view_recording(*a) : view_live(*a);
  };
  return c;
}

}  // namespace klingel::cli
