// Any bytes given to the JSON reader are either read or refused with an Error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    klingel::base::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const klingel::base::Error&) {
  }
  return 0;
}
