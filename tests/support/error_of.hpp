// The text of the base::Error that an action throws, or "no error".
#pragma once

#include <string>

#include "base/error.hpp"

namespace klingel::test {

template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace klingel::test
