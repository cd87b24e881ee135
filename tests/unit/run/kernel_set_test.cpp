// Kernels with memory: stages are evaluated when their inputs changed and only then; what the
// caller relies on is checked by name and shape.
#include "run/kernel_set.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/unit/run/allocation_count.hpp"
#include "tests/unit/run/hand_kernel.hpp"

namespace klingel::run {
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
            "the kernels were made for ABI 77, this program needs ABI 1; generate them again");
  const std::uint32_t col_start[] = {0, 1}, row[] = {0};
  k.function("s", {{"s", 1, 1, 1, col_start, row}}, [](auto, auto) {});
  EXPECT_EQ(error_of([&] { KernelSet(k.abi()).expect("s", "s", 1, 1); }),
            "output 's' of function 's' of 'spring' is sparse, expected a dense one");
}

TEST(allocation, is_counted_by_new_and_by_malloc) {
  const std::size_t before = allocation_count();
  auto* number = new double(1);
  std::vector<double> numbers(10);
  EXPECT_EQ(allocation_count(), before + 2);
  delete number;
}

}  // namespace
}  // namespace klingel::run
