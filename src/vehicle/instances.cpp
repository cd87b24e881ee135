#include "vehicle/instances.hpp"

#include <algorithm>
#include <cctype>

#include "base/nearest.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

// more than a thousand coaches; less than what a group that uses two others, and so on, can ask for
constexpr std::size_t most_instances = 20000;
constexpr std::size_t deepest_groups = 50;

// words with dots between them
void check_instance_name(Table& t, const std::string& name) {
  bool fine = true, begins = true;
  for (const char c : name + ".") {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    fine &= begins ? is_letter : is_letter || is_digit || c == '.';
    begins = c == '.';
  }
  if (!fine)
    t.fail("name", fmt::format("'{}' cannot be the name of an instance: letters, digits and '_' "
                               "only, with dots where it adds to another instance",
                               name));
}

std::vector<std::string> names_of(const std::map<std::string, Table>& groups) {
  std::vector<std::string> names;
  for (const auto& [name, table] : groups) names.push_back(name);
  return names;
}

}  // namespace

Instances::Instances(const Chain& chain, const Overrides& overrides) : overrides_(overrides) {
  declare_chain(chain, "");
}

void Instances::declare_unit(const Chain& chain, const std::string& scope) {
  groups_.clear();
  used_.clear();
  declare_chain(chain, scope);
}

// the whole file first: what extends it may use its groups and add to its instances
void Instances::declare_chain(const Chain& chain, const std::string& scope) {
  const std::size_t first = next_level_, whole = chain.size() - 1;
  next_level_ += chain.size();
  for (std::size_t i = 0; i < whole; ++i) {
    Table root = chain[i].root();
    removals.add(root, scope, first + i);
  }
  for (std::size_t i = chain.size(); i-- > 0;) declare_groups(chain[i]);
  declare_contents(chain[whole].root(), {scope, first + whole, false}, {}, "");
  for (std::size_t i = whole; i-- > 0;) declare_extension(chain[i], {scope, first + i, true});
  for (const auto& [name, table] : groups_) {
    if (used_[name]) continue;
    const std::string warning =
        fmt::format("{}: the group '{}' is not used", table.place().file, name);
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
      warnings.push_back(warning);
  }
}

void Instances::declare_groups(const Document& document) {
  std::optional<Table> all = document.root().table("group");
  if (!all) return;
  for (const std::string& name : all->keys()) {
    Table group = all->required_table(name);
    group.call(fmt::format("group '{}'", name));
    refuse_unknown(group, "group");
    if (const auto known = groups_.find(name); known != groups_.end())
      base::fail_at(group.place(), "the group '{}' exists already in {}", name,
                    base::text(known->second.place()));
    groups_.emplace(name, group);
  }
}

// its values are overrides, except those it adds; its lists are contents like those of any file
void Instances::declare_extension(const Document& document, const Where& where) {
  Table root = document.root();
  blocks.push_back({root, where.scope, &names, &removals, where.level});
  if (std::optional<Table> add = root.table("add")) {
    refuse_unknown(*add, "add");
    declare_values(*add, where, {}, "");
  }
  declare_things(root, where);
  for (Table& t : root.tables("use")) use(t, where);
}

void Instances::declare_contents(const Table& contents, const Where& where, const Given& given,
                                 const std::string& caller) {
  Table table = contents;
  if (blocks.size() >= most_instances)
    base::fail_at(table.place(), "the groups make more than {} instances", most_instances);
  blocks.push_back({table, where.scope, &names, &removals, where.level});
  declare_values(table, where, given, caller);
  declare_things(table, where);
  for (Table& t : table.tables("use")) use(t, where);
}

void Instances::declare_values(Table& table, const Where& where, const Given& given,
                               const std::string& caller) {
  const auto declare_all = [&](const char* key, NameKind kind, std::vector<Pending>& list) {
    std::optional<Table> values = table.table(key);
    if (!values) return;
    for (const std::string& name : values->keys()) {
      const Value* value = values->find(name);
      const std::string full = names.declare(kind, where.scope, name, value->place);
      const auto outside = overrides_.find(full);
      const auto by_use = given.find(name);
      if (outside != overrides_.end())
        list.push_back({full, &outside->second, where.scope, where.added});
      else if (kind == NameKind::parameter && by_use != given.end())
        list.push_back({full, by_use->second, caller, where.added});
      else
        list.push_back({full, value, where.scope, where.added});
    }
  };
  declare_all("parameters", NameKind::parameter, parameters);
  declare_all("coordinates", NameKind::coordinate, coordinates);
  declare_all("inputs", NameKind::input, inputs);
}

void Instances::declare_things(const Table& contents, const Where& where) {
  Table table = contents;
  const auto declare_all = [&](std::string_view key, NameKind kind) {
    for (Table& t : table.tables(key)) {
      const std::string name = t.text("name");
      if (kind == NameKind::element && removals.remove(joined(where.scope, name), where.level))
        continue;
      names.declare(kind, where.scope, name, t.place("name"));
    }
  };
  declare_all("base", NameKind::base);
  declare_all("point", NameKind::point);
  declare_all("body", NameKind::body);
  // force elements, constraints, outputs, sensors and shapes have one set of names
  for (const Section* s : element_tables()) declare_all(s->name, NameKind::element);
  for (const Section* s : constraint_tables()) declare_all(s->name, NameKind::element);
  declare_all("output", NameKind::element);
  declare_all("sensor", NameKind::element);
  declare_all("shape", NameKind::element);
}

void Instances::use(Table& t, const Where& where) {
  const std::string& scope = where.scope;
  const std::string wanted = t.text("group"), name = t.text("name");
  check_instance_name(t, name);
  const auto group = groups_.find(wanted);
  if (group == groups_.end())
    t.fail("group", fmt::format("there is no group '{}'{}", wanted,
                                base::did_you_mean(wanted, names_of(groups_))));
  if (open_.size() >= deepest_groups)
    t.fail("group", fmt::format("groups use groups more than {} deep", deepest_groups));
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
  declare_contents(contents, {inner, where.level, where.added}, given, scope);
  open_.pop_back();
}

void Instances::refuse_unused() const {
  removals.refuse_unused(names);
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
