// Kinds of node: every one is a leaf, unary or binary, and has a name.
#include "sym/op.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sym/symbol.hpp"

namespace klingel::sym {
namespace {

TEST(op, every_operation_is_either_a_leaf_or_unary_or_binary) {
  for (int i = 0; i < op_count; ++i) {
    const Op op = static_cast<Op>(i);
    EXPECT_EQ(is_leaf(op) + is_unary(op) + is_binary(op), 1) << name(op);
    if (is_number(op)) {
      EXPECT_TRUE(is_leaf(op)) << name(op);
    }
    if (is_commutative(op)) {
      EXPECT_TRUE(is_binary(op)) << name(op);
    }
  }
}

TEST(op, names_are_distinct_and_in_the_order_of_the_enumeration) {
  std::set<std::string_view> names;
  for (int i = 0; i < op_count; ++i) names.insert(name(static_cast<Op>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(op_count));
  EXPECT_EQ(name(Op::integer), "integer");
  EXPECT_EQ(name(Op::symbol), "symbol");
  EXPECT_EQ(name(Op::neg), "neg");
  EXPECT_EQ(name(Op::sign), "sign");
  EXPECT_EQ(name(Op::add), "add");
  EXPECT_EQ(name(Op::atan2), "atan2");
  EXPECT_EQ(name(Op::max), "max");
}

TEST(op, kinds_of_symbols_have_names_and_bits_of_their_own) {
  EXPECT_EQ(name(SymbolKind::parameter), "parameter");
  EXPECT_EQ(name(SymbolKind::contact_velocity), "contact velocity");
  EXPECT_EQ(name(SymbolKind::other), "other");
  KindMask all = 0;
  for (int k = 0; k <= static_cast<int>(SymbolKind::other); ++k) {
    const KindMask b = bit(static_cast<SymbolKind>(k));
    EXPECT_EQ(all & b, 0);
    all = static_cast<KindMask>(all | b);
  }
}

}  // namespace
}  // namespace klingel::sym
