// Places of bodies: one step of points or bases at a time, and bodies that hang on two things.
#include "model/place_tree.hpp"

#include <gtest/gtest.h>

namespace klingel::model {
namespace {

using mech::Base;
using mech::Point;

class place_tree : public testing::Test {
 protected:
  mech::Model m{"m"};
  const sym::Coordinate z = m.coordinate("z"), roll = m.coordinate("roll"),
                        spin = m.coordinate("spin"), own = m.coordinate("own");
  const Base frame = m.rotation("frame", m.ground_base(), mech::axis::y, 0.3);
  const Base still = m.rotation("still", frame, mech::axis::x, roll.q);
  const Base axle = m.rotation("axle", still, mech::axis::y, spin.q);
  const Point centre = m.point("centre", m.origin(), m.vector(frame, 1, 0, z.q));

  const mech::Body& body(const std::string& name, Point point, Base base) {
    return m.body(name, point, base, 2, m.vector(base, 0, 0, 0), m.inertia(base, 1, 2, 3));
  }
};

TEST_F(place_tree, every_step_has_its_coordinate_as_a_unit_column) {
  PlaceTree tree(m);
  ASSERT_TRUE(tree.add(body("axle", centre, axle)));
  tree.find_columns();
  // ground; frame at the origin; then z, roll and spin
  ASSERT_EQ(tree.places().size(), 5u);
  const std::uint32_t coordinates[] = {0, 1, 2};
  const std::size_t components[] = {2, 3, 4};
  for (std::uint32_t i = 2; i < 5; ++i) {
    const Place& place = tree.places()[i];
    EXPECT_EQ(place.parent, i - 1);
    ASSERT_EQ(place.columns.size(), 1u);
    EXPECT_EQ(place.columns[0].coordinate, coordinates[i - 2]);
    for (std::size_t c = 0; c < 6; ++c)
      EXPECT_TRUE(place.columns[0].motion[c].is(c == components[i - 2] ? 1 : 0)) << i << ' ' << c;
  }
}

TEST_F(place_tree, a_body_with_a_base_of_another_branch_falls_into_mass_and_inertia) {
  const Base housing = m.rotation("housing", still, mech::axis::y, own.q);
  const Point rotor = m.point("rotor", centre, m.vector(housing, 0.3, 0, 0));
  EXPECT_TRUE(PlaceTree(m).reaches_ground(rotor, housing));
  EXPECT_FALSE(PlaceTree(m).reaches_ground(rotor, axle));
  PlaceTree tree(m);
  ASSERT_TRUE(tree.add(body("rotor", rotor, axle)));
  int masses = 0, inertias = 0;
  for (const Place& place : tree.places()) {
    for (const PlaceBody& part : place.bodies) {
      masses += part.mass ? 1 : 0;
      inertias += part.inertia ? 1 : 0;
      EXPECT_NE(part.mass, part.inertia);
    }
  }
  EXPECT_EQ(masses, 1);
  EXPECT_EQ(inertias, 1);
}

TEST_F(place_tree, a_point_whose_edges_are_in_unrelated_bases_has_no_place) {
  const Base absolute = m.rotation("absolute", m.ground_base(), mech::axis::z, own.q);
  const Point end = m.point("end", centre, m.vector(absolute, 1, 0, 0));
  PlaceTree tree(m);
  EXPECT_FALSE(tree.add(body("odd", end, absolute)));
}

}  // namespace
}  // namespace klingel::model
