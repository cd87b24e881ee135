// Profiles from files and to files, in these formats:
//
//   table    two columns y z (.csv, .dat, .txt), with a header that says what they mean
//   SIMPACK  .prw and .prr: keys, processing steps, points
//   pieces   .pieces: the cubic pieces themselves, exact
//   MiniProf .whl and .ban: what the instrument writes; read only
//
// docs/profiles.md describes them. Whatever a file says, the result is in the coordinates of
// profile.hpp. Names of built-in profiles are in named_profile.hpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "profile/profile.hpp"
#include "profile/profile_points.hpp"

namespace klingel::profile {

enum class ProfileFormat { table, simpack, pieces, miniprof };

struct ReadOptions {
  // What the file should hold; needed if the file does not say, an Error if it says otherwise.
  std::optional<ProfileKind> kind;
  // What a table means; used where its header is silent.
  std::optional<double> unit;  // m per unit of the file
  std::optional<bool> z_up;
  std::optional<bool> y_inward;
  FitOptions fit;
};

// The profile in a file. Errors say where in the file and what would help.
Profile read_profile(const std::filesystem::path& path, const ReadOptions& options = {});

// The same with the points used and what was noticed on the way.
FittedProfile read_profile_with_notes(const std::filesystem::path& path,
                                      const ReadOptions& options = {});

// The same from a text; `file` is its name, for messages and for the name of the profile.
FittedProfile read_profile_text(std::string_view text, const std::string& file,
                                ProfileFormat format, const ReadOptions& options = {});

// The format of a file by its extension, for unknown ones by its first lines.
ProfileFormat format_of(const std::filesystem::path& path, std::string_view text = {});

// The file of a profile. Pieces hold the spline itself; tables and SIMPACK files hold its values at
// the knots in m, which give the same spline again if it was made from points.
std::string profile_text(const Profile& profile, ProfileFormat format);
void write_profile(const Profile& profile, const std::filesystem::path& path);

}  // namespace klingel::profile
