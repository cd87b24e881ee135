// A trajectory: columns with names, rows as evaluated, CSV that reads back exactly.
#include "mechanism/trajectory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "base/file.hpp"
#include "tests/unit/runtime/hand_kernel.hpp"

namespace klingel::mechanism {
namespace {

using testing::ElementsAre;

TEST(trajectory, has_a_column_for_everything) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  Trajectory t(m, 2, {"tension"});
  EXPECT_THAT(t.columns(), ElementsAre("t [s]", "x", "dx", "kinetic_energy [J]",
                                       "potential_energy [J]", "largest_phi", "tension"));
  State state = m.nominal_state();
  EXPECT_TRUE(t.add(m, state));
  state = {0.1, {0.5}, {-2}};
  EXPECT_TRUE(t.add(m, state));
  EXPECT_FALSE(t.add(m, state));  // no room: not added
  EXPECT_EQ(t.rows(), 2u);
  EXPECT_THAT(t.column("tension"), ElementsAre(8, 4));
  EXPECT_EQ(t.csv(),
            "t [s],x,dx,kinetic_energy [J],potential_energy [J],largest_phi,tension\n"
            "0.0,1.0,0.0,0.0,4.0,0.0,8.0\n"
            "0.1,0.5,-2.0,4.0,1.0,0.0,4.0\n");
}

TEST(trajectory, outputs_with_elements_are_numbered_and_wrong_names_refused) {
  runtime::HandKernel k("rod, long");
  runtime::make_rod(k);
  k.dense("place", "v_place", 2, 1, [](auto, auto out) {
    out[0][0] = std::numeric_limits<double>::quiet_NaN();
    out[0][1] = -std::numeric_limits<double>::infinity();
  });
  Mechanism m(k.abi());
  Trajectory t(m, 1, {"place"});
  State state = m.nominal_state();
  state.q[1] = -1.4;
  t.add(m, state);
  EXPECT_EQ(t.columns().back(), "place[1]");
  EXPECT_THAT(t.csv(), testing::EndsWith(",nan,-inf\n"));
  EXPECT_NEAR(t.column("largest_phi")[0], 1.05, 1e-15);
  EXPECT_EQ(runtime::error_of([&] { t.column("largest_ph"); }),
            "the trajectory has no column 'largest_ph'; did you mean 'largest_phi'?");
  EXPECT_EQ(runtime::error_of([&] { Trajectory(m, 1, {"plaice"}); }),
            "'rod, long' has no output 'plaice'; did you mean 'place'?");
}

TEST(trajectory, a_name_with_a_comma_is_quoted_and_the_file_is_whole) {
  runtime::HandKernel k("odd");
  k.input("q", 1, {"x,\"y\""}, {0.25}).input("dq", 2, {"d"}, {0});
  for (const char* f : {"M_qq", "delta_q"})
    k.dense(f, f, 1, 1, [](auto, auto out) { out[0][0] = 1; });
  k.function("energy",
             {{"kinetic", 1, 1, 1, nullptr, nullptr}, {"potential", 1, 1, 1, nullptr, nullptr}},
             [](auto, auto out) { out[0][0] = out[1][0] = 0; });
  Mechanism m(k.abi());
  Trajectory t(m, 1);
  t.add(m, m.nominal_state());
  const auto path = std::filesystem::temp_directory_path() / "klingel_run_test" / "odd.csv";
  write_csv(t, path);
  EXPECT_EQ(base::read_file(path),
            "t [s],\"x,\"\"y\"\"\",d,kinetic_energy [J],potential_energy [J],largest_phi\n"
            "0.0,0.25,0.0,0.0,0.0,0.0\n");
  std::filesystem::remove_all(path.parent_path());
}

}  // namespace
}  // namespace klingel::mechanism
