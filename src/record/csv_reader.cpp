// The way back from CSV: strict, since what it reads was written by csv.cpp or should look so.
#include <charconv>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "record/csv.hpp"
#include "record/vehicle_channels.hpp"

namespace klingel::record {
namespace {

std::string_view next(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

std::string_view next_line(std::string_view& rest) {
  std::string_view line = next(rest, '\n');
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Recording read_csv(const std::filesystem::path& path) {
  const std::string text = base::read_file(path);
  std::string_view rest = text;
  std::vector<Channel> channels;
  std::string_view units, line = next_line(rest);
  int header = 1;
  for (; line.starts_with('#'); line = next_line(rest), ++header)
    if (line.starts_with(units_mark)) units = line.substr(units_mark.size());
  while (!line.empty()) {
    const std::string_view name = next(line, ',');
    constexpr std::size_t longest = 1000;
    if (name.size() > longest) {
      base::fail_at({path.string(), header, 0},
                    "a name of {} characters; expected a line of channel names", name.size());
    }
    channels.push_back(described(std::string(name)));
    if (!units.empty()) channels.back().unit = next(units, ',');
  }
  if (channels.empty()) base::fail("{}: empty, expected a line of channel names", path.string());

  std::vector<std::vector<double>> columns(channels.size());
  for (int line_number = header + 1; !rest.empty(); ++line_number) {
    std::string_view line = next_line(rest);
    if (line.empty() && rest.empty()) break;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto place = [&] { return base::Place{path.string(), line_number, 0}; };
      if (line.empty()) {
        base::fail_at(place(), "{} values, expected {}, one per channel", i, columns.size());
      }
      const std::string_view field = next(line, ',');
      double value = 0;
      const char* const end = field.data() + field.size();
      const std::from_chars_result read = std::from_chars(field.data(), end, value);
      if (read.ec != std::errc() || read.ptr != end)
        base::fail_at(place(), "'{}' is not a number (channel '{}')", field, channels[i].name);
      columns[i].push_back(value);
    }
    if (!line.empty())
      base::fail_at({path.string(), line_number, 0}, "more values than channels, expected {}",
                    columns.size());
  }
  return {std::move(channels), columns, {}};
}

}  // namespace klingel::record
