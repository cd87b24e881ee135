// The readers of the formats of profile_file.hpp, for profile_file.cpp; one source each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/profile_file.hpp"
#include "profile/profile_text.hpp"

namespace klingel::profile {

// What a reader of points finds: points in our coordinates, the smoothing given in the file (m,
// root mean square), and remarks.
struct PointsFile {
  ProfilePoints points;
  double smooth = 0;
  std::vector<std::string> notes;
};

PointsFile read_table(std::string_view text, const std::string& file, const ReadOptions& options);
PointsFile read_simpack(std::string_view text, const std::string& file, const ReadOptions& options);
PointsFile read_miniprof(std::string_view text, const std::string& file,
                         const ReadOptions& options);
FittedProfile read_pieces(std::string_view text, const std::string& file,
                          const ReadOptions& options);

// Headers of tables and pieces: lines '# key = value'. Other lines that begin with '#' are
// comments; a comment that looks like a misspelt key is an Error.
struct HeaderLine {
  std::string_view key;
  Word value;
};
bool read_header_line(std::string_view line, int number, const std::string& file,
                      std::span<const std::string> keys, HeaderLine& result);

// "wheel" or "rail"; Error at the word otherwise.
ProfileKind read_kind(const Word& word, const std::string& file);

// The kind to use: the file's, which must agree with the wanted one, or the wanted one.
ProfileKind agreed_kind(std::optional<ProfileKind> found, const ReadOptions& options,
                        const std::string& file);

// The name of a profile: that of its file.
std::string name_of(const std::string& file);

}  // namespace klingel::profile
