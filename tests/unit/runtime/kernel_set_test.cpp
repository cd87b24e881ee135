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

// Lanes as sets of their own: often a small function, rarely a large one.
struct Lanes {
  static constexpr int large = 100;
  HandKernel k{"pair"};
  klingel_kernel on_lanes;

  Lanes() {
    k.input("q", 1, {"x"}, {3});
    k.dense("f", "double", 1, 1, [](const double* const* in, double* const* out) {
      for (int l = 0; l < 4; ++l) out[0][l] = 2 * in[0][l];
    });
    k.dense("table", "table", large, 1, [](const double* const* in, double* const* out) {
      for (int i = 0; i < large; ++i)
        for (int l = 0; l < 4; ++l) out[0][4 * i + l] = in[0][l] + i;
    });
    k.rare("table");
    on_lanes = k.abi();
    on_lanes.lanes = 4;
  }
};

TEST(kernel_set, lanes_keep_what_they_asked_for_while_others_go_on) {
  const Lanes lanes;
  KernelSet all(lanes.on_lanes);
  KernelSet first(all, 0), second(all, 1);
  const std::uint32_t q = all.input("q"), f = all.function("f");
  first.set(q, 0, 10), second.set(q, 0, 20);
  const std::span<const double> of_first = first.evaluate(f), of_second = second.evaluate(f);
  EXPECT_EQ(of_first[0], 20);
  EXPECT_EQ(of_second[0], 40);
  second.set(q, 0, 30);
  second.evaluate(f);
  EXPECT_EQ(of_first[0], 20);
  EXPECT_EQ(of_second[0], 60);
}

TEST(kernel_set, a_lane_that_sets_something_leaves_what_others_are_about_to_ask_for) {
  Lanes lanes;
  KernelSet all(lanes.on_lanes);
  KernelSet first(all, 0), second(all, 1);
  const std::uint32_t q = all.input("q"), f = all.function("f");
  first.set(q, 0, 10), second.set(q, 0, 20);
  EXPECT_EQ(first.evaluate(f)[0], 20);
  first.set(q, 0, 11);
  EXPECT_EQ(second.evaluate(f)[0], 40);
  EXPECT_EQ(lanes.k.calls(1), 1) << "evaluated with all that lanes had set";
  EXPECT_EQ(first.evaluate(f)[0], 22);
  EXPECT_EQ(second.evaluate(f)[0], 40);
  EXPECT_EQ(lanes.k.calls(1), 2);
}

// Eight members of two elements: the memory of a lane has four of them side by side.
TEST(kernel_set, members_of_an_input_stand_side_by_side_on_lanes) {
  constexpr std::size_t members = 8, size = 2;
  HandKernel k("members");
  std::vector<const char*> names(members * size, "x");
  k.input("q", 1, names, std::vector<double>(members * size, 0.0));
  k.dense("f", "copy", members * size, 1, [](const double* const* in, double* const* out) {
    for (std::size_t i = 0; i < 4 * members * size; ++i) out[0][i] = in[0][i];
  });
  klingel_kernel on_lanes = k.abi();
  on_lanes.lanes = 4;
  const std::array<std::size_t, members> order = {0, 2, 4, 6, 7, 5, 3, 1};
  for (const std::size_t sets : {2u, 4u}) {  // lanes without a set keep nominal values
    KernelSet all(on_lanes);
    std::vector<KernelSet> lanes;
    for (std::size_t lane = 0; lane < sets; ++lane) lanes.emplace_back(all, lane);
    const std::uint32_t q = all.input("q"), f = all.function("f");
    EXPECT_FALSE(all.put_side_by_side(q, size, order));
    const auto value = [](std::size_t lane, std::size_t member, std::size_t i) {
      return static_cast<double>(100 * (lane + 1) + 10 * member + i);
    };
    for (std::size_t lane = 0; lane < sets; ++lane) {
      EXPECT_TRUE(lanes[lane].put_side_by_side(q, size, order));
      const std::span<double> row = lanes[lane].memory(q);
      for (std::size_t m = 0; m < members; ++m)
        for (std::size_t i = 0; i < size; ++i)
          row[m / 4 * 4 * size + 4 * i + m % 4] = value(lane, order[m], i);
      lanes[lane].changed(q);
    }
    for (std::size_t lane = 0; lane < sets; ++lane) {
      const std::span<const double> copy = lanes[lane].evaluate(f);
      for (std::size_t m = 0; m < members; ++m)
        for (std::size_t i = 0; i < size; ++i)
          EXPECT_EQ(copy[size * m + i], value(lane, m, i)) << sets << " " << lane << " " << m;
    }
  }
}

TEST(kernel_set, columns_are_written_where_kernels_read_them) {
  HandKernel k("columns");
  k.input("q", 1, {"a", "b"}, {1, 2});
  k.input("u", 2, {"c"}, {0});
  int calls = 0;
  k.dense("f", "sum", 2, 1, [&](const double* const* in, double* const* out) {
    ++calls;
    for (std::size_t i = 0; i < 8; ++i) out[0][i] = 10 * in[0][i] + in[1][i % 4];
  });
  klingel_kernel on_lanes = k.abi();
  on_lanes.lanes = 4;
  KernelSet all(on_lanes);
  std::vector<KernelSet> lanes;
  for (std::size_t lane = 0; lane < 4; ++lane) lanes.emplace_back(all, lane);
  const std::uint32_t q = all.input("q"), u = all.input("u"), f = all.function("f");
  for (KernelSet& lane : lanes) lane.use_column(q);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(&lanes[lane].all(), &all);
    EXPECT_EQ(lanes[lane].lane(), lane);
    EXPECT_EQ(lanes[lane].value(q)[1], 2) << "nominal values stay";
    lanes[lane].set(q, std::array{1.0 * lane, 5.0 + lane});
    lanes[lane].set(u, std::array{0.5});
  }
  EXPECT_EQ(all.memory(q)[4], 5) << "the second element of the first lane";
  for (std::size_t lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(lanes[lane].evaluate(f)[1], 50.5 + 10.0 * lane);
    EXPECT_EQ(lanes[lane].evaluate_column(f)[1], 50.5 + 10.0 * lane);
    EXPECT_EQ(lanes[lane].value(q)[0], 1.0 * lane);
  }
  EXPECT_EQ(calls, 1) << "all lanes at once";

  // one lane alone; rows of others are still what they asked for
  lanes[2].column(q)[0] = 7;
  lanes[2].changed(q);
  EXPECT_EQ(lanes[1].evaluate(f)[0], 10.5);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(lanes[2].evaluate(f)[0], 70.5);
  EXPECT_EQ(calls, 2);

  // all of them by whoever has the set
  for (double& x : all.memory(q)) x += 1;
  all.columns_changed(q);
  for (std::size_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(lanes[lane].evaluate(f)[1], 60.5 + 10.0 * lane);
  EXPECT_EQ(calls, 3);

  // a set without lanes is its own column
  KernelSet alone(k.abi());
  alone.use_column(q);
  alone.column(q)[1] = 3;
  EXPECT_EQ(alone.memory(q)[1], 3);
  EXPECT_EQ(&alone.all(), &alone);
}

TEST(kernel_set, lanes_share_the_memory_of_large_rare_functions) {
  const Lanes lanes;
  KernelSet all(lanes.on_lanes);
  KernelSet first(all, 0), second(all, 1);
  const std::uint32_t q = all.input("q"), table = all.function("table");
  first.set(q, 0, 10), second.set(q, 0, 20);
  first.reserve(table), second.reserve(table);
  const std::size_t before = test::allocation_count();
  const std::span<const double> of_first = first.evaluate(table);
  EXPECT_EQ(of_first.size(), Lanes::large);
  EXPECT_EQ(of_first[7], 17);
  EXPECT_EQ(second.evaluate(table)[7], 27);
  // not what the other lane left there
  EXPECT_EQ(first.evaluate(table)[7], 17);
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(kernel_set, sets_on_lanes_share_the_memory_of_large_rare_functions_with_the_workspace) {
  const Lanes lanes;
  KernelSet all(lanes.on_lanes), others(lanes.on_lanes, all.workspace());
  KernelSet first(all, 0), second(others, 0);
  const std::uint32_t q = all.input("q"), table = all.function("table");
  first.set(q, 0, 10), second.set(q, 0, 20);
  EXPECT_EQ(first.evaluate(table)[7], 17);
  EXPECT_EQ(second.evaluate(table)[7], 27);
  // not what the other set left there
  EXPECT_EQ(first.evaluate(table)[7], 17);
  EXPECT_EQ(all.evaluate(table)[4 * 7], 17);
  EXPECT_EQ(first.evaluate(table).data(), second.evaluate(table).data());
}

TEST(kernel_set, sets_that_share_a_workspace_call_their_stages_again) {
  HandKernel k("shared");
  k.input("q", 1, {"x"}, {3});
  k.dense("f", "double", 1, 1,
          [](const double* const* in, double* const* out) { out[0][0] = 2 * in[0][0]; });
  const klingel_kernel& table = k.abi();
  KernelSet first(table), other(table, first.workspace());
  KernelSet second = std::move(other);
  const std::uint32_t q = first.input("q"), f = first.function("f");
  EXPECT_EQ(first.evaluate(f)[0], 6);
  EXPECT_EQ(k.calls(0), 1);
  first.set(q, 0, 4);
  EXPECT_EQ(first.evaluate(f)[0], 8);
  EXPECT_EQ(k.calls(0), 1) << "its own values are there";
  EXPECT_EQ(second.evaluate(f)[0], 6);
  EXPECT_EQ(k.calls(0), 2);
  first.set(q, 0, 5);
  EXPECT_EQ(first.evaluate(f)[0], 10);
  EXPECT_EQ(k.calls(0), 3) << "the other set has worked there";
  EXPECT_EQ(first.evaluate(f)[0], 10);
  EXPECT_EQ(k.calls(0), 3);
}

}  // namespace
}  // namespace klingel::runtime
