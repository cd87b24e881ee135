// Subject: vehicle/parameter_units. Claim: parameters have the units of the keys they are used for,
// and none where the file does not tell or contradicts itself.
#include "vehicle/parameter_units.hpp"

#include <gtest/gtest.h>

namespace klingel::vehicle {
namespace {

Parameter parameter(const std::string& name, const std::string& value) {
  return {name, {}, parse_expression(value, {})};
}

TEST(parameter_units, follow_formulas_of_keys) {
  const std::vector<Parameter> parameters = {
      parameter("k", "1"),       parameter("half", "2"),  parameter("L", "3"),
      parameter("both", "1"),    parameter("a", "1"),     parameter("b", "1"),
      parameter("alias", "k"),   parameter("N", "1"),     parameter("k_link", "N/0.25"),
      parameter("unused", "1"),  parameter("angle", "1"), parameter("number", "1"),
      parameter("renamed", "L"), parameter("I", "1")};
  const auto formula = [](const char* text, const char* unit) {
    return FormulaOfKey{parse_expression(text, {}), unit};
  };
  const auto units =
      parameter_units({formula("2*k + half/2", "N/m"), formula("-1*L/2", "m"), formula("both", "m"),
                       formula("both", "kg"), formula("a*b", "N"), formula("max(k_link, 0)", "N/m"),
                       formula("angle", "m or rad"), formula("number", "-"), formula("N - x", "N"),
                       formula("I", "kg m^2")},
                      parameters);
  const std::map<std::string, std::string> right = {{"k", "N/m"},     {"half", "N/m"},   {"L", "m"},
                                                    {"alias", "N/m"}, {"k_link", "N/m"}, {"N", "N"},
                                                    {"I", "kg m2"},   {"renamed", "m"}};
  EXPECT_EQ(units, right);
}

TEST(parameter_units, of_a_shipped_vehicle) {
  const Vehicle wagon = load_vehicle("wagon_2axle");
  const auto unit = [&](const char* name) {
    const auto found = wagon.parameter_units.find(name);
    return found != wagon.parameter_units.end() ? found->second : "";
  };
  EXPECT_EQ(unit("m_body"), "kg");
  EXPECT_EQ(unit("I_body_x"), "kg m2");
  EXPECT_EQ(unit("g"), "m/s2");
  EXPECT_EQ(unit("L_axles"), "m");
  EXPECT_EQ(unit("k_stick"), "N/m");
  EXPECT_EQ(unit("N_box"), "N");
  EXPECT_EQ(unit("k_link"), "N/m");
  EXPECT_EQ(unit("play_y"), "m");
  EXPECT_EQ(unit("mu_leaf"), "");  // a product of two
}

}  // namespace
}  // namespace klingel::vehicle
