// The name of a program changes with what it computes, and with nothing else.
#include "gen/program_hash.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "gen/emit_c.hpp"

namespace klingel::gen {
namespace {

using sym::Expr;

struct Changes {
  double factor = 2, nominal = 1;
  bool extra_nodes = false, other_operation = false, other_output = false;
  std::string name = "x", label = "";
  std::size_t chunk = 400;
  bool fuse = true;
};

std::string hash_of(const Changes& c) {
  sym::Graph g;
  const Expr x = g.symbol(c.name, sym::SymbolKind::coordinate, c.nominal), y = g.parameter("k", 3);
  if (c.extra_nodes) sin(x + y * y + 7);
  const Expr product = x * y;
  if (!c.label.empty()) g.set_label(product, c.label);
  const Expr sum = c.other_operation ? product - sin(x) : product + sin(x);
  Program program(g, "small");
  program.input("p", {y});
  program.stage("position").input("q", {x});
  program.function({"f",
                    "",
                    {sym::Output::scalar("a", sum * g.number(c.factor)),
                     sym::Output::scalar("b", c.other_output ? sum : x + y)}});
  EmitOptions options;
  options.schedule.chunk_operations = c.chunk;
  options.schedule.fuse = c.fuse;
  const std::string hash = emit_manifest(program, options).hash;
  EXPECT_EQ(hash, emit_c(program, options).manifest.hash);
  return hash;
}

TEST(program_hash, is_sha256_and_does_not_depend_on_other_nodes_of_the_graph) {
  EXPECT_EQ(hash_of({}).size(), 64u);
  EXPECT_EQ(hash_of({}), hash_of({}));
  EXPECT_EQ(hash_of({}), hash_of({.extra_nodes = true}));
}

TEST(program_hash, changes_with_everything_that_is_computed_or_named) {
  const std::string before = hash_of({});
  EXPECT_NE(before, hash_of({.factor = 3}));
  EXPECT_NE(before, hash_of({.nominal = 2}));
  EXPECT_NE(before, hash_of({.other_operation = true}));
  EXPECT_NE(before, hash_of({.other_output = true}));
  EXPECT_NE(before, hash_of({.name = "z"}));
  EXPECT_NE(before, hash_of({.label = "force"}));
  EXPECT_NE(before, hash_of({.chunk = 1}));
  EXPECT_NE(before, hash_of({.fuse = false}));
}

}  // namespace
}  // namespace klingel::gen
