// How far a study is: a bar with rate and time left on a terminal, a line now and then in a log.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace klingel::study {

// "[=====>    ]  45 %  135 of 300 cases, 12.3 per second, 14 s left", at most `width` columns.
// rate: cases per second, 0 if it is not known yet.
std::string cases_line(std::size_t done, std::size_t all, double rate, std::size_t width);

// Calls come from one thread at a time.
class StudyProgress {
 public:
  explicit StudyProgress(std::FILE* file = stderr);
  ~StudyProgress();  // clears the bar
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  void show(std::size_t done, std::size_t all);

 private:
  using Clock = std::chrono::steady_clock;

  std::FILE* file_;
  bool on_terminal_, drawn_ = false, begun_ = false;
  std::size_t first_ = 0;  // done when the clock began
  Clock::time_point begin_, shown_;
};

}  // namespace klingel::study
