// The log of a step: events, number of corrections, and the reason of a failure. Takes its
// memory once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/status.hpp"

namespace klingel::step {

struct Event {
  enum class Kind : std::uint8_t {
    release,     // the tread's normal force would be negative: it lets go
    touch,       // the gap closed: the tread holds again
    flange_on,   // the second point begins to press
    flange_off,  // and ends
    jump,        // the rigid tread point is now at another place of the tread
    fallback,    // a pivot vanished: full pivoting
    limit,       // a loop of the step ended at its largest count; what it had by then is used
    derailed     // the wheel has left its rail for good
  };
  Kind kind;
  std::uint32_t wheel;
  std::int64_t step;
  double t;  // s
  // release: N that would have been; touch, flange, derailed: gap, m; jump: u_w, m; fallback: the
  // pivot; limit: of corrections what the constraint is still missed by, m or m/s; of solutions N
  // that pulls; of searches the gap at the point that was kept, m
  double value;
};
std::string_view name(Event::Kind kind);

// Steps since set_state in which treads left what is validated.
struct Doubt {
  std::int64_t steps = 0;
  double first = 0;  // s
  std::uint32_t wheel = 0;
};
struct Doubts {
  Doubt chart;  // pressed beyond the ends of its chart: place, lean or turn
  Doubt flank;  // pressed on the steep flank of the flange, where the patch is long and bent
  Doubt creep;  // creep force above friction after all attempts of the step
};

class StepLog {
 public:
  explicit StepLog(std::size_t wheels) { events.reserve(8 * wheels + 8); }

  // A step from this state begins.
  void begin(double t, std::int64_t step) {
    t_ = t, step_ = step;
    events.clear();
    newton_q = newton_s = 0;
    largest_phi = 0;
  }
  void note(Event::Kind kind, std::size_t wheel, double value);
  // A flange that began or ended to press.
  void note_flange(std::size_t wheel, double N_before, double N_after, double gap);
  runtime::Status fail(runtime::Status status, const char* equation, std::size_t wheel,
                       double residual, double tolerance, int iterations);

  std::vector<Event> events;  // of the last step, oldest first
  runtime::Failure failure;   // of the last step that failed
  int newton_q = 0;           // corrections of q; of loaded treads solutions that were not accepted
  int newton_s = 0;           // most corrections of s of one wheel
  double largest_phi = 0;     // of phi_n at the end of the step, m
  Doubts doubts;

 private:
  double t_ = 0;
  std::int64_t step_ = 0;
};

}  // namespace klingel::step
