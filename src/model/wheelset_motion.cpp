#include "model/wheelset_motion.hpp"

#include "base/error.hpp"
#include "mech/kinematics.hpp"
#include "sym/jacobian.hpp"

namespace klingel::model {
namespace {

MotionColumns columns(mech::Model& m, const mech::Vector& u, std::span<const sym::Expr> dq) {
  const sym::Matrix J = sym::jacobian(in_base(u, m.ground_base()).c, dq);
  MotionColumns list(m.number(0));
  for (const sym::Entry& entry : J.entries()) list.at(entry.col)[entry.row] = entry.value;
  return list;
}

}  // namespace

WheelsetMotion wheelset_motion(mech::Model& m, const Wheelset& wheelset,
                               std::span<const sym::Expr> dq) {
  const mech::Frame ground = m.ground();
  const MotionColumns v = columns(m, velocity(ground, wheelset.centre), dq);
  const MotionColumns w = columns(m, angular_velocity(ground.base, wheelset.still), dq);
  WheelsetMotion motion{v, w, w, {}};
  // the spin adds a turn about the axis, which is y of the base that does not spin
  const mech::Vector spin =
      in_base(angular_velocity(wheelset.still, wheelset.turning), wheelset.still);
  if (!spin.x().is(0) || !spin.z().is(0)) {
    base::fail("the wheelset '{}' must spin about the y axis of its non-spinning base",
               wheelset.name);
  }
  const mech::Triple axis = in_base(m.axis_vector(wheelset.still, 1), m.ground_base()).c;
  const std::vector<sym::Expr> rate = {spin.y()};
  const sym::Matrix by_dq = sym::jacobian(rate, dq);
  for (const sym::Entry& e : by_dq.entries())
    motion.w_total.at(e.col) = mech::plus(motion.w_total[e.col], mech::scaled(e.value, axis));
  for (const MotionColumns* columns : {&motion.v, &motion.w_still, &motion.w_total})
    for (const auto& [j, column] : columns->list())
      if (!mech::is_zero(column)) motion.moving.push_back(j);
  std::sort(motion.moving.begin(), motion.moving.end());
  motion.moving.erase(std::unique(motion.moving.begin(), motion.moving.end()), motion.moving.end());
  return motion;
}

}  // namespace klingel::model
