// A channel: a number that a run has at every instant, with its name, its unit and what it means.
// Names are words with dots, "N.rear.front.right": the quantity first, then the part it belongs to.
// Which channels a vehicle has is in vehicle_channels.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::record {

struct Channel {
  std::string name;
  std::string unit;   // "N", "m", "rad/s"; "1" for ratios
  std::string about;  // one line
};

// Whether a name matches a pattern; '*' matches any text, dots included, '?' one character.
bool matches(std::string_view pattern, std::string_view name);

// Indices of the channels that fit any of the patterns: in the order of the channels, each once. A
// pattern that fits none is an Error that suggests near names.
std::vector<std::size_t> select(std::span<const Channel> channels,
                                std::span<const std::string> patterns);

// "N.*" for every quantity that belongs to several parts, full names for the others: what a user
// can request, in few words.
std::vector<std::string> families(std::span<const Channel> channels);

}  // namespace klingel::record
