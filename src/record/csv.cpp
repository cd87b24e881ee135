#include "record/csv.hpp"

#include <charconv>

#include "base/file.hpp"

namespace klingel::record {

std::string csv(const Recording& recording) {
  constexpr std::size_t longest = 24;  // -1.2345678901234567e-308
  const std::size_t columns = recording.channels().size();
  std::string text;
  text.reserve((recording.rows() + 1) * columns * 20);
  const auto end_of = [columns](std::size_t i) { return i + 1 == columns ? '\n' : ','; };
  for (std::size_t i = 0; i < columns; ++i) (text += recording.channels()[i].name) += end_of(i);

  std::vector<std::span<const double>> column;
  for (std::size_t i = 0; i < columns; ++i) column.push_back(recording.column(i));
  for (std::size_t row = 0; row < recording.rows(); ++row) {
    for (std::size_t i = 0; i < columns; ++i) {
      char number[longest + 1];
      char* const end = std::to_chars(number, number + longest, column[i][row]).ptr;
      *end = end_of(i);
      text.append(number, end + 1);
    }
  }
  return text;
}

void write_csv(const Recording& recording, const std::filesystem::path& path) {
  base::write_file(path, csv(recording));
}

}  // namespace klingel::record
