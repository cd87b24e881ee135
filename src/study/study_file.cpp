#include "study/study_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file.hpp"
#include "base/lookup.hpp"
#include "base/number.hpp"
#include "study/goal.hpp"
#include "vehicle/document.hpp"

namespace klingel::study {
namespace {

constexpr base::DataKind studies{"studies", "study", ""};

using vehicle::Table;
using vehicle::Value;

ScenarioChanges changes_of(Table& t) {
  ScenarioChanges c;
  c.track = t.text("track", "");
  c.law = t.text("law", "");
  c.integrator = t.text("integrator", "");
  c.wheel_profile = t.text("wheel_profile", "");
  c.rail_profile = t.text("rail_profile", "");
  c.speed = t.optional_number("speed");
  c.position = t.optional_number("position");
  c.step = t.optional_number("step");
  c.duration = t.optional_number("duration");
  c.interval = t.optional_number("interval");
  c.friction = t.optional_number("friction");
  return c;
}

SteadyCurve curve_of(Table& t) {
  SteadyCurve c;
  c.radius = t.optional_number("radius");
  c.speed = t.optional_number("speed");
  c.cant_deficiency = t.number("cant_deficiency", 0);
  t.refuse_unknown();
  return c;
}

void read_parameters(Table& root, Study& s) {
  std::optional<Table> fixed = root.table("parameters");
  if (!fixed) return;
  for (const std::string& name : fixed->keys()) {
    const Value* value = fixed->find(name);
    s.fixed.parameters.push_back({name, value->kind == Value::Kind::text
                                            ? value->text
                                            : base::shortest(fixed->number(name))});
  }
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

// names in a study mean files beside it first
void locate(Study& s) {
  const std::filesystem::path folder = std::filesystem::path(s.file).parent_path();
  if (std::filesystem::is_regular_file(folder / s.run)) s.run = (folder / s.run).string();
  s.fixed.folder = std::filesystem::absolute(folder.empty() ? "." : folder);
}

void check_samples(const Study& s, const Table& t) {
  const bool random = std::any_of(s.variations.begin(), s.variations.end(),
                                  [](const Variation& v) { return v.is_random(); });
  if (random && s.samples == 0 && !s.goal)
    base::fail_at(t.place(), "values are drawn at random: say how many, samples = 100");
  if (!random && s.samples != 0)
    base::fail_at(t.place("samples"), "nothing is drawn at random: remove 'samples'");
}

void check_curve(const Study& s) {
  const bool radius =
      s.curve.radius || std::any_of(s.variations.begin(), s.variations.end(),
                                    [](const Variation& v) { return v.name == "curve.radius"; });
  for (const Measure& m : s.measures)
    if (m.kind == Measure::Kind::curve && !radius)
      base::fail_at(m.place, "which curve? add [curve] with a radius, or vary 'curve.radius'");
}

// A file that another command reads is told by its table.
void check_kind(Table& root, const std::string& file) {
  if (root.has("study")) return;
  constexpr std::pair<const char*, const char*> others[] = {{"wear", "klingel wear"},
                                                            {"estimate", "klingel estimate"},
                                                            {"scenario", "klingel run"},
                                                            {"vehicle", "klingel run"}};
  for (const auto& [table, command] : others)
    if (root.has(table))
      base::fail_at({file, 0, 0},
                    "this is a file of '{}': it has a table [{}]; a study has a table [study]",
                    command, table);
}

}  // namespace

bool Study::needs_run() const {
  return std::any_of(measures.begin(), measures.end(),
                     [](const Measure& m) { return m.needs_run(); });
}

bool Study::needs_linear() const {
  return std::any_of(measures.begin(), measures.end(),
                     [](const Measure& m) { return m.needs_linear(); });
}

Study parse_study(std::string_view text, const std::string& file) {
  const vehicle::Document document = vehicle::Document::parse(text, file);
  Table root = document.root();
  Study s;
  s.file = file;
  s.text = text;
  check_kind(root, file);
  Table t = root.required_table("study");
  s.name = t.text("name", std::filesystem::path(file).stem().string());
  s.about = t.text("about", "");
  s.run = t.text("run");
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
  read_parameters(root, s);
  if (std::optional<Table> curve = root.table("curve")) s.curve = curve_of(*curve);
  for (Table& v : root.tables("vary")) s.variations.push_back(read_variation(v));
  for (Table& m : root.tables("measure")) s.measures.push_back(read_measure(m));
  std::optional<Table> goal = root.table("optimise");
  root.refuse_unknown();
  if (s.variations.empty())
    base::fail_at({file, 0, 0}, "nothing varies; add [[vary]] with a name and values");
  if (s.measures.empty())
    base::fail_at({file, 0, 0}, "nothing is measured; add [[measure]] with a name and a formula");
  check_names(s.variations, "variation");
  check_names(s.measures, "measure");
  check_variations(s.variations);
  check_curve(s);
  if (goal) s.goal = read_goal(*goal, s.measures);
  check_samples(s, t);
  locate(s);
  return s;
}

Study load_study(const std::string& name) {
  if (std::filesystem::is_directory(name))
    base::fail(
        "'{}' is a folder, and a study is a file; of a folder with results, 'klingel study merge' "
        "makes the tables and 'klingel view' shows the page",
        name);
  const std::string path = base::find_file(studies, name).string();
  return parse_study(base::read_file(path), path);
}

}  // namespace klingel::study
