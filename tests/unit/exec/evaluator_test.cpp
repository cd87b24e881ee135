// Evaluator: only what is out of date is evaluated; wrong names and sizes are errors that help.
#include "exec/evaluator.hpp"

#include <cmath>

#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

class EvaluatorTest : public ExecTest {
 protected:
  EvaluatorTest() : evaluator_(load(*staged().program, options(Backend::interpreter))) {}

  std::vector<std::size_t> evaluations() const {
    return {evaluator_.evaluations("setup"), evaluator_.evaluations("position"),
            evaluator_.evaluations("velocity")};
  }

  Evaluator evaluator_;
};

using testing::ElementsAre;

TEST_F(EvaluatorTest, inputs_begin_with_nominal_values) {
  EXPECT_THAT(evaluator_.input("p"), ElementsAre(2.0, 0.5));
  EXPECT_THAT(evaluator_.input("q"), ElementsAre(0.2, -0.6));
  EXPECT_THAT(evaluator_.evaluate("known")[0],
              ElementsAre(0.2, 2.0, 2.5, 0.0, 2.0 * 0.5 * 0.5 / 3, 1.0));
}

TEST_F(EvaluatorTest, outputs_are_found_by_name_and_are_nan_before_the_first_evaluation) {
  EXPECT_TRUE(std::isnan(evaluator_.output("energy", "E")[0]));
  const double e = evaluator_.evaluate("energy")[0][0];
  EXPECT_GT(e, 0);
  EXPECT_EQ(evaluator_.output("energy", "E")[0], e);
  EXPECT_TRUE(std::isnan(evaluator_.output("M_qq", "M")[0]));
}

TEST_F(EvaluatorTest, dense_outputs_have_their_zeros_and_sparse_ones_do_not) {
  const auto outputs = evaluator_.evaluate("jacobian");
  const double c = std::cos(0.2 + 0.6), s = std::sin(0.2 + 0.6) * (2.0 * 0.5 * 0.5 / 3);
  EXPECT_THAT(outputs[0], ElementsAre(0, c, 0, 0, s, 0));
  EXPECT_THAT(outputs[1], ElementsAre(c, s));
  EXPECT_EQ(outputs[2].size(), 0u);
  EXPECT_THAT(outputs[3], ElementsAre(0, 0, 0, 0));
}

TEST_F(EvaluatorTest, a_function_evaluates_the_stages_it_needs_and_no_later_ones) {
  evaluator_.evaluate("M_qq");
  EXPECT_THAT(evaluations(), ElementsAre(1, 1, 0));
  evaluator_.evaluate("energy");
  EXPECT_THAT(evaluations(), ElementsAre(1, 1, 1));
  evaluator_.evaluate("energy");
  evaluator_.evaluate("M_qq");
  EXPECT_THAT(evaluations(), ElementsAre(1, 1, 1));
}

TEST_F(EvaluatorTest, a_changed_input_evaluates_its_stage_and_later_ones_again) {
  evaluator_.evaluate("energy");
  evaluator_.set("dq", {0.0, 0.0});
  EXPECT_EQ(evaluator_.evaluate("energy")[0][0], 0.0);
  EXPECT_THAT(evaluations(), ElementsAre(1, 1, 2));
  evaluator_.set("q", {0.0, 0.0});
  evaluator_.evaluate("energy");
  EXPECT_THAT(evaluations(), ElementsAre(1, 2, 3));
  evaluator_.set("p", {1.0, 1.0});
  evaluator_.evaluate("M_qq");
  EXPECT_THAT(evaluations(), ElementsAre(2, 3, 3));
  EXPECT_THAT(evaluator_.output("M_qq", "M"), ElementsAre(1 / 3. + 1, 1 / 3., 1 / 3., 1 / 3.));
  evaluator_.evaluate("energy");
  EXPECT_THAT(evaluations(), ElementsAre(2, 3, 4));
}

TEST_F(EvaluatorTest, moving_keeps_everything) {
  evaluator_.set("q", {1.0, 1.0});
  Evaluator moved = std::move(evaluator_);
  EXPECT_EQ(moved.evaluate("known")[0][0], 1.0);
}

TEST_F(EvaluatorTest, a_wrong_name_is_an_error_that_suggests_near_ones) {
  EXPECT_EQ(message_of([&] { evaluator_.evaluate("M_qp"); }),
            "'staged' has no function 'M_qp'; did you mean 'M_qq'?");
  EXPECT_EQ(message_of([&] {
              evaluator_.set("dQ", {1.0, 2.0});
            }),
            "'staged' has no input 'dQ'; did you mean 'dq'?");
  EXPECT_EQ(message_of([&] { evaluator_.output("jacobian", "J_spares"); }),
            "'jacobian' has no output 'J_spares'; did you mean 'J_sparse'?");
  EXPECT_EQ(message_of([&] { evaluator_.evaluations("nonsense"); }),
            "'staged' has no stage 'nonsense'");
}

TEST_F(EvaluatorTest, a_wrong_size_is_an_error_with_both_sizes) {
  EXPECT_EQ(message_of([&] { evaluator_.set("q", {1.0}); }),
            "input 'q' of 'staged' has 2 elements, but 1 values were given");
}

}  // namespace
}  // namespace klingel::exec
