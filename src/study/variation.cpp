#include "study/variation.hpp"

#include <algorithm>
#include <array>

#include "base/nearest.hpp"
#include "base/number.hpp"
#include "study/scenario_changes.hpp"
#include "study/variation_names.hpp"
#include "vehicle/scenario_numbers.hpp"

namespace klingel::study {
namespace {

using vehicle::Table;
using vehicle::Value;

bool has_texts(Table& t) {
  const Value* list = t.find("values");
  return list != nullptr && !list->items.empty() && list->items[0].kind == Value::Kind::text;
}

void read_list(Table& t, Variation& v) {
  if (names_texts(v.name) || (may_be_text(v.name) && has_texts(t))) {
    v.kind = Variation::Kind::texts;
    v.texts = t.texts("values");
  } else {
    v.numbers = t.numbers("values");
  }
  if (v.count() == 0) t.fail("values", "the list is empty; give at least one value");
}

// from, to, count: equally spaced, both ends included
void read_range(Table& t, Variation& v) {
  const double from = t.number("from"), to = t.number("to");
  const std::int64_t count = t.integer("count");
  if (count < 1 || count > 1'000'000) t.fail("count", "must be from 1 to 1000000");
  if (count == 1 && from != to)
    t.fail("count", fmt::format("one value cannot be both {} and {}; take two or more", from, to));
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
    v.numbers.push_back(i + 1 == count && count > 1 ? to : from + share * (to - from));
  }
}

void read_random(Table& t, const char* key, Variation::Kind kind, Variation& v) {
  const std::vector<double> pair = t.numbers(key);
  if (pair.size() != 2) t.fail(key, fmt::format("expected two numbers, found {}", pair.size()));
  v.kind = kind;
  v.first = pair[0];
  v.second = pair[1];
  if (kind == Variation::Kind::normal && !(v.second > 0))
    t.fail(key, fmt::format("the standard deviation must be positive, found {}", v.second));
  if (kind != Variation::Kind::normal && !(v.second > v.first))
    t.fail(key,
           fmt::format("the second number must be larger, found {} and {}", v.first, v.second));
  if (kind == Variation::Kind::logarithmic && !(v.first > 0))
    t.fail(key, fmt::format("both numbers must be positive, found {}", v.first));
}

// Numbers of a scenario have the limits that they have in its file.
void check_numbers(const Variation& v) {
  const std::string_view key = scenario_key(v.name);
  if (key.empty()) return;
  vehicle::Scenario scenario;
  for (const double value : v.numbers) vehicle::set_number(scenario, key, value, v.place);
  if (!v.is_random()) return;
  vehicle::set_number(scenario, key, v.first, v.place);
  if (v.kind != Variation::Kind::normal) vehicle::set_number(scenario, key, v.second, v.place);
}

std::string text_of(const Value& value, Table& t) {
  if (value.kind == Value::Kind::text) return value.text;
  if (value.kind == Value::Kind::number) return base::shortest(value.number);
  t.fail("when", fmt::format("conditions compare with numbers and texts, found {}",
                             vehicle::kind_name(value.kind)));
}

// when = { law = "polach", speed = [10, 20] }
void read_conditions(Table& t, Variation& v) {
  const Value* when = t.find("when");
  if (when == nullptr) return;
  if (when->kind != Value::Kind::table)
    t.fail("when", "expected the values of other variations: when = { law = \"polach\" }");
  for (std::size_t i = 0; i < when->keys.size(); ++i) {
    const Value& is = when->items[i];
    Condition c{when->keys[i], {}, is.place};
    if (is.kind == Value::Kind::list)
      for (const Value& item : is.items) c.values.push_back(text_of(item, t));
    else
      c.values.push_back(text_of(is, t));
    v.when.push_back(std::move(c));
  }
}

const Variation* find(const std::vector<Variation>& all, const std::string& name) {
  for (const Variation& v : all)
    if (v.name == name) return &v;
  return nullptr;
}

std::vector<std::string> names_of(const std::vector<Variation>& all) {
  std::vector<std::string> names;
  for (const Variation& v : all) names.push_back(v.name);
  return names;
}

void check_link(const Variation& v, const std::vector<Variation>& all) {
  if (v.with.empty()) return;
  const Variation* other = find(all, v.with);
  if (other == nullptr)
    base::fail_at(v.place, "'{}' changes with '{}', which does not vary{}", v.name, v.with,
                  base::did_you_mean(v.with, names_of(all)));
  if (v.is_random() || other->is_random() || !other->with.empty())
    base::fail_at(v.place, "'{}' and '{}': only lists can change together, and not in a chain",
                  v.name, v.with);
  if (!v.when.empty())
    base::fail_at(v.place, "'{}' changes with '{}': give the condition to that one", v.name,
                  v.with);
  if (v.count() != other->count())
    base::fail_at(v.place, "'{}' has {} values and '{}' has {}: they must have as many", v.name,
                  v.count(), v.with, other->count());
}

void check_condition(const Condition& c, const Variation& v, const std::vector<Variation>& before) {
  const Variation* other = find(before, c.name);
  if (other == nullptr)
    base::fail_at(c.place, "'{}' depends on '{}', which does not vary before it{}", v.name, c.name,
                  base::did_you_mean(c.name, names_of(before)));
  if (other->is_random())
    base::fail_at(c.place,
                  "'{}' depends on '{}', which is drawn at random; only lists can be "
                  "conditions",
                  v.name, c.name);
  std::vector<std::string> there = other->texts;
  for (const double x : other->numbers) there.push_back(base::shortest(x));
  for (const std::string& value : c.values)
    if (std::find(there.begin(), there.end(), value) == there.end())
      base::fail_at(c.place, "'{}' never is {}{}; it is one of: {}", c.name, value,
                    base::did_you_mean(value, there), fmt::join(there, ", "));
}

}  // namespace

double Variation::least() const {
  if (is_random()) return first;
  return *std::min_element(numbers.begin(), numbers.end());
}

double Variation::largest() const {
  if (is_random()) return second;
  return *std::max_element(numbers.begin(), numbers.end());
}

Variation read_variation(Table& t) {
  Variation v;
  v.name = t.text("name");
  v.place = t.place("name");
  t.call("vary '" + v.name + "'");
  v.with = t.text("with", "");
  v.compile = t.boolean("compile", false);
  if (t.has("start")) v.start = t.number("start");
  read_conditions(t, v);
  constexpr std::array<const char*, 5> ways = {"values", "from", "uniform", "normal", "log"};
  std::vector<std::string> given;
  for (const char* way : ways)
    if (t.has(way)) given.push_back(way);
  if (given.size() != 1)
    t.fail("name",
           "expected one of values = [...], from/to/count, uniform = [low, high], "
           "normal = [mean, deviation], log = [low, high]");
  if (given[0] == "values") read_list(t, v);
  if (given[0] == "from") read_range(t, v);
  if (given[0] == "uniform") read_random(t, "uniform", Variation::Kind::uniform, v);
  if (given[0] == "normal") read_random(t, "normal", Variation::Kind::normal, v);
  if (given[0] == "log") read_random(t, "log", Variation::Kind::logarithmic, v);
  if (names_texts(v.name) && v.kind != Variation::Kind::texts)
    t.fail("name", "takes names: values = [\"...\", \"...\"]");
  t.refuse_unknown();
  check_numbers(v);
  return v;
}

void check_variations(const std::vector<Variation>& all) {
  std::vector<Variation> before;
  for (const Variation& v : all) {
    check_link(v, all);
    for (const Condition& c : v.when) check_condition(c, v, before);
    before.push_back(v);
  }
}

}  // namespace klingel::study
