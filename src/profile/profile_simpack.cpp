// SIMPACK's text format for wheel and rail profiles (.prw, .prr): lines 'key = value' between
// 'header.begin' and 'header.end', 'spline.begin' and 'spline.end', with the points between
// 'point.begin' and 'point.end'; '!' begins a comment. The processing steps of the spline block are
// applied to the points in the order in which SIMPACK numbers them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "profile/profile_formats.hpp"

namespace klingel::profile {
namespace {

// Keys with numbers that mean something to us, and what they are without being given.
struct Key {
  const char* name;
  double value;
};
constexpr Key known_keys[] = {{"approx.smooth", 0}, {"point.dist.min", 0}, {"shift.y", 0},
                              {"shift.z", 0},       {"rotate", 0},         {"bound.y.min", 1},
                              {"bound.y.max", 0},   {"bound.z.min", 1},    {"bound.z.max", 0},
                              {"mirror.y", 0},      {"mirror.z", 0},       {"inversion", 0},
                              {"units.len.f", 1},   {"units.ang.f", 1}};
// Keys that say nothing about the shape.
constexpr const char* silent_keys[] = {"file",      "file.mtime", "comment", "type",
                                       "units.len", "units.ang",  "version"};

// Without comment; a '!' inside quotes belongs to the text.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\'') quoted = !quoted;
    if (line[i] == '!' && !quoted) return line.substr(0, i);
  }
  // an odd quote must not swallow the comment
  return quoted ? line.substr(0, line.find('!')) : line;
}

// The contents of the file.
struct Content {
  std::optional<ProfileKind> kind;
  std::map<std::string, double, std::less<>> values;
  std::vector<ProfilePoint> points;
  std::vector<std::string> notes;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    for (const Key& key : known_keys) content_.values[key.name] = key.value;
  }

  Content run() {
    for (const std::string_view whole : lines_of(text_)) {
      ++line_;
      const std::string_view line = without_comment(whole);
      const std::vector<Word> words = words_of(line, line_, "=");
      if (!words.empty()) use(line, words);
    }
    if (!block_.empty()) {
      base::fail_at({file_, line_, 0}, "the file ends inside '{}.begin': '{}.end' is missing",
                    block_, block_);
    }
    if (!points_seen_) base::fail_at({file_}, "no points: 'point.begin' is missing");
    return std::move(content_);
  }

 private:
  void use(std::string_view line, const std::vector<Word>& words) {
    const std::string_view first = words[0].text;
    if (first.ends_with(".begin") || first.ends_with(".end")) {
      open_or_close(words[0]);
    } else if (block_ == "point") {
      read_point(line);
    } else if (!block_.empty()) {
      read_key(line, words);
    } else {
      base::fail_at(place(file_, words[0]), "'{}' is outside of 'header.begin' and 'spline.begin'",
                    first);
    }
  }

  void open_or_close(const Word& word) {
    const std::size_t dot = word.text.rfind('.');
    const std::string name(word.text.substr(0, dot));
    const bool begin = word.text.substr(dot) == ".begin";
    if (name != "header" && name != "spline" && name != "point") {
      const std::array<std::string, 3> names = {"header", "spline", "point"};
      base::fail_at(place(file_, word), "unknown block '{}'{}", word.text,
                    base::did_you_mean(name, names));
    }
    // points are inside the spline
    const std::string outer = name == "point" ? "spline" : "";
    if (block_ != (begin ? outer : name)) {
      base::fail_at(place(file_, word), "'{}' does not belong {}", word.text,
                    block_.empty() ? "here" : "inside '" + block_ + ".begin'");
    }
    block_ = begin ? name : outer;
    if (begin && name == "point") {
      if (points_seen_) base::fail_at(place(file_, word), "a second 'point.begin'");
      points_seen_ = true;
    }
  }

  void read_point(std::string_view line) {
    const std::vector<Word> words = words_of(line, line_, ",;");
    if (words.size() < 2 || words.size() > 3) {
      base::fail_at({file_, line_, 0}, "expected y, z and perhaps a weight, found {} columns",
                    words.size());
    }
    ProfilePoint p;
    p.y = number(words[0], file_, "y");
    p.z = number(words[1], file_, "z");
    if (words.size() == 3) p.weight = number(words[2], file_, "weight");
    p.line = line_;
    content_.points.push_back(p);
  }

  void read_key(std::string_view line, const std::vector<Word>& words) {
    if (line.find('=') == std::string_view::npos) {
      base::fail_at(place(file_, words[0]), "expected 'key = value', found '{}'", words[0].text);
    }
    const std::string_view key = words[0].text;
    const Word value = words.size() > 1 ? words[1] : Word{"", line_, 0};
    if (block_ == "header" && key == "type") {
      const double type = number(value, file_, "type");
      if (type != 0 && type != 1) {
        base::fail_at(place(file_, value), "type must be 0 (rail) or 1 (wheel), found {}", type);
      }
      content_.kind = type == 1 ? ProfileKind::wheel : ProfileKind::rail;
    } else if (block_ == "spline" && content_.values.contains(key)) {
      content_.values.find(key)->second = checked(key, value);
    } else if (std::none_of(std::begin(silent_keys), std::end(silent_keys),
                            [key](const char* silent) { return key == silent; })) {
      std::vector<std::string> names;
      for (const Key& known : known_keys) names.emplace_back(known.name);
      content_.notes.push_back(fmt::format("line {}: key '{}' is not known and was ignored{}",
                                           line_, key, base::did_you_mean(key, names)));
    }
  }

  double checked(std::string_view key, const Word& word) const {
    const double value = number(word, file_, key);
    const bool is_switch = key.starts_with("mirror.") || key == "inversion";
    if (is_switch && value != 0 && value != 1) {
      base::fail_at(place(file_, word), "{} must be 0 or 1, found {}", key, value);
    }
    if (key.starts_with("units.") && !(value > 0)) {
      base::fail_at(place(file_, word), "{} must be positive, found {}", key, value);
    }
    if ((key == "approx.smooth" || key == "point.dist.min") && !(value >= 0)) {
      base::fail_at(place(file_, word), "{} must be zero or positive, found {}", key, value);
    }
    return value;
  }

  std::string_view text_;
  const std::string& file_;
  Content content_;
  std::string block_;
  int line_ = 0;
  bool points_seen_ = false;
};

// The seven steps, in the units of the file until the last.
std::vector<ProfilePoint> processed(const Content& content) {
  const auto value = [&](std::string_view key) { return content.values.find(key)->second; };
  std::vector<ProfilePoint> points;
  // 1. drop points too close to the one before
  for (const ProfilePoint& p : content.points) {
    const double least = value("point.dist.min");
    if (least > 0 && !points.empty() &&
        std::hypot(p.y - points.back().y, p.z - points.back().z) < least) {
      continue;
    }
    points.push_back(p);
  }
  // 2. and 3. shift, then turn about the x axis: y towards z
  const double angle = value("rotate") / value("units.ang.f");
  const double c = std::cos(angle), s = std::sin(angle);
  for (ProfilePoint& p : points) {
    const double y = p.y + value("shift.y"), z = p.z + value("shift.z");
    p.y = y * c - z * s;
    p.z = y * s + z * c;
  }
  // 4. keep what lies within bounds; equal or reversed bounds are none
  const auto outside = [&](double x, const char* min, const char* max) {
    return value(min) < value(max) && (x < value(min) || x > value(max));
  };
  std::erase_if(points, [&](const ProfilePoint& p) {
    return outside(p.y, "bound.y.min", "bound.y.max") || outside(p.z, "bound.z.min", "bound.z.max");
  });
  // 5. mirror, 7. to m
  for (ProfilePoint& p : points) {
    p.y = (value("mirror.y") == 1 ? -p.y : p.y) / value("units.len.f");
    p.z = (value("mirror.z") == 1 ? -p.z : p.z) / value("units.len.f");
  }
  // 6. order
  if (value("inversion") == 1) std::reverse(points.begin(), points.end());
  return points;
}

}  // namespace

PointsFile read_simpack(std::string_view text, const std::string& file,
                        const ReadOptions& options) {
  Content content = Reader(text, file).run();
  PointsFile result;
  result.points = {name_of(file), file, agreed_kind(content.kind, options, file),
                   processed(content)};
  result.smooth = content.values["approx.smooth"] / content.values["units.len.f"];
  result.notes = std::move(content.notes);
  return result;
}

}  // namespace klingel::profile
