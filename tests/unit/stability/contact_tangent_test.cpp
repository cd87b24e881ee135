// Derivatives of the wrenches of contacts: what symmetry and static springs say of them.
#include "stability/contact_tangent.hpp"

#include <gtest/gtest.h>

#include "tests/support/steady_vehicle.hpp"

namespace klingel::stability {
namespace {

TEST(contact_tangent, a_wheelset_on_straight_rails) {
  const support::SteadyVehicle v = support::steady_vehicle("wheelset", {.law = "linear"});
  const std::unique_ptr<SteadyMotion> m = v.motion();
  m->settle(20);
  reference::Continuous at(m->simulator());
  at.begin(m->state());
  ASSERT_TRUE(at.place(m->q().data(), m->dq().data()));
  const std::vector<double> poses(at.vehicle().at.poses.begin(), at.vehicle().at.poses.end());
  const std::vector<double> twists(at.vehicle().at.twists.begin(), at.vehicle().at.twists.end());
  ContactTangent t;
  ASSERT_TRUE(contact_tangent(at, poses, twists, Eigen::VectorXd::Zero(2), 20, t));
  const Eigen::Matrix<double, 6, 13>& b = t.by_motion.front();
  const double size = b.leftCols<6>().cwiseAbs().maxCoeff();
  // along the rails nothing changes
  EXPECT_LT(b.col(0).cwiseAbs().maxCoeff(), 1e-6 * size);
  // two sheets press it up: K = 3/2 N / delta each
  double K = 0;
  for (const step::PointState& p : m->state().tread) K += 1.5 * p.N / -p.gap;
  EXPECT_NEAR(b(2, 2) / -K, 1, 0.02);
  // creep: lateral force by lateral slip and by yaw, F_y = -f (v_y / V - yaw)
  EXPECT_LT(b(1, 7), 0);
  EXPECT_NEAR(b(1, 5) / (-20 * b(1, 7)), 1, 0.02);
  // faster spin pushes ahead, as a faster wheelset is held back
  EXPECT_GT(b(0, 12), 0);
  EXPECT_NEAR(b(0, 12) / (-0.45 * b(0, 6)), 1, 0.03);
}

}  // namespace
}  // namespace klingel::stability
