// The generated elimination of shipped vehicles, on trees of places, against the whole matrix.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "runtime/dense_matrix.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

// feve3000_corrected: motors on wheelsets, two bogies; manchester1 and bogie: absolute coordinates
// and stiff springs
class elimination : public testing::TestWithParam<const char*> {};

TEST_P(elimination, equals_full_pivoting_on_the_whole_matrix) {
  test::VehicleRun r(GetParam());
  step::Simulator& s = r.simulator();
  const step::Description& p = *s.description();
  for (int step = 0; step < 20; ++step) {
    r.p.instance->set_inputs(s.state().t);
    ASSERT_EQ(s.step(1e-3), runtime::Status::ok) << s.failure_text();
    // all wheels held, then one of them released
    runtime::KernelSet& k = s.kernels_of_last_step();
    std::vector<double> active(p.w, 1.0);
    active[0] = step % 2 == 0 ? 1 : 0;
    k.set(p.id.active, active);
    std::vector<double> W_n;
    for (const step::PointResult& point : s.tread())
      W_n.insert(W_n.end(), point.W_n.begin(), point.W_n.end());
    k.set(p.id.W_n, W_n);
    const auto size = static_cast<Eigen::Index>(p.n + p.w);
    Eigen::MatrixXd A(size, size);
    runtime::evaluate_dense(k, p.id.step_matrix, A);
    Eigen::VectorXd b(size);
    for (Eigen::Index i = 0; i < size; ++i) b[i] = std::sin(1.0 + static_cast<double>(i));
    k.set(p.id.rhs, {b.data(), static_cast<std::size_t>(size)});
    const std::span<const double> x = k.evaluate(p.id.solve);
    const Eigen::VectorXd reference = A.fullPivLu().solve(b);
    // coordinates and forces have different sizes
    const double largest_q = reference.head(static_cast<Eigen::Index>(p.n)).cwiseAbs().maxCoeff();
    const double largest = reference.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < size; ++i) {
      const double scale = i < static_cast<Eigen::Index>(p.n) ? largest_q : largest;
      EXPECT_NEAR(x[static_cast<std::size_t>(i)], reference[i], 1e-9 * scale) << "row " << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(vehicles, elimination,
                         testing::Values("feve3000_corrected", "feve3000", "manchester1", "bogie",
                                         "wheelset_suspended", "coach_air", "wagon_y25"),
                         [](const auto& its) { return std::string(its.param); });

}  // namespace
}  // namespace klingel
