// The manifest: what a caller may know without reading C, and the same as JSON.
#include "gen/manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json_reader.hpp"
#include "base/version.hpp"
#include "gen/emit_c.hpp"
#include "tests/unit/gen/random_program.hpp"

namespace klingel::gen {
namespace {

using base::JsonValue;
using sym::Expr;
using sym::Graph;
using sym::Output;
using testing::ElementsAre;

struct a_manifest : testing::Test {
  Graph g;
  Expr m = g.parameter("m", 2.5), x = g.symbol("x", sym::SymbolKind::coordinate, 0.1);
  Expr y = g.symbol("rear.y", sym::SymbolKind::coordinate, -1e-300);
  Program program{g, "small"};

  void SetUp() override {
    program.input("p", {m}).stage("position").input("q", {x, y});
    const sym::Matrix A(2, 3, {{1, 0, m * x}, {0, 2, x}, {1, 2, m * x}});
    program.function({"A", "a \"matrix\"", {{"A", A, true}, {"A_dense", A}}});
    program.function({"mass", "", {Output::scalar("M", m * m)}});
  }
};

TEST_F(a_manifest, has_names_shapes_and_sparsity) {
  const Manifest manifest = make_manifest(program, make_schedule(program));
  EXPECT_EQ(manifest.model, "small");
  ASSERT_EQ(manifest.inputs.size(), 2u);
  EXPECT_THAT(manifest.inputs[1].names, ElementsAre("x", "rear.y"));
  EXPECT_THAT(manifest.inputs[1].nominal, ElementsAre(0.1, -1e-300));
  EXPECT_EQ(manifest.inputs[1].stage, 1u);
  const Manifest::Output& A = manifest.functions[0].outputs[0];
  EXPECT_EQ(A.size, 3u);
  EXPECT_THAT(A.col_start, ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(A.row, ElementsAre(1, 0, 1));
  const Manifest::Output& dense = manifest.functions[0].outputs[1];
  EXPECT_EQ(dense.size, 6u);
  EXPECT_THAT(dense.row, testing::IsEmpty());
  EXPECT_EQ(manifest.functions[0].stage, 1u);
  EXPECT_EQ(manifest.functions[1].stage, 0u);
}

TEST_F(a_manifest, counts_operations_where_they_are_done) {
  const Manifest manifest = make_manifest(program, make_schedule(program));
  EXPECT_EQ(manifest.functions[0].count.mul, 1u);
  EXPECT_EQ(manifest.functions[1].count.mul, 1u);
  EXPECT_EQ(manifest.stages[0].count.total() + manifest.stages[1].count.total(), 0u);
}

TEST_F(a_manifest, says_the_same_as_json) {
  const Emitted emitted = emit_c(program);
  const JsonValue json = base::parse_json(to_json(emitted.manifest), "manifest");
  EXPECT_EQ(json["klingel"].text, base::version);
  EXPECT_EQ(json["abi"].number, 2);
  EXPECT_EQ(json["lanes"].number, 1);
  EXPECT_EQ(json["model"].text, "small");
  EXPECT_EQ(json["sha256"].text, emitted.manifest.hash);
  EXPECT_EQ(json["inputs"][1]["stage"].text, "position");
  EXPECT_EQ(json["inputs"][1]["names"][1].text, "rear.y");
  EXPECT_EQ(json["inputs"][1]["nominal"][1].number, -1e-300);
  EXPECT_EQ(json["functions"][0]["about"].text, "a \"matrix\"");
  EXPECT_TRUE(json["functions"][0]["outputs"][0]["sparse"].truth);
  EXPECT_EQ(json["functions"][0]["outputs"][0]["col_start"].items.size(), 4u);
  EXPECT_EQ(json["functions"][0]["outputs"][1]["size"].number, 6);
  EXPECT_EQ(json["functions"][0]["total"].number, 1);
}

TEST(manifest, json_of_any_program_is_well_formed) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const RandomProgram random(seed, 100);
    const Emitted emitted = emit_c(random.program());
    const JsonValue json = base::parse_json(emitted.files.back().text, "manifest");
    EXPECT_EQ(emitted.files.back().name, "random_manifest.json");
    EXPECT_EQ(json["functions"].items.size(), random.program().functions().size());
    EXPECT_EQ(json["stages"].items.size(), 4u);
    EXPECT_EQ(json["workspace_size"].number, emitted.manifest.workspace_size);
  }
}

}  // namespace
}  // namespace klingel::gen
