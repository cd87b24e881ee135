// klingel contact: where a wheelset touches its rails, over lateral displacements, rigid or under
// load; as a table, CSV, or a picture of the profiles with the points or patches that meet.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/load_options.hpp"
#include "cli/loaded_tables.hpp"
#include "cli/range.hpp"
#include "cli/wheelset_options.hpp"
#include "report/contact_picture.hpp"
#include "report/loaded_picture.hpp"

namespace klingel::cli {
namespace {

using contact::SideContact;
using contact::WheelsetContact;
using contact::WheelsetGeometry;
using profile::Side;

struct ContactArguments {
  WheelsetOptions wheelset;
  LoadOptions load;
  std::string y, svg;
  double yaw = 0;
  bool csv = false, patches = false;
};

struct Row {
  WheelsetContact contact;
  std::optional<double> jump_left, jump_right;  // y of a jump since the row before, m
};

// The contact at each y, from something that has one; an Error where a wheel does not touch its
// rail.
template <class Contact>
Contact contact_at(const auto& wheelset, const ContactArguments& a, double y) {
  const std::optional<double> roll = roll_of(a.wheelset);
  const std::optional<Contact> c = wheelset.at(1e-3 * y, a.yaw, roll);
  if (!c) {
    base::fail(
        "at y = {} mm{} a wheel does not touch its rail\n"
        "    shorten --y, or check --flange-back and --gauge",
        y, roll ? "" : " there is no roll below 0.15 rad at which both wheels touch, or");
  }
  return *c;
}

std::vector<Row> rows_of(const WheelsetGeometry& geometry, const ContactArguments& a) {
  const std::optional<double> roll = roll_of(a.wheelset);
  std::vector<Row> rows;
  for (const double y : read_range(a.y, "--y")) {
    Row row{contact_at<WheelsetContact>(geometry, a, y), {}, {}};
    if (!rows.empty()) {
      row.jump_left = geometry.jump(rows.back().contact, row.contact, Side::left, roll);
      row.jump_right = geometry.jump(rows.back().contact, row.contact, Side::right, roll);
    }
    rows.push_back(row);
  }
  return rows;
}

void print_csv(const std::vector<Row>& rows) {
  fmt::print("y,yaw,side,wheel_u,rail_u,angle,rolling_radius,roll,lift,jump,second\n");
  for (const Row& row : rows) {
    const WheelsetContact& c = row.contact;
    for (const Side side : {Side::left, Side::right}) {
      const SideContact& s = c.on(side);
      const bool jump = (side == Side::left ? row.jump_left : row.jump_right).has_value();
      fmt::print("{},{},{},{},{},{},{},{},{},{},{}\n", fmt::format("{:g}", 1e3 * c.y),
                 fmt::format("{:g}", c.yaw), side == Side::left ? "left" : "right",
                 fixed(1e3 * s.wheel_y, 5), fixed(1e3 * s.rail_y, 5), fixed(s.angle, 7),
                 fixed(1e3 * s.rolling_radius, 5), fixed(c.roll, 9), fixed(1e3 * s.lift, 5),
                 jump ? 1 : 0, s.second ? fixed(1e3 * s.second_gap, 5) : "");
    }
  }
}

void print_heading(const Wheelset& w, const ContactArguments& a) {
  fmt::print(
      "{}: flange backs {:g} mm, gauge {:g} mm {:g} mm below the top, radius {:g} mm,"
      " yaw {:g} rad{}\n\n",
      description(w), a.wheelset.flange_back, a.wheelset.gauge, a.wheelset.gauge_height,
      a.wheelset.radius, a.yaw,
      a.load.given() ? fmt::format(", {} kN on each wheel", a.load.load) : "");
}

void print_table(const std::vector<Row>& rows) {
  fmt::print("{:>8}{:>7}{:>10}{:>10}{:>9}{:>11}{:>10}{:>9}  {}\n", "y", "side", "wheel_u", "rail_u",
             "angle", "radius", "roll", "lift", "next point: wheel_u, gap");
  fmt::print("{:>8}{:>7}{:>10}{:>10}{:>9}{:>11}{:>10}{:>9}  {}\n", "mm", "", "mm", "mm", "deg",
             "mm", "mrad", "mm", "mm");
  for (const Row& row : rows) {
    const WheelsetContact& c = row.contact;
    for (const Side side : {Side::left, Side::right}) {
      const SideContact& s = c.on(side);
      const std::optional<double>& jump = side == Side::left ? row.jump_left : row.jump_right;
      std::string rest;
      if (s.second)
        rest = fmt::format("{:.2f}, {:.4f}", 1e3 * s.second_wheel_y, 1e3 * s.second_gap);
      if (jump)
        rest += fmt::format("{}jumped at y = {:.4f}", rest.empty() ? "" : "; ", 1e3 * *jump);
      if (s.at_end) rest += fmt::format("{}end of a profile", rest.empty() ? "" : "; ");
      fmt::print("{:>8}{:>7}{:>10}{:>10}{:>9}{:>11}{:>10}{:>9}  {}\n",
                 side == Side::left ? fmt::format("{:g}", 1e3 * c.y) : "",
                 side == Side::left ? "left" : "right", fixed(1e3 * s.wheel_y, 3),
                 fixed(1e3 * s.rail_y, 3), fixed(s.angle * 180 / M_PI, 3),
                 fixed(1e3 * s.rolling_radius, 4), fixed(1e3 * c.roll, 4), fixed(1e3 * s.lift, 4),
                 rest);
    }
  }
}

template <class Rows>
void warn_of_ends(const Rows& rows) {
  for (const auto& row : rows) {
    if (!row.contact.left.at_end && !row.contact.right.at_end) continue;
    fmt::print(stderr,
               "klingel: at y = {:g} mm a wheel touches the end of a profile; use longer profiles "
               "to find its contact point\n",
               1e3 * row.contact.y);
    break;
  }
}

void run_rigid(const Wheelset& w, const ContactArguments& a) {
  const std::vector<Row> rows = rows_of(*w.geometry, a);
  warn_of_ends(rows);
  if (a.csv) {
    print_csv(rows);
  } else {
    print_heading(w, a);
    print_table(rows);
  }
  if (a.svg.empty()) return;
  std::vector<WheelsetContact> contacts;
  for (const Row& row : rows) contacts.push_back(row.contact);
  base::write_file(a.svg, report::contact_picture(w, contacts));
}

void run_loaded(const Wheelset& w, const ContactArguments& a) {
  const contact::LoadedWheelset loaded = make_loaded(w, a.load);
  std::vector<LoadedRow> rows;
  for (const double y : read_range(a.y, "--y"))
    rows.push_back(contact::loaded_row(loaded, contact_at<contact::LoadedContact>(loaded, a, y)));
  warn_of_ends(rows);
  if (a.patches) {
    print_patches_csv(rows);
  } else if (a.csv) {
    print_loaded_csv(rows);
  } else {
    print_heading(w, a);
    print_loaded_table(rows);
  }
  if (!a.svg.empty()) base::write_file(a.svg, report::loaded_picture(w, loaded.load(), rows));
}

ExitCode run(const ContactArguments& a) {
  if (!(std::abs(a.yaw) < 1)) base::fail("--yaw {}: expected an angle below 1 rad", a.yaw);
  if (a.patches && !a.load.given()) base::fail("--patches: rigid bodies have none; add --load KN");
  const Wheelset w = make_wheelset(a.wheelset);
  a.load.given() ? run_loaded(w, a) : run_rigid(w, a);
  return ExitCode::fine;
}

}  // namespace

Command contact_command() {
  const auto a = std::make_shared<ContactArguments>();
  Command c{Group::wheel_and_rail, "contact", "Where a wheelset touches its rails"};
  c.about =
      "Prints one row per wheel and lateral displacement: contact points, angle, rolling radius. "
      "With --load, wheels and rails are elastic and touch in patches; without, they are rigid.";
  c.examples = {"klingel contact --wheel S1002 --rail 60E1:1:40 --y -8:8:0.5",
                "klingel contact --wheel S1002 --rail 60E1:1:40 --y 0 --load 60 --svg patches.svg"};
  add_wheelset_options(c, a->wheelset);
  c.option("--y", a->y, "Lateral displacement to the left: one number or a range")
      .unit("mm")
      .value("A:B:STEP")
      .required();
  c.option("--yaw", a->yaw, "Yaw to the left").unit("rad");
  add_load_options(c, a->load);
  c.option("--csv", a->csv, "Print CSV");
  c.option("--patches", a->patches, "Print CSV with a row for each contact patch; with --load");
  c.option("--svg", a->svg, "Draw the profiles with contact points or patches into this file")
      .written();
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
