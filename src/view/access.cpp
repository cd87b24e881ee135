#include "view/access.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace klingel::view {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

bool all_of(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

// the host without brackets and port; empty if it is none
std::string_view name_of(std::string_view host) {
  constexpr std::string_view digits = "0123456789";
  std::string_view name = host, port;
  if (host.starts_with('[')) {
    const std::size_t close = host.find(']');
    if (close == std::string_view::npos) return {};
    name = host.substr(1, close - 1);
    const std::string_view rest = host.substr(close + 1);
    if (rest.empty()) return name;
    if (rest[0] != ':') return {};
    port = rest.substr(1);
  } else {
    const std::size_t colon = host.find(':');
    if (colon == std::string_view::npos) return name;
    name = host.substr(0, colon);
    port = host.substr(colon + 1);
  }
  return all_of(port, digits) ? name : std::string_view{};
}

bool is_number(std::string_view name) {
  if (name.find(':') != std::string_view::npos) return all_of(name, "0123456789abcdefABCDEF:.");
  return all_of(name, "0123456789.");
}

}  // namespace

bool is_loopback(std::string_view address) {
  return same(address, "localhost") || address == "::1" ||
         (address.starts_with("127.") && is_number(address));
}

bool is_own_host(std::string_view host, std::string_view address) {
  const std::string_view name = name_of(host);
  if (name.empty()) return false;
  if (is_loopback(name) || same(name, address)) return true;
  const bool everywhere = address == "0.0.0.0" || address == "::";
  return everywhere && is_number(name);
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  constexpr std::string_view scheme = "http://";
  return origin.size() > scheme.size() && same(origin.substr(0, scheme.size()), scheme) &&
         same(origin.substr(scheme.size()), host);
}

bool has_token(std::string_view query, std::string_view token) {
  constexpr std::string_view key = "key=";
  if (!query.starts_with(key)) return false;
  const std::string_view given = query.substr(key.size());
  if (given.size() != token.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < token.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ token[i]);
  return difference == 0;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  // so few bytes are never given in part
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    base::fail("the system gives no random numbers; serve at 127.0.0.1 instead");
  std::string text;
  for (const unsigned char b : bytes) text += fmt::format("{:02x}", b);
  return text;
}

std::string host_and_port(std::string_view address, unsigned port) {
  const bool six = address.find(':') != std::string_view::npos;
  std::string text = six ? "[" : "";
  text += address;
  if (six) text += ']';
  return text + ":" + std::to_string(port);
}

}  // namespace klingel::view
