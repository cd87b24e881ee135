#include "creep/creep_law.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "creep/linear_law.hpp"
#include "creep/she.hpp"

namespace klingel::creep {

std::string_view name(CreepLaw law) {
  switch (law) {
    case CreepLaw::linear:
      return "linear";
    case CreepLaw::she:
      return "she";
    case CreepLaw::polach:
      return "polach";
    case CreepLaw::fastsim:
      return "fastsim";
  }
  return "";
}

CreepLaw creep_law(std::string_view wanted) {
  std::vector<std::string> names;
  std::string list;
  for (const CreepLaw law : creep_laws) {
    if (name(law) == wanted) return law;
    names.emplace_back(name(law));
    list += (list.empty() ? "" : ", ") + names.back();
  }
  base::fail("unknown creep law '{}'{}\n    there are {}", wanted,
             base::did_you_mean(wanted, names), list);
}

CreepResult CreepModel::operator()(const CreepInput& in) const noexcept {
  switch (law) {
    case CreepLaw::linear:
      return linear_law(in);
    case CreepLaw::she:
      return she(in);
    case CreepLaw::polach:
      return creep::polach(in, polach);
    case CreepLaw::fastsim:
      return fastsim(in);
  }
  return {};
}

CreepPack CreepModel::operator()(const CreepInputOf<base::Pack>& in) const noexcept {
  if (law == CreepLaw::she) return she(in);
  if (law == CreepLaw::linear) return linear_law(in);
  CreepPack out;
  for (std::size_t i = 0; i < base::pack_lanes; ++i) {
    const KalkerCoefficients c{in.c.c11[i], in.c.c22[i], in.c.c23[i], in.c.c33[i]};
    const CreepInput one{
        in.a[i], in.b[i],   in.N[i], in.mu[i], in.G, c, {in.nu[0][i], in.nu[1][i], in.nu[2][i]},
        in.V[i], in.V_floor};
    const CreepResult r = (*this)(one);
    for (int k = 0; k < 3; ++k) out.f[k][i] = r.f[k];
    out.C_xx[i] = r.C[0], out.C_yy[i] = r.C[4], out.C_yz[i] = r.C[5], out.C_zz[i] = r.C[8];
    out.V[i] = r.V, out.factor[i] = r.factor;
  }
  return out;
}

}  // namespace klingel::creep
