#include "vehicle/removals.hpp"

#include <algorithm>

#include "base/nearest.hpp"

namespace klingel::vehicle {

void Removals::add(Table& file, const std::string& scope, std::size_t level) {
  file.texts("remove");  // refuses what is no list of texts
  const Value* list = file.find("remove");
  if (list == nullptr) return;
  for (const Value& item : list->items) {
    const std::string name = joined(scope, item.text);
    for (const Removal& r : all_)
      if (r.level == level && r.name == name)
        base::fail_at(item.place, "'remove' names '{}' twice", item.text);
    all_.push_back({name, level, item.place});
  }
}

const Removal* Removals::remover(const std::string& name, std::size_t level) const {
  const Removal* nearest = nullptr;
  for (const Removal& r : all_)
    if (r.name == name && r.level < level && (nearest == nullptr || r.level > nearest->level))
      nearest = &r;
  return nearest;
}

bool Removals::remove(const std::string& name, std::size_t level) {
  const Removal* by = remover(name, level);
  if (by == nullptr) return false;
  all_[static_cast<std::size_t>(by - all_.data())].used = true;
  return true;
}

void Removals::refuse_unused(const Names& names) const {
  for (const Removal& r : all_) {
    if (r.used) continue;
    const std::vector<std::string> elements = names.all(NameKind::element);
    if (std::find(elements.begin(), elements.end(), r.name) != elements.end())
      base::fail_at(r.place, "'{}' cannot be removed: it is not in the file that is extended",
                    r.name);
    for (const NameKind kind : {NameKind::point, NameKind::base, NameKind::body}) {
      const std::vector<std::string> known = names.all(kind);
      if (std::find(known.begin(), known.end(), r.name) != known.end())
        base::fail_at(
            r.place,
            "'{}' is a {}: only force elements, constraints, outputs and sensors can be removed",
            r.name, kind_name(kind));
    }
    base::fail_at(r.place,
                  "there is no element '{}' to remove{}\n    'remove' takes full names of force "
                  "elements, constraints, outputs and sensors of the file that is extended",
                  r.name, base::did_you_mean(r.name, elements));
  }
}

}  // namespace klingel::vehicle
