#include "cli/run_screen.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "base/progress_bar.hpp"

namespace klingel::cli {
namespace {

// The only kind of variable that a signal handler may write; nothing else in the program is global.
volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int signal) {
  interrupted = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

std::string progress_line(double simulated, double duration, double wall, std::size_t width) {
  const double share = duration > 0 ? std::clamp(simulated / duration, 0.0, 1.0) : 1.0;
  std::string text =
      fmt::format(" {:>3.0f} %  {:.2f} of {:g} s", std::floor(100 * share), simulated, duration);
  if (wall > 0 && simulated > 0) {
    const double factor = simulated / wall;
    text += fmt::format(", {:.3g} times real time", factor);
    if (share < 1)
      text += fmt::format(", {:.0f} s left", std::ceil((duration - simulated) / factor));
  }
  return base::with_bar(share, text, width);
}

ProgressBar::ProgressBar(double duration, std::FILE* file)
    : duration_(duration), file_(file), on_terminal_(isatty(fileno(file)) == 1) {}

ProgressBar::~ProgressBar() {
  if (!drawn_) return;
  // back to the first column, and clear to the end of the line
  std::fputs("\r\033[K", file_);
  std::fflush(file_);
}

void ProgressBar::show(double simulated, double wall) {
  if (!on_terminal_) return;
  // the last column stays free: some terminals wrap there
  const std::string line = progress_line(simulated, duration_, wall, base::columns(file_) - 1);
  fmt::print(file_, "\r{}\033[K", line);
  std::fflush(file_);
  drawn_ = true;
}

Interrupt::Interrupt() {
  interrupted = 0;
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interrupt::wanted() { return interrupted != 0; }
ExitCode Interrupt::exit_code() {
  if (interrupted == 0) return ExitCode::fine;
  return interrupted == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
}

}  // namespace klingel::cli
