// A wheelset on springs hunts above its critical speed. Linear theory: lateral and yaw motion,
// Kalker's forces without spin, no gravitational stiffness,
//
//   m y''     + 2 f22 (y'/V - psi)                    + k_y y     = 0
//   Iz psi''  + 2 f11 b (lambda y / r0 + b psi' / V)  + k_psi psi = 0
//
// built as a body with force elements and linearised by the library; the eigenvalues say where the
// wave begins to grow.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <optional>
#include <string>
#include <vector>

#include "mech/elements.hpp"
#include "mech/equations.hpp"
#include "sym/differentiate.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::physics {
namespace {

using mech::Expr;

class SuspendedWheelset {
 public:
  SuspendedWheelset()
      : m_("suspended_wheelset"), y_(m_.coordinate("y")), psi_(m_.coordinate("psi")) {
    V_ = m_.parameter("V", 50);
    const Expr m = m_.parameter("m", 1250), I_z = m_.parameter("I_z", 700);
    const Expr f = m_.parameter("f", 10e6), b = m_.parameter("b", 0.75);
    const Expr r0 = m_.parameter("r0", 0.45), lambda = m_.parameter("lambda", 0.05);
    const Expr k_y = m_.parameter("k_y", 250e3), k_psi = m_.parameter("k_psi", 5e6);
    const mech::Base ground = m_.ground_base();
    const mech::Base B = m_.rotation("B", ground, mech::axis::z, psi_.q);
    const mech::Point C = m_.point("C", m_.origin(), m_.vector(ground, 0, y_.q, 0));
    m_.body("wheelset", C, B, m, m_.vector(B, 0, 0, 0), m_.inertia(B, 0, 0, I_z));
    // slip of each wheel in its own directions: yaw steers, the rolling radius changes with y
    for (const double side : {1.0, -1.0}) {
      const std::string name = side > 0 ? "left" : "right";
      const Expr xi_x = -m_.number(side) * (lambda * y_.q / r0 + b * psi_.dq / V_);
      const Expr xi_y = y_.dq / V_ - psi_.q;
      const mech::Point P = m_.point(name, C, m_.vector(B, 0, m_.number(side) * b, 0));
      m_.add_force(name + ".creep", m_.vector(B, -f * xi_x, -f * xi_y, 0), P);
    }
    m_.add_force("spring", m_.vector(ground, 0, -k_y * y_.q, 0), C);
    m_.add_moment("spring", m_.vector(ground, 0, 0, -k_psi * psi_.q), B);
    linearise();
  }

  // The largest real part of all eigenvalues, 1/s.
  double growth(double V) const {
    test::State state(const_cast<mech::Model&>(m_));
    state.set(V_, V);
    const std::vector<double> v = quantities_->at(state);
    const Eigen::Map<const Eigen::Matrix2d> M(&v[0]), K(&v[4]), D(&v[8]);
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A.topRightCorner<2, 2>().setIdentity();
    A.bottomLeftCorner<2, 2>() = M.inverse() * K;
    A.bottomRightCorner<2, 2>() = M.inverse() * D;
    return Eigen::EigenSolver<Eigen::Matrix4d>(A, false).eigenvalues().real().maxCoeff();
  }

 private:
  // M, d(delta)/dq and d(delta)/d(dq) at rest, column by column
  void linearise() {
    const mech::Equations e = mech::equations(m_);
    std::vector<Expr> list = test::dense(m_, e.M_qq);
    for (const std::vector<Expr>* by : {&e.q, &e.dq})
      for (const Expr x : *by)
        for (const Expr delta : e.delta_q) list.push_back(sym::derivative(delta, x));
    quantities_.emplace(m_, list);
  }

  mech::Model m_;
  sym::Coordinate y_, psi_;
  Expr V_;
  std::optional<test::Quantities> quantities_;
};

TEST(suspended_wheelset, begins_to_hunt_at_the_critical_speed_of_linear_theory) {
  const SuspendedWheelset wheelset;
  double stable = 20, unstable = 400;
  ASSERT_LT(wheelset.growth(stable), 0);
  ASSERT_GT(wheelset.growth(unstable), 0);
  while (unstable - stable > 1e-6) {
    const double middle = (stable + unstable) / 2;
    (wheelset.growth(middle) > 0 ? unstable : stable) = middle;
  }
  // 190.19 m/s is known to five digits; everything here is linear, so nothing else is left
  EXPECT_NEAR(stable, 190.19, 0.01);
}

}  // namespace
}  // namespace klingel::physics
