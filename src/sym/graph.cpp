#include "sym/graph.hpp"

#include <array>
#include <bit>
#include <cctype>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "sym/expr.hpp"

namespace klingel::sym {
namespace {

std::uint64_t hash(Op op, Id a, Id b) {
  std::uint64_t x = (static_cast<std::uint64_t>(a) << 32 | b) ^ static_cast<std::uint64_t>(op)
                                                                    << 59;
  x *= 0x9e3779b97f4a7c15ull;
  x ^= x >> 32;
  return x * 0xd6e8feb86659fd93ull;
}

constexpr std::uint64_t low_bits = 0x0101010101010101ull;  // of every byte
constexpr std::uint64_t high_bits = 0x8080808080808080ull;

// A mark in the high bit of every zero byte of x. A byte 1 above a zero one may be marked, too: the
// lowest mark is right, the others have to be checked.
std::uint64_t zero_bytes(std::uint64_t x) { return (x - low_bits) & ~x & high_bits; }
int lowest_byte(std::uint64_t marks) { return std::countr_zero(marks) / 8; }

bool valid_name(std::string_view name) {
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.') return false;
  }
  return true;
}

Id low(std::uint64_t x) { return static_cast<Id>(x); }
Id high(std::uint64_t x) { return static_cast<Id>(x >> 32); }
std::uint64_t joined(const Node& n) { return static_cast<std::uint64_t>(n.b) << 32 | n.a; }

// x or rear.x -> dx or rear.dx: the derivative keeps the path of its coordinate
std::string derivative_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const std::size_t at = dot == std::string_view::npos ? 0 : dot + 1;
  return std::string(name.substr(0, at)) + "d" + std::string(name.substr(at));
}

}  // namespace

std::string_view name(SymbolKind kind) {
  static constexpr std::array<std::string_view, 12> names = {"parameter",
                                                             "coordinate",
                                                             "velocity",
                                                             "acceleration",
                                                             "contact coordinate",
                                                             "contact velocity",
                                                             "contact acceleration",
                                                             "input",
                                                             "force",
                                                             "spline",
                                                             "time",
                                                             "other"};
  return names[static_cast<std::size_t>(kind)];
}

Graph::Graph() { grow_groups(); }

void Graph::check_new_name(std::string_view name) const {
  if (!valid_name(name)) {
    base::fail(
        "'{}' is not a symbol name; a name starts with a letter and has letters, digits, '_' and "
        "'.'",
        name);
  }
  if (names_.contains(std::string(name))) {
    base::fail("the symbol '{}' exists already in this graph", name);
  }
}

Expr Graph::symbol(std::string_view name, SymbolKind kind, double value) {
  check_new_name(name);
  names_.emplace(std::string(name), symbols_.size());
  const std::uint32_t index = static_cast<std::uint32_t>(symbols_.size());
  const Id id = intern_node(Op::symbol, bit(kind), std::uint32_t{1} << (index % 32), index, 0);
  symbols_.push_back({std::string(name), kind, value, id, no_id});
  return {this, id};
}

Expr Graph::parameter(std::string_view name, double value) {
  return symbol(name, SymbolKind::parameter, value);
}
Expr Graph::input(std::string_view name, double value) {
  return symbol(name, SymbolKind::input, value);
}
Expr Graph::force(std::string_view name, double value) {
  return symbol(name, SymbolKind::force, value);
}

Expr Graph::time() {
  if (const auto t = find("t")) {
    if (symbol_of(*t).kind != SymbolKind::time) {
      base::fail("the name 't' is taken by a symbol of kind {}; time needs it",
                 sym::name(symbol_of(*t).kind));
    }
    return *t;
  }
  return symbol("t", SymbolKind::time);
}

Coordinate Graph::coordinate(std::string_view name, double value, double rate) {
  return chain(name, value, rate, SymbolKind::coordinate);
}

Coordinate Graph::contact_coordinate(std::string_view name, double value, double rate) {
  return chain(name, value, rate, SymbolKind::contact_coordinate);
}

Coordinate Graph::chain(std::string_view name, double value, double rate, SymbolKind first) {
  const auto kind = [first](unsigned order) {
    return static_cast<SymbolKind>(static_cast<unsigned>(first) + order);
  };
  const std::string d = derivative_name(name), dd = derivative_name(d);
  for (const std::string_view n : {name, std::string_view(d), std::string_view(dd)}) {
    check_new_name(n);  // all three or none
  }
  const Coordinate c{symbol(name, kind(0), value), symbol(d, kind(1), rate), symbol(dd, kind(2))};
  set_rate(c.q, c.dq);
  set_rate(c.dq, c.ddq);
  return c;
}

void Graph::set_rate(Expr x, Expr rate) {
  symbol_of(x);  // checks
  common_graph(x, rate);
  symbols_[nodes_[x.id()].a].rate = rate.id();
  forget_memos();  // stored time derivatives may be wrong now
}

void Graph::set_value(Expr x, double value) {
  symbol_of(x);  // checks
  symbols_[nodes_[x.id()].a].value = value;
}

std::optional<Expr> Graph::find(std::string_view name) {
  const auto it = names_.find(std::string(name));
  if (it == names_.end()) return std::nullopt;
  return Expr{this, symbols_[it->second].id};
}

Expr Graph::lookup(std::string_view name) {
  if (const auto x = find(name)) return *x;
  std::vector<std::string> names;
  for (const Symbol& s : symbols_) names.push_back(s.name);
  base::fail("there is no symbol '{}' in this graph{}", name, base::did_you_mean(name, names));
}

const Symbol& Graph::symbol_of(Expr x) const {
  if (x.empty() || &x.graph() != this) base::fail("the expression does not belong to this graph");
  if (!x.is_symbol())
    base::fail("a symbol was expected, found an atom of operation '{}'", sym::name(x.op()));
  return symbol_of(x.id());
}

Expr Graph::number(double value) { return {this, intern(Number::real(value))}; }
Expr Graph::rational(std::int64_t num, std::int64_t den) {
  return {this, intern(Number::rational(num, den))};
}

Id Graph::intern(const Number& value) {
  const Op op = value.op();
  if (op == Op::rational) {
    return intern_node(op, 0, 0, static_cast<Id>(static_cast<std::int32_t>(value.num())),
                       static_cast<Id>(value.den()));
  }
  const auto bits = op == Op::integer ? std::bit_cast<std::uint64_t>(value.num())
                                      : std::bit_cast<std::uint64_t>(value.value());
  return intern_node(op, 0, 0, low(bits), high(bits));
}

Number Graph::number_of(Id id) const {
  const Node& n = nodes_[id];
  switch (n.op) {
    case Op::integer:
      return Number(std::bit_cast<std::int64_t>(joined(n)));
    case Op::rational:
      return Number::rational(static_cast<std::int32_t>(n.a), n.b);
    default:
      return Number::real(std::bit_cast<double>(joined(n)));
  }
}

Id Graph::intern(Op op, Id a, Id b) {
  const Node& x = nodes_[a];
  if (!is_binary(op)) return intern_node(op, x.kinds, x.symbols, a, b);
  const Node& y = nodes_[b];
  return intern_node(op, static_cast<KindMask>(x.kinds | y.kinds), x.symbols | y.symbols, a, b);
}

// Where a node is searched: first in the group of its younger operand. A program mostly builds on
// recent atoms, so it accesses the table nearly in order, which suits the caches. If that group is
// full, the hash selects groups spread over the whole table.
struct Graph::Slot {
  std::size_t group;
  std::uint64_t hash;

  std::uint64_t tag() const { return hash >> 57 | 0x80; }  // never 0
  void advance(std::size_t mask, bool first) {
    const std::size_t stride = hash >> 33 | 1;  // odd: visits every group of a power of two
    group = (first ? hash >> 20 : group + stride) & mask;
  }
};

Graph::Slot Graph::slot_of(Op op, Id a, Id b) const {
  const std::uint64_t h = hash(op, a, b);
  const Id younger = is_binary(op) && b > a ? b : a;
  return {(is_number(op) ? h >> 24 : younger / 2) & (groups_.size() - 1), h};
}

bool Graph::put(Group& group, std::uint64_t tag, Id id) {
  const std::uint64_t free = zero_bytes(group.tags);
  if (free == 0) return false;
  const int slot = lowest_byte(free);
  group.tags |= tag << (8 * slot);
  group.ids[static_cast<std::size_t>(slot)] = id;
  return true;
}

Id Graph::intern_node(Op op, KindMask kinds, std::uint32_t symbols, Id a, Id b) {
  const Id made = static_cast<Id>(nodes_.size());
  Slot slot = slot_of(op, a, b);
  for (bool first = true;; first = false) {
    Group& group = groups_[slot.group];
    std::uint64_t marks = zero_bytes(group.tags ^ slot.tag() * low_bits);
    for (; marks != 0; marks &= marks - 1) {
      const Id id = group.ids[static_cast<std::size_t>(lowest_byte(marks))];
      const Node& n = nodes_[id];
      if (n.op == op && n.a == a && n.b == b) return id;
    }
    if (made == no_id) base::fail("the graph is full: {} atoms", nodes_.size());
    if (put(group, slot.tag(), made)) break;  // where there is room it would have been
    slot.advance(groups_.size() - 1, first);
  }
  nodes_.push_back(Node{op, kinds, symbols, a, b});
  if (nodes_.size() > 4 * groups_.size()) grow_groups();  // half full
  return made;
}

void Graph::grow_groups() {
  const std::size_t size = groups_.empty() ? 128 : 2 * groups_.size();
  groups_.clear();
  groups_.resize(size);
  for (Id id = 0; id < nodes_.size(); ++id) {
    Slot slot = slot_of(nodes_[id].op, nodes_[id].a, nodes_[id].b);
    for (bool first = true; !put(groups_[slot.group], slot.tag(), id); first = false) {
      slot.advance(size - 1, first);
    }
  }
}

std::size_t Graph::bytes() const {
  std::size_t sum = nodes_.capacity() * sizeof(Node) + groups_.capacity() * sizeof(Group);
  for (const Symbol& s : symbols_) sum += sizeof(Symbol) + s.name.capacity();
  for (const auto& [id, text] : labels_) sum += sizeof(id) + sizeof(text) + text.capacity();
  for (const auto& [key, memo] : memos_)
    sum += sizeof(Memo) + memo->bytes() + key.second.capacity() * sizeof(Id) * 2;
  return sum;
}

void Graph::set_label(Expr x, std::string label) {
  if (&x.graph() != this) base::fail("the expression does not belong to this graph");
  if (!is_leaf(x.op())) labels_.emplace(x.id(), std::move(label));
}

const std::string* Graph::label(Id id) const {
  const auto it = labels_.find(id);
  return it == labels_.end() ? nullptr : &it->second;
}

Memo& Graph::memo(char operation, const Arguments& arguments) {
  auto& slot = memos_[{operation, arguments}];
  if (!slot) slot = std::make_unique<Memo>();
  return *slot;
}

}  // namespace klingel::sym
