#include "model/linear_interface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mech/kinematics.hpp"
#include "model/interface_symbols.hpp"
#include "model/wheelset_motion.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/substitute.hpp"

namespace klingel::model {
namespace {

using mech::dot;
using mech::Triple;
using sym::Expr;

// Rows of J of one wheelset: v_C above w.
void add_rows(std::vector<sym::Entry>& rows, std::uint32_t first, const MotionColumns& v,
              const MotionColumns& w) {
  for (std::uint32_t half = 0; half < 2; ++half) {
    for (const auto& [j, column] : (half == 0 ? v : w).list())
      for (std::uint32_t c = 0; c < 3; ++c) rows.push_back({first + 3 * half + c, j, column[c]});
  }
}

// Internal states of elements: x' = g(q, dq, x).
struct States {
  std::vector<Expr> x, stroke;
  std::vector<Expr> x_standing, stroke_standing;  // symbols
  std::vector<Expr> g;
  std::vector<Expr> steady;  // X(q)
};

// Whether the forces feel a state, of themselves or through other states. Filters of sensors are
// not felt.
std::vector<bool> felt(const std::vector<mech::InternalState>& all, std::span<const Expr> F) {
  std::vector<bool> is(all.size());
  std::vector<Expr> where(F.begin(), F.end());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto in = [&](const Expr& e) { return sym::depends_on(e, all[i].value); };
      if (is[i] || std::none_of(where.begin(), where.end(), in)) continue;
      is[i] = more = true;
      where.push_back(all[i].next);
    }
  }
  return is;
}

// In steady motion strokes do not change, and an element is where it came to from standing in one
// endless step: springs behind dampers have no force, friction has that of its stroke, at most the
// one it slides at. `next` goes from the stroke of q to stroke_end; here it comes to that of q, so
// that forces that follow the load are those of q.
States states_of(mech::Model& m, std::span<const Expr> F) {
  constexpr double endless = 1e9;  // s
  States s;
  const std::vector<mech::InternalState>& all = m.internal_states();
  const std::vector<bool> is_felt = felt(all, F);
  std::vector<sym::Replacement> from_standing{{m.step(), m.number(endless)}};
  for (const mech::InternalState& one : all) {
    s.x.push_back(one.value);
    s.stroke.push_back(one.stroke);
    s.x_standing.push_back(interface_symbol(m.graph(), "linear.standing." + one.name));
    s.stroke_standing.push_back(interface_symbol(m.graph(), "linear.standing_stroke." + one.name));
    from_standing.push_back({one.value, s.x_standing.back()});
    from_standing.push_back({one.stroke_end, 2 * one.stroke - s.stroke_standing.back()});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    s.g.push_back(is_felt[i] ? sym::time_derivative(all[i].value) : m.number(0));
    s.steady.push_back(is_felt[i] ? sym::substitute(all[i].next, from_standing) : m.number(0));
  }
  return s;
}

// About a motion in which friction sticks: at x = 0, wherever the steady state is.
sym::Matrix sticking(mech::Model& m, const sym::Matrix& of, const std::vector<Expr>& x) {
  std::vector<sym::Replacement> none;
  for (const Expr& state : x) none.push_back({state, m.number(0)});
  std::vector<sym::Entry> entries;
  for (const sym::Entry& e : of.entries())
    entries.push_back({e.row, e.col, sym::substitute(e.value, none)});
  return {of.rows(), of.cols(), std::move(entries)};
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
      b.push_back(interface_symbol(m.graph(), fmt::format("linear.{}.b.{}", w.name, c)));
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
  if (m.internal_states().empty()) return result;

  const States s = states_of(m, F);
  for (sym::Stage& stage : result.stages) {
    if (stage.name == "force") stage.inputs.push_back({"z", s.x});
    if (stage.name != "load") continue;
    stage.inputs.push_back({"z_standing", s.x_standing});
    stage.inputs.push_back({"strokes_standing", s.stroke_standing});
  }
  result.functions.push_back({"strokes",
                              "strokes of elements with internal states",
                              {sym::Output::vector("s", s.stroke)}});
  result.functions.push_back({"steady_states",
                              "internal states in steady motion, from standing",
                              {sym::Output::vector("X", s.steady)}});
  result.functions.push_back(
      {"states",
       "derivatives of F by internal states, of these in steady motion, and of their rates g",
       {dense("F_x", sym::jacobian(F, s.x)), dense("X_q", sym::jacobian(s.steady, e.q)),
        dense("g_q", sticking(m, sym::jacobian(s.g, e.q), s.x)),
        dense("g_dq", sticking(m, sym::jacobian(s.g, e.dq), s.x)),
        dense("g_x", sticking(m, sym::jacobian(s.g, s.x), s.x))}});
  return result;
}

}  // namespace klingel::model
