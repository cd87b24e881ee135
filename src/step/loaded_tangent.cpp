#include "step/loaded_tangent.hpp"

#include <algorithm>

namespace klingel::step {
namespace {

using base::Pack;

// Numbers of four lanes, one lane to a place of its own: `size` numbers there.
template <std::size_t size, class Place, class Write>
void hand_out(Pack* of, unsigned lanes, Place place, Write write) {
  for (std::size_t i = 0; i < size; i += 4) {
    Pack four[4];
    for (std::size_t k = 0; k < 4; ++k) four[k] = i + k < size ? of[i + k] : Pack{};
    base::transpose(four[0], four[1], four[2], four[3]);
    for (std::size_t lane = 0; lane < base::pack_lanes; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      double* const to = place(lane) + i;
      if (i + 4 <= size) {
        base::store(write(base::load(to), four[lane]), to);
      } else {
        for (std::size_t k = 0; i + k < size; ++k)
          to[k] = write(base::splat(to[k]), base::splat(four[lane][k]))[0];
      }
    }
  }
}

}  // namespace

bool LoadedTangent::describes(const Description& vehicle) {
  const ContactLaw& law = vehicle.data.law;
  return vehicle.data.loaded() && law.rail_stiffness == 0 && !law.foundation.given();
}

LoadedTangent::LoadedTangent(const Description& vehicle, Wanted wanted)
    : vehicle_(vehicle), wanted_(wanted), treads_(vehicle), sets_(treads_.sets.size()) {
  const std::size_t wheelsets = vehicle.data.wheelsets.size(), wheels = vehicle.w;
  for (std::size_t i = 0; i < wheels; ++i) {
    const auto [set, lane] = treads_.tread.lane_of(i);
    const WheelData& wheel = vehicle.data.wheels[i];
    sets_[set].occupy(lane, wheel, vehicle.rail(i).line);
  }
  w_.resize(6 * wheelsets), dw_.resize(6 * columns * wheelsets);
  if (wanted.rails) dw_rails_.resize(6 * rail_columns * wheelsets);
  if (wanted.friction) dw_friction_.resize(6 * wheels);
  if (!wanted.forces) return;
  force_.resize(3 * wheels), dforce_.resize(3 * columns * wheels);
  if (wanted.rails) dforce_rails_.resize(3 * rail_columns * wheels);
  if (wanted.friction) dforce_friction_.resize(3 * wheels);
}

void LoadedTangent::shift_rail(std::size_t wheel, const RailShift& by) {
  const auto [set, lane] = treads_.tread.lane_of(wheel);
  sets_[set].shift(lane, by);
}

// Sums over wheels of a wheelset.
void LoadedTangent::add_wheelsets(std::size_t g, WrenchSlopes& of) {
  const Points& points = treads_.tread;
  const unsigned lanes = points.occupied(g);
  const auto add = [](const Pack& a, const Pack& b) { return a + b; };
  const auto place = [&](std::vector<double>& list, std::size_t size) {
    return [&points, &list, g, size](std::size_t lane) {
      return &list[size * points.wheelset(g, lane)];
    };
  };
  hand_out<6>(of.w, lanes, place(w_, 6), add);
  hand_out<6 * columns>(of.dw[0], lanes, place(dw_, 6 * columns), add);
  if (wanted_.rails)
    hand_out<6 * rail_columns>(of.dw_rails[0], lanes, place(dw_rails_, 6 * rail_columns), add);
}

void LoadedTangent::put_wheels(std::size_t g, WrenchSlopes& of) {
  const Points& points = treads_.tread;
  const unsigned lanes = points.occupied(g);
  const auto put = [](const Pack&, const Pack& b) { return b; };
  const auto place = [&](std::vector<double>& list, std::size_t size) {
    return
        [&points, &list, g, size](std::size_t lane) { return &list[size * points.wheel(g, lane)]; };
  };
  if (wanted_.friction) hand_out<6>(of.dw_friction, lanes, place(dw_friction_, 6), put);
  if (!wanted_.forces) return;
  hand_out<3>(of.force, lanes, place(force_, 3), put);
  hand_out<3 * columns>(of.dforce[0], lanes, place(dforce_, 3 * columns), put);
  if (wanted_.rails)
    hand_out<3 * rail_columns>(of.dforce_rails[0], lanes, place(dforce_rails_, 3 * rail_columns),
                               put);
  if (wanted_.friction) hand_out<3>(of.dforce_friction, lanes, place(dforce_friction_, 3), put);
}

bool LoadedTangent::find(const StepMotion& motion, const VehicleState& state,
                         const std::vector<double>& friction, double h, double theta) {
  const Points& points = treads_.tread;
  for (std::vector<double>* sums : {&w_, &dw_, &dw_rails_})
    std::fill(sums->begin(), sums->end(), 0.0);
  for (const std::vector<std::size_t>& group : treads_.groups) {
    WrenchSlopes sum{};
    LoadedSlopes::Motion at;
    const std::size_t first = group.front();
    gather<12>(points.rows(first, motion.poses, 12), at.pose);
    gather<7>(points.rows(first, motion.twists, 7), at.twist);
    gather<6>(points.rows(first, motion.biases, 6), at.bias);
    gather<6>(points.rows(first, motion.twists_end, 6), at.end);
    at.h = h, at.theta = theta;
    for (const std::size_t g : group) {
      at.friction = points.gather(g, friction.data());
      for (std::size_t lane = 0; lane < base::pack_lanes; ++lane)
        at.s_r[lane] = state.tread[points.wheel(g, lane)].s[2];
      // what wheels have for themselves begins at zero
      for (auto& column : sum.dforce) std::fill_n(column, 3, Pack{});
      for (auto& column : sum.dforce_rails) std::fill_n(column, 3, Pack{});
      std::fill_n(sum.force, 3, Pack{}), std::fill_n(sum.dforce_friction, 3, Pack{});
      std::fill_n(sum.dw_friction, 6, Pack{});
      if (!sets_[g].find(at, vehicle_, treads_.sets[g], wanted_, sum)) return false;
      put_wheels(g, sum);
    }
    add_wheelsets(first, sum);
  }
  return true;
}

}  // namespace klingel::step
