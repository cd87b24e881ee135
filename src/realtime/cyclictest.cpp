#include "realtime/cyclictest.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
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
  int ends[2];
  if (!installed() || pipe2(ends, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  // below the loop's priority; the shortest duration it takes is a second
  const std::string interval = std::to_string(period_ns / 1000),
                    duration = std::to_string(static_cast<long>(std::max(seconds, 1.0)));
  const char* arguments[] = {
      "cyclictest",     "-q",   "-m", "-p", "70", "-i", interval.c_str(), "-D",
      duration.c_str(), nullptr};
  if (posix_spawnp(&pid_, "cyclictest", &files, nullptr, const_cast<char**>(arguments), environ) !=
      0)
    pid_ = 0;
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  output_ = ends[0];
}

Cyclictest::~Cyclictest() {
  if (pid_ > 0) result();
  if (output_ >= 0) close(output_);
}

std::optional<CyclictestTimes> Cyclictest::result() {
  if (pid_ <= 0) return std::nullopt;
  kill(pid_, SIGINT);  // it then says what it has
  std::string text;
  char buffer[400];
  for (ssize_t n = 0; (n = ::read(output_, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
  return read_cyclictest(text);
}

}  // namespace klingel::realtime
