// The shipped mechanisms against analytic results, and three formalisms against each other on each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "examples/mechanisms.hpp"
#include "exec/load.hpp"
#include "gen/program.hpp"
#include "mech/equations.hpp"
#include "mech/reference.hpp"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "sym/tape.hpp"

namespace klingel {
namespace {

// an example from its description to a mechanism that can run, by the interpreter
class Example {
 public:
  explicit Example(const std::string& name) : model_(name) {
    const examples::Mechanism& e = examples::mechanism(name);
    e.build(model_);
    const mech::Equations equations = mech::equations(model_);
    const gen::Program program(model_.graph(), name, mech::interface(model_, equations));
    exec::Options options;
    options.backend = exec::Backend::interpreter;
    kernel_ = std::make_unique<exec::Kernel>(exec::load(program, options));
    std::vector<std::string> constraints;
    for (const mech::Constraint& c : model_.constraints()) constraints.push_back(c.name);
    mechanism_ = std::make_unique<mechanism::Mechanism>(kernel_->abi(), constraints);
    state_ = mechanism_->nominal_state();
  }

  mech::Model& model() { return model_; }
  mechanism::Mechanism& mechanism() { return *mechanism_; }
  mechanism::State& state() { return state_; }
  double& operator[](const char* name) {
    const auto& rates = mechanism_->rate_names();
    const bool is_rate = std::find(rates.begin(), rates.end(), name) != rates.end();
    return is_rate ? mechanism_->rate(state_, name) : mechanism_->coordinate(state_, name);
  }

  void advance(double t_end, double h, mechanism::Method method = mechanism::Method::rk4) {
    mechanism::Integrator integrator(*mechanism_, {.method = method, .h = h});
    ASSERT_EQ(integrator.advance(state_, t_end), runtime::Status::ok) << integrator.failure_text();
  }

 private:
  mech::Model model_;
  std::unique_ptr<exec::Kernel> kernel_;
  std::unique_ptr<mechanism::Mechanism> mechanism_;
  mechanism::State state_;
};

// K(k) by the arithmetic-geometric mean
double complete_elliptic_integral(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  while (std::abs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return M_PI / (2 * a);
}

TEST(Pendulum, comes_back_after_the_period_of_the_elliptic_integral) {
  Example e("pendulum");
  // slender rod: equivalent length 2 l / 3
  const double theta = 1.2, period = 4 * std::sqrt(2.0 / 3 / 9.81) *
                                     complete_elliptic_integral(std::sin(theta / 2));
  e.advance(period, 1e-3);
  EXPECT_NEAR(e["theta"], theta, 1e-10);
  EXPECT_NEAR(e["dtheta"], 0, 1e-9);
}

TEST(Top, precesses_steadily_at_the_rate_that_balances_weight) {
  Example e("top");
  const double m = 0.5, l = 0.06, I = 8e-4 + m * l * l, I_s = 1.5e-3, g = 9.81, theta = 0.4,
               spin = 150;
  // torque balance of steady precession: m g l = I_s (dphi + dpsi cos) dpsi - I dpsi^2 cos
  const double c = std::cos(theta);
  const double A = (I_s - I) * c, B = I_s * spin, C = -m * g * l;
  const double precession = (-B + std::sqrt(B * B - 4 * A * C)) / (2 * A);
  e["dpsi"] = precession;
  e.advance(2.0, 1e-3);
  EXPECT_NEAR(e["theta"], theta, 1e-9);
  EXPECT_NEAR(e["psi"], 2.0 * precession, 1e-8);
  EXPECT_NEAR(e["dphi"], spin, 1e-8);
}

TEST(FreeBody, keeps_energy_and_angular_momentum_and_flips) {
  Example e("free_body");
  const auto momentum = [&] {
    const auto H = e.mechanism().output(e.state(), "H");
    return std::vector<double>(H.begin(), H.end());
  };
  const auto spin = [&] { return e.mechanism().output(e.state(), "omega")[1]; };
  const std::vector<double> H0 = momentum();
  const double T0 = e.mechanism().energy(e.state()).kinetic;
  double lowest = spin();
  for (int i = 1; i <= 200; ++i) {
    e.advance(0.1 * i, 1e-3);
    lowest = std::min(lowest, spin());
  }
  // RK4 at 1 ms over 20 s; order four is measured below
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(momentum()[i], H0[i], 1e-10);
  EXPECT_NEAR(e.mechanism().energy(e.state()).kinetic, T0, 1e-9);
  EXPECT_LT(lowest, -4.9);  // the intermediate axis has turned over
}

TEST(FreeBody, energy_error_falls_with_the_order_of_the_integrator) {
  const auto drift = [](double h, mechanism::Method method) {
    Example e("free_body");
    const double T0 = e.mechanism().energy(e.state()).kinetic;
    e.advance(4.0, h, method);
    return std::abs(e.mechanism().energy(e.state()).kinetic - T0);
  };
  const double order =
      std::log2(drift(0.04, mechanism::Method::rk4) / drift(0.02, mechanism::Method::rk4));
  EXPECT_GT(order, 3.5);
}

TEST(SliderCrank, piston_follows_the_crank_by_geometry) {
  Example e("slider_crank");
  const mechanism::Assembly assembly =
      mechanism::assemble(e.mechanism(), e.state(), {{"phi"}, {"dphi"}});
  EXPECT_EQ(assembly.degrees_of_freedom, 1u);
  const double r = 0.1, l = 0.3;
  for (int i = 1; i <= 20; ++i) {
    e.advance(0.05 * i, 1e-3);
    const double phi = e["phi"];
    EXPECT_NEAR(e["x"],
                r * std::cos(phi) + std::sqrt(l * l - r * r * std::sin(phi) * std::sin(phi)), 1e-9);
  }
}

TEST(FourBar, joint_positions_follow_the_geometry_of_triangles) {
  Example e("four_bar");
  mechanism::assemble(e.mechanism(), e.state(), {{"theta1"}, {"dtheta1"}});
  const double l1 = 0.4, l2 = 1.0, l3 = 0.8, l4 = 1.0;
  const double E0 =
      e.mechanism().energy(e.state()).kinetic + e.mechanism().energy(e.state()).potential;
  for (int i = 1; i <= 20; ++i) {
    e.advance(0.1 * i, 1e-3);
    // B lies on circles about A and D; rotation about y takes x to (cos, -sin) in (x, z)
    const double t1 = e["theta1"], t12 = t1 + e["theta2"];
    const double ax = l1 * std::cos(t1), az = -l1 * std::sin(t1);
    const double dx = l4 - ax, dz = -az, d = std::hypot(dx, dz);
    const double along = (d * d + l2 * l2 - l3 * l3) / (2 * d),
                 across = std::sqrt(l2 * l2 - along * along);
    const double bx = ax + l2 * std::cos(t12), bz = az - l2 * std::sin(t12);
    const double sign = (bx - ax) * -dz / d + (bz - az) * dx / d > 0 ? 1 : -1;
    EXPECT_NEAR(bx, ax + along * dx / d - sign * across * dz / d, 1e-9);
    EXPECT_NEAR(bz, az + along * dz / d + sign * across * dx / d, 1e-9);
  }
  const mechanism::Energy end = e.mechanism().energy(e.state());
  EXPECT_NEAR(end.kinetic + end.potential, E0, 1e-7);
}

TEST(FourBar, mass_matrix_is_the_one_the_article_prints) {
  // the article's expressions with their sign turned (there M and delta are both negated)
  Example e("four_bar");
  mech::Model& m = e.model();
  const mech::Equations equations = mech::equations(m);
  std::vector<sym::Expr> values;
  for (const sym::Entry& x : equations.M_qq.entries()) values.push_back(x.value);
  ASSERT_EQ(values.size(), 9u);
  const auto p = [&](const char* name) {
    return m.graph().symbol_of(m.graph().lookup(name)).value;
  };
  const double t2 = 0.9, t3 = 1.2;  // nominal
  const double c23 = std::cos(t2 + t3), s23 = std::sin(t2 + t3);
  const double a237 = p("m3") * p("l2") * (p("cg3x") * std::cos(t3) + std::sin(t3) * p("cg3z"));
  const double a253 = p("m3") * p("l1") * (p("cg3x") * c23 + s23 * p("cg3z")) + a237;
  const double a214 = p("l1") * p("l2") * std::cos(t2);
  const double l11 = p("l1") * p("l1"), l22 = p("l2") * p("l2");
  const double link2 =
      std::sin(t2) * p("l1") * p("cg2z") * p("m2") + p("m2") * p("cg2x") * p("l1") * std::cos(t2);
  const double a270 = link2 + p("m3") * (a214 + l22) + p("I3yy") + a237 + p("I2yy") + a253;
  const double M00 = p("m3") * (l11 + 2 * a214 + l22) + l11 * p("m2") + p("I3yy") + p("I2yy") +
                     2 * a253 + p("I1yy") + 2 * link2;
  const double M[9] = {M00,
                       a270,
                       a253 + p("I3yy"),
                       a270,
                       p("m3") * l22 + p("I3yy") + 2 * a237 + p("I2yy"),
                       p("I3yy") + a237,
                       a253 + p("I3yy"),
                       p("I3yy") + a237,
                       p("I3yy")};
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(sym::value(values[i]), M[i], 1e-14) << i;
}

TEST(LocomotiveTree, mass_matrix_is_that_of_an_independent_program) {
  std::istringstream file(
      base::read_file(KLINGEL_SOURCE_DIR "/tests/physics/locomotive_mass_matrix.csv"));
  std::vector<double> q, expected(900, 0.0);
  double largest = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream fields(line.starts_with("q,") ? line.substr(2) : line);
    std::vector<double> values;
    for (std::string field; std::getline(fields, field, ',');) values.push_back(std::stod(field));
    if (line.starts_with("q,")) {
      q = values;
      continue;
    }
    const auto r = static_cast<std::size_t>(values[0]), c = static_cast<std::size_t>(values[1]);
    expected[c * 30 + r] = expected[r * 30 + c] = values[2];
    largest = std::max(largest, std::abs(values[2]));
  }
  ASSERT_EQ(q.size(), 30u);
  mech::Model m("locomotive_tree");
  examples::build_locomotive_tree(m);
  const sym::Matrix M = mech::equations(m).M_qq;
  for (std::size_t i = 0; i < 30; ++i) m.graph().set_value(m.coordinates()[i].q, q[i]);
  std::vector<double> found(900, 0.0);
  for (const sym::Entry& e : M.entries()) found[e.col * 30 + e.row] = sym::value(e.value);
  for (std::size_t i = 0; i < 900; ++i) EXPECT_NEAR(found[i], expected[i], 1e-13 * largest) << i;
}

// u - (u e) e for a unit vector e of four
void remove_component(const double* e, double* u) {
  const double along = std::inner_product(e, e + 4, u, 0.0);
  for (int i = 0; i < 4; ++i) u[i] -= along * e[i];
}

// M and delta_q by virtual power with grouping, by Lagrange and body by body
class EveryExample : public testing::TestWithParam<const char*> {};

TEST_P(EveryExample, gives_the_same_equations_by_three_formalisms) {
  mech::Model m(GetParam());
  examples::mechanism(GetParam()).build(m);
  const mech::Equations fast = mech::equations(m);
  const mech::ReferenceEquations roads[] = {mech::lagrange(m), mech::per_body_virtual_power(m)};

  std::vector<sym::Expr> leaves = m.parameters();
  for (const auto* list : {&m.inputs(), &m.forces()})
    leaves.insert(leaves.end(), list->begin(), list->end());
  const std::size_t n_fixed = leaves.size();
  for (const auto* list : {&fast.q, &fast.dq})
    leaves.insert(leaves.end(), list->begin(), list->end());

  const std::size_t n = fast.q.size();
  const sym::Expr zero = m.number(0);
  const auto outputs = [&](const sym::Matrix& M, const std::vector<sym::Expr>& delta) {
    std::vector<sym::Expr> all(n * n, zero);
    for (const sym::Entry& e : M.entries()) all[e.col * n + e.row] = e.value;
    all.insert(all.end(), delta.begin(), delta.end());
    return all;
  };
  std::vector<sym::Expr> all = outputs(fast.M_qq, fast.delta_q);
  const std::size_t each = all.size();
  for (const auto& r : roads) {
    const std::vector<sym::Expr> more = outputs(r.M_qq, r.delta_q);
    all.insert(all.end(), more.begin(), more.end());
  }
  const sym::Tape tape(leaves, all);
  std::vector<double> in(leaves.size()), out(all.size()), registers(tape.registers());
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int state = 0; state < 10; ++state) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double nominal = m.graph().symbol_of(leaves[i]).value;
      in[i] = i < n_fixed ? nominal : nominal + uniform(random);
    }
    // Euler parameters describe a rotation on the unit sphere only, and a force along e does
    // nothing there but load the constraint: equations agree in what is left
    const bool on_sphere = std::string(GetParam()) == "free_body";
    double* e = in.data() + n_fixed;
    if (on_sphere) {
      const double norm = std::sqrt(std::inner_product(e, e + 4, e, 0.0));
      for (int i = 0; i < 4; ++i) e[i] /= norm;
      remove_component(e, e + 4);
    }
    tape.run(in.data(), out.data(), registers.data());
    for (std::size_t road = 0; on_sphere && road < 3; ++road)
      remove_component(e, out.data() + road * each + n * n);
    double largest_M = 0, largest_delta = 0;
    for (std::size_t i = 0; i < each; ++i) {
      double& largest = i < n * n ? largest_M : largest_delta;
      largest = std::max(largest, std::abs(out[i]));
    }
    for (std::size_t road = 1; road <= 2; ++road) {
      for (std::size_t i = 0; i < each; ++i) {
        ASSERT_NEAR(out[road * each + i], out[i], 1e-12 * (i < n * n ? largest_M : largest_delta))
            << "road " << road << ", element " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryExample,
                         testing::Values("pendulum", "double_pendulum", "top", "free_body",
                                         "slider_crank", "four_bar", "arm", "chain",
                                         "locomotive_tree"),
                         [](const auto& its) { return std::string(its.param); });

}  // namespace
}  // namespace klingel
