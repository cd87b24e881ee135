// Fronts: zeros that unit columns leave, blocks against one unknown after the other.
#include "model/front.hpp"

#include <gtest/gtest.h>

#include "tests/support/random.hpp"

namespace klingel::model {
namespace {

using sym::Expr;

class front : public testing::Test {
 protected:
  sym::Graph g;
  test::Random random{3};
  const Expr zero = g.number(0), one = g.number(1);

  Expr symbol(double value) {
    return g.symbol("x" + std::to_string(count_++), sym::SymbolKind::other, value);
  }
  SixBySix full() {
    SixBySix K;
    for (std::size_t i = 0; i < 36; ++i) K[i] = symbol(random.within(1) + (i % 7 == 0 ? 5 : 0));
    return K;
  }
  Six unit(std::size_t component) {
    Six u;
    u.fill(zero);
    u[component] = one;
    return u;
  }
  Six any() {
    Six u;
    for (Expr& e : u) e = symbol(random.within(1));
    return u;
  }

 private:
  int count_ = 0;
};

TEST_F(front, a_unit_column_leaves_nothing_of_its_component) {
  Front f(zero);
  f.add(full());
  f.join(0, unit(4));
  f.join(1, unit(2));
  EXPECT_EQ(f.eliminate(0).front().upper.size(), 7u);  // the motion and the other unknown
  // one of six components is gone: the next unknown sees the others
  EXPECT_EQ(f.eliminate(1).front().upper.size(), 5u);
}

TEST_F(front, a_column_in_another_base_leaves_all_components) {
  Front f(zero);
  f.add(full());
  f.join(0, any());
  f.join(1, unit(2));
  f.eliminate(0);
  EXPECT_EQ(f.eliminate(1).front().upper.size(), 6u);
}

TEST_F(front, a_block_leaves_what_its_unknowns_leave_one_after_the_other) {
  Front f(zero);
  f.add(full());
  for (const std::uint32_t x : {3, 5, 8, 9}) f.join(x, any());
  f.add(8, 9, symbol(0.3));
  Front other = f;
  f.eliminate(std::vector<std::uint32_t>{5, 3});
  const Front::Block first = other.eliminate(5), second = other.eliminate(3);
  EXPECT_EQ(f.unknowns(), other.unknowns());
  for (const std::uint32_t i : {8, 9}) {
    for (const std::uint32_t j : {8, 9})
      EXPECT_NEAR(sym::value(f.at(i, j)), sym::value(other.at(i, j)), 1e-12);
  }
}

TEST_F(front, symmetric_ones_stay_symmetric_atom_by_atom) {
  SixBySix K = full();
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < i; ++j) K[6 * i + j] = K[6 * j + i];
  }
  Front f(zero);
  f.add(K);
  f.join(0, any());
  f.join(1, any());
  f.shift({symbol(0.1), symbol(0.2), symbol(0.3)});
  const Expr c = symbol(0.8), s = symbol(0.6);
  f.turn({one, zero, zero, zero, c, -s, zero, s, c});
  f.join(2, any());
  f.eliminate(0);
  EXPECT_EQ(f.at(1, 2), f.at(2, 1));
  EXPECT_FALSE(f.at(1, 2).is(0));
}

TEST_F(front, what_does_not_move_has_unknowns_only) {
  Front f(zero);
  f.add(full());
  f.join(0, any());
  f.join(1, any());
  const Expr before = f.at(0, 1);
  f.stop();
  EXPECT_EQ(f.at(0, 1), before);
  EXPECT_EQ(f.eliminate(0).front().upper.size(), 1u);
}

}  // namespace
}  // namespace klingel::model
