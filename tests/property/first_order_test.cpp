// To first order in small symbols: the error falls with the square of their size, and no list gets
// longer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sym/count.hpp"
#include "sym/first_order.hpp"
#include "tests/support/property.hpp"

namespace klingel::sym {
namespace {

using test::any_index;
using test::check_property;

// A random polynomial of sines: smooth everywhere, so that its expansion exists.
Expr any_smooth(const std::vector<Expr>& x) {
  std::vector<Expr> pool = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    pool.push_back(sin(x[i]));
    pool.push_back(cos(x[i]));
  }
  for (int step = 0; step < 25; ++step) {
    const Expr a = pool[any_index(pool.size())], b = pool[any_index(pool.size())];
    switch (any_index(4)) {
      case 0:
        pool.push_back(a + b);
        break;
      case 1:
        pool.push_back(a - b);
        break;
      default:
        pool.push_back(sin(a * b));
    }
    pool.push_back(pool.back() * pool[any_index(pool.size())]);
  }
  return pool.back() + pool[pool.size() - 2];
}

TEST(first_order, is_right_to_first_order_and_never_longer) {
  check_property(300, [] {
    Graph g;
    std::vector<Expr> x;
    for (const char* name : {"a", "b", "c", "u", "v"}) x.push_back(g.coordinate(name).q);
    const std::vector<Expr> small(x.begin(), x.begin() + 3);
    const std::vector<Expr> list = {any_smooth(x)};
    const std::vector<Expr> result = first_order(list, small);
    RC_ASSERT(count(result).total() <= count(list).total());
    // |difference| = O(e^2): it must fall by 100 where e falls by 10
    const auto difference = [&](double e) {
      const std::vector<double> at = {0.7 * e, -0.9 * e, 0.4 * e, 0.3, -0.8};
      const Tape before(x, list), after(x, result);
      std::vector<double> y(1), z(1), r(std::max(before.registers(), after.registers()));
      before.run(at.data(), y.data(), r.data());
      after.run(at.data(), z.data(), r.data());
      return std::abs(y[0] - z[0]);
    };
    const double size = difference(1e-3);
    if (difference(1e-4) > 0.02 * size + 1e-12) {
      RC_FAIL(fmt::format("{} at 1e-3, {} at 1e-4", size, difference(1e-4)));
    }
  });
}

}  // namespace
}  // namespace klingel::sym
