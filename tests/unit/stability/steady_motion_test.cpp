// Steady motions and the matrices of small motions about them, against differences of the balance.
#include "stability/steady_motion.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/steady_vehicle.hpp"

namespace klingel::stability {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using support::steady_vehicle, support::SteadyVehicle;

// The derivative of the balance by q or dq, by differences of fourth order.
VectorXd column(SteadyMotion& m, Eigen::Index j, bool of_q, double h) {
  const VectorXd q = m.q(), dq = m.dq();
  const auto at = [&](double x) {
    VectorXd a = q, b = dq;
    (of_q ? a : b)[j] += x;
    return m.balance(a, b);
  };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

// Largest difference of the matrices' columns and those of differences, over the size of each row's
// largest entry.
double worst(SteadyMotion& m, const SmallMotions& s, double h) {
  const Eigen::Index n = s.M.rows();
  MatrixXd W = MatrixXd::Zero(n, n);
  const double turn = m.speed() * m.curve().curvature;
  for (const start::BodyCoordinates& b : m.vehicle().start.grounded) {
    W(static_cast<Eigen::Index>(*b[0]), static_cast<Eigen::Index>(*b[1])) = -turn;
    W(static_cast<Eigen::Index>(*b[1]), static_cast<Eigen::Index>(*b[0])) = turn;
  }
  const MatrixXd F_dq = s.C + 2 * s.M * W, F_q = s.K - F_dq * W + s.M * W * W;
  double largest = 0;
  for (const bool of_q : {true, false}) {
    const MatrixXd& F = of_q ? F_q : F_dq;
    for (Eigen::Index j = 0; j < n; ++j) {
      const VectorXd d = column(m, j, of_q, of_q ? h : 2e-6 * m.speed());
      for (Eigen::Index i = 0; i < n; ++i)
        largest = std::max(largest, std::abs(d[i] - F(i, j)) / F.row(i).lpNorm<Eigen::Infinity>());
    }
  }
  return largest;
}

struct Case {
  const char* vehicle;
  const char* tread;
  Curve curve;
  double speed;
};

class Jacobian : public testing::TestWithParam<Case> {};

TEST_P(Jacobian, equals_differences_of_the_balance) {
  const Case& c = GetParam();
  const SteadyVehicle v = steady_vehicle(c.vehicle, {.tread = c.tread});
  const std::unique_ptr<SteadyMotion> m = v.motion(c.curve);
  m->settle(c.speed);
  EXPECT_LT(m->unbalanced(), 1e-8);
  const SmallMotions s = m->small_motions();
  // points of rigid treads are found to some 1e-14 m
  const double off = worst(*m, s, std::string_view(c.tread) == "rigid" ? 2e-5 : 4e-7);
  printf("    %s, %s, %g 1/m: off by %.1e\n", c.vehicle, c.tread, c.curve.curvature, off);
  // dampers of air springs curve within the motion of the differences
  EXPECT_LT(off, std::string_view(c.vehicle) == "coach_air" ? 5e-6 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(all, Jacobian,
                         testing::Values(Case{"wheelset_suspended", "loaded", {}, 40},
                                         Case{"wheelset_suspended", "rigid", {}, 40},
                                         Case{"bogie", "loaded", {}, 30},
                                         Case{"bogie", "loaded", {1.0 / 800, -0.02}, 20},
                                         Case{"manchester1", "loaded", {1.0 / 600, -0.04}, 20},
                                         Case{"coach_air", "loaded", {}, 30},
                                         Case{"wagon_2axle", "loaded", {}, 20}));

// Springs behind dampers are states of their own; friction that sticks is a spring in K.
TEST(steady_motion, internal_states_join_small_motions) {
  const SteadyVehicle air = steady_vehicle("coach_air"), wagon = steady_vehicle("wagon_2axle");
  const std::unique_ptr<SteadyMotion> a = air.motion(), w = wagon.motion();
  a->settle(30), w->settle(20);
  const SmallMotions s = a->small_motions();
  EXPECT_EQ(s.g_x.rows(), 10);
  EXPECT_TRUE(a->friction_elements().empty());
  // each fades by itself: -k/c
  for (Eigen::Index i = 0; i < s.g_x.rows(); ++i) EXPECT_LT(s.g_x(i, i), -1);
  EXPECT_EQ(w->small_motions().g_x.rows(), 0);
  EXPECT_FALSE(w->friction_elements().empty());
}

// On the way into a curve friction slides where it must, and its force is at most its limit.
TEST(steady_motion, friction_has_slid_in_a_narrow_curve) {
  const SteadyVehicle v = steady_vehicle("wagon_y25");
  const std::unique_ptr<SteadyMotion> m = v.motion({1.0 / 300, -0.04});
  m->settle(15);
  EXPECT_LT(m->unbalanced(), 1e-8);
  double largest = 0;
  for (const double z : m->state().z) largest = std::max(largest, std::abs(z));
  EXPECT_GT(largest, 100);
  EXPECT_LT(largest, 1e5);
}

TEST(steady_motion, on_straight_track_a_vehicle_runs_straight_ahead_under_its_weight) {
  const SteadyVehicle v = steady_vehicle("manchester1");
  const std::unique_ptr<SteadyMotion> m = v.motion();
  m->settle(30);
  double sum = 0;
  for (const step::PointState& p : m->state().tread) sum += p.N;
  const double weight = 9.81 * (32000 + 2 * 2615 + 4 * 1813);
  EXPECT_NEAR(sum / weight, 1, 2e-3);  // normals lean a little
  EXPECT_LT(std::abs(m->forward()), 1e-3 * weight);
  EXPECT_NEAR(m->q()[1], 0, 1e-7);
}

// What neither place along the track nor angles of spin change has no column.
TEST(steady_motion, nothing_depends_on_the_place_along_the_track_or_on_angles_of_spin) {
  const SteadyVehicle v = steady_vehicle("feve3000_corrected");  // with geared motors
  const std::unique_ptr<SteadyMotion> m = v.motion();
  m->settle(15);
  const SmallMotions s = m->small_motions();
  const double size = s.K.cwiseAbs().maxCoeff();
  EXPECT_LT((s.K * s.D).cwiseAbs().maxCoeff(), 1e-6 * size);
  EXPECT_EQ(s.D.cols(), 5);
}

// A vehicle that is farther along an arc is the same vehicle, turned: the terms of the turning axes
// cancel what its balance changes in the ground.
TEST(steady_motion, in_a_curve_nothing_depends_on_the_place_along_the_arc) {
  const SteadyVehicle v = steady_vehicle("manchester1");
  const std::unique_ptr<SteadyMotion> m = v.motion({1.0 / 300, -0.06});
  m->settle(20);
  const SmallMotions s = m->small_motions();
  const VectorXd along = s.D.col(0);
  const double turn = m->speed() * m->curve().curvature;
  const double inertia = 44000 * turn * turn;  // M W W along the track, N/m
  // the force that keeps the speed is along the track where the vehicle was
  const double allowed = 2 * std::abs(m->forward() * m->curve().curvature);
  const double left = (s.K * along).cwiseAbs().maxCoeff();
  printf("    left %.3g N/m, of inertia %.3g, of the force along the track %.3g\n", left, inertia,
         allowed);
  EXPECT_LT(left, allowed + 0.02 * inertia);
  EXPECT_LT(allowed, 0.1 * inertia);
}

TEST(steady_motion, a_law_without_a_tangent_is_refused_but_not_its_steady_motion) {
  const SteadyVehicle v = steady_vehicle("bogie", {.law = "polach"});
  const std::unique_ptr<SteadyMotion> m = v.motion();
  m->settle(20);
  EXPECT_LT(m->unbalanced(), 1e-8);
  try {
    m->small_motions();
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_NE(std::string(e.what()).find("polach"), std::string::npos) << e.what();
  }
}

TEST(steady_motion, wrong_motions_are_errors_that_say_so) {
  const SteadyVehicle v = steady_vehicle("wheelset_suspended");
  EXPECT_THROW(v.motion()->settle(0), base::Error);
  // its carriage runs along x
  try {
    v.motion({1.0 / 500, 0})->settle(10);
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_NE(std::string(e.what()).find("carriage"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace klingel::stability
