// Subject: realtime/layout. Claim: patterns choose signals, wrong ones are refused with near names,
// and the header that is written compiles as C11 without warnings.
#include "realtime/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"

namespace klingel::realtime {
namespace {

using testing::HasSubstr;

class Plain : public capi::Model {
 public:
  Plain() {
    name = "plain";
    variables[1] = {
        {"front.brake", "N m", "", 0}, {"motor", "N m", "", 0}, {"friction.left", "1", "", 0.3}};
    variables[2] = {{"speed", "m/s", "", 0},
                    {"s", "m", "", 0},
                    {"Q.left", "N", "", 0},
                    {"odd-name", "", "", 0}};
  }
  std::unique_ptr<capi::Runner> make() const override { return nullptr; }
};

std::string complaint(const LayoutChoice& choice) {
  try {
    layout_of(Plain(), choice);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "";
}

std::vector<std::string> names(const std::vector<LayoutSignal>& list) {
  std::vector<std::string> n;
  for (const LayoutSignal& s : list) n.push_back(s.name);
  return n;
}

TEST(layout, has_what_control_needs_and_no_friction) {
  const Layout l = layout_of(Plain(), {});
  EXPECT_THAT(names(l.inputs), testing::ElementsAre("front.brake", "motor"));
  EXPECT_THAT(names(l.outputs), testing::ElementsAre("speed", "s", "Q.left"));
}

TEST(layout, follows_patterns_and_safe_values) {
  const Layout l = layout_of(Plain(), {{"friction.*", "motor"}, {"Q.*"}, {"motor=-5"}});
  EXPECT_THAT(names(l.inputs), testing::ElementsAre("motor", "friction.left"));
  EXPECT_THAT(l.safe_inputs(), testing::ElementsAre(-5, 0.3));
  EXPECT_NE(l.hash, layout_of(Plain(), {}).hash);
  Frame frame = l.input_frame();
  EXPECT_EQ(frame.most[1], 2);
  EXPECT_GT(frame.least[1], 0);
}

TEST(layout, refuses_what_is_not_there) {
  EXPECT_THAT(complaint({{}, {"sped"}, {}}), HasSubstr("speed"));
  EXPECT_THAT(complaint({{"brakes"}, {}, {}}), HasSubstr("brake"));
  EXPECT_THAT(complaint({{}, {}, {"motr=1"}}), HasSubstr("motor"));
  EXPECT_THAT(complaint({{}, {}, {"motor"}}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(complaint({{}, {}, {"motor=nan"}}), HasSubstr("finite"));
}

TEST(layout, its_header_is_c11_without_warnings) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "klingel_header";
  base::write_file(folder / "v.h", c_header(layout_of(Plain(), {{}, {"*"}, {}})));
  base::write_file(folder / "main.c",
                   "#include \"v.h\"\n"
                   "_Static_assert(sizeof(klingel_frame) == 64, \"\");\n"
                   "int main(void) {\n"
                   "  klingel_link l; klingel_inputs in; klingel_outputs out;\n"
                   "  klingel_begin(&in);\n"
                   "  if (klingel_open(&l, \"none of this name\") != -1) return 1;\n"
                   "  if (in.head.count == 99) return klingel_is_running(&l) +\n"
                   "    klingel_read(&l, &out) + (klingel_write(&l, &in, &out), 0);\n"
                   "  return KLINGEL_OUTPUT_odd_name != 3 || KLINGEL_INPUT_front_brake != 0;\n}\n");
  const std::string command = "cd '" + folder.string() +
                              "' && cc -std=c11 -Wall -Wextra -Wpedantic -Werror main.c -o main && "
                              "./main";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace klingel::realtime
