#include "exec/equal_atoms.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "exec/input_names.hpp"
#include "sym/tape.hpp"

namespace klingel::exec {
namespace {

using sym::Id;
using sym::Op;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  a *= 0xff51afd7ed558ccdu;
  return a ^ (a >> 32);
}

std::uint64_t of_text(std::string_view text) { return std::hash<std::string_view>()(text); }

// "front.rear" and "yaw"; of elements of arrays, "front.rear.B.17", "front.rear" and "B.17".
std::pair<std::string_view, std::string_view> split(std::string_view name) {
  std::size_t dot = name.rfind('.');
  if (dot == name.npos) return {"", name};
  if (dot > 0 && std::isdigit(static_cast<unsigned char>(name[dot + 1])) != 0)
    dot = name.rfind('.', dot - 1);
  if (dot == name.npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

bool is_in(std::string_view outer, std::string_view inner) {
  return outer.empty() || inner == outer ||
         (inner.starts_with(outer) && inner[outer.size()] == '.');
}

Id without_sign(const sym::Graph& g, Id id) {
  while (g.op(id) == Op::neg) id = g.node(id).a;
  return id;
}

// Rows of these are computed by one instruction, or as sines and cosines are.
bool may_be_in_row(Op op) {
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::sqrt:
    case Op::abs:
    case Op::min:
    case Op::max:
    case Op::sin:
    case Op::cos:
      return true;
    default:
      return false;
  }
}

}  // namespace

EqualAtoms::EqualAtoms(const gen::Program& program, const gen::Schedule& schedule)
    : program_(program),
      schedule_(schedule),
      g_(program.graph()),
      part_(g_.size(), 0),
      shape_(g_.size(), 0),
      body_(g_.size(), none),
      row_of_(g_.size(), none),
      lane_of_(g_.size(), 0) {
  find_bodies();
  part("");
  name_parts();
  if (paths_.size() == 1) return;
  label_atoms();
  find_rows();
  // what is better depends on the vehicle
  const std::vector<Row> first = rows_;
  const std::size_t first_cost = cost();
  forget_rows();
  sides_ = true;
  find_rows();
  if (cost() < first_cost) return;
  forget_rows();
  for (const Row& row : first) add_row(row);
}

void EqualAtoms::forget_rows() {
  for (const Row& row : rows_)
    for (std::uint32_t i = 0; i < row.width; ++i) row_of_[row.lanes[i].atom] = none;
  rows_.clear();
}

EqualAtoms::Part EqualAtoms::part(const std::string& path) {
  const auto [it, is_new] = numbers_.try_emplace(path, static_cast<Part>(paths_.size()));
  if (is_new) paths_.push_back(path);
  return it->second;
}

// The inner one if one is in the other, else what contains both.
EqualAtoms::Part EqualAtoms::joined(Part a, Part b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const auto [it, is_new] =
      joined_.try_emplace(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b), a);
  if (!is_new) return it->second;
  if (is_in(paths_[b], paths_[a])) return a;
  if (is_in(paths_[a], paths_[b])) return it->second = b;
  std::string_view outer = paths_[a];
  while (!is_in(outer, paths_[b])) {
    const std::size_t dot = outer.rfind('.');
    outer = dot == outer.npos ? std::string_view() : outer.substr(0, dot);
  }
  return it->second = part(std::string(outer));
}

// Parts of what is used: of a train, those of the unit whose code is made.
void EqualAtoms::name_parts() {
  std::vector<bool> used(g_.size(), false);
  for (Id id = static_cast<Id>(g_.size()); id-- > 0;) {
    if (!used[id] && body_[id] == none) continue;
    const sym::Node& n = g_.node(id);
    if (sym::is_leaf(n.op)) continue;
    used[n.a] = true;
    if (sym::is_binary(n.op)) used[n.b] = true;
  }
  const InputNames names(program_);
  for (const gen::Input& input : program_.inputs()) {
    for (std::size_t i = 0; i < input.symbols.size(); ++i) {
      const Id id = input.symbols[i].id();
      if (!used[id]) continue;
      const auto [path, local] = split(names.name(input, i));
      part_[id] = part(std::string(path));
      // a bogie is not like a wheelset, though both have a yaw
      const auto depth = std::count(path.begin(), path.end(), '.') + (path.empty() ? 0 : 1);
      shape_[id] = mixed(mixed(of_text(input.name), of_text(local)), static_cast<Key>(depth));
    }
  }
}

// From the symbols up: nodes come after their operands.
void EqualAtoms::label_atoms() {
  const auto compare = [this] {  // parts are all known at the end
    for (const std::string& outer : paths_) {
      std::vector<std::uint8_t>& row = inside_.emplace_back();
      for (const std::string& inner : paths_) row.push_back(is_in(outer, inner) ? 1 : 0);
    }
  };
  for (Id id = 0; id < g_.size(); ++id) {
    const sym::Node& n = g_.node(id);
    if (n.op == Op::symbol) continue;
    if (sym::is_leaf(n.op)) {
      shape_[id] = mixed(1, std::bit_cast<std::uint64_t>(std::abs(sym::value_of_constant(g_, id))));
      continue;
    }
    const Key a = shape_[n.a];
    if (!sym::is_binary(n.op)) {
      part_[id] = part_[n.a];
      shape_[id] = n.op == Op::neg ? a : mixed(static_cast<Key>(n.op), a);
      continue;
    }
    part_[id] = joined(part_[n.a], part_[n.b]);
    const Key b = shape_[n.b], op = static_cast<Key>(n.op == Op::sub ? Op::add : n.op);
    const bool ordered = n.op != Op::sub && !sym::is_commutative(n.op);
    shape_[id] =
        ordered ? mixed(mixed(op, a), b) : mixed(mixed(op, std::min(a, b)), std::max(a, b));
  }
  compare();
}

// Atoms by level: what one depends on is on a lower one.
void EqualAtoms::find_bodies() {
  std::uint32_t number = 0;
  for (const auto* bodies : {&schedule_.stages, &schedule_.functions}) {
    for (const gen::Body& body : *bodies) {
      for (const gen::Chunk& chunk : body.chunks)
        for (const Id id : chunk.atoms) body_[id] = number;
      ++number;
    }
  }
  std::vector<std::uint32_t> level(g_.size(), 0);
  for (Id id = 0; id < g_.size(); ++id) {
    if (body_[id] == none || g_.op(id) == Op::neg) continue;
    for (const Id operand : schedule_.operands(g_, id))
      level[id] = std::max(level[id], level[without_sign(g_, operand)]);
    ++level[id];
    if (!may_be_in_row(g_.op(id))) continue;
    if (levels_.size() <= level[id]) levels_.resize(level[id] + 1);
    levels_[level[id]].push_back(lane(id));
  }
}

void EqualAtoms::find_rows() {
  struct Keyed {
    std::uint32_t body;
    Key key;
    Lane lane;
    bool operator<(const Keyed& other) const {
      return std::tie(body, key, lane.atom) < std::tie(other.body, other.key, other.lane.atom);
    }
  };
  std::vector<Keyed> keyed;
  std::vector<Lane> equal;
  for (const std::vector<Lane>& atoms : levels_) {
    keyed.clear();
    for (Lane lane : atoms) {
      const Key key = sort_operands(lane);
      keyed.push_back({body_[lane.atom], key, lane});
    }
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < keyed.size();) {
      const Keyed& first = keyed[i];
      equal.clear();
      for (; i < keyed.size() && keyed[i].body == first.body && keyed[i].key == first.key; ++i)
        equal.push_back(keyed[i].lane);
      if (equal.size() > 1) make_rows(equal);
    }
  }
}

EqualAtoms::Key EqualAtoms::key_of_operand(Id id, Part part) const {
  const std::uint32_t row = row_of_[id];
  if (row == none) return shape_[id];
  // lanes of inner parts have an order
  Key rank = 0;
  for (std::uint32_t i = 0; i < lane_of_[id]; ++i)
    rank += inside_[part][part_[rows_[row].lanes[i].atom]];
  return mixed(mixed(3, row), rank);
}

EqualAtoms::Lane EqualAtoms::lane(Id id) const {
  const gen::Operands from = schedule_.operands(g_, id);
  const Op op = g_.op(id);
  Lane lane{id, {}, {}, static_cast<std::uint8_t>(from.size)};
  const bool signs = !gen::is_sine_or_cosine(op);
  for (std::size_t k = 0; k < from.size; ++k) {
    lane.operands[k] = from.ids[k];
    while (signs && g_.op(lane.operands[k]) == Op::neg) {
      lane.operands[k] = g_.node(lane.operands[k]).a;
      lane.minus[k] = !lane.minus[k];
    }
  }
  if (op == Op::sub && from.fused == gen::Fused::no) lane.minus[1] = !lane.minus[1];
  if (from.fused == gen::Fused::minus) lane.minus[0] = !lane.minus[0];
  if (from.fused == gen::Fused::less_addend) lane.minus[2] = !lane.minus[2];
  if (from.size == 3 || op == Op::mul || op == Op::div) {
    lane.minus[0] = lane.minus[0] != lane.minus[1];
    lane.minus[1] = false;
  }
  return lane;
}

// Operands in an order that all equal atoms have; what is equal has the same key.
EqualAtoms::Key EqualAtoms::sort_operands(Lane& lane) const {
  const Op op = g_.op(lane.atom);
  std::array<Key, 3> keys{};
  for (std::size_t k = 0; k < lane.size; ++k)
    keys[k] = key_of_operand(lane.operands[k], part_[lane.atom]);
  const bool product = lane.size == 3 || op == Op::mul;
  // min and max are not for this: of 0 and -0 they take the second
  const bool commutes = product || op == Op::add || op == Op::sub;
  if (commutes && keys[1] < keys[0]) {
    std::swap(keys[0], keys[1]);
    std::swap(lane.operands[0], lane.operands[1]);
    if (!product) std::swap(lane.minus[0], lane.minus[1]);
  }
  Key key = static_cast<Key>(op == Op::sub ? Op::add : op) + 64u * lane.size;
  for (std::size_t k = 0; k < lane.size; ++k) key = mixed(key, keys[k]);
  return key;
}

// Atoms of different parts, one of each, if all parts have as many; else as they come.
void EqualAtoms::make_rows(std::vector<Lane>& equal) {
  const auto part = [this](const Lane& lane) { return part_[lane.atom]; };
  std::stable_sort(equal.begin(), equal.end(),
                   [&](const Lane& a, const Lane& b) { return part(a) < part(b); });
  const std::size_t n = equal.size();
  std::size_t parts = 1;
  for (std::size_t i = 1; i < n; ++i) parts += part(equal[i]) != part(equal[i - 1]);
  const std::size_t each = n / parts;
  bool regular = n % parts == 0;
  for (std::size_t i = 0; i < n && regular; ++i)
    regular = part(equal[i]) == part(equal[i / each * each]);
  // both sides of two bogies are four
  const std::size_t together = sides_ && parts == 2 && each % 2 == 0 ? 2 : 1;
  const bool across = regular && parts > 1;
  const std::size_t lists = across ? each / together : 1;
  std::vector<Lane> list;
  for (std::size_t k = 0; k < lists; ++k) {
    list.clear();
    for (std::size_t i = 0; i < n; ++i)
      if (!across || i % each / together == k) list.push_back(equal[i]);
    std::size_t i = 0;
    for (; i + 4 <= list.size(); i += 4) add_row(&list[i], 4);
    for (; i + 2 <= list.size(); i += 2) add_row(&list[i], 2);
  }
}

// Instructions, but for what rows share with each other.
std::size_t EqualAtoms::cost() const {
  std::size_t sum = 0;
  std::unordered_set<Key> made;  // values whose lanes do not come as one row
  for (const Row& row : rows_) {
    ++sum;
    for (std::uint32_t k = 0; k < row.operands; ++k) {
      const Id first = row.lanes[0].operands[k];
      const std::uint32_t from = row_of_[first];
      bool aligned = from != none && rows_[from].width == row.width, one = true, same = true;
      bool signs = false;
      Key lanes = row.width;
      for (std::uint32_t i = 0; i < row.width; ++i) {
        const Id id = row.lanes[i].operands[k];
        aligned = aligned && row_of_[id] == from && lane_of_[id] == i;
        one = one && row_of_[id] == from && from != none;
        same = same && id == first;
        signs = signs || row.lanes[i].minus[k] != row.lanes[0].minus[k];
        lanes = mixed(lanes, 2 * id + (signs ? 1 : 0));
      }
      if (aligned && !signs) continue;
      if (!made.insert(mixed(lanes, row.body)).second) continue;
      sum += (signs ? 1 : 0) + (aligned ? 0 : one || same ? 1 : row.width);
    }
  }
  for (const std::uint32_t body : body_) sum += body != none ? 1 : 0;
  for (const Row& row : rows_) sum -= row.width;
  return sum;
}

void EqualAtoms::add_row(const Lane* lanes, std::uint32_t width) {
  const Op op = g_.op(lanes[0].atom);
  Row row{Kind::other, op, body_[lanes[0].atom], width, lanes[0].size, {}};
  if (row.operands == 3)
    row.kind = Kind::fused;
  else if (op == Op::add || op == Op::sub)
    row.kind = Kind::sum;
  else if (op == Op::mul || op == Op::div)
    row.kind = Kind::product;
  std::copy_n(lanes, width, row.lanes.begin());
  add_row(row);
}

void EqualAtoms::add_row(const Row& row) {
  for (std::uint32_t i = 0; i < row.width; ++i) {
    row_of_[row.lanes[i].atom] = static_cast<std::uint32_t>(rows_.size());
    lane_of_[row.lanes[i].atom] = static_cast<std::uint8_t>(i);
  }
  rows_.push_back(row);
}

std::vector<bool> EqualAtoms::leaving() const {
  std::vector<bool> leaves(g_.size(), false);
  // what is used without its sign is read, too
  const auto use = [&](Id id, std::uint32_t body) {
    for (;; id = g_.node(id).a) {
      if (body_[id] != body && body_[id] != none) leaves[id] = true;
      if (g_.op(id) != Op::neg) return;
    }
  };
  std::uint32_t number = 0;
  for (const auto* bodies : {&schedule_.stages, &schedule_.functions}) {
    for (const gen::Body& body : *bodies) {
      for (const gen::Chunk& chunk : body.chunks) {
        for (const Id id : chunk.atoms)
          for (const Id operand : schedule_.operands(g_, id)) use(operand, number);
        for (const gen::Store& s : chunk.stores) use(s.atom, number);
      }
      ++number;
    }
  }
  return leaves;
}

std::vector<Id> EqualAtoms::in_slots(const std::vector<Id>& atoms) const {
  std::vector<Id> slots;
  for (const std::uint32_t width : {4u, 2u, 1u}) {
    for (const Id id : atoms) {
      const std::uint32_t row = row_of_[id];
      if ((row == none ? 1 : rows_[row].width) != width) continue;
      if (row == none) {
        slots.push_back(id);
        continue;
      }
      // once, with the first of its atoms that is there
      const auto lanes = std::span(rows_[row].lanes).first(width);
      const auto other = [&](const Lane& lane) {
        return lane.atom < id && std::binary_search(atoms.begin(), atoms.end(), lane.atom);
      };
      if (std::any_of(lanes.begin(), lanes.end(), other)) continue;
      for (const Lane& lane : lanes) slots.push_back(lane.atom);
    }
  }
  return slots;
}

gen::Schedule EqualAtoms::with_slots_of_rows() const {
  gen::Schedule result = schedule_;
  const std::vector<bool> leaves = leaving();
  std::fill(result.slots.begin(), result.slots.end(), sym::no_id);
  std::uint32_t next = 0;
  for (const auto* bodies : {&schedule_.stages, &schedule_.functions}) {
    for (const gen::Body& body : *bodies) {
      std::vector<Id> atoms;
      for (const gen::Chunk& chunk : body.chunks)
        for (const Id id : chunk.atoms)
          if (leaves[id]) atoms.push_back(id);
      std::sort(atoms.begin(), atoms.end());
      for (const Id id : in_slots(atoms)) result.slots[id] = next++;
      next = (next + 3) / 4 * 4;
    }
  }
  result.workspace_size = next;
  return result;
}

}  // namespace klingel::exec
