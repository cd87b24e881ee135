#include "mech/inertia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "sym/tape.hpp"

namespace klingel::mech {
namespace {

// eigenvalues of a symmetric 3x3 matrix, ascending, by cyclic Jacobi rotations
std::array<double, 3> eigenvalues(std::array<std::array<double, 3>, 3> a) {
  for (int sweep = 0; sweep < 50; ++sweep) {
    const double off = std::abs(a[0][1]) + std::abs(a[0][2]) + std::abs(a[1][2]);
    if (off == 0) break;
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
      }
    }
  }
  std::array<double, 3> e = {a[0][0], a[1][1], a[2][2]};
  std::sort(e.begin(), e.end());
  return e;
}

// the coordinate axis a rotation leaves alone, or 3
std::size_t fixed_axis(const Block& R) {
  std::size_t k = 0;
  while (k < 3 && !R[4 * k].is(1)) ++k;
  return k;
}

}  // namespace

Tensor about_com(const Tensor& about_point, Expr mass, const Triple& c) {
  Tensor t = about_point;
  const Triple s = scaled(mass, c);
  const Triple d = {c[0] * s[0], c[1] * s[1], c[2] * s[2]};
  // the same atoms as in mass_matrix.cpp, so that going back to the point gives the given tensor
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    t.c[4 * i] -= d[j] + d[k];
    t.c[3 * i + j] += c[i] * s[j];
    t.c[3 * j + i] = t.c[3 * i + j];
  }
  return t;
}

std::optional<std::string> unphysical(Expr mass, const Block& inertia) {
  const double m = sym::value(mass);
  if (!(m >= 0)) return fmt::format("the mass {} is negative", m);
  std::array<std::array<double, 3>, 3> I;
  double largest = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    I[i / 3][i % 3] = sym::value(inertia[i]);
    largest = std::max(largest, std::abs(I[i / 3][i % 3]));
  }
  const std::array<double, 3> e = eigenvalues(I);
  const double tolerance = 1e-9 * largest;
  if (e[0] < -tolerance)
    return fmt::format("a principal moment of inertia about the centre of mass is negative, {:.6g}",
                       e[0]);
  if (e[0] + e[1] < e[2] - tolerance) {
    return fmt::format(
        "the principal moments of inertia about the centre of mass, {:.6g}, {:.6g} and {:.6g}, "
        "break the "
        "triangle inequality: no real body has them",
        e[0], e[1], e[2]);
  }
  return std::nullopt;
}

void check_constant(Expr x, const std::string& body, const char* what) {
  constexpr sym::KindMask constant = bit(sym::SymbolKind::parameter);
  const auto kinds = x.graph().node(x.id()).kinds;
  if ((kinds & ~constant) != 0) {
    base::fail(
        "the {} of body '{}' must be constant in its base; it depends on more than parameters",
        what, body);
  }
}

std::size_t spin_axis(const Body& body) {
  return fixed_axis(body.base.model->bases()[body.base.index].R_PB);
}

void describe_without_spin(Body& body) {
  const Block& t = body.inertia.c;
  const Triple& s = body.first_moment ? *body.first_moment : body.com.c;  // or along it
  const auto& bases = body.base.model->bases();
  std::size_t axis = 3;  // of the spin; one axis for all steps
  for (Base b = body.base; b.index != 0; body.inertia.base = body.com.base = b) {
    const Block& R = bases[b.index].R_PB;
    const std::size_t k = fixed_axis(R);
    if (k == 3 || (axis != 3 && axis != k)) return;
    axis = k;
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    if (R[4 * i].is_number()) return;  // a fixed base does not spin
    const bool revolution = t[4 * i] == t[4 * j] && t[3 * i + j].is(0) && t[3 * i + k].is(0) &&
                            t[3 * j + k].is(0) && s[i].is(0) && s[j].is(0);
    if (!revolution) return;
    b.index = bases[b.index].parent;
  }
}

Triple spin(const Body& body) {
  Model& m = *body.base.model;
  Triple w = m.zero_vector().c;
  for (std::uint32_t b = body.base.index; b != body.inertia.base.index; b = m.bases()[b].parent) {
    w = plus(w, m.bases()[b].w_PB);
  }
  return w;
}

}  // namespace klingel::mech
