#include "realtime/udp.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace klingel::realtime {
namespace {

constexpr std::size_t largest_packet = 65'507;

in_addr address_of(const std::string& text) {
  in_addr address{};
  if (inet_pton(AF_INET, text.c_str(), &address) != 1)
    base::fail("'{}' is not an IPv4 address; give one such as 127.0.0.1", text);
  return address;
}

}  // namespace

bool is_this_machine(const std::string& address) {
  return ntohl(address_of(address).s_addr) >> 24 == 127;
}

UdpDevice::UdpDevice(const std::string& address, std::uint16_t port, const Frame& inputs,
                     const Frame& outputs) {
  if (std::max(inputs.bytes(), outputs.bytes()) > largest_packet)
    base::fail("{} outputs do not fit into a UDP packet; choose fewer with --outputs",
               outputs.values.size());
  // longer than a frame by one byte: longer packets are seen to be
  copy_.resize(std::max(inputs.bytes(), outputs.bytes()) + 1);
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr = address_of(address);
  own.sin_port = htons(port);
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  socklen_t length = sizeof own;
  if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&own), length) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &length) != 0) {
    const int error = errno;
    if (socket_ >= 0) close(socket_);
    base::fail("cannot receive UDP at {}:{}: {}", address, port, std::strerror(error));
  }
  port_ = ntohs(own.sin_port);
}

UdpDevice::~UdpDevice() { close(socket_); }

bool UdpDevice::receive(Frame& inputs) noexcept {
  bool fresh = false;
  // a bounded number: a flood must not keep the loop here
  constexpr int most_packets = 8;
  for (int i = 0; i < most_packets; ++i) {
    sockaddr_in from{};
    socklen_t length = sizeof from;
    const ssize_t size = recvfrom(socket_, copy_.data(), copy_.size(), 0,
                                  reinterpret_cast<sockaddr*>(&from), &length);
    if (size < 0) break;
    if (!take({copy_.data(), static_cast<std::size_t>(size)}, inputs)) continue;
    peer_ = from;
    has_peer_ = fresh = true;
  }
  return fresh;
}

void UdpDevice::send(const Frame& outputs) noexcept {
  if (!has_peer_) return;
  outputs.write(copy_);
  // a full buffer or a device that has gone: the packet is lost, as packets may be
  [[maybe_unused]] const ssize_t sent =
      sendto(socket_, copy_.data(), outputs.bytes(), 0, reinterpret_cast<const sockaddr*>(&peer_),
             sizeof peer_);
}

}  // namespace klingel::realtime
