// Which part of a vehicle an element of an input belongs to, by a name: rates are named after their
// coordinates; right sides have no names of their own, and follow coordinates, then wheels.
#pragma once

#include <string>
#include <string_view>

#include "gen/program.hpp"

namespace klingel::exec {

class InputNames {
 public:
  explicit InputNames(const gen::Program& program);

  // The coordinates, or null.
  const gen::Input* q() const { return q_; }
  const std::string& name(const gen::Input& input, std::size_t element) const;

 private:
  const sym::Graph& g_;
  const gen::Input *q_, *active_;
};

}  // namespace klingel::exec
