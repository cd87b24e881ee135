// Any text given as a saved state is either refused with an Error, or read; then all values are
// finite and writing and reading them again gives the same.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runtime/named_values.hpp"

namespace {

using namespace klingel::runtime;

std::vector<NamedValues> empty_lists() {
  return {{"t", "time", {""}, {0}},
          {"step", "number of steps", {""}, {0}},
          {"q", "coordinate", {"x", "front.y"}, {0, 0}},
          {"friction", "wheel", {"a.left", "a.right"}, {0, 0}}};
}

constexpr const char* words[] = {"klingel state 1\n",
                                 "model v\n",
                                 "model w\n",
                                 "t 0\n",
                                 "t 1e999\n",
                                 "t nan\n",
                                 "step 12\n",
                                 "step -1e300\n",
                                 "q x 1.5\n",
                                 "q front.y -2e-300\n",
                                 "q z 1\n",
                                 "q x\n",
                                 "friction a.left 0.3\n",
                                 "friction a.right 0.25 # worn\n",
                                 "friction a.left 0.3 0.4\n",
                                 "# comment\n",
                                 "\r\n",
                                 "\x1b[31m\n",
                                 "t",
                                 " ",
                                 "\n"};

void attempt(const std::string& text) {
  std::vector<NamedValues> lists = empty_lists();
  try {
    parse_named_values(text, "fuzz", "v", lists);
  } catch (const klingel::base::Error&) {
    return;
  }
  const std::string written = named_values_text("v", lists);
  std::vector<NamedValues> again = empty_lists();
  parse_named_values(written, "again", "v", again);
  for (std::size_t k = 0; k < lists.size(); ++k) {
    for (const double value : lists[k].values)
      if (!std::isfinite(value)) std::abort();
    if (lists[k].values != again[k].values) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::string text = words[0];
  for (const char c : bytes)
    text += words[static_cast<unsigned char>(c) % (sizeof words / sizeof *words)];
  attempt(bytes);
  attempt(text);
  // a whole state with something in it
  const std::string whole =
      "klingel state 1\nmodel v\nt 0\nstep 1\nq x 1\nq front.y 2\nfriction a.left 0.3\nfriction "
      "a.right 0.3\n";
  attempt(whole);
  const std::size_t at = size > 0 ? data[0] % whole.size() : 0;
  attempt(whole.substr(0, at) + bytes + whole.substr(at));
  return 0;
}
