#include "vehicle/reductions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/nearest.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {

bool Reductions::has(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> small_coordinates(const std::vector<std::string>& names,
                                           const std::vector<Coordinate>& coordinates,
                                           const base::Place& place) {
  std::vector<std::string> found, known;
  for (const Coordinate& c : coordinates) known.push_back(c.name);
  for (const std::string& name : names) {
    const std::size_t before = found.size();
    for (const std::string& c : known)
      if (c == name || c.ends_with("." + name)) found.push_back(c);
    if (found.size() == before)
      base::fail_at(place, "'small' names the coordinate '{}', which does not exist{}", name,
                    base::did_you_mean(name, known));
  }
  return found;
}

void check_reductions(const Reductions& r) {
  const std::vector<std::string> known(std::begin(Reductions::known), std::end(Reductions::known));
  for (const std::string& name : r.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    base::fail_at(r.place, "there is no reduction '{}'{}\n    there are: {}", name,
                  base::did_you_mean(name, known), fmt::join(known, ", "));
  }
  const auto needs = [&r](const char* name, const char* key, bool given, const char* what) {
    if (r.has(name) == given) return;
    if (given)
      base::fail_at(r.place, "'{}' is for the reduction '{}': add it to 'reduce'", key, name);
    base::fail_at(r.place, "the reduction '{}' needs '{}', {}", name, key, what);
  };
  needs("linearisation", "small", !r.small.empty(), "the coordinates that stay small");
  needs("elimination", "drop", !r.drop.empty(),
        "the inertial parameters to leave out; 'klingel reduce' finds them for an error bound");
}

void read_reductions(Table root, Vehicle& v) {
  std::optional<Table> t = root.table("model");
  if (!t) return;
  Reductions& r = v.reductions;
  const Value* place = root.find("model");
  r.place = place->place;
  if (t->has("reduce")) r.names = t->texts("reduce");
  if (t->has("drop")) r.drop = t->texts("drop");
  if (const Value* small = t->find("small"))
    r.small = small_coordinates(t->texts("small"), v.coordinates, small->place);
  refuse_unknown(*t, "model");
  if (const Value* names = t->find("reduce")) r.place = names->place;
  check_reductions(r);
}

}  // namespace klingel::vehicle
