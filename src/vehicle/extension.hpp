// Files that change other files: a chain that begins with the given file, each extending the
// next, and ends with a whole vehicle file. Values from outside are collected on the way; what a
// file adds and removes is up to instances.hpp.
#pragma once

#include <string>
#include <vector>

#include "vehicle/instances.hpp"

namespace klingel::vehicle {

// The file and what it extends, in this order. Values of parameters, coordinates and inputs in it
// are added to the overrides under their names behind `scope`; those that are there already win.
// Keys that are not allowed in such a file, circles and missing files are Errors.
Chain extensions(const Document& file, const std::string& scope, Overrides& overrides);

// Elastic constants of a file over others.
Material read_material(Table root, const Material& fallback);
// The material at the end of a chain.
Material read_material(const Chain& chain);

// A name that can be part of the name of a function in C.
void check_identifier(Table& t, const std::string& name, std::string_view what);

}  // namespace klingel::vehicle
