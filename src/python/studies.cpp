// Studies for Python.
#include "python/bind.hpp"
#include "study/study_folder.hpp"

namespace klingel::python {
namespace {

py::list variations_of(const study::PreparedStudy& study,
                       const std::vector<study::CaseResult>& results) {
  py::list list;
  for (std::size_t i = 0; i < study.study().variations.size(); ++i) {
    const study::Variation& v = study.study().variations[i];
    py::list texts;
    std::vector<double> numbers;
    for (const study::CaseResult& r : results) {
      if (v.kind == study::Variation::Kind::texts)
        texts.append(study.values().text(r.number, i));
      else
        numbers.push_back(study.values().number(r.number, i));
    }
    const bool is_text = v.kind == study::Variation::Kind::texts;
    list.append(py::make_tuple(v.name, is_text ? py::object(texts) : py::object(copy_of(numbers))));
  }
  return list;
}

// variations and measures as (name, values), ends, messages
py::tuple run_study(const std::string& file, const std::string& folder, bool force,
                    std::size_t threads, std::size_t lanes, const std::string& backend) {
  SharedInterrupt interrupt;
  study::StudyOptions options;
  options.folder = folder;
  options.threads = threads;
  options.lanes = study::checked_lanes(lanes);
  options.kernels.backend = exec::backend_by_name(backend);
  options.stop = [&interrupt] { return interrupt(); };
  std::unique_ptr<study::PreparedStudy> study;
  std::vector<study::CaseResult> results;
  bool complete = false;
  {
    const py::gil_scoped_release free;
    study::Study text = study::load_study(file);
    if (force) study::remove_results(folder);
    study::check_unchanged(folder, text);
    study = std::make_unique<study::PreparedStudy>(std::move(text), options.kernels);
    study::begin_folder(folder, *study);
    complete = study->run(options).complete();
    if (complete) results = study->collect(folder);
  }
  interrupt.raise();
  if (!complete) base::fail("the study was stopped; the same call goes on");
  py::list measures, ends, messages;
  for (std::size_t i = 0; i < study->study().measures.size(); ++i) {
    std::vector<double> values;
    for (const study::CaseResult& r : results) values.push_back(r.measures[i]);
    measures.append(py::make_tuple(study->study().measures[i].name, copy_of(values)));
  }
  for (const study::CaseResult& r : results) {
    ends.append(r.end);
    messages.append(r.message);
  }
  return py::make_tuple(variations_of(*study, results), measures, ends, messages);
}

}  // namespace

void add_studies(py::module_& m) { m.def("run_study", &run_study); }

}  // namespace klingel::python
