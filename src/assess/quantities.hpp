// The quantities that EN 14363 judges, as we evaluate them: each with its definition, its limit and
// where both come from. Definitions are from general knowledge of the standard, not from its text.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "assess/track_sections.hpp"

namespace klingel::assess {

enum class Group { safety, track_loading, ride };

// What a section gives.
enum class Reading {
  extreme,  // the larger of |0.15 %| and |99.85 %| of the values
  upper,    // 99.85 %
  median,   // |50 %|, quasi-static
  rms,
  largest,  // of what is a mean over a distance already
};

struct Quantity {
  std::string_view key, name, unit;
  double scale;  // from SI to the unit
  Group group;
  Reading reading;
  double k;           // of [eq:onedim]
  double confidence;  // of [eq:twodim], one-sided
  bool of_wheelset;   // else of a point of the floor
  bool in_curves_only;
  std::string_view definition, source;
};

std::span<const Quantity> quantities();

// What limits may depend on.
struct LimitOf {
  double P0 = 0, Q0 = 0;  // static loads of wheelset and wheel, N
  double radius = 0;      // mean of the sections, m; infinite on straight track
  bool freight = false;
};
// In SI units; nothing where none is known.
std::optional<double> limit(const Quantity& quantity, Zone zone, const LimitOf& of);

std::string_view name(Group group);

}  // namespace klingel::assess
