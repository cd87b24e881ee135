#include "simulation/variable.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "record/channel.hpp"

namespace klingel::simulation {
namespace {

using Kind = Variable::Kind;
using step::PointState;

// Numbers of a point of a rigid tread; the deflection is of a loaded one.
constexpr std::size_t numbers = 18, deflection = 17;
constexpr std::array<const char*, numbers> number_names = {
    "s0",   "s1",   "s2",   "s3", "ds0", "ds1",     "ds2",        "ds3",        "dds0",
    "dds1", "dds2", "dds3", "N",  "gap", "gamma_n", "slip_rate0", "slip_rate1", "deflection"};
// What differences are taken over. Contacts have their curvature over some 50 um of approach, creep
// laws over some mm/s of slip: these keep the cubic term below 1e-6 of the derivative, and rounding
// of places some 100 m from the origin, too.
constexpr double delta_q = 1e-7, delta_dq = 3e-6;
constexpr std::array<double, numbers> number_deltas = {1e-7, 1e-7, 1e-7, 1e-7, 1e-5, 1e-5,
                                                       1e-5, 1e-5, 1e-3, 1e-3, 1e-3, 1e-3,
                                                       1,    1e-8, 1e-3, 1e-3, 1e-3, 1e-7};

double* number(PointState& p, std::size_t part) {
  if (part < 4) return &p.s[part];
  if (part < 8) return &p.ds[part - 4];
  if (part < 12) return &p.dds[part - 8];
  if (part == 15 || part == 16) return &p.slip_rate[part - 15];
  if (part == deflection) return &p.deflection;
  constexpr std::array<double PointState::*, 3> rest = {&PointState::N, &PointState::gap,
                                                        &PointState::gamma_n};
  return &(p.*rest[part - 12]);
}

double* find(step::VehicleState& state, const Variable& v) {
  switch (v.kind) {
    case Kind::q:
      return &state.q[v.index];
    case Kind::dq:
      return &state.dq[v.index];
    case Kind::z:
      return &state.z[v.index];
    case Kind::tread:
      return number(state.tread[v.index], v.part);
    case Kind::flange:
      return number(state.flange[v.index], v.part);
    default:
      return nullptr;
  }
}

}  // namespace

std::vector<Variable> remembered_variables(const step::Simulator& simulator) {
  const step::Description& vehicle = *simulator.description();
  std::vector<Variable> all;
  const auto add = [&](const char* family, const std::vector<std::string>& names, Kind kind,
                       double delta) {
    for (std::size_t i = 0; i < names.size(); ++i)
      all.push_back({std::string(family) + "." + names[i], kind, i, 0, delta});
  };
  add("q", vehicle.coordinate_names, Kind::q, delta_q);
  add("dq", vehicle.coordinate_names, Kind::dq, delta_dq);
  add("z", vehicle.internal_names, Kind::z, 1e-7);
  if (vehicle.data.loaded()) {
    for (std::size_t i = 0; vehicle.data.law.rail_stiffness > 0 && i < vehicle.w; ++i)
      all.push_back({"deflection." + vehicle.data.wheels[i].name, Kind::flange, i, deflection,
                     number_deltas[deflection]});
    return all;
  }
  for (const auto& [kind, mark] : {std::pair(Kind::tread, ""), {Kind::flange, "f"}})
    for (std::size_t part = 0; part < deflection; ++part)
      for (std::size_t i = 0; i < vehicle.w; ++i)
        all.push_back({std::string(number_names[part]) + mark + "." + vehicle.data.wheels[i].name,
                       kind, i, part, number_deltas[part]});
  return all;
}

std::vector<Variable> given_variables(const step::Simulator& simulator) {
  const step::Description& vehicle = *simulator.description();
  std::vector<Variable> all;
  for (std::size_t i = 0; i < vehicle.input_names.size(); ++i)
    all.push_back({"u." + vehicle.input_names[i], Kind::input, i, 0, 1});
  for (std::size_t i = 0; i < vehicle.parameter_names.size(); ++i)
    all.push_back({"p." + vehicle.parameter_names[i], Kind::parameter, i, 0, 1e-6});
  for (std::size_t i = 0; i < vehicle.w; ++i)
    all.push_back({"friction." + vehicle.data.wheels[i].name, Kind::friction, i, 0, 1e-6});
  all.push_back({"friction.all", Kind::friction, vehicle.w, 0, 1e-6});
  if (!vehicle.data.loaded()) return all;
  constexpr const char* parts[] = {"lateral",  "vertical",  "cross_level",
                                   "dlateral", "dvertical", "dcross_level"};
  for (std::size_t part = 0; part < shift_parts; ++part)
    for (std::size_t i = 0; i < vehicle.data.wheelsets.size(); ++i)
      all.push_back({std::string(parts[part]) + "." + vehicle.data.wheelsets[i], Kind::shift, i,
                     part, part < dlateral ? delta_q : 1e-5});
  return all;
}

std::vector<Variable> select(const std::vector<Variable>& variables,
                             std::span<const std::string> patterns) {
  std::vector<Variable> chosen;
  std::vector<char> fits(variables.size(), 0);
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (record::matches(pattern, variables[i].name)) fits[i] = 1, any = true;
    if (any) continue;
    std::vector<std::string> names;
    for (const Variable& v : variables) names.push_back(v.name);
    base::fail("the vehicle's step has no variable '{}'{}", pattern,
               base::did_you_mean(pattern, names));
  }
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (fits[i] != 0) chosen.push_back(variables[i]);
  return chosen;
}

double value_in(const step::VehicleState& state, const Variable& variable) {
  const double* const found = find(const_cast<step::VehicleState&>(state), variable);
  KLINGEL_ASSERT(found != nullptr);
  return *found;
}

void put_in(step::VehicleState& state, const Variable& variable, double value) {
  double* const found = find(state, variable);
  KLINGEL_ASSERT(found != nullptr);
  *found = value;
}

}  // namespace klingel::simulation
