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

bool touches(const sym::Matrix& A, std::uint32_t j) {
  return std::any_of(A.entries().begin(), A.entries().end(),
                     [j](const sym::Entry& e) { return e.row == j || e.col == j; });
}

}  // namespace

void StepSystem::find_parts() {
  for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
    const WheelsetMotion& motion = motions_[k];
    Part part;
    part.condensed = true;
    for (std::uint32_t j = 0; j < n_; ++j) {
      if (!motion.moves(j)) continue;
      const bool shared = std::count_if(motions_.begin(), motions_.end(),
                                        [j](const auto& other) { return other.moves(j); }) > 1;
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
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Part& part = parts_[k];
    const auto outside =
        std::stable_partition(part.own.begin(), part.own.end(), [&](std::uint32_t j) {
          return part.condensed && !touches(M_rest_, j) && !touches(stiff, j);
        });
    part.kept.assign(outside, part.own.end());
    part.own.erase(outside, part.own.end());
    part.wheels_inside = part.condensed && holds_its_wheels(k, part);
    if (part.condensed) {
      part.rest = part.kept;
      if (part.wheels_inside) continue;
      for (const std::uint32_t i : part.wheels)
        part.rest.push_back(static_cast<std::uint32_t>(n_ + i));
    } else {
      part.carried.insert(part.carried.end(), part.kept.begin(), part.kept.end());
      part.kept.clear();
    }
  }
}

// The wheelset's own coordinates can meet the normal constraints of its wheels whatever the carrier
// does: dphi_n by own coordinates has full rank, at nominal values.
bool StepSystem::holds_its_wheels(std::size_t k, const Part& part) const {
  std::vector<std::vector<double>> rows;
  for (const std::uint32_t i : part.wheels) {
    std::vector<double>& row = rows.emplace_back();
    for (const std::uint32_t j : part.own) {
      Six W;
      std::copy_n(symbols_.W_n.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, W.begin());
      row.push_back(sym::value(dot(joined(motions_[k].v[j], motions_[k].w_still[j]), W)));
    }
    // what the rows before do not say already
    const auto inner = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    const double length = inner(row, row);
    for (std::size_t before = 0; before + 1 < rows.size(); ++before) {
      const double share = inner(row, rows[before]) / inner(rows[before], rows[before]);
      for (std::size_t c = 0; c < row.size(); ++c) row[c] -= share * rows[before][c];
    }
    if (!(inner(row, row) > 1e-6 * length)) return false;
  }
  return true;
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
  if (a.condensed != b.condensed || a.carried != b.carried) return false;
  const Triple r =
      in_base(position(wheelsets_[first].centre, wheelsets_[k].centre), model_.ground_base()).c;
  std::vector<Expr> differences;
  for (const std::uint32_t j : b.carried) {
    for (const Expr& e : mech::minus(motions_[k].w_total[j], motions_[first].w_total[j]))
      differences.push_back(e);
    const Triple moved = mech::plus(motions_[first].v[j], cross(motions_[first].w_total[j], r));
    for (const Expr& e : mech::minus(motions_[k].v[j], moved)) differences.push_back(e);
  }
  if (differences.empty()) return false;
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
