// Files that change other files: new values, what is added, what is removed.
#include "vehicle/extension.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.hpp"

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string whole = "[vehicle]\nname = 'v'\n";

const char* const bogies = R"(
[parameters]
L = 2
[coordinates]
x = "L/4"
[[use]]
group = "bogie"
name = "rear"
end = -1
[[use]]
group = "bogie"
name = "front"
end = 1
[group.bogie]
arguments = ["end"]
parameters = { k = 5 }
coordinates = { z = "end*L" }
point = [{ name = "frame", r = ["end*L/2", 0, "z"] }]
)";

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const auto& t : things) names.push_back(t.name);
  return names;
}

Expression value_of(const Vehicle& v, const std::string& parameter) {
  for (const Parameter& p : v.parameters)
    if (p.name == parameter) return p.value;
  throw std::runtime_error("no parameter " + parameter);
}

class extension : public testing::Test {
 protected:
  extension() { base::write_file(folder / "base.toml", whole + bogies); }
  ~extension() override { std::filesystem::remove_all(folder); }
  Vehicle extend(const std::string& text) {
    return parse_vehicle("extends = 'base.toml'\n" + text, (folder / "own.toml").string());
  }
  std::string error_of_extension(const std::string& text) {
    try {
      extend(text);
    } catch (const base::Error& e) {
      return e.what();
    }
    return "no error";
  }
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) /
                                 ("klingel_extended_" + std::to_string(::getpid()));
};

TEST_F(extension, a_file_changes_another_one) {
  const Vehicle v = extend("[vehicle]\nname = 'own'\n[parameters]\nL = 8\n'rear.k' = 3\n");
  EXPECT_EQ(v.name, "own");
  EXPECT_EQ(v.coordinates[0].value, 2);
  EXPECT_EQ(value_of(v, "rear.k").number, 3);
}

TEST_F(extension, what_it_cannot_change_is_refused) {
  EXPECT_THAT(error_of_extension("[coupler]\nlength = 1\n"),
              HasSubstr("'coupler' is not allowed in a file that extends another one"));
  EXPECT_THAT(error_of_extension("[[pont]]\nname = 'p'\n"),
              HasSubstr("unknown key 'pont'; did you mean 'point'?"));
  EXPECT_THAT(error_of_extension("[parameters]\nLL = 8\n"), HasSubstr("'LL' to set"));
  EXPECT_THAT(error_of_extension("[vehicle]\norder = ['x']\n"), HasSubstr("that is extended"));
  base::write_file(folder / "base.toml", "extends = 'base.toml'\n");
  EXPECT_THAT(error_of_extension(""), HasSubstr("in a circle"));
}

TEST_F(extension, what_it_lists_is_added) {
  const Vehicle v = extend(
      "[add.parameters]\nk2 = '3*L'\n[add.coordinates]\ny = 'k2'\n"
      "[[point]]\nname = 'hook'\nparent = 'rear.frame'\nr = ['y', 0, 0]\n"
      "[[line_spring]]\nname = 's'\nfrom = 'hook'\nto = 'front.frame'\nstiffness = 'k2'\n"
      "[[use]]\ngroup = 'bogie'\nname = 'third'\nend = 2\n"
      "[group.hook]\npoint = [{ name = 'hook', parent = 'frame' }]\n"
      "[[use]]\ngroup = 'hook'\nname = 'rear'\n");
  EXPECT_EQ(value_of(v, "k2").kind, Expression::Kind::multiply);
  ASSERT_EQ(v.elements.size(), 1u);
  EXPECT_EQ(std::get<LineSpring>(v.elements[0].what).to, "front.frame");
  EXPECT_EQ(v.coordinates.size(), 5u);
  EXPECT_EQ(v.coordinates[3].name, "y");
  EXPECT_EQ(v.coordinates[3].value, 6);
  EXPECT_EQ(v.points.back().name, "rear.hook");
  EXPECT_EQ(v.points.back().parent, "rear.frame");
  EXPECT_THAT(v.warnings, ElementsAre());
}

TEST_F(extension, names_that_exist_are_refused_with_their_file) {
  EXPECT_THAT(
      error_of_extension("[add.parameters]\nL = 1\n"),
      HasSubstr("the parameter 'L' exists already in " + (folder / "base.toml").string() + ":5:5"));
  EXPECT_THAT(error_of_extension("[group.bogie]\nabout = 'mine'\n"),
              HasSubstr("the group 'bogie' exists already in"));
}

const char* const springs =
    "[[point]]\nname = 'p'\n[[line_spring]]\nname = 'a'\nfrom = 'O'\nto = 'p'\nstiffness = 1\n"
    "[[line_spring]]\nname = 'b'\nfrom = 'O'\nto = 'p'\nstiffness = 1\n"
    "[[constraint]]\nname = 'c'\nphi = 0\n"
    "[[output]]\nname = 'o'\nvalues = [1]\n"
    "[group.g]\nline_spring = [{ name = 's', from = 'O', to = 'p', stiffness = 1 }]\n"
    "[[use]]\ngroup = 'g'\nname = 'rear'\n[[use]]\ngroup = 'g'\nname = 'front'\n";

TEST_F(extension, elements_are_removed_by_full_name) {
  base::write_file(folder / "base.toml", whole + springs);
  EXPECT_THAT(names_of(extend("").elements), ElementsAre("a", "b", "rear.s", "front.s"));
  const Vehicle v = extend("remove = ['a', 'rear.s', 'c', 'o']\n");
  EXPECT_THAT(names_of(v.elements), ElementsAre("b", "front.s"));
  EXPECT_TRUE(v.constraints.empty());
  EXPECT_TRUE(v.outputs.empty());
}

TEST_F(extension, a_removed_element_may_be_replaced) {
  base::write_file(folder / "base.toml", whole + springs);
  const std::string other = "[[line_spring]]\nname = 'a'\nfrom = 'p'\nto = 'O'\nstiffness = 2\n";
  EXPECT_THAT(error_of_extension(other), HasSubstr("the element 'a' exists already in "));
  const Vehicle v = extend("remove = ['a']\n" + other);
  EXPECT_THAT(names_of(v.elements), ElementsAre("b", "rear.s", "front.s", "a"));
  EXPECT_EQ(std::get<LineSpring>(v.elements[3].what).from, "p");
  // and a further file removes the new one
  base::write_file(folder / "middle.toml", "extends = 'base.toml'\nremove = ['a']\n" + other);
  const Vehicle w =
      parse_vehicle("extends = 'middle.toml'\nremove = ['a']\n", (folder / "own.toml").string());
  EXPECT_THAT(names_of(w.elements), ElementsAre("b", "rear.s", "front.s"));
}

TEST_F(extension, what_is_not_there_cannot_be_removed) {
  base::write_file(folder / "base.toml", whole + springs);
  EXPECT_THAT(error_of_extension("remove = ['b', 'raer.s']\n"),
              HasSubstr("own.toml:2:16: there is no element 'raer.s' to remove; did you mean "
                        "'rear.s'"));
  EXPECT_THAT(error_of_extension("remove = ['p']\n"),
              HasSubstr("'p' is a point: only force elements, constraints, outputs"));
  EXPECT_THAT(error_of_extension("remove = ['a', 'a']\n"), HasSubstr("names 'a' twice"));
  EXPECT_THAT(error_of_extension("remove = 'a'\n"), HasSubstr("must be a list of texts"));
  EXPECT_THAT(error_of_extension("remove = ['d']\n[[output]]\nname = 'd'\nvalues = [1]\n"),
              HasSubstr("'d' cannot be removed: it is not in the file that is extended"));
  // removed once is gone: the file further outside finds nothing
  base::write_file(folder / "middle.toml", "extends = 'base.toml'\nremove = ['a']\n");
  EXPECT_THROW(
      parse_vehicle("extends = 'middle.toml'\nremove = ['a']\n", (folder / "own.toml").string()),
      base::Error);
}

TEST_F(extension, shipped_vehicles_are_extended_by_name_unless_one_stands_beside) {
  const std::string own = (folder / "own.toml").string();
  const Vehicle v = parse_vehicle("extends = 'manchester1'\n", own);
  EXPECT_EQ(v.elements.size(), load_vehicle("manchester1").elements.size());
  base::write_file(folder / "manchester1/vehicle.toml", whole + springs);
  EXPECT_EQ(parse_vehicle("extends = 'manchester1'\n", own).elements.size(), 4u);
  try {
    parse_vehicle("extends = 'manchster1'\n", own);
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("own.toml:1:11: the file: there is no vehicle 'manchster1'; "
                                    "did you mean 'manchester1' or"));
  }
}

TEST_F(extension, the_example_of_the_document_is_read) {
  const std::string document = base::read_file(KLINGEL_SOURCE_DIR "/docs/vehicle_format.md");
  const std::size_t begin = document.find("extends = \"manchester1\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string example = document.substr(begin, document.find("```", begin) - begin);
  const Vehicle v = parse_vehicle(example, (folder / "own.toml").string());
  EXPECT_EQ(v.name, "coach_with_damper");
  EXPECT_EQ(value_of(v, "m_body").number, 36e3);
  EXPECT_THAT(names_of(v.elements), testing::Contains("yaw_damper"));
  EXPECT_THAT(names_of(v.elements), testing::Not(testing::Contains("front.traction_rod")));
}

TEST_F(extension, added_coordinates_stand_behind_those_in_order) {
  base::write_file(folder / "base.toml",
                   whole + "order = ['b', 'a']\n[coordinates]\na = 1\nb = 2\n");
  EXPECT_THAT(names_of(extend("[add.coordinates]\nc = 3\n").coordinates),
              ElementsAre("b", "a", "c"));
  EXPECT_THAT(names_of(extend("[group.g]\ncoordinates = { d = 1 }\n[[use]]\ngroup = 'g'\n"
                              "name = 'u'\n")
                           .coordinates),
              ElementsAre("b", "a", "u.d"));
}

}  // namespace
}  // namespace klingel::vehicle
