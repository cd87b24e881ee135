#include "scene/run_page.hpp"

#include <algorithm>

#include "report/page_recording.hpp"
#include "scene/scene.hpp"

namespace klingel::scene {

void RunPage::assess(assess::Assessment& a) const {
  for (const assess::FloorPoint& point : floor_.points())
    if (point.acceleration[0].size() >= 4)
      a.ride.push_back(assess::assess_ride(point, floor_.interval()));
  floor_.assess(a);
  set_nadal_limit(p_, a);
}

std::string RunPage::recording(const record::Recording& recording,
                               const record::RunSummary& summary) {
  // the track that was run over, and something to see before and behind
  constexpr double view = 60;  // m
  const std::span<const double> s = recording.column("s");
  double first = s.empty() ? 0 : s[0], last = first;
  for (const double value : s) first = std::min(first, value), last = std::max(last, value);
  const record::Scene picture = scene(p_, poses_, first - view, last + view);
  const record::SceneMotion motion = scene_motion(p_, poses_, recording);
  return report::page_recording(with_floor(recording, floor_), record::summary_json(summary),
                                &picture, &motion);
}

record::Recording part(const record::Recording& recording,
                       const std::vector<record::Channel>& channels) {
  std::vector<std::vector<double>> columns;
  for (const record::Channel& c : channels) {
    const std::span<const double> column = recording.column(c.name);
    columns.emplace_back(column.begin(), column.end());
  }
  return {channels, columns, recording.notes};
}

}  // namespace klingel::scene
