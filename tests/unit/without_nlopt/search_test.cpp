// A program that was built without NLopt: search.cpp is compiled here as it is then.
#include "optimise/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace klingel::optimise {
namespace {

TEST(without_nlopt, the_command_says_what_to_install) {
  try {
    require_nlopt();
    FAIL() << "nothing was said";
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("libnlopt-cxx-dev"));
    EXPECT_THAT(e.what(), testing::HasSubstr("./run build"));
  }
}

TEST(without_nlopt, a_search_is_refused_before_any_case_runs) {
  // no member of the evaluator may be called: there is none
  alignas(Evaluator) std::byte nothing[sizeof(Evaluator)] = {};
  EXPECT_THROW(search(reinterpret_cast<Evaluator&>(nothing), {}, {}), base::Error);
}

}  // namespace
}  // namespace klingel::optimise
