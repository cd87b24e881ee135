#include "realtime/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/error.hpp"

namespace klingel::realtime {

using runtime::Status;

Overrun overrun_named(const std::string& name) {
  if (name == "skip") return Overrun::skip;
  if (name == "catch-up") return Overrun::catch_up;
  if (name == "stop") return Overrun::stop;
  base::fail("--overrun takes skip, catch-up or stop, found '{}'", name);
}

AtEnd at_end_named(const std::string& name) {
  if (name == "repeat") return AtEnd::repeat;
  if (name == "hold") return AtEnd::hold;
  if (name == "stop") return AtEnd::stop;
  base::fail("--end takes repeat, hold or stop, found '{}'", name);
}

Loop::Loop(Plant& plant, Device* device, const Layout& layout, Clock& clock,
           const LoopOptions& options, Queue<Period>& periods, Queue<double>* rows,
           Queue<double>* shown)
    : plant_(plant),
      device_(device),
      clock_(clock),
      options_(options),
      periods_(periods),
      rows_(rows),
      shown_(shown),
      inputs_(layout.input_frame()),
      outputs_(layout.output_frame()),
      hold_(layout.safe_inputs(), options.hold),
      row_(1 + layout.inputs.size() + layout.outputs.size()),
      shown_row_(2 + plant.all_outputs()) {}

// Asleep, then awake: a processor that sleeps wakes late, and with empty caches.
void Loop::wait(std::int64_t begin) noexcept {
  if (clock_.now() < begin - options_.spin) clock_.sleep_until(begin - options_.spin);
  if (options_.rehearse && clock_.now() < begin - options_.spin / 2) plant_.rehearse();
  while (clock_.now() < begin) {
  }
}

// Until it has answered the last outputs.
bool Loop::wait_for_device(const std::atomic<bool>& stop) noexcept {
  const std::int64_t end = clock_.now() + options_.patience;
  bool sent = outputs_.header.sequence > 1;  // a UDP device is known only after its first frame
  for (int i = 0; !stop.load(std::memory_order_relaxed); ++i) {
    if (device_->receive(inputs_)) {
      if (inputs_.header.answers == outputs_.header.sequence) {
        fresh_ = true;
        return true;
      }
      if (!sent) device_->send(outputs_), sent = true;
    }
    constexpr int polite = 64;  // the device may need this processor
    if (i % polite == 0) std::this_thread::yield();
    if (clock_.now() > end) return false;
  }
  return true;
}

void Loop::take_inputs(Period& p) noexcept {
  if (device_ == nullptr) return;
  const std::int64_t now = clock_.now();
  if (options_.lockstep ? fresh_ : device_->receive(inputs_)) {
    hold_.take(inputs_.values, now);
  } else if (hold_.acts()) {
    hold_.miss(now);
    p.missed_input = true;
    ++counts_.missing;
  }
  fresh_ = false;
  p.safe_input = hold_.is_safe();
  if (p.safe_input) ++counts_.safe;
  if (hold_.acts()) plant_.set_inputs(hold_.values());
}

void Loop::send_outputs(const Period& p) noexcept {
  plant_.read_outputs(outputs_.values);
  FrameHeader& h = outputs_.header;
  ++h.sequence;
  h.answers = inputs_.header.sequence;
  h.time = plant_.time();
  h.flags = (p.safe_input ? inputs_are_safe : 0u) | (at_end_ ? FrameFlags::at_end : 0u) |
            (p.restarted ? began_again : 0u);
  if (device_ != nullptr) {
    h.stamp = static_cast<std::uint64_t>(clock_.now());
    device_->send(outputs_);
  }
  if (rows_ == nullptr) return;
  row_[0] = h.time;
  const auto then = std::copy_n(hold_.values().begin(), hold_.values().size(), row_.begin() + 1);
  std::copy(outputs_.values.begin(), outputs_.values.end(), then);
  rows_->push(row_);
}

// Reading all channels takes some microseconds, so it is done as often as a screen needs it.
void Loop::show(std::int64_t number) noexcept {
  if (shown_ == nullptr || options_.show_every == 0 || number % options_.show_every != 0) return;
  shown_row_[0] = static_cast<double>(counts_.restarts);
  shown_row_[1] = plant_.time();
  plant_.read_all(std::span(shown_row_).subspan(2));
  shown_->push(shown_row_);
}

// True: there is nothing to step, and the loop ends or holds.
bool Loop::end_of_run(Period& p) noexcept {
  at_end_ = plant_.ended();
  if (!at_end_ || options_.at_end == AtEnd::stop) return at_end_;
  if (options_.at_end == AtEnd::repeat && plant_.begin_again()) {
    at_end_ = false;
    p.restarted = true;
    ++counts_.restarts;
    // the new run begins with its scenario's inputs
    if (hold_.acts()) plant_.set_inputs(hold_.values());
    return false;
  }
  ++counts_.held_at_end;
  return true;
}

Status Loop::do_steps(Period& p) noexcept {
  for (int i = 0; i < options_.steps; ++i) {
    if (end_of_run(p)) break;
    const Status status = plant_.step();
    if (status != Status::ok) return status;
    ++counts_.steps;
    const capi::Story s = plant_.story();
    p.story.jumps += s.jumps, p.story.flanges += s.flanges;
    p.story.releases += s.releases, p.story.fallbacks += s.fallbacks;
    p.story.limits += s.limits;
    p.story.newton_q = std::max(p.story.newton_q, s.newton_q);
    p.story.newton_s = std::max(p.story.newton_s, s.newton_s);
  }
  return Status::ok;
}

// Counts of the thread since the last period, the sleep included.
void Loop::finish(Period& p) noexcept {
  const Usage now = clock_.usage();
  p.minor_faults = static_cast<std::int32_t>(now.minor_faults - usage_.minor_faults);
  p.major_faults = static_cast<std::int32_t>(now.major_faults - usage_.major_faults);
  p.preempted = static_cast<std::int32_t>(now.preempted - usage_.preempted);
  p.migrated = now.processor != usage_.processor;
  usage_ = now;
  p.t = plant_.time();
  ++counts_.periods;
  if (p.late()) ++counts_.overruns;
  if (!p.waited) ++counts_.made_up;
  periods_.push(p);
}

Ending Loop::failure(Status status) const {
  const bool derailed = status == Status::derailed;
  return {derailed ? Ending::Why::derailed : Ending::Why::failed, plant_.failure()};
}

Ending Loop::run(const std::atomic<bool>& stop) {
  usage_ = clock_.usage();
  send_outputs({});
  std::int64_t begin = clock_.now() + options_.period;
  for (std::int64_t number = 0; options_.periods == 0 || number < options_.periods; ++number) {
    if (stop.load(std::memory_order_relaxed)) break;
    Period p;
    p.number = number;
    if (options_.lockstep) {
      if (!wait_for_device(stop))
        return {Ending::Why::device_silent,
                fmt::format("the device did not answer within {:g} s",
                            static_cast<double>(options_.patience) * 1e-9)};
      begin = clock_.now();
    } else {
      p.waited = clock_.now() < begin;
      if (p.waited) wait(begin);
    }

    // inputs, steps, outputs; wall times inside processor times, which take longer to read
    p.begin = begin;
    const std::int64_t own_0 = clock_.thread_time(), wall_0 = clock_.now();
    p.wake = wall_0 - begin;
    take_inputs(p);
    const std::int64_t own_1 = clock_.thread_time(), wall_1 = clock_.now();
    const Status status = do_steps(p);
    const std::int64_t wall_2 = clock_.now(), own_2 = clock_.thread_time();
    if (status != Status::ok) return failure(status);
    if (at_end_ && options_.at_end == AtEnd::stop) return {Ending::Why::end_of_run, ""};
    send_outputs(p);
    show(number);
    const std::int64_t wall_3 = clock_.now(), own_3 = clock_.thread_time();

    p.step = wall_2 - wall_1, p.step_own = own_2 - own_1;
    p.io = wall_1 - wall_0 + wall_3 - wall_2, p.io_own = own_1 - own_0 + own_3 - own_2;
    p.slack = options_.lockstep ? 0 : begin + options_.period - wall_3;
    finish(p);

    begin += options_.period;
    if (!p.late()) continue;
    if (options_.overrun == Overrun::stop)
      return {Ending::Why::overrun, fmt::format("period {} ended {:.1f} us late", number + 1,
                                                static_cast<double>(-p.slack) * 1e-3)};
    if (options_.overrun == Overrun::skip) {
      const std::int64_t over = -p.slack / options_.period + 1;
      counts_.skipped += over;
      begin += over * options_.period;
    }
  }
  return {};
}

}  // namespace klingel::realtime
