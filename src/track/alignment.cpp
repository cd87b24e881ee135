#include "track/alignment.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace klingel::track {
namespace {

// beyond this many points a track is a mistake in step or length, not a track
constexpr double most_points = 2e6;

[[noreturn]] void refuse(const Section& section, std::size_t number, const std::string& what) {
  const std::string text =
      fmt::format("section {} ({}): {}", number, track::text(section.kind), what);
  if (section.place.file.empty()) throw base::Error(text);
  throw base::Error(section.place, text);
}

void check(const Section& section, std::size_t number) {
  if (!(section.length > 0) || !std::isfinite(section.length)) {
    refuse(section, number, fmt::format("length must be positive, found {} m", section.length));
  }
  if (section.kind == SectionKind::arc && !(std::abs(section.radius) > 0)) {
    refuse(section, number,
           fmt::format("radius must not be {}; it is positive to the left, negative to the right",
                       section.radius));
  }
  if (section.kind == SectionKind::arc && !std::isfinite(section.radius)) {
    refuse(section, number, "an arc of infinite radius is a straight");
  }
  if (!std::isfinite(section.offset) || !std::isfinite(section.largest_cant)) {
    refuse(section, number, "offset and cant must be finite numbers");
  }
  for (const std::optional<Ramp>& ramp : {section.cant, section.gradient, section.widening}) {
    if (ramp && !std::isfinite(ramp->begin + ramp->end)) {
      refuse(section, number, "cant, gradient and gauge widening must be finite numbers");
    }
  }
}

// One quantity of all sections: given values, zero, or for transitions what the neighbours have.
template <typename Given>
std::vector<Ramp> ramps(std::span<const Section> sections, Given given) {
  std::vector<Ramp> result(sections.size());
  for (std::size_t i = 0; i < sections.size(); ++i) {
    result[i] = given(sections[i]).value_or(Ramp{});
  }
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (sections[i].kind != SectionKind::transition || given(sections[i])) continue;
    result[i].begin = i > 0 ? given(sections[i - 1]).value_or(Ramp{}).end : 0;
    result[i].end = i + 1 < sections.size() ? given(sections[i + 1]).value_or(Ramp{}).begin : 0;
  }
  return result;
}

std::optional<Ramp> own_curvature(const Section& section) {
  if (section.kind == SectionKind::transition) return std::nullopt;
  if (section.kind != SectionKind::arc) return Ramp{};
  return Ramp{1 / section.radius, 1 / section.radius};
}

// share of the way from begin to end of a ramp at t in [0, 1], and its integral from 0 to t
double share(RampShape shape, double t) {
  return shape == RampShape::linear ? t : t * t * (3 - 2 * t);
}
double share_integral(RampShape shape, double t) {
  return shape == RampShape::linear ? 0.5 * t * t : t * t * t * (1 - 0.5 * t);
}

double at(const Ramp& ramp, RampShape shape, double t) {
  return ramp.begin + (ramp.end - ramp.begin) * share(shape, t);
}
double integral(const Ramp& ramp, RampShape shape, double t) {
  return ramp.begin * t + (ramp.end - ramp.begin) * share_integral(shape, t);
}

// what straights, transitions and arcs have in common: everything but x and y in closed form
CentrePoint without_position(const ResolvedSection& r, const CentrePoint& first, double t) {
  const double L = r.section.length;
  const RampShape shape = r.section.shape;
  CentrePoint p;
  p.s = r.begin + t * L;
  p.z = first.z + L * integral(r.gradient, shape, t);
  p.heading = first.heading + L * integral(r.curvature, shape, t);
  p.curvature = at(r.curvature, shape, t);
  p.cant = at(r.cant, shape, t);
  p.gradient = at(r.gradient, shape, t);
  p.widening = at(r.widening, shape, t);
  return p;
}

// x and y of the next point: five Gauss points integrate the direction over a step of 0.25 m on a
// radius of 10 m to 1e-19 m
void step_position(const ResolvedSection& r, const CentrePoint& first, double t0, double t1,
                   double& x, double& y) {
  constexpr std::array<double, 3> node{0, 0.5384693101056831, 0.9061798459386640};
  constexpr std::array<double, 3> weight{0.5688888888888889, 0.4786286704993665,
                                         0.2369268850561891};
  const double L = r.section.length, half = 0.5 * (t1 - t0), middle = 0.5 * (t1 + t0);
  const auto add = [&](double t, double w) {
    const double heading = first.heading + L * integral(r.curvature, r.section.shape, t);
    x += w * half * L * std::cos(heading);
    y += w * half * L * std::sin(heading);
  };
  add(middle, weight[0]);
  for (std::size_t i = 1; i < 3; ++i) {
    add(middle - half * node[i], weight[i]);
    add(middle + half * node[i], weight[i]);
  }
}

// the article's double transition, in the axes of its begin
CentrePoint on_double_transition(const ResolvedSection& r, const CentrePoint& first, double t) {
  const double L = r.section.length, offset = r.section.offset;
  const double y = offset * t * t * t * (10 + t * (-15 + 6 * t));
  const double dy = offset / L * 30 * t * t * (1 - t) * (1 - t);
  const double ddy = offset / (L * L) * 60 * t * (1 - t) * (1 - 2 * t);
  CentrePoint p = without_position(r, first, t);
  const double c = std::cos(first.heading), s = std::sin(first.heading);
  p.x = first.x + c * (t * L) - s * y;
  p.y = first.y + s * (t * L) + c * y;
  p.heading = first.heading + std::atan(dy);
  p.curvature = ddy / std::pow(1 + dy * dy, 1.5);
  // t^2 (1-t)^2 (1-2t) is at most 0.04 / sqrt(5), at t = (1 - 1 / sqrt(5)) / 2
  const double shape = t * t * (1 - t) * (1 - t) * (1 - 2 * t) * std::sqrt(5.0) / 0.04;
  p.cant -= std::copysign(1.0, offset) * r.section.largest_cant * shape;
  return p;
}

// at least four: the shortest track must still make a spline
double intervals(const ResolvedSection& r, double step) {
  return std::max(4.0, std::ceil(r.section.length / step));
}

}  // namespace

const char* text(SectionKind kind) {
  switch (kind) {
    case SectionKind::straight:
      return "straight";
    case SectionKind::transition:
      return "transition";
    case SectionKind::arc:
      return "arc";
    case SectionKind::double_transition:
      return "double_transition";
  }
  return "?";
}

std::string name_of(const Section& section, std::size_t number) {
  const std::string name = fmt::format("section {} ({})", number, text(section.kind));
  return section.place.file.empty() ? name : base::text(section.place) + ": " + name;
}

std::vector<ResolvedSection> resolve(const AlignmentStart& start,
                                     std::span<const Section> sections) {
  if (sections.empty()) base::fail("a track needs at least one section");
  if (!std::isfinite(start.s + start.x + start.y + start.z + start.heading)) {
    base::fail("the start of a track must be given by finite numbers");
  }
  for (std::size_t i = 0; i < sections.size(); ++i) check(sections[i], i + 1);
  const auto curvature = ramps(sections, own_curvature);
  const auto cant = ramps(sections, [](const Section& s) { return s.cant; });
  const auto gradient = ramps(sections, [](const Section& s) { return s.gradient; });
  const auto widening = ramps(sections, [](const Section& s) { return s.widening; });
  std::vector<ResolvedSection> result;
  double s = start.s;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const double end = s + sections[i].length;
    // a length lost in the rounding of s would make knots that do not ascend
    if (!(end - s > 0.5 * sections[i].length)) {
      refuse(sections[i], i + 1,
             fmt::format("a length of {} m vanishes beside an abscissa of {} m", sections[i].length,
                         s));
    }
    result.push_back({sections[i], s, end, curvature[i], cant[i], gradient[i], widening[i]});
    s = end;
  }
  return result;
}

std::vector<CentrePoint> sample(const AlignmentStart& start,
                                std::span<const ResolvedSection> sections, double step) {
  if (!(step > 0)) base::fail("the step between points must be positive, found {} m", step);
  double points = 1;
  for (const ResolvedSection& r : sections) points += intervals(r, step);
  if (!(points <= most_points)) {
    base::fail("{:.3g} points, one each {} m, are too many for a track (at most {:.0g})", points,
               step, most_points);
  }

  std::vector<CentrePoint> result;
  result.reserve(static_cast<std::size_t>(points));
  CentrePoint first;
  first.s = start.s, first.x = start.x, first.y = start.y, first.z = start.z;
  first.heading = start.heading;
  for (const ResolvedSection& r : sections) {
    const auto n = static_cast<std::size_t>(intervals(r, step));
    const bool is_double = r.section.kind == SectionKind::double_transition;
    const bool is_straight = r.curvature.begin == 0 && r.curvature.end == 0;
    double x = first.x, y = first.y, t0 = 0;
    CentrePoint p;
    for (std::size_t i = 0; i <= n; ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(n);
      if (is_double) {
        p = on_double_transition(r, first, t);
      } else {
        p = without_position(r, first, t);
        if (is_straight) {
          // in one step, so that rounding does not pile up
          x = first.x + t * r.section.length * std::cos(first.heading);
          y = first.y + t * r.section.length * std::sin(first.heading);
        } else if (i > 0) {
          step_position(r, first, t0, t, x, y);
        }
        p.x = x, p.y = y;
      }
      if (i == n) p.s = r.end;
      // the first point of a section is the last one of the section before
      if (i > 0 || result.empty()) result.push_back(p);
      t0 = t;
    }
    first = p;
  }
  return result;
}

std::vector<std::string> jumps(std::span<const ResolvedSection> sections) {
  std::vector<std::string> result;
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const ResolvedSection &a = sections[i - 1], &b = sections[i];
    const auto compare = [&](const char* what, const Ramp& before, const Ramp& after, double limit,
                             const char* unit) {
      if (std::abs(after.begin - before.end) <= limit) return;
      result.push_back(
          fmt::format("{}: {} jumps from {:.6g} to {:.6g}{} at s = {:.6g} m; a "
                      "transition before it would avoid that",
                      name_of(b.section, i + 1), what, before.end, after.begin, unit, b.begin));
    };
    compare("curvature", a.curvature, b.curvature, 1e-9, " 1/m");
    compare("cant", a.cant, b.cant, 1e-7, " rad");
    compare("gradient", a.gradient, b.gradient, 1e-7, "");
    compare("gauge widening", a.widening, b.widening, 1e-7, " m");
  }
  return result;
}

}  // namespace klingel::track
