// Broken track files and CSV tables: the answer is an Error or a track whose splines, frames and
// rails are finite everywhere, never a crash.
//
// The input edits a correct text: each edit takes a position and a token (a number at the edge of
// what can be written, a key, a bracket) or a raw byte, and inserts it, puts it in the place of a
// word or a number, or deletes a line.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "spline/spline_fit.hpp"
#include "vehicle/columns.hpp"
#include "vehicle/track_file.hpp"

namespace klingel {
namespace {

constexpr std::array<std::string_view, 3> files{
    "rail_distance = 1.07\nstep = 0.5\n[start]\ns = -5\nheading = 0.3\n"
    "[[section]]\nkind = 'straight'\nlength = 10\ngradient = 0.01\n"
    "[[section]]\nkind = 'double_transition'\nlength = 27\noffset = 5\ncant = 'smooth_double'\n"
    "largest_cant_angle = 0.1\n"
    "[[irregularity]]\nkind = 'harmonic'\nchannel = 'left_vertical'\namplitude = 0.01\n"
    "wavelength = 10\nphase = 1.5\nfrom = 0\nto = 30\nfade = 5\n",
    "rail_distance = 1.5\ncant_base = 1.5\nstep = 1\n"
    "[[section]]\nkind = 'straight'\nlength = 10\ncant_angle = [0.0, 0.01]\n"
    "[[section]]\nkind = 'transition'\nlength = 20\nshape = 'bloss'\n"
    "[[section]]\nkind = 'arc'\nlength = 30\nradius = -150\ncant_height = 0.06\n"
    "gauge_widening = [0.0, 0.01]\n"
    "[[section]]\nkind = 'transition'\nlength = 20\n",
    "name = 'r'\nrail_distance = 1.5\nstep = 1\n[[section]]\nkind = 'straight'\nlength = 50\n"
    "[[irregularity]]\nkind = 'random'\nchannel = 'cross_level'\nspectrum = 'erri_high'\nseed = 3\n"
    "shortest = 3\nlongest = 70\nwaves = 20\nscale = 2\nfrom = 10\nfade = 5\n"};

constexpr std::string_view table =
    "# rails\ns_m,x_m,y_m,z_m,cant_mrad\n0,0,0,0,0\n1,1,0.1,0,1\n2.5,2.5,0.2,0.01,2\n4,4,0.2,0,1\n"
    "5,5,0.1,0,0\n";

constexpr std::array<std::string_view, 46> tokens{
    "0", "-0.0", "1", "-1", "1e308", "-1e308", "5e-324", "1e-9", "1e9", "1e17",
    "9223372036854775807", "0.0001", "1000000", "3.7", "-20", "0.3", "1e4", "-0.2", "nan", "inf",
    "-inf", "1e-3",
    // not numbers
    "[", "]", "{", "}", "'", "\"", "\n", "=", ",", "#", "true", "[1, 2]", "[1]", "'arc'", "'gauge'",
    "'measured'", "'file'", "[[section]]", "[points]", "[start]", "length", "radius", "1979-05-27",
    ";"};

constexpr std::size_t numbers = 22;  // tokens that begin the list

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  std::size_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-'; }

std::string edited(std::string_view start, Bytes& bytes) {
  std::string text(start);
  // many edits would leave nothing of the text that gets past the first check
  const std::size_t edits = 1 + bytes.next() % 5;
  for (std::size_t i = 0; i < edits && !bytes.empty() && !text.empty(); ++i) {
    std::size_t at = (bytes.next() * 256 + bytes.next()) % text.size();
    const std::size_t what = bytes.next(), how = bytes.next() % 8;
    const std::string token = what < 200 ? std::string(tokens[what % tokens.size()])
                                         : std::string(1, static_cast<char>(bytes.next()));
    if (how == 0) {
      text.insert(at, token);
    } else if (how == 1) {
      const std::size_t begin = text.rfind('\n', at) + 1;
      text.erase(begin, text.find('\n', begin) - begin);
    } else {
      // values are what makes geometry go wrong: most edits put another number for one
      const bool number = how > 2;
      while (at < text.size() && (number ? !is_digit(text[at]) : !is_word(text[at]))) ++at;
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      while (at > 0 && is_word(text[at - 1])) --at;
      text.replace(at, end - at, number ? tokens[what % numbers] : token);
    }
  }
  return text;
}

// A valid description may ask for hours of work; this one asks for milliseconds.
bool is_small(const track::TrackDescription& d) {
  double knots = d.points ? static_cast<double>(d.points->s.size()) : 0;
  for (const track::Section& s : d.sections) knots += 4 + s.length / d.step;
  double waves = 1;
  for (const track::Irregularity& i : d.irregularities) {
    if (const auto* r = std::get_if<track::RandomWaves>(&i.signal)) {
      waves += static_cast<double>(r->waves.size());
    }
  }
  return knots < 5000 && knots * waves < 1e5;
}

void check(const track::Track& track) {
  const double length = track.end() - track.begin();
  KLINGEL_ASSERT(std::isfinite(length) && length > 0);
  for (int i = -1; i <= 21; ++i) {
    const double s = track.begin() + length * i / 20;
    const track::TrackFrame f = track.frame(s);
    KLINGEL_ASSERT(std::isfinite(f.origin.x + f.origin.y + f.origin.z + f.heading + f.curvature +
                                 f.cant + f.gradient + f.rail_distance));
    const track::RailDeviation d = track.deviation(s);
    KLINGEL_ASSERT(
        std::isfinite(d.left_vertical + d.left_lateral + d.right_vertical + d.right_lateral));
    if (!track.left.x.contains(s)) continue;
    KLINGEL_ASSERT(std::abs(norm(f.axes.x) - 1) < 1e-9 && std::abs(dot(f.axes.x, f.axes.y)) < 1e-9);
    for (const track::RailLine* rail : {&track.left, &track.right}) {
      const track::RailSection r = section(*rail, s);
      KLINGEL_ASSERT(std::isfinite(r.origin.x + r.origin.y + r.origin.z));
    }
  }
}

void run(Bytes bytes) {
  const std::size_t kind = bytes.next() % (files.size() + 1);
  try {
    track::TrackDescription d;
    if (kind < files.size()) {
      d = vehicle::parse_track(edited(files[kind], bytes), "track.toml");
    } else {
      using vehicle::Quantity;
      const auto c = vehicle::Columns::parse(edited(table, bytes), "track.csv");
      const auto x = c.column("x", Quantity::length), y = c.column("y", Quantity::length),
                 z = c.column("z", Quantity::length), cant = c.column("cant", Quantity::angle);
      std::vector<track::RailPoint> points;
      for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i], z[i], cant[i]});
      d.points = track::rails_along(c.ascending("s", Quantity::length), points, 1.5);
    }
    if (is_small(d)) check(track::build_track(d));
  } catch (const base::Error&) {
  }
}

}  // namespace
}  // namespace klingel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  klingel::run(klingel::Bytes(data, size));
  return 0;
}
