// "Did you mean ...?": the known names that look like a wrong one, for error messages.
// Compares letters only (edit distance with swaps), case differences count half.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::base {

// At most `most` of `names` that are close to `wanted`, nearest first; equally near ones keep the
// order of `names`. Close means at most a third of the longer name wrong, but one letter always.
std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string> names,
                                 std::size_t most = 3);

// The same as the end of an error message: "; did you mean 'x', 'y' or 'z'?", or "" when nothing
// is close.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> names,
                         std::size_t most = 3);

}  // namespace klingel::base
