#include "exec/straight_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>

#include "base/assert.hpp"
#include "sym/tape.hpp"

namespace klingel::exec {
namespace {

using sym::Id;
using sym::Op;

constexpr double sign_bit = -0.0;

double all_but_the_sign() { return std::bit_cast<double>(~std::bit_cast<std::uint64_t>(sign_bit)); }

Action action_of(Op op, gen::Fused fused) {
  if (fused == gen::Fused::plus) return Action::fused_plus;
  if (fused == gen::Fused::minus) return Action::fused_minus;
  if (fused == gen::Fused::less_addend) return Action::fused_less_addend;
  switch (op) {
    case Op::add:
      return Action::add;
    case Op::sub:
      return Action::sub;
    case Op::mul:
      return Action::mul;
    case Op::div:
      return Action::div;
    case Op::sqrt:
      return Action::sqrt;
    case Op::neg:
      return Action::flip;
    case Op::abs:
      return Action::mask;
    case Op::min:
      return Action::min;
    case Op::max:
      return Action::max;
    case Op::sign:
      return Action::sign;
    case Op::sin:
    case Op::cos:
      return Action::sincos;
    default:
      return Action::call;
  }
}

}  // namespace

class LineMaker::Maker {
 public:
  Maker(LineMaker& owner, const gen::Body& body)
      : owner_(owner), program_(owner.program_), g_(program_.graph()), body_(body) {}

  Line run() {
    number_atoms();
    find_needed();
    store_what_is_known();
    for (const gen::Chunk& chunk : body_.chunks) {
      for (const Id id : chunk.atoms) {
        if (!needed_[owner_.values_[id]]) continue;
        compute(id);
        store(id);
      }
    }
    for (const Id id : numbered_) owner_.values_[id] = Line::never;
    sort_constants();
    find_next_uses();
    return std::move(line_);
  }

 private:
  using Row = EqualAtoms::Row;
  using Lanes = std::array<Id, 4>;

  // atoms of this body get their values first, so that everything else is known to come from
  // outside
  void number_atoms() {
    for (const gen::Chunk& chunk : body_.chunks) {
      for (const Id id : chunk.atoms) {
        if (gen::is_sine_or_cosine(g_.op(id))) angles_.push_back(id);
        if (const Row* row = row_of(id)) {
          if (owner_.values_[id] == Line::never) number_row(*row);
          continue;
        }
        const std::uint32_t v = add_value(id);
        if (owner_.schedule_.in_workspace(id) && !owner_.leaves_body_[id])
          line_.values[v].cut = slot_of(id);
      }
    }
    computed_.assign(line_.values.size(), false);
    needed_ = stored_ = computed_;
    for (const gen::Chunk& chunk : body_.chunks) {
      for (const gen::Store& s : chunk.stores) {
        if (is_own(s.atom))
          stores_[s.atom].push_back({MemoryPlace::Base::output, s.output, s.element});
      }
    }
  }

  void number_row(const Row& row) {
    const auto all = static_cast<std::uint32_t>(line_.values.size());
    line_.values.emplace_back().width = row.width;
    for (std::uint32_t i = 0; i < row.width; ++i) {
      Line::Value& lane = line_.values[add_value(row.lanes[i].atom)];
      lane.of = all;
      lane.lane = i;
    }
  }

  const Row* row_of(Id id) const {
    if (owner_.rows_ == nullptr) return nullptr;
    const std::uint32_t row = owner_.rows_->row_of(id);
    return row == EqualAtoms::none ? nullptr : &owner_.rows_->rows()[row];
  }

  // Atoms whose signs rows take into account may be needed by nobody else.
  void find_needed() {
    if (owner_.rows_ == nullptr) {
      needed_.assign(needed_.size(), true);
      return;
    }
    std::vector<Id> open;
    const auto need = [&](Id id) {
      if (!is_own(id) || needed_[owner_.values_[id]]) return;
      needed_[owner_.values_[id]] = true;
      open.push_back(id);
    };
    for (const gen::Chunk& chunk : body_.chunks)
      for (const Id id : chunk.atoms)
        if (owner_.leaves_body_[id] || stores_.contains(id)) need(id);
    while (!open.empty()) {
      const Id id = open.back();
      open.pop_back();
      if (const Row* row = row_of(id)) {
        for (std::uint32_t i = 0; i < row->width; ++i) {
          need(row->lanes[i].atom);
          for (std::uint32_t k = 0; k < row->operands; ++k) need(row->lanes[i].operands[k]);
        }
      } else {
        for (const Id operand : owner_.schedule_.operands(g_, id)) need(operand);
      }
    }
    std::erase_if(angles_, [&](Id id) { return !needed_[owner_.values_[id]]; });
  }

  void store_what_is_known() {
    for (const gen::Chunk& chunk : body_.chunks) {
      for (const gen::Store& s : chunk.stores) {
        if (is_own(s.atom)) continue;
        store(value_of(s.atom), {MemoryPlace::Base::output, s.output, s.element});
      }
    }
  }

  bool is_own(Id id) const { return owner_.values_[id] < computed_.size(); }

  MemoryPlace slot_of(Id id) const {
    return {MemoryPlace::Base::workspace, 0, owner_.schedule_.slots[id]};
  }

  std::uint32_t add_value(Id id) {
    const auto v = static_cast<std::uint32_t>(line_.values.size());
    line_.values.emplace_back();
    owner_.values_[id] = v;
    numbered_.push_back(id);
    return v;
  }

  bool is_constant(Id id) const { return gen::is_given(g_, id) && g_.op(id) != Op::symbol; }

  // where a value that is not of this body comes from
  MemoryPlace origin_of(Id id) const {
    if (g_.op(id) == Op::symbol) {
      const gen::Program::InputElement place = program_.input_element(id);
      return {MemoryPlace::Base::input, static_cast<std::uint32_t>(place.input), place.index};
    }
    KLINGEL_ASSERT(owner_.schedule_.in_workspace(id));
    return slot_of(id);
  }

  std::uint32_t value_of(Id id) {
    if (owner_.values_[id] != Line::never) return owner_.values_[id];
    if (is_constant(id)) {
      // equal numbers of different atoms are one constant
      numbered_.push_back(id);
      return owner_.values_[id] = constant(sym::value_of_constant(g_, id));
    }
    const std::uint32_t v = add_value(id);
    line_.values[v].home = origin_of(id);
    return v;
  }

  std::uint32_t constant(double x) {
    const auto [it, is_new] =
        constants_.try_emplace(std::bit_cast<std::uint64_t>(x), line_.values.size());
    if (is_new) {
      line_.values.emplace_back().home = {MemoryPlace::Base::constant, 0,
                                          static_cast<std::uint32_t>(line_.constants.size())};
      line_.constants.push_back(x);
    }
    return it->second;
  }

  void append(Action action, Op op, std::uint32_t to, std::uint32_t a,
              std::uint32_t b = Line::never, std::uint32_t c = Line::never) {
    line_.instructions.push_back({action, op, to, {a}, {b}, {c}, {}, {}});
  }

  void store(std::uint32_t v, MemoryPlace place) {
    append(Action::store, Op::neg, Line::never, v);
    line_.instructions.back().place = place;
  }

  // to other bodies and to outputs, once
  void store(Id id) {
    const Row* row = row_of(id);
    const std::uint32_t v = owner_.values_[id];
    if (stored_[v]) return;
    if (row == nullptr) {
      stored_[v] = true;
      if (owner_.leaves_body_[id]) store(v, slot_of(id));
      store_outputs(id);
      return;
    }
    bool leaves = false;
    for (std::uint32_t i = 0; i < row->width; ++i) {
      const Id lane = row->lanes[i].atom;
      stored_[owner_.values_[lane]] = true;
      leaves = leaves || owner_.leaves_body_[lane];
    }
    if (leaves) store(line_.values[v].of, slot_of(row->lanes[0].atom));
    for (std::uint32_t i = 0; i < row->width; ++i) store_outputs(row->lanes[i].atom);
  }

  void store_outputs(Id id) {
    if (const auto it = stores_.find(id); it != stores_.end()) {
      for (const MemoryPlace& place : it->second) store(owner_.values_[id], place);
    }
  }

  void compute(Id id) {
    if (!is_own(id)) return;
    const std::uint32_t to = owner_.values_[id];
    if (computed_[to]) return;
    const Row* row = row_of(id);
    if (gen::is_sine_or_cosine(g_.op(id))) {
      compute(g_.node(id).a);
      for (std::uint32_t i = 0; row != nullptr && i < row->width; ++i)
        compute(row->lanes[i].operands[0]);
      if (!computed_[to]) compute_angles(id);
      return;
    }
    if (row != nullptr) return compute_row(*row);
    const sym::Node& n = g_.node(id);
    const gen::Operands operands = owner_.schedule_.operands(g_, id);
    for (const Id operand : operands) compute(operand);
    computed_[to] = true;
    switch (const Action action = action_of(n.op, operands.fused)) {
      case Action::flip:
        append(action, n.op, to, value_of(n.a), constant(sign_bit));
        break;
      case Action::mask:
        append(action, n.op, to, value_of(n.a), constant(all_but_the_sign()));
        break;
      case Action::sign:
        append(action, n.op, to, value_of(n.a), constant(sign_bit), constant(1.0));
        break;
      default: {
        std::array<std::uint32_t, 3> v{Line::never, Line::never, Line::never};
        for (std::size_t k = 0; k < operands.size; ++k) v[k] = value_of(operands.ids[k]);
        append(action, n.op, to, v[0], v[1], v[2]);
      }
    }
  }

  // ---------------------------------------------------------------------------- rows of atoms

  void compute_row(const Row& row) {
    for (std::uint32_t i = 0; i < row.width; ++i)
      for (std::uint32_t k = 0; k < row.operands; ++k) compute(row.lanes[i].operands[k]);
    const std::uint32_t to = line_.values[owner_.values_[row.lanes[0].atom]].of;
    for (std::uint32_t i = 0; i < row.width; ++i)
      computed_[owner_.values_[row.lanes[i].atom]] = true;
    std::array<std::uint32_t, 3> v{Line::never, Line::never, Line::never};
    std::array<unsigned, 3> minus{};
    for (std::uint32_t k = 0; k < row.operands; ++k) {
      Lanes ids{};
      for (std::uint32_t i = 0; i < row.width; ++i) {
        ids[i] = row.lanes[i].operands[k];
        minus[k] |= row.lanes[i].minus[k] ? 1u << i : 0;
      }
      v[k] = lanes_of(ids, row.width);
    }
    const unsigned all = (1u << row.width) - 1;
    const auto mixed = [&](unsigned signs) { return signs != 0 && signs != all; };
    switch (row.kind) {
      case EqualAtoms::Kind::sum:
        // one sign at least is the same on all lanes, or made so
        if (mixed(minus[0])) v[0] = flipped(v[0], minus[0]), minus[0] = 0;
        if (mixed(minus[1])) v[1] = flipped(v[1], minus[1]), minus[1] = 0;
        if (minus[0] != 0 && minus[1] != 0) v[0] = flipped(v[0], all), minus[0] = 0;
        if (minus[0] != 0) std::swap(v[0], v[1]);
        append((minus[0] | minus[1]) != 0 ? Action::sub : Action::add, row.op, to, v[0], v[1]);
        break;
      case EqualAtoms::Kind::fused:
        if (mixed(minus[2])) v[2] = flipped(v[2], minus[2]), minus[2] = 0;
        if (mixed(minus[0]) || (minus[0] & minus[2]) != 0) flip_factor(v, minus[0]);
        append(minus[0] != 0   ? Action::fused_minus
               : minus[2] != 0 ? Action::fused_less_addend
                               : Action::fused_plus,
               row.op, to, v[0], v[1], v[2]);
        break;
      case EqualAtoms::Kind::product:
        if (minus[0] != 0) flip_factor(v, minus[0]);
        append(action_of(row.op, gen::Fused::no), row.op, to, v[0], v[1]);
        break;
      case EqualAtoms::Kind::other:
        for (std::uint32_t k = 0; k < row.operands; ++k)
          if (minus[k] != 0) v[k] = flipped(v[k], minus[k]);
        if (row.op == Op::abs) {
          const double bits = all_but_the_sign();
          v[1] = packed_constant({bits, bits, bits, bits});
        }
        append(action_of(row.op, gen::Fused::no), row.op, to, v[0], v[1]);
        break;
    }
  }

  // the sign of a product goes to a constant if there is one
  void flip_factor(std::array<std::uint32_t, 3>& v, unsigned& minus) {
    std::uint32_t& factor = packed_.contains(v[1]) ? v[1] : v[0];
    factor = flipped(factor, minus);
    minus = 0;
  }

  std::uint32_t flipped(std::uint32_t v, unsigned signs) {
    std::array<double, 4> bits{};
    for (unsigned i = 0; i < 4; ++i) bits[i] = (signs >> i & 1) != 0 ? sign_bit : 0.0;
    if (const auto it = packed_.find(v); it != packed_.end()) {
      std::array<double, 4> x = it->second;
      for (unsigned i = 0; i < 4; ++i)
        if ((signs >> i & 1) != 0) x[i] = -x[i];
      return packed_constant(x);
    }
    const auto [it, is_new] = flipped_.try_emplace({v, signs}, 0u);
    if (is_new) {
      const std::uint32_t mask = packed_constant(bits);
      it->second = add_lanes(line_.values[v].width);
      append(Action::flip, Op::neg, it->second, v, mask);
    }
    return it->second;
  }

  std::uint32_t add_lanes(unsigned width) {
    const auto v = static_cast<std::uint32_t>(line_.values.size());
    line_.values.emplace_back().width = width;
    return v;
  }

  std::uint32_t packed_constant(const std::array<double, 4>& x) {
    std::array<std::uint64_t, 4> key{};
    for (std::size_t i = 0; i < 4; ++i) key[i] = std::bit_cast<std::uint64_t>(x[i]);
    const auto [it, is_new] = packed_values_.try_emplace(key, 0u);
    if (is_new) {
      it->second = add_lanes(4);
      packed_[it->second] = x;
    }
    return it->second;
  }

  // Values of several atoms as lanes of one; all that are of this body are computed.
  std::uint32_t lanes_of(const Lanes& ids, unsigned width) {
    const auto [it, is_new] = lanes_.try_emplace({width, ids}, 0u);
    if (is_new) it->second = make_lanes(ids, width);
    return it->second;
  }

  std::uint32_t make_lanes(const Lanes& ids, unsigned width) {
    const auto all = [&](auto holds) {
      for (unsigned i = 0; i < width; ++i)
        if (!holds(i)) return false;
      return true;
    };
    if (all([&](unsigned i) { return is_constant(ids[i]); })) {
      std::array<double, 4> x{};
      for (unsigned i = 0; i < width; ++i) x[i] = sym::value_of_constant(g_, ids[i]);
      // the same number for two lanes and for four
      if (all([&](unsigned i) { return x[i] == x[0]; })) x.fill(x[0]);
      return packed_constant(x);
    }
    const auto own_row = [&](Id id) { return is_own(id) ? row_of(id) : nullptr; };
    const auto lane = [&](Id id) { return owner_.rows_->lane_of(id); };
    const auto value = [&](Id id) { return line_.values[owner_.values_[id]].of; };
    const Row* row = own_row(ids[0]);
    if (row != nullptr && all([&](unsigned i) { return own_row(ids[i]) == row; })) {
      if (row->width == width && all([&](unsigned i) { return lane(ids[i]) == i; }))
        return value(ids[0]);
      return permuted(value(ids[0]), ids, width);
    }
    if (all([&](unsigned i) { return ids[i] == ids[0]; })) return spread(ids[0]);
    const auto outside = [&](unsigned i) { return !is_own(ids[i]) && !is_constant(ids[i]); };
    if (all(outside)) {
      const MemoryPlace first = origin_of(ids[0]);
      const auto follows = [&](unsigned i) {
        const MemoryPlace place = origin_of(ids[i]);
        return place.base == first.base && place.array == first.array &&
               place.index == first.index + i;
      };
      const bool may = first.base != MemoryPlace::Base::input || owner_.rows_of_inputs;
      if (may && all(follows)) {
        const std::uint32_t v = add_lanes(width);
        line_.values[v].home = first;
        return v;
      }
      // the lanes of a row in another order
      if (const Row* from = row_of(ids[0]);
          from != nullptr && all([&](unsigned i) { return row_of(ids[i]) == from; })) {
        Lanes lanes{};
        for (unsigned i = 0; i < from->width; ++i) lanes[i] = from->lanes[i].atom;
        return permuted(lanes_of(lanes, from->width), ids, width);
      }
    }
    if (row != nullptr && width == 4) {
      const Row* other = own_row(ids[2]);
      const bool two = other != nullptr && own_row(ids[1]) == row && own_row(ids[3]) == other;
      if (two && all([&](unsigned i) { return lane(ids[i]) == i % 2; })) {
        const std::uint32_t to = add_lanes(width);
        append(Action::halves, Op::neg, to, value(ids[0]), value(ids[2]));
        return to;
      }
    }
    if (const std::uint32_t v = blended(ids, width); v != Line::never) return v;
    std::array<std::uint32_t, 4> v{Line::never, Line::never, Line::never, Line::never};
    for (unsigned i = 0; i < width; ++i) v[i] = value_of(ids[i]);
    const std::uint32_t to = add_lanes(width);
    append(Action::gather, Op::neg, to, v[0], v[1], v[2]);
    line_.instructions.back().d.value = v[3];
    return to;
  }

  std::uint32_t permuted(std::uint32_t row, const Lanes& ids, unsigned width) {
    const std::uint32_t to = add_lanes(width);
    append(Action::permute, Op::neg, to, row);
    for (unsigned i = 0; i < width; ++i)
      line_.instructions.back().order |= owner_.rows_->lane_of(ids[i]) << 2 * i;
    return to;
  }

  // Lanes of two rows of this body, each in its place; or never.
  std::uint32_t blended(const Lanes& ids, unsigned width) {
    std::uint32_t first = Line::never, second = Line::never;
    unsigned order = 0;
    for (unsigned i = 0; i < width; ++i) {
      const Row* row = is_own(ids[i]) ? row_of(ids[i]) : nullptr;
      if (row == nullptr || row->width != width || owner_.rows_->lane_of(ids[i]) != i)
        return Line::never;
      const std::uint32_t v = line_.values[owner_.values_[ids[i]]].of;
      if (first == Line::never) first = v;
      if (v == first) continue;
      if (second == Line::never) second = v;
      if (v != second) return Line::never;
      order |= 1u << i;
    }
    const std::uint32_t to = add_lanes(width);
    append(Action::blend, Op::neg, to, first, second);
    line_.instructions.back().order = order;
    return to;
  }

  std::uint32_t spread(Id id) {
    const auto [it, is_new] = spread_.try_emplace(id, 0u);
    if (!is_new) return it->second;
    it->second = add_lanes(4);
    if (is_own(id)) {
      append(Action::spread, Op::neg, it->second, owner_.values_[id]);
    } else {
      MemoryPlace& home = line_.values[it->second].home;
      home = origin_of(id);
      home.spread = true;
    }
    return it->second;
  }

  // ------------------------------------------------------------------------------------------

  // all sines and cosines whose angles are known by now are computed with the first of them
  void compute_angles(Id first) {
    Line::Group group;
    std::unordered_map<std::uint32_t, std::uint32_t> place;  // by angle
    std::vector<std::uint32_t> members;                      // none is the angle of another
    const auto is_ready = [&](Id id) {
      const Id angle = g_.node(id).a;
      return !computed_[owner_.values_[id]] && (!is_own(angle) || computed_[owner_.values_[angle]]);
    };
    const auto put = [&](Id id) {
      const std::uint32_t v = value_of(g_.node(id).a);
      const auto next = static_cast<std::uint32_t>(group.angles.size());
      const auto [it, is_new] = place.try_emplace(v, next);
      if (is_new) {
        group.angles.push_back({v, Line::never});
        group.sines.push_back(Line::never);
        group.cosines.push_back(Line::never);
      }
      members.push_back(owner_.values_[id]);
      return it->second;
    };
    const auto ready = [&](const Row& row) {
      for (std::uint32_t i = 0; i < row.width; ++i)
        if (!is_ready(row.lanes[i].atom)) return false;
      return true;
    };
    for (const Id id : angles_) {
      const Row* row = row_of(id);
      if (!is_ready(id) || (row != nullptr && (!ready(*row) || row->lanes[0].atom != id))) continue;
      const bool cosine = g_.op(id) == Op::cos;
      if (row == nullptr) {
        const std::uint32_t at = put(id);
        (cosine ? group.cosines : group.sines)[at] = owner_.values_[id];
        continue;
      }
      std::array<std::uint32_t, 4> at{};
      bool beside = true;
      for (std::uint32_t i = 0; i < row->width; ++i) {
        at[i] = put(row->lanes[i].atom);
        beside = beside && at[i] == at[0] + i;
      }
      const std::uint32_t all = line_.values[owner_.values_[id]].of;
      if (beside) {
        group.rows.push_back({all, at[0], cosine});
        continue;
      }
      // angles that another row has in another order
      std::array<std::uint32_t, 4> single{Line::never, Line::never, Line::never, Line::never};
      for (std::uint32_t i = 0; i < row->width; ++i) {
        std::uint32_t& result = (cosine ? group.cosines : group.sines)[at[i]];
        if (result == Line::never) result = add_lanes(1);
        single[i] = result;
      }
      gathers_.push_back({all, single});
    }
    for (const std::uint32_t v : members) computed_[v] = true;
    std::erase_if(angles_, [&](Id id) { return computed_[owner_.values_[id]]; });
    KLINGEL_ASSERT(computed_[owner_.values_[first]]);
    append(Action::sincos, Op::sin, static_cast<std::uint32_t>(line_.groups.size()), Line::never);
    line_.groups.push_back(std::move(group));
    for (const auto& [to, single] : gathers_) {
      append(Action::gather, Op::neg, to, single[0], single[1], single[2]);
      line_.instructions.back().d.value = single[3];
    }
    gathers_.clear();
  }

  // short addresses for the most frequent; rows of constants follow
  void sort_constants() {
    std::vector<std::uint32_t> count(line_.constants.size(), 0), order(count.size()),
        rank(count.size());
    const auto use = [&](std::uint32_t v) {
      if (v == Line::never || line_.values[v].home.base != MemoryPlace::Base::constant) return;
      ++count[line_.values[v].home.index];
    };
    for (const Line::Instruction& i : line_.instructions) {
      for (const Line::Operand& o : {i.a, i.b, i.c, i.d}) use(o.value);
    }
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
    std::vector<double> sorted;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      rank[order[k]] = k;
      sorted.push_back(line_.constants[order[k]]);
    }
    for (Line::Value& v : line_.values) {
      if (v.home.base == MemoryPlace::Base::constant) v.home.index = rank[v.home.index];
    }
    for (const auto& [v, x] : packed_) {
      if (sorted.size() % 4 != 0) sorted.resize((sorted.size() + 3) / 4 * 4);
      line_.values[v].home = {MemoryPlace::Base::constant, 0,
                              static_cast<std::uint32_t>(sorted.size())};
      sorted.insert(sorted.end(), x.begin(), x.end());
    }
    line_.constants = std::move(sorted);
  }

  void find_next_uses() {
    for (auto i = static_cast<std::uint32_t>(line_.instructions.size()); i-- > 0;) {
      Line::Instruction& instruction = line_.instructions[i];
      const std::span<Line::Operand> angles = instruction.action == Action::sincos
                                                  ? std::span(line_.groups[instruction.to].angles)
                                                  : std::span<Line::Operand>();
      const auto each = [&](auto visit) {
        for (Line::Operand* o : {&instruction.a, &instruction.b, &instruction.c, &instruction.d}) {
          if (o->value != Line::never) visit(*o);
        }
        for (Line::Operand& angle : angles) visit(angle);
      };
      each([&](Line::Operand& o) { o.next = line_.values[o.value].use; });
      each([&](Line::Operand& o) {
        Line::Value& v = line_.values[o.value];
        v.use = i;
        Line::Value& whole = v.of == Line::never ? v : line_.values[v.of];
        whole.last = std::max(whole.last, i);
      });
    }
  }

  struct LaneGather {
    std::uint32_t to;
    std::array<std::uint32_t, 4> lanes;
  };

  LineMaker& owner_;
  const gen::Program& program_;
  const sym::Graph& g_;
  const gen::Body& body_;
  Line line_;
  std::vector<Id> numbered_;
  // by value, for the atoms of this body
  std::vector<bool> computed_, needed_, stored_;
  std::vector<Id> angles_;  // sines and cosines not computed yet
  std::unordered_map<Id, std::vector<MemoryPlace>> stores_;
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
  std::vector<LaneGather> gathers_;  // that follow the next sines and cosines
  // values of several lanes that were made before
  std::map<std::pair<unsigned, Lanes>, std::uint32_t> lanes_;
  std::map<std::pair<std::uint32_t, unsigned>, std::uint32_t> flipped_;
  std::map<std::array<std::uint64_t, 4>, std::uint32_t> packed_values_;
  std::map<std::uint32_t, std::array<double, 4>> packed_;  // constants
  std::unordered_map<Id, std::uint32_t> spread_;
};

LineMaker::LineMaker(const gen::Program& program, const gen::Schedule& schedule)
    : program_(program),
      schedule_(schedule),
      leaves_body_(program.graph().size(), false),
      values_(program.graph().size(), Line::never) {
  // bodies in the order of their numbers
  const sym::Graph& g = program.graph();
  std::vector<std::uint32_t> body_of(g.size(), Line::never);
  const auto for_each_chunk = [&](auto visit) {
    std::uint32_t number = 0;
    for (const auto* bodies : {&schedule.stages, &schedule.functions}) {
      for (const gen::Body& body : *bodies) {
        for (const gen::Chunk& chunk : body.chunks) visit(number, chunk);
        ++number;
      }
    }
  };
  for_each_chunk([&](std::uint32_t number, const gen::Chunk& chunk) {
    for (const Id id : chunk.atoms) body_of[id] = number;
  });
  for_each_chunk([&](std::uint32_t number, const gen::Chunk& chunk) {
    const auto use = [&](Id id) { leaves_body_[id] = leaves_body_[id] || body_of[id] != number; };
    for (const Id id : chunk.atoms) {
      for (const Id operand : schedule.operands(g, id)) use(operand);
    }
    for (const gen::Store& s : chunk.stores) use(s.atom);
  });
}

LineMaker LineMaker::of_segments(const gen::Program& program, const gen::Schedule& schedule,
                                 const EqualAtoms* rows) {
  std::vector<bool> leaves(schedule.slots.size());
  for (Id id = 0; id < leaves.size(); ++id) leaves[id] = schedule.in_workspace(id);
  return {program, schedule, rows, std::move(leaves)};
}

Line LineMaker::stage(std::size_t number) { return Maker(*this, schedule_.stages[number]).run(); }

Line LineMaker::function(std::size_t number) {
  Line line = Maker(*this, schedule_.functions[number]).run();
  line.dense = dense_outputs(number);
  return line;
}

std::vector<MemoryPlace> LineMaker::dense_outputs(std::size_t function) const {
  std::vector<MemoryPlace> list;
  const auto& outputs = program_.functions()[function].outputs;
  for (std::uint32_t o = 0; o < outputs.size(); ++o) {
    const auto size = static_cast<std::uint32_t>(outputs[o].size());
    if (outputs[o].matrix.entries().size() < size)
      list.push_back({MemoryPlace::Base::output, o, size});
  }
  return list;
}

}  // namespace klingel::exec
