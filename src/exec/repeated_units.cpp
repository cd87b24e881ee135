#include "exec/repeated_units.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/assert.hpp"
#include "exec/input_names.hpp"

namespace klingel::exec {
namespace {

using sym::Id;
using sym::no_id;

// Fewer atoms than this part of all: not worth the calls.
constexpr double worth = 0.5;

std::string_view first_name(std::string_view name) { return name.substr(0, name.find('.')); }

// "coach12" is a unit "coach".
std::string_view stem(std::string_view unit) {
  while (!unit.empty() && std::isdigit(static_cast<unsigned char>(unit.back())) != 0)
    unit.remove_suffix(1);
  return unit;
}

}  // namespace

RepeatedUnits::RepeatedUnits(const gen::Program& program, const gen::Schedule& schedule)
    : program_(program), schedule_(schedule), g_(program.graph()), shifts_(1) {
  find_names();
  if (names_.empty() || !label_symbols()) {
    names_.clear();
    return;
  }
  label_atoms();
  find_counterparts();
  if (names_.empty()) return;
  make_segments();
  assign_slots();
}

// Units of a train are numbered, and all coordinates belong to them.
void RepeatedUnits::find_names() {
  const gen::Input* q = InputNames(program_).q();
  if (q == nullptr) return;
  for (const sym::Expr& symbol : q->symbols) {
    const std::string_view unit = first_name(g_.symbol_of(symbol.id()).name);
    if (!names_.empty() && names_.back() == unit) continue;
    names_.emplace_back(unit);
  }
  const auto other = [&](const std::string& unit) {
    return stem(unit).size() == unit.size() || stem(unit) != stem(names_.front());
  };
  if (names_.size() < 2 || std::any_of(names_.begin(), names_.end(), other)) names_.clear();
}

// False if an input has not the same number of symbols for each unit.
bool RepeatedUnits::label_symbols() {
  label_.assign(g_.size(), none);
  const auto unit_of = [&](std::string_view name) {
    const auto at = std::find(names_.begin(), names_.end(), first_name(name));
    return at == names_.end() ? none : static_cast<std::int32_t>(at - names_.begin());
  };
  const InputNames names(program_);
  for (const gen::Input& input : program_.inputs())
    for (std::size_t i = 0; i < input.symbols.size(); ++i)
      label_[input.symbols[i].id()] = unit_of(names.name(input, i));
  for (const gen::Input& input : program_.inputs()) {
    std::vector<std::vector<std::uint32_t>> elements(names_.size());
    for (std::uint32_t i = 0; i < input.symbols.size(); ++i)
      if (const std::int32_t unit = label_[input.symbols[i].id()]; unit >= 0)
        elements[static_cast<std::size_t>(unit)].push_back(i);
    Shifts& shifts = input_shifts_.emplace_back(input.symbols.size(), 0u);
    for (const auto& list : elements)
      if (list.size() != elements[0].size()) return false;
    for (std::size_t k = 0; k < elements[0].size(); ++k) {
      Shift shift;
      for (const auto& list : elements) {
        if (list[k] < elements[0][k]) return false;
        shift.push_back(list[k] - elements[0][k]);
      }
      shifts[elements[0][k]] = number(shift);
    }
  }
  return true;
}

std::uint32_t RepeatedUnits::number(const Shift& shift) {
  const auto at = std::find(shifts_.begin(), shifts_.end(), shift);
  const auto place = static_cast<std::uint32_t>(at - shifts_.begin());
  if (at == shifts_.end()) shifts_.push_back(shift);
  return place;
}

// From the symbols up: nodes come after their operands.
void RepeatedUnits::label_atoms() {
  const auto both = [](std::int32_t a, std::int32_t b) {
    if (a == none || a == b) return b;
    return b == none ? a : several;
  };
  for (Id id = 0; id < g_.size(); ++id) {
    const sym::Node& n = g_.node(id);
    if (sym::is_leaf(n.op)) continue;
    label_[id] = sym::is_binary(n.op) ? both(label_[n.a], label_[n.b]) : label_[n.a];
  }
  body_.assign(g_.size(), nothing);
  for (std::uint32_t b = 0; b < bodies(); ++b)
    for (const gen::Chunk& chunk : body(b).chunks)
      for (const Id id : chunk.atoms) {
        body_[id] = b;
        // products that are part of a sum
        const sym::Node& n = g_.node(id);
        if (schedule_.fused[n.a]) body_[n.a] = b;
        if (sym::is_binary(n.op) && schedule_.fused[n.b]) body_[n.b] = b;
      }
}

void RepeatedUnits::find_counterparts() {
  for (Id id = 0; id < g_.size(); ++id)
    if (label_[id] == 0 && body_[id] != nothing) own_.push_back(id);
  std::vector<std::vector<Id>> found(names_.size());
  found[0] = own_;
  // nodes of each unit, in order
  std::vector<std::vector<Id>> of_unit(names_.size());
  for (Id id = 0; id < g_.size(); ++id)
    if (label_[id] > 0 && body_[id] != nothing)
      of_unit[static_cast<std::size_t>(label_[id])].push_back(id);
  first_.assign(g_.size(), nothing);
  for (std::uint32_t k = 0; k < own_.size(); ++k) first_[own_[k]] = k;
  for (std::size_t unit = 1; unit < names_.size(); ++unit) {
    found[unit] = std::move(of_unit[unit]);
    find_counterparts(unit, found);
  }
  choose_repeated(found);
}

// found[unit] holds the nodes of the unit before, and the counterparts of own_ after.
void RepeatedUnits::find_counterparts(std::size_t unit, std::vector<std::vector<Id>>& found) const {
  using Key = std::tuple<sym::Op, Id, Id>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      const auto [op, a, b] = key;
      return (static_cast<std::size_t>(op) * 0x9e3779b97f4a7c15u) ^ (a * 0xff51afd7ed558ccdu) ^
             (b * 0xc4ceb9fe1a85ec53u);
    }
  };
  std::unordered_map<Key, Id, Hash> nodes;
  nodes.reserve(found[unit].size());
  for (const Id id : found[unit]) {
    const sym::Node& n = g_.node(id);
    nodes.emplace(Key{n.op, n.a, sym::is_binary(n.op) ? n.b : 0}, id);
  }
  std::unordered_map<Id, Id> symbols;
  for (std::size_t i = 0; i < program_.inputs().size(); ++i) {
    const std::vector<sym::Expr>& list = program_.inputs()[i].symbols;
    for (std::size_t k = 0; k < list.size(); ++k)
      if (label_[list[k].id()] == 0)
        symbols[list[k].id()] = list[k + shifts_[input_shifts_[i][k]][unit]].id();
  }
  std::vector<Id> counterparts;
  counterparts.reserve(own_.size());
  const auto counterpart = [&](Id id) -> Id {
    if (label_[id] == none) return id;
    if (g_.op(id) == sym::Op::symbol) return symbols.at(id);
    const std::uint32_t k = first_[id];
    return k == nothing || k >= counterparts.size() ? no_id : counterparts[k];
  };
  for (const Id id : own_) {
    const sym::Node& n = g_.node(id);
    const bool binary = sym::is_binary(n.op);
    const Id a = counterpart(n.a), b = binary ? counterpart(n.b) : 0;
    Id partner = no_id;
    if (a != no_id && b != no_id) {
      auto at = nodes.find({n.op, a, b});
      if (at == nodes.end() && sym::is_commutative(n.op)) at = nodes.find({n.op, b, a});
      if (at != nodes.end()) partner = at->second;
    }
    // computed in the same body, and by itself or not
    if (partner != no_id &&
        (body_[partner] != body_[id] || schedule_.fused[partner] != schedule_.fused[id]))
      partner = no_id;
    counterparts.push_back(partner);
  }
  found[unit] = std::move(counterparts);
}

// Atoms with counterparts in all units, as are their operands.
void RepeatedUnits::choose_repeated(const std::vector<std::vector<Id>>& found) {
  std::vector<bool> good(own_.size());
  const auto ready = [&](Id id) {
    if (label_[id] == none || g_.op(id) == sym::Op::symbol) return true;
    return first_[id] != nothing && good[first_[id]];
  };
  std::size_t atoms = 0, repeated = 0;
  for (const std::uint32_t b : body_) atoms += b != nothing ? 1 : 0;
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const sym::Node& n = g_.node(own_[k]);
    good[k] = ready(n.a) && (!sym::is_binary(n.op) || ready(n.b)) &&
              std::all_of(found.begin(), found.end(),
                          [&](const std::vector<Id>& list) { return list[k] != no_id; });
    repeated += good[k] ? names_.size() : 0;
  }
  if (static_cast<double>(repeated) < worth * static_cast<double>(atoms)) {
    names_.clear();
    return;
  }
  std::vector<Id> own;
  others_.assign(names_.size(), {});
  first_.assign(g_.size(), nothing);
  for (std::size_t k = 0; k < own_.size(); ++k) {
    // a product that is part of a sum is nowhere by itself
    if (!good[k] || schedule_.fused[own_[k]]) continue;
    for (std::size_t unit = 0; unit < names_.size(); ++unit) {
      first_[found[unit][k]] = static_cast<std::uint32_t>(own.size());
      others_[unit].push_back(found[unit][k]);
    }
    own.push_back(own_[k]);
  }
  own_ = std::move(own);
}

// Which stores of a function are those of the first unit, moved: output_shifts_ has them, and
// `done` the stores of other units that they stand for.
void RepeatedUnits::choose_stores(std::size_t function, std::vector<std::vector<bool>>& done) {
  std::vector<Shifts>& shifts = output_shifts_[function];
  for (const sym::Output& output : program_.functions()[function].outputs) {
    shifts.emplace_back(output.size(), 0u);
    done.emplace_back(output.size(), false);
  }
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // output, element
  std::unordered_map<Id, std::vector<Place>> places;
  for (const gen::Chunk& chunk : schedule_.functions[function].chunks)
    for (const gen::Store& s : chunk.stores)
      if (repeats(s.atom)) places[s.atom].push_back({s.output, s.element});
  for (auto& [atom, list] : places) std::sort(list.begin(), list.end());
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const auto first = places.find(own_[k]);
    if (first == places.end()) continue;
    const std::vector<Place>& own = first->second;
    std::vector<Shift> moved(own.size());
    bool regular = true;
    for (const std::vector<Id>& unit : others_) {
      const auto at = places.find(unit[k]);
      regular = regular && at != places.end() && at->second.size() == own.size();
      for (std::size_t i = 0; i < own.size() && regular; ++i) {
        const Place &from = own[i], &to = at->second[i];
        regular = to.first == from.first && to.second >= from.second;
        if (regular) moved[i].push_back(to.second - from.second);
      }
    }
    for (std::size_t i = 0; i < own.size() && regular; ++i) {
      const auto [output, element] = own[i];
      shifts[output][element] = number(moved[i]);
      for (const std::uint32_t by : moved[i]) done[output][element + by] = by > 0;
    }
  }
}

void RepeatedUnits::make_segments() {
  segments_.fused = schedule_.fused;
  output_shifts_.resize(schedule_.functions.size());
  for (std::size_t b = 0; b < bodies(); ++b) {
    const gen::Body& from = body(b);
    const std::size_t stages = schedule_.stages.size();
    std::vector<std::vector<bool>> done;
    if (b >= stages) choose_stores(b - stages, done);
    gen::Body shared{from.name, from.stage, {{}}, {}}, repeated = shared, rest = shared;
    for (const gen::Chunk& chunk : from.chunks) {
      for (const Id id : chunk.atoms) {
        if (!repeats(id))
          (label_[id] == none ? shared : rest).chunks[0].atoms.push_back(id);
        else if (label_[id] == 0)
          repeated.chunks[0].atoms.push_back(id);
      }
      for (const gen::Store& s : chunk.stores) {
        if (done[s.output][s.element]) continue;
        const bool moves = output_shifts_[b - stages][s.output][s.element] != 0;
        gen::Body& part = moves ? repeated : label_[s.atom] == none ? shared : rest;
        part.chunks[0].stores.push_back(s);
      }
    }
    std::vector<Part>& parts = parts_.emplace_back();
    const auto add = [&](gen::Body& part, bool is_repeated) {
      parts.push_back({static_cast<std::uint32_t>(segments_.stages.size()), is_repeated});
      segments_.stages.push_back(std::move(part));
    };
    const auto used = [](const gen::Body& part) {
      return !part.chunks[0].atoms.empty() || !part.chunks[0].stores.empty();
    };
    // the first part of a function clears its outputs
    if (b >= stages || used(shared) || (!used(repeated) && !used(rest))) add(shared, false);
    if (used(repeated)) add(repeated, true);
    if (used(rest)) add(rest, false);
  }
}

// What leaves its part has a slot of its own: shared ones and the rest first, then unit by unit.
void RepeatedUnits::assign_slots() {
  std::vector<std::uint32_t> segment(g_.size(), nothing);
  for (std::uint32_t s = 0; s < segments_.stages.size(); ++s)
    for (const Id id : segments_.stages[s].chunks[0].atoms) segment[id] = s;
  std::vector<bool> leaves(g_.size(), false);
  for (std::uint32_t s = 0; s < segments_.stages.size(); ++s) {
    // rows read what is below a sign
    const auto use = [&](Id id) {
      for (;; id = g_.node(id).a) {
        const Id first = repeats(id) ? own_[first_[id]] : id;
        if (segment[first] != s && segment[first] != nothing) leaves[first] = true;
        if (g_.op(id) != sym::Op::neg) return;
      }
    };
    for (const Id id : segments_.stages[s].chunks[0].atoms)
      for (const Id operand : schedule_.operands(g_, id)) use(operand);
    for (const gen::Store& store : segments_.stages[s].chunks[0].stores) use(store.atom);
  }
  segments_.slots.assign(g_.size(), no_id);
  std::vector<Id> of_unit;
  rows_ = std::make_unique<EqualAtoms>(program_, segments_);
  for (const gen::Body& part : segments_.stages) {
    std::vector<Id> own, others;
    for (const Id id : part.chunks[0].atoms)
      if (leaves[id]) (repeats(id) ? own : others).push_back(id);
    std::sort(own.begin(), own.end());
    std::sort(others.begin(), others.end());
    const auto round = [](std::size_t size) { return (size + 3) / 4 * 4; };
    for (const Id id : rows_->in_slots(own)) of_unit.push_back(id);
    of_unit.resize(round(of_unit.size()), no_id);
    for (const Id id : rows_->in_slots(others)) segments_.slots[id] = first_slot_++;
    first_slot_ = static_cast<std::uint32_t>(round(first_slot_));
  }
  constexpr std::uint32_t line = 8;  // of the cache: units begin with one
  const auto rounded = [](std::uint32_t size) { return (size + line - 1) / line * line; };
  first_slot_ = rounded(first_slot_ + 1);  // no row of both
  unit_slots_ = rounded(static_cast<std::uint32_t>(of_unit.size()));
  for (std::uint32_t unit = 0; unit < names_.size(); ++unit)
    for (std::uint32_t k = 0; k < of_unit.size(); ++k)
      if (of_unit[k] != no_id)
        segments_.slots[others_[unit][first_[of_unit[k]]]] = first_slot_ + unit * unit_slots_ + k;
  segments_.workspace_size = first_slot_ + static_cast<std::uint32_t>(names_.size()) * unit_slots_;
}

RepeatedUnits::Unit RepeatedUnits::unit(Line line, std::size_t number_of_body) const {
  Unit unit;
  const auto array = [](std::vector<Array>& list, Array::Of of, std::uint32_t number,
                        const Shift& shift) {
    for (std::uint32_t i = 0; i < list.size(); ++i)
      if (list[i].of == of && list[i].array == number && list[i].shift == shift) return i;
    list.push_back({of, number, shift});
    return static_cast<std::uint32_t>(list.size() - 1);
  };
  const Shift still(names_.size(), 0);
  const auto shift_of = [&](std::uint32_t shift) { return shift == 0 ? still : shifts_[shift]; };
  const auto move = [&](MemoryPlace& place) {
    switch (place.base) {
      case MemoryPlace::Base::input:
        place.array = array(unit.inputs, Array::Of::inputs, place.array,
                            shift_of(input_shifts_[place.array][place.index]));
        break;
      case MemoryPlace::Base::output:
        place.array = array(unit.outputs, Array::Of::outputs, place.array,
                            shift_of(output_shifts_[number_of_body - schedule_.stages.size()]
                                                   [place.array][place.index]));
        break;
      case MemoryPlace::Base::workspace:
        if (place.index < first_slot_) {
          place.base = MemoryPlace::Base::input;
          place.array = array(unit.inputs, Array::Of::workspace, 0, still);
        } else {
          place.index -= first_slot_;
          KLINGEL_ASSERT(place.index < unit_slots_);
        }
        break;
      default:
        break;
    }
  };
  for (Line::Value& value : line.values) move(value.home);
  for (Line::Instruction& instruction : line.instructions)
    if (instruction.action == Action::store) move(instruction.place);
  unit.line = std::move(line);
  return unit;
}

}  // namespace klingel::exec
