// Searches on a vehicle that is quick to judge: a wheelset on springs at 60 m/s. Stiffer springs in
// both directions make its wave grow less and swing faster, so that the two are at odds; beyond
// these ranges another mode is the least damped one, which no spring changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "optimise/optimum_files.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::optimise {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& goal, const std::string& limit = "") {
  return "[study]\nrun = \"wheelset_suspended\"\nspeed = 60.0\nlaw = \"linear\"\n"
         "[[vary]]\nname = \"k_yaw\"\nlog = [1e5, 6e5]\n"
         "[[vary]]\nname = \"k_y\"\nlog = [5e4, 2e6]\n"
         "[[measure]]\nname = \"growth\"\nmodes = \"growth\"\n" +
         limit +
         "[[measure]]\nname = \"frequency\"\nmodes = \"frequency\"\n"
         "[optimise]\n" +
         goal;
}

struct Prepared {
  explicit Prepared(const std::string& text, std::size_t threads = 1,
                    const std::filesystem::path& folder = {},
                    const std::function<bool()>& stop = {})
      : study(study::parse_study(text, "s.toml"), {}, study::Chooser::optimiser) {
    options.threads = threads;
    options.folder = folder;
    options.stop = stop;
    evaluator = std::make_unique<Evaluator>(study, options);
  }
  Optimum find() {
    return optimise(*evaluator, [](const std::string&) {});
  }
  study::PreparedStudy study;
  study::StudyOptions options;
  std::unique_ptr<Evaluator> evaluator;
};

// Least and largest growth.
std::pair<double, double> range_on_a_grid(Evaluator& evaluator) {
  std::vector<Point> grid;
  for (int i = 0; i <= 10; ++i)
    for (int k = 0; k <= 10; ++k) grid.push_back({i / 10.0, k / 10.0});
  evaluator.together(grid);
  double least = INFINITY, largest = -INFINITY;
  for (const Point& x : grid) {
    least = std::min(least, evaluator.find(x)->result.measures[0]);
    largest = std::max(largest, evaluator.find(x)->result.measures[0]);
  }
  return {least, largest};
}

TEST(optimise, every_method_finds_the_least_growth) {
  Prepared grid(text_of("minimise = \"growth\"\n"));
  const auto [least, largest] = range_on_a_grid(*grid.evaluator);
  ASSERT_GT(largest - least, 5);  // 1/s
  for (const char* method : {"bobyqa", "cobyla", "slsqp", "crs", "isres"}) {
    Prepared one(text_of(
        std::string("minimise = \"growth\"\nevaluations = 200\npopulation = 20\nmethod = \"") +
        method + "\"\n"));
    const Optimum found = one.find();
    ASSERT_EQ(found.points.size(), 1u);
    // those that draw points at random come near it in so few evaluations
    const bool random = method == std::string("crs") || method == std::string("isres");
    EXPECT_LT(found.points[0]->result.measures[0],
              least + (random ? 0.1 : 0.005) * (largest - least))
        << method;
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
  ASSERT_EQ(front.points.size(), 5u);
  EXPECT_TRUE(front.within);
  const auto frequency = [&](std::size_t i) { return front.points[i]->result.measures[1]; };
  const double step = (frequency(0) - frequency(4)) / 4;
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_GT(front.points[i]->result.measures[0], front.points[i - 1]->result.measures[0]);
    EXPECT_LT(frequency(i), frequency(i - 1));
    // the limits are equally spaced
    EXPECT_LE(frequency(i), frequency(0) - static_cast<double>(i) * step + 1e-4);
  }
}

// Stopped after any number of cases, it goes on as if nothing had been.
TEST(optimise, a_journal_makes_it_go_on) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "optimise_journal_test";
  for (const char* method : {"isres", "slsqp", "cobyla"}) {
    std::filesystem::remove_all(folder);
    const std::string text = text_of(
        std::string("minimise = \"growth\"\nevaluations = 40\npopulation = 12\nmethod = \"") +
        method + "\"\n");
    Prepared peace(text);
    const std::string wanted = evaluations_csv(*peace.evaluator, peace.find());
    std::size_t found = 0;
    for (int calls = 1;; calls += 7) {
      int left = calls;
      Prepared p(text, 1, folder, [&] { return --left < 0; });
      EXPECT_GE(p.evaluator->found(), found);
      found = p.evaluator->found();
      try {
        EXPECT_EQ(evaluations_csv(*p.evaluator, p.find()), wanted);
        break;
      } catch (const base::Error& e) {
        EXPECT_THAT(e.what(), HasSubstr("stopped"));
      }
      ASSERT_LT(calls, 1000);
    }
    EXPECT_GT(found, 0u) << method;
    // all of it is there: nothing runs, and every evaluation is in the journal once
    Prepared again(text, 1, folder, [] { return true; });
    EXPECT_EQ(evaluations_csv(*again.evaluator, again.find()), wanted);
    EXPECT_EQ(again.evaluator->found(), again.evaluator->history().size());
  }
  // another study, or values of another search
  EXPECT_THROW(Prepared(text_of("maximise = \"growth\"\n"), 1, folder, {}), base::Error);
  std::filesystem::remove_all(folder);
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
