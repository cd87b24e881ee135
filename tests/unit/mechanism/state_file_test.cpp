// State files: exact to the bit, any order, and every defect an error with file and line; noise
// never does worse than an error.
#include "mechanism/state_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "base/error.hpp"
#include "tests/unit/runtime/hand_kernel.hpp"

namespace klingel::mechanism {
namespace {

class StateFile : public testing::Test {
 protected:
  StateFile() : kernel("rod"), mechanism((runtime::make_rod(kernel), kernel.abi())) {}
  std::string error(const std::string& text) {
    return runtime::error_of([&] { parse_state(mechanism, text, "x.state"); });
  }

  runtime::HandKernel kernel;
  Mechanism mechanism;
};

TEST_F(StateFile, comes_back_bit_by_bit) {
  State state = mechanism.nominal_state();
  state.t = 1.0 / 3;
  state.q = {5e-324, -0.1};
  state.dq = {-0.0, 1.7976931348623157e308};
  EXPECT_EQ(state_text(mechanism, state),
            "klingel state 1\nmodel rod\nt 0.3333333333333333\nq x 5e-324\nq z -0.1\n"
            "dq dx -0.0\ndq dz 1.7976931348623157e+308\n");
  const auto path = std::filesystem::temp_directory_path() / "klingel_run_test" / "rod.state";
  write_state(mechanism, state, path);
  const State back = read_state(mechanism, path);
  EXPECT_EQ(back.t, state.t);
  EXPECT_EQ(back.q, state.q);
  EXPECT_EQ(back.dq, state.dq);
  EXPECT_TRUE(std::signbit(back.dq[0]));
  std::filesystem::remove_all(path.parent_path());
}

TEST_F(StateFile, may_be_written_by_hand_in_any_order) {
  const State s = parse_state(mechanism,
                              "# by hand\n\n  klingel state 1 # version\r\n"
                              "dq dz 4\nq z 2\n\tq   x 1\r\nt 0.5\ndq dx 3e0",
                              "x.state");
  EXPECT_EQ(s.t, 0.5);
  EXPECT_THAT(s.q, testing::ElementsAre(1, 2));
  EXPECT_THAT(s.dq, testing::ElementsAre(3, 4));
}

TEST_F(StateFile, defects_are_errors_with_file_and_line) {
  const std::string good = "klingel state 1\nmodel rod\nt 0\nq x 1\nq z 2\ndq dx 3\ndq dz 4\n";
  EXPECT_EQ(error(good), "no error");
  EXPECT_EQ(error(""), "x.state: is empty, expected 'klingel state 1'");
  EXPECT_EQ(error("klingel state 2\n"),
            "x.state:1: a state file begins with 'klingel state 1', found 'klingel'");
  EXPECT_EQ(error("klingel state 1\nmodel bar\n"),
            "x.state:2: this is a state of 'bar', expected one of 'rod'");
  EXPECT_EQ(error("klingel state 1\nt 0\nq X 1\n"),
            "x.state:3: 'rod' has no coordinate 'X'; did you mean 'x'?");
  EXPECT_EQ(error("klingel state 1\nq x 1\n\nq x 1\n"),
            "x.state:4: 'x' was given before, in line 2");
  EXPECT_EQ(error("klingel state 1\nt 1\nt 1\n"), "x.state:3: t was given before, in line 2");
  EXPECT_EQ(error("klingel state 1\nt 1,5\n"), "x.state:2: '1,5' is not a finite number");
  EXPECT_EQ(error("klingel state 1\nt nan\n"), "x.state:2: 'nan' is not a finite number");
  EXPECT_EQ(error("klingel state 1\nt 1e999\n"), "x.state:2: '1e999' is not a finite number");
  EXPECT_EQ(error("klingel state 1\nq x\n"),
            "x.state:2: expected 'model NAME', 't VALUE', 'q NAME VALUE' or 'dq NAME VALUE', found "
            "'q x'");
  EXPECT_EQ(error("klingel state 1\nq x 1\n"), "x.state: has no line 't VALUE'");
  EXPECT_EQ(error("klingel state 1\nt 0\nq x 1\nq z 2\ndq dx 3\n"),
            "x.state: has no line 'dq dz VALUE'");
  EXPECT_EQ(error("klingel state 1\n\x1b[31m"),
            "x.state:2: expected 'model NAME', 't VALUE', 'q NAME VALUE' or 'dq NAME VALUE', found "
            "'?[31m'");
}

TEST_F(StateFile, noise_is_an_error_or_a_finite_state) {
  const std::string good = "klingel state 1\nmodel rod\nt 0.5\nq x 1\nq z 2\ndq dx 3\ndq dz 4\n";
  std::mt19937 random(1);
  int accepted = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text = good;
    for (unsigned change = 0; change <= i % 4u; ++change) {
      const std::size_t at = random() % text.size();
      const auto byte = static_cast<char>(random());
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 4);
      } else if (random() % 2 == 0) {
        text.insert(at, 1, byte);
      } else {
        text[at] = byte;
      }
      if (text.empty()) break;
    }
    try {
      const State s = parse_state(mechanism, text, "noise");
      ++accepted;
      for (const double v : {s.t, s.q.at(0), s.q.at(1), s.dq.at(0), s.dq.at(1)})
        ASSERT_TRUE(std::isfinite(v)) << text;
    } catch (const base::Error& e) {
      ASSERT_EQ(std::string(e.what()).rfind("noise", 0), 0u) << e.what();
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace klingel::mechanism
