// The embedded formulation of the step against the augmented one: accelerations and normal forces
// must equal the solution of the whole system with the accelerations of the contact coordinates and
// the multipliers of the tangent constraints among the unknowns,
//
//   [ M_qq       0          dphi_n_dq^T  dphi_d_dq^T ] [ ddq      ]   [ delta_q ]
//   [ 0          0          dphi_n_ds^T  dphi_d_ds^T ] [ dds      ]   [ 0       ]
//   [ dphi_n_dq  dphi_n_ds  0            0           ] [ lambda_n ] = [ gamma_n ]
//   [ dphi_d_dq  dphi_d_ds  0            0           ] [ lambda_d ]   [ gamma_d ]
//
// from the constraints' own derivatives, which the step never makes.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/continuous.hpp"
#include "runtime/sparse_matrix.hpp"
#include "tests/support/curve_vehicle.hpp"

namespace klingel::physics {
namespace {

using namespace support;

class Augmented {
 public:
  explicit Augmented(SimpleVehicle& v, reference::Continuous& at) : v_(v), p_(at.vehicle()) {
    sym::Graph graph;
    const gen::Program program(graph, "contact_reference",
                               model::contact_reference_interface(graph));
    kernel_ = std::make_unique<exec::Kernel>(exec::load(program));
  }

  // ddq, dds, lambda_n, lambda_d where `at` is placed, with its forces
  Eigen::VectorXd solve(const reference::Continuous& at) {
    const Eigen::Index n = at.coordinates(), w = at.wheels(), size = n + 9 * w;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
    A.topLeftCorner(n, n) = at.M;
    right.head(n) = at.delta + at.contact;
    for (Eigen::Index i = 0; i < w; ++i) {
      const Contact c = contact(static_cast<std::size_t>(i));
      const Eigen::Index s = n + 4 * i, l_n = n + 4 * w + i, l_d = n + 5 * w + 4 * i;
      A.row(l_n).head(n) = c.n_dtwist * J(c.wheelset, n);
      A.row(l_n).segment(s, 4) = c.n_ds;
      A.middleRows(l_d, 4).leftCols(n) = c.d_dtwist * J(c.wheelset, n);
      A.block(l_d, s, 4, 4) = c.d_ds;
      right[l_n] = c.gamma_n;
      right.segment(l_d, 4) = c.gamma_d;
    }
    A.topRightCorner(n + 4 * w, 5 * w) = A.bottomLeftCorner(5 * w, n + 4 * w).transpose();
    return A.fullPivLu().solve(right);
  }

 private:
  struct Contact {
    std::size_t wheelset;
    Eigen::RowVectorXd n_ds, n_dtwist;
    Eigen::MatrixXd d_ds, d_dtwist;
    double gamma_n;
    Eigen::VectorXd gamma_d;
  };

  // v_C, w and the rate of spin by dq; the constraints do not see the spin
  Eigen::MatrixXd J(std::size_t wheelset, Eigen::Index n) {
    const Eigen::MatrixXd rows = runtime::evaluate_sparse(p_.at.kernels, p_.vehicle.id.twist_dq);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(7, n);
    J.topRows(6) = rows.middleRows(static_cast<Eigen::Index>(9 * wheelset), 6);
    return J;
  }

  Contact contact(std::size_t wheel) {
    runtime::KernelSet k(kernel_->abi());
    const step::Contact c = p_.rigid()->tread[wheel];
    Contact result;
    result.wheelset = v_.data.wheels[wheel].wheelset;
    const std::array<double, 4> s = c.s();
    k.set(k.input("y_w"), 0, v_.data.wheels[wheel].y_w);
    k.set(k.input("pose"), p_.at.pose(result.wheelset));
    k.set(k.input("s"), s);
    std::vector<double> spline;
    const auto add = [&](const spline::CubicSpline& f, double u) {
      const spline::CubicPiece& piece = f.pieces()[f.index(u)];
      for (const double x : {piece.a, piece.b, piece.c, piece.d, piece.u_bp}) spline.push_back(x);
    };
    add(v_.data.wheels[wheel].surface.f_w, s[1]);
    add(c.rail().f_r, s[3]);
    for (const spline::CubicSpline* f :
         {&c.rail().line.x, &c.rail().line.y, &c.rail().line.z, &c.rail().line.theta})
      add(*f, s[2]);
    k.set(k.input("spline"), spline);
    k.set(k.input("twist"), p_.at.twist(result.wheelset));
    k.set(k.input("bias"), p_.at.bias(result.wheelset));
    k.set(k.input("ds"), c.rates());

    // outputs one after another, matrices by columns
    const std::span<const double> jacobians = k.evaluate(k.function("jacobians"));
    result.n_ds = Eigen::Map<const Eigen::RowVectorXd>(&jacobians[0], 4);
    result.d_ds = Eigen::Map<const Eigen::MatrixXd>(&jacobians[4], 4, 4);
    result.n_dtwist = Eigen::Map<const Eigen::RowVectorXd>(&jacobians[20], 7);
    result.d_dtwist = Eigen::Map<const Eigen::MatrixXd>(&jacobians[27], 4, 7);
    const std::span<const double> gamma = k.evaluate(k.function("gamma"));
    result.gamma_n = gamma[0];
    result.gamma_d = Eigen::Map<const Eigen::VectorXd>(&gamma[1], 4);
    return result;
  }

  SimpleVehicle& v_;
  step::VehicleCopy& p_;
  std::unique_ptr<exec::Kernel> kernel_;
};

void expect_equal(SimpleVehicle& v, const step::VehicleState& state) {
  reference::Continuous at(*v.simulator);
  at.phi_tolerance = 1e-14;
  at.begin(state);
  std::vector<double> q = state.q, dq = state.dq;
  ASSERT_TRUE(at.project(q.data(), dq.data(), 1e-13));
  ASSERT_TRUE(at.accelerate());
  Augmented augmented(v, at);
  const Eigen::VectorXd x = augmented.solve(at);
  const Eigen::Index n = at.coordinates(), w = at.wheels();
  const double apart = (x.head(n) - at.ddq).lpNorm<Eigen::Infinity>();
  const double apart_N = (x.segment(n + 4 * w, w) + at.N).lpNorm<Eigen::Infinity>();
  const double lambda_d = x.tail(4 * w).lpNorm<Eigen::Infinity>();
  const double size = at.ddq.lpNorm<Eigen::Infinity>(), weight = at.N.lpNorm<Eigen::Infinity>();
  printf("    %ld unknowns: ddq apart by %.1e of %.3g, N by %.1e of %.0f N, lambda_d %.1e\n",
         static_cast<long>(x.size()), apart / size, size, apart_N / weight, weight, lambda_d);
  // roundings of a system of condition 1e8
  EXPECT_LT(apart, 1e-8 * size);
  EXPECT_LT(apart_N, 1e-8 * weight);
  // tangent constraints carry no force: dphi_n_ds vanishes where phi_d = 0
  EXPECT_LT(lambda_d, 1e-6 * weight);
  EXPECT_GT(weight, 1000);
}

TEST(augmented_formulation, equals_the_embedded_one_on_a_wheelset_in_a_curve) {
  const Curve curve{1.0 / 500, 0.05};
  SimpleVehicle v = simple_vehicle("klingel_wheelset", {}, [](mech::Model& m) {
    return free_wheelset(m, 1250, 700, 100, 0.45 + 1e-4);
  });
  put_on(v, {}, curve);
  step::Simulator& s = *v.simulator;
  step::VehicleState state = s.state();
  state.q = {0, 3e-3, 0.45 + 1e-4, 2e-3, 0.05, 0};
  start::settle(s, state, {.held = {0, 1, 3, 5}});
  const double speed = 15;
  state.dq = {speed, 0.01, 0, speed * curve.curvature, 0, speed / 0.45 + 0.1};
  start::project_velocities(s, state);
  expect_equal(v, state);
}

TEST(augmented_formulation, equals_the_embedded_one_on_the_locomotive_in_a_curve) {
  const Curve curve{1.0 / 1500, 0.03};
  FileVehicle v = file_vehicle("feve3000", curve);
  step::VehicleState state = start_locomotive(v, curve, 11.87, 2e-3);
  // moving in every coordinate
  for (std::size_t i = 0; i < state.dq.size(); ++i)
    state.dq[i] += 1e-2 * std::sin(1.0 + static_cast<double>(i));
  start::project_velocities(*v.simulator, state);
  expect_equal(v, state);
}

// The step itself, as its length goes to zero: it moves velocities by h ddq, with the normal forces
// of the same system.
TEST(augmented_formulation, is_what_a_short_step_solves) {
  const Curve curve{1.0 / 1500, 0.03};
  FileVehicle v = file_vehicle("feve3000", curve);
  step::Simulator& s = *v.simulator;
  step::VehicleState state = start_locomotive(v, curve, 11.87, 2e-3);
  reference::Continuous at(s);
  at.begin(state);
  ASSERT_TRUE(at.project(state.q.data(), state.dq.data()));
  ASSERT_TRUE(at.accelerate());
  at.end(state);
  const Eigen::VectorXd x = Augmented(v, at).solve(at);
  const Eigen::Index n = at.coordinates(), w = at.wheels();
  double before = 0;
  for (const double h : {1e-5, 1e-6}) {
    s.set_state(state);
    ASSERT_EQ(s.step(h), runtime::Status::ok) << s.failure_text();
    double apart = 0, apart_N = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      apart = std::max(apart, std::abs((s.dq_end()[k] - state.dq[k]) / h - x[i]));
    }
    for (Eigen::Index i = 0; i < w; ++i) {
      const double N = s.tread()[static_cast<std::size_t>(i)].N;
      apart_N = std::max(apart_N, std::abs(N + x[n + 4 * w + i]));
    }
    apart /= x.head(n).lpNorm<Eigen::Infinity>();
    apart_N /= at.N.lpNorm<Eigen::Infinity>();
    printf("    h %.0e s: ddq apart by %.1e, N by %.1e\n", h, apart, apart_N);
    // of first order in h
    if (before > 0) {
      EXPECT_NEAR(before / apart, 10, 2);
    }
    before = apart;
    EXPECT_LT(apart_N, 1e3 * h);
  }
}

}  // namespace
}  // namespace klingel::physics
