// Random streams of operations on the atom graph: build, differentiate, substitute, evaluate and
// print, then check what must hold of every graph. A base::Error is a legal answer to a bad
// operation, and the graph must be in order after it.
//
// The first byte chooses between many small graphs and a few large ones, then each operation takes
// a few bytes, see Program::step. Graphs are bounded in their number of atoms, not in depth.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "sym/count.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/print.hpp"
#include "sym/substitute.hpp"
#include "tests/support/recipe.hpp"

namespace klingel::sym {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  std::uint8_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::uint64_t next(int count) {
    std::uint64_t x = 0;
    for (int i = 0; i < count; ++i) x = x << 8 | next();
    return x;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

class Program {
 public:
  explicit Program(Bytes bytes) : bytes_(bytes) {
    most_atoms_ = bytes_.next() < 250 ? 1500 : 20'000;
    const Coordinate q = g_.coordinate("q", 0.7, -0.4), s = g_.contact_coordinate("s", -1.3, 0.2);
    for (const Expr& x : {q.q, q.dq, q.ddq, s.q, g_.time(), g_.parameter("p", 2.5)}) add_symbol(x);
  }

  void run() {
    while (!bytes_.empty() && g_.size() < most_atoms_) {
      try {
        step();
      } catch (const base::Error&) {
      }
    }
    check_nodes();
    check_values();
    print();
  }

 private:
  // a value and what plain doubles make of it
  struct Value {
    Expr e;
    test::Bounded plain{unknown, 0};
  };

  void step() {
    const std::uint8_t what = bytes_.next();
    if (what < 100) {
      binary_step(static_cast<Op>(static_cast<int>(Op::add) + what % 8), any(), any());
    } else if (what < 160) {
      unary_step(static_cast<Op>(static_cast<int>(Op::neg) + what % 11), any());
    } else if (what < 190) {
      number_step(what);
    } else if (what < 194) {
      symbol_step();
    } else if (what < 206) {
      derive(what);
    } else if (what < 212) {
      replace();
    } else if (what < 216) {
      jacobians();
    } else if (what < 226) {
      repeat();
    } else if (what < 230) {
      other(what);
    } else {  // the like of x * y + z * x, which rules see most
      const Value x = any(), y = any();
      binary_step(Op::mul, x, y);
      binary_step(what % 2 == 0 ? Op::add : Op::sub, values_.back(), any());
    }
  }

  void push(Expr e, test::Bounded plain = {unknown, 0}) { values_.push_back({e, plain}); }
  Value any() {  // recent values come often
    const std::size_t i = bytes_.next(), n = values_.size();
    return i < 128 ? values_[n - 1 - i % std::min<std::size_t>(n, 8)] : values_[i * 37 % n];
  }
  Expr any_symbol() { return symbols_[bytes_.next() % symbols_.size()]; }

  void unary_step(Op op, const Value& a) {
    push({&g_, unary(g_, op, a.e.id())}, test::bounded(op, a.plain, a.plain));
  }
  void binary_step(Op op, const Value& a, const Value& b) {
    push({&g_, binary(g_, op, a.e.id(), b.e.id())}, test::bounded(op, a.plain, b.plain));
  }

  void number_step(std::uint8_t what) {
    if (what < 180) {
      const double v = static_cast<std::int8_t>(bytes_.next());
      push(g_.number(v), {v, 0});
    } else if (what < 186) {
      const std::int64_t num = static_cast<std::int16_t>(bytes_.next(2)), den = bytes_.next();
      const Expr e = g_.rational(num, den);
      const double v = static_cast<double>(num) / static_cast<double>(den);
      push(e, {v, test::rounding * std::abs(v)});
    } else if (what < 188) {
      const auto num = std::bit_cast<std::int64_t>(bytes_.next(8));
      push(g_.rational(num, std::bit_cast<std::int64_t>(bytes_.next(8))));
    } else {
      const double v = std::bit_cast<double>(bytes_.next(8));
      push(g_.number(v), {v, 0});
    }
  }

  void add_symbol(Expr x) {
    symbols_.push_back(x);
    point_.push_back(g_.symbol_of(x).value);
    push(x, {point_.back(), 0});
  }

  void symbol_step() {
    if (symbols_.size() > 80) return;
    const double v = static_cast<std::int8_t>(bytes_.next()) / 32.0;
    std::string name = "x";
    name += std::to_string(symbols_.size());
    add_symbol(g_.symbol(name, static_cast<SymbolKind>(bytes_.next() % 12), v));
  }

  void derive(std::uint8_t what) {
    const Expr e = any().e;
    if (what < 202) {
      push(derivative(e, any_symbol()));
    } else if (what < 204) {
      push(time_derivative(e));
    } else {
      const Expr x = any_symbol(), y = any_symbol();
      const std::vector<Seed> seeds{{x, any().e}, {y, any().e}};
      push(second_directional_derivative(e, seeds));
    }
  }

  void replace() {
    const std::vector<Replacement> replacements{{any().e, any().e}, {any_symbol(), any().e}};
    const Expr before = any().e;
    const Expr e = substitute(before, replacements);
    KLINGEL_ASSERT(substitute(before, replacements) == e);
    push(e);
  }

  void jacobians() {
    const std::vector<Expr> list{any().e, any().e}, by{any_symbol(), any_symbol(), any_symbol()};
    const JacobianMode mode = static_cast<JacobianMode>(bytes_.next() % 3);
    for (const Entry& entry : jacobian(list, by, mode).entries()) push(entry.value);
  }

  // deep chains: the same operation again and again
  void repeat() {
    const std::size_t times = bytes_.next() * std::size_t{8};
    const std::uint8_t what = bytes_.next();
    const Op op = static_cast<Op>(static_cast<int>(Op::neg) + what % (op_count - 4));
    const Value y = any();
    for (std::size_t i = 0; i < times && g_.size() < most_atoms_; ++i) {
      const Value x = values_.back();
      is_unary(op) ? unary_step(op, x) : binary_step(op, x, y);
      if (what >= 128) binary_step(Op::add, values_.back(), y);
    }
  }

  void other(std::uint8_t what) {
    const Expr e = any().e;
    if (what == 226) g_.set_rate(any_symbol(), e);
    if (what == 227) g_.forget_memos();
    if (what == 228) g_.set_label(e, "label");
    if (what == 229) depends_on(e, any().e);
  }

  // what holds of every node, however it was made
  void check_nodes() {
    const std::size_t size = g_.size();
    for (Id id = 0; id < size; ++id) {
      const Node n = g_.node(id);
      if (is_number(n.op)) {
        KLINGEL_ASSERT_EQ(g_.intern(g_.number_of(id)), id);
        continue;
      }
      if (n.op == Op::symbol) {
        KLINGEL_ASSERT_EQ(g_.symbol_of(id).id, id);
        continue;
      }
      KLINGEL_ASSERT(n.a < id);
      KLINGEL_ASSERT(is_unary(n.op) || n.b < id);
      const Node a = g_.node(n.a), b = g_.node(is_binary(n.op) ? n.b : n.a);
      KLINGEL_ASSERT_EQ(n.symbols, a.symbols | b.symbols);
      KLINGEL_ASSERT_EQ(n.kinds, a.kinds | b.kinds);
      check_form(n, a, b);
      // one node per operation, and nothing left for the rules to do
      KLINGEL_ASSERT_EQ(g_.intern(n.op, n.a, n.b), id);
      KLINGEL_ASSERT_EQ(rebuild(g_, id, n.a, n.b), id);
    }
    KLINGEL_ASSERT_EQ(g_.size(), size);
  }

  void check_form(const Node& n, const Node& a, const Node& b) const {
    const bool arithmetic = n.op >= Op::add && n.op <= Op::div;
    const auto is = [this](Id id, std::int64_t x) {
      return is_number(g_.op(id)) && g_.number_of(id).is(x);
    };
    if (is_commutative(n.op)) {
      KLINGEL_ASSERT(!is_number(b.op));
      KLINGEL_ASSERT(is_number(a.op) || n.a <= n.b);
    }
    if (arithmetic) {  // numbers are folded, signs stand outside
      KLINGEL_ASSERT(!is_number(a.op) || !is_number(b.op));
      KLINGEL_ASSERT(a.op != Op::neg && b.op != Op::neg);
    }
    if (n.op == Op::add) KLINGEL_ASSERT(!is(n.a, 0));
    if (n.op == Op::sub) KLINGEL_ASSERT(!is_number(b.op) && !is(n.a, 0) && n.a != n.b);
    if (n.op == Op::mul) KLINGEL_ASSERT(!is(n.a, 0) && !is(n.a, 1) && !is(n.a, -1));
    if (n.op == Op::div) KLINGEL_ASSERT(!is(n.b, 0) && !is(n.b, 1) && n.a != n.b);
    if (n.op == Op::neg) {
      KLINGEL_ASSERT(!is_number(a.op) && a.op != Op::neg && a.op != Op::sub);
      KLINGEL_ASSERT(a.op != Op::mul || !is_number(g_.op(a.a)));
    }
  }

  // the tape equals the graph bit by bit, and plain doubles where both are well conditioned
  void check_values() {
    std::vector<Expr> outputs;
    for (const Value& v : values_) outputs.push_back(v.e);
    const Tape tape(all_symbols(), outputs);
    std::vector<double> in, out(outputs.size()), registers(tape.registers());
    for (const Symbol& s : g_.symbols()) in.push_back(s.value);
    tape.run(in.data(), out.data(), registers.data());
    const std::vector<test::Bounded> ours = test::bounded_values(all_symbols(), in, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      KLINGEL_ASSERT(out[i] == ours[i].value || (std::isnan(out[i]) && std::isnan(ours[i].value)));
      const test::Bounded& plain = values_[i].plain;
      const double error = ours[i].error + plain.error;
      if (!std::isfinite(plain.value) || !(error < 1e-6 * (1 + std::abs(plain.value)))) continue;
      KLINGEL_ASSERT_EQ(std::abs(out[i] - plain.value) <= 2 * error + 1e-100, true);
    }
    count(outputs);
  }

  std::vector<Expr> all_symbols() {
    std::vector<Expr> list;
    for (const Symbol& s : g_.symbols()) list.emplace_back(&g_, s.id);
    return list;
  }

  void print() {
    std::vector<std::pair<std::string, Expr>> results;
    const std::size_t first = values_.size() - std::min<std::size_t>(values_.size(), 50);
    for (std::size_t i = first; i < values_.size(); ++i) {
      std::string name = "v";
      name += std::to_string(i);
      results.emplace_back(name, values_[i].e);
    }
    for (const Language language :
         {Language::c, Language::latex, Language::python, Language::matlab}) {
      KLINGEL_ASSERT(!listing(results, language).empty());
    }
  }

  Bytes bytes_;
  std::size_t most_atoms_ = 0;
  Graph g_;
  std::vector<Expr> symbols_;
  std::vector<double> point_;
  std::vector<Value> values_;
};

}  // namespace
}  // namespace klingel::sym

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  klingel::sym::Program(klingel::sym::Bytes(data, size)).run();
  return 0;
}
