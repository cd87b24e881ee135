// Profiles as cubic pieces in m: lines begin,end,a,b,c,d with
// z(y) = ((a x + b) x + c) x + d, x = y - begin, in the coordinates of profile.hpp.
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "profile/profile_formats.hpp"

namespace klingel::profile {
namespace {

// Values that differ by more are two curves, not one, m.
constexpr double largest_gap = 1e-6;

bool is_title(const std::vector<Word>& words) {
  static constexpr std::array titles = {"begin", "end", "a", "b", "c", "d"};
  if (words.size() != titles.size()) return false;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (words[i].text != titles[i]) return false;
  }
  return true;
}

}  // namespace

FittedProfile read_pieces(std::string_view text, const std::string& file,
                          const ReadOptions& options) {
  const std::array<std::string, 3> keys = {"name", "kind", "flange_back"};
  Profile profile;
  profile.name = name_of(file);
  std::optional<ProfileKind> kind;
  std::vector<double> knots;
  std::vector<spline::CubicPiece> pieces;

  int line_number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++line_number;
    if (trimmed(line).empty()) continue;
    if (trimmed(line).front() == '#') {
      HeaderLine found;
      if (!read_header_line(line, line_number, file, keys, found)) continue;
      if (found.key == "name") profile.name = base::printable(found.value.text);
      if (found.key == "kind") kind = read_kind(found.value, file);
      if (found.key == "flange_back") {
        profile.flange_back = number(found.value, file, "flange_back");
      }
      continue;
    }
    const std::vector<Word> words = words_of(line, line_number, ",;");
    if (pieces.empty() && is_title(words)) continue;
    if (words.size() != 6) {
      base::fail_at({file, line_number, 0},
                    "expected the six numbers begin,end,a,b,c,d of a piece, found {}",
                    words.size());
    }
    const double begin = number(words[0], file, "begin"), end = number(words[1], file, "end");
    const spline::CubicPiece piece = {number(words[2], file, "a"), number(words[3], file, "b"),
                                      number(words[4], file, "c"), number(words[5], file, "d"),
                                      begin};
    if (!(begin < end)) {
      base::fail_at(place(file, words[1]), "a piece must end after its beginning {}, found {}",
                    begin, end);
    }
    if (!pieces.empty() && begin != knots.back()) {
      base::fail_at(place(file, words[0]),
                    "a piece must begin where the one before ends, at {}, found {}", knots.back(),
                    begin);
    }
    if (knots.empty()) knots.push_back(begin);
    if (!pieces.empty()) {
      const double gap = piece.value(begin) - pieces.back().value(begin);
      if (!(std::abs(gap) <= largest_gap)) {
        base::fail_at(place(file, words[5]), "z jumps by {:.3g} m from the piece before", gap);
      }
    }
    knots.push_back(end);
    pieces.push_back(piece);
  }
  if (pieces.empty()) base::fail_at({file}, "no pieces found: expected lines begin,end,a,b,c,d");

  profile.kind = agreed_kind(kind, options, file);
  profile.z = spline::CubicSpline(std::move(knots), std::move(pieces));
  // the same checks of units and orientation as for points, on points of the curve
  std::vector<ProfilePoint> points;
  constexpr int per_piece = 4;
  for (std::size_t i = 0; i < profile.z.pieces().size(); ++i) {
    const double begin = profile.z.knots()[i], end = profile.z.knots()[i + 1];
    for (int k = 0; k < per_piece; ++k) {
      const double y = begin + (end - begin) * k / per_piece;
      points.push_back({y, profile.z.pieces()[i].value(y), 1, 0});
    }
  }
  points.push_back({profile.z.end(), profile.z.value(profile.z.end()), 1, 0});
  check_shape({profile.name, file, profile.kind, points, profile.flange_back});

  std::vector<std::string> notes;
  if (const double jump = profile.z.largest_jump(1); jump > 1e-6) {
    notes.push_back(fmt::format("the slope jumps by up to {:.3g} between pieces", jump));
  }
  return {std::move(profile), {}, std::move(notes)};
}

}  // namespace klingel::profile
