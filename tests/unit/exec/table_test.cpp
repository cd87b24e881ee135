// Tables in memory: what the manifest says, and every difference from it has a name.
#include "exec/table.hpp"

#include <functional>

#include "gen/emit_c.hpp"
#include "kernel/check.h"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

void nothing(const void*, const double* const*, double*, double* const*) {}

class TableTest : public testing::Test {
 protected:
  TableTest()
      : manifest_(gen::emit_c(*staged().program).manifest),
        stages_(manifest_.stages.size(), {nothing, this}),
        functions_(manifest_.functions.size(), {nothing, nullptr}) {}

  // How the table of the manifest differs from a changed manifest.
  std::string difference_after(const std::function<void(gen::Manifest&)>& change) const {
    const Table table(manifest_, stages_, functions_);
    gen::Manifest changed = manifest_;
    change(changed);
    return difference(table.abi(), changed);
  }

  gen::Manifest manifest_;
  std::vector<Call> stages_, functions_;
};

TEST_F(TableTest, passes_the_check_of_the_abi) {
  const Table table(manifest_, stages_, functions_);
  char message[200] = "";
  EXPECT_EQ(klingel_kernel_check(&table.abi(), message, sizeof message), 0) << message;
  EXPECT_EQ(table.abi().abi, KLINGEL_ABI);
  EXPECT_EQ(table.abi().stages[0].context, this);
  EXPECT_STREQ(table.abi().inputs[1].names[0], "a");
  EXPECT_EQ(table.abi().inputs[0].nominal[1], 0.5);
}

TEST_F(TableTest, does_not_differ_from_its_manifest) {
  EXPECT_EQ(difference_after([](gen::Manifest&) {}), "");
}

TEST_F(TableTest, every_difference_has_a_name) {
  using M = gen::Manifest;
  const auto after = [&](auto change) { return difference_after(change); };
  EXPECT_EQ(after([](M& m) { m.model = "x"; }), "the model is 'staged' instead of 'x'");
  EXPECT_EQ(after([](M& m) { m.inputs.pop_back(); }),
            "the number of inputs, stages or functions differs");
  EXPECT_EQ(after([](M& m) { m.inputs[1].name = "x"; }), "input 'x' is 'q'");
  EXPECT_EQ(after([](M& m) { m.inputs[1].names.emplace_back("c"); }),
            "input 'q' has 2 elements instead of 3");
  EXPECT_EQ(after([](M& m) { m.inputs[1].stage = 0; }), "input 'q' belongs to another stage");
  EXPECT_EQ(after([](M& m) { m.inputs[1].names[0] = "x"; }),
            "input 'q' has elements of other names");
  EXPECT_EQ(after([](M& m) { m.inputs[1].nominal[0] = 7; }), "input 'q' has other nominal values");
  EXPECT_EQ(after([](M& m) { m.stages[1].name = "x"; }), "stage 'x' is 'position'");
  EXPECT_EQ(after([](M& m) { m.functions[0].name = "x"; }), "function 'x' is 'M_qq'");
  EXPECT_EQ(after([](M& m) { m.functions[0].stage = 2; }),
            "function 'M_qq' has other stages or another number of outputs");
  EXPECT_EQ(after([](M& m) { m.functions[0].outputs[0].name = "x"; }),
            "function 'M_qq': output 'x' is 'M'");
  EXPECT_EQ(after([](M& m) { m.functions[0].outputs[0].rows = 4; }),
            "function 'M_qq': output 'M' has another shape");
  EXPECT_EQ(after([](M& m) { m.functions[1].outputs[1].sparse = false; }),
            "function 'jacobian': output 'J_sparse' has another shape");
  EXPECT_EQ(after([](M& m) { m.functions[1].outputs[1].row[0] = 0; }),
            "function 'jacobian': output 'J_sparse' has another sparsity");
  EXPECT_EQ(after([](M& m) { m.workspace_size += 1; }), "the size of the workspace differs");
  EXPECT_EQ(after([](M& m) { m.hash = "abc"; }),
            "its sha256 is " + manifest_.hash + " instead of abc");
}

TEST_F(TableTest, nan_as_nominal_value_is_no_difference) {
  manifest_.inputs[0].nominal[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      difference_after([](gen::Manifest& m) { m.inputs[0].nominal[0] = -m.inputs[0].nominal[0]; }),
      "");
  EXPECT_NE(difference_after([](gen::Manifest& m) { m.inputs[0].nominal[0] = 0; }), "");
}

}  // namespace
}  // namespace klingel::exec
