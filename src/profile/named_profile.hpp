// Profiles by name, as vehicle and track files and the command line give them:
//
//   S1002  60E1  UIC60                    built in
//   cylinder  cone:0.05  arc:0.3          simple shapes: conicity, radius in m
//   worn.csv  path/to/wheel.prw           a file beside the one that names it; comes first
//   feve_wheel                            a shipped file, see base/lookup.hpp
//   60E1:1:40                             any of them leaning towards the middle of the track
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "profile/profile.hpp"
#include "profile/profile_file.hpp"

namespace klingel::profile {

// The profile of that name. If a kind is given, the profile must be of that kind.
// `folder` is that of the file that names it, empty on the command line. An unknown name is an
// Error that lists what there is and what comes near.
Profile profile(std::string_view name, std::optional<ProfileKind> kind = {},
                const std::filesystem::path& folder = {});

// The same with the options of reading files and what was noticed on the way; options.kind is the
// wanted kind.
FittedProfile profile_with_notes(std::string_view name, const ReadOptions& options,
                                 const std::filesystem::path& folder = {});

// The name in a form that means the same in other folders: with an absolute path if it is that of a
// file beside, else as it is.
std::string located(std::string_view name, const std::filesystem::path& folder);

// Reads "1:40" as atan(1/40) rad; Error with `what` otherwise.
double read_inclination(std::string_view text, std::string_view what);

}  // namespace klingel::profile
