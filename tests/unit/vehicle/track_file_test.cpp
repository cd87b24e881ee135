// Track files: what is shipped can be read and is what its name says; each key does what the
// document says; what is wrong is refused with its place.
#include "vehicle/track_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <numbers>

#include "base/data.hpp"
#include "base/file.hpp"
#include "tests/support/error_of.hpp"
#include "vehicle/track_keys.hpp"

namespace klingel::vehicle {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using track::Track;
using track::TrackDescription;

using test::error_of;

TrackDescription parse(const std::string& text) { return parse_track(text, "t.toml"); }
Track build(const std::string& text) { return track::build_track(parse(text)); }
std::string refusal(const std::string& text) {
  return error_of([&] { build(text); });
}

const std::string rails = "rail_distance = 1.5\n";
const std::string straight = "[[section]]\nkind = 'straight'\nlength = 100\n";

// Files beside a track file, in a folder that vanishes with the test.
class Folder {
 public:
  Folder() : path_(fs::path(testing::TempDir()) / ("track_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    base::write_file(path_ / name, text);
    return path_ / name;
  }

 private:
  fs::path path_;
};

TEST(track_file, every_shipped_track_can_be_built_without_a_warning) {
  const std::vector<std::string> names = base::list_data("tracks");
  EXPECT_GE(names.size(), 9u);
  for (const std::string& name : names) {
    const Track track = load_track(name);
    EXPECT_THAT(track.warnings, IsEmpty()) << name;
    EXPECT_EQ(track.name, name);
    // a vehicle stands at s = 0 with its rear part behind
    EXPECT_LE(track.begin(), -20) << name;
    EXPECT_GE(track.end(), 300) << name;
  }
}

TEST(track_file, shipped_article_is_the_articles_track) {
  const Track track = load_track("article"), flat = load_track("article_flat"),
              smooth = load_track("article_smooth");
  for (double s = -40; s < 430; s += 3.7) {
    const double t = std::clamp((s - 50) / 270, 0.0, 1.0);
    const double y = 50 * (10 * t * t * t - 15 * t * t * t * t + 6 * t * t * t * t * t);
    const double th = -0.1 * t * t * (1 - t) * (1 - t) * (1 - 2 * t) / 0.0178885438;
    for (const Track* any : {&track, &flat, &smooth}) {
      EXPECT_NEAR(any->frame(s).origin.x, s, 1e-9);
      EXPECT_NEAR(any->frame(s).origin.y, y, 1e-7);
      EXPECT_NEAR(any->frame(s).cant, any == &flat ? 0 : th, 1e-6);
      EXPECT_NEAR(any->frame(s).rail_distance, 1.07, 1e-12);
    }
    // splines of the rails, off by 2e-8 m on a wave of 10 m
    const double right = 0.010 * std::sin(2 * pi * s / 10),
                 left = 0.010 * std::cos(2 * pi * s / 10);
    EXPECT_NEAR(flat.right.z.value(s), right, 1e-7);
    EXPECT_NEAR(flat.left.z.value(s), left, 1e-7);
    EXPECT_NEAR(track.left.z.value(s) - smooth.left.z.value(s), left, 1e-7);
    EXPECT_NEAR(smooth.left.z.value(s), 0.535 * std::sin(th), 1e-6);
  }
}

TEST(track_file, shipped_curves_have_their_radius_their_cant_and_their_gauge) {
  const Track left = load_track("curve_300"), right = load_track("curve_150");
  EXPECT_NEAR(left.frame(200).curvature, 1.0 / 300, 1e-12);
  EXPECT_NEAR(left.frame(200).cant, -std::asin(0.1 / 1.5), 1e-9);
  EXPECT_NEAR(right.frame(150).curvature, -1.0 / 150, 1e-12);
  EXPECT_NEAR(right.frame(150).cant, std::asin(0.06 / 1.5), 1e-9);
  EXPECT_NEAR(right.frame(150).rail_distance - right.frame(0).rail_distance, 0.010, 1e-12);
  // the head of a 60E1 is 72 mm wide at the gauge line, a little less outside of it when it leans
  EXPECT_NEAR(left.frame(0).rail_distance, 1.435 + 0.072, 0.002);
  EXPECT_EQ(*left.gauge, 1.435);
}

TEST(track_file, shipped_random_track_begins_smooth_and_has_the_size_of_its_spectrum) {
  const Track track = load_track("random_straight");
  EXPECT_EQ(track.deviation(19.9).left_vertical, 0);
  double squares = 0;
  int n = 0;
  for (double s = 60; s < 1000; s += 0.5, ++n) {
    const track::RailDeviation d = track.deviation(s);
    squares += std::pow(0.5 * (d.left_vertical + d.right_vertical), 2);
  }
  const double expected = track::variance(
      track::erri_b176(track::TrackQuality::low_disturbance, track::SpectrumOf::vertical),
      2 * pi / 70, 2 * pi / 3);
  // 13 of the longest waves fit in 940 m: the variance of one realisation scatters by a third
  EXPECT_NEAR(squares / n / expected, 1, 0.5);
}

TEST(track_file, start_and_sections_do_what_they_say) {
  const Track track =
      build(rails + "[start]\ns = 10\ny = 3\nz = 1\nheading = 1.5707963267948966\n" + straight +
            "[[section]]\nkind = 'transition'\nlength = 50\nshape = 'bloss'\n"
            "[[section]]\nkind = 'arc'\nlength = 50\nradius = -500\n"
            "cant_angle = 0.02\ngradient = 0.01\ngauge_widening = [0.004, 0.002]\n");
  EXPECT_EQ(track.begin(), 10);
  EXPECT_NEAR(track.frame(10).origin.x, 10, 1e-12);
  EXPECT_NEAR(track.frame(110).origin.y, 103, 1e-9);
  EXPECT_NEAR(track.frame(160).heading, pi / 2 - 0.05, 1e-9);
  EXPECT_NEAR(track.frame(160).cant, 0.02, 1e-9);
  EXPECT_NEAR(track.frame(160).origin.z, 1.25, 1e-9);
  EXPECT_NEAR(track.frame(185).rail_distance, 1.503, 1e-9);
  EXPECT_THAT(track.warnings, IsEmpty());
}

TEST(track_file, cant_height_is_measured_over_its_base) {
  const std::string text = "[[section]]\nkind = 'straight'\nlength = 50\ncant_height = 0.1\n";
  EXPECT_NEAR(build(rails + "cant_base = 2\n" + text).frame(5).cant, std::asin(0.05), 1e-12);
  EXPECT_NEAR(build(rails + text).frame(5).cant, std::asin(0.1 / 1.5), 1e-12);
}

TEST(track_file, measured_irregularities_come_from_a_file_beside_it) {
  const Folder folder;
  std::string csv = "s_m,left_vertical_mm,other_mm\n";
  for (int i = 0; i <= 110; ++i) csv += fmt::format("{},{},{}\n", i, std::sin(0.1 * i), 1);
  folder.write("run.csv", csv);
  const std::string path = folder.write(
      "t.toml", rails + straight +
                    "[[irregularity]]\nkind = 'measured'\nchannel = 'left_vertical'\n" +
                    "file = 'run.csv'\n[[irregularity]]\nkind = 'measured'\nchannel = 'gauge'\n" +
                    "column = 'other'\nfile = 'run.csv'\n");
  const Track track = load_track(path);
  EXPECT_NEAR(track.left.z.value(50), 1e-3 * std::sin(5.0), 1e-9);
  EXPECT_NEAR(track.left.y.value(50), 0.75 + 0.0005, 1e-9);
  EXPECT_NEAR(track.right.z.value(50), 0, 1e-12);
}

TEST(track_file, measured_files_are_scaled_shifted_and_reported) {
  const Folder folder;
  // kilometres that fall, decimal commas, heights downwards in mm, a mean of 2 mm
  std::string csv = "Station [km];level [mm]\n";
  for (int i = 440; i >= 0; --i)
    csv += fmt::format("12,{:05d};{}\n", 25 * i, i % 2 == 0 ? "2,5" : "1,5");
  folder.write("run.csv", csv);
  const std::string path = folder.write(
      "t.toml", rails + straight +
                    "[[irregularity]]\nkind = 'measured'\nchannel = 'vertical'\nfile = 'run.csv'\n"
                    "column = 'level'\ns_column = 'Station'\nscale = -1\noffset = 0.002\n"
                    "shift = -12000\nresample = 1\n");
  const Track track = load_track(path);
  // up and down from row to row is gone, the mean is taken off
  EXPECT_NEAR(track.left.z.value(50), 0, 2e-6);
  ASSERT_EQ(track.notes.size(), 2u);
  EXPECT_THAT(track.notes[0], HasSubstr("run.csv, column 'level': 441 rows every 0.25 m, s from "
                                        "0.000 to 110.000 m, decimal commas, rows from the last "
                                        "to the first"));
  EXPECT_THAT(track.notes[0], HasSubstr("standard deviation 0.500 mm"));
  EXPECT_THAT(track.notes[1], HasSubstr("resampled to 111 points every 1 m"));
}

TEST(track_file, measured_points_closer_than_knots_cause_a_warning) {
  const Folder folder;
  std::string csv = "s_m,vertical_mm\n";
  for (int i = 0; i <= 1100; ++i) csv += fmt::format("{},0\n", 0.1 * i);
  folder.write("run.csv", csv);
  const std::string path =
      folder.write("t.toml", rails + straight +
                                 "[[irregularity]]\nkind = 'measured'\nchannel = 'vertical'\n"
                                 "file = 'run.csv'\n");
  const Track track = load_track(path);
  ASSERT_EQ(track.warnings.size(), 1u);
  EXPECT_THAT(track.warnings[0], HasSubstr("short waves come back as long ones; add resample ="));
}

TEST(track_file, rails_may_have_different_profiles) {
  const TrackDescription both = parse_track(
      "left_rail_profile = '60E1'\nright_rail_profile = '60E1:1:40'\n" + straight, "t.toml");
  const auto distance = [](const char* name) {
    return parse_track(fmt::format("rail_profile = '{}'\n", name) + straight, "t.toml")
        .rail_distance;
  };
  EXPECT_DOUBLE_EQ(both.rail_distance, (distance("60E1") + distance("60E1:1:40")) / 2);
  EXPECT_EQ(both.left_profile, "60E1");
  EXPECT_EQ(both.right_profile, "60E1:1:40");
  EXPECT_THAT(refusal("left_rail_profile = '60E1'\n" + straight),
              HasSubstr("'rail_profile' is missing"));
}

TEST(track_file, profiles_along_the_track_ascend) {
  const std::string first = "[[rail_section]]\ns = 10\nprofile = '60E1'\n";
  const TrackDescription t = parse_track(rails + straight + first +
                                             "[[rail_section]]\ns = 20\nleft = 'UIC60'\n"
                                             "right = '60E1'\n",
                                         "t.toml");
  ASSERT_EQ(t.profile_places.size(), 2u);
  EXPECT_EQ(t.profile_places[1].left, "UIC60");
  EXPECT_THAT(refusal(rails + straight + first), HasSubstr("give two or more [[rail_section]]"));
  EXPECT_THAT(refusal(rails + straight + first + first), HasSubstr("must ascend"));
  EXPECT_THAT(refusal(rails + straight + "[[rail_section]]\ns = 10\n"),
              HasSubstr("'profile' is missing"));
}

TEST(track_file, a_foundation_has_mass_and_stiffness) {
  const std::string rest =
      "lateral_stiffness = 2e7\nlateral_damping = 1e5\n"
      "vertical_stiffness = 1e8\nvertical_damping = 2e5\n";
  const TrackDescription t =
      parse_track(rails + straight + "[foundation]\nmass = 500\n" + rest, "t.toml");
  EXPECT_EQ(t.foundation.mass, 500);
  EXPECT_EQ(t.foundation.vertical_damping, 2e5);
  EXPECT_THAT(refusal(rails + straight + "[foundation]\n" + rest), HasSubstr("'mass' is missing"));
  EXPECT_THAT(refusal(rails + straight + "[foundation]\nmass = 0\n" + rest), HasSubstr("mass"));
  EXPECT_THAT(refusal(rails + straight +
                      "[foundation]\nmass = 1\nlateral_stiffness = 2e7\n"
                      "lateral_damping = -1\nvertical_stiffness = 1e8\n"
                      "vertical_damping = 2e5\n"),
              HasSubstr("'lateral_damping' must not be negative, found -1"));
}

TEST(track_file, measured_values_that_end_before_the_track_are_refused) {
  const Folder folder;
  folder.write("run.csv", "s_m,gauge_mm\n0,1\n10,1\n20,2\n30,1\n");
  const std::string path = folder.write(
      "t.toml", rails + straight +
                    "[[irregularity]]\nkind = 'measured'\nchannel = 'gauge'\nfile = 'run.csv'\n");
  EXPECT_EQ(error_of([&] { load_track(path); }),
            path +
                ":5:1: irregularity 'gauge': measured values reach from 0 m to 30 m, but are "
                "needed from 0 m to 100 m; limit them with 'from' and 'to'");
}

TEST(track_file, points_make_a_track_by_rails_or_by_the_centre_line) {
  const Folder folder;
  std::string centre = "s_m,x_m,y_m,z_m,cant_mrad\n", both = "s_m";
  for (const char* rail : {"left", "right"}) {
    for (const char* part : {"x_m", "y_m", "z_m", "cant_rad"})
      both += fmt::format(",{}_{}", rail, part);
  }
  both += "\n";
  for (int i = 0; i <= 100; ++i) {
    centre += fmt::format("{},{},2,0,20\n", i, i);
    both += fmt::format("{},{},2.75,0,0,{},1.25,0,0\n", i, i, i);
  }
  folder.write("centre.csv", centre);
  folder.write("both.csv", both);
  const Track a = load_track(folder.write("a.toml", rails + "[points]\nfile = 'centre.csv'\n"));
  EXPECT_NEAR(a.left.y.value(50), 2 + 0.75 * std::cos(0.02), 1e-9);
  EXPECT_NEAR(a.frame(50).cant, 0.02, 1e-9);
  const Track b = load_track(folder.write("b.toml", "[points]\nfile = 'both.csv'\n"));
  EXPECT_NEAR(b.left.y.value(50), 2.75, 1e-9);
  EXPECT_NEAR(b.frame(50).rail_distance, 1.5, 1e-9);
  const std::string c = folder.write("c.toml", "[points]\nfile = 'centre.csv'\n");
  EXPECT_THAT(error_of([&] { load_track(c); }), HasSubstr("a centre line needs 'rail_distance'"));
}

TEST(track_file, wrong_values_are_refused_with_their_place) {
  EXPECT_EQ(
      refusal(rails + "[[section]]\nkind = 'arc'\nlength = 10\nradius = 0\n"),
      "t.toml:5:10: section arc: a radius of 0 is not allowed; a straight has no key 'radius'");
  EXPECT_THAT(refusal(rails + "[[section]]\nkind = 'straight'\nlength = -3\n"),
              HasSubstr("t.toml:4:10: section straight: 'length' must be greater than zero"));
  EXPECT_THAT(refusal(rails + "[[section]]\nkind = 'strait'\nlength = 3\n"),
              HasSubstr("did you mean 'straight'?"));
  EXPECT_THAT(refusal(rails + "[[section]]\nkind = 'arc'\nlength = 3\n"),
              HasSubstr("'radius' is missing"));
  EXPECT_THAT(refusal(rails + "[[section]]\nkind = 'straight'\nlength = 3\nradius = 4\n"),
              HasSubstr("section straight has an unknown key 'radius'"));
  EXPECT_THAT(refusal(rails + "[[section]]\nkind = 'arc'\nlength = 1\nradius = 0.5\n"),
              HasSubstr("less than half the distance"));
  EXPECT_THAT(refusal(rails + "[[section]]\nkind = 'straight'\nlength = 3\ncant_height = 4\n"),
              HasSubstr("does not fit on a base"));
  EXPECT_THAT(refusal(rails + "[[section]]\nkind = 'straight'\nlength = 3\ngradient = [1]\n"),
              HasSubstr("must be a number or [begin, end]"));
  EXPECT_THAT(refusal(rails), HasSubstr("at least one [[section]]"));
  EXPECT_THAT(refusal(rails + "gauge = 1.4\n" + straight), HasSubstr("not both"));
  EXPECT_THAT(refusal(straight), HasSubstr("'rail_profile' is missing"));
  EXPECT_THAT(refusal("format = 2\n" + rails + straight), HasSubstr("format 1"));
  EXPECT_THAT(refusal(rails + "stp = 1\n" + straight), HasSubstr("did you mean 'step'?"));
}

TEST(track_file, wrong_irregularities_are_refused_with_their_place) {
  const auto with = [](const std::string& text) {
    return refusal(rails + straight + "[[irregularity]]\n" + text);
  };
  EXPECT_THAT(
      with("kind = 'harmonic'\nchannel = 'vertical'\namplitude = 1\nwavelength = 0\n"),
      HasSubstr("t.toml:9:14: irregularity harmonic 'vertical': 'wavelength' must be greater"));
  EXPECT_THAT(with("kind = 'harmonic'\nchannel = 'vertcal'\n"), HasSubstr("'vertical'"));
  EXPECT_THAT(with("kind = 'random'\nchannel = 'gauge'\nspectrum = 'erri_low'\n"),
              HasSubstr("there is no spectrum of 'gauge'"));
  EXPECT_THAT(with("kind = 'random'\nchannel = 'vertical'\nspectrum = 'erri_lo'\n"),
              HasSubstr("did you mean 'erri_low'?"));
  EXPECT_THAT(
      with("kind = 'random'\nchannel = 'vertical'\nspectrum = 'erri_low'\nshortest = 200\n"),
      HasSubstr("must be longer"));
  EXPECT_THAT(with("kind = 'measured'\nchannel = 'vertical'\nfile = 'absent.csv'\n"),
              HasSubstr("absent.csv"));
  EXPECT_THAT(
      with("kind = 'harmonic'\nchannel = 'vertical'\namplitude = 1\nwavelength = 9\nfrom = 5\n"
           "to = 4\n"),
      HasSubstr("'to' must be behind 'from'"));
  EXPECT_THAT(with("kind = 'harmonic'\nchannel = 'vertical'\nframe = 'grund'\n"),
              HasSubstr("did you mean 'ground'?"));
}

TEST(track_file, irregularities_lie_in_the_tracks_frame_unless_the_ground_is_asked_for) {
  const std::string h =
      "[[irregularity]]\nkind = 'harmonic'\nchannel = 'vertical'\namplitude = 1\nwavelength = 9\n";
  const auto track = parse_track(rails + straight + h + h + "frame = 'ground'\n", "t.toml");
  EXPECT_EQ(track.irregularities[0].frame, track::DeviationFrame::track);
  EXPECT_EQ(track.irregularities[1].frame, track::DeviationFrame::ground);
  for (const char* name : {"article", "article_10m"}) {
    for (const track::Irregularity& i : read_track(find_track(name)).irregularities)
      EXPECT_EQ(i.frame, track::DeviationFrame::ground) << name;
  }
}

TEST(track_file, unknown_tracks_are_answered_with_the_nearest_names) {
  EXPECT_THAT(
      error_of([] { load_track("artcle"); }),
      AllOf(StartsWith("there is no track 'artcle'; did you mean 'article'?\n    looked for: "),
            HasSubstr("/artcle'\n    and shipped tracks: article, ")));
}

// Every kind of table with a key that does not exist: the reader then says which keys it knows, and
// must know those of the list, no more and no fewer (which it asserts itself).
TEST(track_file, reader_and_list_know_the_same_keys) {
  const std::string h = "[[irregularity]]\nchannel = 'vertical'\n";
  const std::pair<std::string, std::string> files[] = {
      {"track file", rails + "wrong = 1\n" + straight},
      {"start", rails + straight + "[start]\nwrong = 1\n"},
      {"section straight", rails + straight + "wrong = 1\n"},
      {"section arc", rails + "[[section]]\nkind = 'arc'\nlength = 1\nradius = 9\nwrong = 1\n"},
      {"section transition", rails + "[[section]]\nkind = 'transition'\nlength = 1\nwrong = 1\n"},
      {"section double_transition",
       rails + "[[section]]\nkind = 'double_transition'\nlength = 1\noffset = 0\nwrong = 1\n"},
      {"irregularity harmonic",
       rails + straight + h + "kind = 'harmonic'\namplitude = 1\nwavelength = 1\nwrong = 1\n"},
      {"irregularity random",
       rails + straight + h + "kind = 'random'\nspectrum = 'erri_low'\nwrong = 1\n"},
  };
  for (const auto& [table, text] : files) {
    const std::string error = refusal(text);
    ASSERT_THAT(error, HasSubstr("unknown key 'wrong'")) << table;
    for (const TrackTable& t : track_tables()) {
      if (t.name != table) continue;
      for (const TrackKey& key : t.keys)
        EXPECT_THAT(error, HasSubstr(std::string(key.name))) << table;
    }
  }
}

TEST(track_file, the_document_shows_the_list_of_keys) {
  const std::string text = base::read_file(fs::path(KLINGEL_SOURCE_DIR) / "docs/track_format.md");
  EXPECT_THAT(text, HasSubstr(track_reference())) << "docs/track_format.md must contain:\n"
                                                  << track_reference();
}

TEST(track_file, the_example_of_the_document_can_be_read) {
  const std::string text = base::read_file(fs::path(KLINGEL_SOURCE_DIR) / "docs/track_format.md");
  const std::size_t begin = text.find("```toml\n"), end = text.find("```\n", begin + 8);
  ASSERT_NE(begin, std::string::npos);
  const Track track = build(text.substr(begin + 8, end - begin - 8));
  EXPECT_THAT(track.warnings, IsEmpty());
}

}  // namespace
}  // namespace klingel::vehicle
