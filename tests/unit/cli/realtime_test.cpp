// Subject: klingel realtime. Claim: it writes the numbers others rely on, and refuses what cannot
// be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.hpp"
#include "tests/unit/cli/program.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

const std::string wheelset = "realtime wheelset --backend interpreter --priority 0 ";

TEST(realtime, writes_numbers_and_pictures) {
  const test::Program program;
  const std::string json = program.file("a.json", ""), svg = program.file("a.svg", ""),
                    csv = program.file("a.csv", "");
  const test::Outcome o = program.run(wheelset + "--seconds 0.3 --json " + json + " --histogram " +
                                      svg + " --record " + csv);
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("of our own"));
  const std::string text = base::read_file(json);
  for (const char* key : {"\"step_us\"", "\"wake_us\"", "\"slack_us\"", "\"p999\"", "\"p99999\"",
                          "\"overruns\"", "\"overruns_own\"", "\"limits\"", "\"sched_fifo\""})
    EXPECT_THAT(text, HasSubstr(key));
  EXPECT_THAT(base::read_file(svg), HasSubstr("<svg"));
  EXPECT_THAT(base::read_file(csv), testing::StartsWith("t,"));
}

TEST(realtime, refuses_what_cannot_be) {
  const test::Program program;
  const struct {
    const char *arguments, *says;
  } cases[] = {{"--period 0.00015", "multiple of the time step"},
               {"--seconds 0", "--seconds"},
               {"--seconds nan", "--seconds"},
               {"--overrun wait", "skip"},
               {"--end again", "repeat"},
               {"--outputs spead", "speed"},
               {"--inputs nothing", "nothing"},
               {"--safe motor=1", "motor"},
               {"--wet 1:2", "FROM:TO:FRICTION"},
               {"--shm a/b", "without '/'"},
               {"--shm a --udp 0", "not both"},
               {"--udp 70000", "65535"},
               {"--udp 0 --bind somewhere", "IPv4"},
               {"--lockstep", "needs a device"},
               {"--hold-input -1", "--hold-input"},
               {"--spin 1e9", "--spin"},
               {"--record /dev/null/a.csv --seconds 0.01", "/dev/null"}};
  for (const auto& c : cases) {
    const test::Outcome o = program.run(wheelset + c.arguments);
    EXPECT_EQ(o.code, 2) << c.arguments << o.out << o.err;
    EXPECT_THAT(o.err, HasSubstr(c.says)) << c.arguments;
  }
}

TEST(realtime, a_silent_device_ends_lockstep) {
  const test::Program program;
  const test::Outcome o = program.run(wheelset + "--udp 0 --lockstep --patience 0.2");
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_THAT(o.out, HasSubstr("did not answer"));
}

TEST(realtime, other_addresses_are_said_loudly) {
  const test::Program program;
  const test::Outcome o = program.run(wheelset + "--udp 0 --bind 0.0.0.0 --seconds 0.02");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.err, HasSubstr("WARNING: everyone who can reach 0.0.0.0"));
}

}  // namespace
}  // namespace klingel
