// Figures of the article about its run: the path of the vehicle body, hunting, creep of one wheel,
// iterations. Sentences are made from the recording.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "base/error.hpp"
#include "paper/parts.hpp"
#include "paper/times.hpp"
#include "record/csv.hpp"
#include "record/drive.hpp"
#include "report/plot.hpp"
#include "scene/run_page.hpp"

namespace klingel::paper {
namespace {

using report::Agreement;
using Column = std::vector<double>;

constexpr const char* wheel = "rear.front.right";     // of the article's figure
constexpr double first_curve = 50, last_curve = 320;  // m, of the article's track

struct Run {
  record::Recording recording;
  record::RunSummary summary;
};

// From the start of the scenario, where the simulator is put first.
Run drive(compile::PreparedRun& p, const step::VehicleState& start, double duration,
          double interval, const std::vector<std::string>& channels, double tolerance,
          const std::function<bool()>& stop) {
  p.simulator->set_state(start);
  record::RecorderOptions recording;
  recording.step = p.scenario.step;
  recording.interval = record::nearest_interval(p.scenario.step, interval);
  recording.duration = duration;
  recording.channels = channels;
  if (p.model->reference) recording.body = p.model->reference->coordinates;
  record::Recorder recorder(*p.simulator, p.track, recording);
  record::Tally tally(*p.simulator);
  record::DriveOptions options;
  options.step = p.scenario.step;
  options.duration = duration;
  options.method.set_projections(step::Projections::full);  // whose number is shown
  options.method.phi_tolerance = tolerance;
  options.inputs = [&](step::Simulator&, double t) { p.instance->set_inputs(t); };
  options.stop = stop;
  record::RunSummary summary = record::drive(*p.simulator, recorder, tally, options);
  if (summary.end == record::RunEnd::stopped) base::fail("stopped; nothing was written");
  if (summary.end != record::RunEnd::completed)
    base::fail("the article's run did not reach its end: {}", summary.message);
  return {recorder.recording(), std::move(summary)};
}

constexpr double narrow_tolerance = 1e-8;  // m, of phi_n with full projections

Column column(const record::Recording& r, std::string_view name) {
  const std::span<const double> c = r.column(name);
  return {c.begin(), c.end()};
}
Column of_wheel(const record::Recording& r, const std::string& channel, double factor = 1) {
  Column c = column(r, channel + "." + wheel);
  for (double& x : c) x *= factor;
  return c;
}

// where a function of the row is largest, among rows for which `within` holds; -1: there are none
std::ptrdiff_t largest(std::size_t rows, const std::function<bool(std::size_t)>& within,
                       const std::function<double(std::size_t)>& value) {
  std::ptrdiff_t best = -1;
  for (std::size_t i = 0; i < rows; ++i) {
    if (!within(i)) continue;
    if (best < 0 || value(i) > value(static_cast<std::size_t>(best)))
      best = static_cast<std::ptrdiff_t>(i);
  }
  return best;
}

report::Plot chart(std::string title, std::string x, std::string y, double height) {
  report::Plot plot;
  plot.title = std::move(title), plot.x_label = std::move(x), plot.y_label = std::move(y);
  plot.height = height;
  return plot;
}

std::string missing(double t_end) {
  return fmt::format(
      "The run was cut at {:g} s, so this part is missing; run 'klingel paper' without --quick to "
      "get it.",
      t_end);
}

// How far the body is from the middle of the track, left positive, m.
Column off_centre(const compile::PreparedRun& p, const record::Recording& r) {
  const Column s = column(r, "s"), x = column(r, "body.x"), y = column(r, "body.y");
  Column list;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const track::TrackFrame f = p.track.frame(s[i]);
    list.push_back(-std::sin(f.heading) * (x[i] - f.origin.x) +
                   std::cos(f.heading) * (y[i] - f.origin.y));
  }
  return list;
}

// Amplitude of the wave of this length in y(s), after mean and slope are taken away.
double amplitude(const Column& s, const Column& y, double length) {
  // least squares with 1, s, cos, sin: normal equations by elimination
  double A[4][5] = {};
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double at = 2 * std::numbers::pi * s[i] / length;
    const double row[5] = {1, (s[i] - s[0]) / (s.back() - s[0]), std::cos(at), std::sin(at), y[i]};
    for (int k = 0; k < 4; ++k)
      for (int j = 0; j < 5; ++j) A[k][j] += row[k] * row[j];
  }
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) {
      if (j == k) continue;
      const double f = A[j][k] / A[k][k];
      for (int c = k; c < 5; ++c) A[j][c] -= f * A[k][c];
    }
  return std::hypot(A[2][4] / A[2][2], A[3][4] / A[3][3]);
}

void add_path(PaperContents& contents, const Run& run) {
  const record::Recording& r = run.recording;
  const Column x = column(r, "body.x"), y = column(r, "body.y"), z = column(r, "body.z");
  report::Plot plan = chart("path in plan", "x, m", "y, m", 260);
  plan.series = {{"", x, y}};
  report::Plot height = chart("path from the side", "x, m", "z, m", 260);
  height.series = {{"", x, z}};
  const report::Plot plots[] = {plan, height};

  constexpr double offset = 50, wave = 10;  // m, of the article
  constexpr double play = 0.05;             // m
  report::PaperPart part;
  part.id = "fig:xzmainbody2";
  part.title = "Trajectories of the vehicle body";
  part.article = fmt::format(
      "x-y and x-z of the centre of the vehicle body: {} m to the side over 270 m, and vertical "
      "oscillations; at the beginning they come in part from a start that is not in equilibrium. "
      "The irregularities have a wavelength of {} m.",
      offset, wave);
  part.ours = report::svg(plots);
  part.criterion = fmt::format(
      "Agrees if the body ends within {:g} mm of the article's offset, the lateral play that "
      "clearance between the rails and a soft suspension allow, and if on the last straight the "
      "strongest wave of its height is that of the irregularity.",
      1e3 * play);
  const Column s = column(r, "s");
  Column s_end, z_end;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s[i] > last_curve + 20) s_end.push_back(s[i]), z_end.push_back(z[i]);
  if (s.back() < last_curve + 60) {
    part.verdict = missing(run.summary.t_end);
  } else {
    const double got = y.back(), share = amplitude(s_end, z_end, wave);
    double other = 0;
    for (double length = 5; length < 40; length += 0.5)
      if (std::abs(length - wave) > 2) other = std::max(other, amplitude(s_end, z_end, length));
    const bool agrees = std::abs(got - offset) < play && share > other;
    part.agreement = agrees ? Agreement::agrees : Agreement::differs;
    part.verdict = fmt::format(
        "Our body ends {:.3f} m to the side, {:.0f} mm from the article's {} m, at x = {:.0f} m. "
        "On the last straight its height moves by ±{:.2f} mm at the irregularity's wavelength of "
        "{} m, and by at most ±{:.2f} mm at any other wavelength up to 40 m. Its speed changes "
        "from "
        "{:.2f} to {:.2f} m/s.",
        got, 1e3 * std::abs(got - offset), offset, x.back(), 1e3 * share, wave, 1e3 * other,
        r.column("speed").front(), r.column("speed").back());
  }
  contents.add(std::move(part), {{"path.csv", record::csv(r)}, {"path.svg", report::svg(plots)}});
}

void add_hunting(PaperContents& contents, const compile::PreparedRun& p, const Run& run) {
  const record::Recording& r = run.recording;
  const Column x = column(r, "body.x"), y = column(r, "body.y"), s = column(r, "s"),
               off = off_centre(p, r);
  report::Plot zoom = chart("end of the second curve", "x, m", "y, m", 260);
  report::Plot beside =
      chart("the same, relative to the centre line of the track", "x, m", "mm", 260);
  Column x_end, y_end, off_end, s_straight, off_straight;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] < last_curve - 30) continue;
    x_end.push_back(x[i]), y_end.push_back(y[i]), off_end.push_back(1e3 * off[i]);
    if (s[i] > last_curve + 5) s_straight.push_back(s[i]), off_straight.push_back(1e3 * off[i]);
  }
  zoom.series = {{"", x_end, y_end}};
  beside.series = {{"", x_end, off_end}};
  const report::Plot plots[] = {zoom, beside};
  report::PaperPart part;
  part.id = "fig:hunting";
  part.title = "Hunting in detail";
  part.article =
      "A detail of the path where the vehicle leaves the second curve. It shows two oscillations: "
      "hunting with the longer wavelength, and a shorter one from the irregularities.";
  part.ours = report::svg(plots);
  constexpr double visible = 0.02;
  part.criterion = fmt::format(
      "Agrees if there are two distinct waves: one of at least 15 m, and that of the irregularity, "
      "neither below {:g} % of the other, which is a few pixels in the figure. The article gives "
      "no numbers.",
      100 * visible);
  if (s.back() < last_curve + 60) {
    part.verdict = missing(run.summary.t_end);
  } else {
    const double wave = 10, at_wave = amplitude(s_straight, off_straight, wave);
    const double most = s_straight.back() - s_straight.front();
    double length = 0, hunting = 0;
    for (double l = 15; l < most; l += 0.5) {
      const double a = amplitude(s_straight, off_straight, l);
      if (a > hunting) hunting = a, length = l;
    }
    const bool two = hunting > visible * at_wave && at_wave > visible * hunting;
    part.agreement = two ? Agreement::agrees : Agreement::differs;
    part.verdict = fmt::format(
        "Over {:.0f} m of straight after the curve the strongest long wave of the body's lateral "
        "motion has a wavelength of {:.1f} m and ±{:.2f} mm; at the irregularity's wavelength of "
        "{} m it moves by ±{:.2f} mm: {}.",
        most, length, hunting, wave, at_wave,
        two ? "two oscillations, as in the article, and the longer one is hunting"
            : "one of the two is hardly visible");
  }
  contents.add(std::move(part), {{"hunting.svg", report::svg(plots)}});
}

void add_creep(PaperContents& contents, const compile::PreparedRun& p, const Run& run) {
  const record::Recording& r = run.recording;
  const Column t = column(r, "t"), speed = column(r, "speed"), curvature = column(r, "curvature");
  const auto velocity = [&](const char* channel) {
    Column c = of_wheel(r, channel);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] *= speed[i];
    return c;
  };
  report::Plot slip = chart("creep velocities, tread", "t, s", "m/s", 250);
  slip.series = {{"along", t, velocity("xi_x")}, {"across", t, velocity("xi_y")}};
  report::Plot spin = chart("spin velocity, tread", "t, s", "rad/s", 220);
  spin.series = {{"", t, velocity("spin")}};
  report::Plot force = chart("creep forces on the wheel", "t, s", "kN", 280);
  const Column fx = of_wheel(r, "fx", 1e-3), fy = of_wheel(r, "fy", 1e-3);
  const Column fxf = of_wheel(r, "fxf", 1e-3), fyf = of_wheel(r, "fyf", 1e-3);
  force.series = {{"along, tread", t, fx},
                  {"across, tread", t, fy},
                  {"along, flange", t, fxf, report::Style::dashed},
                  {"across, flange", t, fyf, report::Style::dashed}};
  report::Plot moment = chart("spin moment, tread", "t, s", "N m", 220);
  moment.series = {{"", t, of_wheel(r, "mz")}};
  const report::Plot plots[] = {slip, spin, force, moment};

  constexpr double first = 5, second = 10, straight = 15;  // s, of the article
  report::PaperPart part;
  part.id = "fig:kalkerforces";
  part.title = "Creep velocities and forces of the rear bogie's front right wheel";
  part.article = fmt::format(
      "Creep velocities, forces and spin moment over time: largest in the middle of the curves, "
      "t ≈ {} s and t ≈ {} s, with small fluctuations from the irregularities on the last "
      "straight, "
      "t > {} s. Linear Kalker, one contact point.",
      first, second, straight);
  part.ours = report::svg(plots);
  constexpr double about = 1, quiet = 0.5;  // s; share
  const Column flange = of_wheel(r, "Nf", 1e-3);
  part.criterion = fmt::format(
      "Agrees if both largest creep velocities come within {:g} s of the article's times, which "
      "are rounded (\"≈\") and read from a chart of 18 s, and if on the last straight they stay "
      "below {:g} % of those in the curves, so that the curves are visible in the chart.",
      about, 100 * quiet);
  if (t.back() < straight + 1) {
    part.verdict = missing(run.summary.t_end);
  } else {
    // means over a second, so that the irregularity does not choose the instant
    const auto reach = static_cast<std::size_t>(std::lround(0.5 / (t[1] - t[0])));
    const auto mean = [&](const Column& a, const Column& b, std::size_t i) {
      double sum = 0;
      const std::size_t begin = i < reach ? 0 : i - reach, end = std::min(t.size(), i + reach + 1);
      for (std::size_t k = begin; k < end; ++k) sum += std::hypot(a[k], b[k]);
      return sum / static_cast<double>(end - begin);
    };
    const Column &along = slip.series[0].y, &across = slip.series[1].y, s = column(r, "s");
    const double middle = (first_curve + last_curve) / 2;  // between the curves
    const auto peak = [&](double from, double to, const std::function<double(std::size_t)>& value) {
      return static_cast<std::size_t>(largest(
          t.size(), [&](std::size_t k) { return s[k] > from && s[k] < to; }, value));
    };
    const auto slipping = [&](std::size_t k) { return mean(along, across, k); };
    const auto bend = [&](std::size_t k) { return std::abs(curvature[k]); };
    const std::size_t i1 = peak(first_curve, middle, slipping),
                      i2 = peak(middle, last_curve, slipping);
    const std::size_t c1 = peak(first_curve, middle, bend), c2 = peak(middle, last_curve, bend);
    const auto pulling = [&](std::size_t k) { return mean(fx, fy, k); };
    const std::size_t f1 = peak(first_curve, middle, pulling),
                      f2 = peak(middle, last_curve, pulling);
    const std::size_t i3 = peak(last_curve + 10, s.back(), slipping);
    const bool lower = slipping(i3) < quiet * std::min(slipping(i1), slipping(i2));
    const bool agrees =
        std::abs(t[i1] - first) < about && std::abs(t[i2] - second) < about && lower;
    part.agreement = agrees ? Agreement::agrees : Agreement::differs;
    part.verdict = fmt::format(
        "Averaged over a second, our creep velocities are largest at t = {:.1f} s ({:.0f} mm/s, "
        "creep force of the tread {:.1f} kN) and {:.1f} s ({:.0f} mm/s, {:.1f} kN): {:.1f} and "
        "{:.1f} s from the article's times{}, {:.1f} and {:.1f} s from the maximum "
        "curvature of our track. "
        "On the last straight they stay below {:.0f} mm/s{}. Creep forces of the tread are largest "
        "at {:.1f} and {:.1f} s; the largest force on the flange is {:.1f} kN.",
        t[i1], 1e3 * slipping(i1), mean(fx, fy, i1), t[i2], 1e3 * slipping(i2), mean(fx, fy, i2),
        std::abs(t[i1] - first), std::abs(t[i2] - second),
        agrees || !lower ? "" : fmt::format(", more than {:g} s", about), std::abs(t[i1] - t[c1]),
        std::abs(t[i2] - t[c2]), 1e3 * slipping(i3),
        lower ? fmt::format(", less than {:g} % of that in the curves", 100 * quiet)
              : fmt::format(", not less than {:g} % of that in the curves", 100 * quiet),
        t[f1], t[f2], *std::max_element(flange.begin(), flange.end()));
  }
  part.note = fmt::format(
      "Our creep law is '{}'{}, and the article gives no formula for its track: the magnitudes of "
      "the forces cannot be compared.",
      p.scenario.law, p.scenario.flange ? ", with a second point at the flange" : "");
  contents.add(std::move(part), {{"creep.svg", report::svg(plots)}});
}

// Steps by their number of iterations, as shares in %.
double share(const std::vector<std::int64_t>& steps, std::size_t most) {
  std::int64_t all = 0, few = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) all += steps[i], few += i <= most ? steps[i] : 0;
  return all > 0 ? 100 * static_cast<double>(few) / static_cast<double>(all) : 0;
}

void add_newton(PaperContents& contents, const Run& tight, const Run& loose, double tolerance) {
  const record::Recording& r = loose.recording;
  const Column t = column(r, "t"), s = column(r, "s");
  const Column q_steps = column(r, "newton_q"), s_steps = column(r, "newton_s");
  // thousands of steps in a picture: means over windows
  constexpr std::size_t window = 50;
  const auto means = [&](const Column& steps, const char* of) {
    Column at, mean;
    for (std::size_t i = 0; i + window <= steps.size(); i += window) {
      const auto from = steps.begin() + static_cast<std::ptrdiff_t>(i);
      at.push_back(t[i + window / 2]);
      mean.push_back(std::accumulate(from, from + window, 0.0) / window);
    }
    report::Plot plot =
        chart(fmt::format("corrections of {}, means of {} steps", of, window), "t, s", "", 240);
    plot.series = {{"", at, mean}};
    return plot;
  };
  const report::Plot of_s = means(s_steps, "s (the wheel with the most)"),
                     of_q = means(q_steps, "q");
  const report::Plot plots[] = {of_s, of_q};
  double curve = 0, straight = 0, in_curve = 0, on_straight = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool inside = s[i] > first_curve && s[i] < last_curve;
    (inside ? curve : straight) += s_steps[i];
    (inside ? in_curve : on_straight) += 1;
  }
  report::PaperPart part;
  part.id = "fig:nriter";
  part.title = "Newton iterations";
  part.article = fmt::format(
      "Iterations of the projections of q and s over time at a tolerance of {:g}: one for q, one "
      "for s as well thanks to the predictor s + h ds, more only in the curves.",
      tolerance);
  part.ours = report::svg(plots);
  const double q1 = share(loose.summary.newton_q, 1), s1 = share(loose.summary.newton_s, 1);
  const double mean_curve = in_curve > 0 ? curve / in_curve : 0,
               mean_straight = on_straight > 0 ? straight / on_straight : 0;
  const bool all = s.back() > last_curve;
  constexpr double nearly_all = 99, most = 50;  // %
  const bool agrees = q1 > nearly_all && s1 > most && mean_curve > mean_straight;
  part.criterion = fmt::format(
      "Agrees if {:g} % of the steps take at most one correction of q and more than {:g} % at most "
      "one of s, and if there are more corrections of s in the curves than on the straights. This "
      "is the article's statement, with a margin for single steps at the flange.",
      nearly_all, most);
  part.agreement = !all ? Agreement::open : agrees ? Agreement::agrees : Agreement::differs;
  part.verdict =
      fmt::format(
          "At the article's tolerance {:.1f} % of our steps take at most one correction of q and "
          "{:.1f} % at most one of s (of the wheel with the most; the maximum is {}). The mean for "
          "s is {:.2f} in the curves and {:.2f} on the straights{}. At our default tolerance of "
          "{:g} m the shares are {:.1f} % and {:.1f} %, and {:.1f} % of the steps take at most two "
          "corrections of s.",
          q1, s1, *std::max_element(s_steps.begin(), s_steps.end()), mean_curve, mean_straight,
          !all                         ? ""
          : mean_curve > mean_straight ? ": more in the curves, as in the article"
                                       : ": not more in the curves, unlike the article",
          narrow_tolerance, share(tight.summary.newton_q, 1), share(tight.summary.newton_s, 1),
          share(tight.summary.newton_s, 2)) +
      (all ? "" : " " + missing(loose.summary.t_end));
  contents.add(std::move(part),
               {{"newton.csv", record::csv(r)}, {"newton.svg", report::svg(plots)}});
}

}  // namespace

void add_paper_run(PaperContents& contents, compile::PreparedRun& p, double duration) {
  const step::VehicleState start = p.simulator->state();
  std::vector<std::string> channels = {"t", "s", "curvature", "body.*", "speed"};
  for (const char* c : {"xi_x", "xi_y", "spin", "fx", "fy", "mz", "fxf", "fyf", "mzf", "N", "Nf"})
    channels.push_back(fmt::format("{}.{}", c, wheel));
  const Run usual = drive(p, start, duration, 0.01, channels, narrow_tolerance, contents.stop);
  constexpr double tolerance = 1e-6;  // of the article
  const Run loose = drive(p, start, duration, p.scenario.step, {"t", "s", "newton_q", "newton_s"},
                          tolerance, contents.stop);
  p.simulator->set_state(start);
  add_path(contents, usual);
  add_hunting(contents, p, usual);
  add_creep(contents, p, usual);
  add_newton(contents, usual, loose, tolerance);
  add_paper_times(contents, p, usual.summary);
  p.simulator->set_state(start);
  p.instance->set_inputs(0);
}

}  // namespace klingel::paper
