#include "vehicle/instances.hpp"

#include <algorithm>

#include "base/nearest.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

// more than a thousand coaches; less than what a group that uses two others, and so on, can ask for
constexpr std::size_t most_instances = 20000;

// tables whose names belong to force elements, constraints and outputs: one set of names
constexpr const char* element_tables[] = {
    "isotropic_spring", "line_spring",    "bushing",    "torsion_spring", "gear_pair",
    "applied_force",    "applied_torque", "constraint", "coincide",       "parallel",
    "distance",         "unit_norm",      "output"};

std::vector<std::string> keys_of(const std::map<std::string, Table>& groups) {
  std::vector<std::string> names;
  for (const auto& [name, table] : groups) names.push_back(name);
  return names;
}

}  // namespace

Instances::Instances(const Document& document, const Overrides& overrides) : overrides_(overrides) {
  declare_file(document, "");
}

void Instances::declare_unit(const Document& document, const std::string& scope) {
  groups_.clear();
  used_.clear();
  declare_file(document, scope);
}

void Instances::declare_file(const Document& document, const std::string& scope) {
  Table root = document.root();
  if (std::optional<Table> all = root.table("group")) {
    for (const std::string& name : all->keys()) {
      Table group = all->required_table(name);
      group.call(fmt::format("group '{}'", name));
      refuse_unknown(group, "group");
      groups_.emplace(name, group);
    }
  }
  declare(root, scope, {}, "");
  for (const auto& [name, table] : groups_) {
    if (used_[name]) continue;
    const std::string warning =
        fmt::format("{}: the group '{}' is not used", document.file(), name);
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
      warnings.push_back(warning);
  }
}

void Instances::declare(Table table, const std::string& scope, const Given& given,
                        const std::string& caller) {
  if (blocks.size() >= most_instances)
    base::fail_at(table.place(), "the groups make more than {} instances", most_instances);
  blocks.push_back({table, scope, &names});
  declare_values(table, scope, given, caller);
  declare_things(table, scope);
  for (Table& t : table.tables("use")) use(t, scope);
}

void Instances::declare_values(Table& table, const std::string& scope, const Given& given,
                               const std::string& caller) {
  const auto declare_all = [&](const char* key, NameKind kind, std::vector<Pending>& list) {
    std::optional<Table> values = table.table(key);
    if (!values) return;
    for (const std::string& name : values->keys()) {
      const Value* value = values->find(name);
      const std::string full = names.declare(kind, scope, name, value->place);
      const auto outside = overrides_.find(full);
      const auto by_use = given.find(name);
      if (outside != overrides_.end())
        list.push_back({full, &outside->second, scope});
      else if (kind == NameKind::parameter && by_use != given.end())
        list.push_back({full, by_use->second, caller});
      else
        list.push_back({full, value, scope});
    }
  };
  declare_all("parameters", NameKind::parameter, parameters);
  declare_all("coordinates", NameKind::coordinate, coordinates);
  declare_all("inputs", NameKind::input, inputs);
}

void Instances::declare_things(Table& table, const std::string& scope) {
  const auto declare_all = [&](const char* key, NameKind kind) {
    for (Table& t : table.tables(key)) names.declare(kind, scope, t.text("name"), t.place("name"));
  };
  declare_all("base", NameKind::base);
  declare_all("point", NameKind::point);
  declare_all("body", NameKind::body);
  for (const char* key : element_tables) declare_all(key, NameKind::element);
}

void Instances::use(Table& t, const std::string& scope) {
  const std::string wanted = t.text("group"), name = t.text("name");
  const auto group = groups_.find(wanted);
  if (group == groups_.end())
    t.fail("group", fmt::format("there is no group '{}'{}", wanted,
                                base::did_you_mean(wanted, keys_of(groups_))));
  if (std::find(open_.begin(), open_.end(), wanted) != open_.end()) {
    std::string circle;
    for (const std::string& g : open_) circle += g + " -> ";
    t.fail("group", fmt::format("the group '{}' uses itself: {}{}", wanted, circle, wanted));
  }
  used_[wanted] = true;
  Table contents = group->second;
  const std::string inner = joined(scope, name);

  // arguments are names in the instance; parameters of the group may be given another value
  Given given;
  std::vector<std::string> possible = contents.texts("arguments");
  for (const std::string& argument : possible) {
    const Value* value = t.find(argument);
    if (value == nullptr)
      t.fail("", fmt::format("the group '{}' needs the argument '{}'", wanted, argument));
    names.declare_argument(inner, argument, *value, scope);
  }
  std::vector<std::string> own;
  if (std::optional<Table> parameters_of = contents.table("parameters"))
    own = parameters_of->keys();
  for (const std::string& key : t.keys()) {
    if (key == "group" || key == "name") continue;
    if (std::find(possible.begin(), possible.end(), key) != possible.end()) continue;
    if (std::find(own.begin(), own.end(), key) != own.end()) {
      given[key] = t.find(key);
      continue;
    }
    possible.insert(possible.end(), own.begin(), own.end());
    t.fail(key, fmt::format("the group '{}' has no argument or parameter '{}'{}", wanted, key,
                            base::did_you_mean(key, possible)));
  }
  open_.push_back(wanted);
  declare(contents, inner, given, scope);
  open_.pop_back();
}

void Instances::refuse_unused_overrides() const {
  std::vector<std::string> known;
  for (const auto* list : {&parameters, &coordinates, &inputs})
    for (const Pending& p : *list) known.push_back(p.name);
  std::sort(known.begin(), known.end());
  for (const auto& [name, value] : overrides_) {
    if (std::binary_search(known.begin(), known.end(), name)) continue;
    base::fail_at(value.place, "there is no parameter, coordinate or input '{}' to set{}", name,
                  base::did_you_mean(name, known));
  }
}

}  // namespace klingel::vehicle
