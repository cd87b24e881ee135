// Subject: realtime/udp. Claim: frames go both ways over loopback; what is malformed is counted and
// changes nothing; only loopback counts as this machine.
#include "realtime/udp.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/error.hpp"

namespace klingel::realtime {
namespace {

class Peer {
 public:
  explicit Peer(std::uint16_t port) : socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~Peer() { close(socket_); }
  void send(std::span<const std::byte> bytes) const {
    EXPECT_EQ(::send(socket_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  ssize_t receive(std::span<std::byte> bytes) const {
    return recv(socket_, bytes.data(), bytes.size(), 0);
  }

 private:
  int socket_;
};

bool soon(UdpDevice& device, Frame& frame) {
  for (int i = 0; i < 200; ++i) {
    if (device.receive(frame)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(udp, frames_go_both_ways) {
  Frame in(FrameKind::inputs, 5, 1), out(FrameKind::outputs, 5, 2);
  UdpDevice device("127.0.0.1", 0, in, out);
  const Peer peer(device.port());
  Frame said(FrameKind::inputs, 5, 1);
  said.header.sequence = 1;
  said.values = {42};
  std::vector<std::byte> bytes(said.bytes() + 1);
  said.write(bytes);

  peer.send(bytes);  // a byte too long
  peer.send(std::span(bytes).first(10));
  EXPECT_FALSE(soon(device, in));
  EXPECT_EQ(device.counts().malformed, 2);
  device.send(out);  // nobody is known yet: goes nowhere

  peer.send(std::span(bytes).first(said.bytes()));
  ASSERT_TRUE(soon(device, in));
  EXPECT_EQ(in.values[0], 42);
  out.values = {1, 2};
  device.send(out);
  std::vector<std::byte> got(200);
  ASSERT_EQ(peer.receive(got), static_cast<ssize_t>(out.bytes()));
  Frame heard(FrameKind::outputs, 5, 2);
  EXPECT_EQ(heard.read(std::span(got).first(out.bytes())), nullptr);
  EXPECT_EQ(heard.values, out.values);
}

TEST(udp, knows_this_machine) {
  EXPECT_TRUE(is_this_machine("127.0.0.1"));
  EXPECT_FALSE(is_this_machine("0.0.0.0"));
  EXPECT_FALSE(is_this_machine("192.168.1.2"));
  EXPECT_THROW(is_this_machine("localhost"), base::Error);
}

}  // namespace
}  // namespace klingel::realtime
