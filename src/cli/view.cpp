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
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/run_program.hpp"
#include "cli/run_screen.hpp"
#include "cli/vehicle_arguments.hpp"
#include "report/page.hpp"
#include "report/page_recording.hpp"
#include "report/recording_folder.hpp"
#include "scene/live_page.hpp"
#include "step/step_names.hpp"
#include "study/study_folder.hpp"
#include "study/study_page.hpp"
#include "view/access.hpp"

namespace klingel::cli {
namespace {

struct ViewArguments {
  std::string what = "feve3000_corrected";
  ScenarioArguments scenario;
  std::string bind = "127.0.0.1", backend = "automatic", rate = "1";
  unsigned port = 8080;
  bool paused = false;
};

view::ServerOptions server_options(const ViewArguments& a, bool live) {
  if (a.port > 65535) base::fail("--port must be below 65536, found {}", a.port);
  view::ServerOptions options;
  options.address = a.bind;
  options.port = static_cast<std::uint16_t>(a.port);
  options.live = live;
  if (!view::is_loopback(a.bind)) options.token = view::random_token();
  return options;
}

// flushed at once, also into a pipe: a script may wait for the address
void announce(const view::Server& server, const ViewArguments& a, const std::string& what) {
  fmt::print("{} at {}\n", what, server.url());
  if (!view::is_loopback(a.bind))
    fmt::print("everyone who has this address and can reach {} can watch and control it\n", a.bind);
  fmt::print("Ctrl-C ends it\n");
  std::fflush(stdout);
}

ExitCode view_recording(const ViewArguments& a) {
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

// Runs a case of a study in a process of its own, as the command on the page does; its report.
std::string report_of_case(const std::filesystem::path& folder, const std::string& number) {
  if (number.empty() || number.size() > 9 ||
      number.find_first_not_of("0123456789") != std::string::npos)
    base::fail("'{}' is not the number of a case", number);
  const study::Study study = study::study_in(folder);
  if (!study.needs_run()) base::fail("the cases of '{}' are no runs", study.name);
  const std::filesystem::path out = folder / ("case_" + number);
  const std::string what = study.file + "#" + number;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string to = out.string();
  const char* const arguments[] = {program.c_str(), "run",      what.c_str(), "--out",
                                   to.c_str(),      "--report", "--force",    nullptr};
  const std::string problem = run_program(arguments);
  if (!problem.empty()) base::fail("{}", problem);
  return base::read_file(out / "report.html");
}

// The page of a study; cases run when it asks for them.
ExitCode view_study(const ViewArguments& a) {
  const std::filesystem::path folder = a.what;
  if (!std::filesystem::exists(folder / "page.html"))
    base::fail(
        "'{}' has no page yet: its study is not finished. The command that began it goes on, and "
        "when it is stopped by Ctrl-C it leaves a page of what is known",
        a.what);
  const std::string page = base::read_file(folder / "page.html");
  const Interrupt interrupt;
  view::ServerOptions options = server_options(a, false);
  options.on_request = "/case/";
  view::Server server(options, study::served_page(page));
  announce(server, a, fmt::format("the study in '{}' is", a.what));
  while (!Interrupt::wanted()) {
    view::PageRequest request;
    if (!server.next(request)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      continue;
    }
    try {
      server.answer(request.number, true, report_of_case(folder, request.what));
    } catch (const std::exception& e) {
      server.answer(request.number, false, std::string(e.what()) + "\n");
    }
  }
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
vehicle::Scenario scenario_or_folder(const ViewArguments& a) {
  try {
    return scenario_of(a.what, a.scenario);
  } catch (const base::Error&) {
    if (std::filesystem::is_directory(a.what)) report::recording_in(a.what);
    throw;
  }
}

ExitCode view_live(const ViewArguments& a) {
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
  options.method.balance = true;  // tells a derailment from numbers that blow up
  options.speed = rate;
  options.paused = a.paused;
  options.controls = scene::controls_of(p);
  options.body = p.description->start.body;
  options.inputs = [&](double t) { p.instance->set_inputs(t); };
  options.motion = [&](std::vector<double>& values) { page.motion(values); };
  view::Live live(*p.simulator, p.track, options);

  view::Server server(server_options(a, true),
                      page.html(live.values(), live.channels(), options.controls));
  announce(server, a, fmt::format("{} on {} is", p.vehicle.name, p.track.name));
  Screen screen(server);
  live.run(
      server, [] { return Interrupt::wanted(); }, [&] { screen.look(); });
  screen.end();
  return ExitCode::fine;
}

}  // namespace

Command view_command() {
  const auto a = std::make_shared<ViewArguments>();
  Command c{Group::simulate, "view", "Watch a vehicle run in a browser, and drive it"};
  c.about =
      "Prints an address to open in a browser. With a folder that 'klingel run --out' wrote, it "
      "shows that run instead; with one of 'klingel study', the study, and runs cases again when "
      "the "
      "page asks for it. Ctrl-C ends it.";
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
    const bool is_folder = std::filesystem::is_directory(a->what);
    if (is_folder && (std::filesystem::exists(std::filesystem::path(a->what) / "page.html") ||
                      study::holds_study(a->what)))
      return view_study(*a);
    const bool is_run = is_folder && report::holds_recording(a->what);
    return is_run ? view_recording(*a) : view_live(*a);
  };
  return c;
}

}  // namespace klingel::cli
