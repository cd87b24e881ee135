#include "realtime/cyclictest.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace klingel::realtime {

std::optional<CyclictestTimes> read_cyclictest(const std::string& output) {
  // T: 0 ( 1234) P:80 I:1000 C:  10000 Min:      5 Act:   10 Avg:    8 Max:      40
  const auto after = [&output](const char* word) -> std::optional<double> {
    const std::size_t at = output.rfind(word);
    if (at == std::string::npos) return std::nullopt;
    const char* begin = output.c_str() + at + std::string(word).size();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    return end == begin ? std::nullopt : std::optional(value);
  };
  const auto least = after("Min:"), mean = after("Avg:"), most = after("Max:");
  if (!least || !mean || !most) return std::nullopt;
  return CyclictestTimes{*least, *mean, *most};
}

bool Cyclictest::installed() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/cyclictest").c_str(), X_OK) == 0) return true;
  return false;
}

Cyclictest::Cyclictest(double seconds, std::int64_t period_ns) {
  if (!installed()) return;
  // below the loop's priority; the shortest duration it takes is a second
  const std::string command =
      fmt::format("exec cyclictest -q -m -p 70 -i {} -D {} 2>/dev/null", period_ns / 1000,
                  static_cast<long>(seconds < 1 ? 1 : seconds));
  pipe_ = popen(command.c_str(), "r");
}

Cyclictest::~Cyclictest() {
  if (pipe_ != nullptr) pclose(pipe_);
}

std::optional<CyclictestTimes> Cyclictest::result() {
  if (pipe_ == nullptr) return std::nullopt;
  std::string text;
  char buffer[400];
  while (std::fgets(buffer, sizeof buffer, pipe_) != nullptr) text += buffer;
  pclose(pipe_);
  pipe_ = nullptr;
  return read_cyclictest(text);
}

}  // namespace klingel::realtime
