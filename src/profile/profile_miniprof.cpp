// Profiles measured by MiniProf: lines 'key=value', an empty line, then rows of numbers in the
// columns that 'ColumnDef' names (X and Y first if it is absent), in mm. How the instrument was put
// on differs from file to file, so the reader turns the profile by its shape:
//
//   wheel   the flange is the part that stands out most: it is brought inwards and down. X counts
//           from the flange back or from the taping line: whichever has the flange's tip about
//           16 mm from its back. z = 0 at the taping line.
//   rail    the head is brought up, z = 0 at its top; which side the gauge face is on cannot be
//           seen from a new rail: negative X unless the caller says that y points inwards.
//
// Notes say what was done.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.hpp"
#include "profile/millimetre.hpp"
#include "profile/profile_formats.hpp"

namespace klingel::profile {
namespace {

constexpr double back_to_taping = 70 * mm;  // of wheels, as everywhere here
// a flange's tip is 10 to 25 mm from the flange back, and 45 to 60 mm from the taping line
constexpr double tip_between = 32 * mm;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

struct MiniProfHeader {
  std::size_t x = 0, y = 1;  // columns
  std::optional<ProfileKind> kind;
};

void use_key(std::string_view key, std::string_view value, MiniProfHeader& header) {
  if (key != "columndef") return;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin <= value.size(); ++column) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    const std::string name = lower(trimmed(value.substr(begin, end - begin)));
    if (name == "x") header.x = column;
    if (name == "y") header.y = column;
    begin = end + 1;
  }
}

std::optional<ProfileKind> kind_by_name(const std::string& file) {
  const std::string name = lower(file);
  if (name.ends_with(".whl")) return ProfileKind::wheel;
  if (name.ends_with(".ban")) return ProfileKind::rail;
  return std::nullopt;
}

double middle(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

double value_at(const std::vector<ProfilePoint>& points, double y) {
  const auto near = std::min_element(
      points.begin(), points.end(),
      [&](const auto& a, const auto& b) { return std::abs(a.y - y) < std::abs(b.y - y); });
  return near->z;
}

void turn_wheel(PointsFile& file) {
  std::vector<ProfilePoint>& points = file.points.points;
  std::vector<double> z;
  for (const ProfilePoint& p : points) z.push_back(p.z);
  const double tread = middle(std::move(z));
  const ProfilePoint tip = *std::max_element(
      points.begin(), points.end(),
      [&](const auto& a, const auto& b) { return std::abs(a.z - tread) < std::abs(b.z - tread); });
  double sum = 0;
  for (const ProfilePoint& p : points) sum += p.y;
  const bool inward = tip.y > sum / static_cast<double>(points.size());
  const double up = tip.z < tread ? -1 : 1, side = inward ? -1 : 1;
  const bool from_back = std::abs(tip.y) < tip_between;
  for (ProfilePoint& p : points) {
    p.y = side * p.y - (from_back ? back_to_taping : 0), p.z *= up;
  }
  const double zero = value_at(points, 0);
  for (ProfilePoint& p : points) p.z -= zero;
  file.notes.push_back(fmt::format(
      "MiniProf: X = 0 is taken for the {}, 70 mm apart from the {}{}{}; heights count from the "
      "taping line",
      from_back ? "flange back" : "taping line", from_back ? "taping line" : "flange back",
      inward ? ", X turned" : "", up < 0 ? ", Y turned" : ""));
}

void turn_rail(PointsFile& file, bool inward) {
  std::vector<ProfilePoint>& points = file.points.points;
  // the curve is higher in its middle than at its ends
  const double ends = (points.front().z + points.back().z) / 2;
  const double inside = points[points.size() / 2].z;
  const double up = inside > ends ? -1 : 1;
  double top = up * points.front().z;
  for (const ProfilePoint& p : points) top = std::min(top, up * p.z);
  for (ProfilePoint& p : points) p.z = up * p.z - top, p.y = inward ? -p.y : p.y;
  file.notes.push_back(fmt::format(
      "MiniProf: the gauge face is taken to be at {} X (--y {} is the other way); heights count "
      "from the top of the rail",
      inward ? "positive" : "negative", inward ? "outward" : "inward"));
}

}  // namespace

PointsFile read_miniprof(std::string_view text, const std::string& file,
                         const ReadOptions& options) {
  MiniProfHeader header;
  header.kind = kind_by_name(file);
  PointsFile result;
  std::vector<ProfilePoint> points;
  int line_number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++line_number;
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    if (const std::size_t equals = content.find('='); equals != std::string_view::npos) {
      if (!points.empty())
        base::fail_at({file, line_number, 1}, "a line 'key=value' below the points of a profile");
      use_key(lower(trimmed(content.substr(0, equals))), trimmed(content.substr(equals + 1)),
              header);
      continue;
    }
    const std::vector<Word> words = words_of(line, line_number, ";");
    if (words.size() <= std::max(header.x, header.y))
      base::fail_at({file, line_number, 0}, "expected {} numbers in a row, found {}",
                    std::max(header.x, header.y) + 1, words.size());
    points.push_back({number(words[header.x], file, "X") / 1000,
                      number(words[header.y], file, "Y") / 1000, 1, line_number});
  }
  if (points.size() < 5)
    base::fail_at({file},
                  "expected rows of points below the lines 'key=value' of a MiniProf file, "
                  "found {}",
                  points.size());
  result.points = {name_of(file), file, agreed_kind(header.kind, options, file), std::move(points)};
  if (result.points.kind == ProfileKind::wheel)
    turn_wheel(result);
  else
    turn_rail(result, options.y_inward.value_or(false));
  return result;
}

}  // namespace klingel::profile
