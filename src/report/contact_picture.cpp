#include "report/contact_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "report/plot.hpp"

namespace klingel::report {
namespace {

using contact::WheelsetContact;
using profile::Side;

struct Shape {
  const profile::Profile& profile;
  double offset, height, lean;  // place of its origin in the picture, m, and lean to the centre

  void add(Series& series, double y) const {
    const double h = -profile.z.value(y);
    series.x.push_back(1e3 * (offset + y * std::cos(lean) - h * std::sin(lean)));
    series.y.push_back(1e3 * (height + y * std::sin(lean) + h * std::cos(lean)));
  }
  Series outline(const std::string& label) const {
    Series s{label, {}, {}, report::Style::line};
    constexpr int n = 300;
    const double low = profile.z.begin(), high = profile.z.end();
    for (int i = 0; i <= n; ++i) add(s, low + (high - low) * i / n);
    return s;
  }
};

Plot shapes(const contact::Wheelset& w, Side side, std::span<const WheelsetContact> contacts) {
  const contact::WheelsetGeometry& g = *w.geometry;
  // lifted clear of the rail, so that the lines between points have a length
  const contact::SideProfiles& its = side == Side::left ? w.left : w.right;
  const std::string name = side == Side::left ? "left" : "right";
  const Shape rail{its.rail, g.rail_offset(side), g.rail_height(side), g.placement().inclination};
  const Shape wheel{its.wheel, g.wheel_offset(side), 0.012, 0};
  Plot plot;
  plot.title =
      its.wheel.name + " on " + its.rail.name + ": contact points on the " + name + " side";
  plot.x_label = "to the " + name + " of the track's centre, mm";
  plot.y_label = "mm (wheel lifted)";
  plot.equal_axes = true;
  plot.height = 420;
  plot.series = {wheel.outline("wheel"), rail.outline("rail")};
  Series lines{"contacts", {}, {}, report::Style::line};
  for (const WheelsetContact& c : contacts) {
    wheel.add(lines, c.on(side).wheel_y);
    rail.add(lines, c.on(side).rail_y);
    lines.x.push_back(std::numeric_limits<double>::quiet_NaN());
    lines.y.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  plot.series.push_back(std::move(lines));
  return plot;
}

Plot over_y(const std::string& title, const std::string& y_label, double scale,
            double contact::SideContact::*value, std::span<const WheelsetContact> contacts) {
  Plot plot;
  plot.title = title;
  plot.x_label = "y of the wheelset, to the left, mm";
  plot.y_label = y_label;
  plot.height = 260;
  Series left{"left", {}, {}, report::Style::line}, right{"right", {}, {}, report::Style::dashed};
  for (const WheelsetContact& c : contacts) {
    left.x.push_back(1e3 * c.y);
    left.y.push_back(scale * c.left.*value);
    right.x.push_back(1e3 * c.y);
    right.y.push_back(scale * c.right.*value);
  }
  plot.series = {std::move(left), std::move(right)};
  return plot;
}

}  // namespace

std::string contact_picture(const contact::Wheelset& w, std::span<const WheelsetContact> contacts) {
  using contact::SideContact;
  std::vector<Plot> plots = {shapes(w, Side::left, contacts)};
  if (w.sides_differ) plots.push_back(shapes(w, Side::right, contacts));
  if (contacts.size() > 1) {
    plots.push_back(over_y("Rolling radius", "mm", 1e3, &SideContact::rolling_radius, contacts));
    plots.push_back(over_y("Contact angle", "degrees", 180 / M_PI, &SideContact::angle, contacts));
  }
  return report::svg(plots);
}

}  // namespace klingel::report
