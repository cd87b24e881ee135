#include "packaging/unit_powers.hpp"

namespace klingel::packaging {
namespace {

struct Known {
  std::string_view name;
  UnitPowers powers;
};
// those whose beginning is another one's name come first
constexpr Known known[] = {
    {"Nm", {1, 2, -2, 0}}, {"kg", {1, 0, 0, 0}}, {"rad", {0, 0, 0, 1}}, {"Pa", {1, -1, -2, 0}},
    {"Hz", {0, 0, -1, 0}}, {"N", {1, 1, -2, 0}}, {"J", {1, 2, -2, 0}},  {"W", {1, 2, -3, 0}},
    {"m", {0, 1, 0, 0}},   {"s", {0, 0, 1, 0}},  {"1", {0, 0, 0, 0}},
};

const Known* first_of(std::string_view text) {
  for (const Known& k : known)
    if (text.starts_with(k.name)) return &k;
  return nullptr;
}

}  // namespace

std::optional<UnitPowers> unit_powers(std::string_view text) {
  UnitPowers sum;
  int sign = 1;
  bool any = false;  // a unit since the beginning or the '/'
  while (!text.empty()) {
    if (text.front() == ' ' || text.front() == '/') {
      if (!any) return std::nullopt;
      if (text.front() == '/') {
        if (sign < 0) return std::nullopt;
        sign = -1, any = false;
      }
      text.remove_prefix(1);
      continue;
    }
    const Known* k = first_of(text);
    if (k == nullptr) return std::nullopt;
    text.remove_prefix(k->name.size());
    int power = 1;
    if (!text.empty() && text.front() >= '2' && text.front() <= '9' && k->name != "1") {
      power = text.front() - '0';
      text.remove_prefix(1);
    }
    if (!text.empty() && text.front() != ' ' && text.front() != '/') return std::nullopt;
    power *= sign;
    sum.kg += power * k->powers.kg, sum.m += power * k->powers.m;
    sum.s += power * k->powers.s, sum.rad += power * k->powers.rad;
    any = true;
  }
  if (!any) return std::nullopt;
  return sum;
}

}  // namespace klingel::packaging
