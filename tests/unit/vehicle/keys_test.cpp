// The tables of keys: the document shows all of them, and nothing is described twice.
#include "vehicle/keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/file.hpp"
#include "tests/support/golden.hpp"

namespace klingel::vehicle {
namespace {

using testing::HasSubstr;

std::vector<Section> all_sections() {
  std::vector<Section> all = vehicle_sections();
  const auto scenario = scenario_sections();
  all.insert(all.end(), scenario.begin(), scenario.end());
  return all;
}

// the last chapter of the document is what `klingel check --keys` prints
TEST(keys, the_document_holds_the_tables_of_all_keys) {
  const std::filesystem::path path = KLINGEL_SOURCE_DIR "/docs/vehicle_format.md";
  const std::string document = base::read_file(path), heading = "\n## Every key\n\n";
  const std::size_t at = document.find(heading);
  ASSERT_NE(at, std::string::npos);
  const std::string now = document.substr(0, at) + heading + reference_text(all_sections());
  if (test::updates_golden()) {
    if (document != now) base::write_file(path, now);
    return;
  }
  EXPECT_EQ(test::unified_diff(document, now), "")
      << "docs/vehicle_format.md: KLINGEL_UPDATE_GOLDEN=1 rewrites its last chapter";
}

TEST(keys, sections_and_their_keys_are_named_once) {
  std::set<std::string_view> sections;
  for (const Section& s : all_sections()) {
    EXPECT_TRUE(sections.insert(s.name).second) << s.name;
    std::set<std::string_view> keys;
    for (const Key& k : keys_of(s)) EXPECT_TRUE(keys.insert(k.name).second) << s.name << k.name;
  }
}

TEST(keys, every_element_and_constraint_can_be_listed_in_a_file) {
  std::set<std::string_view> listed;
  for (const Key& k : keys_of(section("file"))) listed.insert(k.name);
  for (const auto tables : {element_tables(), constraint_tables()})
    for (const Section* table : tables) {
      EXPECT_EQ(listed.count(table->name), 1u) << table->name;
      EXPECT_NE(table->list, "") << table->name;
      EXPECT_EQ(table->keys.front().name, "name") << table->name;
    }
  EXPECT_EQ(listed.count("gear"), 0u);
}

TEST(keys, limits_are_shown_with_the_meaning) {
  EXPECT_THAT(
      reference_text(std::span(&Wheelset::table, 1)),
      HasSubstr("| of the wheels at the taping line; greater than zero; parameters only |"));
}

}  // namespace
}  // namespace klingel::vehicle
