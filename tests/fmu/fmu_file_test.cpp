// Subject: packaging/fmu, fmu_description and zip. Claim: the same vehicle gives the same bytes,
// the descriptions fit the official schemas, mechanisms have Model Exchange, and outside clients
// accept the FMUs. Schemas (KLINGEL_FMI_SCHEMAS, a folder with fmi2/ and fmi3/) and client
// (KLINGEL_FMU_CLIENT, a command that gets the path of an FMU) are not part of the project: without
// them these tests are skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "exec/process.hpp"
#include "fmu/fmi2.hpp"
#include "fmu/resource_path.hpp"
#include "packaging/fmu_description.hpp"
#include "packaging/zip.hpp"
#include "tests/fmu/unpacked_fmu.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

std::filesystem::path temporary(const std::string& name) {
  return std::filesystem::path(testing::TempDir()) /
         ("klingel_" + std::to_string(::getpid()) + "_" + name);
}

TEST(fmu_file, the_same_vehicle_gives_the_same_bytes) {
  packaging::FmuOptions options;
  const std::filesystem::path one = temporary("one.fmu"), two = temporary("two.fmu");
  packaging::write_zip(one, test::wheelset_fmu(2));
  const packaging::Parts again = packaging::vehicle_parts(vehicle::load_scenario("wheelset"));
  packaging::write_zip(two, packaging::fmu_files(again, options));
  EXPECT_TRUE(base::read_file(one) == base::read_file(two));
  std::filesystem::remove(one), std::filesystem::remove(two);
}

TEST(fmu_file, folders_are_those_of_the_standards) {
  const auto names = [](int version) {
    std::vector<std::string> list;
    for (const gen::File& f : test::wheelset_fmu(version)) list.push_back(f.name);
    return list;
  };
  EXPECT_THAT(names(2), testing::ElementsAre("modelDescription.xml", "binaries/linux64/wheelset.so",
                                             "resources/wheelset.klingel"));
  EXPECT_THAT(names(3),
              testing::IsSupersetOf({"modelDescription.xml", "binaries/x86_64-linux/wheelset.so",
                                     "resources/wheelset.klingel", "sources/buildDescription.xml",
                                     "sources/model/wheelset.c"}));
}

TEST(fmu_file, descriptions_name_parameters_inputs_and_outputs) {
  const std::string two = packaging::fmi2_description(test::wheelset_parts()),
                    three = packaging::fmi3_description(test::wheelset_parts());
  for (const std::string& text : {two, three}) {
    EXPECT_THAT(text, HasSubstr("name=\"m\" valueReference="));
    EXPECT_THAT(text, testing::ContainsRegex("name=\"m\"[^>]*>?[^>]*unit=\"kg\""));
    EXPECT_THAT(text, HasSubstr("name=\"Q.wheelset.left\""));
    EXPECT_THAT(text, HasSubstr("name=\"friction.wheelset.right\""));
    EXPECT_THAT(text, HasSubstr(test::wheelset_parts().model->token));
    EXPECT_THAT(text, Not(HasSubstr("ModelExchange")));
  }
}

TEST(fmu_file, descriptions_fit_the_official_schemas) {
  const char* schemas = std::getenv("KLINGEL_FMI_SCHEMAS");
  if (schemas == nullptr) GTEST_SKIP() << "KLINGEL_FMI_SCHEMAS is not set: nothing was checked";
  for (const int version : {2, 3}) {
    const test::Unpacked fmu(version);
    const auto check = [&](const std::string& schema, const std::string& file) {
      const std::string name = "fmi" + std::to_string(version);
      const exec::Outcome outcome =
          exec::run({{"xmllint", "--noout", "--schema",
                      std::string(schemas) + "/" + name + "/" + name + schema,
                      (fmu.folder() / file).string()},
                     {}});
      EXPECT_EQ(outcome.code, 0) << outcome.output;
    };
    check("ModelDescription.xsd", "modelDescription.xml");
    if (version == 3) check("BuildDescription.xsd", "sources/buildDescription.xml");
  }
}

TEST(fmu_file, an_outside_client_accepts_it) {
  const char* client = std::getenv("KLINGEL_FMU_CLIENT");
  if (client == nullptr) GTEST_SKIP() << "KLINGEL_FMU_CLIENT is not set: nothing was checked";
  for (const int version : {2, 3}) {
    const std::filesystem::path path = temporary("client.fmu");
    packaging::write_zip(path, test::wheelset_fmu(version));
    const std::string command = std::string(client) + " '" + path.string() + "'";
    const exec::Outcome outcome = exec::run({{"sh", "-c", command}, {}});
    EXPECT_EQ(outcome.code, 0) << "FMI " << version << ": " << outcome.output;
    std::filesystem::remove(path);
  }
}

TEST(resource_path, file_uris_become_paths) {
  EXPECT_EQ(fmu::path_of_uri("file:///a/b%20c/resources"), "/a/b c/resources");
  EXPECT_EQ(fmu::path_of_uri("file:/a/b"), "/a/b");
  EXPECT_EQ(fmu::path_of_uri("file://host/a"), "/a");
  EXPECT_EQ(fmu::path_of_uri("file:///a%2"), "/a%2");
  EXPECT_EQ(fmu::path_of_uri("http://a/b"), "");
  EXPECT_EQ(fmu::path_of_uri(""), "");
}

}  // namespace
}  // namespace klingel
