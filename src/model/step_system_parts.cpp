// Which coordinates belong to which wheelset, which are kept, and what carries it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "mech/kinematics.hpp"
#include "mech/mass_matrix.hpp"
#include "model/step_system.hpp"
#include "sym/depends.hpp"
#include "sym/tape.hpp"

namespace klingel::model {

using mech::cross;
using mech::Triple;
using sym::Expr;

namespace {

std::vector<bool> touched(std::size_t n, const sym::Matrix& A) {
  std::vector<bool> list(n, false);
  for (const sym::Entry& e : A.entries()) list[e.row] = list[e.col] = true;
  return list;
}

// Whether rows, `columns` values each, are linearly independent.
bool independent(std::span<const double> values, std::size_t columns) {
  std::vector<std::vector<double>> rows;
  const auto inner = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  for (std::size_t first = 0; first < values.size(); first += columns) {
    const std::span<const double> given = values.subspan(first, columns);
    std::vector<double> row(given.begin(), given.end());
    const double length = inner(row, row);
    // what the rows before do not say already
    for (const std::vector<double>& before : rows) {
      const double share = inner(row, before) / inner(before, before);
      for (std::size_t c = 0; c < columns; ++c) row[c] -= share * before[c];
    }
    if (!(inner(row, row) > 1e-6 * length)) return false;
    rows.push_back(std::move(row));
  }
  return true;
}

}  // namespace

void StepSystem::find_parts() {
  std::vector<int> moved(n_, 0);  // wheelsets by a coordinate
  for (const WheelsetMotion& motion : motions_)
    for (const std::uint32_t j : motion.moving) ++moved[j];
  for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
    const WheelsetMotion& motion = motions_[k];
    Part part;
    part.condensed = true;
    for (const std::uint32_t j : motion.moving) {
      const bool shared = moved[j] > 1;
      (shared ? part.carried : part.own).push_back(j);
      // the carrier does not spin the wheelset, or W_n and B would see different motions of it
      if (shared && motion.w_still[j] != motion.w_total[j]) part.condensed = false;
    }
    for (std::size_t i = 0; i < wheelsets_[k].wheels.size(); ++i)
      part.wheels.push_back(static_cast<std::uint32_t>(w_++));
    if (part.condensed) find_bodies(part, wheelsets_[k]);
    parts_.push_back(std::move(part));
  }
}

// the mass matrix without the wheelsets' bodies tells which coordinates move more than these
void StepSystem::find_kept(const StiffTangent& stiff) {
  std::vector<std::string> without;
  for (const Part& part : parts_) {
    without.insert(without.end(), part.spinning.begin(), part.spinning.end());
    without.insert(without.end(), part.still.begin(), part.still.end());
  }
  M_rest_ = mech::mass_matrix_without(model_, without);
  const std::vector<bool> by_mass = touched(n_, M_rest_), by_stiff = touched(n_, stiff);
  for (Part& part : parts_) {
    const auto outside = std::stable_partition(
        part.own.begin(), part.own.end(),
        [&](std::uint32_t j) { return part.condensed && !by_mass[j] && !by_stiff[j]; });
    part.kept.assign(outside, part.own.end());
    part.own.erase(outside, part.own.end());
  }
  // The wheelset's own coordinates can meet the normal constraints of its wheels whatever the
  // carrier does: dphi_n by own coordinates has full rank, at nominal values.
  const std::vector<double> dphi_n = wheel_motions();
  std::size_t first = 0;
  for (Part& part : parts_) {
    if (!part.condensed) {
      part.carried.insert(part.carried.end(), part.kept.begin(), part.kept.end());
      part.kept.clear();
      continue;
    }
    const std::size_t count = part.wheels.size() * part.own.size();
    part.wheels_inside =
        part.wheels.empty() ||
        (count > 0 && independent(std::span(dphi_n).subspan(first, count), part.own.size()));
    first += count;
    part.rest = part.kept;
    if (part.wheels_inside) continue;
    for (const std::uint32_t i : part.wheels)
      part.rest.push_back(static_cast<std::uint32_t>(n_ + i));
  }
}

// dphi_n of the wheels of condensed wheelsets by their own coordinates, at nominal values: one
// after the other, wheel by wheel.
std::vector<double> StepSystem::wheel_motions() const {
  std::vector<Expr> list;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (!parts_[k].condensed) continue;
    for (const std::uint32_t i : parts_[k].wheels) {
      Six W;
      std::copy_n(symbols_.W_n.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, W.begin());
      for (const std::uint32_t j : parts_[k].own)
        list.push_back(dot(joined(motions_[k].v[j], motions_[k].w_still[j]), W));
    }
  }
  if (list.empty()) return {};
  const std::vector<Expr> leaves = sym::symbols_below(list);
  const sym::Tape tape(leaves, list);
  std::vector<double> in, out(list.size()), registers(tape.registers());
  for (const Expr& x : leaves) in.push_back(model_.graph().symbol_of(x).value);
  tape.run(in.data(), out.data(), registers.data());
  return out;
}

void StepSystem::find_bodies(Part& part, const Wheelset& wheelset) const {
  for (const mech::Body& body : model_.bodies()) {
    if (body.point == wheelset.centre && body.base == wheelset.turning) {
      part.spinning.push_back(body.name);
    } else if (body.base == wheelset.still) {
      const Triple r = in_base(position(wheelset.centre, body.point), wheelset.still).c;
      const std::vector<Expr> symbols = sym::symbols_below(r);
      const bool fixed = std::all_of(symbols.begin(), symbols.end(), [this](const Expr& x) {
        return model_.graph().symbol_of(x).kind == sym::SymbolKind::parameter;
      });
      if (fixed) part.still.push_back(body.name);
    }
  }
}

// The carrier is one rigid body if it turns both wheelsets alike and moves their centres as its
// turning says; checked at some places.
bool StepSystem::same_carrier(std::size_t first, std::size_t k) const {
  const Part &a = parts_[first], &b = parts_[k];
  if (a.condensed != b.condensed || a.carried != b.carried || b.carried.empty()) return false;
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
