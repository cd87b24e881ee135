#include "model/step_system.hpp"

#include <algorithm>

#include "mech/kinematics.hpp"
#include "sym/ordering.hpp"

namespace klingel::model {

using mech::Triple;
using sym::Expr;

StepSystem::StepSystem(mech::Model& model, std::size_t coordinates,
                       std::span<const Wheelset> wheelsets, std::span<const WheelsetMotion> motions,
                       const StepSymbols& symbols, const StiffTangent& stiff)
    : model_(model), wheelsets_(wheelsets), motions_(motions), symbols_(symbols), n_(coordinates) {
  find_parts();
  find_kept(stiff);
  find_carriers();
  for (std::size_t k = 0; k < parts_.size(); ++k) condense(k);
  make_outer(stiff);
}

Six StepSystem::column(std::size_t k, std::uint32_t j) const {
  return joined(motions_[k].v[j], motions_[k].w_total[j]);
}

// Mass and moments of some bodies about the wheelset's centre, in the ground. Summed in the base
// that does not spin, where they are constant, and turned once.
SixBySix StepSystem::inertia(const Wheelset& wheelset, std::span<const std::string> bodies) const {
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
    const Expr square = mech::dot(c, own);
    for (std::size_t i = 0; i < 3; ++i) {
      J[4 * i] += square;
      for (std::size_t j = 0; j < 3; ++j) J[3 * i + j] -= c[i] * own[j];
    }
  }
  const mech::Block R = base_change(model_.ground_base(), wheelset.still);
  J = mech::rotated(R, J);
  s = mech::product(R, s);
  return model::inertia(mass, s, J);
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
void StepSystem::add_rest(const Part& part, MatrixSum& A) const {
  const std::size_t rest = part.rest.size();
  const std::vector<Expr>& S = part.factors->schur();
  const Carrier& carrier = carriers_[part.carrier];
  for (std::size_t a = 0; a < rest; ++a) {
    for (std::size_t b = 0; b < rest; ++b) A(part.rest[a], part.rest[b]) += S[a * (rest + 6) + b];
    Six row, col;
    for (std::size_t c = 0; c < 6; ++c) {
      row[c] = S[a * (rest + 6) + rest + c];
      col[c] = S[(rest + c) * (rest + 6) + a];
    }
    row = wrench_about(part.r, row);
    col = wrench_about(part.r, col);
    for (const std::uint32_t j : carrier.coordinates) {
      const Six u = column(carrier.first, j);
      A(part.rest[a], j) += dot(row, u);
      A(j, part.rest[a]) += dot(u, col);
    }
  }
}

void StepSystem::make_outer(const StiffTangent& stiff) {
  const std::size_t size = n_ + w_;
  MatrixSum A(zero());
  std::vector<bool> inner(size, false);
  for (const Part& part : parts_) {
    for (const std::uint32_t j : part.own) inner[j] = true;
    if (!part.wheels_inside) continue;
    for (const std::uint32_t i : part.wheels) inner[n_ + i] = true;
  }
  for (const sym::Entry& e : M_rest_.entries()) A(e.row, e.col) = e.value;
  for (const sym::Entry& e : stiff.entries()) A(e.row, e.col) += e.value;
  for (const Carrier& carrier : carriers_) {
    SixBySix K;
    K.fill(zero());
    for (const std::size_t k : carrier.parts) {
      const SixBySix own = moved(parts_[k].K, parts_[k].r);
      for (std::size_t i = 0; i < 36; ++i) K[i] += own[i];
    }
    for (const std::uint32_t j : carrier.coordinates) {
      const Six y = product(K, column(carrier.first, j));
      for (const std::uint32_t i : carrier.coordinates) A(i, j) += dot(column(carrier.first, i), y);
    }
  }
  for (const Part& part : parts_) {
    if (part.condensed) add_rest(part, A);
  }
  // wheels of wheelsets that are not eliminated
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].condensed) continue;
    for (const std::uint32_t i : parts_[k].wheels) {
      const auto row = static_cast<std::uint32_t>(n_ + i);
      const Expr active = symbols_.active[i];
      Six W;
      for (std::size_t c = 0; c < 6; ++c) W[c] = active * symbols_.W_n[6 * i + c];
      for (const std::uint32_t j : parts_[k].carried) {
        const Expr held = dot(joined(motions_[k].v[j], motions_[k].w_still[j]), W);
        A(row, j) = held;
        A(j, row) = symbols_.h * held;
      }
      A(row, row) = 1 - active;
    }
  }

  for (std::uint32_t i = 0; i < size; ++i) {
    if (!inner[i]) outer_.push_back(i);
  }
  if (outer_.empty()) return;
  const sym::Matrix outer = A.matrix(outer_, size);
  factors_ = std::make_unique<sym::Factors>(
      outer, sym::SolveOptions{sym::Elimination::lu, sym::stable_order(outer)});
}

}  // namespace klingel::model
