// Evaluating allocates nothing, with either back end.
#include <memory>

#include "tests/support/allocation_count.hpp"
#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

class Allocation : public ExecTest {};

TEST_F(Allocation, does_not_happen_in_a_thousand_evaluations) {
  const Model model = random_model(8, 200);
  for (const Backend backend : every_backend()) {
    Evaluator evaluator(load(*model.program, options(backend)));
    std::vector<double> q(4, 0.5);
    const std::size_t before = test::allocation_count();
    for (int i = 0; i < 1000; ++i) {
      q[0] += 1e-3;
      evaluator.set("q", q);
      for (const char* function : {"first", "second", "sparse"}) evaluator.evaluate(function);
      q[1] += evaluator.output("second", "last").size();
    }
    EXPECT_EQ(test::allocation_count(), before) << name(backend);
  }
}

TEST_F(Allocation, is_counted) {
  const std::size_t before = test::allocation_count();
  const auto number = std::make_unique<double>(1.0);
  EXPECT_EQ(test::allocation_count(), before + 1);
}

}  // namespace
}  // namespace klingel::exec
