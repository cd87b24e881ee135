// What a run shows while it runs, and how it is stopped: a line with a bar that is drawn over and
// over on a terminal, and Ctrl-C as a wish that the loop asks for. The table at the end is
// record/summary_text.hpp.
#pragma once

#include <cstdio>
#include <string>

namespace klingel::cli {

// "[=====>    ]  45 %  8.10 of 18 s, 41.3 times real time, 0.3 s left", at most `width` columns.
std::string progress_line(double simulated, double duration, double wall, std::size_t width);

// Draws that line on a terminal, as wide as the terminal is; writes nothing to a file or a pipe.
class ProgressBar {
 public:
  ProgressBar(double duration, std::FILE* file = stderr);
  ~ProgressBar();  // leaves an empty line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double simulated, double wall);

 private:
  double duration_;
  std::FILE* file_;
  bool on_terminal_;
  bool drawn_ = false;
};

// While it lives, the first Ctrl-C (or SIGTERM) is only noted; the second ends the program at once,
// as always. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool wanted();
};

}  // namespace klingel::cli
