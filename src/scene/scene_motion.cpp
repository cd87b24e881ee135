#include "scene/scene_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mech/kinematics.hpp"
#include "scene/scene.hpp"

namespace klingel::scene {
namespace {

using spline::Axes;
using spline::Vec3;
using sym::Expr;

constexpr const char* floor_names[] = {"front", "middle", "rear"};
constexpr const char* axis_names[] = {"x", "y", "z"};

void append(std::vector<Expr>& list, const mech::Vector& u, mech::Model& m) {
  const mech::Vector in_ground = mech::in_base(u, m.ground_base());
  list.insert(list.end(), in_ground.c.begin(), in_ground.c.end());
}

// r of the point, then the axes of the base, components in the ground
void append_frame(std::vector<Expr>& list, mech::Point point, mech::Base base, mech::Model& m) {
  append(list, mech::position(m.origin(), point), m);
  for (int axis = 0; axis < 3; ++axis) append(list, m.axis_vector(base, axis), m);
}

Vec3 vec(std::span<const double> v) { return {v[0], v[1], v[2]}; }

}  // namespace

std::vector<std::size_t> wheelsets_under(const compile::PreparedRun& p, const std::string& body) {
  const vehicle::Unit* unit = vehicle::unit_of(p.vehicle, body);
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < p.model->wheelsets.size(); ++k)
    if (vehicle::unit_of(p.vehicle, p.model->wheelsets[k].name) == unit) list.push_back(k);
  return list;
}

CoordinateFunctions::CoordinateFunctions(mech::Model& model, std::span<const Expr> functions,
                                         bool rates) {
  std::vector<Expr> leaves;
  for (const sym::Coordinate& c : model.coordinates()) leaves.push_back(c.q);
  if (rates)
    for (const sym::Coordinate& c : model.coordinates()) leaves.push_back(c.dq);
  const std::size_t moving = leaves.size();
  for (const Expr& p : model.parameters()) leaves.push_back(p);
  in_.resize(leaves.size());
  for (std::size_t i = moving; i < leaves.size(); ++i) in_[i] = sym::value(leaves[i]);
  tape_ = std::make_unique<sym::Tape>(leaves, functions);
  out_.resize(tape_->outputs());
  registers_.resize(tape_->registers());
}

std::span<const double> CoordinateFunctions::at(std::span<const double> q,
                                                std::span<const double> dq) {
  std::copy(q.begin(), q.end(), in_.begin());
  std::copy(dq.begin(), dq.end(), in_.begin() + static_cast<std::ptrdiff_t>(q.size()));
  tape_->run(in_.data(), out_.data(), registers_.data());
  return out_;
}

ScenePoses::ScenePoses(const compile::PreparedRun& p) : wheelsets_(p.model->wheelsets.size()) {
  mech::Model& m = p.model->mechanics;
  std::vector<Expr> functions;
  for (const model::WheelsetPlace& w : p.model->wheelsets) {
    names_.push_back(w.name);
    append_frame(functions, w.centre, w.spinning, m);
  }
  for (const model::WheelsetPlace& w : p.model->wheelsets) {
    names_.push_back(w.name + ".still");
    append_frame(functions, w.centre, w.still, m);
  }
  for (const mech::Body& b : m.bodies()) {
    names_.push_back(b.name);
    append_frame(functions, b.point, b.base, m);
  }
  names_.push_back("ground");
  poses_.resize(names_.size());
  functions_ = std::make_unique<CoordinateFunctions>(m, functions, false);
}

std::span<const ScenePoses::Pose> ScenePoses::at(std::span<const double> q) {
  const std::span<const double> v = functions_->at(q);
  for (std::size_t i = 0; i + 1 < poses_.size(); ++i) {
    const std::span<const double> one = v.subspan(12 * i, 12);
    poses_[i] = {vec(one), {vec(one.subspan(3)), vec(one.subspan(6)), vec(one.subspan(9))}};
  }
  return poses_;
}

std::array<double, 7> place_and_turn(const ScenePoses::Pose& pose, const double* before) {
  const Axes& R = pose.axes;
  // the largest of the four first: dividing by a small one would lose digits
  const double trace = R.x.x + R.y.y + R.z.z;
  std::array<double, 4> e = {1 + trace, 1 + 2 * R.x.x - trace, 1 + 2 * R.y.y - trace,
                             1 + 2 * R.z.z - trace};
  const std::size_t k = static_cast<std::size_t>(std::max_element(e.begin(), e.end()) - e.begin());
  const double f = std::sqrt(std::max(e[k], 1e-300)) * 2;
  const double x = R.y.z - R.z.y, y = R.z.x - R.x.z, z = R.x.y - R.y.x;
  const double xy = R.x.y + R.y.x, xz = R.x.z + R.z.x, yz = R.y.z + R.z.y;
  const std::array<double, 4> rows[] = {
      {f * f / 4, x, y, z}, {x, f * f / 4, xy, xz}, {y, xy, f * f / 4, yz}, {z, xz, yz, f * f / 4}};
  e = rows[k];
  for (double& v : e) v /= f;
  e[k] = f / 4;
  if (before != nullptr) {
    double same = 0;
    for (std::size_t i = 0; i < 4; ++i) same += e[i] * before[i];
    if (same < 0)
      for (double& v : e) v = -v;
  }
  return {pose.r.x, pose.r.y, pose.r.z, e[0], e[1], e[2], e[3]};
}

std::array<double, 3> wheel_in_section(const compile::PreparedRun& p, std::size_t wheel,
                                       const ScenePoses::Pose& still, double s_r) {
  const step::WheelData& w = p.simulator->data().wheels[wheel];
  const track::RailLine& line = w.side == profile::Side::left ? p.track.left : p.track.right;
  const track::RailSection at = section(line, std::clamp(s_r, line.begin(), line.end()));
  const Vec3 r = still.r + w.y_w * still.axes.y - at.origin;
  const Vec3& y = still.axes.y;
  return {dot(at.axes.y, r), dot(at.axes.z, r), std::atan2(dot(at.axes.z, y), dot(at.axes.y, y))};
}

record::SceneMotion scene_motion(const compile::PreparedRun& p, ScenePoses& poses,
                                 const record::Recording& recording) {
  const std::vector<std::string>& names = p.simulator->coordinate_names();
  const std::vector<step::WheelData>& wheels = p.simulator->data().wheels;
  std::vector<std::span<const double>> q_columns, s_r;
  for (const std::string& name : names) q_columns.push_back(recording.column("q." + name));
  for (const step::WheelData& w : wheels) s_r.push_back(recording.column("s_r." + w.name));

  record::SceneMotion motion;
  motion.frames.resize(poses.names().size());
  motion.wheels.resize(wheels.size());
  std::vector<double> q(names.size());
  std::vector<std::array<double, 7>> last(motion.frames.size());
  for (std::size_t row = 0; row < recording.rows(); ++row) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = q_columns[i][row];
    const std::span<const ScenePoses::Pose> at = poses.at(q);
    for (std::size_t i = 0; i < at.size(); ++i) {
      last[i] = place_and_turn(at[i], row > 0 ? last[i].data() + 3 : nullptr);
      for (std::size_t k = 0; k < 7; ++k) motion.frames[i][k].push_back(last[i][k]);
    }
    for (std::size_t i = 0; i < wheels.size(); ++i) {
      const std::array<double, 3> place =
          wheel_in_section(p, i, at[poses.still_frame(wheels[i].wheelset)], s_r[i][row]);
      for (std::size_t k = 0; k < 3; ++k) motion.wheels[i][k].push_back(place[k]);
    }
  }
  return motion;
}

FloorMotion::FloorMotion(const compile::PreparedRun& p, double step, double duration)
    : every_(static_cast<std::size_t>(std::clamp(std::round(0.005 / step), 1.0, 1e9))),
      interval_(step * static_cast<double>(every_)) {
  if (const std::optional<mech::Vector>& g = p.model->mechanics.gravity())
    gravity_ = {sym::value(g->c[0]), sym::value(g->c[1]), sym::value(g->c[2])};
  ScenePoses poses(p);
  std::vector<Expr> functions;
  add_floor(p, poses, duration, functions);
  add_bogies(p, poses, functions);
  if (functions.empty()) return;
  functions_ = std::make_unique<CoordinateFunctions>(p.model->mechanics, functions, true);
  before_.resize(functions.size());
}

// v_P = v + w x r of every point, then the axes of the body
void FloorMotion::add_floor(const compile::PreparedRun& p, ScenePoses& poses, double duration,
                            std::vector<Expr>& functions) {
  if (!p.model->reference) return;
  mech::Model& m = p.model->mechanics;
  const model::ReferenceBody& body = *p.model->reference;
  // over the outer thirds of the wheelsets and half-way between, at the height of the body's point
  std::vector<double> x;
  const std::vector<double>& q = p.simulator->state().q;
  const std::span<const ScenePoses::Pose> at = poses.at(q);
  std::size_t index = 0;
  for (std::size_t i = 0; i < m.bodies().size(); ++i)
    if (m.bodies()[i].name == body.name) index = i;
  const ScenePoses::Pose& reference = at[poses.body_frame(index)];
  for (const std::size_t k : wheelsets_under(p, body.name))
    x.push_back(dot(reference.axes.x, at[poses.still_frame(k)].r - reference.r));
  if (x.empty()) return;
  std::sort(x.begin(), x.end());
  const std::size_t few = (x.size() + 1) / 2;
  double rear = 0, front = 0;
  for (std::size_t i = 0; i < few; ++i) {
    rear += x[i] / static_cast<double>(few);
    front += x[x.size() - 1 - i] / static_cast<double>(few);
  }

  // a single wheelset has one point
  std::vector<double> places = {front, (front + rear) / 2, rear};
  if (front - rear < 0.1) places = {front};
  // ride indices are those of the first half hour
  constexpr double longest = 1800;  // s
  const auto rows = static_cast<std::size_t>(std::min(duration, longest) / interval_) + 2;
  for (std::size_t i = 0; i < places.size(); ++i) {
    assess::FloorPoint point{places.size() > 1 ? floor_names[i] : "middle", {places[i], 0, 0}, {}};
    for (std::vector<double>& a : point.acceleration) a.reserve(rows);
    floor_.emplace_back(point.name, point.place, interval_);
    points_.push_back(std::move(point));
    const mech::Vector r = m.vector(body.base, places[i], 0, 0);
    const mech::Vector v = mech::velocity(m.ground(), body.point);
    append(functions, v + mech::cross(mech::angular_velocity(m.ground_base(), body.base), r), m);
  }
  for (int axis = 0; axis < 3; ++axis) append(functions, m.axis_vector(body.base, axis), m);
}

// v of every frame's point and its lateral axis
void FloorMotion::add_bogies(const compile::PreparedRun& p, ScenePoses& poses,
                             std::vector<Expr>& functions) {
  mech::Model& m = p.model->mechanics;
  for (const std::size_t i : bogie_bodies(p, poses)) {
    const mech::Body& body = m.bodies()[i];
    append(functions, mech::velocity(m.ground(), body.point), m);
    append(functions, m.axis_vector(body.base, 1), m);
    bogies_.emplace_back(body.name, interval_);
  }
}

void FloorMotion::add(const step::Simulator& simulator) {
  if (!functions_ || count_++ % every_ != 0) return;
  const step::VehicleState& state = simulator.state();
  const std::span<const double> v = functions_->at(state.q, state.dq);
  if (count_ > 1) {
    const double t = state.t - interval_ / 2;
    // what an accelerometer feels: the change of velocity less gravity
    const auto felt = [&](std::size_t i) {
      return (1 / interval_) * (vec(v.subspan(i)) - vec(std::span(before_).subspan(i))) - gravity_;
    };
    const double rest = norm(gravity_);
    std::size_t at = 3 * points_.size();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 a = felt(3 * i);
      std::array<double, 3> along{};
      for (std::size_t k = 0; k < 3; ++k) along[k] = dot(vec(v.subspan(at + 3 * k)), a);
      along[2] -= rest;
      floor_[i].add(t, along[1], along[2]);
      auto& kept = points_[i].acceleration;
      for (std::size_t k = 0; k < 3; ++k)
        if (kept[k].size() < kept[k].capacity()) kept[k].push_back(along[k]);
    }
    if (!points_.empty()) at += 9;
    for (assess::BogieAssessor& bogie : bogies_) {
      bogie.add(t, dot(vec(v.subspan(at + 3)), felt(at)));
      at += 6;
    }
  }
  std::copy(v.begin(), v.end(), before_.begin());
}

void FloorMotion::assess(assess::Assessment& a) const {
  for (const assess::FloorAssessor& f : floor_) a.accelerations.push_back(f.assessment());
  for (const assess::BogieAssessor& b : bogies_) a.bogies.push_back(b.assessment());
}

record::Recording with_floor(const record::Recording& recording, const FloorMotion& floor) {
  std::vector<record::Channel> channels = recording.channels();
  std::vector<std::vector<double>> columns;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::span<const double> column = recording.column(i);
    columns.emplace_back(column.begin(), column.end());
  }
  const std::span<const double> t = recording.column("t");
  for (const assess::FloorPoint& point : floor.points()) {
    const std::size_t count = point.acceleration[0].size();
    if (count == 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      channels.push_back({std::string("a_") + axis_names[k] + "." + point.name, "m/s2",
                          std::string("acceleration of the floor along ") + axis_names[k] +
                              " of the body as an accelerometer shows it, " + point.name});
      std::vector<double>& column = columns.emplace_back();
      for (std::size_t i = 0; i < t.size(); ++i) {
        // from half a row before to half a row after
        const double before = i > 0 ? (t[i] + t[i - 1]) / 2 : t[i];
        const double after = i + 1 < t.size() ? (t[i] + t[i + 1]) / 2 : t[i];
        const auto cell = [&](double time) {
          const double n = std::floor((time - t[0]) / floor.interval() + 1e-6);
          return static_cast<std::size_t>(std::clamp(n, 0.0, static_cast<double>(count - 1)));
        };
        // beyond what was kept
        if (before - t[0] > floor.interval() * static_cast<double>(count + 1)) {
          column.push_back(std::numeric_limits<double>::quiet_NaN());
          continue;
        }
        const std::size_t first = cell(before), last = std::max(first, cell(after - 1e-9));
        double sum = 0;
        for (std::size_t j = first; j <= last; ++j) sum += point.acceleration[k][j];
        column.push_back(sum / static_cast<double>(last - first + 1));
      }
    }
  }
  return {std::move(channels), columns, recording.notes};
}

}  // namespace klingel::scene
