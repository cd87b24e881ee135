// What a live page may say and to whom: commands are read strictly, letters are the newest, hosts
// and origins of strangers are known.
#include "view/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "view/access.hpp"
#include "view/mailbox.hpp"

namespace klingel::view {
namespace {

Letter letter(const std::string& text) { return std::make_shared<const std::string>(text); }

TEST(mailbox, holds_the_newest_letter_once) {
  Mailbox box;
  EXPECT_EQ(box.take(), nullptr);
  EXPECT_FALSE(box.put(letter("a")));
  EXPECT_TRUE(box.put(letter("b")));
  EXPECT_EQ(*box.take(), "b");
  EXPECT_EQ(box.take(), nullptr);
  EXPECT_FALSE(box.put(letter("c")));
}

// every letter is either fetched or thrown away, and letters never go backwards
TEST(mailbox, loses_no_count_between_threads) {
  Mailbox box;
  constexpr int letters = 20000;
  int dropped = 0, taken = 0, last = -1;
  bool ascends = true;
  const auto fetch = [&] {
    const Letter l = box.take();
    if (!l) return;
    const int number = std::stoi(*l);
    ascends = ascends && number > last;
    last = number;
    ++taken;
  };
  std::thread writer([&] {
    for (int i = 0; i < letters; ++i) dropped += box.put(letter(std::to_string(i))) ? 1 : 0;
  });
  for (int i = 0; i < letters; ++i) fetch();
  writer.join();
  fetch();
  EXPECT_TRUE(ascends);
  EXPECT_EQ(last, letters - 1);
  EXPECT_EQ(taken + dropped, letters);
}

TEST(protocol, commands_are_read) {
  EXPECT_EQ(parse_command(R"({"do": "pause"})")->kind, Command::Kind::pause);
  EXPECT_EQ(parse_command(R"({"do": "resume"})")->kind, Command::Kind::resume);
  EXPECT_EQ(parse_command(R"({"do": "reset"})")->kind, Command::Kind::reset);
  EXPECT_EQ(parse_command(R"({"do": "seen"})")->kind, Command::Kind::seen);
  EXPECT_EQ(parse_command(R"({"do": "step", "steps": 7})")->value, 7);
  EXPECT_EQ(parse_command(R"({"do": "speed", "factor": 0})")->value, 0);
  const auto set = parse_command(R"({"do": "set", "control": 2, "value": -12.5})");
  ASSERT_TRUE(set);
  EXPECT_EQ(set->kind, Command::Kind::set);
  EXPECT_EQ(set->control, 2u);
  EXPECT_EQ(set->value, -12.5);
}

TEST(protocol, what_is_no_command_is_nothing) {
  for (const char* text : {"",
                           "pause",
                           "[]",
                           "null",
                           "{",
                           R"({"do": 1})",
                           R"({"do": "fly"})",
                           R"({"do": "step"})",
                           R"({"do": "step", "steps": 0})",
                           R"({"do": "step", "steps": 1.5})",
                           R"({"do": "step", "steps": 1e9})",
                           R"({"do": "step", "steps": "1"})",
                           R"({"do": "speed", "factor": -1})",
                           R"({"do": "speed", "factor": 1e9})",
                           R"({"do": "set", "control": -1, "value": 0})",
                           R"({"do": "set", "control": 0.5, "value": 0})",
                           R"({"do": "set", "control": 0, "value": 1e999})",
                           R"({"do": "set", "control": 0})",
                           R"({"do": "pause"} x)",
                           "\xff\xfe",
                           R"({"do": "pause", "do": "reset"})"}) {
    EXPECT_FALSE(parse_command(text)) << text;
  }
  EXPECT_FALSE(parse_command(std::string(300, '[')));
  const std::string padded = R"({"do": "pause")" + std::string(longest_message, ' ') + "}";
  EXPECT_FALSE(parse_command(padded));
}

TEST(protocol, a_frame_is_its_head_and_its_values_as_doubles) {
  const std::vector<double> values = {1.5, -2};
  const std::string bytes = frame_bytes({3, LiveState::track_ended, 0.5, 0.25, 17}, values);
  ASSERT_EQ(bytes.size(), 7 * sizeof(double));
  double read[7];
  std::memcpy(read, bytes.data(), bytes.size());
  EXPECT_THAT(read, testing::ElementsAre(3, 2, 0.5, 0.25, 17, 1.5, -2));
  EXPECT_EQ(note("a \"b\""), R"({"message": "a \"b\""})");
}

TEST(access, this_machine_is_known_by_its_names) {
  for (const char* host :
       {"127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "127.0.0.2"})
    EXPECT_TRUE(is_own_host(host, "127.0.0.1")) << host;
  EXPECT_TRUE(is_own_host("192.168.1.5:80", "192.168.1.5"));
  EXPECT_TRUE(is_own_host("192.168.1.5:80", "0.0.0.0"));
}

// a name that somebody lets point at 127.0.0.1 is the way of other pages to read ours
TEST(access, names_of_strangers_are_refused) {
  for (const char* host : {"", "evil.example", "evil.example:8080", "127.0.0.1.evil.example",
                           "localhost.evil.example:8080", "192.168.1.5", "127.0.0.1:80x", "[::1",
                           "[::1]x", "127.evil.example", "localhost:"})
    EXPECT_FALSE(is_own_host(host, "127.0.0.1")) << host;
  EXPECT_FALSE(is_own_host("evil.example", "0.0.0.0"));
}

TEST(access, only_the_own_page_may_connect) {
  EXPECT_TRUE(is_own_origin("http://localhost:8080", "localhost:8080"));
  for (const char* origin :
       {"", "null", "http://", "http://localhost:8081", "https://localhost:8080",
        "http://evil.example", "http://localhost:8080.evil.example"})
    EXPECT_FALSE(is_own_origin(origin, "localhost:8080")) << origin;
}

}  // namespace
}  // namespace klingel::view
