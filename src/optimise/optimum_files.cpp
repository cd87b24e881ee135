#include "optimise/optimum_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/json.hpp"
#include "base/lookup.hpp"
#include "base/number.hpp"
#include "report/plot.hpp"
#include "study/variation_names.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::optimise {
namespace {

std::string csv_number(double value) {
  return std::isfinite(value) ? base::shortest(value) : std::isnan(value) ? "nan" : "inf";
}

bool is_of(const Optimum& optimum, const Evaluation* e) {
  return std::find(optimum.points.begin(), optimum.points.end(), e) != optimum.points.end();
}

report::Plot history(const Evaluator& evaluator) {
  const study::Study& s = evaluator.study().study();
  const std::size_t m = objective_measures(s).front();
  const bool maximise = s.goal->objectives.front().maximise;
  report::Plot plot;
  plot.title = fmt::format("{} over the evaluations of {}", s.measures[m].name,
                           study::method_names()[static_cast<std::size_t>(s.goal->method)]);
  plot.x_label = "evaluation";
  plot.y_label = s.measures[m].name;
  report::Series each{"each", {}, {}, report::Style::points}, best{"best so far", {}, {}};
  double so_far = NAN;
  for (std::size_t i = 0; i < evaluator.history().size(); ++i) {
    const study::CaseResult& r = evaluator.history()[i]->result;
    const double value = r.measures[m];
    if (evaluator.history()[i]->step_of_gradient || !std::isfinite(value)) continue;
    each.x.push_back(static_cast<double>(i));
    each.y.push_back(value);
    bool within = true;
    for (std::size_t k = 0; k < s.measures.size(); ++k)
      within = within && !(s.measures[k].most && r.measures[k] > *s.measures[k].most) &&
               !(s.measures[k].least && r.measures[k] < *s.measures[k].least);
    if (within && (std::isnan(so_far) || (maximise ? value > so_far : value < so_far)))
      so_far = value;
    best.x.push_back(static_cast<double>(i));
    best.y.push_back(so_far);
  }
  plot.series = {std::move(best), std::move(each)};
  return plot;
}

report::Plot front(const Evaluator& evaluator, const Optimum& optimum) {
  const study::Study& s = evaluator.study().study();
  const std::vector<std::size_t> m = objective_measures(s);
  const auto label = [&](std::size_t k) {
    return fmt::format("{} ({} is better)", s.goal->objectives[k].measure,
                       s.goal->objectives[k].maximise ? "more" : "less");
  };
  report::Plot plot;
  plot.title = fmt::format("Front of {} and {}", s.measures[m[0]].name, s.measures[m[1]].name);
  plot.x_label = label(1);
  plot.y_label = label(0);
  plot.height = 440;
  report::Series line{"front", {}, {}}, marks{"its points", {}, {}, report::Style::points},
      all{"all evaluations", {}, {}, report::Style::points};
  for (const Evaluation* e : optimum.points) {
    for (report::Series* to : {&line, &marks}) {
      to->x.push_back(e->result.measures[m[1]]);
      to->y.push_back(e->result.measures[m[0]]);
    }
  }
  for (const auto& e : evaluator.history()) {
    if (e->step_of_gradient || e->result.failed()) continue;
    all.x.push_back(e->result.measures[m[1]]);
    all.y.push_back(e->result.measures[m[0]]);
  }
  plot.series = {std::move(all), std::move(line), std::move(marks)};
  return plot;
}

// A shipped vehicle by its name, another one by its path.
std::string name_of(const std::filesystem::path& vehicle) {
  const std::string name = vehicle.parent_path().filename().string();
  std::error_code ignored;
  if (std::filesystem::equivalent(base::find_shipped(base::vehicles, name), vehicle, ignored))
    return name;
  return std::filesystem::absolute(vehicle).lexically_normal().string();
}

// A number as it is, a formula in quotes.
std::string as_toml(const std::string& value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = error == std::errc() && end == value.data() + value.size();
  return whole ? base::shortest(number) : "\"" + value + "\"";
}

}  // namespace

std::string evaluations_csv(const Evaluator& evaluator, const Optimum& optimum) {
  const study::Study& s = evaluator.study().study();
  std::string text = "evaluation";
  for (const study::Variation& v : s.variations) text += "," + v.name;
  text += ",end";
  for (const study::Measure& m : s.measures) text += "," + m.name;
  text += ",of_gradient,of_result\n";
  for (std::size_t i = 0; i < evaluator.history().size(); ++i) {
    const Evaluation& e = *evaluator.history()[i];
    text += fmt::format("{}", i);
    for (const double value : evaluator.values(e.x)) text += "," + csv_number(value);
    text += "," + e.result.end;
    for (const double value : e.result.measures) text += "," + csv_number(value);
    text += fmt::format(",{},{}\n", e.step_of_gradient ? 1 : 0, is_of(optimum, &e) ? 1 : 0);
  }
  return text;
}

std::string optimum_json(const Evaluator& evaluator, const Optimum& optimum, double seconds) {
  const study::Study& s = evaluator.study().study();
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  const auto failed = std::count_if(evaluator.history().begin(), evaluator.history().end(),
                                    [](const auto& e) { return e->result.failed(); });
  base::Json json;
  json.begin_object().key("study").value(s.name);
  json.key("method").value(study::method_names()[static_cast<std::size_t>(s.goal->method)]);
  json.key("evaluations").value(whole(optimum.evaluations));
  json.key("cases").value(whole(evaluator.history().size()));
  json.key("failed").value(static_cast<std::int64_t>(failed));
  json.key("gradients_from_eigenvectors").value(whole(evaluator.gradients_from_eigenvectors()));
  json.key("seconds").value(seconds);
  json.key("within_limits").value(optimum.within).key("reason").value(optimum.reason);
  json.key("points").begin_array();
  for (const Evaluation* e : optimum.points) {
    const std::vector<double> values = evaluator.values(e->x);
    json.begin_object().key("values").begin_object();
    for (std::size_t i = 0; i < values.size(); ++i) json.key(s.variations[i].name).value(values[i]);
    json.end_object().key("measures").begin_object();
    for (std::size_t i = 0; i < s.measures.size(); ++i)
      json.key(s.measures[i].name).value(e->result.measures[i]);
    json.end_object().end_object();
  }
  json.end_array().end_object();
  return json.text();
}

std::string optimum_svg(const Evaluator& evaluator, const Optimum& optimum) {
  const bool two = evaluator.study().study().goal->objectives.size() == 2;
  return report::svg(two ? front(evaluator, optimum) : history(evaluator));
}

std::string vehicle_file(const Evaluator& evaluator, const Evaluation& best,
                         const std::string& name) {
  const study::Study& s = evaluator.study().study();
  const vehicle::Scenario scenario = vehicle::load_scenario(s.run);
  std::string text = fmt::format("# Found by klingel optimise for the study {}.\n", s.name);
  for (std::size_t i = 0; i < s.measures.size(); ++i)
    text += fmt::format("# {} = {}\n", s.measures[i].name, csv_number(best.result.measures[i]));
  const std::vector<double> values = evaluator.values(best.x);
  std::map<std::string, std::string> parameters;  // later ones win
  for (const auto* list : {&scenario.parameters, &s.fixed.parameters})
    for (const vehicle::Setting& p : *list) parameters[p.name] = as_toml(p.value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& key = s.variations[i].name;
    const bool of_vehicle = !study::is_of_start(key) && !study::is_of_scenario(key) &&
                            !study::is_of_curve(key) && !key.starts_with(study::input_prefix);
    if (of_vehicle)
      parameters[key] = base::shortest(values[i]);
    else
      text += fmt::format("# {} = {}, which no vehicle file has\n", key, base::shortest(values[i]));
  }
  text += fmt::format("extends = \"{}\"\n\n[vehicle]\nname = \"{}\"\n", name_of(scenario.vehicle),
                      name);
  if (!parameters.empty()) text += "\n[parameters]\n";
  for (const auto& [key, value] : parameters) text += fmt::format("\"{}\" = {}\n", key, value);
  return text;
}

}  // namespace klingel::optimise
