#include "study/case_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace klingel::study {
namespace {

Study study_of(const std::string& head, const std::string& vary) {
  return parse_study("[study]\nrun = \"bogie\"\n" + head + vary +
                         "[[measure]]\nname = \"m\"\nformula = \"max(t)\"\n",
                     "s.toml");
}

TEST(case_values, lists_are_crossed_and_the_last_changes_fastest) {
  const Study s =
      study_of("",
               "[[vary]]\nname = \"speed\"\nvalues = [1, 2]\n[[vary]]\nname = \"track\"\n"
               "values = [\"a\", \"b\", \"c\"]\n[[vary]]\nname = \"friction\"\n"
               "values = [0.1, 0.2]\nwith = \"speed\"\n");
  const CaseValues values(s);
  ASSERT_EQ(values.cases(), 6u);
  EXPECT_EQ(values.number(0, 0), 1);
  EXPECT_EQ(values.text(1, 1), "b");
  EXPECT_EQ(values.text(2, 1), "c");
  EXPECT_EQ(values.number(3, 0), 2);
  EXPECT_EQ(values.number(2, 2), 0.1);
  EXPECT_EQ(values.number(5, 2), 0.2);
}

TEST(case_values, a_latin_hypercube_has_every_part_once) {
  const Study s = study_of("samples = 50\n", "[[vary]]\nname = \"speed\"\nuniform = [10, 60]\n");
  const CaseValues values(s);
  ASSERT_EQ(values.cases(), 50u);
  std::set<int> parts;
  for (std::size_t i = 0; i < 50; ++i) parts.insert(static_cast<int>(values.number(i, 0)) - 10);
  EXPECT_EQ(parts.size(), 50u);
}

TEST(case_values, sobol_points_halve_every_interval) {
  const Study s = study_of("samples = 63\nsampling = \"sobol\"\n",
                           "[[vary]]\nname = \"speed\"\nuniform = [0, 1]\n[[vary]]\n"
                           "name = \"friction\"\nuniform = [1e-9, 1]\n");
  const CaseValues values(s);
  EXPECT_EQ(values.number(0, 0), 0.5);
  int low = 0;
  for (std::size_t i = 0; i < 63; ++i) low += values.number(i, 1) < 0.25 ? 1 : 0;
  EXPECT_EQ(low, 15);
}

TEST(case_values, seeds_matter_and_repeat) {
  const std::string vary = "[[vary]]\nname = \"speed\"\nnormal = [20, 2]\n";
  for (const char* sampling : {"random", "latin_hypercube"}) {
    const std::string head = std::string("samples = 200\nsampling = \"") + sampling + "\"\nseed = ";
    const Study one = study_of(head + "1\n", vary), again = one,
                other = study_of(head + "2\n", vary);
    const CaseValues a(one), b(again), c(other);
    double mean = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      EXPECT_EQ(a.number(i, 0), b.number(i, 0));
      mean += a.number(i, 0) / 200;
    }
    EXPECT_NE(a.number(0, 0), c.number(0, 0));
    EXPECT_NEAR(mean, 20, 0.5);
  }
}

TEST(case_values, quantiles_of_the_normal_distribution) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-12);
}

TEST(case_values, conditions_leave_out_what_would_be_the_same) {
  const Study s = study_of("",
                           "[[vary]]\nname = \"law\"\nvalues = [\"she\", \"polach\"]\n"
                           "[[vary]]\nname = \"k\"\nvalues = [1, 2, 3]\n"
                           "when = { law = \"polach\" }\n"
                           "[[vary]]\nname = \"j\"\nvalues = [4, 5, 6]\nwith = \"k\"\n"
                           "[[vary]]\nname = \"speed\"\nvalues = [10, 20]\n");
  const CaseValues values(s);
  ASSERT_EQ(values.cases(), 2u + 6u);
  for (std::size_t c = 0; c < values.cases(); ++c) {
    const bool polach = values.text(c, 0) == "polach";
    EXPECT_EQ(values.varies(c, 1), polach);
    EXPECT_EQ(values.text(c, 1).empty(), !polach);
    EXPECT_EQ(std::isnan(values.number(c, 2)), !polach);
    EXPECT_TRUE(values.varies(c, 3));
  }
  EXPECT_EQ(values.number(7, 1), 3);
  EXPECT_EQ(values.number(7, 2), 6);
  EXPECT_EQ(values.number(7, 3), 20);
}

TEST(case_values, what_is_drawn_is_drawn_only_where_it_varies) {
  const Study s = study_of("samples = 5\n",
                           "[[vary]]\nname = \"law\"\nvalues = [\"she\", \"polach\"]\n"
                           "[[vary]]\nname = \"k\"\nuniform = [1, 2]\n"
                           "when = { law = [\"polach\"] }\n");
  EXPECT_EQ(CaseValues(s).cases(), 1u + 5u);
}

TEST(case_values, a_table_has_the_rows_that_were_added) {
  const Study s = study_of("", "[[vary]]\nname = \"speed\"\nvalues = [1, 2]\n");
  CaseValues values(s);
  values.become_table();
  EXPECT_EQ(values.cases(), 0u);
  EXPECT_EQ(values.add({1.25}), 0u);
  EXPECT_EQ(values.add({1.75}), 1u);
  EXPECT_EQ(values.number(1, 0), 1.75);
  EXPECT_EQ(values.text(0, 0), "1.25");
}

TEST(case_values, too_many_cases_are_refused) {
  const Study s =
      study_of("",
               "[[vary]]\nname = \"speed\"\nfrom = 1\nto = 2\ncount = 1000000\n[[vary]]\n"
               "name = \"friction\"\nfrom = 0.1\nto = 0.2\ncount = 1000\n");
  EXPECT_THROW(CaseValues{s}, base::Error);
}

}  // namespace
}  // namespace klingel::study
