// The kernel table as C text: strings are escaped, long lists are wrapped.
#include "gen/table_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace klingel::gen {
namespace {

using testing::HasSubstr;

Manifest small_manifest() {
  Manifest m;
  m.model = "small";
  m.workspace_size = 5;
  m.inputs.push_back({"q", 0, {"x", "y"}, {0.5, 1e300}});
  m.stages.push_back({"setup", {}});
  m.functions.push_back({"f", "about f", 0, {{"A", 2, 2, 1, true, {0, 0, 1}, {1}}}, {}});
  return m;
}

std::string text_of(const Manifest& m) {
  return table_text(m, "0123", {{"small_stage_setup", "in[0], w"}, {"small_f", "w, out[0]"}});
}

TEST(table_text, calls_get_their_arguments_out_of_the_table) {
  const std::string text = text_of(small_manifest());
  EXPECT_THAT(text, HasSubstr("  small_stage_setup(in[0], w);\n"));
  EXPECT_THAT(text, HasSubstr("  small_f(w, out[0]);\n"));
  EXPECT_THAT(text, HasSubstr("{\"setup\", call_small_stage_setup, 0, 0},\n"));
  EXPECT_THAT(text, HasSubstr("{\"f\", \"about f\", 0, 1, outputs_f, call_small_f, 0, 0},\n"));
  EXPECT_THAT(text,
              HasSubstr("2u, 1, \"small\", \"0123\",\n  5, 1, 1, 1, inputs, stages, functions"));
  EXPECT_THAT(text, HasSubstr("const klingel_kernel *small_kernel(void) { return &kernel; }\n"));
}

TEST(table_text, sparsity_is_compressed_columns) {
  const std::string text = text_of(small_manifest());
  EXPECT_THAT(text, HasSubstr("{\n  0, 0, 1};\n"));
  EXPECT_THAT(text, HasSubstr("{\"A\", 2, 2, 1, col_start_"));
}

TEST(table_text, text_is_escaped) {
  Manifest m = small_manifest();
  m.functions[0].about = "a \"quoted\" word, a back\\slash,\na line";
  EXPECT_THAT(text_of(m), HasSubstr("\"a \\\"quoted\\\" word, a back\\\\slash, a line\""));
}

TEST(table_text, long_lists_are_wrapped) {
  Manifest m = small_manifest();
  m.inputs[0].names.clear();
  m.inputs[0].nominal.clear();
  for (int i = 0; i < 200; ++i) {
    m.inputs[0].names.push_back("coordinate_" + std::to_string(i));
    m.inputs[0].nominal.push_back(i / 3.0);
  }
  std::istringstream lines(text_of(m));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  \"coordinate") || line.starts_with("  0.333")) {
      EXPECT_LE(line.size(), 100u) << line;
    }
  }
}

TEST(table_text, a_table_without_inputs_and_functions_has_null_lists) {
  Manifest m = small_manifest();
  m.inputs.clear();
  m.functions.clear();
  const std::string text = table_text(m, "0123", {{"small_stage_setup", ""}});
  EXPECT_THAT(text, HasSubstr("5, 0, 1, 0, 0, stages, 0};"));
}

}  // namespace
}  // namespace klingel::gen
