#include "step/step_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace klingel::step {
namespace {

TEST(step_names, lead_back_to_what_they_name) {
  for (const Scheme s : {Scheme::imex, Scheme::imex_printed, Scheme::explicit_euler,
                         Scheme::trapezoidal, Scheme::reference})
    EXPECT_EQ(scheme_by_name(name(s)), s);
  for (const LinearMethod m : {LinearMethod::static_lu, LinearMethod::partitioning})
    EXPECT_EQ(linear_method_by_name(name(m)), m);
  EXPECT_EQ(scheme_by_name("imex-printed"), Scheme::imex_printed);
}

TEST(step_names, unknown_words_are_refused_with_the_nearest_one) {
  try {
    scheme_by_name("trapezodial");
    FAIL() << "must be refused";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'trapezoidal'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("imex_printed"));
  }
}

}  // namespace
}  // namespace klingel::step
