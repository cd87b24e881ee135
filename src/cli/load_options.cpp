#include "cli/load_options.hpp"

#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace klingel::cli {
namespace {

constexpr double most = 1000;  // kN: beyond it steel flows and the theory has long ended

double load_of(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value > 0) || !(value <= most)) {
    base::fail(
        "--load {}: expected the vertical force on one wheel in kN, above 0 and up to {:g}\n"
        "    without --load the contact is that of rigid bodies",
        text, most);
  }
  return 1e3 * value;
}

}  // namespace

void add_load_options(Command& c, LoadOptions& o) {
  c.option("--load", o.load, "Vertical force on each wheel; without it, the contact is rigid")
      .unit("kN")
      .value("NUMBER");
  c.option("--E", o.E, "Young's modulus of wheels and rails")
      .unit("GPa")
      .needs("--load")
      .at_least(1)
      .at_most(1e4);
  c.option("--poisson", o.poisson, "Poisson's ratio of wheels and rails")
      .needs("--load")
      .at_least(0)
      .at_most(0.5);
}

contact::LoadedWheelset make_loaded(const Wheelset& w, const LoadOptions& o) {
  const double load = load_of(o.load);
  return {*w.geometry, w.left, w.right, load, contact::HertzTable(1e9 * o.E, o.poisson)};
}

}  // namespace klingel::cli
