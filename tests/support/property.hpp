// Property tests: rapidcheck inside GoogleTest, with a fixed seed unless RC_PARAMS says otherwise.
//
//   TEST(suite, claim) {
//     check_property(200, [] { const Recipe recipe = any_recipe(); RC_ASSERT(...); });
//   }
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/support/recipe.hpp"

namespace klingel::test {

// Runs the property on `runs` random inputs. A failure shows the smallest input found and how to
// repeat it.
template <class Property>
void check_property(int runs, Property&& property) {
  ::setenv("RC_PARAMS", "seed=1", 0);  // before rapidcheck reads it; the user's own stays
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = runs;
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
  metadata.description = test->name();
  const auto result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  FAIL() << text.str() << "\nto repeat: RC_PARAMS=\"seed=" << params.seed << "\"\n";
}

// A random index below n, uniform: rapidcheck's own range starts with small numbers.
inline std::size_t any_index(std::size_t n) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, n));
}

// A random program of `least` to `most` operations.
inline Recipe any_recipe(const RecipeOptions& options = {}, std::size_t least = 20,
                         std::size_t most = 300) {
  const auto size = *rc::gen::inRange<std::size_t>(least, most + 1);
  const auto words = *rc::gen::container<std::vector<std::uint32_t>>(
      size, rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
  return Recipe(words, options);
}

}  // namespace klingel::test
