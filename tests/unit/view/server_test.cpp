// The server as a stranger's program sees it: through sockets. It gives its page and nothing else,
// streams to two pages, does not mind garbage, and a page that does not read costs frames only.
#include "view/server.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "view/access.hpp"

namespace klingel::view {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{5};  // busy machines; nothing here takes 50 ms

// A connection without any library in between.
class Plug {
 public:
  explicit Plug(const Server& server) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    // a stuck server fails the test instead of hanging it
    const timeval limit{patience.count(), 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(server.port());
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~Plug() { ::close(fd_); }
  Plug(const Plug&) = delete;
  Plug& operator=(const Plug&) = delete;

  void write(const std::string& text) const {
    EXPECT_EQ(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }

  // exactly so many bytes, fewer when the other side closes
  std::string read(std::size_t count) const {
    std::string text(count, '\0');
    std::size_t got = 0;
    while (got < count) {
      const ssize_t n = ::recv(fd_, text.data() + got, count - got, 0);
      if (n <= 0) break;
      got += static_cast<std::size_t>(n);
    }
    text.resize(got);
    return text;
  }

  // up to the empty line
  std::string head() const {
    std::string text;
    while (!text.ends_with("\r\n\r\n")) {
      const std::string next = read(1);
      if (next.empty()) break;
      text += next;
    }
    return text;
  }

  std::string ask(const std::string& line, const std::string& more = "") const {
    write(line + " HTTP/1.1\r\nHost: localhost\r\n" + more + "Connection: close\r\n\r\n");
    return read(100000);
  }

  // the answer to a request to watch
  std::string join(const std::string& more = "", const std::string& host = "localhost") const {
    write("GET /live HTTP/1.1\r\nHost: " + host +
          "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
          more + "\r\n");
    return head();
  }

  // a masked text message (mask 0) of less than 126 bytes
  void say(const std::string& text) const {
    write(std::string("\x81") + static_cast<char>(0x80 | text.size()) + std::string(4, '\0') +
          text);
  }

  // the content of the next message of less than 126 bytes
  std::string hear() const {
    const std::string first = read(2);
    return first.size() < 2 ? "" : read(static_cast<unsigned char>(first[1]) & 0x7f);
  }

 private:
  int fd_;
};

ServerOptions any_port() {
  ServerOptions options;
  options.port = 0;
  return options;
}

template <typename Truth>
bool comes_true(Truth truth) {
  for (const auto end = Clock::now() + patience; Clock::now() < end;) {
    if (truth()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

// What a page asks for is made by the owner, in its own time.
TEST(server, asks_its_owner_for_pages_on_request) {
  ServerOptions options = any_port();
  options.live = false;
  options.on_request = "/case/";
  options.token = "secret";
  Server server(options, "<p>the page</p>");
  const auto asked = [&](const std::string& line, const std::string& more = "") {
    return Plug(server).ask(line, more);
  };
  // strangers, and other ways of asking, do not reach the owner
  EXPECT_THAT(asked("GET /case/3"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(asked("GET /case/3?key=secrex"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(asked("GET /case/3?key=secret", "Sec-Fetch-Site: cross-site\r\n"),
              StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(asked("HEAD /case/3?key=secret"), StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(asked("POST /case/3?key=secret"), StartsWith("HTTP/1.1 405"));
  PageRequest request;
  EXPECT_FALSE(server.next(request));

  std::string answer, refusal;
  std::thread page([&] {
    answer = asked("GET /case/3?key=secret", "Sec-Fetch-Site: same-origin\r\n");
    refusal = asked("GET /case/../x?key=secret");
  });
  ASSERT_TRUE(comes_true([&] { return server.next(request); }));
  EXPECT_EQ(request.what, "3");
  // the page itself is served meanwhile
  EXPECT_THAT(asked("GET /?key=secret"), StartsWith("HTTP/1.1 200"));
  server.answer(request.number + 1, true, "nobody waits for this");
  server.answer(request.number, true, "<p>report</p>");
  ASSERT_TRUE(comes_true([&] { return server.next(request); }));
  EXPECT_EQ(request.what, "../x");
  server.answer(request.number, false, "no such case\n");
  page.join();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(answer.ends_with("<p>report</p>"));
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 422"));
  EXPECT_TRUE(refusal.ends_with("no such case\n"));
}

TEST(server, gives_the_page_and_nothing_else) {
  const Server server(any_port(), "<p>the page</p>");
  EXPECT_THAT(server.url(), StartsWith("http://127.0.0.1:"));
  const std::string page = Plug(server).ask("GET /");
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(page, HasSubstr("X-Frame-Options: DENY"));
  EXPECT_TRUE(page.ends_with("<p>the page</p>"));
  EXPECT_THAT(Plug(server).ask("GET /?x=1"), StartsWith("HTTP/1.1 200"));
  const std::string head = Plug(server).ask("HEAD /");
  EXPECT_THAT(head, HasSubstr("Content-Length: 15"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  for (const char* path :
       {"/etc/passwd", "/../../etc/passwd", "/%2e%2e/x", "//", "/index.html", "*"})
    EXPECT_THAT(Plug(server).ask(std::string("GET ") + path), StartsWith("HTTP/1.1 404")) << path;
  EXPECT_THAT(Plug(server).ask("DELETE /"), StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(Plug(server).ask("POST /", "Content-Length: 3\r\n"), StartsWith("HTTP/1.1 4"));
}

TEST(server, strangers_are_refused) {
  const Server server(any_port(), "page");
  const Plug name(server);
  name.write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_THAT(name.head(), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(Plug(server).join("Origin: http://evil.example\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(Plug(server).join("Origin: null\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(Plug(server).join("", "evil.example"), StartsWith("HTTP/1.1 403"));
  EXPECT_EQ(server.counts().refused, 4u);
  EXPECT_THAT(Plug(server).join("Origin: http://localhost\r\n"), StartsWith("HTTP/1.1 101"));
}

TEST(server, a_port_in_use_is_said_with_a_free_one) {
  const Server first(any_port(), "page");
  ServerOptions same;
  same.port = first.port();
  try {
    const Server second(same, "page");
    ADD_FAILURE() << "two servers share a port";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), StartsWith("port " + std::to_string(first.port()) + " is in use"));
    const std::string text = error.what();
    const std::size_t at = text.find("add --port ");
    ASSERT_NE(at, std::string::npos) << text;
    same.port = static_cast<std::uint16_t>(std::stoi(text.substr(at + 11)));
  }
  EXPECT_EQ(Server(same, "page").port(), same.port);
  ServerOptions wrong = any_port();
  wrong.address = "nowhere";
  EXPECT_THROW(Server(wrong, "page"), base::Error);
}

TEST(server, two_pages_get_frames_and_both_command) {
  Server server(any_port(), "page");
  server.send("early");
  const Plug a(server), b(server);
  EXPECT_THAT(a.join(), HasSubstr("101"));
  EXPECT_EQ(a.hear(), "early") << "a page that comes late gets the last frame";
  EXPECT_THAT(b.join(), HasSubstr("101"));
  EXPECT_EQ(b.hear(), "early");
  server.send("frame");
  EXPECT_EQ(a.hear(), "frame");
  EXPECT_EQ(b.hear(), "frame");
  server.tell("note");
  EXPECT_EQ(b.hear(), "note");
  EXPECT_EQ(server.counts().pages, 2u);

  Command command;
  EXPECT_FALSE(server.next(command));
  a.say(R"({"do": "pause"})");
  ASSERT_TRUE(comes_true([&] { return server.next(command); }));
  EXPECT_EQ(command.kind, Command::Kind::pause);
  b.say(R"({"do": "set", "control": 1, "value": 2})");
  ASSERT_TRUE(comes_true([&] { return server.next(command); }));
  EXPECT_EQ(command.value, 2);
}

TEST(server, garbage_is_counted_and_harms_nobody) {
  Server server(any_port(), "page");
  const Plug good(server);
  good.join();
  Command command;
  {
    const Plug bad(server);
    bad.join();
    bad.say("rubbish");
    bad.say(R"({"do": "set", "control": "x"})");
    ASSERT_TRUE(comes_true([&] { return server.counts().ignored == 2; }));
    EXPECT_FALSE(server.next(command));
    // neither are bytes that are no message, or no request at all; the server says goodbye
    bad.write(std::string("\xff\x80\0\0\0\0", 6));
    EXPECT_EQ(bad.read(1), "\x88");
    const Plug huge(server);
    huge.join();
    huge.write(std::string("\x81\xff\0\0\0\0\x7f\xff\xff\xff", 10) + std::string(4, '\0'));
    EXPECT_EQ(huge.read(1), "\x88");
    Plug(server).write(std::string("\0\1\2\r\n\r\n", 7));
    Plug(server).write("GET");
  }
  ASSERT_TRUE(comes_true([&] { return server.counts().pages == 1; }));
  server.send("frame");
  EXPECT_EQ(good.hear(), "frame");
}

// the page gets a few frames, and the newest once it says that it has seen them
TEST(server, a_slow_page_misses_frames_and_nobody_waits) {
  Server server(any_port(), "page");
  const Plug slow(server);
  slow.join();
  ASSERT_TRUE(comes_true([&] { return server.counts().pages == 1; }));
  const Clock::time_point begin = Clock::now();
  constexpr int frames = 300;
  for (int i = 0; i < frames; ++i) {
    server.send(std::to_string(i));
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  EXPECT_LT(Clock::now() - begin, patience);
  ASSERT_TRUE(comes_true([&] { return server.counts().dropped > 0; }));
  EXPECT_EQ(server.counts().sent, 4u);
  for (int i = 0; i < 4; ++i) slow.hear();
  slow.say(R"({"do": "seen"})");
  EXPECT_EQ(slow.hear(), std::to_string(frames - 1));
}

TEST(server, stalled_connections_do_not_block_new_ones) {
  Server server({.port = 0}, "the page");
  std::vector<std::unique_ptr<Plug>> stalled;
  for (int i = 0; i < 200; ++i) {
    stalled.push_back(std::make_unique<Plug>(server));
    stalled.back()->write("GET / HTTP/1.1\r\n");  // and never the rest
  }
  const Plug late(server);
  late.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(late.read(4000), HasSubstr("the page"));
}

TEST(server, with_a_token_only_the_whole_address_is_served) {
  Server server({.port = 0, .token = "0123456789abcdef"}, "the page");
  EXPECT_THAT(server.url(), testing::EndsWith("/?key=0123456789abcdef"));
  const auto answer = [&](const std::string& target, const std::string& more = "") {
    const Plug plug(server);
    plug.write("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n");
    return plug.read(12);
  };
  const std::string close = "Connection: close\r\n";
  EXPECT_EQ(answer("/?key=0123456789abcdef", close), "HTTP/1.1 200");
  for (const char* wrong :
       {"/", "/?key=", "/?key=0123456789abcdee", "/?key=0123456789abcdef0", "/?0123456789abcdef"})
    EXPECT_EQ(answer(wrong, close), "HTTP/1.1 403") << wrong;
  const std::string upgrade =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  EXPECT_EQ(answer("/live", upgrade), "HTTP/1.1 403");
  EXPECT_EQ(answer("/live?key=0123456789abcdef", upgrade), "HTTP/1.1 101");
}

TEST(server, tokens_differ) {
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

TEST(server, pages_may_leave_and_too_many_are_sent_away) {
  ServerOptions options = any_port();
  options.most_pages = 1;
  Server server(options, "page");
  {
    const Plug only(server);
    EXPECT_THAT(only.join(), HasSubstr("101"));
    EXPECT_THAT(Plug(server).join(), StartsWith("HTTP/1.1 503"));
  }
  ASSERT_TRUE(comes_true([&] { return server.counts().pages == 0; })) << "a closed page is gone";
  server.send("to nobody");
  EXPECT_THAT(Plug(server).join(), HasSubstr("101"));
  options.live = false;
  const Server still(options, "page");
  EXPECT_THAT(Plug(still).join(), StartsWith("HTTP/1.1 404"));
}

}  // namespace
}  // namespace klingel::view
