#include "model/wheelset_motion.hpp"

#include "base/error.hpp"
#include "mech/kinematics.hpp"
#include "sym/jacobian.hpp"

namespace klingel::model {
namespace {

std::vector<mech::Triple> columns(mech::Model& m, const mech::Vector& u,
                                  std::span<const sym::Expr> dq) {
  const sym::Matrix J = sym::jacobian(in_base(u, m.ground_base()).c, dq);
  const sym::Expr zero = m.number(0);
  std::vector<mech::Triple> list(dq.size(), mech::Triple{zero, zero, zero});
  for (const sym::Entry& entry : J.entries()) list[entry.col][entry.row] = entry.value;
  return list;
}

}  // namespace

WheelsetMotion wheelset_motion(mech::Model& m, const Wheelset& wheelset,
                               std::span<const sym::Expr> dq) {
  const mech::Frame ground = m.ground();
  WheelsetMotion motion;
  motion.v = columns(m, velocity(ground, wheelset.centre), dq);
  motion.w_still = columns(m, angular_velocity(ground.base, wheelset.still), dq);
  motion.w_total = motion.w_still;
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
    motion.w_total[e.col] = mech::plus(motion.w_total[e.col], mech::scaled(e.value, axis));
  for (std::uint32_t j = 0; j < dq.size(); ++j) {
    if (!mech::is_zero(motion.v[j]) || !mech::is_zero(motion.w_still[j]) ||
        !mech::is_zero(motion.w_total[j]))
      motion.moving.push_back(j);
  }
  return motion;
}

}  // namespace klingel::model
