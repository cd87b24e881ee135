#include "creep/creep_law.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "creep/linear_law.hpp"

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

namespace {

// A number of a law and what it may be.
struct LawValue {
  const char* name;
  double& (*member)(CreepModel&);
  double most;
  bool zero;   // whether it may be zero
  bool every;  // of every law with friction, else of Polach's
};
constexpr LawValue law_values[] = {
    {"k_A", [](CreepModel& m) -> double& { return m.polach.k_A; }, 1, false, false},
    {"k_S", [](CreepModel& m) -> double& { return m.polach.k_S; }, 1, false, false},
    {"A", [](CreepModel& m) -> double& { return m.falling.A; }, 1, true, true},
    {"B", [](CreepModel& m) -> double& { return m.falling.B; }, 100, true, true}};

bool has(CreepLaw law, const LawValue& value) {
  return law == CreepLaw::polach || (value.every && law != CreepLaw::linear);
}

std::vector<std::string> value_names(CreepLaw law) {
  std::vector<std::string> names;
  if (law == CreepLaw::fastsim) names.emplace_back("strips");
  for (const LawValue& v : law_values)
    if (has(law, v)) names.emplace_back(v.name);
  return names;
}

[[noreturn]] void refuse_value(CreepLaw law, std::string_view wanted) {
  const std::vector<std::string> names = value_names(law);
  std::string list;
  for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
  base::fail("the creep law '{}' has no value '{}'{}\n    it has {}", name(law), wanted,
             base::did_you_mean(wanted, names), list.empty() ? "none" : list);
}

}  // namespace

void set_value(CreepModel& model, std::string_view wanted, double value) {
  if (model.law == CreepLaw::fastsim && wanted == "strips") {
    if (!(value >= 3 && value <= 100 && value == std::floor(value)))
      base::fail("'strips' must be a whole number from 3 to 100, found {}", value);
    model.fastsim = Fastsim(static_cast<int>(value));
    return;
  }
  for (const LawValue& v : law_values) {
    if (wanted != v.name || !has(model.law, v)) continue;
    if (!(value > 0 || (v.zero && value == 0)) || !(value <= v.most))
      base::fail("'{}' must be {} and at most {:g}, found {}", v.name,
                 v.zero ? "at least zero" : "greater than zero", v.most, value);
    v.member(model) = value;
    return;
  }
  refuse_value(model.law, wanted);
}

void check_values(const CreepModel& model) {
  if (model.polach.k_S > model.polach.k_A)
    base::fail("'k_S' of Polach's law must not be greater than 'k_A', found {} and {}",
               model.polach.k_S, model.polach.k_A);
}

double FallingFriction::share(const double nu[3]) const noexcept {
  if (!(B > 0)) return 1;
  const double w = std::sqrt(nu[0] * nu[0] + nu[1] * nu[1]);
  return (1 - A) * std::exp(-B * w) + A;
}

CreepResult CreepModel::operator()(const CreepInput& in) const noexcept {
  CreepInput sliding = in;
  sliding.mu *= falling.share(in.nu);
  return force(sliding);
}

CreepResult CreepModel::force(const CreepInput& in) const noexcept {
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

CreepPack CreepModel::of_four(const CreepInputOf<base::Pack>& in) const noexcept {
  if (law == CreepLaw::linear) return linear_law(in);
  if (law == CreepLaw::she) {
    CreepInputOf<base::Pack> sliding = in;
    for (std::size_t i = 0; i < base::pack_lanes; ++i) {
      const double nu[3] = {in.nu[0][i], in.nu[1][i], in.nu[2][i]};
      sliding.mu[i] *= falling.share(nu);
    }
    return she(sliding);
  }
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
