#include "vehicle/track_file.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "base/lookup.hpp"
#include "profile/gauge.hpp"
#include "profile/named_profile.hpp"
#include "vehicle/columns.hpp"
#include "vehicle/document.hpp"
#include "vehicle/replaced_values.hpp"
#include "vehicle/track_irregularity.hpp"
#include "vehicle/track_keys.hpp"

namespace klingel::vehicle {
namespace {

namespace fs = std::filesystem;
using track::Ramp;
using track::RampShape;
using track::SectionKind;

// One number, or a list of two: at the begin and at the end of a section.
std::optional<Ramp> ramp(Table& table, std::string_view key) {
  const Value* value = table.find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != Value::Kind::list) {
    const double constant = table.number(key);
    return Ramp{constant, constant};
  }
  const std::vector<double> ends = table.numbers(key);
  if (ends.size() != 2) {
    table.fail(key, fmt::format("'{}' must be a number or [begin, end], found a list of {}", key,
                                ends.size()));
  }
  return Ramp{ends[0], ends[1]};
}

// The cant angle from one of its two keys; `sign` turns "outer rail high" into "left rail high".
std::optional<Ramp> cant(Table& table, double base, double sign) {
  const std::optional<Ramp> angle = ramp(table, "cant_angle"), height = ramp(table, "cant_height");
  if (angle && height)
    table.fail("cant_height", "cant is given twice, as an angle and as a height");
  if (!angle && !height) return std::nullopt;
  const auto from_height = [&](double h) {
    if (!(std::abs(h) < base)) {
      table.fail("cant_height",
                 fmt::format("a cant of {} m does not fit on a base of {} m", h, base));
    }
    return std::asin(h / base);
  };
  if (angle) return Ramp{sign * angle->begin, sign * angle->end};
  return Ramp{sign * from_height(height->begin), sign * from_height(height->end)};
}

double radius_of(Table& table) {
  const double radius = table.number("radius");
  if (radius == 0)
    table.fail("radius", "a radius of 0 is not allowed; a straight has no key 'radius'");
  return radius;
}

track::Section read_section(Table& table, double cant_base) {
  const std::vector<std::string> kinds = {"straight", "arc", "transition", "double_transition"};
  const std::string kind = table.text("kind");
  table.word("kind", kinds, "");
  table.call("section " + kind);
  track::Section section;
  section.place = table.place();
  section.length = table.positive("length");
  if (kind == "arc") {
    section.kind = SectionKind::arc;
    section.radius = radius_of(table);
  } else if (kind == "transition") {
    const std::vector<std::string> shapes = {"clothoid", "bloss"};
    section.kind = SectionKind::transition;
    section.shape =
        table.word("shape", shapes, "clothoid") == "bloss" ? RampShape::smooth : RampShape::linear;
  } else if (kind == "double_transition") {
    const std::vector<std::string> cants = {"none", "smooth_double"};
    section.kind = SectionKind::double_transition;
    section.offset = table.number("offset");
    const bool has_cant = table.word("cant", cants, "none") == "smooth_double";
    if (table.has("largest_cant_angle") && !has_cant) {
      table.fail("largest_cant_angle", "'largest_cant_angle' needs cant = \"smooth_double\"");
    }
    if (has_cant) section.largest_cant = table.number("largest_cant_angle");
  }
  if (kind == "arc" || kind == "straight") {
    section.cant = cant(table, cant_base, section.radius > 0 ? -1 : 1);
    section.gradient = ramp(table, "gradient");
    section.widening = ramp(table, "gauge_widening");
  }
  finish(table, "section " + kind);
  return section;
}

// The distance of the rails' origins: given, or from gauge and profile.
void read_rails(Table& root, const fs::path& folder, bool has_points,
                track::TrackDescription& track) {
  const std::string both = root.text("rail_profile", "");
  track.left_profile = profile::located(root.text("left_rail_profile", both), folder);
  track.right_profile = profile::located(root.text("right_rail_profile", both), folder);
  const double gauge = root.positive("gauge", profile::standard_gauge);
  const double depth = root.positive("gauge_depth", profile::gauge_depth);
  if (root.has("rail_distance")) {
    track.rail_distance = root.positive("rail_distance");
    if (root.has("gauge")) {
      root.fail("gauge", "give 'rail_distance' or 'gauge', not both: one follows from the other");
    }
    return;
  }
  // points of both rails say themselves how far these are apart
  if (has_points && track.left_profile.empty()) return;
  if (track.left_profile.empty() || track.right_profile.empty())
    root.text("rail_profile");  // required
  track.gauge = gauge;
  // half of it by each rail: the points where the gauge is measured are that far apart
  track.rail_distance = 0;
  for (const std::string* name : {&track.left_profile, &track.right_profile}) {
    const profile::Profile rail = profile::profile(*name, profile::ProfileKind::rail, folder);
    try {
      track.rail_distance += profile::rail_distance(gauge, rail, depth) / 2;
    } catch (const base::Error& e) {
      const char* key = name == &track.left_profile ? "left_rail_profile" : "right_rail_profile";
      root.fail(root.has("gauge_depth") ? "gauge_depth"
                : root.has(key)         ? key
                                        : "rail_profile",
                e.what());
    }
  }
}

track::AlignmentStart read_start(Table& root) {
  track::AlignmentStart start;
  std::optional<Table> table = root.table("start");
  if (!table) return start;
  start.s = table->number("s", 0);
  start.x = table->number("x", start.s);
  start.y = table->number("y", 0);
  start.z = table->number("z", 0);
  start.heading = table->number("heading", 0);
  finish(*table, "start");
  return start;
}

track::Foundation read_foundation(Table& root) {
  track::Foundation f;
  std::optional<Table> table = root.table("foundation");
  if (!table) return f;
  const auto not_negative = [&](const char* key) {
    const double value = table->number(key);
    if (!(value >= 0))
      table->fail(key, fmt::format("'{}' must not be negative, found {}", key, value));
    return value;
  };
  f.mass = table->positive("mass");
  f.lateral_stiffness = table->positive("lateral_stiffness");
  f.lateral_damping = not_negative("lateral_damping");
  f.vertical_stiffness = table->positive("vertical_stiffness");
  f.vertical_damping = not_negative("vertical_damping");
  finish(*table, "foundation");
  return f;
}

// Profiles along the track.
void read_profile_places(const std::vector<Table>& tables, const fs::path& folder,
                         track::TrackDescription& track) {
  for (Table table : tables) {
    track::RailProfilePlace place;
    place.s = table.number("s");
    const std::string both = table.text("profile", "");
    place.left = profile::located(table.text("left", both), folder);
    place.right = profile::located(table.text("right", both), folder);
    if (place.left.empty() || place.right.empty())
      table.fail("", "'profile' is missing (or left and right)");
    if (!track.profile_places.empty() && !(place.s > track.profile_places.back().s))
      table.fail("s", fmt::format("places of rail profiles must ascend, found {} m after {} m",
                                  place.s, track.profile_places.back().s));
    finish(table, "rail_section");
    track.profile_places.push_back(std::move(place));
  }
  if (track.profile_places.size() == 1)
    Table(tables[0]).fail("",
                          "one place of rail profiles is 'rail_profile' of the track; give two "
                          "or more [[rail_section]]");
}

track::RailPoints read_points(Table& table, const fs::path& folder, double rail_distance) {
  const Columns columns = Columns::load(folder / table.text("file"));
  finish(table, "points");
  const std::vector<double> s = columns.ascending("s", Quantity::length);
  const auto line = [&](const std::string& rail) {
    const auto x = columns.column(rail + "x", Quantity::length),
               y = columns.column(rail + "y", Quantity::length),
               z = columns.column(rail + "z", Quantity::length),
               cant = columns.column(rail + "cant", Quantity::angle);
    std::vector<track::RailPoint> points;
    for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i], z[i], cant[i]});
    return points;
  };
  if (columns.has("left_x")) return {s, line("left_"), line("right_")};
  if (!(rail_distance > 0)) {
    table.fail("", "a centre line needs 'rail_distance', or 'gauge' and 'rail_profile'");
  }
  return track::rails_along(s, line(""), rail_distance);
}

track::TrackDescription read(const Document& document) {
  Table root = document.root();
  if (root.integer("format", 1) != 1) {
    root.fail("format", "this program reads track files of format 1");
  }
  track::TrackDescription track;
  track.name = root.text("name", fs::path(document.file()).stem().string());
  root.text("about", "");
  track.step = root.positive("step", 0.25);
  const double cant_base = root.positive("cant_base", 1.5);
  const std::vector<Table> sections = root.tables("section");
  std::optional<Table> points = root.table("points");
  if (!sections.empty() && points) {
    points->fail("", "a track is given by sections or by points, not by both");
  }
  if (sections.empty() && !points)
    root.fail("", "a track needs at least one [[section]], or [points]");
  track.start = read_start(root);
  track.foundation = read_foundation(root);
  const std::vector<Table> irregularities = root.tables("irregularity");
  read_rails(root, document.folder(), points.has_value(), track);
  const std::vector<Table> profiles = root.tables("rail_section");
  finish(root, "track file");

  read_profile_places(profiles, document.folder(), track);
  for (Table section : sections) track.sections.push_back(read_section(section, cant_base));
  if (points) track.points = read_points(*points, document.folder(), track.rail_distance);
  for (Table irregularity : irregularities) {
    track.irregularities.push_back(read_irregularity(irregularity, document.folder()));
  }
  return track;
}

}  // namespace

track::TrackDescription read_track(const fs::path& path) { return read(Document::load(path)); }

track::TrackDescription read_track(const fs::path& path, std::span<const Setting> settings) {
  return read(replaced(Document::load(path), settings));
}

track::TrackDescription parse_track(std::string_view text, const std::string& file) {
  return read(Document::parse(text, file));
}

fs::path find_track(std::string_view name, const fs::path& folder) {
  return base::find_file(base::tracks, name, folder);
}

track::Track load_track(std::string_view name, const fs::path& folder) {
  return track::build_track(read_track(find_track(name, folder)));
}

}  // namespace klingel::vehicle
