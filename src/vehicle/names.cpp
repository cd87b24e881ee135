#include "vehicle/names.hpp"

#include <algorithm>
#include <cctype>

#include "base/nearest.hpp"

#include "vehicle/curve.hpp"

namespace klingel::vehicle {
namespace {

// an argument may refer to an argument of the caller, and so on up; more than this is a circle
constexpr int deepest = 50;
constexpr int largest = 2000;

// the scope around a scope; false at the file itself
bool go_out(std::string_view& scope) {
  if (scope.empty()) return false;
  const std::size_t dot = scope.rfind('.');
  scope = dot == std::string_view::npos ? std::string_view() : scope.substr(0, dot);
  return true;
}

void check_word(const std::string& name, NameKind kind, const base::Place& place) {
  bool fine = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  for (const char c : name) fine &= std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  if (!fine)
    base::fail_at(place, "'{}' cannot be the name of a {}: letters, digits and '_' only", name,
                  kind_name(kind));
  if (kind <= NameKind::input && (name == "pi" || name == "t"))
    base::fail_at(place, "'{}' cannot be the name of a {}: it means {}", name, kind_name(kind),
                  name == "pi" ? "the number pi" : "time");
}

}  // namespace

std::string joined(std::string_view scope, std::string_view name) {
  return scope.empty() ? std::string(name) : fmt::format("{}.{}", scope, name);
}

Names::Names() {
  spaces_[space_of(NameKind::point)]["O"] = {NameKind::point, {}};
  spaces_[space_of(NameKind::base)]["ground"] = {NameKind::base, {}};
}

int Names::space_of(NameKind kind) { return std::max(0, static_cast<int>(kind) - 2); }

std::string Names::declare(NameKind kind, std::string_view scope, const std::string& name,
                           const base::Place& place) {
  check_word(name, kind, place);
  const std::string full = joined(scope, name);
  const auto refuse_second = [&](std::string_view first, const base::Place& where) {
    const bool same_file = where.file == place.file;
    base::fail_at(place, "the {} '{}' exists already{}{}", first, full,
                  where.line == 0 ? std::string()
                  : same_file     ? " at line " + std::to_string(where.line)
                                  : " in " + base::text(where),
                  first == kind_name(kind) ? "" : fmt::format(" (this is a {})", kind_name(kind)));
  };
  const auto [it, added] = spaces_[space_of(kind)].emplace(full, Declared{kind, place});
  if (!added) refuse_second(kind_name(it->second.kind), it->second.place);
  if (const auto a = arguments_.find(full); kind <= NameKind::input && a != arguments_.end())
    refuse_second("argument", a->second.value->place);
  return full;
}

std::vector<std::string> Names::all(NameKind kind) const {
  std::vector<std::string> names;
  for (const auto& [name, declared] : spaces_[space_of(kind)])
    if (declared.kind == kind) names.push_back(name);
  return names;
}

void Names::declare_argument(std::string_view scope, const std::string& name, const Value& value,
                             std::string_view caller) {
  const std::string full = joined(scope, name);
  check_word(name, NameKind::parameter, value.place);
  if (!arguments_.emplace(full, Argument{&value, std::string(caller)}).second)
    base::fail_at(value.place, "the argument '{}' exists already", full);
}

void Names::refuse(std::string_view what, std::string_view scope, const std::string& name,
                   const base::Place& place, int space) const {
  // what could have been written here: names seen from this scope, without its prefix
  std::vector<std::string> near;
  for (std::string_view around = scope;;) {
    const std::string prefix = around.empty() ? "" : std::string(around) + ".";
    for (const auto& [full, declared] : spaces_[space])
      if (full.compare(0, prefix.size(), prefix) == 0) near.push_back(full.substr(prefix.size()));
    for (const auto& [full, argument] : arguments_)
      if (full.compare(0, prefix.size(), prefix) == 0) near.push_back(full.substr(prefix.size()));
    if (!go_out(around)) break;
  }
  std::vector<std::string> once;
  for (const std::string& n : near)
    if (std::find(once.begin(), once.end(), n) == once.end()) once.push_back(n);
  base::fail_at(place, "there is no {} '{}'{}{}", what, name,
                scope.empty() ? "" : fmt::format(" in '{}' or around it", scope),
                base::did_you_mean(name, once));
}

std::string Names::resolve(NameKind kind, std::string_view scope, const std::string& name,
                           const base::Place& place) const {
  const int space = space_of(kind);
  std::string wanted = name;
  std::string from(scope);
  // an argument is resolved to its value, in the scope of the caller
  for (int depth = 0; depth < deepest; ++depth) {
    const Argument* argument = nullptr;
    for (std::string_view around = from;;) {
      const std::string full = joined(around, wanted);
      const auto it = spaces_[space].find(full);
      if (it != spaces_[space].end()) {
        if (it->second.kind == kind) return full;
        base::fail_at(place, "'{}' is a {}, expected a {}", name, kind_name(it->second.kind),
                      kind_name(kind));
      }
      const auto a = arguments_.find(full);
      if (a != arguments_.end()) {
        argument = &a->second;
        break;
      }
      if (!go_out(around)) break;
    }
    if (argument == nullptr) refuse(kind_name(kind), scope, wanted, place, space);
    if (argument->value->kind != Value::Kind::text)
      base::fail_at(argument->value->place, "'{}' must be the name of a {}, found {}", wanted,
                    kind_name(kind), kind_name(argument->value->kind));
    wanted = argument->value->text;
    from = argument->caller;
  }
  base::fail_at(place, "'{}' is defined by itself", name);
}

Expression Names::resolve_name(const Expression& e, std::string_view scope, Walk& walk) const {
  if (walk.depth > deepest) base::fail_at(e.place, "'{}' is defined by itself", e.name);
  for (std::string_view around = scope;;) {
    const std::string full = joined(around, e.name);
    if (spaces_[0].count(full) > 0) {
      Expression known = e;
      known.name = full;
      return known;
    }
    if (const auto a = arguments_.find(full); a != arguments_.end()) {
      const Value& v = *a->second.value;
      if (v.kind == Value::Kind::number) return Expression(v.number);
      if (v.kind != Value::Kind::text)
        base::fail_at(v.place, "'{}' must be a number or a formula in quotes, found {}", e.name,
                      kind_name(v.kind));
      base::Place inside = v.place;
      ++inside.column;
      ++walk.depth;
      const Expression meant = resolve(parse_expression(v.text, inside), a->second.caller, walk);
      --walk.depth;
      return meant;
    }
    if (!go_out(around)) break;
  }
  refuse("parameter, coordinate or input", scope, e.name, e.place, 0);
}

// pi and t; the first formula with a time is remembered
bool Names::is_known(const Expression& e) const {
  if (e.name == "t" && !time_) time_ = e.place;
  return e.name == "pi" || e.name == "t";
}

// Arguments of stroke(), rate() and turn(): points, bases, and axes of bases ("frame.y").
Expression Names::resolve_places(const Expression& e, std::string_view scope) const {
  Expression result = e;
  const auto axis = [&](Expression& a) {
    const std::size_t dot = a.name.rfind('.');
    const std::string last = dot == std::string::npos ? "" : a.name.substr(dot + 1);
    if (last != "x" && last != "y" && last != "z")
      base::fail_at(a.place, "expected an axis of a base, as 'ground.y', found '{}'", a.name);
    const std::string base = a.name.substr(0, dot);
    a.name = resolve(NameKind::base, scope, base, a.place) + "." + last;
  };
  const bool turns = e.name == "turn" || e.name == "turn_rate";
  if (turns) {
    axis(result.arguments[0]);
    Expression& other = result.arguments[1];
    other.name = resolve(NameKind::base, scope, other.name, other.place);
    return result;
  }
  for (const std::size_t i : {0, 1}) {
    Expression& a = result.arguments[i];
    a.name = resolve(NameKind::point, scope, a.name, a.place);
  }
  if (result.arguments.size() > 2) axis(result.arguments[2]);
  return result;
}

Expression Names::resolve(const Expression& e, std::string_view scope, Walk& walk) const {
  if (++walk.nodes > largest)
    base::fail_at(e.place, "the formula grows beyond {} operations by its arguments", largest);
  if (e.kind == Expression::Kind::name) return is_known(e) ? e : resolve_name(e, scope, walk);
  if (e.kind == Expression::Kind::text) return e;
  if (is_of_places(e)) return resolve_places(e, scope);
  Expression result = e;
  for (Expression& a : result.arguments) a = resolve(a, scope, walk);
  if (e.kind == Expression::Kind::call && e.name == "table")
    result.points = table_of_file(e.arguments[0].name, e.place).points;
  if (e.kind == Expression::Kind::call && e.name == "rate") {
    const Expression& x = result.arguments[0];
    const auto known = spaces_[0].find(x.name);
    if (x.kind != Expression::Kind::name || known == spaces_[0].end() ||
        known->second.kind != NameKind::coordinate)
      base::fail_at(e.place, "rate() takes a coordinate; '{}' is not one", text(e.arguments[0]));
  }
  return result;
}

Expression Names::resolve(const Expression& e, std::string_view scope) const {
  Walk walk;
  return resolve(e, scope, walk);
}

Expression Names::expression(const Value& value, std::string_view scope,
                             const std::string& what) const {
  if (value.kind == Value::Kind::number) {
    if (!(value.number - value.number == 0)) base::fail_at(value.place, "{} must be finite", what);
    Expression e(value.number);
    e.place = value.place;
    return e;
  }
  if (value.kind != Value::Kind::text)
    base::fail_at(value.place, "{} must be a number or a formula in quotes, found {}", what,
                  kind_name(value.kind));
  base::Place inside = value.place;
  if (inside.column > 0) ++inside.column;  // behind the quote
  return resolve(parse_expression(value.text, inside), scope);
}

}  // namespace klingel::vehicle
