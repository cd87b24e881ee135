// For each body, with J_v and J_w the Jacobians of the velocity of its centre of mass and of its
// angular velocity, I its inertia in ground axes, and accelerations taken at ddq = 0:
//     M += m J_v' J_v + J_w' I J_w
//     c += m J_v' (a - gravity) + J_w' (I alpha + w x I w)
// Nothing is shared between bodies, so no recursion can hide a mistake in M. Gravity enters as an
// upward acceleration of the ground.

#include "plain_peer.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace klingel::peers {
namespace {

using Real = long double;
using Vec = std::array<Real, 3>;
using Mat = std::array<Real, 9>;

Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec operator*(Real s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
Real dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec operator*(const Mat& A, const Vec& b) {
  return {A[0] * b[0] + A[1] * b[1] + A[2] * b[2], A[3] * b[0] + A[4] * b[1] + A[5] * b[2],
          A[6] * b[0] + A[7] * b[1] + A[8] * b[2]};
}

Vec transposed_times(const Mat& A, const Vec& b) {
  return {A[0] * b[0] + A[3] * b[1] + A[6] * b[2], A[1] * b[0] + A[4] * b[1] + A[7] * b[2],
          A[2] * b[0] + A[5] * b[1] + A[8] * b[2]};
}

Mat operator*(const Mat& A, const Mat& B) {
  Mat C{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) C[3 * i + j] += A[3 * i + k] * B[3 * k + j];
    }
  }
  return C;
}

Vec widened(const Vec3& a) { return {a[0], a[1], a[2]}; }

Mat widened(const Mat3& A) {
  Mat B;
  for (int i = 0; i < 9; ++i) B[i] = A[i];
  return B;
}

// Rodrigues: cos 1 + sin [a]x + (1 - cos) a a'
Mat rotation(const Vec& a, Real angle) {
  const Real s = std::sin(angle), c = std::cos(angle), d = 1 - c;
  return {c + d * a[0] * a[0],        d * a[0] * a[1] - s * a[2], d * a[0] * a[2] + s * a[1],
          d * a[1] * a[0] + s * a[2], c + d * a[1] * a[1],        d * a[1] * a[2] - s * a[0],
          d * a[2] * a[0] - s * a[1], d * a[2] * a[1] + s * a[0], c + d * a[2] * a[2]};
}

// Motion of a frame, in ground axes: orientation, origin, angular velocity, angular acceleration,
// acceleration of the origin.
struct Frame {
  Mat R{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec r{}, w{}, alpha{}, a{};

  // moves the origin by d, fixed in the frame
  void shift(const Vec& d) {
    r = r + d;
    a = a + cross(alpha, d) + cross(w, cross(w, d));
  }
};

// A coordinate seen from the ground: its axis and, for a rotation, a point on it.
struct Axis {
  Joint::Kind kind;
  Vec e, point;

  Vec J_v(const Vec& at) const { return kind == Joint::Kind::revolute ? cross(e, at - point) : e; }
  Vec J_w() const { return kind == Joint::Kind::revolute ? e : Vec{}; }
};

}  // namespace

void evaluate_plain(const Tree& tree, const double* q, const double* dq, double* M, double* c) {
  check(tree);
  const int n = coordinate_count(tree);
  std::vector<Real> M_sum(static_cast<std::size_t>(n) * n), c_sum(n);
  std::vector<Axis> axes;
  std::vector<Frame> frames;
  std::vector<std::vector<int>> moved_by;  // per body: coordinates from the ground up to it

  for (const Body& body : tree.bodies) {
    // start from the parent
    Frame frame;
    std::vector<int> path;
    if (body.parent < 0) {
      frame.a = {0, 0, tree.g};
    } else {
      frame = frames[body.parent];
      path = moved_by[body.parent];
    }
    frame.shift(frame.R * widened(body.offset));

    // go through the joints
    for (const Joint& joint : body.joints) {
      const int k = static_cast<int>(axes.size());
      const Vec e = frame.R * widened(joint.axis);
      const Vec rate = static_cast<Real>(dq[k]) * e;
      if (joint.kind == Joint::Kind::prismatic) {
        frame.shift(static_cast<Real>(q[k]) * e);
        frame.a = frame.a + Real(2) * cross(frame.w, rate);
      } else {
        frame.R = frame.R * rotation(widened(joint.axis), q[k]);
        frame.alpha = frame.alpha + cross(frame.w, rate);
        frame.w = frame.w + rate;
      }
      axes.push_back({joint.kind, e, frame.r});
      path.push_back(k);
    }
    frames.push_back(frame);
    moved_by.push_back(path);

    // add this body's share
    if (body.mass == 0) continue;
    const Real m = body.mass;
    const Mat I = widened(body.inertia_about_com);
    Frame at_com = frame;
    at_com.shift(frame.R * widened(body.com));
    const auto times_inertia = [&](const Vec& v) {
      return frame.R * (I * transposed_times(frame.R, v));
    };
    const Vec force = m * at_com.a;
    const Vec moment = times_inertia(frame.alpha) + cross(frame.w, times_inertia(frame.w));
    for (const int k : path) {
      const Vec J_v = axes[k].J_v(at_com.r), J_w = axes[k].J_w();
      const Vec I_J_w = times_inertia(J_w);
      c_sum[k] += dot(J_v, force) + dot(J_w, moment);
      for (const int l : path) {
        M_sum[static_cast<std::size_t>(l) * n + k] +=
            m * dot(J_v, axes[l].J_v(at_com.r)) + dot(I_J_w, axes[l].J_w());
      }
    }
  }

  for (std::size_t i = 0; i < M_sum.size(); ++i) M[i] = static_cast<double>(M_sum[i]);
  for (int i = 0; i < n; ++i) c[i] = static_cast<double>(c_sum[i]);
}

}  // namespace klingel::peers
