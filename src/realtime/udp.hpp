// A device that talks UDP: one frame in a packet. Outputs go to where the last good packet came
// from.
#pragma once

#include <netinet/in.h>

#include <string>
#include <vector>

#include "realtime/device.hpp"

namespace klingel::realtime {

// Whether an address is reached from this machine only.
bool is_this_machine(const std::string& address);

class UdpDevice : public Device {
 public:
  // An IPv4 address; port 0 takes any free one. Errors are thrown.
  UdpDevice(const std::string& address, std::uint16_t port, const Frame& inputs,
            const Frame& outputs);
  ~UdpDevice() override;
  UdpDevice(const UdpDevice&) = delete;
  UdpDevice& operator=(const UdpDevice&) = delete;

  std::uint16_t port() const { return port_; }

  bool receive(Frame& inputs) noexcept override;
  void send(const Frame& outputs) noexcept override;

 private:
  int socket_ = -1;
  std::uint16_t port_ = 0;
  sockaddr_in peer_{};
  bool has_peer_ = false;
  std::vector<std::byte> copy_;
};

}  // namespace klingel::realtime
