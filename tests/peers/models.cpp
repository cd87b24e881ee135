// Numbers of the comparison mechanisms. The arm and the pendulum are invented. Masses and inertias
// of tree30 are those of the FEVE 3000 data, except where these are not physical (the libraries
// refuse them); each exception is marked "changed".

#include "models.hpp"

#include <cmath>
#include <random>
#include <utility>

namespace klingel::peers {
namespace {

constexpr Vec3 ex{1, 0, 0}, ey{0, 1, 0}, ez{0, 0, 1}, zero{0, 0, 0};

Joint slide(const Vec3& axis) { return {Joint::Kind::prismatic, axis}; }
Joint turn(const Vec3& axis) { return {Joint::Kind::revolute, axis}; }

Mat3 diagonal(double x, double y, double z) { return {x, 0, 0, 0, y, 0, 0, 0, z}; }

Mat3 symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  return {xx, xy, xz, xy, yy, yz, xz, yz, zz};
}

// Appends a body and returns its index.
int add(Tree& tree, int parent, const Vec3& offset, std::vector<Joint> joints, double mass,
        const Vec3& com, const Mat3& inertia) {
  tree.bodies.push_back({parent, offset, std::move(joints), mass, com, inertia});
  return static_cast<int>(tree.bodies.size()) - 1;
}

// tree30 with its axle boxes either merged into the wheelset frame or left for later
struct Locomotive {
  Tree tree;
  std::vector<int> wheelset_frames;
};

constexpr double m_axle_box = 67.72, y_axle_box = 0.815;
const Mat3 I_axle_box = diagonal(0.96, 4.57, 4.29);

Locomotive locomotive(bool merge_axle_boxes) {
  Locomotive out{{{}, 9.8}, {}};
  Tree& tree = out.tree;

  // changed: centre of mass 1.0 m up (3.5 m), inertia about it (7800, 53079, 17000)
  const int vehicle =
      add(tree, -1, zero, {slide(ex), slide(ey), slide(ez), turn(ez), turn(ex), turn(ey)}, 22608.0,
          {-0.1372, 0, 1.0}, diagonal(24000, 465000, 463000));

  // the two axle boxes of a wheelset, by the parallel axis theorem
  const double shift = 2 * m_axle_box * y_axle_box * y_axle_box;
  const Mat3 I_pair =
      diagonal(2 * I_axle_box[0] + shift, 2 * I_axle_box[4], 2 * I_axle_box[8] + shift);

  for (const bool rear : {true, false}) {
    const int slider = add(tree, vehicle, {rear ? -4.75 : 4.75, 0, 0}, {turn(ez)}, 461.0, zero,
                           diagonal(216.4, 25.9, 232.1));
    // changed: the data give this inertia about the bogie's point; shifted from there to the
    // centre of mass it would break A + B >= C, so it is taken about the centre of mass
    const int bogie = add(tree, slider, zero, {slide(ez), turn(ey), turn(ex)}, 1507.86,
                          {0, 0, 0.281}, diagonal(716.9, 1738.3, 2347.3));

    for (const bool front_wheelset : {true, false}) {
      const double sign = front_wheelset ? 1 : -1;
      const int frame = add(tree, bogie, {sign * 1.0925, 0, 0}, {slide(ez), turn(ex)},
                            merge_axle_boxes ? 2 * m_axle_box : 0, zero, I_pair);
      out.wheelset_frames.push_back(frame);

      // driven wheelsets carry a gear wheel, I_CORy = 6.136481
      add(tree, frame, zero, {turn(ey)}, 1222.0, zero,
          diagonal(376.6, rear ? 79.6 + 6.136481 : 79.6, 376.6));
      if (!rear) continue;

      // changed: I_z of the housing, 6.69. The rotor lies towards the bogie's middle.
      const int housing =
          add(tree, frame, zero, {turn(ey)}, 568.8, zero, diagonal(49.3, 139.1, 100.0));
      add(tree, housing, {-sign * 0.396, 0, 0}, {turn(ey)}, 568.8, zero, diagonal(17.7, 1.7, 17.7));
    }
  }
  return out;
}

}  // namespace

Tree arm7() {
  struct Link {
    double mass;
    Vec3 offset, com;
    Mat3 inertia;
  };
  // clang-format off
  const Link links[7] = {
      {4.12, { 0.000,  0.000, 0.160}, { 0.004, -0.031, 0.122}, symmetric(0.0421, 0.0387, 0.0163,  0.0011, -0.0008,  0.0047)},
      {3.87, { 0.010,  0.020, 0.190}, {-0.006,  0.058, 0.041}, symmetric(0.0312, 0.0129, 0.0288, -0.0007,  0.0013,  0.0022)},
      {2.94, {-0.005,  0.015, 0.210}, { 0.012,  0.027, 0.130}, symmetric(0.0254, 0.0231, 0.0094,  0.0009,  0.0016, -0.0031)},
      {2.71, { 0.008, -0.012, 0.200}, { 0.021, -0.049, 0.034}, symmetric(0.0187, 0.0083, 0.0169,  0.0012, -0.0005,  0.0017)},
      {1.83, {-0.011,  0.006, 0.195}, {-0.009,  0.018, 0.097}, symmetric(0.0117, 0.0104, 0.0046, -0.0004,  0.0007,  0.0013)},
      {1.64, { 0.007,  0.009, 0.180}, { 0.015,  0.011, 0.002}, symmetric(0.0051, 0.0039, 0.0044,  0.0003, -0.0002,  0.0001)},
      {0.73, { 0.088,  0.003, 0.060}, { 0.017, -0.008, 0.071}, symmetric(0.0023, 0.0021, 0.0012, -0.0001,  0.0002, -0.0001)},
  };
  // clang-format on
  Tree tree{{}, 9.81};
  for (int i = 0; i < 7; ++i) {
    const Link& link = links[i];
    add(tree, i - 1, link.offset, {turn(i % 2 == 0 ? ez : ey)}, link.mass, link.com, link.inertia);
  }
  return tree;
}

Tree pendulum(int n) {
  Tree tree{{}, 9.81};
  Vec3 offset = zero;
  for (int i = 0; i < n; ++i) {
    // three short cycles of coprime length keep any two neighbours different
    const double length = 0.10 + 0.01 * (i % 5);
    const double mass = 0.40 + 0.05 * (i % 7);
    const double side = 0.004 * (i % 3) - 0.003;
    const double I = mass * length * length / 12;
    add(tree, i - 1, offset, {turn(ey)}, mass, {side, 0.5 * side, -0.45 * length},
        symmetric(1.1 * I, I, 0.3 * I, 0.05 * I, -0.08 * I, 0.06 * I));
    offset = {side, 0, -length};
  }
  return tree;
}

Tree tree30() { return locomotive(true).tree; }

Tree tree30_welded() {
  Locomotive loco = locomotive(false);
  for (const int frame : loco.wheelset_frames) {
    for (const double y : {y_axle_box, -y_axle_box}) {
      add(loco.tree, frame, {0, y, 0}, {}, m_axle_box, zero, I_axle_box);
    }
  }
  return loco.tree;
}

State random_state(const Tree& tree, unsigned seed) {
  std::mt19937_64 bits(seed);
  // from the top 53 bits, because std::uniform_real_distribution differs between libraries
  const auto uniform = [&bits](double limit) {
    return limit * (std::ldexp(static_cast<double>(bits() >> 11), -52) - 1);
  };
  State state;
  for (const Body& body : tree.bodies) {
    for (const Joint& joint : body.joints) {
      state.q.push_back(uniform(joint.kind == Joint::Kind::revolute ? 3.141592653589793 : 1.0));
      state.dq.push_back(uniform(3.0));
    }
  }
  return state;
}

}  // namespace klingel::peers
