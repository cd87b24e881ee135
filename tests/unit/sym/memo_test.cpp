// The memo table: a map from node to node.
#include "sym/memo.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace klingel::sym {
namespace {

TEST(memo, an_empty_table_knows_nothing) {
  const Memo memo;
  EXPECT_EQ(memo.find(0), no_id);
  EXPECT_FALSE(memo.contains(7));
  EXPECT_EQ(memo.size(), 0u);
  EXPECT_EQ(memo.bytes(), 0u);
}

TEST(memo, a_value_is_found_under_its_key) {
  Memo memo;
  memo.store(0, 5);
  memo.store(5, 0);
  EXPECT_EQ(memo.find(0), 5u);
  EXPECT_EQ(memo.find(5), 0u);
  EXPECT_EQ(memo.find(1), no_id);
}

TEST(memo, a_second_value_replaces_the_first) {
  Memo memo;
  memo.store(3, 4);
  memo.store(3, 9);
  EXPECT_EQ(memo.find(3), 9u);
  EXPECT_EQ(memo.size(), 1u);
}

TEST(memo, it_agrees_with_a_standard_map_on_many_keys) {
  constexpr Id largest = 4'000'000;
  Memo memo;
  std::unordered_map<Id, Id> map;
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    // dense, strided and wild keys, as derivatives of long chains make them; a key is an id, and
    // no graph has more than some million atoms
    const Id key = i % 3 == 0   ? static_cast<Id>(i)
                   : i % 3 == 1 ? (random() % 1000) << 12
                                : random() % largest;
    const Id value = random() % 1'000'000;
    memo.store(key, value);
    map[key] = value;
  }
  EXPECT_EQ(memo.size(), map.size());
  for (const auto& [key, value] : map) ASSERT_EQ(memo.find(key), value);
  for (int i = 0; i < 10'000; ++i) {
    const Id key = i % 2 == 0 ? random() % largest : random();
    if (!map.contains(key)) {
      ASSERT_EQ(memo.find(key), no_id);
    }
  }
}

TEST(memo, an_entry_among_neighbours_costs_at_most_9_bytes) {
  // 4 bytes and a sixteenth of a directory entry, in vectors that double
  Memo memo;
  for (Id i = 0; i < 100'000; ++i) memo.store(i, i);
  EXPECT_LE(memo.bytes(), memo.size() * 9);
}

TEST(memo, an_entry_on_its_own_costs_at_most_a_page_and_its_part_of_the_directory) {
  Memo memo;
  for (Id i = 0; i < 1000; ++i) memo.store(100 * i, i);
  EXPECT_LE(memo.bytes(), 1000 * 2 * (64 + 4 * 100 / 16));
}

// Derivatives by a coordinate of the last coach of a train: nothing is paid for the coaches before.
TEST(memo, a_part_far_from_the_first_id_costs_what_it_costs_at_the_first) {
  Memo near, far;
  for (Id i = 0; i < 10'000; ++i) near.store(i, i), far.store(50'000'000 + i, i);
  EXPECT_LE(far.bytes(), near.bytes() + 100'000);
  EXPECT_EQ(far.find(50'000'007), 7u);
  EXPECT_EQ(far.find(7), no_id);
}

}  // namespace
}  // namespace klingel::sym
