// klingel profile: a wheel or rail profile looked at before it is used: measures, curvature,
// wiggles; and converted from one file format into another.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/number.hpp"
#include "cli/command.hpp"
#include "profile/named_profile.hpp"
#include "profile/profile_report.hpp"
#include "profile/standard_profiles.hpp"
#include "report/plot.hpp"

namespace klingel::cli {
namespace {

using profile::Profile;
using profile::ProfileKind;
using profile::ProfileReport;
using profile::ProfileSample;

constexpr double mm = 1e-3;
constexpr double degree = M_PI / 180;

struct Options {
  std::string name, kind, inclination, unit, y, z, svg, write;
  double smooth = 0;  // mm
  bool csv = false;
};

profile::ReadOptions read_options(const Options& o) {
  profile::ReadOptions read;
  if (!o.kind.empty()) read.kind = o.kind == "wheel" ? ProfileKind::wheel : ProfileKind::rail;
  if (!o.unit.empty()) read.unit = o.unit == "mm" ? mm : 1;
  if (!o.z.empty()) read.z_up = o.z == "up";
  if (!o.y.empty()) read.y_inward = o.y == "inward";
  read.fit.smooth = o.smooth * mm;
  return read;
}

// Radius of curvature in mm as text; flatter than 100 m is straight.
std::string radius(double curvature) {
  if (std::abs(curvature) < 0.01) return "straight";
  return fmt::format("{:.1f}", 1 / curvature / mm);
}

void print_measures(const Profile& p, const ProfileReport& r) {
  fmt::print("{}: profile of a {}\n\n", p.name, text(p.kind));
  fmt::print("  y from {:.3f} to {:.3f} mm (outwards), z from {:.3f} to {:.3f} mm (down)\n",
             r.begin / mm, r.end / mm, r.top / mm, r.bottom / mm);
  fmt::print("  length {:.3f} mm; {} cubic pieces, the shortest {:.4f} mm\n", r.length / mm,
             r.pieces, r.shortest_piece / mm);
  if (r.flange_height) {
    fmt::print("  flange: height {:.2f} mm, angle {:.1f} degrees", *r.flange_height / mm,
               *r.flange_angle / degree);
    if (r.flange_thickness) fmt::print(", thickness {:.2f} mm", *r.flange_thickness / mm);
    if (r.flange_qr) fmt::print(", qR {:.2f} mm", *r.flange_qr / mm);
    fmt::print("\n");
  }
  if (r.highest_y) fmt::print("  highest point at y = {:.3f} mm", *r.highest_y / mm);
  if (r.head_width) fmt::print("; head {:.2f} mm wide 14 mm below it", *r.head_width / mm);
  if (r.highest_y) fmt::print("\n");
}

void print_table(const Profile& p) {
  fmt::print("\n{:>10}{:>10}{:>12}{:>14}\n", "y [mm]", "z [mm]", "angle [deg]", "radius [mm]");
  for (const ProfileSample& s : samples(p, 5 * mm)) {
    fmt::print("{:>10.3f}{:>10.3f}{:>12.3f}{:>14}\n", s.y / mm, s.z / mm, s.angle / degree,
               radius(s.curvature));
  }
  fmt::print("  radius: positive where the body is convex\n");
}

void print_curvature(const ProfileReport& r) {
  fmt::print("\ncurvature in the zone of contact, y from {:.2f} to {:.2f} mm\n", r.zone_begin / mm,
             r.zone_end / mm);
  const auto sharpest = [](const char* name, const ProfileSample& s) {
    if (s.curvature != 0) {
      fmt::print("  smallest {} radius {} mm at y = {:.2f} mm\n", name, radius(s.curvature),
                 s.y / mm);
    }
  };
  sharpest("convex", r.sharpest_convex);
  sharpest("concave", r.sharpest_concave);
  fmt::print("  changes between convex and concave: {}\n", r.curvature_sign_changes);
  fmt::print("  distinct extrema of curvature: {}\n", r.extrema.size());
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < r.extrema.size() && i < most; ++i) {
    fmt::print("    y = {:>8.2f} mm  radius {:>9} mm\n", r.extrema[i].y / mm,
               radius(r.extrema[i].curvature));
  }
  if (r.extrema.size() > most) fmt::print("    and {} more\n", r.extrema.size() - most);
  fmt::print(
      "  largest jumps at knots: z {:.2g} mm, slope {:.2g}, second derivative {:.3g} 1/m "
      "(y = {:.2f} mm)\n",
      r.jump[0] / mm, r.jump[1], r.jump[2], r.jump_y[2] / mm);
}

void print_csv(const Profile& p) {
  fmt::print("y [m],z [m],angle [rad],curvature [1/m]\n");
  for (const ProfileSample& s : samples(p, 0.1 * mm)) {
    fmt::print("{},{},{},{}\n", base::shortest(s.y), base::shortest(s.z), base::shortest(s.angle),
               base::shortest(s.curvature));
  }
}

// The shape in its position on the track, and the curvature below it.
std::string plots(const Profile& p, const std::vector<profile::ProfilePoint>& points) {
  // sharper than a radius of 5 mm would flatten the rest
  constexpr double most = 200;
  report::Series shape, curvature, given;
  shape.label = points.empty() ? "" : "spline";
  for (const ProfileSample& s : samples(p, 0.05 * mm)) {
    shape.x.push_back(s.y / mm);
    shape.y.push_back(-s.z / mm);
    curvature.x.push_back(s.y / mm);
    curvature.y.push_back(std::abs(s.curvature) <= most ? s.curvature
                                                        : std::numeric_limits<double>::quiet_NaN());
  }
  given.label = "points";
  given.style = report::Style::points;
  for (const profile::ProfilePoint& q : points) {
    given.x.push_back(q.y / mm);
    given.y.push_back(-q.z / mm);
  }
  report::Plot above, below;
  above.title =
      fmt::format("{} ({}), seen from behind on the right-hand side", p.name, text(p.kind));
  above.x_label = "y outwards [mm]";
  above.y_label = "-z upwards [mm]";
  above.equal_axes = true;
  // a few points are visible one by one; many would hide the curve
  if (!points.empty() && points.size() <= 150) above.series.push_back(given);
  above.series.push_back(shape);
  if (above.series.size() == 1) above.series[0].label.clear();
  below.title = "curvature, positive where convex";
  below.x_label = above.x_label;
  below.y_label = "curvature [1/m]";
  below.series.push_back(curvature);
  const report::Plot both[] = {above, below};
  return report::svg(both);
}

ExitCode run(const Options& o) {
  profile::FittedProfile found = profile_with_notes(o.name, read_options(o));
  if (!o.inclination.empty()) {
    const double angle = profile::read_inclination(o.inclination, "--inclination");
    const std::string name = found.profile.name + ":" + o.inclination;
    found.profile = inclined(found.profile, angle);
    found.profile.name = name;
    found.points.clear();
  }
  const Profile& p = found.profile;
  if (o.csv) {
    print_csv(p);
  } else {
    const ProfileReport r = profile_report(p);
    print_measures(p, r);
    print_table(p);
    print_curvature(r);
    for (const std::string& note : found.notes) fmt::print("note: {}\n", note);
  }
  if (!o.svg.empty()) base::write_file(o.svg, plots(p, found.points));
  if (!o.write.empty()) write_profile(p, o.write);
  return ExitCode::fine;
}

}  // namespace

Command profile_command() {
  const auto o = std::make_shared<Options>();
  Command c{Group::wheel_and_rail, "profile", "Measure, draw or convert a wheel or rail profile"};
  c.about =
      "Prints dimensions, curvature and how smooth the profile is. Files: .csv, .dat, .prw, .prr, "
      ".pieces (docs/profiles.md).";
  c.examples = {"klingel profile S1002", "klingel profile 60E1:1:40 --svg rail.svg",
                "klingel profile worn.csv --kind wheel --smooth 0.02 --write worn.prw"};
  c.option("name", o->name,
           "S1002, 60E1, UIC60, cylinder, cone:0.05, arc:0.3, a shipped profile or a file; ':1:40' "
           "at the end inclines it")
      .names(Names::profile)
      .required();
  c.option("--kind", o->kind, "What it is, if the file does not say").choices({"wheel", "rail"});
  c.option("--inclination", o->inclination, "Incline it towards the middle of the track: 1:40")
      .value("1:N");
  c.option("--smooth", o->smooth, "Smooth the points: root mean square distance they may move")
      .unit("mm")
      .at_least(0)
      .at_most(100);
  c.option("--unit", o->unit, "Unit of a table without header")
      .choices({"mm", "m"})
      .default_text("mm");
  c.option("--z", o->z, "Direction of z in a table without header").choices({"down", "up"});
  c.option("--y", o->y, "Direction of y in a table without header").choices({"outward", "inward"});
  c.option("--csv", o->csv, "Print y, z, angle and curvature every 0.1 mm instead");
  c.option("--svg", o->svg, "Draw shape and curvature into this file").written();
  c.option("--write", o->write, "Write the profile into this file: .csv, .prw, .prr or .pieces")
      .written();
  c.run = [o] { return run(*o); };
  return c;
}

}  // namespace klingel::cli
