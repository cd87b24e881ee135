#include "vehicle/track_keys.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace klingel::vehicle {
namespace {

constexpr TrackKey track_file_keys[] = {
    {"format", "-", "1", "version of this format"},
    {"name", "-", "name of the file", "what the track is called in reports"},
    {"about", "-", "nothing", "description, one or two sentences"},
    {"rail_distance", "m", "from `gauge` and `rail_profile`",
     "distance of the origins (y = 0) of the two rail profiles"},
    {"gauge", "m", "1.435",
     "track gauge, measured `gauge_depth` below the top of the rails; not together with "
     "`rail_distance`"},
    {"gauge_depth", "m", "0.014", "where the gauge is measured"},
    {"rail_profile", "-", "required without `rail_distance`",
     "name or file of the profile of both rails"},
    {"left_rail_profile", "-", "`rail_profile`", "of the left rail"},
    {"right_rail_profile", "-", "`rail_profile`", "of the right rail"},
    {"cant_base", "m", "1.5",
     "the base over which cant heights are measured: angle = asin(h / base)"},
    {"step", "m", "0.25", "maximum distance between the points of the splines"},
    {"start", "table", "s = 0 at the origin", "where the track begins"},
    {"section", "tables", "required without `points`", "the track piece by piece"},
    {"points", "table", "none", "the track point by point instead of sections"},
    {"irregularity", "tables", "none", "deviations of the track from its design"},
    {"rail_section", "tables", "none", "rail profiles that change along the track, two or more"},
    {"foundation", "table", "none: rails do not move", "track that gives way under wheelsets"}};

constexpr TrackKey start_keys[] = {
    {"s", "m", "0", "abscissa of the first section's begin"},
    {"x", "m", "the value of `s`", "position forward"},
    {"y", "m", "0", "position to the left"},
    {"z", "m", "0", "height"},
    {"heading", "rad", "0", "direction in plan, counted from x to y"}};

constexpr TrackKey straight_keys[] = {
    {"kind", "-", "required", "\"straight\""},
    {"length", "m", "required", "length"},
    {"cant_angle", "rad", "0", "positive raises the left rail; one number or [begin, end]"},
    {"cant_height", "m", "0", "the same as a height over `cant_base`"},
    {"gradient", "-", "0", "dz/ds, positive uphill; one number or [begin, end]"},
    {"gauge_widening", "m", "0",
     "what the rails are further apart, half each; one number or [begin, end]"}};

constexpr TrackKey arc_keys[] = {
    {"kind", "-", "required", "\"arc\""},
    {"length", "m", "required", "length along the centre line"},
    {"radius", "m", "required", "of the centre line, positive to the left, negative to the right"},
    {"cant_angle", "rad", "0", "positive raises the outer rail; one number or [begin, end]"},
    {"cant_height", "m", "0", "the same as a height over `cant_base`"},
    {"gradient", "-", "0", "dz/ds, positive uphill; one number or [begin, end]"},
    {"gauge_widening", "m", "0",
     "what the rails are further apart, half each; one number or [begin, end]"}};

constexpr TrackKey transition_keys[] = {{"kind", "-", "required", "\"transition\""},
                                        {"length", "m", "required", "length along the centre line"},
                                        {"shape", "-", "\"clothoid\"",
                                         "\"clothoid\": curvature and cant proportional to the "
                                         "length; \"bloss\": 3 t^2 - 2 t^3, without kinks"}};

constexpr TrackKey double_keys[] = {
    {"kind", "-", "required", "\"double_transition\""},
    {"length", "m", "required", "length in the direction of its begin, also of its abscissa"},
    {"offset", "m", "required", "lateral offset of the straight after it, positive to the left"},
    {"cant", "-", "\"none\"",
     "\"none\", or \"smooth_double\": the outer rail is high in both halves"},
    {"largest_cant_angle", "rad", "required with cant", "the largest angle of \"smooth_double\""}};

constexpr TrackKey points_keys[] = {
    {"file", "-", "required", "CSV file, relative to the track file"}};

constexpr const char* frame_meaning =
    "\"track\": lateral in the plane of the rails, vertical normal to it; \"ground\": level and "
    "plumb";

constexpr TrackKey harmonic_keys[] = {
    {"kind", "-", "required", "\"harmonic\""},
    {"channel", "-", "required", "what it moves, see Irregularities"},
    {"amplitude", "m", "required", "amplitude sin(2 pi s / wavelength + phase)"},
    {"wavelength", "m", "required", "length of a wave"},
    {"phase", "rad", "0", "phase at s = 0"},
    {"frame", "-", "\"track\"", frame_meaning},
    {"from", "m", "begin of the track", "abscissa where it begins"},
    {"to", "m", "end of the track", "abscissa where it ends"},
    {"fade", "m", "0", "it grows and shrinks smoothly over this length at `from` and `to`"}};

constexpr TrackKey measured_keys[] = {
    {"kind", "-", "required", "\"measured\""},
    {"channel", "-", "required", "what it moves, see Irregularities"},
    {"file", "-", "required", "CSV file, relative to the track file"},
    {"column", "-", "the channel", "name of the column, without its unit"},
    {"unit", "-", "that in the header", "of the column: mm, cm, m or km"},
    {"s_column", "-", "\"s\"", "name of the column of distances, without its unit"},
    {"s_unit", "-", "that in the header", "of that column"},
    {"scale", "-", "1", "factor on the values; -1 turns their sign"},
    {"offset", "m", "0", "added to the values after that"},
    {"shift", "m", "0", "added to the distances"},
    {"resample", "m", "as measured",
     "new distance of the points; waves that are too short for it are taken out"},
    {"frame", "-", "\"track\"", frame_meaning},
    {"from", "m", "begin of the track", "abscissa where it begins"},
    {"to", "m", "end of the track", "abscissa where it ends"},
    {"fade", "m", "0", "it grows and shrinks smoothly over this length at `from` and `to`"}};

constexpr TrackKey random_keys[] = {
    {"kind", "-", "required", "\"random\""},
    {"channel", "-", "required", "\"vertical\", \"lateral\" or \"cross_level\""},
    {"spectrum", "-", "required", "\"erri_low\" or \"erri_high\""},
    {"seed", "-", "1", "a whole number; the same seed gives the same track"},
    {"shortest", "m", "3", "shortest wavelength"},
    {"longest", "m", "150", "longest wavelength"},
    {"waves", "-", "1000", "number of cosines the signal is made of"},
    {"scale", "-", "1", "factor on the values"},
    {"frame", "-", "\"track\"", frame_meaning},
    {"from", "m", "begin of the track", "abscissa where it begins"},
    {"to", "m", "end of the track", "abscissa where it ends"},
    {"fade", "m", "0", "it grows and shrinks smoothly over this length at `from` and `to`"}};

constexpr TrackKey rail_section_keys[] = {
    {"s", "m", "required", "where the rails have these profiles; ascending, linear between"},
    {"profile", "-", "required without `left` and `right`", "name or file, for both rails"},
    {"left", "-", "`profile`", "of the left rail"},
    {"right", "-", "`profile`", "of the right rail"}};

constexpr TrackKey foundation_keys[] = {
    {"mass", "kg", "required", "of the piece of track that moves with a wheelset, both rails"},
    {"lateral_stiffness", "N/m", "required", "of that piece to the ground"},
    {"lateral_damping", "N s/m", "required", "beside it"},
    {"vertical_stiffness", "N/m", "required", "of both rails together, half under each"},
    {"vertical_damping", "N s/m", "required", "beside it"}};

constexpr TrackTable tables[] = {
    {"track file", "The file itself.", track_file_keys},
    {"start", "`[start]`: where the track begins.", start_keys},
    {"section straight", "`[[section]]` with `kind = \"straight\"`.", straight_keys},
    {"section arc", "`[[section]]` with `kind = \"arc\"`: a constant curvature.", arc_keys},
    {"section transition",
     "`[[section]]` with `kind = \"transition\"`: curvature, cant, gradient and widening go from "
     "those of the section before to those of the section after.",
     transition_keys},
    {"section double_transition",
     "`[[section]]` with `kind = \"double_transition\"`: from one straight to a parallel one, "
     "y = offset (10 t^3 - 15 t^4 + 6 t^5).",
     double_keys},
    {"points", "`[points]`: the track by points instead of sections.", points_keys},
    {"irregularity harmonic", "`[[irregularity]]` with `kind = \"harmonic\"`.", harmonic_keys},
    {"irregularity measured", "`[[irregularity]]` with `kind = \"measured\"`.", measured_keys},
    {"irregularity random", "`[[irregularity]]` with `kind = \"random\"`.", random_keys},
    {"rail_section",
     "`[[rail_section]]`: profiles of the rails at a place, instead of those of the whole track.",
     rail_section_keys},
    {"foundation", "`[foundation]`: track that gives way under each wheelset.", foundation_keys},
};

const TrackTable& find(std::string_view name) {
  for (const TrackTable& t : tables) {
    if (t.name == name) return t;
  }
  KLINGEL_ASSERT(false);
  return tables[0];
}

}  // namespace

std::span<const TrackTable> track_tables() { return tables; }

void finish(const Table& table, std::string_view name) {
  const auto keys = find(name).keys;
  for (const TrackKey& key : keys) {
    KLINGEL_ASSERT(std::count(table.asked().begin(), table.asked().end(), key.name) == 1);
  }
  KLINGEL_ASSERT_EQ(table.asked().size(), keys.size());
  table.refuse_unknown();
}

std::string track_reference() {
  std::string text;
  for (const TrackTable& t : tables) {
    if (!text.empty()) text += "\n";
    text += fmt::format("### {}\n\n{}\n\n| key | unit | default | meaning |\n|---|---|---|---|\n",
                        t.name, t.about);
    for (const TrackKey& k : t.keys) {
      text += fmt::format("| `{}` | {} | {} | {} |\n", k.name, k.unit, k.fallback, k.meaning);
    }
  }
  return text;
}

}  // namespace klingel::vehicle
