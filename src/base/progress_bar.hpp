// What a program draws on a terminal while something takes long.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace klingel::base {

// "[=====>    ]" for a share from 0 to 1, then the text; at most `width` columns.
std::string with_bar(double share, const std::string& text, std::size_t width);

// Columns of the terminal that a file is; 80 where it is none.
std::size_t columns(std::FILE* file);

// "40 s", "35 min", "12 h".
std::string rough_time(double seconds);

}  // namespace klingel::base
