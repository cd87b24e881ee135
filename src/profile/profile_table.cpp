// Profiles as two columns of numbers, y and z, parted by commas, semicolons, tabs or blanks. Lines
// '# key = value' at the top say what the columns mean; one line of column titles may follow.
// Without header: mm, y outwards, z down; z up in .dat files, as in the reference data of EN 15302.
#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "profile/profile_formats.hpp"

namespace klingel::profile {
namespace {

struct TableHeader {
  std::string name;
  std::optional<ProfileKind> kind;
  double unit = 1e-3;
  bool z_up = false, y_inward = false;
  std::optional<double> flange_back, smooth;  // in units of the file
};

// One of two words; true for the second.
bool choice(const Word& value, const std::string& file, std::string_view key,
            std::string_view first, std::string_view second) {
  if (value.text == first) return false;
  if (value.text == second) return true;
  base::fail_at(place(file, value), "'{}' must be '{}' or '{}', found '{}'", key, first, second,
                value.text);
}

double unit(const Word& value, const std::string& file) {
  if (value.text == "mm") return 1e-3;
  if (value.text == "m") return 1;
  if (value.text == "inch" || value.text == "in") return 0.0254;
  base::fail_at(place(file, value), "'unit' must be 'mm', 'm' or 'inch', found '{}'", value.text);
}

void use(const HeaderLine& line, const std::string& file, TableHeader& header) {
  if (line.key == "name") header.name = base::printable(line.value.text);
  if (line.key == "kind") header.kind = read_kind(line.value, file);
  if (line.key == "unit") header.unit = unit(line.value, file);
  if (line.key == "z") header.z_up = choice(line.value, file, "z", "down", "up");
  if (line.key == "y") header.y_inward = choice(line.value, file, "y", "outward", "inward");
  if (line.key == "flange_back") header.flange_back = number(line.value, file, "flange_back");
  if (line.key == "smooth") header.smooth = number(line.value, file, "smooth");
}

bool is_dat(const std::string& file) { return file.ends_with(".dat") || file.ends_with(".DAT"); }

// 1,5;2,25 is how some programs write 1.5;2.25
void refuse_decimal_comma(std::string_view line, int number, const std::string& file) {
  if (line.find(';') == std::string_view::npos) return;
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) return;
  base::fail_at({file, number, static_cast<int>(comma) + 1},
                "both ',' and ';' in a line: write decimal points, not decimal commas");
}

}  // namespace

PointsFile read_table(std::string_view text, const std::string& file, const ReadOptions& options) {
  const std::array<std::string, 7> keys = {"name", "kind",        "unit",  "y",
                                           "z",    "flange_back", "smooth"};
  TableHeader header;
  header.name = name_of(file);
  header.unit = options.unit.value_or(1e-3);
  header.z_up = options.z_up.value_or(is_dat(file));
  header.y_inward = options.y_inward.value_or(false);

  std::vector<ProfilePoint> points;
  bool titles_seen = false;
  int line_number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++line_number;
    if (trimmed(line).empty()) continue;
    if (trimmed(line).front() == '#') {
      HeaderLine found;
      if (!read_header_line(line, line_number, file, keys, found)) continue;
      if (!points.empty()) {
        base::fail_at(place(file, found.value), "'{}' must be above the points", found.key);
      }
      use(found, file, header);
      continue;
    }
    refuse_decimal_comma(line, line_number, file);
    const std::vector<Word> words = words_of(line, line_number, ",;");
    // column titles: words before any number
    const bool title =
        std::none_of(words.begin(), words.end(), [](const Word& w) { return is_number(w.text); });
    if (points.empty() && title && !titles_seen) {
      titles_seen = true;
      continue;
    }
    if (words.size() != 2) {
      base::fail_at({file, line_number, words.size() > 2 ? words[2].column : 0},
                    "expected two numbers, y and z, found {} column{}", words.size(),
                    words.size() == 1 ? "" : "s");
    }
    points.push_back({number(words[0], file, "y"), number(words[1], file, "z"), 1, line_number});
  }
  if (points.empty()) base::fail_at({file}, "no points found: expected two columns, y and z");

  for (ProfilePoint& p : points) {
    // division by 1000 is exact where multiplication by 0.001 is not
    const double per_m = header.unit == 1e-3 ? 1000 : 1 / header.unit;
    p.y = (header.y_inward ? -p.y : p.y) / per_m;
    p.z = (header.z_up ? -p.z : p.z) / per_m;
  }
  PointsFile result;
  result.points = {header.name, file, agreed_kind(header.kind, options, file), std::move(points)};
  if (header.flange_back) {
    result.points.flange_back = (header.y_inward ? -1 : 1) * *header.flange_back * header.unit;
  }
  if (header.smooth) result.smooth = *header.smooth * header.unit;
  return result;
}

}  // namespace klingel::profile
