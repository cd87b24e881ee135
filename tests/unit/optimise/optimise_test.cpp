// Searches on a vehicle that is quick to judge: a wheelset on springs, its damping and growth over
// two stiffnesses and the friction. Every method finds what a fine grid finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "optimise/optimum_files.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::optimise {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& goal, const std::string& limit = "") {
  return "[study]\nrun = \"wheelset_suspended\"\nspeed = 20.0\nlaw = \"linear\"\n"
         "[[vary]]\nname = \"k_yaw\"\nlog = [5e5, 5e7]\n"
         "[[vary]]\nname = \"k_y\"\nlog = [5e4, 5e6]\n"
         "[[measure]]\nname = \"growth\"\nmodes = \"growth\"\n" +
         limit +
         "[[measure]]\nname = \"frequency\"\nmodes = \"frequency\"\n"
         "[optimise]\n" +
         goal;
}

struct Prepared {
  explicit Prepared(const std::string& text, std::size_t threads = 1)
      : study(study::parse_study(text, "s.toml"), {}, study::Chooser::optimiser) {
    options.threads = threads;
    evaluator = std::make_unique<Evaluator>(study, options);
  }
  Optimum find() {
    return optimise(*evaluator, [](const std::string&) {});
  }
  study::PreparedStudy study;
  study::StudyOptions options;
  std::unique_ptr<Evaluator> evaluator;
};

double least_on_a_grid(Evaluator& evaluator) {
  std::vector<Point> grid;
  for (int i = 0; i <= 20; ++i)
    for (int k = 0; k <= 20; ++k) grid.push_back({i / 20.0, k / 20.0});
  evaluator.together(grid);
  double least = INFINITY;
  for (const Point& x : grid) least = std::min(least, evaluator.find(x)->result.measures[0]);
  return least;
}

TEST(optimise, every_method_finds_the_least_growth) {
  Prepared grid(text_of("minimise = \"growth\"\n"));
  const double least = least_on_a_grid(*grid.evaluator);
  for (const char* method : {"bobyqa", "cobyla", "slsqp", "crs", "isres"}) {
    Prepared one(text_of(std::string("minimise = \"growth\"\nevaluations = 200\nmethod = \"") +
                         method + "\"\n"));
    const Optimum found = one.find();
    ASSERT_EQ(found.points.size(), 1u);
    EXPECT_LT(found.points[0]->result.measures[0], least + 0.02 * std::abs(least)) << method;
  }
}

TEST(optimise, gradients_from_eigenvectors_are_differences) {
  Prepared p(text_of("minimise = \"growth\"\n"));
  for (const Point& x : {Point{0.5, 0.5}, Point{0.3, 0.8}}) {
    const auto exact = p.evaluator->gradients(x, {0, 1}, 1e-3);
    EXPECT_EQ(p.evaluator->gradients_from_eigenvectors() % 2, 0u);
    for (std::size_t i = 0; i < 2; ++i) {
      Point up = x, down = x;
      up[i] += 1e-4, down[i] -= 1e-4;
      const Evaluation a = p.evaluator->at(up), b = p.evaluator->at(down);
      for (std::size_t m = 0; m < 2; ++m) {
        const double difference = (a.result.measures[m] - b.result.measures[m]) / 2e-4;
        EXPECT_NEAR(exact[m][i], difference, 1e-3 * std::abs(difference) + 1e-4);
      }
    }
  }
}

// the bits of a search do not depend on who evaluates
TEST(optimise, threads_change_nothing) {
  for (const char* method : {"isres", "slsqp"}) {
    const std::string text = text_of(
        std::string("minimise = \"growth\"\nevaluations = 60\npopulation = 12\nmethod = \"") +
        method + "\"\n");
    Prepared one(text, 1), two(text, 2);
    const Optimum a = one.find(), b = two.find();
    EXPECT_EQ(evaluations_csv(*one.evaluator, a), evaluations_csv(*two.evaluator, b));
  }
}

TEST(optimise, limits_are_kept) {
  Prepared slow(text_of("minimise = \"frequency\"\n")), steady(text_of("minimise = \"growth\"\n"));
  const study::CaseResult free = slow.find().points[0]->result;
  const double least = steady.find().points[0]->result.measures[0];
  // half way between the growth of the slowest mode and the least there is
  const double limit = (free.measures[0] + least) / 2;
  ASSERT_LT(least, free.measures[0]);
  for (const char* method : {"cobyla", "slsqp"}) {
    Prepared p(text_of(std::string("minimise = \"frequency\"\nmethod = \"") + method + "\"\n",
                       fmt::format("most = {}\n", limit)));
    const Optimum found = p.find();
    EXPECT_TRUE(found.within) << method;
    EXPECT_LE(found.points[0]->result.measures[0], limit + 1e-5 * std::abs(limit)) << method;
    EXPECT_GE(found.points[0]->result.measures[1], free.measures[1] * (1 - 1e-6)) << method;
  }
}

TEST(optimise, no_point_of_a_front_beats_another) {
  Prepared p(
      text_of("minimise = [\"growth\", \"frequency\"]\nmethod = \"cobyla\"\n"
              "points = 5\nevaluations = 60\n"));
  const Optimum front = p.find();
  ASSERT_GE(front.points.size(), 2u);
  for (std::size_t i = 1; i < front.points.size(); ++i) {
    EXPECT_GT(front.points[i]->result.measures[0], front.points[i - 1]->result.measures[0]);
    EXPECT_LT(front.points[i]->result.measures[1], front.points[i - 1]->result.measures[1]);
  }
}

TEST(optimise, the_best_vehicle_is_a_file_that_extends) {
  Prepared p(text_of("minimise = \"growth\"\nevaluations = 20\nmethod = \"bobyqa\"\n"));
  const Optimum found = p.find();
  const std::string text = vehicle_file(*p.evaluator, *found.points[0], "better");
  const vehicle::Vehicle v = vehicle::parse_vehicle(text, "better.toml");
  EXPECT_EQ(v.name, "better");
  const std::vector<double> values = p.evaluator->values(found.points[0]->x);
  const vehicle::NominalValues nominal(v.parameters);
  for (const vehicle::Parameter& parameter : v.parameters) {
    if (parameter.name == "k_yaw") EXPECT_EQ(nominal(parameter.value), values[0]);
    if (parameter.name == "k_y") EXPECT_EQ(nominal(parameter.value), values[1]);
  }
}

TEST(optimise, what_has_no_range_is_refused) {
  const auto refusal = [](const std::string& vary) -> std::string {
    const std::string text = "[study]\nrun = \"wheelset_suspended\"\n[[vary]]\n" + vary +
                             "[[measure]]\nname = \"m\"\nmodes = \"growth\"\n"
                             "[optimise]\nminimise = \"m\"\n";
    try {
      Prepared p(text);
    } catch (const base::Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("name = \"law\"\nvalues = [\"she\", \"linear\"]\n"),
              HasSubstr("chooses numbers"));
  EXPECT_THAT(refusal("name = \"k_yaw\"\nnormal = [1e6, 1e5]\n"), HasSubstr("has no bounds"));
  EXPECT_THAT(refusal("name = \"k_yaw\"\nvalues = [1e6]\n"), HasSubstr("one value only"));
  EXPECT_THAT(refusal("name = \"k_yaw\"\nuniform = [1e5, 1e6]\nstart = 2e6\n"),
              HasSubstr("beyond its range"));
}

}  // namespace
}  // namespace klingel::optimise
