// Columns of numbers as short text for the page: base64 of
//
//   blocks of 128 values: first (double), slope (double), scale (float), then, unless the scale is
//   0, one 16-bit integer k per value:   value[i] = first + slope i + scale k
//
// all little-endian; the last block may be shorter. Errors stay below 1/60000 of what a block's
// values deviate from a straight line: a vehicle's place over 400 m keeps its hundredths of a
// millimetre. k = -32768 means a value that is not finite.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::record {

inline constexpr std::size_t packed_block = 128;

std::string packed(std::span<const double> values);

// The values as floats, base64, little-endian: for shapes, whose points are near each other.
std::string packed_floats(std::span<const double> values);

std::string base64(std::string_view bytes);

// The reverse of packed(): `count` values. Text that is no such packing is an Error.
std::vector<double> unpacked(std::string_view text, std::size_t count);

}  // namespace klingel::record
