#include "sym/differentiate.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "sym/construct.hpp"
#include "sym/depends.hpp"
#include "sym/partials.hpp"

namespace klingel::sym {
namespace {

class Derivation {
 public:
  Derivation(Graph& g, std::span<const Seed> seeds) : g_(g), zero_(g.intern(Number(0))) {
    Graph::Arguments key;
    for (const Seed& s : seeds) {
      common_graph(s.symbol, s.value);
      g.symbol_of(s.symbol);  // checks
      key.emplace_back(s.symbol.id(), s.value.id());
      mask_ |= g.node(s.symbol.id()).symbols;
    }
    std::sort(key.begin(), key.end());
    for (std::size_t i = 1; i < key.size(); ++i) {
      if (key[i].first == key[i - 1].first) {
        base::fail("two seeds are given for the symbol '{}'", g.symbol_of(key[i].first).name);
      }
    }
    memo_ = &g.memo('d', key);
    for (const auto& [symbol, value] : key) memo_->store(symbol, value);
  }

  // first the derivative of a, then that of b, then the atom's; iterative, because chains of 1e5
  // atoms are normal
  Id operator()(Id root) {
    Id found = known(root);
    if (found != no_id) return found;
    Id id = root, da = no_id;
    for (;;) {
      const Node& n = g_.node(id);
      if (da == no_id) da = known(n.a);
      if (da == no_id) {
        waiting_.push_back({id, no_id});
        id = n.a;
        continue;
      }
      const Id db = is_binary(n.op) ? known(n.b) : zero_;
      if (db == no_id) {
        waiting_.push_back({id, da});
        id = n.b;
        da = no_id;
        continue;
      }
      found = combine(id, n.op, n.a, n.b, da, db);
      memo_->store(id, found);
      if (waiting_.empty()) return found;
      const Frame& above = waiting_.back();
      id = above.id;
      da = above.da == no_id ? found : above.da;
      waiting_.pop_back();
    }
  }

 private:
  // the derivative if it is known already, else no_id
  Id known(Id id) const {
    const Node& n = g_.node(id);
    if ((n.symbols & mask_) == 0) return zero_;
    const Id d = memo_->find(id);
    return d == no_id && n.op == Op::symbol ? zero_ : d;
  }

  Id combine(Id id, Op op, Id a, Id b, Id da, Id db) {
    if (da == zero_ && db == zero_) return zero_;
    switch (op) {
      case Op::neg:
        return neg(g_, da);
      case Op::add:
        return add(g_, da, db);
      case Op::sub:
        return sub(g_, da, db);
      case Op::mul: {
        if (a == b) return twice(g_, mul(g_, a, da));
        if (db == zero_) return mul(g_, da, b);
        if (da == zero_) return mul(g_, a, db);
        const Id left = mul(g_, da, b);
        const Id right = mul(g_, a, db);
        return add(g_, left, right);
      }
      case Op::div:  // d(a/b) = (da - (a/b) db) / b, which uses the quotient again
        return div(g_, sub(g_, da, mul(g_, id, db)), b);
      case Op::sqrt:  // 1 / (2 sqrt(a)): one division, the root used again
        return div(g_, da, twice(g_, id));
      default: {
        const Id left = da == zero_ ? zero_ : mul(g_, partial(g_, id, 0), da);
        const Id right = db == zero_ ? zero_ : mul(g_, partial(g_, id, 1), db);
        return add(g_, left, right);
      }
    }
  }

  Graph& g_;
  Id zero_;
  std::uint32_t mask_ = 0;
  Memo* memo_ = nullptr;
  // an atom that needs the derivative of an operand: of a if da is no_id, else of b
  struct Frame {
    Id id;
    Id da;
  };
  std::vector<Frame> waiting_;
};

std::vector<Seed> rates_of(std::span<const Expr> list) {
  std::vector<Seed> seeds;
  for (const Expr& x : symbols_below(list)) {
    Graph& g = x.graph();
    const Symbol& s = g.symbol_of(x.id());
    if (s.rate != no_id) {
      seeds.push_back({x, {&g, s.rate}});
    } else if (s.kind == SymbolKind::time) {
      seeds.push_back({x, g.rational(1, 1)});
    } else if (s.kind != SymbolKind::parameter && s.kind != SymbolKind::spline) {
      base::fail("the time derivative of '{}' ({}) is not declared; give it with set_rate", s.name,
                 name(s.kind));
    }
  }
  return seeds;
}

}  // namespace

std::vector<Expr> derivation(std::span<const Expr> list, std::span<const Seed> seeds) {
  std::vector<Expr> result;
  if (list.empty()) return result;
  Graph& g = list.front().graph();
  for (const Seed& s : seeds) common_graph(list.front(), s.symbol);
  Derivation d(g, seeds);
  for (const Expr& e : list) {
    common_graph(list.front(), e);
    result.emplace_back(&g, d(e.id()));
  }
  return result;
}

Expr derivation(Expr e, std::span<const Seed> seeds) {
  return derivation(std::span(&e, 1), seeds).front();
}

Expr derivative(Expr e, Expr x) {
  const Seed seed{x, common_graph(e, x).rational(1, 1)};
  return derivation(e, std::span(&seed, 1));
}

std::vector<Expr> time_derivative(std::span<const Expr> list) {
  return derivation(list, rates_of(list));
}
Expr time_derivative(Expr e) { return time_derivative(std::span(&e, 1)).front(); }

std::vector<Expr> second_directional_derivative(std::span<const Expr> list,
                                                std::span<const Seed> seeds) {
  return derivation(derivation(list, seeds), seeds);
}

Expr second_directional_derivative(Expr e, std::span<const Seed> seeds) {
  return second_directional_derivative(std::span(&e, 1), seeds).front();
}

}  // namespace klingel::sym
