// Times of the contact forces: what one contact costs per step after its geometry is known. The
// inputs vary from call to call so that nothing is predicted or hoisted; results are summed and
// returned, so that nothing is dropped.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

#include "contact/hertz.hpp"
#include "creep/creep_law.hpp"
#include "creep/kalker.hpp"

namespace klingel::bench {

struct ForcesTime {
  double ns = 0;     // per contact, the best of several rounds
  double check = 0;  // depends on all results
};

// Hertz, Kalker and the law for a tread contact under 20 to 60 kN with creepages around the bend of
// the curve.
inline ForcesTime contact_forces_time(creep::CreepLaw law, std::size_t contacts_per_round) {
  using namespace contact;
  using namespace profile;
  using namespace track;
  using namespace spline;
  using namespace creep;
  const HertzTable hertz(210e9, 0.27);
  const KalkerTable kalker(0.27);
  CreepModel model;
  model.law = law;

  // 64 contacts, taken in turn; a quarter of them in pure slip
  struct Case {
    Curvatures curvatures;
    double N, nu[3];
  };
  std::array<Case, 64> cases;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double u = static_cast<double>(i % 8) / 8, v = static_cast<double>(i / 8) / 8;
    cases[i] = {{1.1 + 0.1 * u, 0.3 + 3 * v},
                2e4 + 4e4 * u,
                {20e-3 * (u - 0.4), 15e-3 * (v - 0.4) * (i % 4 == 0 ? 10 : 1), 0.5 * (v - u)}};
  }

  ForcesTime out;
  out.ns = 1e30;
  for (int round = 0; round < 200; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < contacts_per_round; ++i) {
      const Case& c = cases[i % cases.size()];
      const HertzPatch patch = hertz.patch(c.curvatures, c.N, 0.05);
      const CreepInput in = {patch.a,
                             patch.b,
                             c.N,
                             0.3,
                             82.677e9,
                             kalker.at(patch.a, patch.b),
                             {c.nu[0], c.nu[1], c.nu[2]},
                             20};
      const CreepResult r = model(in);
      out.check += r.f[0] + r.f[1] + r.f[2] + r.C[0] + r.C[4];
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    const double ns = time.count() / static_cast<double>(contacts_per_round);
    if (ns < out.ns) out.ns = ns;
  }
  return out;
}

}  // namespace klingel::bench
