#include "base/progress_bar.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cmath>

namespace klingel::base {

std::string with_bar(double share, const std::string& text, std::size_t width) {
  constexpr std::size_t longest = 30, frame = 2;
  const std::size_t room = width > text.size() + frame ? width - text.size() - frame : 0;
  const std::size_t cells = std::min(longest, room);
  if (cells < 5) return text.substr(0, width);
  const auto full =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells));
  std::string bar(full, '=');
  if (full < cells) bar += '>';
  bar.resize(cells, ' ');
  return "[" + bar + "]" + text;
}

std::size_t columns(std::FILE* file) {
  winsize size{};
  if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string rough_time(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 7200) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.0f} h", std::ceil(seconds / 3600));
}

}  // namespace klingel::base
