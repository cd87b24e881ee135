// Any text given as a scenario is either refused with an Error, or a scenario whose numbers are
// finite and within their limits. Most inputs are words of the format thrown together.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vehicle/scenario.hpp"
#include "vehicle/scenario_numbers.hpp"

namespace {

using namespace klingel::vehicle;

constexpr const char* words[] = {"[scenario]\n",
                                 "vehicle = 'wheelset'\n",
                                 "track = 'straight'\n",
                                 "track = '/dev/zero'\n",
                                 "speed = 20\n",
                                 "speed = nan\n",
                                 "speed = -inf\n",
                                 "position = 1e300\n",
                                 "duration = 1e-9\n",
                                 "duration = 5\n",
                                 "step = 1e-3\n",
                                 "step = 0\n",
                                 "integrator = 'reference'\n",
                                 "integrator = 'explicit-euler'\n",
                                 "method = 'partitioning'\n",
                                 "equilibrium = 'none'\n",
                                 "hold = { y = 0.001 }\n",
                                 "hold = { q = 1 }\n",
                                 "[creep]\n",
                                 "law = 'polach'\n",
                                 "law = 'fastsim'\n",
                                 "friction = -0.3\n",
                                 "friction = { other = 0.1, 'wheelset.left' = 0.2 }\n",
                                 "friction = 0.4\n",
                                 "values = { k_A = 0.5 }\n",
                                 "values = { k_S = 0.9, A = 2 }\n",
                                 "values = { strips = 1e300 }\n",
                                 "values = { strips = 5 }\n",
                                 "kalker = 'smooth'\n",
                                 "[contact]\n",
                                 "tread = 'rigid'\n",
                                 "flange_zone = [33, 55]\n",
                                 "flange_zone = [1]\n",
                                 "rail_stiffness = 1e7\n",
                                 "rail_damping = -1\n",
                                 "curvature_floor = 0.1\n",
                                 "[material]\n",
                                 "poisson = 0.7\n",
                                 "G = 8e10\n",
                                 "[parameters]\n",
                                 "m = 'm'\n",
                                 "r_wheel = -1\n",
                                 "[inputs]\n",
                                 "torque = { times = [0, 1], values = [1, 2] }\n",
                                 "torque = { from = 1, to = 2, begin = 3, end = 1 }\n",
                                 "[output]\n",
                                 "interval = 0.01\n",
                                 "channels = ['all', 'N.*']\n",
                                 "extends = '.'\n",
                                 "extends = '../scenario.toml'\n",
                                 "extends = 'coach_300m'\n",
                                 "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\n",
                                 "name = \"\\u001b[31m\"\n"};

void check(const Scenario& s) {
  for (const ScenarioNumber& n : scenario_numbers()) {
    const double value = s.*n.member;
    if (!(std::isfinite(value) && value >= n.least && value <= n.most)) std::abort();
  }
}

void attempt(const std::string& text) {
  static const Vehicle wheelset = load_vehicle("wheelset");
  try {
    const Scenario s = parse_scenario(text, "fuzz");
    check(s);
    check_scenario(s, wheelset);
    if (!(s.duration >= 0.5 * s.step)) std::abort();
  } catch (const klingel::base::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::string text;
  for (const char c : bytes.substr(0, 200))
    text += words[static_cast<unsigned char>(c) % (sizeof words / sizeof *words)];
  attempt(bytes);
  attempt("[scenario]\nvehicle = 'wheelset'\n" + bytes);
  attempt("[scenario]\nvehicle = 'wheelset'\n" + text);
  return 0;
}
