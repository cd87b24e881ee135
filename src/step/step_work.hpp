// What the functions of a step read and write: the vehicle, its state, the state being built, its
// kernels at both ends of the step, the implicit system.
#pragma once

#include <optional>
#include <vector>

#include "step/instant.hpp"
#include "step/packed_state.hpp"
#include "step/step_log.hpp"
#include "step/step_options.hpp"
#include "step/system.hpp"

namespace klingel::step {

struct StepWork {
  const Description& vehicle;
  const std::vector<double>& friction;  // by wheel
  const PackedState& state;             // at t
  PackedState& next;                    // at t+h
  Instant& at_t;
  Instant& at_end;
  System& system;
  StepLog& log;
  double h;
  const StepOptions& options;
};

// How contacts and state at t+h go together.
enum class Fit : std::uint8_t {
  good,
  correct,  // rhs of the system says by how much the constraints are missed
  failed    // the log says why
};

// Work of contact forces in a step, J. On track that gives way: by motions of wheels relative to
// their rails, and by motions of the rails.
struct ContactWork {
  double normal = 0, creep = 0, track = 0;
  // Energy before q and dq were brought back onto constraints that have just begun to hold: what is
  // missing afterwards was lost in a hit. Nothing if none began to.
  std::optional<double> before_impact;
};

}  // namespace klingel::step
