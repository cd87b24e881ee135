// Optimisation for Python.
#include "optimise/optimum_files.hpp"
#include "python/bind.hpp"
#include "study/study_folder.hpp"

namespace klingel::python {
namespace {

// evaluations.csv and optimum.json as texts, and a vehicle file for every point of the result
// "" as a folder: no journal
py::tuple run_optimise(const std::string& file, const std::string& folder, bool force,
                       std::size_t threads, std::size_t lanes, const std::string& backend) {
  SharedInterrupt interrupt;
  study::StudyOptions options;
  options.folder = folder;
  options.threads = threads;
  options.lanes = study::checked_lanes(lanes);
  options.kernels.backend = exec::backend_by_name(backend);
  options.stop = [&interrupt] { return interrupt(); };
  std::string evaluations, json;
  std::vector<std::string> vehicles;
  bool stopped = false;
  {
    const py::gil_scoped_release free;
    study::Study text = study::load_study(file);
    optimise::require_goal(text);
    if (!folder.empty() && force) study::remove_results(folder);
    if (!folder.empty()) study::check_unchanged(folder, text);
    study::PreparedStudy study(std::move(text), options.kernels, study::Chooser::optimiser);
    optimise::Evaluator evaluator(study, options);
    if (!folder.empty()) study::begin_folder(folder, study);
    try {
      const optimise::Optimum optimum = optimise::optimise(evaluator, [](const std::string&) {});
      evaluations = optimise::evaluations_csv(evaluator, optimum);
      json = optimise::optimum_json(evaluator, optimum, 0);
      for (std::size_t i = 0; i < optimum.points.size(); ++i)
        vehicles.push_back(
            optimise::vehicle_file(evaluator, *optimum.points[i], fmt::format("best_{}", i + 1)));
    } catch (const base::Error&) {
      stopped = interrupt();
      if (!stopped) throw;
    }
  }
  interrupt.raise();
  return py::make_tuple(evaluations, json, vehicles);
}

}  // namespace

void add_optimise(py::module_& m) { m.def("run_optimise", &run_optimise); }

}  // namespace klingel::python
