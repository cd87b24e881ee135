#include "model/vehicle_interface.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "base/error.hpp"
#include "mech/kinematics.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/linear_solve.hpp"
#include "sym/ordering.hpp"

namespace klingel::model {
namespace {

using mech::dot;
using mech::Triple;
using sym::Expr;
using sym::SymbolKind;

// the motion of one wheelset by dq: columns of its Jacobian, zero where a coordinate does not
// move it
struct Jacobian {
  std::vector<Triple> v, w_still, w_total;  // by coordinate
  bool moves(std::size_t j) const {
    return !mech::is_zero(v[j]) || !mech::is_zero(w_still[j]) || !mech::is_zero(w_total[j]);
  }
};

class Vehicle {
 public:
  Vehicle(mech::Model& model, const mech::Equations& equations, std::span<const Wheelset> wheelsets,
          std::span<const std::string> stiff)
      : m_(model), g_(model.graph()), e_(equations), wheelsets_(wheelsets), n_(equations.q.size()) {
    const std::vector<Expr> F = mech::element_forces(model, stiff);
    dF_dq_ = sym::jacobian(F, e_.q);
    dF_ddq_ = sym::jacobian(F, e_.dq);
    for (const Wheelset& w : wheelsets) wheels_ += w.wheels.size();
    make_symbols();
    make_end_symbols();
    for (const Wheelset& w : wheelsets) jacobians_.push_back(jacobian_of(w));
    make_rows();
    make_matrix();
  }

  sym::Interface interface() {
    sym::Interface result = mech::interface(m_, e_);
    result.stages = {
        {"position", {{"q", e_.q}}},
        {"velocity", {{"dq", e_.dq}}},
        {"force", {{"u", m_.inputs()}, {"f", m_.forces()}}},
        {"system", {{"h", {h_}}, {"B", B_}, {"b", b_}, {"W_n", W_n_}, {"active", active_}}},
        {"right_side", {{"rhs", rhs_}}},
        {"end", {{"dq_end", dq_end_}}}};
    for (sym::Function& f : result.functions) {
      if (f.name != "delta_q") continue;
      f = {"delta_NK",
           "right-hand side without the forces of the contacts",
           {sym::Output::vector("delta_NK", e_.delta_q)}};
    }
    for (const sym::Function& f :
         {pose(), motion(), momentum(), step_matrix(), twist_dq(), solve(), twist_end(), power()})
      result.functions.push_back(f);
    return result;
  }

 private:
  std::vector<Expr> symbols(const std::string& name, std::size_t count, double value) {
    std::vector<Expr> list;
    for (std::size_t i = 0; i < count; ++i)
      list.push_back(g_.symbol(fmt::format("{}.{}", name, i), SymbolKind::force, value));
    return list;
  }

  void make_symbols() {
    h_ = g_.symbol("step.h", SymbolKind::other, 1e-3);
    for (const Wheelset& w : wheelsets_) {
      // nominal values that leave the matrix regular
      for (const Expr& e : symbols(w.name + ".B", 36, 0)) B_.push_back(e);
      for (std::size_t i = 0; i < 6; ++i) g_.set_value(B_[B_.size() - 36 + 7 * i], 1e5);
      for (const Expr& e : symbols(w.name + ".b", 6, 0)) b_.push_back(e);
      for (const std::string& wheel : w.wheels) {
        const std::vector<Expr> W = symbols(wheel + ".W_n", 6, 0);
        g_.set_value(W[2], 1);
        const double side = W_n_.size() % 12 == 0 ? -0.75 : 0.75;
        g_.set_value(W[3], side);
        W_n_.insert(W_n_.end(), W.begin(), W.end());
        active_.push_back(g_.symbol(wheel + ".active", SymbolKind::force, 1));
      }
    }
    for (std::size_t i = 0; i < n_ + wheels_; ++i)
      rhs_.push_back(g_.symbol(fmt::format("step.rhs.{}", i), SymbolKind::force, i < n_ ? 1 : 0));
  }

  void make_end_symbols() {
    for (const Expr& dq : e_.dq) {
      const std::string& name = g_.symbol_of(dq).name;
      dq_end_.push_back(g_.symbol("end." + name, SymbolKind::velocity, 0));
    }
  }

  Triple in_ground(const mech::Vector& u) { return in_base(u, m_.ground_base()).c; }

  std::vector<Triple> columns(const Triple& u) {
    const sym::Matrix J = sym::jacobian(u, e_.dq);
    const Expr zero = m_.number(0);
    std::vector<Triple> list(n_, Triple{zero, zero, zero});
    for (const sym::Entry& entry : J.entries()) list[entry.col][entry.row] = entry.value;
    return list;
  }

  Jacobian jacobian_of(const Wheelset& w) {
    const mech::Frame ground = m_.ground();
    Jacobian J;
    J.v = columns(in_ground(velocity(ground, w.centre)));
    J.w_still = columns(in_ground(angular_velocity(ground.base, w.still)));
    J.w_total = columns(in_ground(angular_velocity(ground.base, w.turning)));
    return J;
  }

  static Triple triple(std::span<const Expr> list, std::size_t first) {
    return {list[first], list[first + 1], list[first + 2]};
  }

  // dphi_n_dq, one row per wheel, and J^T b
  void make_rows() {
    const Expr zero = m_.number(0);
    J_b_.assign(n_, zero);
    std::size_t wheel = 0;
    for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
      const Jacobian& J = jacobians_[k];
      const Triple force = triple(b_, 6 * k);
      const Triple moment = triple(b_, 6 * k + 3);
      for (std::size_t j = 0; j < n_; ++j) {
        J_b_[j] += dot(J.v[j], force);
        J_b_[j] += dot(J.w_total[j], moment);
      }
      for (std::size_t i = 0; i < wheelsets_[k].wheels.size(); ++i, ++wheel) {
        const Triple normal = triple(W_n_, 6 * wheel);
        const Triple turn = triple(W_n_, 6 * wheel + 3);
        std::vector<Expr> row;
        for (std::size_t j = 0; j < n_; ++j) {
          const Expr linear = dot(J.v[j], normal);
          row.push_back(linear + dot(J.w_still[j], turn));
        }
        dphi_n_dq_.push_back(std::move(row));
      }
    }
  }

  // h J^T B J of one wheelset, added to A
  void add_damping(std::size_t k, std::vector<std::vector<Expr>>& A) {
    const Jacobian& J = jacobians_[k];
    const std::span<const Expr> B(B_.data() + 36 * k, 36);
    const auto row = [&](std::size_t i, const Triple& v, const Triple& w) {
      const Expr linear = dot(triple(B, 6 * i), v);
      return linear + dot(triple(B, 6 * i + 3), w);
    };
    for (std::size_t j = 0; j < n_; ++j) {
      if (!J.moves(j)) continue;
      std::array<Expr, 6> y;
      for (std::size_t i = 0; i < 6; ++i) y[i] = h_ * row(i, J.v[j], J.w_total[j]);
      for (std::size_t i = 0; i < n_; ++i) {
        if (!J.moves(i)) continue;
        A[i][j] += dot(J.v[i], Triple{y[0], y[1], y[2]});
        A[i][j] += dot(J.w_total[i], Triple{y[3], y[4], y[5]});
      }
    }
  }

  void make_matrix() {
    const std::size_t size = n_ + wheels_;
    std::vector<std::vector<Expr>> A(size, std::vector<Expr>(size, m_.number(0)));
    for (const sym::Entry& e : e_.M_qq.entries()) A[e.row][e.col] = e.value;
    for (std::size_t k = 0; k < wheelsets_.size(); ++k) add_damping(k, A);
    const Expr hh = h_ * h_;
    for (const sym::Entry& e : dF_dq_.entries()) A[e.row][e.col] -= hh * e.value;
    for (const sym::Entry& e : dF_ddq_.entries()) A[e.row][e.col] -= h_ * e.value;
    for (std::size_t i = 0; i < wheels_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        const Expr held = active_[i] * dphi_n_dq_[i][j];
        A[n_ + i][j] = held;
        A[j][n_ + i] = h_ * held;
      }
      A[n_ + i][n_ + i] = 1 - active_[i];
    }
    std::vector<sym::Entry> entries, block;
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j < size; ++j) {
        if (A[i][j].is(0)) continue;
        entries.push_back({i, j, A[i][j]});
        if (i < n_ && j < n_) block.push_back(entries.back());
      }
    }
    const auto n = static_cast<std::uint32_t>(n_);
    std::vector<std::uint32_t> order = sym::minimum_degree_order(sym::Matrix(n, n, block));
    for (std::uint32_t i = n; i < size; ++i) order.push_back(i);
    matrix_ = sym::Matrix(static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size),
                          std::move(entries));
    factors_ = std::make_unique<sym::Factors>(
        matrix_, sym::SolveOptions{sym::Elimination::lu, std::move(order)});
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
      if (!spin.x().is(0) || !spin.z().is(0))
        base::fail("the wheelset '{}' must spin about the y axis of its non-spinning base", w.name);
      twist.push_back(spin.y());
      add(bias, in_ground(bias_acceleration(ground, w.centre)));
      add(bias, in_ground(bias_angular_acceleration(ground.base, w.still)));
    }
    return {"motion",
            "how the wheelsets move, and what is left of their accelerations at ddq = 0",
            {vector("twists", twist), vector("biases", bias)}};
  }

  sym::Function momentum() {
    std::vector<Expr> rhs_q;
    for (std::size_t i = 0; i < n_; ++i) {
      const Expr force = e_.delta_q[i] + J_b_[i];
      rhs_q.push_back(h_ * force);
    }
    for (const sym::Entry& e : e_.M_qq.entries()) rhs_q[e.row] += e.value * e_.dq[e.col];
    for (const sym::Entry& e : dF_ddq_.entries()) {
      const Expr push = e.value * e_.dq[e.col];
      rhs_q[e.row] -= h_ * push;
    }
    std::vector<Expr> rate;
    for (const std::vector<Expr>& row : dphi_n_dq_) {
      Expr sum = m_.number(0);
      for (std::size_t j = 0; j < n_; ++j) sum += row[j] * e_.dq[j];
      rate.push_back(sum);
    }
    return {"momentum",
            "h (delta_NK + J^T b) + M_qq dq, and dphi_n_dq dq [eq:MphiTPhiZero6]",
            {vector("rhs_q", rhs_q), vector("dphi_n", rate)}};
  }

  sym::Function step_matrix() {
    std::vector<sym::Entry> rows;
    for (std::uint32_t i = 0; i < wheels_; ++i) {
      for (std::uint32_t j = 0; j < n_; ++j) rows.push_back({i, j, dphi_n_dq_[i][j]});
    }
    return {"step_matrix",
            "matrix of the implicit step and Jacobian of the normal constraints [eq:MphiTPhiZero6]",
            {{"matrix", matrix_, true},
             {"dphi_n_dq", sym::Matrix(static_cast<std::uint32_t>(wheels_),
                                       static_cast<std::uint32_t>(n_), std::move(rows))}}};
  }

  sym::Function twist_dq() {
    std::vector<sym::Entry> rows;
    for (std::uint32_t k = 0; k < wheelsets_.size(); ++k) {
      const Jacobian& J = jacobians_[k];
      for (std::uint32_t j = 0; j < n_; ++j) {
        for (std::uint32_t i = 0; i < 3; ++i) {
          rows.push_back({9 * k + i, j, J.v[j][i]});
          rows.push_back({9 * k + 3 + i, j, J.w_still[j][i]});
          rows.push_back({9 * k + 6 + i, j, J.w_total[j][i]});
        }
      }
    }
    return {"twist_dq",
            "motion of the wheelsets by dq: v_C, w of the non-spinning base, w with the spin",
            {{"J", sym::Matrix(static_cast<std::uint32_t>(9 * wheelsets_.size()),
                               static_cast<std::uint32_t>(n_), std::move(rows))}}};
  }

  sym::Function solve() {
    return {"solve",
            "the implicit step by generated elimination, and its smallest pivot",
            {vector("x", factors_->solve(rhs_)),
             sym::Output::scalar("pivot", factors_->smallest_pivot())}};
  }

  sym::Function twist_end() {
    std::vector<Expr> list;
    for (const Jacobian& J : jacobians_) {
      for (const std::vector<Triple>* columns : {&J.v, &J.w_total}) {
        for (int i = 0; i < 3; ++i) {
          Expr sum = m_.number(0);
          for (std::size_t j = 0; j < n_; ++j) sum += (*columns)[j][i] * dq_end_[j];
          list.push_back(sum);
        }
      }
    }
    return {"twist_end",
            "motion (v_C, w_total) of the wheelsets where they stand, with other velocities",
            {vector("twists_end", list)}};
  }

  // Power of what is neither weight nor stored: inputs, dampers, and springs less the rate of the
  // energy they store.
  sym::Function power() {
    const mech::Frame ground = m_.ground();
    Expr sum = m_.number(0);
    for (const mech::Action& a : m_.actions()) {
      sum += dot(a.force, velocity(ground, a.point));
      sum += dot(a.moment, angular_velocity(ground.base, a.base));
    }
    for (const Expr& stored : m_.potentials()) sum += sym::time_derivative(stored);
    return {"power",
            "power of inputs and dampers: d(energy)/dt without contacts",
            {sym::Output::scalar("power", sum)}};
  }

  static sym::Output vector(const char* name, const std::vector<Expr>& values) {
    return sym::Output::vector(name, values);
  }

  mech::Model& m_;
  sym::Graph& g_;
  const mech::Equations& e_;
  std::span<const Wheelset> wheelsets_;
  std::size_t n_, wheels_ = 0;
  Expr h_;
  std::vector<Expr> B_, b_, W_n_, active_, rhs_, dq_end_;
  std::vector<Jacobian> jacobians_;
  std::vector<std::vector<Expr>> dphi_n_dq_;
  std::vector<Expr> J_b_;
  sym::Matrix matrix_{0, 0}, dF_dq_{0, 0}, dF_ddq_{0, 0};  // F: of stiff elements
  std::unique_ptr<sym::Factors> factors_;
};

}  // namespace

sym::Interface vehicle_interface(mech::Model& model, const mech::Equations& equations,
                                 std::span<const Wheelset> wheelsets,
                                 std::span<const std::string> stiff) {
  return Vehicle(model, equations, wheelsets, stiff).interface();
}

}  // namespace klingel::model
