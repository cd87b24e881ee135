// Any text given as a vehicle file, scenario file or formula is either read or refused with an
// Error. Random bytes rarely pass the TOML parser, so most inputs are words of the format thrown
// together.
#include <cstddef>
#include <cstdint>
#include <string>

#include "vehicle/scenario.hpp"
#include "vehicle/vehicle.hpp"

namespace {

constexpr const char* words[] = {"[vehicle]\nname = 'v'\n",
                                 "[parameters]\n",
                                 "[coordinates]\n",
                                 "[inputs]\n",
                                 "[[base]]\n",
                                 "[[point]]\n",
                                 "[[body]]\n",
                                 "[[use]]\n",
                                 "[group.g]\n",
                                 "[group.h]\n",
                                 "[[group.g.use]]\n",
                                 "[[group.g.point]]\n",
                                 "[[isotropic_spring]]\n",
                                 "[[line_spring]]\n",
                                 "[add.coordinates]\n",
                                 "remove = ['a', 'b']\n",
                                 "[[wheelset]]\n",
                                 "[[output]]\n",
                                 "name = 'a'\n",
                                 "name = 'b'\n",
                                 "name = 'a.b'\n",
                                 "group = 'g'\n",
                                 "group = 'h'\n",
                                 "parent = 'a'\n",
                                 "parent = 'b'\n",
                                 "parent = 'O'\n",
                                 "base = 'ground'\n",
                                 "base = 'a'\n",
                                 "axis = 'x'\n",
                                 "axis = [1, 2, 'a']\n",
                                 "angle = 'x'\n",
                                 "r = ['x', 0, 'a*b']\n",
                                 "a = 1\n",
                                 "b = 'a + 1'\n",
                                 "a = 'b^2'\n",
                                 "x = 0\n",
                                 "x = { value = 'a', rate = 1 }\n",
                                 "arguments = ['x']\n",
                                 "arguments = ['a', 'x']\n",
                                 "x = 'x'\n",
                                 "a = 'x + x'\n",
                                 "mass = 'a'\n",
                                 "point = 'O'\n",
                                 "point = 'a'\n",
                                 "inertia = [1, 2, 3]\n",
                                 "from = 'O'\n",
                                 "to = 'a'\n",
                                 "stiffness = 'a'\n",
                                 "order = ['x']\n",
                                 "values = ['rate(x)', 'sin(a)']\n",
                                 "[material]\n",
                                 "E = 1e9\n",
                                 "[scenario]\nvehicle = 'wheelset'\n",
                                 "hold = { x = 1 }\n",
                                 "[creep]\n",
                                 "friction = { other = 0.1 }\n",
                                 "gravity = [0, 'a', 1]\n",
                                 "[[unit]]\nvehicle = 'wheelset'\n",
                                 "[coupler]\n",
                                 "length = 1\n",
                                 "count = 2\n",
                                 "front = [1, 0, 'a']\nrear = [-1, 0, 0]\n",
                                 "extends = '.'\n"};

template <class Act>
void attempt(const Act& act) {
  try {
    act();
  } catch (const klingel::base::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace klingel::vehicle;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { parse_expression(bytes, {"fuzz", 1, 1}); });
  std::string text;
  for (const char c : bytes)
    text += words[static_cast<unsigned char>(c) % (sizeof words / sizeof *words)];
  const std::string whole = "[vehicle]\nname = 'v'\n" + text;
  const std::string extending = "extends = 'wheelset_suspended'\n" + text;
  for (const std::string& t : {bytes, whole, extending}) {
    attempt([&] { parse_vehicle(t, "fuzz"); });
    attempt([&] { parse_scenario(t, "fuzz"); });
  }
  return 0;
}
