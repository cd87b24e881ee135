// What a live page and the program say to each other over their WebSocket.
//
// From the page, JSON texts, one command each:
//   {"do": "pause"}  {"do": "resume"}  {"do": "reset"}
//   {"do": "step", "steps": 1}               while paused
//   {"do": "speed", "factor": 1}             simulated over real time; 0: as fast as possible
//   {"do": "set", "control": 0, "value": 1}  a slider, by its place in the list of controls
//   {"do": "seen"}                           a frame was shown, the next may be sent
//
// To the page: texts {"message": ...} about how a run ended, and frames. A frame is an array of
// doubles, little-endian: count of resets, state, speed wanted, speed reached, number of the
// frame, values of controls, channels, seven numbers per frame of the scene, three per wheel
// (record/scene.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace klingel::view {

struct Command {
  enum class Kind : std::uint8_t { pause, resume, reset, step, speed, set, seen };
  Kind kind = Kind::seen;
  std::size_t control = 0;  // of set
  double value = 0;         // of set, step and speed
};

inline constexpr std::size_t longest_message = 1000;  // bytes, from a page
inline constexpr double most_steps = 10000;           // of one command
inline constexpr double most_speed = 1000;

// Nothing if the text is no command; numbers are finite, steps and speeds within their limits.
std::optional<Command> parse_command(std::string_view text);

enum class LiveState : std::uint8_t { running, paused, track_ended, derailed, failed };

// The head of a frame before its values.
struct FrameHead {
  std::int64_t resets = 0;
  LiveState state = LiveState::running;
  double speed = 1, reached = 0;
  std::int64_t number = 0;  // counts frames: a page sees which were lost
};
inline constexpr std::size_t head_values = 5;

// The bytes of a frame.
std::string frame_bytes(const FrameHead& head, std::span<const double> values);

// {"message": text}
std::string note(std::string_view text);

}  // namespace klingel::view
