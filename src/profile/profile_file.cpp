#include "profile/profile_file.hpp"

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"
#include "profile/profile_formats.hpp"

namespace klingel::profile {
namespace {

// The values of the spline at its knots, one line each.
std::string points_text(const spline::CubicSpline& z, const char* between) {
  std::string text;
  for (const double y : z.knots()) {
    text += base::shortest(y) + between + base::shortest(z.value(y)) + "\n";
  }
  return text;
}

std::string header(const Profile& p) {
  std::string text = fmt::format("# name = {}\n# kind = {}\n", p.name, profile::text(p.kind));
  if (p.kind == ProfileKind::wheel) {
    text += fmt::format("# flange_back = {}\n", base::shortest(p.flange_back));
  }
  return text;
}

std::string table_text(const Profile& p) {
  return header(p) + "# unit = m\n# y = outward\n# z = down\ny,z\n" + points_text(p.z, ",");
}

std::string simpack_text(const Profile& p) {
  return fmt::format(
      "! {}\n  header.begin\n    version = 1\n    type    = {}   ! 0 rail, 1 wheel\n"
      "  header.end\n  spline.begin\n    units.len.f = 1\n    units.ang.f = 1\n    point.begin\n{}"
      "    point.end\n  spline.end\n",
      p.name, p.kind == ProfileKind::wheel ? 1 : 0, points_text(p.z, " "));
}

// Pieces count from their beginning; splines made elsewhere may have another break point.
std::string pieces_text(const Profile& p) {
  std::string text = header(p) + "begin,end,a,b,c,d\n";
  for (std::size_t i = 0; i < p.z.pieces().size(); ++i) {
    const spline::CubicPiece& piece = p.z.pieces()[i];
    const double begin = p.z.knots()[i];
    const double abcd[] = {piece.a, piece.second_derivative(begin) / 2, piece.derivative(begin),
                           piece.value(begin)};
    text += base::shortest(begin) + "," + base::shortest(p.z.knots()[i + 1]);
    for (const double c : abcd) text += "," + base::shortest(c);
    text += "\n";
  }
  return text;
}

}  // namespace

bool read_header_line(std::string_view line, int number, const std::string& file,
                      std::span<const std::string> keys, HeaderLine& result) {
  // '# key = value' with one word as key; anything else is prose
  const std::size_t equals = line.find('=');
  if (!line.starts_with('#') || equals == std::string_view::npos) return false;
  const std::string_view key = trimmed(line.substr(1, equals - 1));
  if (key.empty() || key.find_first_of(" \t") != std::string_view::npos) return false;
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
    const std::string suggestion = base::did_you_mean(key, keys);
    if (suggestion.empty()) return false;
    const int column = static_cast<int>(key.data() - line.data()) + 1;
    base::fail_at({file, number, column}, "unknown key '{}' in the header{}", key, suggestion);
  }
  const std::string_view value = trimmed(line.substr(equals + 1));
  if (value.empty()) {
    base::fail_at({file, number, static_cast<int>(equals) + 2}, "'{}' in the header has no value",
                  key);
  }
  result = {key, {value, number, static_cast<int>(value.data() - line.data()) + 1}};
  return true;
}

ProfileKind read_kind(const Word& word, const std::string& file) {
  if (word.text == "wheel") return ProfileKind::wheel;
  if (word.text == "rail") return ProfileKind::rail;
  base::fail_at(place(file, word), "kind must be 'wheel' or 'rail', found '{}'", word.text);
}

ProfileKind agreed_kind(std::optional<ProfileKind> found, const ReadOptions& options,
                        const std::string& file) {
  if (found && options.kind && *found != *options.kind) {
    base::fail_at({file}, "this is the profile of a {}, expected a {}", text(*found),
                  text(*options.kind));
  }
  if (found) return *found;
  if (options.kind) return *options.kind;
  base::fail_at({file},
                "the file does not say whether it is a wheel or a rail: add '# kind = wheel' or "
                "'# kind = rail' at its top, or use --kind");
}

std::string name_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

ProfileFormat format_of(const std::filesystem::path& path, std::string_view text) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".prw" || extension == ".prr") return ProfileFormat::simpack;
  if (extension == ".pieces") return ProfileFormat::pieces;
  if (extension == ".whl" || extension == ".ban") return ProfileFormat::miniprof;
  if (text.find("ColumnDef=") != std::string_view::npos) return ProfileFormat::miniprof;
  if (text.find("point.begin") != std::string_view::npos) return ProfileFormat::simpack;
  return ProfileFormat::table;
}

FittedProfile read_profile_text(std::string_view text, const std::string& file,
                                ProfileFormat format, const ReadOptions& options) {
  if (format == ProfileFormat::pieces) return read_pieces(text, file, options);
  PointsFile read = format == ProfileFormat::simpack    ? read_simpack(text, file, options)
                    : format == ProfileFormat::miniprof ? read_miniprof(text, file, options)
                                                        : read_table(text, file, options);
  FitOptions fit = options.fit;
  // the caller's value replaces the file's
  if (fit.smooth == 0) fit.smooth = read.smooth;
  FittedProfile fitted = fit_profile(read.points, fit);
  fitted.notes.insert(fitted.notes.begin(), read.notes.begin(), read.notes.end());
  return fitted;
}

FittedProfile read_profile_with_notes(const std::filesystem::path& path,
                                      const ReadOptions& options) {
  const std::string text = base::read_file(path);
  return read_profile_text(text, path.string(), format_of(path, text), options);
}

Profile read_profile(const std::filesystem::path& path, const ReadOptions& options) {
  return read_profile_with_notes(path, options).profile;
}

std::string profile_text(const Profile& profile, ProfileFormat format) {
  if (format == ProfileFormat::pieces) return pieces_text(profile);
  return format == ProfileFormat::simpack ? simpack_text(profile) : table_text(profile);
}

void write_profile(const Profile& profile, const std::filesystem::path& path) {
  if (format_of(path) == ProfileFormat::miniprof)
    base::fail("'{}': MiniProf files are only read; write a profile as .csv, .prw, .prr or .pieces",
               path.string());
  base::write_file(path, profile_text(profile, format_of(path)));
}

}  // namespace klingel::profile
