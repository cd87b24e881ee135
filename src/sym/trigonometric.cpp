#include "sym/trigonometric.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sym/construct.hpp"
#include "sym/live_atoms.hpp"
#include "sym/terms.hpp"
#include "sym/traverse.hpp"

namespace klingel::sym {
namespace {

using Ids = std::vector<Id>;

constexpr int most_passes = 10;
constexpr std::size_t most_pairs = 24;  // of angles that are tried, the most frequent first

bool is_sum(Op op) { return op == Op::add || op == Op::sub; }

Cost cost(const Graph& g, const Ids& roots) { return LiveAtoms(g, roots).total(); }

// The roots with every atom replaced by what stands for it.
Ids rebuilt(Graph& g, const Ids& roots, const LiveAtoms& atoms) {
  std::map<Id, Id> made;
  Ids result;
  for (const Id root : roots) {
    Ids stack = {root};
    while (!stack.empty()) {
      const Id id = stack.back(), now = atoms.now(id);
      if (made.contains(id)) {
        stack.pop_back();
        continue;
      }
      const Node n = g.node(now);
      if (is_leaf(n.op)) {
        made[id] = now;
        continue;
      }
      const std::size_t before = stack.size();
      if (!made.contains(n.a)) stack.push_back(n.a);
      if (is_binary(n.op) && !made.contains(n.b)) stack.push_back(n.b);
      if (stack.size() > before) continue;
      made[id] = rebuild(g, now, made[n.a], is_binary(n.op) ? made[n.b] : 0);
    }
    result.push_back(made[root]);
  }
  return result;
}

// One walk from the leaves to the roots, or over some atoms only.
Ids pass(Graph& g, const Ids& roots, const std::set<Terms::Pair>& pairs, const Ids* only) {
  const Ids nodes = only != nullptr ? *only : nodes_below(g, roots);
  LiveAtoms atoms(g, roots);
  Expansions expansions(g, [&](Id id) { return atoms.now(id); });
  bool changed = false;
  for (const Id id : nodes) {
    if (!is_sum(g.op(id)) || !atoms.alive(id)) continue;
    std::optional<Terms> terms = Terms::of(expansions, id);
    if (!terms) continue;
    bool found = terms->use_pythagoras(g);
    if (!pairs.empty() && terms->use_sums(g, pairs)) {
      found = true;
      terms->use_pythagoras(g);
    }
    if (!found) continue;
    const std::optional<Id> by = terms->build(g, id);
    if (by && atoms.replace(id, *by)) changed = true;
  }
  return changed ? rebuilt(g, roots, atoms) : roots;
}

bool is_better(const Cost& after, const Cost& before) {
  return after.time < before.time && after.operations <= before.operations;
}

// Passes until nothing changes; what does not cost less is not taken.
Ids passes(Graph& g, Ids roots) {
  for (int i = 0; i < most_passes; ++i) {
    Ids next = pass(g, roots, {}, nullptr);
    if (next == roots || !is_better(cost(g, next), cost(g, roots))) break;
    roots = std::move(next);
  }
  return roots;
}

// Sums in which the sum or difference of two angles could take the place of products, by angles;
// the most frequent first.
std::vector<std::pair<Terms::Pair, Ids>> sums_of(const Graph& g, const Ids& roots) {
  std::map<Terms::Pair, Ids> uses;
  Expansions expansions(g, [](Id id) { return id; });
  for (const Id id : nodes_below(g, roots)) {
    if (!is_sum(g.op(id))) continue;
    const auto terms = Terms::of(expansions, id);
    if (!terms) continue;
    if (const auto pair = terms->any_sum()) uses[*pair].push_back(id);
  }
  std::vector<std::pair<Terms::Pair, Ids>> list(uses.begin(), uses.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& x, const auto& y) { return x.second.size() > y.second.size(); });
  if (list.size() > most_pairs) list.resize(most_pairs);
  return list;
}

// The roots with the sum of a pair of angles, if that pays. It pays with all its uses or not at
// all: the first alone has to bear the new sines. So these are there from the start, and the trial
// is judged as a whole.
Ids with_sum(Graph& g, const Ids& roots, const Terms::Pair& pair, const Ids& sums) {
  Ids with_sines = roots;
  const Id sum = add(g, pair.first, pair.second);
  const Id difference = sub(g, pair.first, pair.second);
  for (const Id angle : {sum, difference}) {
    with_sines.push_back(unary(g, Op::sin, angle));
    with_sines.push_back(unary(g, Op::cos, angle));
  }
  Ids tried = pass(g, with_sines, {pair}, &sums);
  tried.resize(roots.size());
  return is_better(cost(g, tried), cost(g, roots)) ? tried : roots;
}

}  // namespace

std::vector<Expr> simplify_trigonometric(std::span<const Expr> list) {
  std::vector<Expr> result(list.begin(), list.end());
  if (list.empty()) return result;
  Graph& g = list.front().graph();
  Ids roots;
  for (const Expr& e : list) {
    common_graph(list.front(), e);
    roots.push_back(e.id());
  }
  roots = passes(g, std::move(roots));
  std::set<Terms::Pair> done;
  for (bool again = true; again;) {
    again = false;
    for (const auto& [pair, sums] : sums_of(g, roots)) {
      if (!done.insert(pair).second) continue;
      Ids next = with_sum(g, roots, pair, sums);
      if (next == roots) continue;
      roots = passes(g, std::move(next));
      again = true;  // other atoms now
      break;
    }
  }
  for (std::size_t i = 0; i < roots.size(); ++i) result[i] = {&g, roots[i]};
  return result;
}

}  // namespace klingel::sym
