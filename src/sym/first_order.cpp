#include "sym/first_order.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "sym/construct.hpp"
#include "sym/live_atoms.hpp"
#include "sym/substitute.hpp"
#include "sym/traverse.hpp"

namespace klingel::sym {
namespace {

using Ids = std::vector<Id>;

enum class Order : std::uint8_t { without, vanishes, mixed };

class FirstOrder {
 public:
  // Sines of atoms with a symbol of `sines` stay.
  FirstOrder(Graph& g, std::span<const Expr> small, const std::set<Id>& sines, const Ids& kept)
      : g_(g), kept_(kept) {
    for (const Id symbol : sines) sines_ |= g.node(symbol).symbols;
    for (const Expr& x : small) {
      if (!x.is_symbol()) base::fail("only symbols can be small");
      order_[x.id()] = Order::vanishes;
      mask_ |= g.node(x.id()).symbols;
      zeros_.push_back({x, g.rational(0, 1)});
    }
  }

  Ids truncated(const Ids& roots) {
    std::map<Id, Id> now;
    for (const Id id : nodes_below(g_, roots)) now[id] = rewritten(id, now);
    Ids result;
    for (const Id root : roots) result.push_back(now[root]);
    return result;
  }

  // (a + e) e' = a e', where it costs less
  Ids shortened(const Ids& roots) {
    Ids all = roots;
    all.insert(all.end(), kept_.begin(), kept_.end());
    LiveAtoms atoms(g_, all);
    const Ids of_kept = nodes_below(g_, kept_);
    for (const Id id : nodes_below(g_, roots)) {
      // what others need as it is cannot be freed
      if (!atoms.alive(id) || std::binary_search(of_kept.begin(), of_kept.end(), id)) continue;
      const Node n = g_.node(id);
      if (n.op != Op::mul && n.op != Op::div) continue;
      Id by = no_id;
      if (order(n.a) == Order::vanishes && order(n.b) == Order::mixed)
        by = binary(g_, n.op, n.a, at_zero(n.b));
      else if (n.op == Op::mul && order(n.b) == Order::vanishes && order(n.a) == Order::mixed)
        by = mul(g_, at_zero(n.a), n.b);
      if (by != no_id && by != id) atoms.replace(id, by);
    }
    std::map<Id, Id> now;
    Ids result;
    for (const Id root : roots) result.push_back(replaced(root, atoms, now));
    return result;
  }

 private:
  Order order(Id id) {
    const Node n = g_.node(id);
    if ((n.symbols & mask_) == 0) return Order::without;
    if (const auto found = order_.find(id); found != order_.end()) return found->second;
    if (is_leaf(n.op)) return Order::without;
    const Order a = order(n.a), b = is_binary(n.op) ? order(n.b) : Order::without;
    Order result = Order::mixed;
    if (a == Order::without && b == Order::without) {
      result = Order::without;
    } else {
      const bool both = a == Order::vanishes && b == Order::vanishes;
      const bool one = a == Order::vanishes || b == Order::vanishes;
      switch (n.op) {
        case Op::neg:
        case Op::sin:
        case Op::tan:
        case Op::asin:
        case Op::sqrt:
        case Op::abs:
          if (a == Order::vanishes) result = Order::vanishes;
          break;
        case Op::add:
        case Op::sub:
        case Op::min:
        case Op::max:
          if (both) result = Order::vanishes;
          break;
        case Op::mul:
          if (one) result = Order::vanishes;
          break;
        case Op::div:
          if (a == Order::vanishes && b != Order::vanishes) result = Order::vanishes;
          break;
        default:
          break;
      }
    }
    order_[id] = result;
    return result;
  }

  // no expansion to first order where its operand vanishes
  bool is_kept(const Node& n) {
    switch (n.op) {
      case Op::sqrt:
      case Op::abs:
      case Op::sign:
      case Op::log:
        return order(n.a) == Order::vanishes;
      case Op::pow:
      case Op::atan2:
      case Op::min:
      case Op::max:
        return order(n.a) == Order::vanishes || order(n.b) == Order::vanishes;
      case Op::div:
        return order(n.b) == Order::vanishes;
      default:
        return false;
    }
  }

  Id rewritten(Id id, const std::map<Id, Id>& now) {
    const Node n = g_.node(id);
    if (is_leaf(n.op) || order(id) == Order::without || is_kept(n)) return id;
    const Id a = now.at(n.a), b = is_binary(n.op) ? now.at(n.b) : 0;
    if (order(a) == Order::vanishes) {
      const bool stays = (g_.node(a).symbols & sines_) != 0;
      if (!stays && (n.op == Op::sin || n.op == Op::tan || n.op == Op::asin)) return a;
      if (!stays && n.op == Op::cos) return g_.intern(Number(1));
      if (n.op == Op::mul && order(b) == Order::vanishes) return g_.intern(Number(0));
    }
    return rebuild(g_, id, a, b);
  }

  Id at_zero(Id id) { return substitute(Expr(&g_, id), zeros_).id(); }

  Id replaced(Id id, const LiveAtoms& atoms, std::map<Id, Id>& made) {
    if (const auto found = made.find(id); found != made.end()) return found->second;
    const Id now = atoms.now(id);
    const Node n = g_.node(now);
    Id result = now;
    if (!is_leaf(n.op)) {
      const Id a = replaced(n.a, atoms, made);
      const Id b = is_binary(n.op) ? replaced(n.b, atoms, made) : 0;
      result = rebuild(g_, now, a, b);
    }
    made[id] = result;
    return result;
  }

  Graph& g_;
  const Ids& kept_;
  std::map<Id, Order> order_;
  std::uint32_t mask_ = 0, sines_ = 0;  // symbols, as nodes have them
  std::vector<Replacement> zeros_;
};

}  // namespace

std::vector<Expr> first_order(std::span<const Expr> list, std::span<const Expr> small,
                              std::span<const Expr> kept) {
  std::vector<Expr> result(list.begin(), list.end());
  if (list.empty() || small.empty()) return result;
  Graph& g = list.front().graph();
  Ids roots, others;
  for (const Expr& e : list) {
    common_graph(list.front(), e);
    roots.push_back(e.id());
  }
  for (const Expr& e : kept) others.push_back(e.id());
  const auto cost = [&](Ids ids) {
    ids.insert(ids.end(), others.begin(), others.end());
    return LiveAtoms(g, ids).total().operations;
  };
  Ids best = roots;
  std::int64_t least = cost(roots);
  // true if it is the best so far
  const auto attempt = [&](const std::set<Id>& sines) {
    FirstOrder pass(g, small, sines, others);
    const Ids cut = pass.truncated(roots);
    bool better = false;
    for (const Ids& next : {cut, pass.shortened(cut)}) {
      const std::int64_t now = cost(next);
      if (now > least || (now == least && best != roots)) continue;
      best = next;
      least = now;
      better = true;
    }
    return better;
  };
  // What is kept may need the sines anyway: then they cost nothing here, and products with them
  // are shared. All go, all stay, then one after the other.
  std::set<Id> sines;
  for (const Expr& x : small) {
    common_graph(list.front(), x);
    sines.insert(x.id());
  }
  attempt({});
  if (kept.empty()) {
    sines.clear();
  } else if (!attempt(sines)) {
    sines.clear();
  }
  for (const Expr& x : small) {
    if (kept.empty()) break;
    std::set<Id> changed = sines;
    if (changed.erase(x.id()) == 0) changed.insert(x.id());
    if (attempt(changed)) sines = changed;
  }
  for (std::size_t i = 0; i < best.size(); ++i) result[i] = {&g, best[i]};
  return result;
}

}  // namespace klingel::sym
