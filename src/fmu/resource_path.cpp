#include "fmu/resource_path.hpp"

namespace klingel::fmu {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string path_of_uri(std::string_view uri) {
  if (!uri.starts_with("file:")) return {};
  uri.remove_prefix(5);
  // "file:/path", "file:///path" and "file://host/path"
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::size_t slash = uri.find('/');
    if (slash == std::string_view::npos) return {};
    uri.remove_prefix(slash);
  }
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool coded =
        uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    path += coded ? static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])) : uri[i];
    if (coded) i += 2;
  }
  return path;
}

}  // namespace klingel::fmu
