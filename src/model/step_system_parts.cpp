// Which coordinates move which wheelset, and what carries it.
#include <algorithm>
#include <cmath>

#include "mech/kinematics.hpp"
#include "model/step_system.hpp"
#include "sym/depends.hpp"
#include "sym/tape.hpp"

namespace klingel::model {

using mech::cross;
using mech::Triple;
using sym::Expr;

Six StepSystem::column(std::size_t k, std::uint32_t j) const {
  return joined(motions_[k].v[j], motions_[k].w_total[j]);
}

Six StepSystem::still_column(std::size_t k, std::uint32_t j) const {
  return joined(motions_[k].v[j], motions_[k].w_still[j]);
}

void StepSystem::find_parts() {
  std::vector<int> moved(n_, 0);  // wheelsets by a coordinate
  for (const WheelsetMotion& motion : motions_)
    for (const std::uint32_t j : motion.moving) ++moved[j];
  for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
    const WheelsetMotion& motion = motions_[k];
    Part part;
    for (const std::uint32_t j : motion.moving) {
      const bool shared = moved[j] > 1;
      (shared ? part.carried : part.own).push_back(j);
      if (shared && motion.w_still[j] != motion.w_total[j]) part.spun = true;
    }
    for (std::size_t i = 0; i < wheelsets_[k].wheels.size(); ++i)
      part.wheels.push_back(static_cast<std::uint32_t>(w_++));
    parts_.push_back(std::move(part));
  }
}

void StepSystem::find_bodies(Part& part, const Wheelset& wheelset) const {
  for (const mech::Body& body : model_.inertias()) {
    if (body.point == wheelset.centre && body.base == wheelset.turning) {
      part.with_turning.push_back(body.name);
    } else if (body.base == wheelset.still) {
      const Triple r = in_base(position(wheelset.centre, body.point), wheelset.still).c;
      const std::vector<Expr> symbols = sym::symbols_below(r);
      const bool fixed = std::all_of(symbols.begin(), symbols.end(), [this](const Expr& x) {
        return model_.graph().symbol_of(x).kind == sym::SymbolKind::parameter;
      });
      if (fixed) part.with_still.push_back(body.name);
    }
  }
}

// The carrier is one rigid body if it turns both wheelsets alike and moves their centres as its
// turning says; checked at some places.
bool StepSystem::same_carrier(std::size_t first, std::size_t k) const {
  const Part &a = parts_[first], &b = parts_[k];
  if (a.spun != b.spun || a.carried != b.carried || b.carried.empty()) return false;
  const Triple r =
      in_base(position(wheelsets_[first].centre, wheelsets_[k].centre), model_.ground_base()).c;
  std::vector<Expr> differences;
  for (const std::uint32_t j : b.carried) {
    for (const Expr& e : mech::minus(motions_[k].w_total[j], motions_[first].w_total[j]))
      differences.push_back(e);
    const Triple moved = mech::plus(motions_[first].v[j], cross(motions_[first].w_total[j], r));
    for (const Expr& e : mech::minus(motions_[k].v[j], moved)) differences.push_back(e);
  }
  const std::vector<Expr> leaves = sym::symbols_below(differences);
  const sym::Tape tape(leaves, differences);
  std::vector<double> in, out(differences.size()), registers(tape.registers());
  for (std::size_t trial = 0; trial < 3; ++trial) {
    in.clear();
    double shift = 0.1;
    for (const Expr& x : leaves) {
      shift = shift > 0.4 ? shift - 0.39 : shift + 0.0717;
      in.push_back(model_.graph().symbol_of(x).value + shift * static_cast<double>(trial));
    }
    tape.run(in.data(), out.data(), registers.data());
    for (const double x : out) {
      if (!(std::abs(x) < 1e-9)) return false;
    }
  }
  return true;
}

void StepSystem::find_carriers() {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Part& part = parts_[k];
    const auto found =
        std::find_if(carriers_.begin(), carriers_.end(),
                     [&](const Carrier& carrier) { return same_carrier(carrier.first, k); });
    part.carrier = static_cast<std::size_t>(found - carriers_.begin());
    part.r = {zero(), zero(), zero()};
    if (found == carriers_.end()) {
      carriers_.push_back({k, part.carried, {k}});
      continue;
    }
    found->parts.push_back(k);
    part.r = in_base(position(wheelsets_[found->first].centre, wheelsets_[k].centre),
                     model_.ground_base())
                 .c;
  }
}

}  // namespace klingel::model
