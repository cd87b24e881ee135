// Time that a virtual machine did not get, from /proc/stat.
#pragma once

#include <cstdint>
#include <string>

namespace klingel::realtime {

// ns since the machine began, of all processors; the kernel counts in 10 ms.
std::int64_t stolen_time();
// The same from the text of such a file; 0 if it has none.
std::int64_t stolen_time(const std::string& text);

}  // namespace klingel::realtime
