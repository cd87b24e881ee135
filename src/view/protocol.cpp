#include "view/protocol.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/json_reader.hpp"

namespace klingel::view {
namespace {

using base::JsonValue;
using Kind = Command::Kind;

// a finite number within limits
std::optional<double> number(const JsonValue& object, std::string_view key, double low,
                             double high) {
  const JsonValue* v = object.find(key);
  if (v == nullptr || v->kind != JsonValue::Kind::number) return {};
  if (!(v->number >= low && v->number <= high)) return {};
  return v->number;
}

std::optional<Command> command_of(const JsonValue& v) {
  const JsonValue* act = v.kind == JsonValue::Kind::object ? v.find("do") : nullptr;
  if (act == nullptr || act->kind != JsonValue::Kind::text) return {};
  constexpr double most = 1e12;  // beyond any torque
  const std::string& word = act->text;
  if (word == "pause") return Command{Kind::pause};
  if (word == "resume") return Command{Kind::resume};
  if (word == "reset") return Command{Kind::reset};
  if (word == "seen") return Command{Kind::seen};
  if (word == "step") {
    const auto steps = number(v, "steps", 1, most_steps);
    if (steps && *steps == std::floor(*steps)) return Command{Kind::step, 0, *steps};
  } else if (word == "speed") {
    const auto factor = number(v, "factor", 0, most_speed);
    if (factor) return Command{Kind::speed, 0, *factor};
  } else if (word == "set") {
    const auto control = number(v, "control", 0, 1e6);
    const auto value = number(v, "value", -most, most);
    if (control && value && *control == std::floor(*control))
      return Command{Kind::set, static_cast<std::size_t>(*control), *value};
  }
  return {};
}

}  // namespace

std::optional<Command> parse_command(std::string_view text) {
  if (text.size() > longest_message) return {};
  try {
    return command_of(base::parse_json(text, "message"));
  } catch (const base::Error&) {
    return {};
  }
}

std::string frame_bytes(const FrameHead& head, std::span<const double> values) {
  static_assert(std::endian::native == std::endian::little, "frames are little-endian");
  const double first[head_values] = {static_cast<double>(head.resets),
                                     static_cast<double>(head.state), head.speed, head.reached,
                                     static_cast<double>(head.number)};
  std::string bytes(sizeof first + values.size_bytes(), '\0');
  std::memcpy(bytes.data(), first, sizeof first);
  if (!values.empty()) std::memcpy(bytes.data() + sizeof first, values.data(), values.size_bytes());
  return bytes;
}

std::string note(std::string_view text) { return "{\"message\": " + base::quoted_json(text) + "}"; }

}  // namespace klingel::view
