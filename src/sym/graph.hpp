// The atom graph: one append-only list of interned nodes.
//
// An expression is an atom: an operation on atoms either finds an existing node or makes a new one.
// So equal expressions are one node, and comparing them is comparing ids. Children always come
// before their parents, hence the order of ids is an order of evaluation. Ids depend only on the
// sequence of calls, never on addresses or time.
//
// The graph stores; the rules of algebra are in construct.cpp. A graph belongs to one thread at a
// time and does not move, because expressions point to it. There is no global graph.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sym/memo.hpp"
#include "sym/number.hpp"
#include "sym/op.hpp"
#include "sym/symbol.hpp"

namespace klingel::sym {

class Expr;

// 16 bytes. Numbers keep their value in a and b, symbols their index in a.
struct Node {
  Op op;
  KindMask kinds;         // roles of the symbols below
  std::uint32_t symbols;  // the symbols below, hashed to 32 bits: a zero bit proves independence
  Id a;
  Id b;
};
static_assert(sizeof(Node) == 16);

// A coordinate with its first two time derivatives.
struct Coordinate;

class Graph {
 public:
  Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Symbols. A name is unique in its graph: letters, digits, '_' and '.', starting with a letter.
  Expr symbol(std::string_view name, SymbolKind kind = SymbolKind::other, double value = 0);
  Expr parameter(std::string_view name, double value = 0);
  Expr input(std::string_view name, double value = 0);
  Expr force(std::string_view name, double value = 0);
  Expr time();  // the symbol t, made on first use
  // x, dx and ddx, linked by time differentiation.
  Coordinate coordinate(std::string_view name, double value = 0, double rate = 0);
  Coordinate contact_coordinate(std::string_view name, double value = 0, double rate = 0);
  // Declares that d(x)/dt is the expression `rate`.
  void set_rate(Expr x, Expr rate);
  void set_value(Expr x, double value);

  std::optional<Expr> find(std::string_view name);
  Expr lookup(std::string_view name);  // unknown: an error that names the nearest
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const Symbol& symbol_of(Id id) const { return symbols_[nodes_[id].a]; }
  // The symbol behind x; an error if x is not a symbol of this graph.
  const Symbol& symbol_of(Expr x) const;

  // Constants.
  Expr number(double value);
  Expr rational(std::int64_t num, std::int64_t den);
  Id intern(const Number& value);
  Number number_of(Id id) const;  // of a number node

  // The node for op(a, b), found or made. No rules: see construct.hpp.
  Id intern(Op op, Id a, Id b = 0);

  const Node& node(Id id) const { return nodes_[id]; }
  Op op(Id id) const { return nodes_[id].op; }
  std::size_t size() const { return nodes_.size(); }
  // All memory held: nodes, index, symbols and memo tables.
  std::size_t bytes() const;

  // An optional label, e.g. "w_AB[rear_bogie]", carried into generated code. The first one stays.
  void set_label(Expr x, std::string label);
  const std::string* label(Id id) const;

  // The memo table of one operation ('d' derivation, 's' substitution) with one set of arguments.
  using Arguments = std::vector<std::pair<Id, Id>>;
  Memo& memo(char operation, const Arguments& arguments);
  void forget_memos() { memos_.clear(); }

 private:
  Id intern_node(Op op, KindMask kinds, std::uint32_t symbols, Id a, Id b);
  void check_new_name(std::string_view name) const;
  Coordinate chain(std::string_view name, double value, double rate, SymbolKind first);
  void grow_groups();

  std::vector<Node> nodes_;
  // A hash table of groups; their number is a power of two. Each id has a byte of its hash, eight
  // in one word, which selects the nodes to compare; a zero byte is an empty slot. Groups fill from
  // slot 0.
  struct Group {
    std::uint64_t tags = 0;
    std::array<Id, 8> ids{};
  };
  struct Slot;
  Slot slot_of(Op op, Id a, Id b) const;
  static bool put(Group& group, std::uint64_t tag, Id id);  // false: the group is full
  std::vector<Group> groups_;
  std::vector<Symbol> symbols_;
  std::unordered_map<std::string, std::size_t> names_;
  std::unordered_map<Id, std::string> labels_;
  std::map<std::pair<char, Arguments>, std::unique_ptr<Memo>> memos_;
};

}  // namespace klingel::sym
