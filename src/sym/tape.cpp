#include "sym/tape.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/trig.h"
#include "sym/depends.hpp"
#include "sym/traverse.hpp"

namespace klingel::sym {
namespace {

// the sine of generated code, bit by bit; long double is for checks only
double sine(double x) { return klingel_sin(x); }
double cosine(double x) { return klingel_cos(x); }
long double sine(long double x) { return std::sin(x); }
long double cosine(long double x) { return std::cos(x); }

std::vector<Id> ids(std::span<const Expr> list) {
  std::vector<Id> result;
  for (const Expr& e : list) {
    common_graph(list.front(), e);
    result.push_back(e.id());
  }
  return result;
}

const Graph& graph_of(std::span<const Expr> leaves, std::span<const Expr> outputs) {
  if (outputs.empty()) base::fail("a tape needs at least one output");
  if (!leaves.empty()) common_graph(leaves.front(), outputs.front());
  return outputs.front().graph();
}

}  // namespace

Tape::Tape(std::span<const Expr> leaves, std::span<const Expr> outputs)
    : Tape(graph_of(leaves, outputs), ids(leaves), ids(outputs)) {}

Tape::Tape(const Graph& g, std::span<const Id> leaves, std::span<const Id> outputs,
           const std::vector<bool>& fused)
    : inputs_(leaves.size()) {
  std::vector<bool> given(g.size(), false);
  for (const Id id : leaves) given[id] = true;
  const std::vector<Id> order = nodes_in_order_of_use(g, outputs, given);

  // constants first, then inputs: both keep their register for the whole run
  std::vector<std::uint32_t> place(g.size(), no_id);
  for (const Id id : order) {
    if (given[id] || !is_number(g.op(id))) continue;
    place[id] = static_cast<std::uint32_t>(constants_.size());
    constants_.push_back(g.number_of(id).value());
  }
  const std::size_t fixed = constants_.size() + inputs_;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    place[leaves[i]] = static_cast<std::uint32_t>(constants_.size() + i);
  }

  // last use of every value; outputs live to the end
  std::vector<std::size_t> last(g.size(), 0);
  std::vector<Id> computed;
  for (const Id id : order) {
    if (place[id] != no_id) continue;
    const Node& n = g.node(id);
    if (n.op == Op::symbol) {
      base::fail("the symbol '{}' ({}) is needed but is not among the inputs", g.symbol_of(id).name,
                 name(g.symbol_of(id).kind));
    }
    if (!fused.empty() && fused[id]) continue;
    for (const Id operand : operands(g, id, fused)) last[operand] = computed.size();
    computed.push_back(id);
  }
  for (const Id id : outputs) last[id] = computed.size();

  // linear scan: a register is free again after the last use of its value
  std::vector<std::uint32_t> free;
  registers_ = fixed;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Node& n = g.node(computed[i]);
    const Operands parts = operands(g, computed[i], fused);
    std::array<std::uint32_t, 3> registers{};
    for (std::size_t k = 0; k < 3; ++k) {
      // what is not there is never read
      const Id operand = parts.ids[std::min(k, parts.size - 1)];
      registers[k] = place[operand];
      const bool is_first =
          std::find(parts.begin(), parts.begin() + k, operand) == parts.begin() + k;
      if (k < parts.size && is_first && registers[k] >= fixed && last[operand] == i)
        free.push_back(registers[k]);
    }
    std::uint32_t to;
    if (free.empty()) {
      to = static_cast<std::uint32_t>(registers_++);
    } else {
      to = free.back();
      free.pop_back();
    }
    place[computed[i]] = to;
    instructions_.push_back({n.op, parts.fused, to, registers[0], registers[1], registers[2]});
  }
  for (const Id id : outputs) outputs_.push_back(place[id]);
}

template <class Real>
Real evaluate(Op op, Real a, Real b) {
  switch (op) {
    case Op::neg:
      return -a;
    case Op::sqrt:
      return std::sqrt(a);
    case Op::sin:
      return sine(a);
    case Op::cos:
      return cosine(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::abs:
      return std::abs(a);
    case Op::sign:
      return a > 0 ? Real(1) : a < 0 ? Real(-1) : a;
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return std::pow(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return a < b || a != a ? a : b;
    case Op::max:
      return a > b || a != a ? a : b;
    default:
      return a;
  }
}

template <class Real>
void Tape::run(const Real* in, Real* out, Real* r) const {
  std::copy(constants_.begin(), constants_.end(), r);
  std::copy(in, in + inputs_, r + constants_.size());
  for (const Instruction& i : instructions_) {
    switch (i.fused) {
      case Fused::no:
        break;
      case Fused::plus:
        r[i.to] = std::fma(r[i.a], r[i.b], r[i.c]);
        continue;
      case Fused::minus:
        r[i.to] = std::fma(-r[i.a], r[i.b], r[i.c]);
        continue;
      case Fused::less_addend:
        r[i.to] = std::fma(r[i.a], r[i.b], -r[i.c]);
        continue;
    }
    // the four common operations first: the rest costs far more than a jump
    switch (i.op) {
      case Op::mul:
        r[i.to] = r[i.a] * r[i.b];
        break;
      case Op::add:
        r[i.to] = r[i.a] + r[i.b];
        break;
      case Op::sub:
        r[i.to] = r[i.a] - r[i.b];
        break;
      case Op::neg:
        r[i.to] = -r[i.a];
        break;
      default:
        r[i.to] = evaluate(i.op, r[i.a], r[i.b]);
    }
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) out[k] = r[outputs_[k]];
}

template void Tape::run(const double*, double*, double*) const;
template void Tape::run(const long double*, long double*, long double*) const;
template double evaluate(Op, double, double);
template long double evaluate(Op, long double, long double);

double value(Expr e) {
  // a tape is as long as the graph below the id: not for a single parameter
  if (e.graph().op(e.id()) == Op::symbol) return e.graph().symbol_of(e.id()).value;
  if (is_number(e.graph().op(e.id()))) return e.graph().number_of(e.id()).value();
  const std::vector<Expr> leaves = symbols_below(e);
  std::vector<double> in;
  for (const Expr& x : leaves) in.push_back(e.graph().symbol_of(x.id()).value);
  const Tape tape(leaves, std::span(&e, 1));
  std::vector<double> r(tape.registers());
  double out = 0;
  tape.run(in.data(), &out, r.data());
  return out;
}

double value_of_constant(const Graph& g, Id id) {
  if (is_number(g.op(id))) return g.number_of(id).value();
  const Tape tape(g, {}, std::span(&id, 1));
  std::vector<double> r(tape.registers());
  double out = 0;
  tape.run<double>(nullptr, &out, r.data());
  return out;
}

}  // namespace klingel::sym
