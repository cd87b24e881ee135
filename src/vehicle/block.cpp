#include "vehicle/block.hpp"

namespace klingel::vehicle {

std::vector<Table> Block::kept_tables(std::string_view key) const {
  std::vector<Table> all = Table(table).tables(key);
  if (removals == nullptr) return all;
  std::erase_if(all, [&](Table& t) {
    const Value* name = t.find("name");
    return name != nullptr && removals->remover(joined(scope, name->text), level) != nullptr;
  });
  return all;
}

Expression Block::formula(Table& t, std::string_view key) const {
  const Value* v = t.find(key);
  if (v == nullptr)
    t.fail("", fmt::format("'{}' is missing (a number or a formula in quotes)", key));
  return names->expression(*v, scope, fmt::format("{}: '{}'", t.what(), key));
}

Expression Block::formula(Table& t, std::string_view key, double fallback) const {
  return t.has(key) ? formula(t, key) : Expression(fallback);
}

std::vector<Expression> Block::formulas(Table& t, std::string_view key) const {
  std::vector<Expression> result;
  const Value* list = t.find(key);
  if (list == nullptr) t.fail("", fmt::format("'{}' is missing (a list of formulas)", key));
  if (list->kind != Value::Kind::list)
    t.fail(key,
           fmt::format("'{}' must be a list of formulas, found {}", key, kind_name(list->kind)));
  for (const Value& v : list->items)
    result.push_back(names->expression(v, scope, fmt::format("{}: '{}'", t.what(), key)));
  return result;
}

Triple Block::triple(Table& t, std::string_view key, bool required) const {
  if (!required && !t.has(key)) return {0.0, 0.0, 0.0};
  return array<3>(t, key);
}

int Block::axis(Table& t, std::string_view key) const {
  const std::string a = t.text(key);
  if (a == "x" || a == "y" || a == "z") return a[0] - 'x';
  t.fail(key, fmt::format("'{}' must be \"x\", \"y\" or \"z\", found \"{}\"", key, a));
}

Triple Block::direction(Table& t, std::string_view key) const {
  const Value* v = t.find(key);
  if (v == nullptr || v->kind == Value::Kind::text) {
    Triple result = {0.0, 0.0, 0.0};
    result[static_cast<std::size_t>(axis(t, key))] = 1.0;
    return result;
  }
  return triple(t, key, true);
}

std::string Block::name(NameKind kind, Table& t, std::string_view key) const {
  const std::string wanted = t.text(key);
  return names->resolve(kind, scope, wanted, t.place(key));
}

std::string Block::name(NameKind kind, Table& t, std::string_view key, std::string fallback) const {
  return t.has(key) ? name(kind, t, key) : std::move(fallback);
}

std::array<std::string, 2> Block::two_points(Table& t, std::string_view key) const {
  const std::vector<std::string> two = t.texts(key);
  if (two.size() != 2)
    t.fail(key, fmt::format("'{}' must be a list of two points, found {}", key, two.size()));
  return {names->resolve(NameKind::point, scope, two[0], t.place(key)),
          names->resolve(NameKind::point, scope, two[1], t.place(key))};
}

}  // namespace klingel::vehicle
