// Kernels with memory: stages are evaluated when their inputs changed and only then; what the
// caller relies on is checked by name and shape.
#include "runtime/kernel_set.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/allocation_count.hpp"
#include "tests/unit/runtime/hand_kernel.hpp"

namespace klingel::runtime {
namespace {

TEST(kernel_set, starts_with_nominal_values_and_evaluates_what_changed) {
  HandKernel k("spring");
  make_spring(k);
  KernelSet set(k.abi());
  const std::uint32_t q = set.input("q"), f = set.function("delta_q");
  EXPECT_EQ(set.evaluate(f)[0], -8);
  EXPECT_EQ(set.evaluate(f)[0], -8);
  EXPECT_EQ(k.calls(0), 1);
  EXPECT_EQ(k.calls(1), 1);
  set.set(q, std::array{2.0});
  EXPECT_EQ(set.evaluate(f)[0], -16);
  set.set(set.input("u"), 0, 3);
  EXPECT_EQ(set.evaluate(f)[0], -13);
  EXPECT_EQ(k.calls(0), 1);
  EXPECT_EQ(k.calls(1), 2);
  EXPECT_EQ(k.calls(2), 2);
  EXPECT_EQ(k.calls(3), 3);
}

TEST(kernel_set, rare_stages_wait_for_rare_functions) {
  HandKernel k("spring");
  make_spring(k);
  k.rare_stage(2).rare("energy");
  KernelSet set(k.abi());
  const std::uint32_t q = set.input("q"), often = set.function("delta_q"),
                      seldom = set.function("energy");
  set.evaluate(often);
  EXPECT_EQ(k.calls(1), 1);
  EXPECT_EQ(k.calls(2), 0);
  set.evaluate(seldom);
  EXPECT_EQ(k.calls(1), 1) << "is up to date";
  EXPECT_EQ(k.calls(2), 1);
  set.set(q, std::array{2.0});
  set.evaluate(often);
  EXPECT_EQ(k.calls(2), 1);
  EXPECT_EQ(set.evaluate(seldom)[1], 16);
  EXPECT_EQ(k.calls(2), 2);
}

TEST(kernel_set, outputs_stand_one_after_another) {
  HandKernel k("spring");
  make_spring(k);
  KernelSet set(k.abi());
  EXPECT_EQ(set.expect("energy", "kinetic", 1, 1), 0u);
  EXPECT_EQ(set.expect("energy", "potential", 1, 1), 1u);
  set.set(set.input("dq"), 0, 3);
  const auto energy = set.evaluate(set.function("energy"));
  ASSERT_EQ(energy.size(), 2u);
  EXPECT_EQ(energy[0], 9);
  EXPECT_EQ(energy[1], 4);
}

TEST(kernel_set, on_lanes_every_element_has_as_many_values) {
  HandKernel k("pair");
  k.input("q", 1, {"x", "y"}, {3, 5});
  k.function("f", {{"sum", 1, 1, 1, nullptr, nullptr}, {"twice", 2, 1, 2, nullptr, nullptr}},
             [](const double* const* in, double* const* out) {
               for (int l = 0; l < 4; ++l) {
                 out[0][l] = in[0][l] + in[0][4 + l];
                 for (int i : {0, 1}) out[1][4 * i + l] = 2 * in[0][4 * i + l];
               }
             });
  klingel_kernel on_lanes = k.abi();
  on_lanes.lanes = 4;
  KernelSet set(on_lanes);
  const std::uint32_t f = set.function("f");
  EXPECT_EQ(set.expect("f", "twice", 2, 1), 4u);
  ASSERT_EQ(set.evaluate(f).size(), 12u);
  EXPECT_EQ(set.evaluate(f)[2], 8);
  const std::vector<double> values = {1, 2, 3, 4, 10, 20, 30, 40};
  set.set(set.input("q"), values);
  EXPECT_EQ(set.evaluate(f)[3], 44);
  EXPECT_EQ(set.evaluate(f)[4 + 4 + 1], 40);
  // one element, all lanes
  set.set(set.input("q"), 1, 7);
  EXPECT_EQ(set.value(set.input("q"))[3], 4);
  EXPECT_EQ(set.evaluate(f)[3], 11);
}

TEST(kernel_set, refuses_what_is_not_there_and_suggests_what_is) {
  HandKernel k("spring");
  make_spring(k);
  const KernelSet set(k.abi());
  EXPECT_EQ(error_of([&] { set.function("delta_a"); }),
            "the kernels of 'spring' have no function 'delta_a'; did you mean 'delta_q'?");
  EXPECT_EQ(error_of([&] { set.input("dw"); }),
            "the kernels of 'spring' have no input 'dw'; did you mean 'dq'?");
  EXPECT_EQ(error_of([&] { set.expect("M_qq", "M_qq", 2, 2); }),
            "output 'M_qq' of function 'M_qq' of 'spring' is 1 x 1, expected 2 x 2");
  EXPECT_EQ(error_of([&] { set.expect("M_qq", "M", 1, 1); }),
            "function 'M_qq' of 'spring' has no output 'M'");
}

TEST(kernel_set, refuses_a_damaged_table_and_a_sparse_output) {
  HandKernel k("spring");
  make_spring(k);
  klingel_kernel wrong = k.abi();
  wrong.abi = 77;
  EXPECT_EQ(error_of([&] { KernelSet set(wrong); }),
            "the kernels were made for ABI 77, this program needs ABI 2; generate them again");
  const std::uint32_t col_start[] = {0, 1}, row[] = {0};
  k.function("s", {{"s", 1, 1, 1, col_start, row}}, [](auto, auto) {});
  EXPECT_EQ(error_of([&] { KernelSet(k.abi()).expect("s", "s", 1, 1); }),
            "output 's' of function 's' of 'spring' is sparse, expected a dense one");
}

TEST(allocation, is_counted_by_new_and_by_malloc) {
  const std::size_t before = test::allocation_count();
  auto* number = new double(1);
  std::vector<double> numbers(10);
  EXPECT_EQ(test::allocation_count(), before + 2);
  delete number;
}

TEST(kernel_set, one_lane_is_set_and_read_without_the_others) {
  HandKernel k("pair");
  k.input("q", 1, {"x", "y"}, {3, 5});
  k.function("f", {{"sum", 1, 1, 1, nullptr, nullptr}},
             [](const double* const* in, double* const* out) {
               for (int l = 0; l < 4; ++l) out[0][l] = in[0][l] + in[0][4 + l];
             });
  klingel_kernel on_lanes = k.abi();
  on_lanes.lanes = 4;
  KernelSet set(on_lanes);
  const std::uint32_t q = set.input("q"), f = set.function("f");
  set.set_lane(q, 2, std::array{10.0, 20.0});
  double sum = 0;
  set.evaluate_lane(f, 2, {&sum, 1});
  EXPECT_EQ(sum, 30);
  for (const std::size_t other : {0u, 1u, 3u}) {
    set.evaluate_lane(f, other, {&sum, 1});
    EXPECT_EQ(sum, 8);
  }
}

}  // namespace
}  // namespace klingel::runtime
