// Reads the texts our printers write, as the language would, and computes their value: sums,
// products, powers, calls, and assignments to names.
//
// It knows nothing of atoms: what it returns is what somebody pasting the text would get.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/trig.h"

namespace klingel::test {

class Formula {
 public:
  using Names = std::map<std::string, double, std::less<>>;

  static double value(std::string_view text, const Names& names) {
    Formula formula(text, names);
    const double v = formula.sum();
    if (!formula.rest_.empty()) throw std::runtime_error("unread: " + std::string(formula.rest_));
    return v;
  }

  // Lines "const double name = formula;", the first words and the end of which may be missing.
  // Adds the names to `names`.
  static void run(std::string_view lines, Names& names) {
    while (!lines.empty()) {
      std::string_view line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(line.size() + 1);
      if (line.ends_with(';')) line.remove_suffix(1);
      const std::size_t equals = line.find(" = ");
      std::string_view name = line.substr(0, equals);
      if (name.starts_with("const double ")) name.remove_prefix(13);
      names[std::string(name)] = value(line.substr(equals + 3), names);
    }
  }

 private:
  Formula(std::string_view text, const Names& names) : rest_(text), names_(names) {}

  double sum() {
    double a = product();
    while (true) {
      if (take("+")) {
        a = a + product();
      } else if (take("-")) {
        a = a - product();
      } else {
        return a;
      }
    }
  }

  double product() {
    double a = sign();
    while (true) {
      if (!rest_.starts_with("**") && take("*")) {
        a = a * sign();
      } else if (take("/")) {
        a = a / sign();
      } else {
        return a;
      }
    }
  }

  double sign() { return take("-") ? -sign() : power(); }

  // the right operand of a power binds tighter than our printers need
  double power() {
    const double a = atom();
    return take("**") || take("^") ? std::pow(a, atom()) : a;
  }

  double atom() {
    if (take("(lambda v: (v > 0) - (v < 0))(")) return call("sign");
    if (take("(")) {
      const double a = sum();
      expect(")");
      return a;
    }
    if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) return number();
    std::size_t n = 0;
    while (n < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[n])) != 0 || rest_[n] == '_')) {
      ++n;
    }
    const std::string name(rest_.substr(0, n));
    rest_.remove_prefix(n);
    skip_spaces();
    return take("(") ? call(name) : names_.at(name);
  }

  double number() {
    const std::string text(rest_);
    char* end = nullptr;
    const double v = std::strtod(text.c_str(), &end);
    rest_.remove_prefix(static_cast<std::size_t>(end - text.c_str()));
    skip_spaces();
    return v;
  }

  double call(const std::string& name) {
    std::vector<double> x{sum()};
    while (take(",")) x.push_back(sum());
    expect(")");
    if (name == "sqrt") return std::sqrt(x[0]);
    if (name == "sin") return klingel_sin(x[0]);  // ours, or the last bit would differ
    if (name == "cos") return klingel_cos(x[0]);
    if (name == "tan") return std::tan(x[0]);
    if (name == "asin") return std::asin(x[0]);
    if (name == "acos") return std::acos(x[0]);
    if (name == "exp") return std::exp(x[0]);
    if (name == "log") return std::log(x[0]);
    if (name == "fabs" || name == "abs") return std::abs(x[0]);
    if (name == "klingel_sign" || name == "sign") return x[0] > 0 ? 1 : x[0] < 0 ? -1 : 0;
    if (name == "klingel_min" || name == "min") return std::min(x.at(0), x.at(1));
    if (name == "klingel_max" || name == "max") return std::max(x.at(0), x.at(1));
    if (name == "pow") return std::pow(x.at(0), x.at(1));
    if (name == "atan2") return std::atan2(x.at(0), x.at(1));
    throw std::runtime_error("unknown function " + name);
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip_spaces();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) throw std::runtime_error(fmt::format("'{}' expected at '{}'", token, rest_));
  }
  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  const Names& names_;
};

}  // namespace klingel::test
