// Charts as text: the same bytes every time, nothing lost that an eye would see, wrong input named.
#include "report/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "report/axis.hpp"

namespace klingel::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// A sine of n samples over 4 s.
Plot sine(std::size_t n) {
  Series s{"sine", {}, {}, Style::line};
  for (std::size_t i = 0; i < n; ++i) {
    s.x.push_back(4.0 * static_cast<double>(i) / static_cast<double>(n));
    s.y.push_back(std::sin(s.x.back()));
  }
  return {"A sine", "t (s)", "y (m)", {s}};
}

TEST(plot, the_same_plot_gives_the_same_bytes) { EXPECT_EQ(svg(sine(500)), svg(sine(500))); }

TEST(plot, is_one_document_with_its_own_ground_and_all_texts) {
  const std::string text = svg(sine(50));
  EXPECT_TRUE(text.starts_with("<svg xmlns"));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_THAT(text, HasSubstr("<rect width=\"760\" height=\"360\" fill=\"#fdfdfb\"/>"));
  for (const char* words : {">A sine<", ">t (s)<", ">y (m)<", ">sine<"})
    EXPECT_THAT(text, HasSubstr(words));
}

TEST(plot, markup_in_labels_is_text) {
  Plot plot = sine(10);
  plot.title = "a < b & \"c\"";
  EXPECT_THAT(svg(plot), HasSubstr("a &lt; b &amp; &quot;c&quot;"));
}

TEST(plot, a_value_that_is_not_finite_breaks_the_line) {
  Plot plot = sine(100);
  EXPECT_EQ(count(svg(plot), "M78.00 "), 1);  // one path begins at the left end
  const std::string whole = svg(plot);
  plot.series[0].y[50] = std::numeric_limits<double>::quiet_NaN();
  plot.series[0].y[70] = std::numeric_limits<double>::infinity();
  const std::string broken = svg(plot);
  const auto moves = [](const std::string& text) {
    const std::size_t path = text.find("stroke-linejoin");
    return count(text.substr(path), "M");
  };
  EXPECT_EQ(moves(whole), 1);
  EXPECT_EQ(moves(broken), 3);
  EXPECT_THAT(broken, Not(HasSubstr("nan")));
  EXPECT_THAT(broken, Not(HasSubstr("inf")));
}

TEST(plot, thinning_keeps_a_spike_of_one_sample) {
  Plot plot = sine(200'000);
  plot.series[0].y[123'457] = 7.5;
  plot.series[0].y[123'460] = -7.5;
  const std::string text = svg(plot);
  EXPECT_LT(text.size(), 100'000u);  // at most four points per half pixel
  // axis from -8 to 8; the place of +-7.5 between its ends, as the plot itself computes it
  Plot few = sine(10);
  few.series[0].x = {0, 4.0 * 123'457 / 200'000, 4.0 * 199'999 / 200'000};
  few.series[0].y = {7.5, 0, -7.5};
  const std::string small = svg(few);
  const auto y_of = [](const std::string& s, const char* marker) {
    const std::size_t at = s.find(marker, s.find("stroke-linejoin"));
    return s.substr(at, s.find_first_of("ML\"", at + 1) - at);
  };
  const std::string first = y_of(small, "M78.00 ");
  EXPECT_THAT(text, HasSubstr(first.substr(first.find(' '))));
}

TEST(plot, nothing_to_draw_is_said) {
  EXPECT_THAT(svg(Plot{}), HasSubstr(">no data<"));
  Plot plot = sine(1);
  plot.series[0].y[0] = std::nan("");
  EXPECT_THAT(svg(plot), HasSubstr(">no data<"));
}

TEST(plot, a_single_point_is_a_dot) { EXPECT_EQ(count(svg(sine(1)), "r=\"2.4\""), 1); }

TEST(plot, different_lengths_are_refused_with_both_numbers) {
  Plot plot = sine(10);
  plot.series[0].y.pop_back();
  try {
    svg(plot);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "plot 'A sine', series 'sine': 10 values of x but 9 of y");
  }
}

TEST(plot, several_plots_stand_below_each_other) {
  const Plot plots[] = {sine(20), sine(30)};
  const std::string text = svg(plots);
  EXPECT_THAT(text, HasSubstr("height=\"720\""));
  EXPECT_THAT(text, HasSubstr("translate(0 360.0)"));
}

TEST(plot, equal_axes_draw_a_circle_round) {
  Plot plot{"circle", "y", "z", {{"", {-1, 1, 0, 0}, {0, 0, -1, 1}, Style::points}}, true};
  const std::string text = svg(plot);
  double cx[4], cy[4];
  std::size_t at = 0;
  for (int k = 0; k < 4; ++k) {
    at = text.find("<circle cx=\"", at + 1);
    ASSERT_EQ(std::sscanf(text.c_str() + at, "<circle cx=\"%lf\" cy=\"%lf\"", &cx[k], &cy[k]), 2);
  }
  EXPECT_NEAR(cx[1] - cx[0], cy[2] - cy[3], 0.02);  // printed to 0.01 pixel
}

TEST(axis, ticks_are_round_and_zero_is_zero) {
  const Axis axis = make_axis(-0.31, 0.52, 0, 100, 6, true);
  EXPECT_DOUBLE_EQ(axis.step, 0.2);
  EXPECT_THAT(axis.ticks(),
              ElementsAre(-0.4, -0.2, 0.0, 0.2, testing::DoubleEq(0.4), testing::DoubleEq(0.6)));
  EXPECT_EQ(axis.label(axis.ticks()[1]), "−0.2");
}

TEST(axis, large_and_small_values_share_a_power_of_ten) {
  EXPECT_EQ(make_axis(0, 240e3, 0, 1, 6, true).factor(), "×10³");
  EXPECT_EQ(make_axis(0, 240e3, 0, 1, 6, true).label(50e3), "50");
  EXPECT_EQ(make_axis(0, 3e-5, 0, 1, 6, true).factor(), "×10⁻⁶");
  EXPECT_EQ(make_axis(0, 25e3, 0, 1, 6, true).factor(), "");
}

TEST(axis, a_constant_gets_room_around_it) {
  for (const double value : {0.0, 5.0, -1e-9, 3e12}) {
    const Axis axis = make_axis(value, value, 0, 1, 6, true);
    EXPECT_LT(axis.low, value);
    EXPECT_GT(axis.high, value);
    EXPECT_GE(axis.ticks().size(), 2u);
  }
}

}  // namespace
}  // namespace klingel::report
