// Subject: base/lookup. Claim: beside first, then shipped, nothing else; folders count for vehicles
// only.
#include "base/lookup.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/file.hpp"

namespace klingel::base {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Lookup : public testing::Test {
 protected:
  Lookup() : folder_(fs::temp_directory_path() / ("klingel_lookup_" + std::to_string(::getpid()))) {
    write_file(folder_ / "feve_wheel", "a file without extension");
    write_file(folder_ / "feve3000" / "vehicle.toml", "a vehicle");
    fs::create_directories(folder_ / "feve_rail");
  }
  ~Lookup() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(Lookup, beside_comes_before_shipped) {
  EXPECT_EQ(look_up(profiles, "feve_wheel", folder_), folder_ / "feve_wheel");
  EXPECT_EQ(look_up(profiles, "feve_wheel", {}), find_shipped(profiles, "feve_wheel"));
  EXPECT_EQ(find_shipped(profiles, "feve_wheel").filename(), "feve_wheel.pieces");
}

TEST_F(Lookup, folders_count_for_vehicles_only) {
  EXPECT_EQ(look_up(vehicles, "feve3000", folder_), folder_ / "feve3000" / "vehicle.toml");
  EXPECT_EQ(look_up(profiles, "feve_rail", folder_), find_shipped(profiles, "feve_rail"));
  EXPECT_TRUE(find_beside(profiles, "feve_rail", folder_).empty());
  EXPECT_TRUE(find_beside(vehicles, "feve_rail", folder_).empty()) << "no vehicle.toml in it";
  EXPECT_EQ(find_shipped(vehicles, "feve3000").filename(), "vehicle.toml");
}

TEST_F(Lookup, located_names_mean_the_same_anywhere) {
  EXPECT_EQ(located(profiles, "feve_wheel", folder_), (folder_ / "feve_wheel").string());
  EXPECT_EQ(located(profiles, "feve_rail", folder_), "feve_rail");
  EXPECT_EQ(located(profiles, "", folder_), "");
}

TEST_F(Lookup, errors_say_what_was_looked_for_and_where) {
  EXPECT_THAT(
      [&] { find_file(tracks, "artcle", folder_); },
      ThrowsMessage<Error>(AllOf(HasSubstr("there is no track 'artcle'; did you mean 'article'?"),
                                 HasSubstr("the file '" + (folder_ / "artcle").string() + "'"),
                                 HasSubstr("shipped tracks: article, "))));
  EXPECT_THAT(not_found(profiles, "S1003", folder_, {"S1002"}), HasSubstr("did you mean 'S1002'"));
}

TEST_F(Lookup, a_program_without_its_data_says_how_to_find_them) {
  const DataKind nowhere{"no_such_folder", "thing", ""};
  EXPECT_THAT(
      not_found(nowhere, "a", folder_),
      AllOf(HasSubstr("the program was moved away from its data"), HasSubstr("set KLINGEL_DATA")));
}

}  // namespace
}  // namespace klingel::base
