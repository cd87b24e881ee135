#include "model/derivative_interface.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <tuple>

#include "mech/kinematics.hpp"
#include "model/interface_symbols.hpp"
#include "model/matrix_sum.hpp"
#include "model/step_terms.hpp"
#include "sym/jacobian.hpp"

namespace klingel::model {
namespace {

using mech::dot;
using mech::Triple;
using sym::Expr;

// Place and motion of a wheelset by variables that change them: columns for dw.
using Columns = std::map<std::uint32_t, std::array<Expr, wrench_columns>>;

class Derivatives {
 public:
  Derivatives(mech::Model& model, const mech::Equations& equations,
              std::span<const Wheelset> wheelsets, std::span<const std::string> stiff,
              Tangents tangents)
      : m_(model),
        e_(equations),
        wheelsets_(wheelsets),
        n_(equations.q.size()),
        t_(step_terms(model, equations, wheelsets, stiff, tangents)),
        change_(interface_symbols(model.graph(), "derivative.change", n_)) {
    for (const Wheelset& w : wheelsets) {
      append_symbols(w_, w.name + ".w", 6);
    }
  }

  sym::Interface interface() {
    sym::Interface result;
    result.setup = mech::interface(m_, e_).setup;
    const StepSymbols& s = t_.symbols;
    // what is also asked for at t+h comes first
    std::vector<std::string> place, movement;
    const auto first = [](std::vector<std::string>& list, const std::string& name) {
      list.push_back(name + "_x"), list.push_back(name + "_p");
    };
    if (!t_.z.empty()) first(place, "strokes");
    if (!t_.measured.empty()) first(place, "measured"), first(movement, "measured");
    std::vector<sym::InputArray> forces = {{"u", m_.inputs()}, {"f", m_.forces()}};
    std::vector<sym::InputArray> ends = {{"dq_end", t_.dq_end}};
    if (!t_.z.empty()) {
      forces.push_back({"z", t_.z});
      ends.push_back({"strokes_end", t_.strokes_end});
    }
    result.stages = {{"place", {{"q", e_.q}}, place},
                     {"position", {}},
                     {"movement", {{"dq", e_.dq}}, movement},
                     {"velocity", {}},
                     {"force", forces},
                     {"system",
                      {{"h", {s.h}},
                       {"tangents", {s.tangent_q, s.tangent_dq, s.push}},
                       {"change", change_},
                       {"wrench", w_}}},
                     {"end", ends}};
    // column by column: forces are differentiated once for all coordinates that they act on
    add(result.functions, "residual", "r - S D with D and w held [eq:stepderivative]", balance(),
        all({}), sym::JacobianMode::forward);
    add_wheelsets(result.functions);
    if (!t_.z.empty()) {
      add(result.functions, "strokes", "strokes of elements with internal states", t_.strokes,
          {{"q", e_.q}});
      add(result.functions, "advance", "internal states at t+h", t_.advance,
          all({{"dq_end", t_.dq_end}, {"strokes_end", t_.strokes_end}}));
    }
    if (!t_.measured.empty())
      add(result.functions, "measured", "channels known at t", t_.measured, all({}));
    if (!t_.felt.empty())
      add(result.functions, "felt", "channels with accelerations", t_.felt,
          all({{"dq_end", t_.dq_end}}));
    return result;
  }

 private:
  using Arrays = std::vector<std::pair<std::string, std::vector<Expr>>>;

  void append_symbols(std::vector<Expr>& to, const std::string& name, std::size_t count) {
    const std::vector<Expr> list = interface_symbols(m_.graph(), "derivative." + name, count);
    to.insert(to.end(), list.begin(), list.end());
  }

  static sym::Output sparse(const std::string& name, const std::vector<Expr>& of,
                            const std::vector<Expr>& by,
                            sym::JacobianMode mode = sym::JacobianMode::automatic) {
    return {name, sym::jacobian(of, by, mode), true};
  }

  // q, dq, z, u and more.
  Arrays all(const Arrays& more) {
    Arrays arrays = {{"q", e_.q}, {"dq", e_.dq}, {"z", t_.z}, {"u", m_.inputs()}};
    arrays.insert(arrays.end(), more.begin(), more.end());
    return arrays;
  }

  // NAME_x by these arrays and NAME_p by parameters.
  void add(std::vector<sym::Function>& to, const std::string& name, const char* about,
           const std::vector<Expr>& of, const Arrays& arrays,
           sym::JacobianMode mode = sym::JacobianMode::automatic) {
    sym::Function x{name + "_x", fmt::format("derivatives of {}", about), {}};
    for (const auto& [array, list] : arrays)
      x.outputs.push_back(sparse("by_" + array, of, list, mode));
    to.push_back(std::move(x));
    to.push_back({name + "_p",
                  fmt::format("derivatives of {} by parameters", about),
                  {sparse("by_p", of, m_.parameters())}});
  }

  // r - S D with wrenches w of the contacts.
  std::vector<Expr> balance() {
    std::vector<Expr> r = t_.impulse;
    for (const sym::Entry& e : t_.matrix.entries()) r[e.row] -= e.value * change_[e.col];
    // the change of a deflection first: derivatives of it serve all rows
    for (const StiffLaw& law : t_.laws) {
      Expr rate = m_.number(0);
      for (const auto& [j, L] : law.columns) rate += L * change_[j];
      const Expr force = law.weight * rate;
      for (const auto& [j, L] : law.columns) r[j] -= L * force;
    }
    for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
      const WheelsetMotion& J = t_.motions[k];
      const Triple force{w_[6 * k], w_[6 * k + 1], w_[6 * k + 2]};
      const Triple moment{w_[6 * k + 3], w_[6 * k + 4], w_[6 * k + 5]};
      for (const std::uint32_t j : J.moving)
        r[j] += t_.symbols.h * (dot(J.v[j], force) + dot(J.w_total[j], moment));
    }
    return r;
  }

  // Twist, bias and u_end of a wheelset: what dw has columns for behind place.
  std::vector<Expr> motion(std::size_t k) {
    const Wheelset& w = wheelsets_[k];
    const mech::Frame ground = m_.ground();
    const auto in_ground = [&](const mech::Vector& u) { return in_base(u, m_.ground_base()).c; };
    std::vector<Expr> list;
    append(list, in_ground(velocity(ground, w.centre)));
    append(list, in_ground(angular_velocity(ground.base, w.still)));
    list.push_back(in_base(angular_velocity(w.still, w.turning), w.still).y());
    append(list, in_ground(bias_acceleration(ground, w.centre)));
    append(list, in_ground(bias_angular_acceleration(ground.base, w.still)));
    const WheelsetMotion& J = t_.motions[k];
    Triple v{m_.number(0), m_.number(0), m_.number(0)}, turn = v;
    for (const std::uint32_t j : J.moving) {
      const Expr rate = e_.dq[j] + change_[j];
      v = mech::plus(v, mech::scaled(rate, J.v[j]));
      turn = mech::plus(turn, mech::scaled(rate, J.w_total[j]));
    }
    append(list, v);
    append(list, turn);
    return list;
  }

  // Displacement and rotation of a wheelset by symbols: r and half the sum of e x de of its axes.
  sym::Matrix place(std::size_t k, const std::vector<Expr>& by) {
    const Wheelset& w = wheelsets_[k];
    const auto in_ground = [&](const mech::Vector& u) { return in_base(u, m_.ground_base()).c; };
    MatrixSum sum(m_.number(0));
    const Triple r = in_ground(position(m_.origin(), w.centre));
    const sym::Matrix moved = sym::jacobian(r, by);
    for (const sym::Entry& e : moved.entries()) sum(e.row, e.col) = e.value;
    for (const int axis : {0, 1, 2}) {
      const Triple u = in_ground(m_.axis_vector(w.still, axis));
      const sym::Matrix turned = sym::jacobian(u, by);
      for (const sym::Entry& e : turned.entries()) {
        const std::uint32_t y = (e.row + 1) % 3, z = (e.row + 2) % 3;  // u x (0, .., du, .., 0)
        sum(3 + z, e.col) -= u[y] * e.value / 2;
        sum(3 + y, e.col) += u[z] * e.value / 2;
      }
    }
    return sum.matrix(6, by.size());
  }

  enum class By { q, dq, p };

  Columns columns(std::size_t k, By what, const std::vector<Expr>& by) {
    std::array<Expr, wrench_columns> none;
    none.fill(m_.number(0));
    Columns list;
    const auto at = [&](std::uint32_t j) -> std::array<Expr, wrench_columns>& {
      return list.try_emplace(j, none).first->second;
    };
    const WheelsetMotion& J = t_.motions[k];
    if (what == By::q) {
      // rates are those of coordinates: a coordinate moves the wheelset as its rate does
      for (const std::uint32_t j : J.moving)
        for (std::size_t c = 0; c < 3; ++c) at(j)[c] = J.v[j][c], at(j)[3 + c] = J.w_still[j][c];
    }
    if (what == By::p) {
      const sym::Matrix placed = place(k, by);
      for (const sym::Entry& e : placed.entries()) at(e.col)[e.row] = e.value;
    }
    const sym::Matrix moves = sym::jacobian(motion(k), by);
    for (const sym::Entry& e : moves.entries()) at(e.col)[6 + e.row] = e.value;
    return list;
  }

  // wheelset_x and wheelset_p
  void add_wheelsets(std::vector<sym::Function>& to) {
    std::vector<sym::Output> outputs;
    for (const auto& [what, name, by] : {std::tuple(By::q, "by_q", &e_.q),
                                         {By::dq, "by_dq", &e_.dq},
                                         {By::p, "by_p", &m_.parameters()}}) {
      MatrixSum moved(m_.number(0));
      for (std::uint32_t k = 0; k < wheelsets_.size(); ++k)
        for (const auto& [j, column] : columns(k, what, *by))
          for (std::uint32_t c = 0; c < wrench_columns; ++c)
            if (!column[c].is(0)) moved(wrench_columns * k + c, j) = column[c];
      outputs.push_back({name, moved.matrix(wrench_columns * wheelsets_.size(), by->size()), true});
    }
    constexpr const char* about = "place and motion of wheelsets: what multiplies dw";
    to.push_back({"wheelset_x", about, {outputs[0], outputs[1]}});
    to.push_back({"wheelset_p", about, {outputs[2]}});
  }

  mech::Model& m_;
  const mech::Equations& e_;
  std::span<const Wheelset> wheelsets_;
  std::size_t n_;
  StepTerms t_;
  std::vector<Expr> change_, w_;
};

}  // namespace

sym::Interface derivative_interface(mech::Model& model, const mech::Equations& equations,
                                    std::span<const Wheelset> wheelsets,
                                    std::span<const std::string> stiff, Tangents tangents) {
  return Derivatives(model, equations, wheelsets, stiff, tangents).interface();
}

}  // namespace klingel::model
