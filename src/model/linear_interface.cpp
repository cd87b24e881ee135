#include "model/linear_interface.hpp"

#include <fmt/format.h>

#include <optional>

#include "mech/kinematics.hpp"
#include "model/wheelset_motion.hpp"
#include "sym/jacobian.hpp"

namespace klingel::model {
namespace {

using mech::dot;
using mech::Triple;
using sym::Expr;

void append(std::vector<Expr>& list, const Triple& u) {
  list.insert(list.end(), u.begin(), u.end());
}

// Rows of J of one wheelset: v_C above w.
void add_rows(std::vector<sym::Entry>& rows, std::uint32_t first, const std::vector<Triple>& v,
              const std::vector<Triple>& w) {
  for (std::uint32_t j = 0; j < v.size(); ++j)
    for (std::uint32_t i = 0; i < 3; ++i) {
      rows.push_back({first + i, j, v[j][i]});
      rows.push_back({first + 3 + i, j, w[j][i]});
    }
}

// Found again if the interface of this model was made before.
Expr symbol(sym::Graph& g, const std::string& name) {
  const std::optional<Expr> made = g.find(name);
  return made ? *made : g.symbol(name, sym::SymbolKind::force, 0);
}

}  // namespace

sym::Interface linear_interface(mech::Model& m, const mech::Equations& e,
                                std::span<const Wheelset> wheelsets) {
  const auto n = static_cast<std::uint32_t>(e.q.size());
  const auto k = static_cast<std::uint32_t>(wheelsets.size());
  const mech::Frame ground = m.ground();
  const auto in_ground = [&](const mech::Vector& u) { return in_base(u, m.ground_base()).c; };

  std::vector<Expr> b, F = e.delta_q, poses, twists;
  for (const sym::Entry& entry : e.M_qq.entries()) F[entry.row] -= entry.value * e.ddq[entry.col];
  std::vector<sym::Entry> still, total;
  for (std::uint32_t i = 0; i < k; ++i) {
    const Wheelset& w = wheelsets[i];
    append(poses, in_ground(position(m.origin(), w.centre)));
    for (const int axis : {0, 1, 2}) append(poses, in_ground(m.axis_vector(w.still, axis)));
    append(twists, in_ground(velocity(ground, w.centre)));
    append(twists, in_ground(angular_velocity(ground.base, w.still)));
    twists.push_back(in_base(angular_velocity(w.still, w.turning), w.still).y());

    const WheelsetMotion J = wheelset_motion(m, w, e.dq);
    add_rows(still, 6 * i, J.v, J.w_still);
    add_rows(total, 6 * i, J.v, J.w_total);
    for (int c = 0; c < 6; ++c)
      b.push_back(symbol(m.graph(), fmt::format("linear.{}.b.{}", w.name, c)));
    const Triple force{b[6 * i], b[6 * i + 1], b[6 * i + 2]};
    const Triple moment{b[6 * i + 3], b[6 * i + 4], b[6 * i + 5]};
    for (const std::uint32_t j : J.moving) F[j] += dot(J.v[j], force) + dot(J.w_total[j], moment);
  }

  sym::Interface result;
  result.setup = mech::interface(m, e).setup;
  result.stages = {{"position", {{"q", e.q}}},
                   {"velocity", {{"dq", e.dq}}},
                   {"force", {{"u", m.inputs()}, {"f", m.forces()}}},
                   {"load", {{"ddq", e.ddq}, {"b", b}}}};
  const auto dense = [](const char* name, sym::Matrix matrix) {
    return sym::Output{name, std::move(matrix)};
  };
  result.functions = {
      {"F", "delta_NK - M_qq ddq + J^T b", {sym::Output::vector("F", F)}},
      {"tangent",
       "derivatives of F by q and dq with b held, and the mass matrix",
       {dense("F_q", sym::jacobian(F, e.q)), dense("F_dq", sym::jacobian(F, e.dq)),
        dense("M_qq", e.M_qq)}},
      {"motion",
       "places and motions of the wheelsets",
       {sym::Output::vector("poses", poses), sym::Output::vector("twists", twists)}},
      {"steering",
       "how the wheelsets move with dq, and derivatives of their motions by q and dq",
       {dense("J_still", sym::Matrix(6 * k, n, std::move(still))),
        dense("J_total", sym::Matrix(6 * k, n, std::move(total))),
        dense("twist_q", sym::jacobian(twists, e.q)),
        dense("twist_dq", sym::jacobian(twists, e.dq))}}};
  return result;
}

}  // namespace klingel::model
