// Doubles as text: the shortest decimal that reads back as the same bits (std::to_chars), so
// that generated files are exact and the same on every run. Does not read numbers.
#pragma once

#include <string>

namespace klingel::base {

// As a C, C++ or Python-like double literal: always a floating-point literal ("2.0", "1e+300",
// "-0.0"), never an integer one. Infinities and NaN are the macros of C's math.h:
// "INFINITY", "-INFINITY", "NAN".
std::string shortest(double value);

// As a JSON number, the same text as shortest(). JSON has no infinities and no NaN: these are
// "null", which readers in Python and JavaScript turn into "no value".
std::string shortest_json(double value);

}  // namespace klingel::base
