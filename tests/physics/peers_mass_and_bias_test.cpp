// Mass matrix and bias of three mechanisms equal those of two independent libraries, MuJoCo and
// Simbody, and of a plain reference in long double, on 100 random states. Prints the worst
// differences, which docs/validation.md quotes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "exec/evaluator.hpp"
#include "exec/load.hpp"
#include "exec/temporary_folder.hpp"
#include "tests/peers/models.hpp"
#include "tests/peers/mujoco_peer.hpp"
#include "tests/peers/plain_peer.hpp"
#include "tests/peers/simbody_peer.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/peer_model.hpp"

namespace klingel::test {
namespace {

constexpr unsigned n_states = 100;
// The peers reach 1e-14 in the norms and 4e-12 in the scaled elements of M: MuJoCo refers all
// inertias to the centre of mass of the whole tree, and a rotor's 1.7 kg m^2 comes out as the
// difference of numbers ten thousand times larger.
constexpr double tolerance = 1e-9;
// between us and the reference in long double: nothing but our own rounding
constexpr double rounding = 1e-13;

struct Result {
  std::vector<double> M, c;  // M n x n, column by column
  explicit Result(std::size_t n) : M(n * n), c(n) {}
};

struct Worst {
  double M = 0, M_scaled = 0, c = 0;

  void add(const Result& a, const Result& b) {
    raise(M, relative_difference(a.M, b.M));
    raise(M_scaled, scaled_difference(a.M, b.M, b.c.size()));
    raise(c, relative_difference(a.c, b.c));
  }
  void check(const std::string& what, double limit) const {
    fmt::print("{:<38} M {:.1e}  M scaled {:.1e}  bias {:.1e}\n", what, M, M_scaled, c);
    EXPECT_LE(M, limit) << what;
    EXPECT_LE(M_scaled, limit) << what;
    EXPECT_LE(c, limit) << what;
  }
};

// our kernels as one more peer
class KlingelPeer {
 public:
  KlingelPeer(const std::string& name, const peers::Tree& tree, exec::Backend backend)
      : evaluator_(load(name, tree, backend)) {}

  void evaluate(const double* q, const double* dq, Result& result) {
    const std::size_t n = result.c.size();
    evaluator_.set("q", {q, n});
    evaluator_.set("dq", {dq, n});
    const std::span<const double> values = evaluator_.evaluate("M_qq")[0];
    const klingel_output& M = evaluator_.kernel().abi().functions[0].outputs[0];
    std::fill(result.M.begin(), result.M.end(), 0.0);
    for (std::size_t col = 0; col < n; ++col)
      for (std::uint32_t k = M.col_start[col]; k < M.col_start[col + 1]; ++k)
        result.M[col * n + M.row[k]] = values[k];
    const std::span<const double> delta = evaluator_.evaluate("delta_q")[0];
    for (std::size_t i = 0; i < n; ++i) result.c[i] = -delta[i];
  }

 private:
  static exec::Kernel load(const std::string& name, const peers::Tree& tree,
                           exec::Backend backend) {
    PeerModel model(name, tree);
    const exec::TemporaryFolder cache;  // nobody has compiled these before
    exec::Options options;
    options.backend = backend;
    options.cache_dir = cache.path();
    // the same bits in a third of the compiler's time
    if (tree.bodies.size() > 50) options.flags = {"-O0"};
    return exec::load(peer_program(model.model()), options);
  }

  exec::Evaluator evaluator_;
};

// The same bodies sorted by their distance from the ground, so that neither library keeps our
// order of coordinates.
peers::Tree by_level(const peers::Tree& tree) {
  const std::size_t n = tree.bodies.size();
  std::vector<int> level(n), order(n), place(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int parent = tree.bodies[i].parent;
    level[i] = parent < 0 ? 0 : level[static_cast<std::size_t>(parent)] + 1;
    order[i] = static_cast<int>(i);
  }
  const auto at = [](std::vector<int>& list, int i) -> int& {
    return list[static_cast<std::size_t>(i)];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return at(level, a) < at(level, b); });
  peers::Tree sorted{{}, tree.g};
  for (std::size_t i = 0; i < n; ++i) {
    at(place, order[i]) = static_cast<int>(i);
    peers::Body body = tree.bodies[static_cast<std::size_t>(order[i])];
    if (body.parent >= 0) body.parent = at(place, body.parent);
    sorted.bodies.push_back(body);
  }
  return sorted;
}

// a chain with axes and offsets in no particular direction
peers::Tree skew_chain() {
  const auto unit = [](double x, double y, double z) {
    const double l = std::sqrt(x * x + y * y + z * z);
    return peers::Vec3{x / l, y / l, z / l};
  };
  using Kind = peers::Joint::Kind;
  const peers::Mat3 I = {0.5, 0.02, -0.03, 0.02, 0.6, 0.01, -0.03, 0.01, 0.4};
  peers::Tree tree{{}, 9.81};
  tree.bodies.push_back({-1,
                         {0.1, 0.2, 0.3},
                         {{Kind::revolute, unit(1, 2, 3)}, {Kind::prismatic, unit(1, -1, 2)}},
                         2.0,
                         {0.1, 0.0, -0.1},
                         I});
  tree.bodies.push_back({0,
                         {0.3, 0, 0.1},
                         {{Kind::prismatic, unit(0, 1, 1)}, {Kind::revolute, unit(-1, 2, 0.5)}},
                         1.5,
                         {0, 0.2, 0.1},
                         I});
  tree.bodies.push_back(
      {0, {0, 0.3, 0}, {{Kind::revolute, unit(0, 0, -1)}}, 1.0, {0.1, 0.1, 0}, I});
  return tree;
}

void compare(const std::string& name, const peers::Tree& tree) {
  const auto n = static_cast<std::size_t>(peers::coordinate_count(tree));
  KlingelPeer interpreted(name, tree, exec::Backend::interpreter);
  KlingelPeer compiled(name, tree, exec::Backend::cc);
  peers::MujocoPeer mujoco(tree);
  peers::SimbodyPeer simbody(tree);
  Result ours(n), ours_compiled(n), by_mujoco(n), by_simbody(n), by_plain(n);
  Worst ours_mujoco, ours_simbody, ours_plain, mujoco_plain, simbody_plain;
  for (unsigned seed = 0; seed < n_states; ++seed) {
    const peers::State state = peers::random_state(tree, seed);
    const double *q = state.q.data(), *dq = state.dq.data();
    interpreted.evaluate(q, dq, ours);
    compiled.evaluate(q, dq, ours_compiled);
    mujoco.evaluate(q, dq, by_mujoco.M.data(), by_mujoco.c.data());
    simbody.evaluate(q, dq, by_simbody.M.data(), by_simbody.c.data());
    peers::evaluate_plain(tree, q, dq, by_plain.M.data(), by_plain.c.data());
    // both back ends give the same bits, so one of them is enough below
    ASSERT_EQ(ours.M, ours_compiled.M);
    ASSERT_EQ(ours.c, ours_compiled.c);
    ours_mujoco.add(ours, by_mujoco);
    ours_simbody.add(ours, by_simbody);
    ours_plain.add(ours, by_plain);
    mujoco_plain.add(by_mujoco, by_plain);
    simbody_plain.add(by_simbody, by_plain);
  }
  ours_mujoco.check(name + ", Klingel - MuJoCo", tolerance);
  ours_simbody.check(name + ", Klingel - Simbody", tolerance);
  ours_plain.check(name + ", Klingel - plain", rounding);
  mujoco_plain.check(name + ", MuJoCo - plain", tolerance);
  simbody_plain.check(name + ", Simbody - plain", tolerance);
}

TEST(peers_mass_and_bias, of_a_seven_joint_arm_are_those_of_mujoco_and_simbody) {
  compare("arm7", peers::arm7());
}

TEST(peers_mass_and_bias, of_the_locomotive_tree_are_those_of_mujoco_and_simbody) {
  compare("tree30", peers::tree30());
}

TEST(peers_mass_and_bias, of_the_tree_in_another_order_are_those_of_mujoco_and_simbody) {
  compare("tree30_by_level", by_level(peers::tree30_welded()));
}

TEST(peers_mass_and_bias, of_an_80_link_pendulum_are_those_of_mujoco_and_simbody) {
  compare("pendulum80", peers::pendulum(80));
}

TEST(peers_mass_and_bias, with_skew_axes_are_those_of_mujoco_and_simbody) {
  compare("skew_chain", skew_chain());
}

// the same motion described twice, by the reference alone
TEST(peers_mass_and_bias, merged_and_welded_axle_boxes_are_the_same_mechanism) {
  const peers::Tree a = peers::tree30(), b = peers::tree30_welded();
  Result by_a(30), by_b(30);
  Worst worst;
  for (unsigned seed = 0; seed < n_states; ++seed) {
    const peers::State state = peers::random_state(a, seed);
    peers::evaluate_plain(a, state.q.data(), state.dq.data(), by_a.M.data(), by_a.c.data());
    peers::evaluate_plain(b, state.q.data(), state.dq.data(), by_b.M.data(), by_b.c.data());
    worst.add(by_a, by_b);
  }
  worst.check("tree30, merged - welded", 1e-14);
}

TEST(peers_mass_and_bias, unphysical_inertia_is_refused_by_both_libraries) {
  peers::Tree tree = peers::tree30();
  tree.bodies[0].inertia_about_com = {7800, 0, 0, 0, 53079, 0, 0, 0, 17000};
  EXPECT_THROW(peers::MujocoPeer{tree}, std::runtime_error);
  EXPECT_THROW(peers::SimbodyPeer{tree}, std::runtime_error);
  PeerModel ours("tree30", tree);  // a doubt, not a refusal
  ASSERT_EQ(ours.model().warnings().size(), 1u);
}

}  // namespace
}  // namespace klingel::test
