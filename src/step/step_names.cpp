#include "step/step_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace klingel::step {
namespace {

constexpr std::array<Scheme, 5> schemes = {Scheme::imex, Scheme::imex_printed,
                                           Scheme::explicit_euler, Scheme::trapezoidal,
                                           Scheme::reference};
constexpr std::array<LinearMethod, 2> methods = {LinearMethod::static_lu,
                                                 LinearMethod::partitioning};

template <class List>
auto by_name(const List& list, std::string_view word, const char* what) {
  std::string plain(word);
  std::replace(plain.begin(), plain.end(), '-', '_');
  std::vector<std::string> names;
  for (const auto entry : list) {
    if (name(entry) == plain) return entry;
    names.emplace_back(name(entry));
  }
  base::fail("there is no {} '{}'{}; there are: {}", what, word, base::did_you_mean(plain, names),
             fmt::join(names, ", "));
}

}  // namespace

std::string_view name(Scheme scheme) {
  switch (scheme) {
    case Scheme::imex:
      return "imex";
    case Scheme::imex_printed:
      return "imex_printed";
    case Scheme::explicit_euler:
      return "explicit_euler";
    case Scheme::trapezoidal:
      return "trapezoidal";
    case Scheme::reference:
      return "reference";
  }
  return "";
}

std::string_view name(LinearMethod method) {
  return method == LinearMethod::static_lu ? "static_lu" : "partitioning";
}

Scheme scheme_by_name(std::string_view word) { return by_name(schemes, word, "scheme"); }
LinearMethod linear_method_by_name(std::string_view word) {
  return by_name(methods, word, "linear method");
}

}  // namespace klingel::step
