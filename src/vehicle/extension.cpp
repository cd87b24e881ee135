#include "vehicle/extension.hpp"

#include <algorithm>

#include "vehicle/keys.hpp"

namespace klingel::vehicle {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t longest_chain = 9;

Document extended(Table& root, const Document& file) {
  fs::path path = file.folder() / root.text("extends");
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) path /= "vehicle.toml";
  if (!fs::exists(path, ignored))
    root.fail("extends", fmt::format("there is no file '{}'", path.string()));
  return Document::load(path);
}

}  // namespace

std::vector<Document> extensions(const Document& file, const std::string& scope,
                                 Overrides& overrides) {
  std::vector<Document> chain = {file};
  for (;;) {
    Table root = chain.back().root();
    if (!root.has("extends")) return chain;
    if (chain.size() >= longest_chain) root.fail("extends", "files extend each other in a circle");
    for (const std::string& key : root.keys()) {
      constexpr std::string_view possible[] = {"extends",     "vehicle", "parameters",
                                               "coordinates", "inputs",  "material"};
      if (std::find(std::begin(possible), std::end(possible), key) == std::end(possible))
        root.fail(key, fmt::format("'{}' cannot stand in a file that extends another one; vehicle, "
                                   "parameters, coordinates, inputs and material can",
                                   key));
    }
    // what is asked for further outside wins: emplace keeps what is there
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

Material read_material(const std::vector<Document>& chain) {
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
