// Channels over time: what a run leaves behind, for files (csv.hpp, hdf5.hpp), reports and viewers.
// Memory for all rows is taken at the beginning, so adding one allocates nothing. Knows nothing of
// where the numbers come from.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/channel.hpp"

namespace klingel::record {

// Words about the run, kept with it: ("vehicle", "feve3000"), ...
using Notes = std::vector<std::pair<std::string, std::string>>;

class Recording {
 public:
  // Room for `capacity` rows. Names that are empty, given twice, or hold a character that a file
  // format needs for itself ('/', ',', quotes, control characters) are Errors.
  Recording(std::vector<Channel> channels, std::size_t capacity);

  // A finished one, full; columns of equal length.
  Recording(std::vector<Channel> channels, const std::vector<std::vector<double>>& columns,
            Notes notes);

  std::size_t rows() const { return rows_; }
  std::size_t capacity() const { return capacity_; }
  const std::vector<Channel>& channels() const { return channels_; }

  // One value per channel. False, and nothing added, when there is no room left.
  bool add(std::span<const double> values);
  // Takes the last row back.
  void drop_last() { rows_ -= rows_ > 0 ? 1 : 0; }

  std::span<const double> column(std::size_t channel) const;
  // An unknown name is an Error that suggests near ones.
  std::span<const double> column(std::string_view name) const;

  Notes notes;  // each name once

 private:
  std::vector<Channel> channels_;
  std::size_t capacity_, rows_ = 0;
  std::vector<double> values_;  // channel by channel
};

}  // namespace klingel::record
