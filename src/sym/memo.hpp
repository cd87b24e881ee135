// A table from node to node: the memory of one operation on the graph.
//
// Pages of sixteen values, one for each run of sixteen ids of which one has been stored, and a
// directory of pages by id. An operation walks over ids that are close together, so pages fill up,
// and finding a value costs two reads and no comparison. Where every page holds one value only, an
// entry takes 64 bytes; the directory takes a quarter of a byte for each id up to the largest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sym/symbol.hpp"

namespace klingel::sym {

class Memo {
 public:
  // The value stored for `key`, or no_id.
  Id find(Id key) const {
    const std::size_t run = key / page_size;
    if (run >= directory_.size()) return no_id;
    return values_[directory_[run] * page_size + key % page_size];
  }
  bool contains(Id key) const { return find(key) != no_id; }

  // Stores value (never no_id) under key, replacing what was there.
  void store(Id key, Id value) {
    const std::size_t run = key / page_size;
    if (run >= directory_.size() || directory_[run] == no_page) add_page(run);
    Id& stored = values_[directory_[run] * page_size + key % page_size];
    count_ += stored == no_id ? 1 : 0;
    stored = value;
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const {
    return directory_.capacity() * sizeof(directory_[0]) + values_.capacity() * sizeof(Id);
  }

 private:
  static constexpr std::size_t page_size = 16;  // 64 bytes
  static constexpr std::uint32_t no_page = 0;   // the first page stays empty and stands for all

  void add_page(std::size_t run) {
    if (values_.empty()) values_.resize(page_size, no_id);
    if (run >= directory_.size()) {
      // ids arrive roughly in order: a directory grown by single entries would be moved each time
      directory_.resize(std::max(run + 1, directory_.size() + directory_.size() / 2), no_page);
    }
    directory_[run] = static_cast<std::uint32_t>(values_.size() / page_size);
    values_.resize(values_.size() + page_size, no_id);
  }

  std::vector<std::uint32_t> directory_;  // by run of ids: its page
  std::vector<Id> values_;
  std::size_t count_ = 0;
};

}  // namespace klingel::sym
