// A simulation shown in pages: steps in real time, executes the commands of the pages, and
// makes sixty frames a second. Runs in the thread that calls run(); pages are the server's
// business.
//
// Too slow a machine does not fall further and further behind: what could not be computed in the
// time of a frame is left out, and the speed that was reached is shown.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/ending.hpp"
#include "step/simulator.hpp"
#include "view/live_row.hpp"
#include "view/protocol.hpp"
#include "view/server.hpp"

namespace klingel::view {

// Something a page can change: inputs of the vehicle that share a slider, or friction.
struct Control {
  std::string name, unit;
  double low = 0, high = 1;
  std::vector<std::size_t> inputs;  // of the simulator; none: the friction of all wheels
};

struct LiveOptions {
  double step = 1e-3;  // s
  step::StepOptions method = {};
  double speed = 1;  // simulated over real time; 0: as fast as possible
  bool paused = false;
  double frames = 60;  // per second
  record::BodyCoordinates body = {};
  std::vector<Control> controls;
  // Sets the inputs of the scenario before the step that begins at t. What a page has set is set
  // again after it.
  std::function<void(double t)> inputs;
  // Appends places of the scene's frames and wheels at the simulator's state.
  std::function<void(std::vector<double>& values)> motion;
};

class Live {
 public:
  // Does one step, so that there are forces to show. Simulator and track must outlive it.
  Live(step::Simulator& simulator, const track::Track& track, LiveOptions options);

  std::vector<record::Channel> channels() const { return row_.channels(); }
  // What a frame holds, without its head: controls, channels, motion.
  const std::vector<double>& values() const { return values_; }
  LiveState state() const { return head_.state; }

  // False if the command makes no sense here: no such control, or a value beyond its ends.
  bool apply(const Command& command);

  // Does up to so many steps, fewer when the run ends or `enough` says so.
  std::int64_t advance(std::int64_t steps, const std::function<bool()>& enough = {});

  // Until `stop` says so. `every_frame` is called sixty times a second, for a screen.
  void run(Server& server, const std::function<bool()>& stop,
           const std::function<void()>& every_frame = {});

 private:
  void reset();
  void end(LiveState state, std::string message);
  void set_inputs();
  double control_value(const Control& control) const;
  void take();
  void send_frame(Server& server);

  step::Simulator& simulator_;
  LiveOptions options_;
  LiveRow row_;
  std::optional<record::Ending> ending_;
  step::VehicleState start_;
  std::vector<double> start_inputs_, start_friction_;
  std::vector<std::optional<double>> set_;  // by control: the value set by a page
  std::vector<double> values_;
  FrameHead head_;
  std::string message_;            // why the run ended
  std::int64_t steps_wanted_ = 0;  // while paused
};

}  // namespace klingel::view
