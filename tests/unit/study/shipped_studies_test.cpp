// Subject: the studies that are shipped. Claim: each can be begun (its names, values and measures
// are right), and has as many cases as docs/studies.md says.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "base/data.hpp"
#include "base/file.hpp"
#include "study/run_study.hpp"
#include "study/wear_file.hpp"

namespace klingel::study {
namespace {

// | `coach_curves` | steady curves over ... | 120 |
std::map<std::string, std::string> cases_in_document() {
  const std::string text = base::read_file(KLINGEL_SOURCE_DIR "/docs/studies.md");
  const std::regex row(R"(\n\| `(\w+)` \| [^|]* \| ([0-9-]+) \|)");
  std::map<std::string, std::string> cases;
  for (std::sregex_iterator i(text.begin(), text.end(), row), end; i != end; ++i)
    cases[(*i)[1]] = (*i)[2];
  return cases;
}

TEST(shipped_studies, can_be_begun_and_are_documented) {
  exec::Options kernels;
  kernels.backend = exec::Backend::interpreter;
  const std::map<std::string, std::string> said = cases_in_document();
  const std::vector<std::string> names = base::list_data("studies");
  EXPECT_EQ(said.size(), names.size());
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(said.contains(name));
    const std::string text = base::read_file(KLINGEL_SOURCE_DIR "/studies/" + name + ".toml");
    if (text.find("[wear]") != std::string::npos) {
      EXPECT_FALSE(load_wear_study(name).cases.empty());
      EXPECT_EQ(said.at(name), "-");
      continue;
    }
    Study study = load_study(name);
    const bool optimised = study.goal.has_value();
    const PreparedStudy p(std::move(study), kernels,
                          optimised ? Chooser::optimiser : Chooser::study);
    EXPECT_EQ(said.at(name), optimised ? "-" : std::to_string(p.values().cases()));
  }
}

}  // namespace
}  // namespace klingel::study
