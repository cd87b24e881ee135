// Who may connect to a view. A browser sends the host name of the address (Host) and the page that
// asks (Origin): a strange name means that somebody let his own name point at this machine, a
// strange page that another site tries to drive the simulation. Neither is served.
#pragma once

#include <string>
#include <string_view>

namespace klingel::view {

// Whether a Host header names this machine as it is served at `address`: localhost, a loopback
// number, the address itself; where all addresses are served (0.0.0.0, ::), any number but no
// name. Ports may differ, for tunnels.
bool is_own_host(std::string_view host, std::string_view address);

// Whether an Origin header is the page that this very host serves.
bool is_own_origin(std::string_view origin, std::string_view host);

// Whether an address is reached from this machine alone.
bool is_loopback(std::string_view address);

// Whether the query of an address ("key=...") has the token; takes as long for a nearly right one.
bool has_token(std::string_view query, std::string_view token);

// 32 hexadecimal digits of the system's randomness.
std::string random_token();

// "127.0.0.1:8080", "[::1]:8080"
std::string host_and_port(std::string_view address, unsigned port);

}  // namespace klingel::view
