// The loop: wait for the period, read inputs, step, send outputs, and nothing else. What happened
// goes through queues to other threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "realtime/clock.hpp"
#include "realtime/device.hpp"
#include "realtime/input_hold.hpp"
#include "realtime/plant.hpp"
#include "realtime/queue.hpp"

namespace klingel::realtime {

// What follows a period that ended after the next one should have begun.
enum class Overrun {
  skip,      // periods that are over are left out: simulated time falls behind
  catch_up,  // following periods begin at once until time is made up for
  stop
};
// What follows the end of the scenario or of its track.
enum class AtEnd {
  repeat,  // from the saved start
  hold,    // no more steps; outputs stay and are still sent
  stop
};
// Throw an Error with the right names.
Overrun overrun_named(const std::string& name);
AtEnd at_end_named(const std::string& name);

struct LoopOptions {
  std::int64_t period = 1'000'000;  // ns
  int steps = 1;                    // in a period
  std::int64_t periods = 0;         // how many; 0: until it is stopped
  Overrun overrun = Overrun::skip;
  AtEnd at_end = AtEnd::repeat;
  std::int64_t spin = 0;  // ns before the period in which it waits awake
  bool rehearse = false;  // in that time
  // Without a clock: every period waits for the device's answer to the last outputs, at most so
  // long.
  bool lockstep = false;
  std::int64_t patience = 10'000'000'000;  // ns
  std::int64_t hold = 100'000'000;         // ns for which inputs are held
  std::int64_t show_every = 0;             // periods from one row for a view to the next; 0: none
};

// How one period went; times in ns.
struct Period {
  std::int64_t number = 0;
  std::int64_t begin = 0;               // when it should begin
  std::int64_t wake = 0;                // how late it began
  std::int64_t step = 0, step_own = 0;  // wall time and processor time of this thread
  std::int64_t io = 0, io_own = 0;      // the same, of inputs and outputs
  std::int64_t slack = 0;               // from its end to the next begin
  double t = 0;                         // s, simulated, after it
  capi::Story story;
  std::int32_t minor_faults = 0, major_faults = 0, preempted = 0;
  bool waited = true;     // false: it made up for time
  bool migrated = false;  // to another processor, since the last period
  bool restarted = false, missed_input = false, safe_input = false;
  bool late() const { return slack < 0; }
};

struct LoopCounts {
  std::int64_t periods = 0, steps = 0;
  std::int64_t overruns = 0, skipped = 0, made_up = 0;
  std::int64_t restarts = 0, held_at_end = 0;
  std::int64_t missing = 0;  // periods without a new frame, since the first one
  std::int64_t safe = 0;     // periods with safe inputs
};

struct Ending {
  // done: all periods, or stopped from outside
  enum class Why { done, end_of_run, overrun, derailed, failed, device_silent } why = Why::done;
  std::string message;
};

class Loop {
 public:
  // All outlive the loop. `device`, `rows`, `shown` may be null. Rows have time, inputs and
  // outputs; what is shown has how often the run began again, time, and all outputs there are.
  Loop(Plant& plant, Device* device, const Layout& layout, Clock& clock, const LoopOptions& options,
       Queue<Period>& periods, Queue<double>* rows, Queue<double>* shown = nullptr);

  // In the real-time thread. Does not allocate until it ends.
  Ending run(const std::atomic<bool>& stop);
  const LoopCounts& counts() const { return counts_; }

 private:
  void wait(std::int64_t begin) noexcept;
  bool wait_for_device(const std::atomic<bool>& stop) noexcept;
  void take_inputs(Period& p) noexcept;
  void send_outputs(const Period& p) noexcept;
  void show(std::int64_t number) noexcept;
  runtime::Status do_steps(Period& p) noexcept;
  bool end_of_run(Period& p) noexcept;
  void finish(Period& p) noexcept;
  Ending failure(runtime::Status status) const;

  Plant& plant_;
  Device* device_;
  Clock& clock_;
  LoopOptions options_;
  Queue<Period>& periods_;
  Queue<double>*rows_, *shown_;
  Frame inputs_, outputs_;
  InputHold hold_;
  std::vector<double> row_, shown_row_;
  LoopCounts counts_;
  Usage usage_;
  bool at_end_ = false, fresh_ = false;
};

}  // namespace klingel::realtime
