// A flat hash table from node to node: the memory of one operation on the graph.
//
// Open addressing, 8 bytes an entry, keys are node ids.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sym/symbol.hpp"

namespace klingel::sym {

class Memo {
 public:
  // The value stored for `key`, or no_id.
  Id find(Id key) const { return slots_.empty() ? no_id : slots_[place(key)].second; }
  bool contains(Id key) const { return find(key) != no_id; }

  // Stores value (never no_id) under key, replacing what was there.
  void store(Id key, Id value) {
    if (4 * (count_ + 1) > 3 * slots_.size()) grow();
    auto& slot = slots_[place(key)];
    count_ += slot.first == no_id ? 1 : 0;
    slot = {key, value};
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(slots_[0]); }

 private:
  static constexpr std::size_t line_size = 8;  // 64 bytes

  // The slot of a key, or the empty one where it would go. An operation walks over ids that are
  // close together, so neighbours share a line of eight slots and lines follow each other; what
  // finds its line full is spread over the whole table by a hash.
  std::size_t place(Id key) const {
    const std::size_t line = key & ~(line_size - 1) & mask_;
    for (std::size_t k = 0; k < line_size; ++k) {
      const std::size_t i = line | ((key + k) & (line_size - 1));
      if (slots_[i].first == key || slots_[i].first == no_id) return i;
    }
    const std::size_t hash = static_cast<std::size_t>(key) * 0x9e3779b97f4a7c15ull;
    const std::size_t stride = hash >> 40 | 1;  // odd: meets every slot of a power of two
    std::size_t i = hash >> 20 & mask_;
    while (slots_[i].first != key && slots_[i].first != no_id) i = (i + stride) & mask_;
    return i;
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
