#include "record/csv.hpp"

#include <charconv>

#include "base/file_writer.hpp"

namespace klingel::record {
namespace {

// Calls write(text) for parts of the file, in order.
template <class Write>
void each_part(const Table& table, std::span<const std::size_t> chosen, const Write& write) {
  constexpr std::size_t longest = 24;      // -1.2345678901234567e-308
  constexpr std::size_t part = 256 << 10;  // bytes
  const std::size_t columns = chosen.size();
  const auto end_of = [columns](std::size_t i) { return i + 1 == columns ? '\n' : ','; };
  std::string text(units_mark);
  for (std::size_t i = 0; i < columns; ++i) (text += table.channels()[chosen[i]].unit) += end_of(i);
  for (std::size_t i = 0; i < columns; ++i) (text += table.channels()[chosen[i]].name) += end_of(i);
  table.blocks(chosen, [&](std::size_t, std::span<const std::span<const double>> values) {
    for (std::size_t row = 0; row < values[0].size(); ++row) {
      for (std::size_t i = 0; i < columns; ++i) {
        char number[longest + 1];
        char* const end = std::to_chars(number, number + longest, values[i][row]).ptr;
        *end = end_of(i);
        text.append(number, end + 1);
      }
      if (text.size() < part) continue;
      write(text);
      text.clear();
    }
  });
  write(text);
}

}  // namespace

std::string csv(const Recording& recording) {
  const RecordingTable table(recording);
  std::string all;
  each_part(table, all_channels(table), [&](const std::string& text) { all += text; });
  return all;
}

void write_csv(const Table& table, std::span<const std::size_t> chosen,
               const std::filesystem::path& path) {
  base::FileWriter file(path);
  each_part(table, chosen, [&](const std::string& text) { file.write(text); });
  file.commit();
}

void write_csv(const Recording& recording, const std::filesystem::path& path) {
  const RecordingTable table(recording);
  write_csv(table, all_channels(table), path);
}

}  // namespace klingel::record
