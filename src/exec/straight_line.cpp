#include "exec/straight_line.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/assert.hpp"
#include "exec/line_maker.hpp"
#include "exec/order.hpp"
#include "sym/tape.hpp"

namespace klingel::exec {
namespace {

using sym::Id;
using sym::Op;

}  // namespace

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

Line LineMaker::Maker::run() {
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
  order_instructions(line_);
  find_next_uses();
  return std::move(line_);
}

// atoms of this body get their values first, so that everything else is known to come from
// outside
void LineMaker::Maker::number_atoms() {
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

// Atoms whose signs rows take into account may be needed by nobody else.
void LineMaker::Maker::find_needed() {
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

void LineMaker::Maker::store_what_is_known() {
  for (const gen::Chunk& chunk : body_.chunks) {
    for (const gen::Store& s : chunk.stores) {
      if (is_own(s.atom)) continue;
      store(value_of(s.atom), {MemoryPlace::Base::output, s.output, s.element});
    }
  }
}

std::uint32_t LineMaker::Maker::add_value(Id id) {
  const auto v = static_cast<std::uint32_t>(line_.values.size());
  line_.values.emplace_back();
  owner_.values_[id] = v;
  numbered_.push_back(id);
  return v;
}

// where a value that is not of this body comes from
MemoryPlace LineMaker::Maker::origin_of(Id id) const {
  if (g_.op(id) == Op::symbol) {
    const gen::Program::InputElement place = program_.input_element(id);
    return {MemoryPlace::Base::input, static_cast<std::uint32_t>(place.input), place.index};
  }
  KLINGEL_ASSERT(owner_.schedule_.in_workspace(id));
  return slot_of(id);
}

std::uint32_t LineMaker::Maker::value_of(Id id) {
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

std::uint32_t LineMaker::Maker::constant(double x) {
  const auto [it, is_new] =
      constants_.try_emplace(std::bit_cast<std::uint64_t>(x), line_.values.size());
  if (is_new) {
    line_.values.emplace_back().home = {MemoryPlace::Base::constant, 0,
                                        static_cast<std::uint32_t>(line_.constants.size())};
    line_.constants.push_back(x);
  }
  return it->second;
}

void LineMaker::Maker::append(Action action, Op op, std::uint32_t to, std::uint32_t a,
                              std::uint32_t b, std::uint32_t c) {
  line_.instructions.push_back({action, op, to, {a}, {b}, {c}, {}, {}});
}

void LineMaker::Maker::store(std::uint32_t v, MemoryPlace place) {
  append(Action::store, Op::neg, Line::never, v);
  line_.instructions.back().place = place;
}

// to other bodies and to outputs, once
void LineMaker::Maker::store(Id id) {
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

void LineMaker::Maker::store_outputs(Id id) {
  if (const auto it = stores_.find(id); it != stores_.end()) {
    for (const MemoryPlace& place : it->second) store(owner_.values_[id], place);
  }
}

void LineMaker::Maker::compute(Id id) {
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

// all sines and cosines whose angles are known by now are computed with the first of them
void LineMaker::Maker::compute_angles(Id first) {
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
void LineMaker::Maker::sort_constants() {
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

void LineMaker::Maker::find_next_uses() {
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
