// Subject: packaging/write_package. Claim: a package needs nothing but a compiler and Eigen, the
// same vehicle gives the same files, and embedded data need no file.
#include "packaging/write_package.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "capi/vehicle_model.hpp"
#include "packaging/target_files.hpp"

namespace klingel::packaging {
namespace {

using testing::HasSubstr;

const Parts& wheelset() {
  static const Parts parts = vehicle_parts(vehicle::load_scenario("wheelset"));
  return parts;
}

PackageOptions short_test(bool embed = false) {
  PackageOptions options;
  options.embed = embed;
  options.selftest_steps = 50;
  return options;
}

std::set<std::string> names(const std::vector<gen::File>& files) {
  std::set<std::string> list;
  for (const gen::File& f : files) EXPECT_TRUE(list.insert(f.name).second) << f.name << " twice";
  return list;
}

const gen::File& file(const std::vector<gen::File>& files, const std::string& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const gen::File& f) { return f.name == name; });
  if (found == files.end()) base::fail("no file {}", name);
  return *found;
}

TEST(write_package, includes_the_standard_library_eigen_and_itself_only) {
  const std::vector<gen::File> files = package_files(wheelset(), short_test());
  const std::set<std::string> own = names(files);
  std::size_t included = 0;
  for (const gen::File& f : files) {
    if (f.name.ends_with(".klingel")) continue;
    std::istringstream lines(f.text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("#include ")) continue;
      ++included;
      const std::string name = line.substr(10, line.find_first_of(">\"", 10) - 10);
      if (line[9] == '"') {
        EXPECT_TRUE(own.contains("src/" + name) || own.contains("model/" + name) ||
                    own.contains(name))
            << f.name << ": " << line;
      } else {
        const bool standard = name.find('/') == std::string::npos;
        EXPECT_TRUE(standard || name.starts_with("sys/") || name.starts_with("Eigen/") ||
                    name == "fmt/format.h")
            << f.name << ": " << line;
      }
    }
  }
  EXPECT_GT(included, 300u);
}

TEST(write_package, the_same_vehicle_gives_the_same_files) {
  const Parts again = vehicle_parts(vehicle::load_scenario("wheelset"));
  const std::vector<gen::File> one = package_files(wheelset(), short_test()),
                               two = package_files(again, short_test());
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].name, two[i].name);
    EXPECT_TRUE(one[i].text == two[i].text) << one[i].name;
  }
}

TEST(write_package, has_all_that_its_makefile_names) {
  const std::vector<gen::File> files = package_files(wheelset(), short_test());
  const std::set<std::string> own = names(files);
  for (const std::string& s : target_files(false).sources) EXPECT_TRUE(own.contains(s)) << s;
  for (const char* name : {"klingel.h", "Makefile", "CMakeLists.txt", "README.md", "selftest.c",
                           "selftest_data.h", "model/wheelset.klingel", "model/wheelset_package.c"})
    EXPECT_TRUE(own.contains(name)) << name;
  EXPECT_THAT(file(files, "README.md").text, HasSubstr("`Q.wheelset.left` | N |"));
}

TEST(write_package, embedded_data_are_an_array) {
  const std::vector<gen::File> files = package_files(wheelset(), short_test(true));
  EXPECT_FALSE(names(files).contains("model/wheelset.klingel"));
  EXPECT_THAT(file(files, "model/wheelset_data.c").text,
              HasSubstr("{\n75,76,73,78,71,69,76,10,"));  // "KLINGEL\n"
  EXPECT_THAT(file(files, "selftest.c").text, Not(HasSubstr("klingel\"")));
  EXPECT_THAT(file(files, "selftest.c").text, HasSubstr("static klingel_status step("));
}

TEST(write_package, an_integrator_with_error_control_is_refused) {
  vehicle::Scenario scenario = vehicle::load_scenario("wheelset");
  scenario.integrator = "reference";
  EXPECT_THAT([&] { vehicle_parts(scenario); },
              testing::ThrowsMessage<base::Error>(HasSubstr("has error control")));
}

TEST(parts, names_become_names_in_c) {
  EXPECT_EQ(c_name("coach-300 m"), "coach_300_m");
  EXPECT_EQ(c_name("3axles"), "m_3axles");
}

}  // namespace
}  // namespace klingel::packaging
