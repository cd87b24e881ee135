// Any list of arguments is either read or refused with an Error, and a number that was read is
// finite. The commands have an argument of every kind.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/parse.hpp"

namespace {

using namespace klingel::command;

constexpr const char* words[] = {
    "run",    "creep",       "--speed", "--speed=3", "--steps",    "--seed",  "--port",  "--csv",
    "--set",  "--channels",  "--units", "--law",     "--friction", "--out",   "--",      "-h",
    "--help", "--version",   "-",       "",          "nan",        "inf",     "1e999",   "-0.3",
    "0x10",   "99999999999", "3",       "4.5",       "a=b",        "=",       "q.*,N.*", ",,,",
    "she",    "polac",       "file",    "\x1b[31m",  "--sped",     "--speed", "-1",      "-s",
    "--law=", "--units=1,2", "@file",   "[",         "{}",         "%s",      "[1,2]",   "'"};

struct Values {
  bool csv = false;
  std::string what, law, out;
  int steps = 0;
  unsigned port = 0;
  std::int64_t seed = 0;
  double friction = 0.3;
  std::optional<double> speed;
  std::vector<std::string> set, channels;
  std::vector<int> units;
};

std::vector<Command> commands(Values& v) {
  std::vector<Command> all;
  Command& run = all.emplace_back(Group::simulate, "run", "Run");
  run.option("what", v.what, "Vehicle").names(Names::scenario);
  run.option("--csv", v.csv, "Write");
  run.option("--out", v.out, "Folder").names(Names::folder);
  run.option("--law", v.law, "Law").choices({"linear", "she"});
  run.option("--steps", v.steps, "Steps");
  run.option("--port", v.port, "Port");
  run.option("--seed", v.seed, "Seed").needs("--steps");
  run.option("--friction", v.friction, "Friction");
  run.option("--speed", v.speed, "Speed").unit("m/s");
  run.option("--set", v.set, "Value").repeatable();
  run.option("--channels", v.channels, "Channels").separated_by(',');
  run.option("--units", v.units, "Units");
  all.emplace_back(Group::wheel_and_rail, "creep", "Creep")
      .option("--friction", v.friction, "Friction")
      .required();
  return all;
}

void attempt(const std::vector<std::string>& list) {
  std::vector<const char*> argv = {"klingel"};
  for (const std::string& word : list) argv.push_back(word.c_str());
  Values v;
  const std::vector<Command> all = commands(v);
  try {
    klingel::cli::parse(all, static_cast<int>(argv.size()), argv.data());
    if (!std::isfinite(v.friction) || (v.speed && !std::isfinite(*v.speed))) std::abort();
  } catch (const klingel::base::Error& error) {
    // what a terminal would obey is shown as text
    for (const char* c = error.what(); *c != 0; ++c)
      if (*c == '\x1b') std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> chosen, lines(1);
  for (std::size_t i = 0; i < size && i < 60; ++i)
    chosen.emplace_back(words[data[i] % (sizeof words / sizeof *words)]);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n' || data[i] == 0)
      lines.emplace_back();
    else
      lines.back() += static_cast<char>(data[i]);
  }
  attempt(chosen);
  attempt(lines);
  chosen.insert(chosen.begin(), "run");
  attempt(chosen);
  return 0;
}
