#include "sym/jacobian.hpp"

#include <bit>
#include <unordered_map>

#include "sym/construct.hpp"
#include "sym/differentiate.hpp"
#include "sym/partials.hpp"
#include "sym/traverse.hpp"

namespace klingel::sym {
namespace {

// Which of the symbols each atom depends on: one bit per symbol, `words` words per atom.
class Dependence {
 public:
  Dependence(const Graph& g, std::span<const Id> below, std::span<const Expr> symbols)
      : words_((symbols.size() + 63) / 64) {
    if (below.empty()) return;
    place_.assign(below.back() + 1, no_id);
    for (std::size_t i = 0; i < below.size(); ++i) place_[below[i]] = static_cast<Id>(i);
    bits_.assign(below.size() * words_, 0);
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      const Id id = symbols[k].id();
      if (id < place_.size() && place_[id] != no_id)
        row(id)[k / 64] |= std::uint64_t{1} << (k % 64);
    }
    for (const Id id : below) {
      const Node& n = g.node(id);
      if (is_leaf(n.op)) continue;
      for (std::size_t w = 0; w < words_; ++w) {
        row(id)[w] |= row(n.a)[w] | (is_binary(n.op) ? row(n.b)[w] : 0);
      }
    }
  }

  bool on(Id id, std::size_t k) const { return (row(id)[k / 64] >> (k % 64) & 1) != 0; }
  std::size_t count(Id id) const {
    std::size_t sum = 0;
    for (std::size_t w = 0; w < words_; ++w)
      sum += static_cast<std::size_t>(std::popcount(row(id)[w]));
    return sum;
  }

 private:
  std::uint64_t* row(Id id) { return bits_.data() + place_[id] * words_; }
  const std::uint64_t* row(Id id) const { return bits_.data() + place_[id] * words_; }

  std::size_t words_;
  std::vector<Id> place_;
  std::vector<std::uint64_t> bits_;
};

// adjoints of one expression: bar(x) = sum over users u of bar(u) du/dx, from the root downwards
void reverse_row(Graph& g, std::uint32_t r, Id root, std::span<const Expr> symbols,
                 const Dependence& dependence, std::vector<Entry>& entries) {
  std::unordered_map<Id, Id> bar;
  const auto accumulate = [&](Id id, Id term) {
    const auto [it, is_new] = bar.emplace(id, term);
    if (!is_new) it->second = add(g, it->second, term);
  };
  bar[root] = g.intern(Number(1));
  const std::vector<Id> below = nodes_below(g, std::span(&root, 1));
  for (auto it = below.rbegin(); it != below.rend(); ++it) {
    const Id id = *it;
    const Node n = g.node(id);
    if (is_leaf(n.op) || dependence.count(id) == 0) continue;
    const auto found = bar.find(id);
    if (found == bar.end()) continue;
    const Id b = found->second;
    const bool to_a = dependence.count(n.a) > 0;
    const bool to_b = is_binary(n.op) && dependence.count(n.b) > 0;
    if (n.op == Op::div) {  // one division serves both operands
      const Id t = div(g, b, n.b);
      if (to_a) accumulate(n.a, t);
      if (to_b) accumulate(n.b, neg(g, mul(g, t, id)));
    } else if (n.op == Op::mul && n.a == n.b) {
      accumulate(n.a, twice(g, mul(g, b, n.a)));
    } else {
      if (to_a) accumulate(n.a, mul(g, b, partial(g, id, 0)));
      if (to_b) accumulate(n.b, mul(g, b, partial(g, id, 1)));
    }
  }
  for (std::uint32_t c = 0; c < symbols.size(); ++c) {
    const auto found = bar.find(symbols[c].id());
    if (found != bar.end()) entries.push_back({r, c, {&g, found->second}});
  }
}

}  // namespace

Matrix jacobian(std::span<const Expr> list, std::span<const Expr> symbols, JacobianMode mode) {
  const auto rows = static_cast<std::uint32_t>(list.size());
  const auto cols = static_cast<std::uint32_t>(symbols.size());
  if (rows == 0 || cols == 0) return {rows, cols};

  Graph& g = list.front().graph();
  std::vector<Id> roots;
  for (const Expr& e : list) {
    common_graph(list.front(), e);
    roots.push_back(e.id());
  }
  for (const Expr& x : symbols) g.symbol_of(x);  // checks
  const std::vector<Id> below = nodes_below(g, roots);
  const Dependence dependence(g, below, symbols);

  if (mode == JacobianMode::automatic) {
    // forward visits an atom once per symbol below it, reverse once per expression above it
    std::size_t forward = 0, reverse = 0;
    for (const Id id : below) forward += dependence.count(id);
    for (const Id root : roots) {
      for (const Id id : nodes_below(g, std::span(&root, 1)))
        reverse += dependence.count(id) > 0 ? 1 : 0;
    }
    mode = forward <= reverse ? JacobianMode::forward : JacobianMode::reverse;
  }

  std::vector<Entry> entries;
  if (mode == JacobianMode::reverse) {
    for (std::uint32_t r = 0; r < rows; ++r)
      reverse_row(g, r, roots[r], symbols, dependence, entries);
  } else {
    // Every symbol has a table of derivatives as long as the graph. Where there are thousands of
    // them, as in long trains, tables are dropped after some columns: no other column reads them.
    constexpr std::uint32_t many = 500, some = 64;
    std::uint32_t tables = 0;
    for (std::uint32_t c = 0; c < cols; ++c) {
      const std::size_t before = entries.size();
      for (std::uint32_t r = 0; r < rows; ++r) {
        if (dependence.on(roots[r], c)) entries.push_back({r, c, derivative(list[r], symbols[c])});
      }
      tables += entries.size() > before ? 1 : 0;
      if (cols > many && tables >= some) g.forget_memos(), tables = 0;
    }
    if (cols > many && tables > 0) g.forget_memos();
  }
  return {rows, cols, std::move(entries)};
}

}  // namespace klingel::sym
