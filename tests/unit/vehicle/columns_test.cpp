// Columns of numbers: units are converted, and what is wrong is said with its place.
#include "vehicle/columns.hpp"
#include "tests/support/error_of.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

namespace klingel::vehicle {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

Columns parse(const char* text) { return Columns::parse(text, "a.csv"); }

using test::error_of;

TEST(columns, values_come_in_si_units_whatever_the_header_says) {
  const Columns c =
      parse("# recorded somewhere\n\ns_m, level_mm, turn_deg\r\n0, 1.5, 180\r\n+1,-2e0, 0\n");
  EXPECT_EQ(c.rows(), 2u);
  EXPECT_THAT(c.column("s", Quantity::length), ElementsAre(0, 1));
  EXPECT_THAT(c.column("level", Quantity::length), ElementsAre(DoubleEq(1.5e-3), DoubleEq(-2e-3)));
  EXPECT_THAT(c.column("turn", Quantity::angle), ElementsAre(DoubleEq(std::numbers::pi), 0));
  EXPECT_TRUE(c.has("level"));
  EXPECT_FALSE(c.has("level_mm"));
}

TEST(columns, semicolons_part_as_well) {
  EXPECT_THAT(parse("s_m;v_m\n1;2\n").column("v", Quantity::length), ElementsAre(2));
}

TEST(columns, files_of_recording_cars_are_read_as_they_are) {
  const Columns c = parse("Station [km];level left (mm)\n1,250;-0,5\n1,251;2\n");
  EXPECT_TRUE(c.decimal_commas());
  EXPECT_THAT(c.column("Station", Quantity::length), ElementsAre(1250, 1251));
  EXPECT_THAT(c.column("level left", Quantity::length), ElementsAre(DoubleEq(-0.5e-3), 2e-3));
  EXPECT_THAT(parse("s\tv\n1\t2\n").column("v", Quantity::length, "mm"), ElementsAre(2e-3));
  EXPECT_FALSE(parse("s\tv\n1\t2\n").decimal_commas());
}

TEST(columns, wrong_text_is_refused_with_line_and_column) {
  EXPECT_EQ(error_of([] { parse("s_m,v_m\n1,2\n3,4x\n"); }),
            "a.csv:3:3: expected a finite number, found '4x'");
  EXPECT_EQ(error_of([] { parse("s_m\nnan\n"); }),
            "a.csv:2:1: expected a finite number, found 'nan'");
  EXPECT_EQ(error_of([] { parse("s_m,v_m\n1,\n"); }),
            "a.csv:2:3: expected a finite number, found ''");
  EXPECT_EQ(error_of([] { parse("s_m,v_m\n1\n"); }),
            "a.csv:2: 1 values, but the header names 2 columns");
  EXPECT_EQ(error_of([] { parse("s,v_m\n1,2\n").column("s", Quantity::length); }),
            "a.csv:1: the name of a column ends with its unit, as in 's_m' or 's [m]'; found 's'");
  EXPECT_EQ(error_of([] { parse(""); }), "a.csv: no numbers in this file");
  EXPECT_EQ(error_of([] { parse("s_m\n"); }), "a.csv: no numbers in this file");
}

TEST(columns, missing_columns_and_wrong_units_are_answered_with_what_there_is) {
  EXPECT_EQ(error_of([] { parse("s_m,vertcal_mm\n1,2\n").column("vertical", Quantity::length); }),
            "a.csv:1: no column 'vertical_m'; did you mean 'vertcal'?\n"
            "    there are s_m, vertcal_mm");
  EXPECT_EQ(error_of([] { parse("s_ft\n1\n").column("s", Quantity::length); }),
            "a.csv:1: column 's' has the unit 'ft', expected km, m, cm or mm");
  EXPECT_THAT(error_of([] { parse("s_m\n1\n").column("s", Quantity::angle); }), HasSubstr("rad"));
}

TEST(columns, what_must_ascend_is_refused_with_its_line_where_it_does_not) {
  EXPECT_EQ(error_of([] { parse("s_m\n1\n2\n2\n").ascending("s", Quantity::length); }),
            "a.csv:4: 's' must ascend, found 2 after 2");
}

}  // namespace
}  // namespace klingel::vehicle
