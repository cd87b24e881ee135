// A range of numbers on the command line: "A:B:STEP", both ends included, or a single number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace klingel::cli {

// The numbers of a range. If the steps do not meet B, the last number is the one before it. What is
// wrong with the text becomes an Error that names `option`.
std::vector<double> read_range(std::string_view text, std::string_view option);

// The numbers of several ranges or numbers with commas between them: "300,500:1000:250".
std::vector<double> read_list(std::string_view text, std::string_view option);

}  // namespace klingel::cli
