#include "record/table.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace klingel::record {

std::vector<std::size_t> chosen_channels(const Table& table, std::span<const Channel> wanted) {
  const std::vector<Channel>& all = table.channels();
  std::vector<std::size_t> chosen;
  for (const Channel& c : wanted) {
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const Channel& x) { return x.name == c.name; });
    if (it == all.end()) base::fail("there is no channel '{}' in the recorded rows", c.name);
    chosen.push_back(static_cast<std::size_t>(it - all.begin()));
  }
  return chosen;
}

std::vector<std::size_t> all_channels(const Table& table) {
  std::vector<std::size_t> all(table.channels().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

void RecordingTable::blocks(std::span<const std::size_t> chosen, const Use& use) const {
  std::vector<std::span<const double>> columns;
  for (const std::size_t i : chosen) columns.push_back(recording_.column(i));
  if (rows() > 0) use(0, columns);
}

Recording thinned(const Table& table, std::size_t most) {
  const std::size_t rows = table.rows();
  const std::size_t stride = rows > most ? (rows - 2) / std::max<std::size_t>(1, most - 1) + 1 : 1;
  Recording result(table.channels(), rows > 0 ? (rows - 1) / stride + 2 : 0);
  std::vector<double> row(table.channels().size());
  table.blocks(all_channels(table),
               [&](std::size_t first, std::span<const std::span<const double>> columns) {
                 for (std::size_t i = 0; i < columns[0].size(); ++i) {
                   if ((first + i) % stride != 0 && first + i + 1 != rows) continue;
                   for (std::size_t k = 0; k < row.size(); ++k) row[k] = columns[k][i];
                   result.add(row);
                 }
               });
  return result;
}

}  // namespace klingel::record
