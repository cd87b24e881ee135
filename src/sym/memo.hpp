// A table from node to node: the memory of one operation on the graph.
//
// Three levels, as page tables have them. A page holds the values of sixteen ids that follow each
// other, a chapter the pages of 4096 ids, and the list of chapters all of them. Pages and chapters
// exist where a value has been stored. An operation walks over ids that are close together, so
// pages fill up, and finding a value costs three reads and no comparison. Where every page holds
// one value only, an entry takes 64 bytes. A table of a part of the graph, such as the derivatives
// by one coordinate of a long train, takes memory by that part: the rest costs a byte per thousand
// ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sym/symbol.hpp"

namespace klingel::sym {

class Memo {
 public:
  // The value stored for `key`, or no_id.
  Id find(Id key) const {
    const std::size_t chapter = key / chapter_size;
    if (chapter >= chapters_.size()) return no_id;
    return values_[pages_[place_of_page(chapter, key)] * page_size + key % page_size];
  }
  bool contains(Id key) const { return find(key) != no_id; }

  // Stores value (never no_id) under key, replacing what was there.
  void store(Id key, Id value) {
    const std::size_t chapter = key / chapter_size;
    if (chapter >= chapters_.size() || chapters_[chapter] == none) add_chapter(chapter);
    std::uint32_t& page = pages_[place_of_page(chapter, key)];
    if (page == none) {
      page = static_cast<std::uint32_t>(values_.size() / page_size);
      values_.resize(values_.size() + page_size, no_id);
    }
    Id& stored = values_[page * page_size + key % page_size];
    count_ += stored == no_id ? 1 : 0;
    stored = value;
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const {
    return (chapters_.capacity() + pages_.capacity()) * sizeof(std::uint32_t) +
           values_.capacity() * sizeof(Id);
  }

 private:
  static constexpr std::size_t page_size = 16;  // ids; 64 bytes
  static constexpr std::size_t pages_per_chapter = 256;
  static constexpr std::size_t chapter_size = page_size * pages_per_chapter;
  static constexpr std::uint32_t none = 0;  // the first chapter and page stay empty

  std::size_t place_of_page(std::size_t chapter, Id key) const {
    return chapters_[chapter] * pages_per_chapter + key / page_size % pages_per_chapter;
  }

  void add_chapter(std::size_t chapter) {
    if (values_.empty()) values_.resize(page_size, no_id), pages_.resize(pages_per_chapter, none);
    if (chapter >= chapters_.size()) chapters_.resize(chapter + 1, none);
    chapters_[chapter] = static_cast<std::uint32_t>(pages_.size() / pages_per_chapter);
    pages_.resize(pages_.size() + pages_per_chapter, none);
  }

  std::vector<std::uint32_t> chapters_;  // by run of 4096 ids: its chapter
  std::vector<std::uint32_t> pages_;     // by chapter and run of sixteen ids: its page
  std::vector<Id> values_;
  std::size_t count_ = 0;
};

}  // namespace klingel::sym
