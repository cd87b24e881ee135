#include "cli/mode_page.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "cli/page_file.hpp"
#include "record/summary.hpp"
#include "scene/scene.hpp"
#include "scene/scene_motion.hpp"

namespace klingel::cli {
namespace {

constexpr double view = 60;  // m of track before and behind
constexpr int periods = 12;

void check_straight(const track::Track& track, double position) {
  for (double s = position - view / 2; s <= position + view / 2; s += 1) {
    const double at = std::clamp(s, track.begin(), track.end());
    if (std::abs(track.frame(at).curvature) < 1e-6) continue;
    base::fail(
        "--page shows modes on straight track, and '{}' is curved at {:g} m; give the vehicle "
        "instead of the scenario",
        track.name, at);
  }
}

// The coordinates over the periods.
record::Recording swinging(const compile::PreparedRun& p, const stability::Mode& mode,
                           const Eigen::VectorXd& q) {
  const start::Start& start = p.description->start;
  const std::vector<std::string>& names = p.simulator->coordinate_names();
  const std::vector<step::WheelData>& wheels = p.simulator->data().wheels;
  std::vector<record::Channel> channels{{"t", "s", "time"}, {"s", "m", "place along the track"}};
  for (const std::string& name : names) channels.push_back({"q." + name, "", "coordinate"});
  for (const step::WheelData& w : wheels)
    channels.push_back({"s_r." + w.name, "m", "place of the tread point along the rail"});

  constexpr int per_period = 50;
  constexpr double amplitude = 0.01;
  record::Recording rows(channels, periods * per_period + 1);
  runtime::KernelSet kernels(*p.description->data.vehicle);
  for (int i = 0; i <= periods * per_period; ++i) {
    const double phase = 2 * std::numbers::pi * i / per_period;
    std::vector<double> row{i / (per_period * mode.frequency()), start.position}, now;
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      const std::complex<double> turned = mode.shape[k] * std::polar(1.0, phase);
      now.push_back(q[k] + amplitude * turned.real());
    }
    for (const start::BodyCoordinates& b : start.grounded) now[*b[0]] += start.position;
    row.insert(row.end(), now.begin(), now.end());
    kernels.set(kernels.input("q"), now);
    const std::span<const double> poses = kernels.evaluate(kernels.function("pose"));
    for (const step::WheelData& w : wheels) row.push_back(poses[12 * w.wheelset]);
    rows.add(row);
  }
  return rows;
}

}  // namespace

void write_mode_page(compile::CompiledVehicle vehicle, const stability::Mode& mode,
                     const Eigen::VectorXd& q, double speed, const std::string& path) {
  compile::PreparedRun p(std::move(vehicle));
  const double position = p.description->start.position;
  check_straight(p.track, position);
  p.instance->start();  // the scene is drawn where the vehicle stands
  const record::Recording rows = swinging(p, mode, q);
  scene::ScenePoses poses(p);
  const record::Scene picture = scene::scene(p, poses, position - view, position + view);
  const record::SceneMotion motion = scene::scene_motion(p, poses, rows);
  record::RunSummary summary;
  summary.vehicle = p.vehicle.name;
  summary.scenario =
      fmt::format("mode of {:.2f} Hz, damping {:.3f}, at {:g} m/s; without growth, 10 mm or mrad",
                  mode.frequency(), mode.damping(), speed);
  summary.track = p.track.name;
  summary.law = p.scenario.law;
  summary.t_end = periods / mode.frequency();
  write_page(report::page_recording(rows, record::summary_json(summary), &picture, &motion), path);
}

}  // namespace klingel::cli
