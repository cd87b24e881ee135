#include "model/step_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "mech/kinematics.hpp"
#include "mech/mass_matrix.hpp"
#include "sym/depends.hpp"
#include "sym/ordering.hpp"
#include "sym/tape.hpp"

namespace klingel::model {
namespace {

using mech::cross;
using mech::dot;
using mech::Triple;
using sym::Expr;

Triple head(const std::array<Expr, 6>& u) { return {u[0], u[1], u[2]}; }
Triple tail(const std::array<Expr, 6>& u) { return {u[3], u[4], u[5]}; }
std::array<Expr, 6> joined(const Triple& u, const Triple& v) {
  return {u[0], u[1], u[2], v[0], v[1], v[2]};
}
Expr dot(const std::array<Expr, 6>& u, const std::array<Expr, 6>& v) {
  const Expr linear = dot(head(u), head(v));
  return linear + dot(tail(u), tail(v));
}

std::array<Expr, 6> product(const std::array<Expr, 36>& K, const std::array<Expr, 6>& u) {
  std::array<Expr, 6> y;
  for (std::size_t i = 0; i < 6; ++i) {
    std::array<Expr, 6> row;
    std::copy_n(K.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, row.begin());
    y[i] = dot(row, u);
  }
  return y;
}

std::array<Expr, 6> product(const std::array<Expr, 6>& u, const std::array<Expr, 36>& K) {
  std::array<Expr, 6> y;
  for (std::size_t j = 0; j < 6; ++j) {
    std::array<Expr, 6> column;
    for (std::size_t i = 0; i < 6; ++i) column[i] = K[6 * i + j];
    y[j] = dot(u, column);
  }
  return y;
}

std::array<Expr, 6> plus(const std::array<Expr, 6>& u, const std::array<Expr, 6>& v) {
  std::array<Expr, 6> sum;
  for (std::size_t i = 0; i < 6; ++i) sum[i] = u[i] + v[i];
  return sum;
}

bool touches(const sym::Matrix& A, std::uint32_t j) {
  return std::any_of(A.entries().begin(), A.entries().end(),
                     [j](const sym::Entry& e) { return e.row == j || e.col == j; });
}

}  // namespace

StepSystem::StepSystem(mech::Model& model, const mech::Equations& equations,
                       std::span<const Wheelset> wheelsets, std::span<const WheelsetMotion> motions,
                       const StepSymbols& symbols, const StiffTangent& stiff)
    : model_(model),
      equations_(equations),
      wheelsets_(wheelsets),
      motions_(motions),
      symbols_(symbols),
      n_(equations.q.size()) {
  find_parts();
  find_kept(stiff);
  find_carriers();
  for (std::size_t k = 0; k < parts_.size(); ++k) condense(k);
  make_outer(stiff);
}

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

StepSystem::Six StepSystem::column(std::size_t k, std::uint32_t j) const {
  return joined(motions_[k].v[j], motions_[k].w_total[j]);
}

// Mass and moments of some bodies about the wheelset's centre, in the ground. Summed in the base
// that does not spin, where they are constant, and turned once.
StepSystem::SixBySix StepSystem::inertia(const Wheelset& wheelset,
                                         std::span<const std::string> bodies) const {
  Expr mass = zero();
  Triple s = {zero(), zero(), zero()};
  mech::Block J;
  J.fill(zero());
  for (const std::string& name : bodies) {
    const mech::Body& body = model_.body(name);
    const Triple r = in_base(position(wheelset.centre, body.point), wheelset.still).c;
    const Triple c = mech::plus(r, in_base(body.com, wheelset.still).c);
    const Triple own = mech::scaled(body.mass, c);
    mass += body.mass;
    s = mech::plus(s, own);
    J = mech::plus(J,
                   mech::rotated(base_change(wheelset.still, body.inertia.base), body.inertia.c));
    const Expr square = dot(c, own);
    for (std::size_t i = 0; i < 3; ++i) {
      J[4 * i] += square;
      for (std::size_t j = 0; j < 3; ++j) J[3 * i + j] -= c[i] * own[j];
    }
  }
  const mech::Block R = base_change(model_.ground_base(), wheelset.still);
  J = mech::rotated(R, J);
  s = mech::product(R, s);
  const mech::Block across = {zero(), -s[2], s[1], s[2], zero(), -s[0], -s[1], s[0], zero()};
  SixBySix I;
  I.fill(zero());
  for (std::size_t i = 0; i < 3; ++i) {
    I[7 * i] = mass;
    for (std::size_t j = 0; j < 3; ++j) {
      I[6 * i + 3 + j] = -across[3 * i + j];
      I[6 * (3 + i) + j] = across[3 * i + j];
      I[6 * (3 + i) + 3 + j] = J[3 * i + j];
    }
  }
  return I;
}

// K of a wheelset without its own coordinates and normal forces
void StepSystem::condense(std::size_t k) {
  Part& part = parts_[k];
  SixBySix G = inertia(wheelsets_[k], part.spinning);
  for (std::size_t i = 0; i < 36; ++i) G[i] += symbols_.h * symbols_.B[36 * k + i];
  if (!part.condensed) {
    part.K = G;
    return;
  }
  // what follows without spin sees w_still, the rest w_total; both see the same of most coordinates
  const SixBySix S = inertia(wheelsets_[k], part.still);
  SixBySix both;
  for (std::size_t i = 0; i < 36; ++i) both[i] = G[i] + S[i];
  // rows: own coordinates, wheels, kept coordinates, carrier; or wheels behind what is kept
  std::vector<std::uint32_t> coordinates = part.own;
  coordinates.insert(coordinates.end(), part.kept.begin(), part.kept.end());
  const std::size_t m = coordinates.size(), wheels = part.wheels.size();
  const std::size_t inner = part.own.size() + (part.wheels_inside ? wheels : 0);
  const std::size_t carrier = m + wheels, size = carrier + 6;
  const std::size_t first_wheel = part.wheels_inside ? part.own.size() : m;
  const auto row_of = [&](std::size_t j) {
    return j < part.own.size() ? j : inner + j - part.own.size();
  };

  std::vector<std::vector<Expr>> a(size, std::vector<Expr>(size, zero()));
  std::vector<Six> total, still, right, left;  // columns, matrix times them, they times matrix
  std::vector<bool> same;
  for (const std::uint32_t j : coordinates) {
    total.push_back(column(k, j));
    still.push_back(joined(motions_[k].v[j], motions_[k].w_still[j]));
    same.push_back(total.back() == still.back());
    if (same.back()) {
      right.push_back(product(both, total.back()));
      left.push_back(product(total.back(), both));
      continue;
    }
    right.push_back(plus(product(G, total.back()), product(S, still.back())));
    left.push_back(plus(product(total.back(), G), product(still.back(), S)));
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      Expr& entry = a[row_of(i)][row_of(j)];
      if (same[i]) {
        entry = dot(total[i], right[j]);
      } else if (same[j]) {
        entry = dot(left[i], total[j]);
      } else {
        entry = dot(total[i], product(G, total[j]));
        entry += dot(still[i], product(S, still[j]));
      }
    }
    for (std::size_t c = 0; c < 6; ++c) {
      a[row_of(i)][carrier + c] = left[i][c];
      a[carrier + c][row_of(i)] = right[i][c];
    }
  }
  for (std::size_t i = 0; i < wheels; ++i) {
    const std::size_t row = first_wheel + i;
    const Expr active = symbols_.active[part.wheels[i]];
    Six W;
    for (std::size_t c = 0; c < 6; ++c) W[c] = active * symbols_.W_n[6 * part.wheels[i] + c];
    for (std::size_t j = 0; j < m; ++j) {
      const Expr held = dot(still[j], W);
      a[row][row_of(j)] = held;
      a[row_of(j)][row] = symbols_.h * held;
    }
    for (std::size_t c = 0; c < 6; ++c) {
      a[row][carrier + c] = W[c];
      a[carrier + c][row] = symbols_.h * W[c];
    }
    a[row][row] = 1 - active;
  }
  for (std::size_t i = 0; i < 36; ++i) a[carrier + i / 6][carrier + i % 6] = both[i];

  std::vector<sym::Entry> entries;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < size; ++i) {
    order.push_back(i);
    for (std::uint32_t j = 0; j < size; ++j) {
      if (!a[i][j].is(0)) entries.push_back({i, j, a[i][j]});
    }
  }
  const auto rows = static_cast<std::uint32_t>(size);
  part.factors = std::make_unique<sym::Factors>(
      sym::Matrix(rows, rows, std::move(entries)),
      sym::SolveOptions{sym::Elimination::lu, order, static_cast<std::uint32_t>(inner)});
  const std::size_t rest = part.rest.size();
  for (std::size_t i = 0; i < 36; ++i)
    part.K[i] = part.factors->schur()[(rest + i / 6) * (rest + 6) + rest + i % 6];
}

// what the elimination of a wheelset leaves between kept rows, and between them and the carrier
void StepSystem::add_rest(const Part& part, std::vector<std::vector<Expr>>& A) const {
  const std::size_t rest = part.rest.size();
  const std::vector<Expr>& S = part.factors->schur();
  const Carrier& carrier = carriers_[part.carrier];
  for (std::size_t a = 0; a < rest; ++a) {
    for (std::size_t b = 0; b < rest; ++b) A[part.rest[a]][part.rest[b]] += S[a * (rest + 6) + b];
    Six row, col;
    for (std::size_t c = 0; c < 6; ++c) {
      row[c] = S[a * (rest + 6) + rest + c];
      col[c] = S[(rest + c) * (rest + 6) + a];
    }
    row = at_carrier(part, row);
    col = at_carrier(part, col);
    for (const std::uint32_t j : carrier.coordinates) {
      const Six u = column(carrier.first, j);
      A[part.rest[a]][j] += dot(row, u);
      A[j][part.rest[a]] += dot(u, col);
    }
  }
}

// T^T K T with the motion u_k = T u of the centre, v_k = v + w x r
StepSystem::SixBySix StepSystem::shifted(const SixBySix& K, const Triple& r) const {
  SixBySix out = K;
  // columns: those of w gain the motion of the centre they cause, -[r] on the right
  for (std::size_t i = 0; i < 6; ++i) {
    const Triple row = {K[6 * i], K[6 * i + 1], K[6 * i + 2]};
    const Triple turn = cross(r, row);
    for (std::size_t c = 0; c < 3; ++c) out[6 * i + 3 + c] += turn[c];
  }
  for (std::size_t j = 0; j < 6; ++j) {
    const Triple force = {out[j], out[6 + j], out[12 + j]};
    const Triple moment = cross(r, force);
    for (std::size_t c = 0; c < 3; ++c) out[6 * (3 + c) + j] += moment[c];
  }
  return out;
}

void StepSystem::make_outer(const StiffTangent& stiff) {
  const std::size_t size = n_ + w_;
  std::vector<std::vector<Expr>> A(size, std::vector<Expr>(size, zero()));
  std::vector<bool> inner(size, false);
  for (const Part& part : parts_) {
    for (const std::uint32_t j : part.own) inner[j] = true;
    if (!part.wheels_inside) continue;
    for (const std::uint32_t i : part.wheels) inner[n_ + i] = true;
  }
  for (const sym::Entry& e : M_rest_.entries()) A[e.row][e.col] = e.value;
  for (const sym::Entry& e : stiff.entries()) A[e.row][e.col] += e.value;
  for (const Carrier& carrier : carriers_) {
    SixBySix K;
    K.fill(zero());
    for (const std::size_t k : carrier.parts) {
      const SixBySix own = shifted(parts_[k].K, parts_[k].r);
      for (std::size_t i = 0; i < 36; ++i) K[i] += own[i];
    }
    for (const std::uint32_t j : carrier.coordinates) {
      const Six y = product(K, column(carrier.first, j));
      for (const std::uint32_t i : carrier.coordinates) A[i][j] += dot(column(carrier.first, i), y);
    }
  }
  for (const Part& part : parts_) {
    if (part.condensed) add_rest(part, A);
  }
  // wheels of wheelsets that are not eliminated
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].condensed) continue;
    for (const std::uint32_t i : parts_[k].wheels) {
      const Expr active = symbols_.active[i];
      Six W;
      for (std::size_t c = 0; c < 6; ++c) W[c] = active * symbols_.W_n[6 * i + c];
      for (const std::uint32_t j : parts_[k].carried) {
        const Expr held = dot(joined(motions_[k].v[j], motions_[k].w_still[j]), W);
        A[n_ + i][j] = held;
        A[j][n_ + i] = symbols_.h * held;
      }
      A[n_ + i][n_ + i] = 1 - active;
    }
  }

  for (std::uint32_t i = 0; i < size; ++i) {
    if (!inner[i]) outer_.push_back(i);
  }
  if (outer_.empty()) return;
  std::vector<sym::Entry> entries;
  for (std::uint32_t i = 0; i < outer_.size(); ++i) {
    for (std::uint32_t j = 0; j < outer_.size(); ++j) {
      const Expr& value = A[outer_[i]][outer_[j]];
      if (!value.is(0)) entries.push_back({i, j, value});
    }
  }
  const auto rows = static_cast<std::uint32_t>(outer_.size());
  const sym::Matrix outer(rows, rows, std::move(entries));
  factors_ = std::make_unique<sym::Factors>(
      outer, sym::SolveOptions{sym::Elimination::lu, sym::stable_order(outer)});
}

StepSystem::Six StepSystem::at_carrier(const Part& part, const Six& wrench) const {
  return joined(head(wrench), mech::plus(tail(wrench), cross(part.r, head(wrench))));
}

StepSystem::Six StepSystem::at_wheelset(const Part& part, const Six& motion) const {
  return joined(mech::plus(head(motion), cross(tail(motion), part.r)), tail(motion));
}

void StepSystem::add_projected(const Carrier& carrier, const Six& wrench,
                               std::vector<Expr>& generalized) const {
  for (const std::uint32_t j : carrier.coordinates)
    generalized[j] += dot(column(carrier.first, j), wrench);
}

StepSystem::Six StepSystem::carrier_motion(const Carrier& carrier, std::span<const Expr> dq) const {
  Six sum;
  sum.fill(zero());
  for (const std::uint32_t j : carrier.coordinates) {
    const Six u = column(carrier.first, j);
    for (std::size_t c = 0; c < 6; ++c) sum[c] += u[c] * dq[j];
  }
  return sum;
}

std::vector<Expr> StepSystem::solve(std::span<const Expr> rhs) const {
  std::vector<Expr> outer(rhs.begin(), rhs.end());
  std::vector<std::vector<Expr>> reduced(parts_.size());
  for (const Carrier& carrier : carriers_) {
    Six wrench;
    wrench.fill(zero());
    for (const std::size_t k : carrier.parts) {
      const Part& part = parts_[k];
      if (!part.condensed) continue;
      std::vector<Expr> b;
      for (const std::uint32_t j : part.own) b.push_back(rhs[j]);
      if (part.wheels_inside) {
        for (const std::uint32_t i : part.wheels) b.push_back(rhs[n_ + i]);
      }
      const std::size_t inner = b.size(), rest = part.rest.size();
      b.resize(inner + rest + 6, zero());
      reduced[k] = part.factors->reduced(std::move(b));
      for (std::size_t i = 0; i < rest; ++i) outer[part.rest[i]] += reduced[k][inner + i];
      Six own;
      std::copy_n(reduced[k].begin() + static_cast<std::ptrdiff_t>(inner + rest), 6, own.begin());
      const Six moved = at_carrier(part, own);
      for (std::size_t c = 0; c < 6; ++c) wrench[c] += moved[c];
    }
    add_projected(carrier, wrench, outer);
  }
  std::vector<Expr> x(n_ + w_, zero());
  if (factors_ != nullptr) {
    std::vector<Expr> b;
    for (const std::uint32_t i : outer_) b.push_back(outer[i]);
    const std::vector<Expr> found = factors_->solve(b);
    for (std::size_t i = 0; i < outer_.size(); ++i) x[outer_[i]] = found[i];
  }
  for (const Carrier& carrier : carriers_) {
    const Six motion = carrier_motion(carrier, std::span<const Expr>(x).first(n_));
    for (const std::size_t k : carrier.parts) {
      const Part& part = parts_[k];
      if (!part.condensed) continue;
      const Six u = at_wheelset(part, motion);
      std::vector<Expr> known;
      for (const std::uint32_t row : part.rest) known.push_back(x[row]);
      known.insert(known.end(), u.begin(), u.end());
      const std::vector<Expr> own = part.factors->completed(reduced[k], known);
      for (std::size_t j = 0; j < part.own.size(); ++j) x[part.own[j]] = own[j];
      for (std::size_t i = part.own.size(); i < own.size(); ++i)
        x[n_ + part.wheels[i - part.own.size()]] = own[i];
    }
  }
  return x;
}

Expr StepSystem::smallest_pivot() const {
  Expr smallest;
  const auto take = [&smallest](const sym::Factors& factors) {
    const Expr own = factors.smallest_pivot();
    smallest = smallest.empty() ? own : min(smallest, own);
  };
  for (const Part& part : parts_) {
    if (part.factors != nullptr && !part.factors->pivots().empty()) take(*part.factors);
  }
  if (factors_ != nullptr) take(*factors_);
  return smallest;
}

std::vector<Expr> StepSystem::generalized(std::span<const Expr> wrenches) const {
  std::vector<Expr> list(n_, zero());
  for (const Carrier& carrier : carriers_) {
    Six sum;
    sum.fill(zero());
    for (const std::size_t k : carrier.parts) {
      Six wrench;
      std::copy_n(wrenches.begin() + static_cast<std::ptrdiff_t>(6 * k), 6, wrench.begin());
      for (const auto* mine : {&parts_[k].own, &parts_[k].kept}) {
        for (const std::uint32_t j : *mine) list[j] += dot(column(k, j), wrench);
      }
      const Six moved = at_carrier(parts_[k], wrench);
      for (std::size_t c = 0; c < 6; ++c) sum[c] += moved[c];
    }
    add_projected(carrier, sum, list);
  }
  return list;
}

std::vector<Expr> StepSystem::twists(std::span<const Expr> dq) const {
  std::vector<Expr> list(6 * parts_.size(), zero());
  for (const Carrier& carrier : carriers_) {
    const Six motion = carrier_motion(carrier, dq);
    for (const std::size_t k : carrier.parts) {
      Six u = at_wheelset(parts_[k], motion);
      for (const auto* mine : {&parts_[k].own, &parts_[k].kept}) {
        for (const std::uint32_t j : *mine) {
          const Six own = column(k, j);
          for (std::size_t c = 0; c < 6; ++c) u[c] += own[c] * dq[j];
        }
      }
      std::copy(u.begin(), u.end(), list.begin() + static_cast<std::ptrdiff_t>(6 * k));
    }
  }
  return list;
}

}  // namespace klingel::model
