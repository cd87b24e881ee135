#include "study/study_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/file.hpp"
#include "base/lookup.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"
#include "vehicle/document.hpp"
#include "vehicle/scenario_numbers.hpp"

namespace klingel::study {
namespace {

constexpr base::DataKind studies{"studies", "study", ""};

using vehicle::Table;
using vehicle::Value;

std::optional<double> optional_number(Table& t, const char* key) {
  if (!t.has(key)) return {};
  return t.number(key);
}

ScenarioChanges changes_of(Table& t) {
  ScenarioChanges c;
  c.track = t.text("track", "");
  c.law = t.text("law", "");
  c.integrator = t.text("integrator", "");
  c.speed = optional_number(t, "speed");
  c.position = optional_number(t, "position");
  c.step = optional_number(t, "step");
  c.duration = optional_number(t, "duration");
  c.interval = optional_number(t, "interval");
  c.friction = optional_number(t, "friction");
  return c;
}

bool is_text(const std::string& name) {
  return name == "track" || name == "law" || name == "integrator";
}

void read_list(Table& t, Variation& v) {
  if (is_text(v.name)) {
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

Variation variation_of(Table& t) {
  Variation v;
  v.name = t.text("name");
  v.place = t.place("name");
  t.call("vary '" + v.name + "'");
  v.with = t.text("with", "");
  v.compile = t.boolean("compile", false);
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
  if (is_text(v.name) && v.kind != Variation::Kind::texts)
    t.fail("name", "takes names: values = [\"...\", \"...\"]");
  t.refuse_unknown();
  check_numbers(v);
  return v;
}

Measure measure_of(Table& t) {
  Measure m;
  m.name = t.text("name");
  m.place = t.place("name");
  t.call("measure '" + m.name + "'");
  m.summary = t.text("summary", "");
  m.formula = t.text("formula", "");
  if (m.summary.empty() == m.formula.empty())
    t.fail("name",
           "expected either summary = \"max_Q.front.left\" or formula = \"max(Q.front.left)\"");
  if (t.has(m.summary.empty() ? "formula" : "summary"))
    m.place = t.place(m.summary.empty() ? "formula" : "summary");
  m.least = optional_number(t, "least");
  m.most = optional_number(t, "most");
  if (m.least && m.most && *m.least > *m.most)
    t.fail("most", fmt::format("'most' is {}, below 'least', which is {}", *m.most, *m.least));
  t.refuse_unknown();
  return m;
}

template <class T>
void check_names(const std::vector<T>& list, const char* what) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name.find_first_of("\t\n\r,\"/") != std::string::npos || list[i].name.empty())
      base::fail_at(list[i].place, "'{}' cannot be the name of a {}", list[i].name, what);
    for (std::size_t k = 0; k < i; ++k)
      if (list[k].name == list[i].name)
        base::fail_at(list[i].place, "the {} '{}' is given twice", what, list[i].name);
  }
}

void check_links(const Study& s) {
  for (const Variation& v : s.variations) {
    if (v.with.empty()) continue;
    const auto other = std::find_if(s.variations.begin(), s.variations.end(),
                                    [&](const Variation& o) { return o.name == v.with; });
    std::vector<std::string> names;
    for (const Variation& o : s.variations) names.push_back(o.name);
    if (other == s.variations.end())
      base::fail_at(v.place, "'{}' changes with '{}', which does not vary{}", v.name, v.with,
                    base::did_you_mean(v.with, names));
    if (v.is_random() || other->is_random() || !other->with.empty())
      base::fail_at(v.place, "'{}' and '{}': only lists can change together, and not in a chain",
                    v.name, v.with);
    if (v.count() != other->count())
      base::fail_at(v.place, "'{}' has {} values and '{}' has {}: they must have as many", v.name,
                    v.count(), v.with, other->count());
  }
}

}  // namespace

Study parse_study(std::string_view text, const std::string& file) {
  const vehicle::Document document = vehicle::Document::parse(text, file);
  Table root = document.root();
  Study s;
  s.file = file;
  s.text = text;
  Table t = root.required_table("study");
  s.name = t.text("name", std::filesystem::path(file).stem().string());
  s.about = t.text("about", "");
  s.run = t.text("run");
  // a file beside the study comes first
  const std::filesystem::path beside = std::filesystem::path(file).parent_path() / s.run;
  if (std::filesystem::is_regular_file(beside)) s.run = beside.string();
  s.fixed = changes_of(t);
  const std::vector<std::string> words = {"random", "latin_hypercube", "sobol"};
  const std::string sampling = t.word("sampling", words, "latin_hypercube");
  s.sampling = sampling == "random"  ? Sampling::random
               : sampling == "sobol" ? Sampling::sobol
                                     : Sampling::latin_hypercube;
  const std::int64_t seed = t.integer("seed", 1), samples = t.integer("samples", 0);
  if (seed < 0) t.fail("seed", "must not be negative");
  if (samples < 0 || samples > 100'000'000) t.fail("samples", "must be from 1 to 100000000");
  s.seed = static_cast<std::uint64_t>(seed);
  s.samples = static_cast<std::size_t>(samples);
  t.refuse_unknown();
  if (std::optional<Table> fixed = root.table("parameters")) {
    for (const std::string& name : fixed->keys()) {
      const Value* value = fixed->find(name);
      s.fixed.parameters.push_back({name, value->kind == Value::Kind::text
                                              ? value->text
                                              : base::shortest(fixed->number(name))});
    }
  }
  for (Table& v : root.tables("vary")) s.variations.push_back(variation_of(v));
  for (Table& m : root.tables("measure")) s.measures.push_back(measure_of(m));
  root.refuse_unknown();
  if (s.variations.empty())
    base::fail_at({file, 0, 0}, "nothing varies; add [[vary]] with a name and values");
  if (s.measures.empty())
    base::fail_at({file, 0, 0}, "nothing is measured; add [[measure]] with a name and a formula");
  check_names(s.variations, "variation");
  check_names(s.measures, "measure");
  check_links(s);
  const bool random = std::any_of(s.variations.begin(), s.variations.end(),
                                  [](const Variation& v) { return v.is_random(); });
  if (random && s.samples == 0)
    base::fail_at(t.place(), "values are drawn at random: say how many, samples = 100");
  if (!random && s.samples != 0)
    base::fail_at(t.place("samples"), "nothing is drawn at random: remove 'samples'");
  return s;
}

Study load_study(const std::string& name) {
  const std::string path = base::find_file(studies, name).string();
  return parse_study(base::read_file(path), path);
}

}  // namespace klingel::study
