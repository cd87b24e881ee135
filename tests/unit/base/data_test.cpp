// Subject: base/data. Claim: shipped data are found in the stated order, by name with or without
// extension, and nothing outside the folder is.
#include "base/data.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/file.hpp"

namespace klingel::base {
namespace {

namespace fs = std::filesystem;

// A data folder of our own, named by KLINGEL_DATA while the test runs.
class Data : public testing::Test {
 protected:
  Data() : folder_(fs::temp_directory_path() / ("klingel_data_" + std::to_string(::getpid()))) {
    write_file(folder_ / "profiles" / "worn.csv", "1");
    write_file(folder_ / "profiles" / "both.prw", "1");
    write_file(folder_ / "profiles" / "both.csv", "2");
    write_file(folder_ / "profiles" / "README.md", "about");
    write_file(folder_ / "profiles" / ".hidden.csv", "3");
    write_file(folder_ / "vehicles" / "loco" / "vehicle.toml", "4");
    write_file(folder_ / "secret.csv", "5");
    ::setenv("KLINGEL_DATA", folder_.c_str(), 1);
  }
  ~Data() override {
    ::unsetenv("KLINGEL_DATA");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path folder_;
};

TEST_F(Data, a_file_is_found_with_and_without_extension) {
  EXPECT_EQ(find_data("profiles", "worn.csv"), folder_ / "profiles" / "worn.csv");
  EXPECT_EQ(find_data("profiles", "worn"), folder_ / "profiles" / "worn.csv");
  EXPECT_EQ(find_data("vehicles", "loco/vehicle"), folder_ / "vehicles" / "loco" / "vehicle.toml");
  EXPECT_EQ(find_data("vehicles", "loco"), folder_ / "vehicles" / "loco");
}

TEST_F(Data, of_two_files_that_differ_in_extension_the_first_by_name_wins) {
  EXPECT_EQ(find_data("profiles", "both"), folder_ / "profiles" / "both.csv");
  EXPECT_EQ(find_data("profiles", "both.prw"), folder_ / "profiles" / "both.prw");
}

TEST_F(Data, what_is_not_there_is_an_empty_path) {
  EXPECT_TRUE(find_data("profiles", "wor").empty());
  EXPECT_TRUE(find_data("profiles", "").empty());
  EXPECT_TRUE(find_data("no_such_folder", "worn").empty());
  EXPECT_TRUE(find_data("profiles", "README").empty());
  EXPECT_TRUE(find_data("profiles", "README.md").empty());
}

TEST_F(Data, names_that_lead_outside_are_not_found) {
  EXPECT_TRUE(find_data("profiles", "../secret.csv").empty());
  EXPECT_TRUE(find_data("profiles", (folder_ / "secret.csv").string()).empty());
}

TEST_F(Data, the_list_is_sorted_and_names_each_once) {
  const auto names = list_data("profiles");
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "both"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "worn"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "README"), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), ".hidden"), 0);
  for (const std::string& name : names) EXPECT_FALSE(find_data("profiles", name).empty()) << name;
}

TEST_F(Data, the_environment_comes_first_and_the_source_folder_after_it) {
  const auto places = data_places();
  ASSERT_GE(places.size(), 2u);
  EXPECT_EQ(places[0], folder_);
  EXPECT_TRUE(fs::exists(places[1] / "src" / "ARROWS")) << places[1];
  ::setenv("KLINGEL_DATA", "/no/such/folder", 1);
  EXPECT_EQ(data_places().front(), places[1]);
}

}  // namespace
}  // namespace klingel::base
