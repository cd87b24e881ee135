// Evaluates a study at points that an optimiser chooses. A point has a number from 0 to 1 for each
// variation: its share of the range between the bounds, of the logarithm where the study says
// `log`. Points that were evaluated before are not run again.
//
// With a folder it keeps a journal of what was evaluated, its values and measures. Methods repeat
// themselves, so an optimisation that was stopped or killed goes on by beginning again: what is in
// the journal is not run a second time.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "study/run_study.hpp"

namespace klingel::optimise {

using Point = std::vector<double>;

struct Evaluation {
  Point x;
  study::CaseResult result;
  bool step_of_gradient = false;  // run for a difference only
};

class Evaluator {
 public:
  // The study must be prepared for an optimiser. Both must outlive it. Without options.folder there
  // is no journal.
  Evaluator(study::PreparedStudy& study, const study::StudyOptions& options);

  std::size_t dimensions() const { return study_.study().variations.size(); }
  const study::PreparedStudy& study() const { return study_; }
  // Where the file says, else the vehicle's own values, else the middle of the range.
  Point start() const;
  std::vector<double> values(const Point& x) const;
  Point point(const std::vector<double>& values) const;

  // Null if it was not evaluated yet.
  const Evaluation* find(const Point& x) const;
  const Evaluation& at(const Point& x);
  // Those that are new run side by side, on lanes and threads.
  void together(const std::vector<Point>& points);

  // Of these measures by the point, a row each: from eigenvectors where the measure has such
  // derivatives by all its parameters that are set, else by central differences of `difference`.
  std::vector<std::vector<double>> gradients(const Point& x,
                                             const std::vector<std::size_t>& measures,
                                             double difference);

  // In the order of evaluation.
  const std::vector<std::unique_ptr<Evaluation>>& history() const { return history_; }
  std::size_t gradients_from_eigenvectors() const { return exact_; }
  // How many were in the journal already.
  std::size_t found() const { return kept_.size(); }

 private:
  void open_journal();
  // The result of a case that is in the journal; nothing if it is not.
  std::optional<study::CaseResult> kept(std::size_t which, const std::vector<double>& values) const;
  void keep(std::vector<study::CaseResult> results);
  bool is_set_parameter(std::size_t variation) const;
  double slope(std::size_t variation, double share) const;  // d value / d share
  std::vector<Evaluation*> evaluate(const std::vector<Point>& points,
                                    const std::vector<char>& wanted);
  void run(const std::vector<study::CaseGroup>& groups, std::vector<study::CaseResult>& results);
  void add_differences(const Point& x, const std::vector<std::size_t>& measures,
                       const std::vector<std::vector<char>>& wanted, double difference,
                       std::vector<std::vector<double>>& gradients);

  study::PreparedStudy& study_;
  const study::StudyOptions& options_;
  std::vector<std::unique_ptr<study::StudyWorker>> workers_;  // one per thread
  std::vector<std::unique_ptr<Evaluation>> history_;
  std::map<Point, Evaluation*> known_;
  std::unique_ptr<study::CaseJournal> journal_;
  std::map<std::size_t, study::CaseResult> kept_;  // by case; measures behind values
  std::size_t exact_ = 0;
};

}  // namespace klingel::optimise
