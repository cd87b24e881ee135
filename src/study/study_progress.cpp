#include "study/study_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/progress_bar.hpp"

namespace klingel::study {
namespace {

// A log of a night has a thousand lines.
constexpr std::chrono::milliseconds of_terminal{100}, of_log{30'000};

std::string text_of(std::size_t done, std::size_t all, double rate) {
  std::string text = fmt::format("{} of {} cases", done, all);
  if (!(rate > 0)) return text;
  text += fmt::format(", {:.3g} per second", rate);
  if (done < all)
    text += fmt::format(", {} left", base::rough_time(static_cast<double>(all - done) / rate));
  return text;
}

}  // namespace

std::string cases_line(std::size_t done, std::size_t all, double rate, std::size_t width) {
  const double share = all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 1.0;
  return base::with_bar(
      share, fmt::format(" {:>3.0f} %  {}", 100 * share, text_of(done, all, rate)), width);
}

StudyProgress::StudyProgress(std::FILE* file)
    : file_(file), on_terminal_(isatty(fileno(file)) == 1), shown_(Clock::now()) {}

StudyProgress::~StudyProgress() {
  if (!drawn_) return;
  std::fputs("\r\033[K", file_);
  std::fflush(file_);
}

void StudyProgress::show(std::size_t done, std::size_t all) {
  const Clock::time_point now = Clock::now();
  // from the first cases on: before them vehicles are compiled
  if (!begun_) begun_ = true, begin_ = now, first_ = done;
  if (now - shown_ < (on_terminal_ ? of_terminal : of_log)) return;
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double rate = seconds > 0 ? static_cast<double>(done - first_) / seconds : 0;
  if (on_terminal_) {
    // the last column stays free: some terminals wrap there
    fmt::print(file_, "\r{}\033[K", cases_line(done, all, rate, base::columns(file_) - 1));
    drawn_ = true;
  } else {
    fmt::print(file_, "{}\n", text_of(done, all, rate));
  }
  std::fflush(file_);
}

}  // namespace klingel::study
