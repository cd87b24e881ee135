// Tables of constraints, and their reader.
#include "vehicle/constraints.hpp"

#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key condition_keys[] = {
    name_key,
    key<&Condition::phi>("phi", "m or rad", required, "kept at zero; coordinates, parameters, t")};

constexpr Key coincide_keys[] = {
    name_key, key<&Coincide::points>("points", "-", required, "that coincide"),
    key<&Coincide::base>("base", "-", "ground", "base of the three equations"),
    key<&Coincide::normal>("normal", "-", none, "left out in a plane mechanism")};

constexpr Key parallel_keys[] = {
    name_key, key<&Parallel::base>("base", "-", required, "of the first axis"),
    key<&Parallel::axis>("axis", "-", required, ""),
    key<&Parallel::to_base>("to_base", "-", required, "of the second axis"),
    key<&Parallel::to_axis>("to_axis", "-", required, "")};

constexpr Key distance_keys[] = {name_key, key<&Distance::points>("points", "-", required, ""),
                                 key<&Distance::length>("length", "m", required, "")};

constexpr Key unit_norm_keys[] = {name_key,
                                  key<&UnitNorm::e>("euler_parameters", "-", required, "")};

}  // namespace

constinit const Section Condition::table = {"constraint", "A condition phi(q, t) = 0.",
                                            condition_keys, "conditions phi = 0"};
constinit const Section Coincide::table = {
    "coincide", "Two points that coincide: three equations, two in a plane.", coincide_keys,
    "two points that coincide"};
constinit const Section Parallel::table = {"parallel",
                                           "Two axes that stay parallel: two equations.",
                                           parallel_keys, "two axes that stay parallel"};
constinit const Section Distance::table = {"distance",
                                           "Two points at a constant distance: a massless rod.",
                                           distance_keys, "two points at a constant distance"};
constinit const Section UnitNorm::table = {"unit_norm", "Euler parameters have norm one.",
                                           unit_norm_keys, "Euler parameters of norm one"};

void read_constraints(const Block& b, const NominalValues& nominal, Vehicle& vehicle) {
  Kinds<ConstraintData>::for_each([&]<class T>() {
    for (Table& t : b.kept_tables(T::table.name))
      vehicle.constraints.push_back({b.full_name(t), t.place(), read<T>(b, t, nominal)});
  });
}

std::span<const Section* const> constraint_tables() { return Kinds<ConstraintData>::tables; }

std::vector<std::string> points_of(const Constraint& constraint) {
  return std::visit(
      [](const auto& what) { return required_points(std::decay_t<decltype(what)>::table, &what); },
      constraint.what);
}

}  // namespace klingel::vehicle
