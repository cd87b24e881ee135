// Kernels that are replaced while they run: the same bits before, meanwhile and after; a compiler
// that is still at work when they are no longer needed ends at once and leaves nothing behind.
#include "exec/replacement.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/file.hpp"
#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// it runs, and is not only waiting for somebody to ask how it ended
bool is_alive(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  return std::getline(stat, line) && line.find(") Z") == std::string::npos;
}

class ReplacementTest : public ExecTest {
 protected:
  void SetUp() override {
    if (const std::string refusal = jit_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  }

  // a compiler that says which it is, and then takes very long in a child of its own
  std::string slow_compiler() const {
    const std::filesystem::path path = folder() / "slow_cc";
    base::write_file(path,
                     "#!/bin/sh\n"
                     "case $1 in --version|-dumpmachine) echo slow; exit 0;; esac\n"
                     "echo > \"$TMPDIR/left_over\"\n"
                     "sleep 60 &\n"
                     "echo $! > '" +
                         pids().string() +
                         ".new'\n"
                         "mv '" +
                         pids().string() + ".new' '" + pids().string() +
                         "'\n"
                         "wait\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  }
  std::filesystem::path pids() const { return folder() / "pids"; }
};

TEST_F(ReplacementTest, does_not_change_a_bit_while_several_threads_evaluate) {
  const Model model = random_model(12, 200);
  const Kernel reference = load(*model.program, options(Backend::interpreter));
  const Kernel kernel = load(*model.program, options(Backend::automatic));
  EXPECT_EQ(kernel.backend(), Backend::jit);
  std::vector<std::thread> threads;
  std::atomic<int> rounds = 0;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (kernel.backend() == Backend::jit && !testing::Test::HasFailure()) {
        expect_same_results(reference, kernel, 20);
        ++rounds;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the compiler waits for us
      }
      expect_same_results(reference, kernel, 20);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kernel.backend(), Backend::cc);
  EXPECT_GT(rounds, 0);
}

TEST_F(ReplacementTest, keeps_copies_of_a_kernel_alive) {
  const Model model = staged();
  const Kernel copy = [&] {
    const Kernel kernel = load(*model.program, options(Backend::automatic));
    return Kernel(kernel);
  }();
  copy.wait();
  EXPECT_EQ(copy.backend(), Backend::cc);
  EXPECT_EQ(Evaluator(copy).evaluate("known")[0][2], 2.5);
}

TEST_F(ReplacementTest, starts_no_compiler_for_a_moment) {
  Options o = options(Backend::automatic);
  o.cc = slow_compiler();
  o.background_delay = 100;
  const auto start = Clock::now();
  for (int i = 0; i < 3; ++i) load(*staged().program, o);
  // three times two questions to the compiler; the rest are milliseconds
  EXPECT_LT(seconds_since(start), 5.0);
  EXPECT_FALSE(std::filesystem::exists(pids()));
}

TEST_F(ReplacementTest, a_compiler_at_work_ends_with_the_kernel_and_leaves_nothing) {
  Options o = options(Backend::automatic);
  o.cc = slow_compiler();
  auto kernel = std::make_unique<Kernel>(load(*staged().program, o));
  while (!std::filesystem::exists(pids()))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const pid_t grandchild = std::stoi(base::read_file(pids()));
  EXPECT_EQ(::kill(grandchild, 0), 0);
  EXPECT_EQ(kernel->backend(), Backend::jit);
  const auto start = Clock::now();
  kernel.reset();
  EXPECT_LT(seconds_since(start), 5.0);  // far below the minute it wants
  EXPECT_FALSE(is_alive(grandchild));
  EXPECT_TRUE(cached("").empty());
}

// nobody can run a destructor then
TEST_F(ReplacementTest, a_compiler_at_work_ends_when_the_process_is_killed) {
  Options o = options(Backend::automatic);
  o.cc = slow_compiler();
  const pid_t victim = ::fork();
  if (victim == 0) {
    const Kernel kernel = load(*staged().program, o);
    while (true) ::pause();
  }
  while (!std::filesystem::exists(pids()))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const pid_t grandchild = std::stoi(base::read_file(pids()));
  const std::filesystem::path temporary = folder() / "tmp";
  EXPECT_FALSE(std::filesystem::is_empty(temporary));
  ::kill(victim, SIGKILL);
  ::waitpid(victim, nullptr, 0);
  const auto start = Clock::now();
  while ((is_alive(grandchild) || !std::filesystem::is_empty(temporary)) &&
         seconds_since(start) < 20)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(is_alive(grandchild));
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

// what is seen from outside if the background comes to nothing
TEST_F(ReplacementTest, says_what_went_wrong_in_the_background) {
  const Model model = staged();
  const gen::Manifest manifest = gen::emit_c(*model.program).manifest;
  const Replacement replacement(
      compile_in_memory(*model.program, manifest, {}), manifest,
      [](const std::stop_token&) -> Replacement::Result { base::fail("no luck"); });
  replacement.wait();
  EXPECT_FALSE(replacement.is_done());
  EXPECT_EQ(replacement.note(), "no luck");
}

}  // namespace
}  // namespace klingel::exec
