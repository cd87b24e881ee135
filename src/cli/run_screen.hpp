// What a run shows on a terminal: a progress bar. And how it is stopped: Ctrl-C sets a flag, which
// the loop over the time steps reads. The table at the end is record/summary_text.hpp.
#pragma once

#include <cstdio>
#include <string>

#include "command/exit_codes.hpp"

namespace klingel::cli {

using command::ExitCode;

// "[=====>    ]  45 %  8.10 of 18 s, 41.3 times real time, 0.3 s left", at most `width` columns.
std::string progress_line(double simulated, double duration, double wall, std::size_t width);

// Draws that line on a terminal, in its full width; writes nothing to a file or a pipe.
class ProgressBar {
 public:
  ProgressBar(double duration, std::FILE* file = stderr);
  ~ProgressBar();  // clears the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double simulated, double wall);

 private:
  double duration_;
  std::FILE* file_;
  bool on_terminal_;
  bool drawn_ = false;
};

// While an object exists, the first Ctrl-C (or SIGTERM) only sets a flag; the second ends the
// program at once. There must be at most one object.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool wanted();  // whether Ctrl-C was pressed
  // 130 or 143, as shells number signals; fine if none came.
  static ExitCode exit_code();
};

}  // namespace klingel::cli
