// Rows of channels, read block by block: what CSV, HDF5 and pages are made from, whether the rows
// are in memory (a Recording) or in a file (a Journal).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "record/channel.hpp"
#include "record/recording.hpp"

namespace klingel::record {

class Table {
 public:
  virtual ~Table() = default;

  virtual const std::vector<Channel>& channels() const = 0;
  virtual std::size_t rows() const = 0;

  // Consecutive rows beginning with `first`: one span per chosen channel, all of the same length.
  using Use = std::function<void(std::size_t first, std::span<const std::span<const double>>)>;
  // Calls `use` with all rows of the chosen channels (indices), in order.
  virtual void blocks(std::span<const std::size_t> chosen, const Use& use) const = 0;
};

// Indices of the channels of these names; unknown ones are Errors.
std::vector<std::size_t> chosen_channels(const Table& table, std::span<const Channel> channels);
std::vector<std::size_t> all_channels(const Table& table);

class RecordingTable : public Table {
 public:
  explicit RecordingTable(const Recording& recording) : recording_(recording) {}

  const std::vector<Channel>& channels() const override { return recording_.channels(); }
  std::size_t rows() const override { return recording_.rows(); }
  void blocks(std::span<const std::size_t> chosen, const Use& use) const override;

 private:
  const Recording& recording_;
};

// Every n-th row and the last, so that at most `most` (at least 2) are left.
Recording thinned(const Table& table, std::size_t most);

}  // namespace klingel::record
