// A struct read by its table: required keys, every sort of default, limits, tables in tables.
#include "vehicle/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

struct Hook {
  static const Section table;
  PointName point;
  Expression gap;
};

struct Rod {
  static const Section table;
  PointName from, to;
  std::array<PointName, 2> ends;
  BaseName from_base, axes, frame;
  Expression stiffness, damping, slack;
  double length = 0;
  Triple offset;
  std::optional<Triple> preload;
  Direction line;
  Axis normal;
  Hook hook;
};

constexpr Key hook_keys[] = {key<&Hook::point>("point", "-", required, ""),
                             key<&Hook::gap>("gap", "m", "0.25", "")};
constexpr Key rod_keys[] = {name_key,
                            key<&Rod::from>("from", "-", required, ""),
                            key<&Rod::to>("to", "-", none, ""),
                            key<&Rod::ends>("ends", "-", required, ""),
                            key<&Rod::from_base>("from_base", "-", required, ""),
                            key<&Rod::axes>("axes", "-", "from_base", ""),
                            key<&Rod::frame>("frame", "-", "ground", ""),
                            key<&Rod::stiffness>("stiffness", "N/m", required, ""),
                            key<&Rod::damping>("damping", "N s/m", "1e3", "", Limit::not_negative),
                            key<&Rod::slack>("slack", "m", "damping", ""),
                            key<&Rod::length>("length", "m", required, "", Limit::positive),
                            key<&Rod::offset>("offset", "m", "0, 0, 0", "", Limit::not_negative),
                            key<&Rod::preload>("preload", "N", none, ""),
                            key<&Rod::line>("line", "-", required, ""),
                            key<&Rod::normal>("normal", "-", none, ""),
                            key<&Rod::hook>("hook", "-", required, "")};
constinit const Section Hook::table = {"hook", "A hook.", hook_keys};
constinit const Section Rod::table = {"rod", "A rod.", rod_keys, "rods"};

const std::string least =
    "name = 'r'\nfrom = 'P'\nends = ['P', 'O']\nfrom_base = 'A'\nstiffness = '2*k'\n"
    "length = 'k/2'\nline = 'y'\nhook = { point = 'P' }\n";

Rod rod_of(const std::string& text) {
  const Document file = Document::parse("[[rod]]\n" + text, "r.toml");
  const base::Place nowhere;
  Names names;
  names.declare(NameKind::parameter, "", "k", nowhere);
  names.declare(NameKind::point, "", "P", nowhere);
  names.declare(NameKind::base, "", "A", nowhere);
  const NominalValues nominal({{"k", nowhere, 6.0}});
  Table root = file.root();
  Table rod = root.tables("rod").at(0);
  return read<Rod>(Block{root, "", &names}, rod, nominal);
}

std::string rod_error(const std::string& text) {
  try {
    rod_of(text);
  } catch (const base::Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(schema, defaults_hold_while_keys_are_absent) {
  const Rod r = rod_of(least);
  EXPECT_EQ(r.from, "P");
  EXPECT_TRUE(r.to.empty());
  EXPECT_EQ(r.ends[1], "O");
  EXPECT_EQ(r.axes, "A");  // as from_base
  EXPECT_EQ(r.frame, "ground");
  EXPECT_EQ(text(r.stiffness), "2.0*k");
  EXPECT_EQ(r.damping.number, 1e3);
  EXPECT_EQ(r.slack.number, 1e3);  // as damping
  EXPECT_EQ(r.length, 3);          // at nominal parameters
  for (const Expression& e : r.offset) EXPECT_TRUE(e.is_number() && e.number == 0);
  EXPECT_FALSE(r.preload.has_value());
  EXPECT_EQ(r.line.components[0].number, 0);
  EXPECT_EQ(r.line.components[1].number, 1);
  EXPECT_FALSE(r.normal.given());
  EXPECT_EQ(r.hook.point, "P");
  EXPECT_EQ(r.hook.gap.number, 0.25);
}

TEST(schema, what_is_given_replaces_defaults) {
  const Rod r = rod_of(least +
                       "to = 'O'\naxes = 'ground'\nframe = 'A'\ndamping = 7\nslack = 'k'\n"
                       "offset = [1, 2, 3]\npreload = [4, 5, 'k']\nnormal = 'z'\n");
  EXPECT_EQ(r.to, "O");
  EXPECT_EQ(r.axes, "ground");
  EXPECT_EQ(r.frame, "A");
  EXPECT_EQ(r.damping.number, 7);
  EXPECT_EQ(text(r.slack), "k");
  EXPECT_EQ(r.offset[2].number, 3);
  EXPECT_EQ(text((*r.preload)[2]), "k");
  EXPECT_EQ(r.normal.index, 2);
}

TEST(schema, unknown_keys_come_before_missing_ones) {
  EXPECT_THAT(rod_error("name = 'r'\nform = 'P'\n"),
              StartsWith("r.toml:3:8: rod 'r' has an unknown key 'form'; did you mean 'from'?\n"
                         "    known keys: name, from, to, ends,"));
  EXPECT_EQ(rod_error("name = 'r'\nfrom = 'P'\nends = ['P', 'O']\nfrom_base = 'A'\n"),
            "r.toml:1:1: rod 'r': 'stiffness' is missing (a number or a formula in quotes)");
}

TEST(schema, limits_are_checked_at_nominal_parameters) {
  EXPECT_THAT(rod_error(least + "damping = '-k'\n"),
              HasSubstr("r.toml:10:11: rod 'r': 'damping' must not be negative, found -6"));
  EXPECT_THAT(rod_error(least + "offset = [0, 1, '2 - k']\n"), HasSubstr("found -4"));
  std::string wrong = least;
  wrong.replace(wrong.find("k/2"), 3, "k-6");
  EXPECT_THAT(rod_error(wrong), HasSubstr("'length' must be greater than zero, found 0"));
}

TEST(schema, tables_in_tables_have_their_own_keys) {
  std::string wrong = least;
  wrong.replace(wrong.find("point = 'P'"), 11, "pont = 'P'");
  EXPECT_THAT(rod_error(wrong), HasSubstr("rod 'r': hook hook has an unknown key 'pont'; did you "
                                          "mean 'point'?"));
}

TEST(schema, required_points_are_known_without_their_keys) {
  const Rod r = rod_of(least + "to = 'P'\n");
  EXPECT_THAT(required_points(Rod::table, &r), ElementsAre("P", "P", "O"));
}

struct Other {
  static const Section table;
};
constinit const Section Other::table = {"other", "With the keys of a hook.", hook_keys};

TEST(schema, a_table_with_members_of_another_struct_is_our_mistake) {
  const Document file = Document::parse("point = 'O'", "r.toml");
  const Names names;
  const NominalValues nominal({});
  Table root = file.root();
  EXPECT_DEATH(read<Other>(Block{root, "", &names}, root, nominal), "assertion failed");
}

TEST(schema, documents_follow_from_the_types_of_members) {
  const std::string text = reference_text(std::span(&Rod::table, 1));
  EXPECT_THAT(text, StartsWith("### rod\n\nA rod.\n\n| key |"));
  EXPECT_THAT(text, HasSubstr("| `from` | point | - | required |  |\n"));
  EXPECT_THAT(text, HasSubstr("| `axes` | base | - | from_base |  |\n"));
  EXPECT_THAT(text, HasSubstr("| `offset` | three formulas | m | 0, 0, 0 | not negative;"));
  EXPECT_THAT(text, HasSubstr("| `hook` | table | - | required |  |\n"));
}

}  // namespace
}  // namespace klingel::vehicle
