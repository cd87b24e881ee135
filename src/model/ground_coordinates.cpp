#include "model/ground_coordinates.hpp"

#include <algorithm>

namespace klingel::model {
namespace {

enum { x, y, z, roll, pitch, yaw };

std::optional<std::size_t> index_of_q(const mech::Model& m, sym::Expr e) {
  for (std::size_t i = 0; i < m.coordinates().size(); ++i)
    if (m.coordinates()[i].q == e) return i;
  return std::nullopt;
}

std::optional<std::size_t> index_of_dq(const mech::Model& m, sym::Expr e) {
  for (std::size_t i = 0; i < m.coordinates().size(); ++i)
    if (m.coordinates()[i].dq == e) return i;
  return std::nullopt;
}

void add_place(const mech::Model& m, std::uint32_t point, GroundedBody& body) {
  while (m.points()[point].parent != 0) point = m.points()[point].parent;
  const mech::PointNode& node = m.points()[point];
  if (point == 0 || node.base.index != 0) return;
  for (int k = 0; k < 3; ++k) body[static_cast<std::size_t>(k)] = index_of_q(m, node.r[k]);
}

// yaw, then roll and pitch in any order, as long as each is turned by a coordinate of its own
void add_turns(const VehicleModel& model, std::uint32_t base, GroundedBody& body) {
  const mech::Model& m = model.mechanics;
  std::vector<std::uint32_t> chain;
  for (; base != 0; base = m.bases()[base].parent) chain.push_back(base);
  std::reverse(chain.begin(), chain.end());
  constexpr int turn_about[] = {roll, pitch, yaw};
  for (const std::uint32_t b : chain) {
    int kind = -1;
    std::optional<std::size_t> by;
    for (int k = 0; k < 3 && !by; ++k) {
      by = index_of_dq(m, m.bases()[b].w_PB[k]);
      if (by) kind = turn_about[k];
    }
    const auto is_spin = [&](const WheelsetPlace& w) { return w.spin == *by; };
    if (!by || std::any_of(model.wheelsets.begin(), model.wheelsets.end(), is_spin)) return;
    const bool first = b == chain.front();
    if (first != (kind == yaw) || body[static_cast<std::size_t>(kind)]) return;
    body[static_cast<std::size_t>(kind)] = by;
  }
}

}  // namespace

std::vector<GroundedBody> ground_coordinates(const VehicleModel& model) {
  std::vector<GroundedBody> list;
  for (const mech::Body& b : model.mechanics.bodies()) {
    GroundedBody body;
    add_place(model.mechanics, b.point.index, body);
    if (!body[x] || !body[y]) continue;
    add_turns(model, b.base.index, body);
    const auto same = std::find_if(list.begin(), list.end(), [&](const GroundedBody& other) {
      return other[x] == body[x] && other[y] == body[y];
    });
    if (same == list.end()) {
      list.push_back(body);
    } else {
      for (std::size_t k = 0; k < body.size(); ++k)
        if (!(*same)[k]) (*same)[k] = body[k];
    }
  }
  return list;
}

}  // namespace klingel::model
