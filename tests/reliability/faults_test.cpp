// Faults while the program runs: killed at random times, no room on the disk at random, two runs
// into one folder. KLINGEL_FAULTS says how often.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/file.hpp"
#include "record/hdf5.hpp"
#include "record/journal.hpp"
#include "record/run_folder.hpp"
#include "tests/structure/temporary_folder.hpp"
#include "tests/support/random.hpp"

namespace klingel {
namespace {

namespace fs = std::filesystem;

constexpr const char* program = KLINGEL_BINARY_DIR "/klingel";

int wanted_faults() {
  const char* text = std::getenv("KLINGEL_FAULTS");
  return text != nullptr ? std::max(1, std::atoi(text)) : 10;
}

int shell(const std::string& command) {
  // messages of the shell about killed programs are not of interest
  const int status = std::system(("{ " + command + "; } 2>/dev/null").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// What `command` and its children needed at most, kB; -1 where it fails. The figure is of this
// command alone: RUSAGE_CHILDREN would be the largest of all tests before it.
long resident_kb(const std::string& command) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = -1;
  rusage used{};
  if (child < 0 || ::wait4(child, &status, 0, &used) != child) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? used.ru_maxrss : -1;
}

// The newest state that a run saved, or an empty path.
fs::path newest_state(const fs::path& folder) {
  fs::path best;
  double latest = -1;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("at_") || !name.ends_with("s.state")) continue;
    if (const double t = std::stod(name.substr(3)); t > latest) latest = t, best = entry.path();
  }
  return best;
}

const std::string again = "manchester1 --track random_straight --save-every 1";
const std::string what = again + " --speed 10";  // a saved state has its own speed

TEST(faults, killed_at_random_times_a_run_goes_on_bit_for_bit) {
  const structure::TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole";
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(shell(fmt::format("{} run {} --duration 30 --out {} >/dev/null", program, what,
                              whole.string())),
            0);
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  test::Random random(3);
  int continued = 0;
  for (int i = 0; i < wanted_faults(); ++i) {
    SCOPED_TRACE(i);
    const fs::path cut = folder.path() / "cut", rest = folder.path() / "rest";
    // at any time, most often after the first state, however busy the machine is
    const std::string first =
        i % 5 == 0 ? ""
                   : fmt::format(
                         "while kill -0 $p && [ ! -e {}/at_1.0000s.state ]; do sleep "
                         "0.01; done;",
                         cut.string());
    shell(
        fmt::format("{} run {} --duration 30 --out {} >/dev/null & p=$!; {} sleep {:.3f}; kill "
                    "-KILL $p; wait $p",
                    program, what, cut.string(), first, random.uniform(0, 0.5 * took)));
    // whatever was there when it died: whole rows, whole states, no other files with final names
    if (fs::exists(cut / record::journal_name) && fs::file_size(cut / record::journal_name) > 0) {
      const record::Journal journal(cut / record::journal_name);
      double before = -1;
      journal.blocks(std::vector<std::size_t>{0}, [&](std::size_t, auto columns) {
        for (const double t : columns[0]) {
          ASSERT_GT(t, before);
          before = t;
        }
      });
    }
    const fs::path state = fs::exists(cut) ? newest_state(cut) : fs::path();
    if (!state.empty() && !fs::exists(cut / "summary.json")) {
      const double t = std::stod(state.filename().string().substr(3));
      ASSERT_TRUE(base::read_file(state) == base::read_file(whole / state.filename()));
      if (t < 29) {
        ASSERT_EQ(shell(fmt::format("{} run {} --duration {} --state {} --out {} >/dev/null",
                                    program, again, 30 - t, state.string(), rest.string())),
                  0);
        EXPECT_TRUE(base::read_file(rest / "at_30.0000s.state") ==
                    base::read_file(whole / "at_30.0000s.state"));
        ++continued;
      }
    }
    fs::remove_all(cut);
    fs::remove_all(rest);
  }
  fmt::print("  continued {} of {}\n", continued, wanted_faults());
  EXPECT_GT(4 * continued, wanted_faults());
}

TEST(faults, after_a_kill_all_but_the_last_second_is_there) {
  const structure::TemporaryFolder folder;
  const std::string out = (folder.path() / "r").string();
  // killed some time after 5 s of simulation, however busy the machine
  const int status = std::system(
      fmt::format(
          "{{ {}/klingel run manchester1 --track straight --speed 1 --duration 900 "
          "--save-every 1 --out {} >/dev/null & p=$!; while kill -0 $p && [ ! -e "
          "{}/at_5.0000s.state ]; do sleep 0.1; done; sleep 1.5; kill -KILL $p; wait $p; }} "
          "2>/dev/null",
          KLINGEL_BINARY_DIR, out, out)
          .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGKILL);
  const auto killed = fs::last_write_time(out + "/rows.journal");
  ASSERT_EQ(shell(fmt::format("{} report {} --hdf5 --csv >/dev/null", program, out)), 0);
  const record::Recording rows = record::read_hdf5(out + "/results.h5");
  ASSERT_GT(rows.rows(), 100u);
  const double last = rows.column("t").back();
  // states were saved at known times: those of a second before have their rows
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(out)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("at_") || !name.ends_with(".state")) continue;
    if (entry.last_write_time() > killed - std::chrono::seconds(1)) continue;
    EXPECT_LE(std::stod(name.substr(3)), last + 0.02) << name;
    ++compared;
  }
  EXPECT_GT(compared, 0);
  EXPECT_GE(last, 4.9);
}

// By a program that is not ours.
TEST(faults, after_a_kill_h5dump_reads_what_is_there) {
  if (shell("command -v h5dump >/dev/null") != 0) GTEST_SKIP() << "no h5dump; install hdf5-tools";
  const structure::TemporaryFolder folder;
  const std::string out = (folder.path() / "r").string();
  shell(fmt::format(
      "{} run wheelset --speed 0.1 --duration 100000 --save-every 1 --out {} >/dev/null "
      "& p=$!; while kill -0 $p && [ ! -e {}/at_9.0000s.state ]; do sleep 0.1; done; "
      "sleep 1; kill -KILL $p; wait $p",
      program, out, out));
  ASSERT_EQ(shell(fmt::format("{} report {} --hdf5 >/dev/null", program, out)), 0);
  const std::string text = (folder.path() / "text").string();
  ASSERT_EQ(shell(fmt::format("h5dump -y -w 1 {}/results.h5 >{}", out, text)), 0);
  // every number of every channel, in words of h5dump
  const std::string dumped = base::read_file(text);
  EXPECT_THAT(dumped, testing::HasSubstr("HDF5 \""));
  const record::Recording rows = record::read_hdf5(out + "/results.h5");
  ASSERT_GT(rows.rows(), 800u);
  EXPECT_THAT(dumped, testing::HasSubstr("\"t\""));
  EXPECT_THAT(dumped, testing::HasSubstr(fmt::format("( {0} )", rows.rows())));
}

// The time of day may be set while a run goes on: nothing depends on it.
TEST(faults, jumps_of_the_clock_change_nothing) {
  const structure::TemporaryFolder folder;
  const fs::path steady = folder.path() / "steady", jumping = folder.path() / "jumping";
  const std::string preload = "LD_PRELOAD=" KLINGEL_JUMPING_CLOCK " ";
  // the preloaded clock is in use: the time of day of a shell goes to and fro
  ASSERT_EQ(shell(preload + "bash -c 'a=$EPOCHSECONDS; b=$EPOCHSECONDS; "
                            "[ $a -gt $((b + 60)) ] || [ $b -gt $((a + 60)) ]'"),
            0);
  const auto run = [&](const std::string& before, const fs::path& to) {
    return shell(fmt::format("{}{} run {} --duration 5 --csv --hdf5 --report --out {} >/dev/null",
                             before, program, what, to.string()));
  };
  ASSERT_EQ(run("", steady), 0);
  ASSERT_EQ(run(preload, jumping), 0);
  for (const char* name : {"results.csv", "at_5.0000s.state"})
    EXPECT_TRUE(base::read_file(steady / name) == base::read_file(jumping / name)) << name;
  const record::Recording a = record::read_hdf5(steady / "results.h5"),
                          b = record::read_hdf5(jumping / "results.h5");
  EXPECT_EQ(a.rows(), b.rows());
  // the loop in time with the clock takes as long as it should
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(shell(preload + fmt::format("{} realtime wheelset --seconds 2 --priority 0 >{}",
                                        program, (folder.path() / "text").string())),
            0);
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GE(took, 2);
  EXPECT_LT(took, 60);
}

TEST(faults, without_room_nothing_is_half_done) {
  test::Random random(5);
  for (int i = 0; i < wanted_faults(); ++i) {
    const structure::TemporaryFolder folder;
    const fs::path out = folder.path() / "r", text = folder.path() / "text";
    const int blocks = 1 + static_cast<int>(random.below(4000));
    SCOPED_TRACE(blocks);
    const int code = shell(fmt::format(
        "ulimit -f {}; {} run manchester1 --track straight --duration 3 --interval 0.002 --csv "
        "--hdf5 --report --out {} 2>/dev/null | cat >{}",
        blocks, program, out.string(), text.string()));
    EXPECT_TRUE(code == 0 || code == 2) << code;
    // what has a final name is whole
    if (fs::exists(out / "results.h5")) {
      EXPECT_EQ(record::read_hdf5(out / "results.h5").rows(), 1501u);
    }
    if (fs::exists(out / "results.csv")) {
      const std::string csv = base::read_file(out / "results.csv");
      EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1503);  // units and names, too
    }
    if (!fs::exists(out)) continue;
    for (const auto& entry : fs::directory_iterator(out))
      EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
    EXPECT_THAT(base::read_file(text), testing::HasSubstr("completed: 3 s"));
  }
}

// The coach for a million steps, with all files.
TEST(memory, does_not_grow_with_rows) {
  const structure::TemporaryFolder folder;
  const long used = resident_kb(
      fmt::format("{} run manchester1 --track straight --speed 0.9 --duration 1000 --csv --hdf5 "
                  "--svg --report --out {} >/dev/null",
                  program, (folder.path() / "r").string()));
  ASSERT_GT(used, 0);
  EXPECT_EQ(record::read_hdf5(folder.path() / "r" / "results.h5").rows(), 100'001u);
  fmt::print("  {} MB resident\n", used / 1000);
  EXPECT_LT(used, 200'000) << "kB";
}

// Memory of a train grows with its length, not with the square of it.
TEST(memory, of_a_train_grows_with_its_length) {
  const structure::TemporaryFolder folder;
  const std::string track = (folder.path() / "long.toml").string();
  std::string text = base::read_file(KLINGEL_SOURCE_DIR "/tracks/straight.toml");
  const std::string kilometre = "length = 1050.0";
  ASSERT_THAT(text, testing::HasSubstr(kilometre));
  text.replace(text.find(kilometre), kilometre.size(), "length = 4000.0");
  base::write_file(track, text);
  const auto used = [&](int coaches) {
    return resident_kb(
        fmt::format("{} run train --set coach.count={} --track {} --position 3500 --duration 0.01 "
                    ">/dev/null",
                    program, coaches, track));
  };
  const long some = used(20), many = used(100);
  fmt::print("  20 coaches {} MB, 100 coaches {} MB resident\n", some / 1000, many / 1000);
  ASSERT_GT(some, 0);
  EXPECT_LT(many, 5 * some);
  EXPECT_LT(many, 400'000) << "kB";
}

TEST(faults, two_runs_into_one_folder_do_not_mix) {
  for (int i = 0; i < wanted_faults(); ++i) {
    const structure::TemporaryFolder folder;
    const std::string out = (folder.path() / "r").string();
    const std::string run =
        fmt::format("{} run wheelset --track straight --duration 2 --csv --out {}", program, out);
    const int codes =
        shell(fmt::format("{0} >/dev/null 2>&1 & p=$!; {0} --friction 0.2 >/dev/null "
                          "2>&1; a=$?; wait $p; b=$?; exit $((a * 10 + b))",
                          run));
    // one of them has the folder, the other is refused
    EXPECT_TRUE(codes == 20 || codes == 2) << codes;
    EXPECT_TRUE(fs::exists(out + "/summary.json"));
    EXPECT_FALSE(fs::exists(out + "/rows.journal"));
  }
}

}  // namespace
}  // namespace klingel
