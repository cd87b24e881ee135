// The text of the Error that an act throws, or "no error".
#pragma once

#include <string>

#include "base/error.hpp"

namespace klingel::record {

template <class Act>
std::string error_of(const Act& act) {
  try {
    act();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace klingel::record
