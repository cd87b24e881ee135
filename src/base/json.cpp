// The JSON writer: one string, a stack of open brackets; see json.hpp.
#include "base/json.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/number.hpp"

namespace klingel::base {

std::string quoted_json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
          out += c;
    }
  }
  return out += '"';
}

Json& Json::key(std::string_view name) {
  separate(true);
  out_ += quoted_json(name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

Json& Json::value(std::string_view text) { return plain(quoted_json(text)); }

Json& Json::value(double number) { return plain(shortest_json(number)); }

Json& Json::value(bool truth) { return plain(truth ? "true" : "false"); }

std::string Json::text() const {
  KLINGEL_ASSERT(open_.empty() && !out_.empty());
  return out_ + '\n';
}

Json& Json::begin(char open, char close, bool flat) {
  separate(false);
  out_ += open;
  const bool inherited = !open_.empty() && open_.back().flat;
  open_.push_back({close, flat || inherited, true});
  return *this;
}

Json& Json::end(char close) {
  KLINGEL_ASSERT(!open_.empty() && !after_key_);
  KLINGEL_ASSERT_EQ(open_.back().close, close);
  const Level level = open_.back();
  open_.pop_back();
  if (!level.flat && !level.empty) indent();
  out_ += close;
  return *this;
}

Json& Json::plain(std::string_view token) {
  separate(false);
  out_ += token;
  return *this;
}

// The text between the previous token and this one: nothing after a key, else a comma and a
// new line. Keys belong into objects, bare values into arrays.
void Json::separate(bool is_key) {
  if (after_key_) {
    KLINGEL_ASSERT(!is_key);
    after_key_ = false;
    return;
  }
  if (open_.empty()) {
    KLINGEL_ASSERT(out_.empty() && !is_key);
    return;
  }
  Level& level = open_.back();
  KLINGEL_ASSERT_EQ(level.close == '}', is_key);
  if (!level.empty) out_ += level.flat ? ", " : ",";
  if (!level.flat) indent();
  level.empty = false;
}

void Json::indent() {
  out_ += '\n';
  out_.append(2 * open_.size(), ' ');
}

}  // namespace klingel::base
