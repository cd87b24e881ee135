#include "vehicle/extension.hpp"

#include <algorithm>

#include "base/lookup.hpp"
#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

constexpr std::size_t longest_chain = 9;

Document extended(Table& root, const Document& file) {
  const std::string name = root.text("extends");
  const std::filesystem::path path = base::look_up(base::vehicles, name, file.folder());
  if (path.empty()) root.fail("extends", base::not_found(base::vehicles, name, file.folder()));
  return Document::load(path);
}

// keys of whole files that cannot be changed get their own answer
void check_keys(Table& root) {
  const Section& extending = section("extending file");
  const auto has = [](const std::vector<Key>& keys, const std::string& name) {
    return std::any_of(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
  };
  const std::vector<Key> possible = keys_of(extending), whole = keys_of(section("file"));
  for (const std::string& key : root.keys())
    if (!has(possible, key) && has(whole, key))
      root.fail(key, fmt::format("'{}' is not allowed in a file that extends another one", key));
  refuse_unknown(root, extending);
}

}  // namespace

Chain extensions(const Document& file, const std::string& scope, Overrides& overrides) {
  Chain chain = {file};
  for (;;) {
    Table root = chain.back().root();
    if (!root.has("extends")) return chain;
    if (chain.size() >= longest_chain) root.fail("extends", "files extend each other in a circle");
    check_keys(root);
    // outer values win: emplace keeps existing entries
    for (const char* key : {"parameters", "coordinates", "inputs"}) {
      std::optional<Table> values = root.table(key);
      if (!values) continue;
      for (const std::string& name : values->keys())
        overrides.emplace(joined(scope, name), *values->find(name));
    }
    chain.push_back(extended(root, chain.back()));
  }
}

Material read_material(Table root, const Material& fallback) {
  Material m = fallback;
  std::optional<Table> t = root.table("material");
  if (!t) return m;
  m.E = t->positive("E", m.E);
  m.poisson = t->number("poisson", m.poisson);
  if (!(m.poisson >= 0 && m.poisson < 0.5))
    t->fail("poisson", fmt::format("'poisson' must be between 0 and 0.5, found {}", m.poisson));
  const bool changed = t->has("E") || t->has("poisson");
  m.G = t->positive("G", changed ? m.E / (2 * (1 + m.poisson)) : m.G);
  refuse_unknown(*t, "material");
  return m;
}

Material read_material(const Chain& chain) {
  Material m;
  for (auto file = chain.rbegin(); file != chain.rend(); ++file) m = read_material(file->root(), m);
  return m;
}

void check_identifier(Table& t, const std::string& name, std::string_view what) {
  bool fine = !name.empty() && (name[0] < '0' || name[0] > '9');
  for (const char c : name)
    fine &= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  if (!fine)
    t.fail("name", fmt::format("'{}' cannot name a {}: letters, digits and '_' only", name, what));
}

}  // namespace klingel::vehicle
