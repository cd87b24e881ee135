// The two trees as Graphviz text: `dot -Tsvg`.
#pragma once

#include <string>

#include "mech/model.hpp"

namespace klingel::mech {

std::string bases_dot(const Model& model);
std::string points_dot(const Model& model);  // bodies are drawn at their points

}  // namespace klingel::mech
