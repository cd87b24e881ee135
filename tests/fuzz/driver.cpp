// Feeds a fuzz target without libFuzzer: first the given files, then random bytes of growing
// size until the time is over. The same seed gives the same inputs.
//   usage: fuzz_<name> [--seconds N] [--seed S] [files...]
// The input being run is always on disk as fuzz_<name>.input in the current folder. If the target
// crashes, in whatever way, the file is what crashed it: run the program again with this file.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Options {
  double seconds = 10;
  std::uint64_t seed = 1;
  std::vector<std::string> files;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if ((word == "--seconds" || word == "--seed") && i + 1 == argc)
      klingel::base::fail("{} needs a number", word);
    if (word == "--seconds")
      options.seconds = std::strtod(argv[++i], nullptr);
    else if (word == "--seed")
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    else
      options.files.push_back(word);
  }
  return options;
}

// Runs one input with a copy of it on disk.
class Runner {
 public:
  explicit Runner(std::string path) : path_(std::move(path)) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0) klingel::base::fail("cannot write '{}'", path_);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void run(const Bytes& input) {
    const auto size = static_cast<ssize_t>(input.size());
    if (::ftruncate(fd_, size) != 0 || ::pwrite(fd_, input.data(), input.size(), 0) != size)
      klingel::base::fail("cannot write '{}'", path_);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    ++count_;
  }

  // Everything went well: nothing to keep.
  void finish() {
    ::close(fd_);
    ::unlink(path_.c_str());
  }

  std::size_t count() const { return count_; }

 private:
  std::string path_;
  int fd_ = -1;
  std::size_t count_ = 0;
};

// Random bytes; half of the inputs draw from a few values only, which reaches deep repetitions
// of the same operation that uniform bytes hardly ever make.
Bytes random_input(std::mt19937_64& random, std::size_t most) {
  Bytes input(random() % (most + 1));
  const std::uint64_t values = random() % 2 == 0 ? 256 : 1 + random() % 16;
  const std::uint64_t first = random();
  for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(first + random() % values);
  return input;
}

void fuzz(const Options& options, const std::string& name) {
  Runner runner(name + ".input");
  for (const std::string& file : options.files) {
    const std::string text = klingel::base::read_file(file);
    runner.run(Bytes(text.begin(), text.end()));
  }

  // sizes grow from 16 bytes to 4 KB over the first 10,000 inputs, then stay mixed
  std::mt19937_64 random(options.seed);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (std::size_t i = 0; Clock::now() - start < std::chrono::duration<double>(options.seconds);
       ++i) {
    const std::size_t most = 16 + std::min<std::size_t>(i, 10000) * 4080 / 10000;
    runner.run(random_input(random, most));
  }
  fmt::print("{}: {} inputs, no complaint\n", name, runner.count());
  runner.finish();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    fuzz(read_options(argc, argv), std::filesystem::path(argv[0]).filename().string());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
  return 0;
}
