// Subject: the C interface beside `klingel run`. Claim: an instance that looks ahead gives the
// rows of a run bit for bit, the last one too, wherever and however the run ends.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "capi/vehicle_model.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

void compare_rows(const std::string& name) {
  test::VehicleRun run(name);
  const auto model = capi::vehicle_model({run.p.description, run.p.simulator->state()}, "");
  const std::unique_ptr<capi::Runner> one = model->make();
  run.go();
  const record::Recording& rows = run.recorder.recording();
  const std::size_t last = rows.rows() - 1;
  const std::vector<capi::Variable>& outputs = model->of(capi::Kind::output);
  one->look_ahead(true);
  one->start();
  int different = 0, compared = 0;
  for (std::size_t row = 0; row <= last; ++row) {
    if (row == last) one->look_ahead(false);
    for (std::size_t c = 0; c < rows.channels().size(); ++c) {
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        if (outputs[k].name != rows.channels()[c].name) continue;
        const double mine = one->output(k), theirs = rows.column(c)[row];
        ++compared;
        if (std::bit_cast<std::uint64_t>(mine) == std::bit_cast<std::uint64_t>(theirs)) continue;
        if (++different < 20)
          ADD_FAILURE() << name << " row " << row << " of " << last << ": " << outputs[k].name
                        << " is " << mine << ", in the run " << theirs;
      }
    }
    if (row == last) break;
    ASSERT_EQ(one->step(run.p.scenario.step), runtime::Status::ok) << row;
  }
  EXPECT_GT(compared, 1000);
}

TEST(rows, of_a_run_held_down_on_its_rails) { compare_rows("article_bilateral"); }
TEST(rows, of_a_run_that_derails) { compare_rows("article_as_printed"); }

}  // namespace
}  // namespace klingel
