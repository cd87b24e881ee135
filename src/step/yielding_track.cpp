#include "step/yielding_track.hpp"

#include <algorithm>

namespace klingel::step {
namespace {

using base::Pack;

// of y, z_left, z_right
void values_of(double across, double up, double* three) {
  three[0] = across, three[1] = three[2] = up / 2;
}

// x = S^-1 x for two or more columns, S of order three; pivots are positive: A is, and contacts
// only add to it
void solve(const double (&S)[3][3], double* const* columns, std::size_t count) {
  double a[3][3];
  std::copy_n(&S[0][0], 9, &a[0][0]);
  for (int k = 0; k < 3; ++k)
    for (int i = k + 1; i < 3; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < 3; ++j) a[i][j] -= factor * a[k][j];
      for (std::size_t c = 0; c < count; ++c) columns[c][i] -= factor * columns[c][k];
    }
  for (std::size_t c = 0; c < count; ++c)
    for (int i = 2; i >= 0; --i) {
      for (int j = i + 1; j < 3; ++j) columns[c][i] -= a[i][j] * columns[c][j];
      columns[c][i] /= a[i][i];
    }
}

}  // namespace

YieldingTrack::YieldingTrack(const Description& vehicle, const Points&) {
  const Foundation& f = vehicle.data.law.foundation;
  if (!f.given()) return;
  pieces_.resize(vehicle.data.wheelsets.size());
  values_of(f.mass, f.mass, m_);
  values_of(f.lateral_stiffness, f.vertical_stiffness, k_);
  values_of(f.lateral_damping, f.vertical_damping, c_);
  for (const WheelData& wheel : vehicle.data.wheels)
    rail_.push_back(wheel.side == profile::Side::left ? 1 : 2);
}

void YieldingTrack::place(const Points& points, std::size_t set, std::span<const double> track,
                          bool moving, LoadedSet& at) const {
  Pack y{}, z{}, dy{}, dz{};
  points.each(set, [&](std::size_t lane, std::size_t wheel) {
    const double* x = &track[size * points.wheelset(set, lane)];
    y[lane] = x[0], z[lane] = x[rail_[wheel]];
    if (moving) dy[lane] = x[3], dz[lane] = x[3 + rail_[wheel]];
  });
  at.move_rails(y, z, dy, dz);
}

void YieldingTrack::begin(std::span<const double> track, double h, double theta) {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    Piece& p = pieces_[k];
    const double *x = &track[size * k], *v = x + 3;
    p = {};
    for (int i = 0; i < 3; ++i) {
      p.A[i] = m_[i] / h + theta * (h / 2 * k_[i] + c_[i]);
      p.r[i] = (m_[i] / h - theta * h / 2 * k_[i] - (1 - theta) * c_[i]) * v[i] - k_[i] * x[i];
      p.S[i][i] = p.A[i];
    }
  }
}

void YieldingTrack::add(const Points& points, std::size_t set, const LoadedSet& at,
                        const LoadedShare& share) {
  const PackVector T[2] = {at.across(), at.up()};
  Pack G[6][2], F[2][6], S[2][2], b[2];
  for (int d = 0; d < 2; ++d) {
    for (int i = 0; i < 6; ++i) {
      G[i][d] = F[d][i] = Pack{};
      for (int k = 0; k < 3; ++k) {
        G[i][d] += share.B[6 * i + k] * T[d][k];
        F[d][i] += T[d][k] * share.B[6 * k + i];
      }
    }
    b[d] = T[d][0] * share.b[0] + T[d][1] * share.b[1] + T[d][2] * share.b[2];
  }
  for (int d = 0; d < 2; ++d)
    for (int e = 0; e < 2; ++e) S[d][e] = F[d][0] * T[e][0] + F[d][1] * T[e][1] + F[d][2] * T[e][2];
  points.each(set, [&](std::size_t lane, std::size_t wheel) {
    Piece& p = pieces_[points.wheelset(set, lane)];
    const std::size_t at_dof[2] = {0, rail_[wheel]};
    for (int d = 0; d < 2; ++d) {
      for (int i = 0; i < 6; ++i) {
        p.G[i][at_dof[d]] += G[i][d][lane];
        p.F[at_dof[d]][i] += F[d][i][lane];
      }
      for (int e = 0; e < 2; ++e) p.S[at_dof[d]][at_dof[e]] += S[d][e][lane];
      p.b[at_dof[d]] += b[d][lane];
    }
  });
}

void YieldingTrack::eliminate(System& system) {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    Piece& p = pieces_[k];
    double solved[7][3];
    double* columns[7];
    for (int i = 0; i < 3; ++i) {
      solved[0][i] = p.r[i] - p.b[i];
      for (int j = 0; j < 6; ++j) solved[1 + j][i] = p.F[i][j];
    }
    for (int c = 0; c < 7; ++c) columns[c] = solved[c];
    solve(p.S, columns, 7);
    for (int i = 0; i < 3; ++i) {
      p.v0[i] = solved[0][i];
      for (int j = 0; j < 6; ++j) p.V[i][j] = solved[1 + j][i];
    }
    double *B = system.B(k), *b = system.b(k);
    for (int i = 0; i < 6; ++i)
      for (int d = 0; d < 3; ++d) {
        for (int j = 0; j < 6; ++j) B[6 * i + j] -= p.G[i][d] * p.V[d][j];
        b[i] += p.G[i][d] * p.v0[d];
      }
  }
}

void YieldingTrack::find_end(std::span<const double> twists_end) {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    Piece& p = pieces_[k];
    for (int i = 0; i < 3; ++i) {
      p.v_end[i] = p.v0[i];
      for (std::size_t j = 0; j < 6; ++j) p.v_end[i] += p.V[i][j] * twists_end[6 * k + j];
    }
  }
}

SetMotion YieldingTrack::relative(const Points& points, std::size_t set, const LoadedSet& at,
                                  std::span<const double> twists_end) const {
  SetMotion motion(points, set, twists_end);
  if (!given()) return motion;
  Pack dy{}, dz{};
  points.each(set, [&](std::size_t lane, std::size_t wheel) {
    const double* v = pieces_[points.wheelset(set, lane)].v_end;
    dy[lane] = v[0], dz[lane] = v[rail_[wheel]];
  });
  const PackVector v = dy * at.across() + dz * at.up();
  for (int i = 0; i < 3; ++i) motion.u[i] -= v[i];
  return motion;
}

double YieldingTrack::end(std::span<const double> track, double h, std::span<double> next) const {
  double work = 0;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const Piece& p = pieces_[k];
    const double *x = &track[size * k], *v = x + 3;
    for (int i = 0; i < 3; ++i) {
      const double way = h / 2 * (v[i] + p.v_end[i]);
      next[size * k + static_cast<std::size_t>(i)] = x[i] + way;
      next[size * k + 3 + static_cast<std::size_t>(i)] = p.v_end[i];
      work -= (p.A[i] * p.v_end[i] - p.r[i]) * way;
    }
  }
  return work;
}

void rest_under(const Foundation& foundation, const double f[3], double* track) {
  double k[3];
  values_of(foundation.lateral_stiffness, foundation.vertical_stiffness, k);
  for (int i = 0; i < 3; ++i) track[i] = f[i] / k[i], track[3 + i] = 0;
}

}  // namespace klingel::step
