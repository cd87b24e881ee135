#include "view/live.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

namespace klingel::view {
namespace {

using Clock = std::chrono::steady_clock;

Clock::duration seconds(double s) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

bool goes_on(LiveState state) { return state == LiveState::running || state == LiveState::paused; }

}  // namespace

Live::Live(step::Simulator& simulator, const track::Track& track, LiveOptions options)
    : simulator_(simulator),
      options_(std::move(options)),
      row_(simulator, track, options_.body),
      start_(simulator.state()),
      set_(options_.controls.size()) {
  for (std::size_t i = 0; i < simulator.input_names().size(); ++i)
    start_inputs_.push_back(simulator.input(i));
  for (std::size_t i = 0; i < simulator.data().wheels.size(); ++i)
    start_friction_.push_back(simulator.friction(i));
  head_.speed = options_.speed;
  head_.state = options_.paused ? LiveState::paused : LiveState::running;
  row_.forces().before(simulator);
  ending_.emplace(simulator, row_.forces());
  advance(1);
}

void Live::reset() {
  simulator_.set_state(start_);
  row_.forget();
  for (std::size_t i = 0; i < start_inputs_.size(); ++i) simulator_.set_input(i, start_inputs_[i]);
  for (std::size_t i = 0; i < start_friction_.size(); ++i)
    simulator_.set_friction(i, start_friction_[i]);
  for (std::optional<double>& value : set_) value.reset();
  ++head_.resets;
  steps_wanted_ = 0;
  message_.clear();
  // a run that had ended begins again; one that was paused stays so
  if (!goes_on(head_.state)) head_.state = LiveState::running;
  advance(1);
}

void Live::end(LiveState state, std::string message) {
  head_.state = state;
  message_ = std::move(message);
}

// the scenario's, then what pages have set
void Live::set_inputs() {
  if (options_.inputs) options_.inputs(simulator_.state().t);
  for (std::size_t i = 0; i < set_.size(); ++i) {
    if (!set_[i]) continue;
    for (const std::size_t input : options_.controls[i].inputs)
      simulator_.set_input(input, *set_[i]);
  }
}

double Live::control_value(const Control& control) const {
  if (!control.inputs.empty()) return simulator_.input(control.inputs[0]);
  return start_friction_.empty() ? 0 : simulator_.friction(0);
}

void Live::take() {
  values_.clear();
  for (const Control& c : options_.controls) values_.push_back(control_value(c));
  const std::span<const double> row = row_.take(simulator_);
  values_.insert(values_.end(), row.begin(), row.end());
  if (options_.motion) options_.motion(values_);
}

bool Live::apply(const Command& command) {
  switch (command.kind) {
    case Command::Kind::pause:
      if (head_.state == LiveState::running) head_.state = LiveState::paused;
      return true;
    case Command::Kind::resume:
      if (head_.state == LiveState::paused) head_.state = LiveState::running;
      steps_wanted_ = 0;
      return true;
    case Command::Kind::reset:
      reset();
      return true;
    case Command::Kind::step:
      if (head_.state == LiveState::running) head_.state = LiveState::paused;
      if (head_.state == LiveState::paused)
        steps_wanted_ = std::min<std::int64_t>(steps_wanted_ + std::llround(command.value),
                                               std::llround(most_steps));
      return true;
    case Command::Kind::speed:
      head_.speed = command.value;
      return true;
    case Command::Kind::set: {
      if (command.control >= options_.controls.size()) return false;
      const Control& c = options_.controls[command.control];
      if (!(command.value >= c.low && command.value <= c.high)) return false;
      set_[command.control] = command.value;
      if (c.inputs.empty()) {
        for (std::size_t i = 0; i < start_friction_.size(); ++i)
          simulator_.set_friction(i, command.value);
      }
      set_inputs();
      take();
      return true;
    }
    case Command::Kind::seen:
      return true;
  }
  return false;
}

std::int64_t Live::advance(std::int64_t steps, const std::function<bool()>& enough) {
  std::int64_t done = 0;
  while (done < steps && goes_on(head_.state)) {
    set_inputs();
    const runtime::Status status = simulator_.step(options_.step, options_.method);
    if (status != runtime::Status::ok) {
      record::RunSummary s;
      s.has_balance = options_.method.balance;
      s.energy = simulator_.balance();
      ending_->judge(simulator_, row_.forces(), status, record::RunEnd::failed, s);
      end(s.end == record::RunEnd::derailed ? LiveState::derailed : LiveState::failed, s.message);
    } else {
      ++done;
      // at every step: at a high rate a frame is many metres
      if (row_.is_at_end(simulator_))
        end(LiveState::track_ended, "The track ends here. Press reset to restart.");
    }
    if (enough && enough()) break;
  }
  // also after a failure: the last good state
  take();
  return done;
}

void Live::send_frame(Server& server) {
  ++head_.number;
  server.send(frame_bytes(head_, values_));
}

void Live::run(Server& server, const std::function<bool()>& stop,
               const std::function<void()>& every_frame) {
  constexpr double late = 0.25;  // s: so far behind, the clock starts anew
  const double frame_time = 1 / options_.frames;
  Clock::time_point next = Clock::now();
  double owed = 0;  // steps
  std::string told = message_;
  server.tell(note(message_));
  send_frame(server);
  while (!stop()) {
    const Clock::time_point begin = Clock::now();
    next += seconds(frame_time);
    if (begin > next + seconds(late)) next = begin + seconds(frame_time);

    bool changed = false;
    for (Command command; server.next(command); changed = true)
      if (!apply(command)) server.count_ignored();

    // as many steps as the time of this frame holds
    std::int64_t steps = 0;
    if (head_.state == LiveState::paused) {
      steps = std::exchange(steps_wanted_, 0);
      owed = 0;
    } else if (head_.state == LiveState::running) {
      owed += head_.speed * frame_time / options_.step;
      steps = head_.speed > 0 ? static_cast<std::int64_t>(owed)
                              : std::numeric_limits<std::int64_t>::max();
    }
    if (steps > 0) {
      const bool running = head_.state == LiveState::running;
      const std::int64_t done =
          advance(steps, [&] { return (running && Clock::now() >= next) || stop(); });
      owed = done < steps ? 0 : owed - static_cast<double>(done);
      if (!running || head_.speed == 0) owed = 0;
      if (running) {
        // smoothed over about half a second
        const double now = static_cast<double>(done) * options_.step / frame_time;
        head_.reached += 0.05 * (now - head_.reached);
      }
      changed = true;
    }
    if (!goes_on(head_.state) || head_.state == LiveState::paused) head_.reached = 0;
    if (message_ != told) {
      told = message_;
      server.tell(note(message_));
    }
    if (changed) send_frame(server);
    if (every_frame) every_frame();
    std::this_thread::sleep_until(next);
  }
}

}  // namespace klingel::view
