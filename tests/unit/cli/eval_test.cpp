// klingel eval: numbers of a small vehicle, forms of the output, wrong states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_reader.hpp"
#include "tests/unit/cli/program.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

const char* const cart = R"(
[vehicle]
name = "cart"
gravity = 10
[parameters]
m = 2
k = 50
[coordinates]
x = 0
y = 0
[inputs]
F = 0
[[point]]
name = "cart"
r = ["x", "y", 0]
[[body]]
name = "cart"
point = "cart"
base = "ground"
mass = "m"
[[isotropic_spring]]
name = "spring"
from = "O"
to = "cart"
stiffness = "k"
[[applied_force]]
name = "push"
force = ["F", 0, 0]
to = "cart"
)";

class Eval : public testing::Test {
 protected:
  test::Program program;
  std::string vehicle = program.file("cart.toml", cart);

  test::Outcome eval(const std::string& state, const std::string& more = "") {
    return program.run("eval " + vehicle + " --json --functions M_qq,delta_NK,kinetic --state " +
                       program.file("state.json", state) + " " + more);
  }
};

TEST_F(Eval, prints_matrices_as_rows_and_vectors_as_lists) {
  const test::Outcome o = eval(R"({"q": [1, 2], "dq": [3, 0], "inputs": [7]})");
  ASSERT_EQ(o.code, 0) << o.err;
  const base::JsonValue json = base::parse_json(o.out, "json");
  EXPECT_EQ(json["M_qq"].items.size(), 2u);
  EXPECT_EQ(json["M_qq"][1][1].number, 2);
  EXPECT_EQ(json["M_qq"][0][1].number, 0);
  EXPECT_EQ(json["delta_NK"][0].number, 7 - 50);
  EXPECT_EQ(json["delta_NK"][1].number, -100);
  EXPECT_EQ(json["kinetic"].number, 9);
}

TEST_F(Eval, absent_arrays_are_zero_and_parameters_can_be_set) {
  const test::Outcome o = eval(R"({"q": [1, 0]})", "--set k=30");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(base::parse_json(o.out, "json")["delta_NK"][0].number, -30);
}

TEST_F(Eval, wrong_states_are_input_errors_with_their_place) {
  EXPECT_THAT(eval(R"({"q": [1]})").err,
              HasSubstr("state.json:1:7: 'q' has 1 numbers, the vehicle has 2"));
  EXPECT_THAT(eval(R"({"Q": [1, 2]})").err, HasSubstr("a state has no 'Q'; did you mean 'q'"));
  EXPECT_THAT(eval(R"({"s": [1]})").err, HasSubstr("the vehicle has 0 (four per wheel)"));
  EXPECT_THAT(eval("[1]").err, HasSubstr("a state must be an object"));
  EXPECT_THAT(eval(R"({"q": [1, "a"]})").err, HasSubstr("must be an array of numbers, found text"));
  EXPECT_EQ(eval("{").code, 2);
}

TEST_F(Eval, unknown_functions_and_vehicles_are_answered_with_near_names) {
  EXPECT_THAT(program.run("eval " + vehicle + " --functions M_pq").err,
              HasSubstr("the model has no function 'M_pq'; did you mean 'M_qq'?"));
  EXPECT_THAT(program.run("eval manchester").err, HasSubstr("did you mean 'manchester1' or"));
  EXPECT_THAT(program.run("eval " + vehicle + " --set k").err, HasSubstr("--set takes name=value"));
}

}  // namespace
}  // namespace klingel
