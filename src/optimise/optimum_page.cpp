#include "optimise/optimum_page.hpp"

#include <algorithm>

#include "study/study_page.hpp"

namespace klingel::optimise {

std::string optimum_page(const Evaluator& evaluator, const Optimum& optimum) {
  const study::Study& s = evaluator.study().study();
  using Role = study::PageColumn::Role;
  study::PageData d;
  d.name = s.name;
  d.about = fmt::format("{} Optimised by {}.", s.about,
                        study::method_names()[static_cast<std::size_t>(s.goal->method)]);
  study::PageColumn number{"evaluation", "in their order", Role::other, {}, {}, {}, {}};
  study::PageColumn kind{"kind", "what it was for", Role::word, {}, {}, {}, {}};
  for (const study::Variation& v : s.variations)
    d.columns.push_back({v.name, "varied", Role::vary, {}, {}, {}, {}});
  for (const study::Measure& m : s.measures)
    d.columns.push_back({m.name, m.text, Role::measure, {}, {}, m.least, m.most});
  for (const auto& e : evaluator.history()) {
    const bool best =
        std::find(optimum.points.begin(), optimum.points.end(), e.get()) != optimum.points.end();
    number.numbers.push_back(static_cast<double>(number.numbers.size()));
    kind.texts.push_back(best ? "result" : e->step_of_gradient ? "gradient" : "search");
    const std::vector<double> values = evaluator.values(e->x);
    for (std::size_t i = 0; i < values.size(); ++i) d.columns[i].numbers.push_back(values[i]);
    for (std::size_t k = 0; k < s.measures.size(); ++k)
      d.columns[values.size() + k].numbers.push_back(e->result.measures[k]);
    d.messages.push_back(e->result.message);
    d.failed += e->result.failed() ? 1 : 0;
  }
  const std::vector<std::size_t> m = objective_measures(s);
  d.x = m.size() == 2 ? s.measures[m[1]].name : "evaluation";
  d.y = s.measures[m[0]].name;
  d.columns.insert(d.columns.begin(), std::move(number));
  d.columns.push_back(std::move(kind));
  return study::page_of(d);
}

}  // namespace klingel::optimise
