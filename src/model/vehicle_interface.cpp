#include "model/vehicle_interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "mech/kinematics.hpp"
#include "model/interface_symbols.hpp"
#include "model/matrix_sum.hpp"
#include "model/step_system.hpp"
#include "model/step_terms.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/substitute.hpp"

namespace klingel::model {
namespace {

using mech::dot;
using mech::Triple;
using sym::Expr;
using sym::SymbolKind;

class Vehicle {
 public:
  Vehicle(mech::Model& model, const mech::Equations& equations, std::span<const Wheelset> wheelsets,
          std::span<const std::string> stiff, Tangents tangents, Wheels wheels)
      : m_(model), g_(model.graph()), e_(equations), wheelsets_(wheelsets), n_(equations.q.size()) {
    const std::vector<Expr> F = mech::element_forces(
        model,
        tangents == Tangents::exact ? std::vector(stiff.begin(), stiff.end()) : find_laws(stiff));
    dF_dq_ = sym::jacobian(F, e_.q);
    dF_ddq_ = sym::jacobian(F, e_.dq);
    find_internal_laws();
    for (const Wheelset& w : wheelsets) wheels_ += w.wheels.size();
    make_symbols();
    make_end_symbols();
    for (const Wheelset& w : wheelsets) motions_.push_back(wheelset_motion(model, w, e_.dq));
    make_rows();
    make_matrix(wheels);
    if (wheels == Wheels::free) {
      without_wheels_.assign(wheelsets_.begin(), wheelsets_.end());
      for (Wheelset& w : without_wheels_) w.wheels.clear();
    }
    system_.emplace(m_, n_, wheels == Wheels::free ? without_wheels_ : wheelsets_, motions_,
                    symbols_, stiff_tangent());
  }

  sym::Interface interface() {
    sym::Interface result = mech::interface(m_, e_);
    // what a step calls; other functions are rare, and what only they need has stages of its own
    std::vector<std::string> often = {"pose", "motion", "impulse", "solve", "twist_end"};
    if (!m_.internal_states().empty()) often.insert(often.end(), {"strokes", "advance"});
    result.stages = {{"place", {{"q", e_.q}}, {"pose"}},
                     {"position", {}, often},
                     {"position_rest", {}, {}, true},
                     {"movement", {{"dq", e_.dq}}, {"motion"}},
                     {"velocity", {}, often},
                     {"velocity_rest", {}, {}, true},
                     {"force", {{"u", m_.inputs()}, {"f", m_.forces()}}},
                     {"system",
                      {{"h", {symbols_.h}},
                       {"tangents", {symbols_.tangent_q, symbols_.tangent_dq, symbols_.push}},
                       {"B", symbols_.B},
                       {"b", symbols_.b},
                       {"W_n", symbols_.W_n},
                       {"active", symbols_.active}}},
                     {"right_side", {{"rhs", rhs_}}},
                     {"end", {{"dq_end", dq_end_}}}};
    add_internal_states(result);
    for (sym::Function& f : result.functions) {
      if (f.name == "M_qq") f.outputs[0].sparse = true;
      if (f.name != "delta_q") continue;
      f = {"delta_NK",
           "right-hand side without the forces of the contacts",
           {sym::Output::vector("delta_NK", e_.delta_q)}};
    }
    for (const sym::Function& f :
         {pose(), motion(), impulse(), step_matrix(), twist_dq(), solve(), twist_end(), power()})
      result.functions.push_back(f);
    // after all others, so that they change nothing in these
    for (const sym::Function& f : measured())
      if (f.outputs[0].matrix.rows() > 0) result.functions.push_back(f);
    for (sym::Function& f : result.functions)
      f.rare = std::find(often.begin(), often.end(), f.name) == often.end();
    return result;
  }

  StepTerms terms() {
    StepTerms t;
    t.symbols = symbols_;
    t.dq_end = dq_end_;
    t.motions = motions_;
    MatrixSum A(m_.number(0));
    for (const sym::Entry& e : e_.M_qq.entries()) A(e.row, e.col) = e.value;
    add_tangents(A);
    t.matrix = A.matrix(n_, n_);
    for (std::size_t k = 0; k < laws_.size(); ++k)
      t.laws.push_back({law_weight(*laws_[k]), law_columns_[k]});
    for (const Expr& delta : e_.delta_q) t.impulse.push_back(symbols_.h * delta);
    push_stiff(t.impulse);
    for (const mech::InternalState& s : m_.internal_states()) {
      t.z.push_back(s.value);
      t.strokes.push_back(s.stroke);
      t.strokes_end.push_back(s.stroke_end);
      t.advance.push_back(of_step(s.next));
    }
    split_measures(t.measured, t.felt);
    return t;
  }

 private:
  // Laws of stiff elements; returns elements that have none.
  std::vector<std::string> find_laws(std::span<const std::string> stiff) {
    std::vector<std::string> others;
    std::vector<Expr> rates;
    for (const std::string& element : stiff) {
      const std::size_t before = laws_.size();
      for (const mech::ElementLaw& law : m_.laws()) {
        if (!law.drift.empty()) continue;
        if (law.element != element && !law.element.starts_with(element + ".")) continue;
        laws_.push_back(&law);
        rates.push_back(law.rate);
      }
      if (laws_.size() == before) others.push_back(element);
    }
    take_columns(rates);
    return others;
  }

  // Forces with internal states are always those of t+h: they change with the step.
  void find_internal_laws() {
    std::vector<Expr> rates;
    for (const mech::ElementLaw* law : laws_) rates.push_back(law->rate);
    for (const mech::ElementLaw& law : m_.laws()) {
      if (law.drift.empty()) continue;
      laws_.push_back(&law);
      rates.push_back(law.rate);
    }
    if (rates.size() > law_columns_.size()) take_columns(rates);
  }

  void take_columns(const std::vector<Expr>& rates) {
    law_columns_.assign(rates.size(), {});
    const sym::Matrix J = sym::jacobian(rates, e_.dq);
    for (const sym::Entry& e : J.entries()) law_columns_[e.row].push_back({e.col, e.value});
  }

  // What multiplies the increment of dq along the deflection of a law.
  Expr law_weight(const mech::ElementLaw& law) {
    if (!law.drift.empty()) return symbols_.h * symbols_.tangent_dq / 2 * law.stiffness;
    Expr weight = symbols_.tangent_q * law.stiffness;
    weight += symbols_.tangent_dq * law.damping;
    return weight;
  }

  void make_symbols() {
    symbols_.h = interface_symbol(g_, "step.h", SymbolKind::other, 1e-3);
    symbols_.tangent_q = interface_symbol(g_, "step.tangent_q", SymbolKind::other, 1e-6);
    symbols_.tangent_dq = interface_symbol(g_, "step.tangent_dq", SymbolKind::other, 1e-3);
    symbols_.push = interface_symbol(g_, "step.push", SymbolKind::other, 1e-6);
    for (const Wheelset& w : wheelsets_) {
      // nominal values that leave the matrix regular
      for (const Expr& e : interface_symbols(g_, w.name + ".B", 36)) symbols_.B.push_back(e);
      for (std::size_t i = 0; i < 6; ++i)
        g_.set_value(symbols_.B[symbols_.B.size() - 36 + 7 * i], 1e5);
      for (const Expr& e : interface_symbols(g_, w.name + ".b", 6)) symbols_.b.push_back(e);
      for (const std::string& wheel : w.wheels) {
        const std::vector<Expr> W = interface_symbols(g_, wheel + ".W_n", 6);
        g_.set_value(W[2], 1);
        const double side = symbols_.W_n.size() % 12 == 0 ? -0.75 : 0.75;
        g_.set_value(W[3], side);
        symbols_.W_n.insert(symbols_.W_n.end(), W.begin(), W.end());
        symbols_.active.push_back(interface_symbol(g_, wheel + ".active", SymbolKind::force, 1));
      }
    }
    for (std::size_t i = 0; i < n_ + wheels_; ++i)
      rhs_.push_back(
          interface_symbol(g_, fmt::format("step.rhs.{}", i), SymbolKind::force, i < n_ ? 1 : 0));
  }

  void make_end_symbols() {
    for (const Expr& dq : e_.dq) {
      const std::string& name = g_.symbol_of(dq).name;
      dq_end_.push_back(interface_symbol(g_, "end." + name, SymbolKind::velocity, 0));
    }
  }

  Triple in_ground(const mech::Vector& u) { return in_base(u, m_.ground_base()).c; }

  static Triple triple(std::span<const Expr> list, std::size_t first) {
    return {list[first], list[first + 1], list[first + 2]};
  }

  // dphi_n_dq, one row per wheel
  void make_rows() {
    std::uint32_t wheel = 0;
    for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
      const WheelsetMotion& J = motions_[k];
      for (std::size_t i = 0; i < wheelsets_[k].wheels.size(); ++i, ++wheel) {
        const Triple normal = triple(symbols_.W_n, 6 * wheel);
        const Triple turn = triple(symbols_.W_n, 6 * wheel + 3);
        for (const std::uint32_t j : J.moving) {
          const Expr linear = dot(J.v[j], normal);
          dphi_n_dq_.push_back({wheel, j, linear + dot(J.w_still[j], turn)});
        }
      }
    }
  }

  // Of stiff elements without laws.
  void add_tangents(MatrixSum& sum) {
    for (const sym::Entry& e : dF_dq_.entries()) sum(e.row, e.col) -= symbols_.tangent_q * e.value;
    for (const sym::Entry& e : dF_ddq_.entries())
      sum(e.row, e.col) -= symbols_.tangent_dq * e.value;
  }

  sym::Matrix stiff_tangent() {
    MatrixSum sum(m_.number(0));
    add_tangents(sum);
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      const Expr weight = law_weight(*laws_[k]);
      const auto& J = law_columns_[k];
      for (std::size_t j = 0; j < J.size(); ++j) {
        const Expr force = weight * J[j].second;
        for (std::size_t i = 0; i <= j; ++i) {
          const Expr entry = J[i].second * force;
          sum(J[i].first, J[j].first) += entry;
          if (i != j) sum(J[j].first, J[i].first) += entry;
        }
      }
    }
    return sum.matrix(n_, n_);
  }

  // h J^T B J of one wheelset, added to A
  void add_damping(std::size_t k, MatrixSum& A) {
    const WheelsetMotion& J = motions_[k];
    const std::span<const Expr> B(symbols_.B.data() + 36 * k, 36);
    const auto row = [&](std::size_t i, const Triple& v, const Triple& w) {
      const Expr linear = dot(triple(B, 6 * i), v);
      return linear + dot(triple(B, 6 * i + 3), w);
    };
    for (const std::uint32_t j : J.moving) {
      std::array<Expr, 6> y;
      for (std::size_t i = 0; i < 6; ++i) y[i] = symbols_.h * row(i, J.v[j], J.w_total[j]);
      for (const std::uint32_t i : J.moving) {
        A(i, j) += dot(J.v[i], Triple{y[0], y[1], y[2]});
        A(i, j) += dot(J.w_total[i], Triple{y[3], y[4], y[5]});
      }
    }
  }

  void make_matrix(Wheels wheels) {
    const auto n = static_cast<std::uint32_t>(n_);
    MatrixSum A(m_.number(0));
    for (const sym::Entry& e : e_.M_qq.entries()) A(e.row, e.col) = e.value;
    for (std::size_t k = 0; k < wheelsets_.size(); ++k) add_damping(k, A);
    const sym::Matrix stiff = stiff_tangent();
    for (const sym::Entry& e : stiff.entries()) A(e.row, e.col) += e.value;
    auto e = dphi_n_dq_.begin();
    for (std::uint32_t i = 0; i < wheels_; ++i) {
      if (wheels == Wheels::free) {
        A(n + i, n + i) = m_.number(1);
        continue;
      }
      for (; e != dphi_n_dq_.end() && e->row == i; ++e) {
        const Expr held = symbols_.active[i] * e->value;
        A(n + i, e->col) = held;
        A(e->col, n + i) = symbols_.h * held;
      }
      A(n + i, n + i) = 1 - symbols_.active[i];
    }
    matrix_ = A.matrix(n_ + wheels_, n_ + wheels_);
  }

  sym::Function pose() {
    std::vector<Expr> list;
    const auto add = [&list](const Triple& u) { list.insert(list.end(), u.begin(), u.end()); };
    for (const Wheelset& w : wheelsets_) {
      add(in_ground(position(m_.origin(), w.centre)));
      for (const int axis : {0, 1, 2}) add(in_ground(m_.axis_vector(w.still, axis)));
    }
    return {"pose", "centres and non-spinning bases of the wheelsets", {vector("poses", list)}};
  }

  sym::Function motion() {
    std::vector<Expr> twist, bias;
    const mech::Frame ground = m_.ground();
    const auto add = [](std::vector<Expr>& list, const Triple& u) {
      list.insert(list.end(), u.begin(), u.end());
    };
    for (const Wheelset& w : wheelsets_) {
      add(twist, in_ground(velocity(ground, w.centre)));
      add(twist, in_ground(angular_velocity(ground.base, w.still)));
      const mech::Vector spin = in_base(angular_velocity(w.still, w.turning), w.still);
      twist.push_back(spin.y());
      add(bias, in_ground(bias_acceleration(ground, w.centre)));
      add(bias, in_ground(bias_angular_acceleration(ground.base, w.still)));
    }
    return {"motion",
            "how the wheelsets move, and what is left of their accelerations at ddq = 0",
            {vector("twists", twist), vector("biases", bias)}};
  }

  // The impulse of a step, without M_qq dq: the system is solved for increments of dq, so this term
  // cancels on both sides.
  sym::Function impulse() {
    // wrenches with the motion of t
    const std::vector<Expr> u = system_->twists(e_.dq);
    std::vector<Expr> wrenches;
    for (std::size_t i = 0; i < u.size(); ++i) {
      Expr wrench = symbols_.b[i];
      for (std::size_t c = 0; c < 6; ++c) wrench -= symbols_.B[6 * i + c] * u[i / 6 * 6 + c];
      wrenches.push_back(wrench);
    }
    const std::vector<Expr> contact = system_->generalized(wrenches);
    std::vector<Expr> rhs;
    for (std::size_t i = 0; i < n_; ++i) {
      Expr force = e_.delta_q[i] + contact[i];
      rhs.push_back(symbols_.h * force);
    }
    push_stiff(rhs);
    return {"impulse",
            "h (delta_NK + J^T (b - B u)) [eq:MphiTPhiZero6] for increments of dq",
            {vector("impulse_q", rhs)}};
  }

  // What stiff elements add to the impulse of a step.
  void push_stiff(std::vector<Expr>& rhs) {
    for (const sym::Entry& e : dF_dq_.entries()) {
      const Expr rate = e.value * e_.dq[e.col];
      rhs[e.row] += symbols_.push * rate;
    }
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      if (laws_[k]->stiffness.is(0)) continue;
      const Expr growth = laws_[k]->stiffness * laws_[k]->rate;
      const Expr force = laws_[k]->drift.empty()
                             ? symbols_.push * growth
                             : symbols_.tangent_dq * (symbols_.h * growth + laws_[k]->drift);
      for (const auto& [j, J] : law_columns_[k]) rhs[j] -= J * force;
    }
  }

  sym::Function step_matrix() {
    return {"step_matrix",
            "matrix of the implicit step and Jacobian of the normal constraints [eq:MphiTPhiZero6]",
            {{"matrix", matrix_, true},
             {"dphi_n_dq",
              sym::Matrix(static_cast<std::uint32_t>(wheels_), static_cast<std::uint32_t>(n_),
                          dphi_n_dq_),
              true}}};
  }

  sym::Function twist_dq() {
    std::vector<sym::Entry> rows;
    for (std::uint32_t k = 0; k < wheelsets_.size(); ++k) {
      const WheelsetMotion& J = motions_[k];
      for (const std::uint32_t j : J.moving) {
        for (std::uint32_t i = 0; i < 3; ++i) {
          rows.push_back({9 * k + i, j, J.v[j][i]});
          rows.push_back({9 * k + 3 + i, j, J.w_still[j][i]});
          rows.push_back({9 * k + 6 + i, j, J.w_total[j][i]});
        }
      }
    }
    return {"twist_dq",
            "motion of the wheelsets by dq: v_C, w of the non-spinning base, w with the spin",
            {{"J",
              sym::Matrix(static_cast<std::uint32_t>(9 * wheelsets_.size()),
                          static_cast<std::uint32_t>(n_), std::move(rows)),
              true}}};
  }

  sym::Function solve() {
    const std::size_t unknowns = without_wheels_.empty() ? rhs_.size() : n_;
    std::vector<Expr> x = system_->solve(std::span(rhs_).first(unknowns));
    x.insert(x.end(), rhs_.begin() + static_cast<std::ptrdiff_t>(unknowns), rhs_.end());
    return {"solve",
            "the implicit step by generated elimination, and its smallest pivot",
            {vector("x", x), sym::Output::scalar("pivot", system_->smallest_pivot())}};
  }

  sym::Function twist_end() {
    return {"twist_end",
            "motion (v_C, w_total) of the wheelsets where they stand, with other velocities",
            {vector("twists_end", system_->twists(dq_end_))}};
  }

  // Power of all forces except weight and stored energy: inputs, dampers, and springs minus the
  // rate of their stored energy.
  sym::Function power() {
    const mech::Frame ground = m_.ground();
    Expr sum = m_.number(0);
    for (const mech::Action& a : m_.actions()) {
      sum += dot(a.force, velocity(ground, a.point));
      sum += dot(a.moment, angular_velocity(ground.base, a.base));
    }
    for (const Expr& stored : m_.potentials()) sum += sym::time_derivative(stored);
    // Forces are linear in the inputs. One sweep from the sum down: a derivation by each input
    // would walk over all coaches of a train for each of them.
    Expr inputs = m_.number(0);
    const sym::Matrix by_input =
        sym::jacobian(std::span(&sum, 1), m_.inputs(), sym::JacobianMode::reverse);
    for (const sym::Entry& e : by_input.entries()) inputs += m_.inputs()[e.col] * e.value;
    return {
        "power",
        "power of inputs and dampers, d(energy)/dt without contacts, and the part of the inputs",
        {sym::Output::scalar("power", sum), sym::Output::scalar("inputs", inputs)}};
  }

  // With the accelerations of the step.
  Expr of_step(Expr e) {
    if (!sym::depends_on(e, SymbolKind::acceleration)) return e;
    std::vector<sym::Replacement> accelerations;
    for (std::size_t i = 0; i < n_; ++i)
      accelerations.push_back({e_.ddq[i], (dq_end_[i] - e_.dq[i]) / symbols_.h});
    return sym::substitute(e, accelerations);
  }

  // The inputs z and strokes_end, and how the states change.
  void add_internal_states(sym::Interface& interface) {
    if (m_.internal_states().empty()) return;
    std::vector<Expr> z, ends, strokes, next;
    for (const mech::InternalState& s : m_.internal_states()) {
      z.push_back(s.value);
      ends.push_back(s.stroke_end);
      strokes.push_back(s.stroke);
      next.push_back(of_step(s.next));
    }
    for (sym::Stage& stage : interface.stages) {
      if (stage.name == "force") stage.inputs.push_back({"z", z});
      if (stage.name == "end") stage.inputs.push_back({"strokes_end", ends});
    }
    interface.functions.push_back(
        {"strokes", "strokes of elements with internal states", {vector("values", strokes)}});
    interface.functions.push_back(
        {"advance", "internal states at t+h by strokes_end", {vector("values", next)}});
  }

  // Channels that are known at t, and those that need the accelerations of the step. Each is a list
  // in the order of Model::measures().
  void split_measures(std::vector<Expr>& state, std::vector<Expr>& step) {
    for (const mech::Measure& m : m_.measures()) {
      if (!sym::depends_on(m.value, SymbolKind::acceleration))
        state.push_back(m.value);
      else
        step.push_back(of_step(m.value));
    }
  }

  std::array<sym::Function, 2> measured() {
    std::vector<Expr> state, step;
    split_measures(state, step);
    return {
        sym::Function{"measured", "channels of elements and sensors", {vector("values", state)}},
        sym::Function{"felt",
                      "channels with the accelerations of the step",
                      {vector("accelerations", step)}}};
  }

  static sym::Output vector(const char* name, const std::vector<Expr>& values) {
    return sym::Output::vector(name, values);
  }

  mech::Model& m_;
  sym::Graph& g_;
  const mech::Equations& e_;
  std::span<const Wheelset> wheelsets_;
  std::size_t n_, wheels_ = 0;
  StepSymbols symbols_;
  std::vector<Expr> rhs_, dq_end_;
  std::vector<WheelsetMotion> motions_;
  std::vector<sym::Entry> dphi_n_dq_;                      // by wheel and coordinate
  sym::Matrix matrix_{0, 0}, dF_dq_{0, 0}, dF_ddq_{0, 0};  // F: of stiff elements
  // stiff elements with laws, and their J by coordinate
  std::vector<const mech::ElementLaw*> laws_;
  std::vector<std::vector<std::pair<std::uint32_t, Expr>>> law_columns_;
  std::vector<Wheelset> without_wheels_;  // if wheels are free
  std::optional<StepSystem> system_;
};

}  // namespace

sym::Interface vehicle_interface(mech::Model& model, const mech::Equations& equations,
                                 std::span<const Wheelset> wheelsets,
                                 std::span<const std::string> stiff, Tangents tangents,
                                 Wheels wheels) {
  return Vehicle(model, equations, wheelsets, stiff, tangents, wheels).interface();
}

StepTerms step_terms(mech::Model& model, const mech::Equations& equations,
                     std::span<const Wheelset> wheelsets, std::span<const std::string> stiff,
                     Tangents tangents) {
  return Vehicle(model, equations, wheelsets, stiff, tangents, Wheels::free).terms();
}

}  // namespace klingel::model
