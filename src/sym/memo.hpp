// A flat hash table from node to node: the memory of one operation on the graph.
//
// Keys are node ids, so a multiplicative hash and linear probing are enough; 8 bytes an entry.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sym/symbol.hpp"

namespace klingel::sym {

class Memo {
 public:
  // The value stored for `key`, or no_id.
  Id find(Id key) const {
    if (slots_.empty()) return no_id;
    for (std::size_t i = slot(key);; i = (i + 1) & mask_) {
      if (slots_[i].first == key) return slots_[i].second;
      if (slots_[i].first == no_id) return no_id;
    }
  }
  bool contains(Id key) const { return find(key) != no_id; }

  // Stores value (never no_id) under key, replacing what was there.
  void store(Id key, Id value) {
    if (4 * (count_ + 1) > 3 * slots_.size()) grow();
    for (std::size_t i = slot(key);; i = (i + 1) & mask_) {
      if (slots_[i].first == key) {
        slots_[i].second = value;
        return;
      }
      if (slots_[i].first == no_id) {
        slots_[i] = {key, value};
        ++count_;
        return;
      }
    }
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(slots_[0]); }

 private:
  std::size_t slot(Id key) const {
    return (static_cast<std::size_t>(key) * 0x9e3779b97f4a7c15ull >> 20) & mask_;
  }
  void grow() {
    std::vector<std::pair<Id, Id>> old(slots_.empty() ? 16 : 2 * slots_.size(), {no_id, no_id});
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    count_ = 0;
    for (const auto& [key, value] : old) {
      if (key != no_id) store(key, value);
    }
  }

  std::vector<std::pair<Id, Id>> slots_;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace klingel::sym
