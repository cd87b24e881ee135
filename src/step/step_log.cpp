#include "step/step_log.hpp"

namespace klingel::step {

std::string_view name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::release:
      return "release";
    case Event::Kind::touch:
      return "touch";
    case Event::Kind::flange_on:
      return "flange on";
    case Event::Kind::flange_off:
      return "flange off";
    case Event::Kind::jump:
      return "jump";
    case Event::Kind::limit:
      return "limit";
    case Event::Kind::fallback:
      return "pivoting solver";
    case Event::Kind::derailed:
      return "derailed";
  }
  return "";
}

void StepLog::note(Event::Kind kind, std::size_t wheel, double value) {
  if (events.size() == events.capacity()) return;  // never allocate; one step has few events
  events.push_back({kind, static_cast<std::uint32_t>(wheel), step_, t_, value});
}

void StepLog::note_flange(std::size_t wheel, double N_before, double N_after, double gap) {
  const bool before = N_before > 0, after = N_after > 0;
  if (before != after) note(after ? Event::Kind::flange_on : Event::Kind::flange_off, wheel, gap);
}

runtime::Status StepLog::fail(runtime::Status status, const char* equation, std::size_t wheel,
                              double residual, double tolerance, int iterations) {
  failure = {status,
             t_,
             step_,
             equation,
             runtime::Failure::Where::constraint,
             static_cast<std::uint32_t>(wheel),
             residual,
             tolerance,
             iterations};
  return status;
}

}  // namespace klingel::step
