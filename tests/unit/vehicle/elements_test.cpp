// Every force element is read from the least its table asks for.
#include "vehicle/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicle/keys.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// a value that fits what a table says about a key
std::string fitting_value(const Key& k) {
  if (k.nested != nullptr) {
    std::string inside;
    for (const Key& n : k.nested->keys)
      if (n.fallback == required)
        inside += std::string(inside.empty() ? "" : ", ") + std::string(n.name) + " = " +
                  fitting_value(n);
    return "{ " + inside + " }";
  }
  if (k.kind == "point" || k.kind == "base" || k.kind == "text")
    return k.kind == "point" ? "'P'" : k.kind == "base" ? "'A'" : "'e'";
  if (k.kind == "three formulas" || k.kind == value_kind<Direction>) return "[1, 2, 3]";
  if (k.kind == value_kind<Axis>) return "'x'";
  if (k.kind == "two points") return "['O', 'P']";
  return k.kind == "formula" ? "1" : "'unknown kind'";
}

Vehicle vehicle_with(const std::string& text) {
  return parse_vehicle(
      "[vehicle]\nname = 'v'\n[[point]]\nname = 'P'\n[[base]]\nname = 'A'\naxis = 'x'\n"
      "angle = 0\n" +
          text,
      "v.toml");
}

TEST(elements, the_required_keys_are_enough) {
  for (std::size_t i = 0; i < element_tables().size(); ++i) {
    const Section& table = *element_tables()[i];
    std::string text = "[[" + std::string(table.name) + "]]\n";
    for (const Key& k : table.keys)
      if (k.fallback == required) text += std::string(k.name) + " = " + fitting_value(k) + "\n";
    const Vehicle v = vehicle_with(text);
    ASSERT_EQ(v.elements.size(), 1u) << text;
    EXPECT_EQ(v.elements[0].name, "e");
    EXPECT_EQ(v.elements[0].what.index(), i) << table.name;
    EXPECT_EQ(&table_of(v.elements[0]), &table);
    EXPECT_FALSE(v.elements[0].stiff);
    EXPECT_TRUE(vehicle_with(text + "stiff = true\n").elements[0].stiff) << table.name;
  }
}

TEST(elements, each_required_key_is_missed) {
  for (const Section* table : element_tables())
    for (const Key& missing : table->keys) {
      if (missing.fallback != required) continue;
      std::string text = "[[" + std::string(table->name) + "]]\n";
      for (const Key& k : table->keys)
        if (k.fallback == required && k.name != missing.name)
          text += std::string(k.name) + " = " + fitting_value(k) + "\n";
      try {
        vehicle_with(text);
        ADD_FAILURE() << table->name << " without " << missing.name;
      } catch (const base::Error& e) {
        EXPECT_THAT(e.what(), HasSubstr("'" + std::string(missing.name) + "' is missing"));
      }
    }
}

TEST(elements, a_spring_ends_at_the_points_it_needs) {
  const Vehicle v = vehicle_with(
      "[[line_spring]]\nname = 's'\nfrom = 'O'\nto = 'P'\nstiffness = 1\n"
      "[[applied_force]]\nname = 'f'\nforce = [1, 0, 0]\nto = 'P'\nfrom = 'O'\n"
      "[[coincide]]\nname = 'c'\npoints = ['P', 'O']\n");
  EXPECT_THAT(points_of(v.elements[0]), ElementsAre("O", "P"));
  EXPECT_THAT(points_of(v.elements[1]), ElementsAre("P"));
  EXPECT_THAT(points_of(v.constraints[0]), ElementsAre("P", "O"));
}

}  // namespace
}  // namespace klingel::vehicle
