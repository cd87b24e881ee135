// Checks of a kernel table: a sound one passes, every defect is refused with a sentence that fits
// into the caller's buffer.
#include "kernel/check.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

void nothing(const void*, const double* const*, double*, double* const*) {}

// One sound table, to be damaged by a test. It points into itself.
struct Sound {
  Sound() = default;
  Sound(const Sound&) = delete;

  const char* names[2] = {"x", "y"};
  double nominal[2] = {1, 2};
  std::uint32_t col_start[4] = {0, 1, 1, 2};
  std::uint32_t row[2] = {1, 0};
  klingel_input inputs[2] = {{"p", 0, 0, nullptr, nullptr}, {"q", 2, 1, names, nominal}};
  klingel_stage stages[2] = {{"setup", nothing, nullptr}, {"position", nothing, nullptr}};
  klingel_output outputs[2] = {{"M", 2, 2, 4, nullptr, nullptr}, {"J", 2, 3, 2, col_start, row}};
  klingel_function functions[1] = {{"f", "", 1, 2, outputs, nothing, nullptr}};
  klingel_kernel kernel = {KLINGEL_ABI, 1, "model", "00ff", 10, 2, 2, 1, inputs, stages, functions};

  std::string check() const {
    char message[200] = "";
    const int wrong = klingel_kernel_check(&kernel, message, sizeof message);
    return wrong == 0 ? "fine" : message;
  }
};

TEST(check, a_sound_table_passes) { EXPECT_EQ(Sound().check(), "fine"); }

TEST(check, no_table_is_refused) {
  char message[200];
  EXPECT_EQ(klingel_kernel_check(nullptr, message, sizeof message), 1);
  EXPECT_STREQ(message, "there is no kernel table");
}

TEST(check, another_abi_is_refused_whatever_follows) {
  Sound s;
  s.kernel.abi = 99;
  s.kernel.model = reinterpret_cast<const char*>(1);
  s.kernel.inputs = nullptr;
  EXPECT_EQ(s.check(),
            "the kernels were made for ABI 99, this program needs ABI 2; generate them again");
}

TEST(check, there_are_kernels_on_one_four_and_eight_lanes) {
  Sound s;
  for (const std::uint32_t lanes : {1u, 4u, 8u}) {
    s.kernel.lanes = lanes;
    EXPECT_EQ(s.check(), "fine");
  }
  s.kernel.lanes = 3;
  EXPECT_EQ(s.check(), "the kernels of 'model' run on 3 lanes, expected 1, 4 or 8");
}

TEST(check, missing_names_and_lists_are_refused) {
  Sound nameless, listless;
  nameless.kernel.hash = nullptr;
  EXPECT_EQ(nameless.check(), "the kernel table has no model name or hash");
  listless.kernel.stages = nullptr;
  EXPECT_EQ(listless.check(), "the kernel table of 'model' has a null list");
}

TEST(check, a_damaged_input_is_named) {
  Sound s;
  s.inputs[1].stage = 2;
  EXPECT_EQ(s.check(), "input 1 of 'model' is damaged");
  s.inputs[1].stage = 1;
  s.inputs[1].nominal = nullptr;
  EXPECT_EQ(s.check(), "input 1 of 'model' is damaged");
}

TEST(check, a_damaged_stage_or_function_is_named) {
  Sound s;
  s.stages[1].call = nullptr;
  EXPECT_EQ(s.check(), "stage 1 of 'model' is damaged");
  s.stages[1].call = nothing;
  s.functions[0].stage = 2;
  EXPECT_EQ(s.check(), "function 0 of 'model' is damaged");
  s.functions[0].stage = 1;
  s.functions[0].outputs = nullptr;
  EXPECT_EQ(s.check(), "function 0 of 'model' is damaged");
}

TEST(check, a_wrong_size_or_sparsity_of_an_output_is_named) {
  const auto damaged = [](auto damage) {
    Sound s;
    damage(s);
    return s.check();
  };
  const std::string dense = "output 0 of function 'f' of 'model' is damaged";
  const std::string sparse = "output 1 of function 'f' of 'model' is damaged";
  EXPECT_EQ(damaged([](Sound& s) { s.outputs[0].size = 3; }), dense);
  EXPECT_EQ(damaged([](Sound& s) { s.outputs[0].name = nullptr; }), dense);
  EXPECT_EQ(damaged([](Sound& s) { s.outputs[1].row = nullptr; }), sparse);
  EXPECT_EQ(damaged([](Sound& s) { s.row[1] = 2; }), sparse);
  EXPECT_EQ(damaged([](Sound& s) { s.col_start[0] = 1; }), sparse);
  EXPECT_EQ(damaged([](Sound& s) { s.col_start[3] = 3; }), sparse);
  EXPECT_EQ(damaged([](Sound& s) { s.col_start[1] = 2, s.col_start[2] = 1; }), sparse);
}

TEST(check, names_are_found) {
  const Sound s;
  EXPECT_EQ(klingel_find_input(&s.kernel, "q"), 1);
  EXPECT_EQ(klingel_find_input(&s.kernel, "dq"), -1);
  EXPECT_EQ(klingel_find_function(&s.kernel, "f"), 0);
  EXPECT_EQ(klingel_find_function(&s.kernel, "g"), -1);
}

TEST(check, sizes_the_caller_relies_on_are_compared) {
  const Sound s;
  char message[200];
  const auto input = [&](const char* name, std::uint32_t count) {
    return klingel_input_check(&s.kernel, name, count, message, sizeof message);
  };
  EXPECT_EQ(input("q", 2), 0);
  EXPECT_EQ(input("q", 3), 1);
  EXPECT_STREQ(message, "input 'q' of 'model' has 2 elements, expected 3");
  EXPECT_EQ(input("dq", 2), 1);
  EXPECT_STREQ(message, "the kernels of 'model' have no input 'dq'");

  const auto output = [&](const char* function, const char* name, std::uint32_t rows,
                          std::uint32_t cols) {
    return klingel_output_check(&s.kernel, function, name, rows, cols, message, sizeof message);
  };
  EXPECT_EQ(output("f", "J", 2, 3), 0);
  EXPECT_EQ(output("f", "J", 3, 2), 1);
  EXPECT_STREQ(message, "output 'J' of function 'f' of 'model' is 2 x 3, expected 3 x 2");
  EXPECT_EQ(output("g", "J", 2, 3), 1);
  EXPECT_STREQ(message, "the kernels of 'model' have no function 'g'");
  EXPECT_EQ(output("f", "K", 2, 3), 1);
  EXPECT_STREQ(message, "function 'f' of 'model' has no output 'K'");
}

TEST(check, a_short_buffer_gets_a_cut_and_ended_text) {
  Sound s;
  s.kernel.abi = 0;
  char message[10];
  std::memset(message, '#', sizeof message);
  EXPECT_EQ(klingel_kernel_check(&s.kernel, message, 8), 1);
  EXPECT_STREQ(message, "the ker");
  EXPECT_EQ(message[8], '#');
}

}  // namespace
