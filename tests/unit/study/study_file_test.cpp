#include "study/study_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klingel::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Study parse(const std::string& vary, const std::string& more = "") {
  return parse_study("[study]\nrun = \"wheelset\"\nspeed = 10\n" + more + "[[vary]]\n" + vary +
                         "\n[[measure]]\nname = \"m\"\nformula = \"max(t)\"\n",
                     "s.toml");
}

std::string refusal(const std::string& vary, const std::string& more = "") {
  try {
    parse(vary, more);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "";
}

TEST(study_file, lists_ranges_and_fixed_values) {
  const Study s = parse("name = \"friction\"\nfrom = 0.1\nto = 0.3\ncount = 3");
  EXPECT_EQ(s.name, "s");
  EXPECT_EQ(s.fixed.speed, 10);
  EXPECT_THAT(s.variations[0].numbers, ElementsAre(0.1, testing::DoubleEq(0.2), 0.3));
  EXPECT_THAT(parse("name = \"track\"\nvalues = [\"straight\"]").variations[0].texts,
              ElementsAre("straight"));
}

TEST(study_file, mistakes_say_where_and_what) {
  EXPECT_THAT(refusal("name = \"speed\"\nvalues = []"), HasSubstr("the list is empty"));
  EXPECT_THAT(refusal("name = \"speed\""), HasSubstr("expected one of values"));
  EXPECT_THAT(refusal("name = \"speed\"\nuniform = [2, 1]", "samples = 3\n"),
              HasSubstr("must be larger"));
  EXPECT_THAT(refusal("name = \"speed\"\nlog = [0, 1]", "samples = 3\n"), HasSubstr("positive"));
  EXPECT_THAT(refusal("name = \"speed\"\nuniform = [1, 2]"), HasSubstr("say how many"));
  EXPECT_THAT(refusal("name = \"speed\"\nvalues = [1]", "samples = 3\n"),
              HasSubstr("nothing is drawn at random"));
  EXPECT_THAT(refusal("name = \"speed\"\nvalues = [1]\nwith = \"friction\""),
              HasSubstr("which does not vary"));
  EXPECT_THAT(refusal("name = \"speed\"\nvalues = [1]\nvalue = 2"), HasSubstr("s.toml:7:"));
  // numbers of a scenario have the limits of its file
  for (const char* values : {"[0.3, -0.1]", "[0]", "[3]"})
    EXPECT_THAT(refusal(std::string("name = \"friction\"\nvalues = ") + values),
                HasSubstr("s.toml:5:8: 'friction' must be"));
  EXPECT_THAT(refusal("name = \"speed\"\nvalues = [10, 1e300]"), HasSubstr("from -300 to 300 m/s"));
  EXPECT_THAT(refusal("name = \"friction\"\nuniform = [-1, 1]", "samples = 3\n"),
              HasSubstr("must be greater than zero"));
  EXPECT_THAT(refusal("name = \"speed\"\nfrom = 1\nto = 2\ncount = 1"),
              HasSubstr("one value cannot be both 1 and 2"));
  EXPECT_THAT(refusal("name = \"track\"\nuniform = [1, 2]", "samples = 3\n"),
              HasSubstr("takes names"));
}

TEST(study_file, conditions_name_lists_and_their_values) {
  const std::string law = "name = \"law\"\nvalues = [\"she\", \"polach\"]\n[[vary]]\n";
  EXPECT_EQ(parse(law + "name = \"speed\"\nvalues = [1]\nwhen = { law = \"she\" }")
                .variations[1]
                .when[0]
                .name,
            "law");
  EXPECT_THAT(refusal(law + "name = \"speed\"\nvalues = [1]\nwhen = { lew = \"she\" }"),
              HasSubstr("did you mean 'law'"));
  EXPECT_THAT(refusal(law + "name = \"speed\"\nvalues = [1]\nwhen = { law = \"polch\" }"),
              HasSubstr("did you mean 'polach'"));
  EXPECT_THAT(refusal("name = \"speed\"\nvalues = [1]\nwhen = { law = \"she\" }\n[[vary]]\n" +
                      law.substr(0, law.size() - 9)),
              HasSubstr("does not vary before it"));
}

std::string measure_refusal(const std::string& measure, const std::string& more = "") {
  try {
    parse_study(
        "[study]\nrun = \"bogie\"\n[[vary]]\nname = \"speed\"\nvalues = [1, 2]\n"
        "[[measure]]\nname = \"m\"\n" +
            measure + "\n" + more,
        "s.toml");
  } catch (const base::Error& e) {
    return e.what();
  }
  return "";
}

TEST(study_file, measures_of_small_motions_and_curves) {
  EXPECT_EQ(measure_refusal("modes = \"critical_speed\""), "");
  EXPECT_EQ(measure_refusal("modes = \"damping\"\nspeed = 40\nnear = 2.5"), "");
  EXPECT_EQ(measure_refusal("conicity = 0.003"), "");
  EXPECT_EQ(measure_refusal("curve = \"max(YQ)\"", "[curve]\nradius = 300\n"), "");
  EXPECT_THAT(measure_refusal("curve = \"max(YQ)\""), HasSubstr("which curve?"));
  EXPECT_THAT(measure_refusal("modes = \"critical_sped\""), HasSubstr("critical_speed"));
  EXPECT_THAT(measure_refusal("modes = \"critical_speed\"\nnear = 2"), HasSubstr("remove 'near'"));
  EXPECT_THAT(measure_refusal("modes = \"growth\"\nformula = \"max(t)\""),
              HasSubstr("expected one of"));
}

TEST(study_file, what_is_optimised) {
  const std::string m = "modes = \"critical_speed\"";
  EXPECT_EQ(measure_refusal(m, "[optimise]\nmaximise = \"m\"\nmethod = \"slsqp\"\n"), "");
  EXPECT_THAT(measure_refusal(m, "[optimise]\nmaximise = \"n\"\n"),
              HasSubstr("there is no measure 'n'"));
  EXPECT_THAT(measure_refusal(m, "[optimise]\nmaximise = \"m\"\nmethod = \"slsq\"\n"),
              HasSubstr("slsqp"));
  EXPECT_THAT(measure_refusal(m, "[optimise]\nmethod = \"slsqp\"\n"), HasSubstr("found 0"));
  EXPECT_THAT(
      measure_refusal(m + "\nleast = 2", "[optimise]\nmaximise = \"m\"\nmethod = \"bobyqa\"\n"),
      HasSubstr("knows no constraints"));
  EXPECT_THAT(measure_refusal(m, "[optimise]\nmaximise = \"m\"\ntolerance = 2\n"),
              HasSubstr("below 1"));
}

TEST(study_file, files_of_other_commands_are_named) {
  for (const auto& [text, command] : {std::pair{"[wear]\nmileage = 1\n", "klingel wear"},
                                      {"[estimate]\nname = \"e\"\n", "klingel estimate"},
                                      {"[scenario]\nname = \"s\"\n", "klingel run"}}) {
    try {
      parse_study(text, "s.toml");
      FAIL() << text;
    } catch (const base::Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(std::string("this is a file of '") + command));
    }
  }
}

TEST(study_file, without_variations_or_measures_it_is_refused) {
  EXPECT_THROW(parse_study("[study]\nrun = \"bogie\"\n", "s.toml"), base::Error);
  EXPECT_THROW(
      parse_study("[study]\nrun = \"bogie\"\n[[vary]]\nname = \"speed\"\nvalues = [1]\n", "s.toml"),
      base::Error);
}

}  // namespace
}  // namespace klingel::study
