// The list of keys: the document shows all of it, and nothing is described twice.
#include "vehicle/keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/file.hpp"

namespace klingel::vehicle {
namespace {

using testing::HasSubstr;

TEST(keys, the_document_holds_the_tables_of_all_keys) {
  const std::string document = base::read_file(KLINGEL_SOURCE_DIR "/docs/vehicle_format.md");
  for (const auto sections : {vehicle_sections(), scenario_sections()}) {
    for (const Section& s : sections)
      EXPECT_THAT(document, HasSubstr(reference_text({&s, 1})))
          << "print it with: klingel check --keys";
  }
}

TEST(keys, sections_and_their_keys_are_named_once) {
  std::set<std::string_view> sections;
  for (const auto all : {vehicle_sections(), scenario_sections()}) {
    for (const Section& s : all) {
      EXPECT_TRUE(sections.insert(s.name).second) << s.name;
      std::set<std::string_view> keys;
      for (const Key& k : s.keys) EXPECT_TRUE(keys.insert(k.name).second) << s.name << k.name;
    }
  }
}

}  // namespace
}  // namespace klingel::vehicle
