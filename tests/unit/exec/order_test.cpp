// The order of instructions: those that need not wait come first, and all are kept.
#include "exec/order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace klingel::exec {
namespace {

// A line that adds up a chain of sums, or several of them one after the other.
struct Chains {
  static constexpr std::uint32_t input = 0;
  Line line;

  Chains() { line.values.emplace_back().home = {MemoryPlace::Base::input, 0, 0}; }
  std::uint32_t add(Action action, std::uint32_t a, std::uint32_t b) {
    const auto to = static_cast<std::uint32_t>(line.values.size());
    line.values.emplace_back().cut = {MemoryPlace::Base::workspace, 0, to};
    line.instructions.push_back({action, sym::Op::add, to, {a}, {b}, {}, {}, {}});
    return to;
  }
  std::uint32_t chain(std::uint32_t length) {
    std::uint32_t v = input;
    for (std::uint32_t i = 0; i < length; ++i) v = add(Action::add, v, input);
    return v;
  }
  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> list;
    for (const Line::Instruction& i : line.instructions) list.push_back(i.to);
    return list;
  }
};

TEST(order, of_chains_that_do_not_depend_on_each_other_is_in_turn) {
  Chains c;
  c.chain(4);  // values 1 to 4
  c.chain(4);  // values 5 to 8
  order_instructions(c.line);
  EXPECT_THAT(c.order(), testing::ElementsAre(1, 5, 2, 6, 3, 7, 4, 8));
}

TEST(order, begins_with_what_most_depends_on) {
  Chains c;
  for (int i = 0; i < 3; ++i) c.add(Action::add, Chains::input, Chains::input);  // 1 to 3
  const std::uint32_t quotient = c.add(Action::div, Chains::input, Chains::input);
  const std::uint32_t user = c.add(Action::mul, quotient, quotient);
  order_instructions(c.line);
  EXPECT_THAT(c.order(), testing::ElementsAre(quotient, 1, 2, 3, user));
}

TEST(order, of_one_chain_stays) {
  Chains c;
  c.chain(50);
  const std::vector<std::uint32_t> before = c.order();
  order_instructions(c.line);
  EXPECT_EQ(c.order(), before);
}

TEST(order, of_sines_is_after_their_angles_and_before_all_that_would_fill_registers) {
  Chains c;
  c.chain(3);
  const std::uint32_t angle = c.chain(3);
  const auto sine = static_cast<std::uint32_t>(c.line.values.size());
  c.line.values.emplace_back();
  c.line.groups.push_back({{{angle}}, {sine}, {Line::never}, {}});
  c.line.instructions.push_back({Action::sincos, sym::Op::sin, 0, {}, {}, {}, {}, {}});
  const std::uint32_t user = c.add(Action::mul, sine, sine);
  c.chain(3);
  order_instructions(c.line);
  const auto place = [&](auto is) {
    return std::find_if(c.line.instructions.begin(), c.line.instructions.end(), is) -
           c.line.instructions.begin();
  };
  const auto sincos = place([](const auto& i) { return i.action == Action::sincos; });
  EXPECT_LT(place([&](const auto& i) { return i.action == Action::add && i.to == angle; }), sincos);
  EXPECT_EQ(sincos, 3) << "the chain that leads to it comes first";
  EXPECT_GT(place([&](const auto& i) { return i.to == user; }), sincos);
}

// Slots of cuts are shared by values whose turns do not overlap in the order they had.
TEST(order, of_a_line_that_moved_has_no_slots_of_cuts) {
  Chains c;
  c.chain(4), c.chain(4);
  order_instructions(c.line);
  for (const Line::Value& v : c.line.values) EXPECT_EQ(v.cut.base, MemoryPlace::Base::nowhere);
}

TEST(order, of_very_long_lines_stays_with_their_slots) {
  Chains c;
  c.chain(15000), c.chain(15000);
  const std::vector<std::uint32_t> before = c.order();
  order_instructions(c.line);
  EXPECT_EQ(c.order(), before);
  EXPECT_EQ(c.line.values.back().cut.base, MemoryPlace::Base::workspace);
}

}  // namespace
}  // namespace klingel::exec
