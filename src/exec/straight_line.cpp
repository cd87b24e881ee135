#include "exec/straight_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
    store_what_is_known();
    for (const gen::Chunk& chunk : body_.chunks) {
      for (const Id id : chunk.atoms) compute(id);
    }
    for (const Id id : numbered_) owner_.values_[id] = Line::never;
    sort_constants();
    find_next_uses();
    return std::move(line_);
  }

 private:
  // atoms of this body get their values first, so that everything else is known to come from
  // outside
  void number_atoms() {
    for (const gen::Chunk& chunk : body_.chunks) {
      for (const Id id : chunk.atoms) {
        const std::uint32_t v = add_value(id);
        if (owner_.schedule_.in_workspace(id) && !owner_.leaves_body_[id])
          line_.values[v].cut = slot_of(id);
        if (gen::is_sine_or_cosine(g_.op(id))) angles_.push_back(id);
      }
    }
    computed_.assign(line_.values.size(), false);
    for (const gen::Chunk& chunk : body_.chunks) {
      for (const gen::Store& s : chunk.stores) {
        if (is_own(s.atom))
          stores_[s.atom].push_back({MemoryPlace::Base::output, s.output, s.element});
      }
    }
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

  std::uint32_t value_of(Id id) {
    if (owner_.values_[id] != Line::never) return owner_.values_[id];
    if (gen::is_given(g_, id) && g_.op(id) != Op::symbol) {
      // equal numbers of different atoms are one constant
      numbered_.push_back(id);
      return owner_.values_[id] = constant(sym::value_of_constant(g_, id));
    }
    const std::uint32_t v = add_value(id);
    if (g_.op(id) == Op::symbol) {
      const gen::Program::InputElement place = program_.input_element(id);
      line_.values[v].home = {MemoryPlace::Base::input, static_cast<std::uint32_t>(place.input),
                              place.index};
    } else {
      KLINGEL_ASSERT(owner_.schedule_.in_workspace(id));
      line_.values[v].home = slot_of(id);
    }
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
    line_.instructions.push_back({action, op, to, {a}, {b}, {c}, {}});
  }

  void store(std::uint32_t v, MemoryPlace place) {
    append(Action::store, Op::neg, Line::never, v);
    line_.instructions.back().place = place;
  }

  void compute(Id id) {
    const std::uint32_t to = owner_.values_[id];
    if (!computed_[to]) {
      const sym::Node& n = g_.node(id);
      const gen::Operands operands = owner_.schedule_.operands(g_, id);
      switch (const Action action = action_of(n.op, operands.fused)) {
        case Action::sincos:
          compute_angles(id);
          break;
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
      computed_[to] = true;
    }
    if (owner_.leaves_body_[id]) store(to, slot_of(id));
    if (const auto it = stores_.find(id); it != stores_.end()) {
      for (const MemoryPlace& place : it->second) store(to, place);
    }
  }

  // all sines and cosines whose angles are known by now are computed with the first of them
  void compute_angles(Id first) {
    Line::Group group;
    std::unordered_map<std::uint32_t, std::size_t> place;  // by angle
    std::vector<std::uint32_t> members;                    // none is the angle of another
    for (const Id id : angles_) {
      const std::uint32_t to = owner_.values_[id];
      if (computed_[to]) continue;
      const Id angle = g_.node(id).a;
      if (is_own(angle) && !computed_[owner_.values_[angle]]) continue;
      const std::uint32_t v = value_of(angle);
      const auto [it, is_new] = place.try_emplace(v, group.angles.size());
      if (is_new) {
        group.angles.push_back({v, Line::never});
        group.sines.push_back(Line::never);
        group.cosines.push_back(Line::never);
      }
      (g_.op(id) == Op::sin ? group.sines : group.cosines)[it->second] = to;
      members.push_back(to);
    }
    for (const std::uint32_t v : members) computed_[v] = true;
    std::erase_if(angles_, [&](Id id) { return computed_[owner_.values_[id]]; });
    KLINGEL_ASSERT(computed_[owner_.values_[first]]);
    append(Action::sincos, Op::sin, static_cast<std::uint32_t>(line_.groups.size()), Line::never);
    line_.groups.push_back(std::move(group));
  }

  // short addresses for the most frequent
  void sort_constants() {
    std::vector<std::uint32_t> count(line_.constants.size(), 0), order(count.size()),
        rank(count.size());
    const auto use = [&](std::uint32_t v) {
      if (v == Line::never || line_.values[v].home.base != MemoryPlace::Base::constant) return;
      ++count[line_.values[v].home.index];
    };
    for (const Line::Instruction& i : line_.instructions) {
      for (const Line::Operand& o : {i.a, i.b, i.c}) use(o.value);
    }
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
    std::vector<double> sorted;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      rank[order[k]] = k;
      sorted.push_back(line_.constants[order[k]]);
    }
    line_.constants = std::move(sorted);
    for (Line::Value& v : line_.values) {
      if (v.home.base == MemoryPlace::Base::constant) v.home.index = rank[v.home.index];
    }
  }

  void find_next_uses() {
    for (auto i = static_cast<std::uint32_t>(line_.instructions.size()); i-- > 0;) {
      Line::Instruction& instruction = line_.instructions[i];
      const std::span<Line::Operand> angles = instruction.action == Action::sincos
                                                  ? std::span(line_.groups[instruction.to].angles)
                                                  : std::span<Line::Operand>();
      const auto each = [&](auto visit) {
        for (Line::Operand* o : {&instruction.a, &instruction.b, &instruction.c}) {
          if (o->value != Line::never) visit(*o);
        }
        for (Line::Operand& angle : angles) visit(angle);
      };
      each([&](Line::Operand& o) { o.next = line_.values[o.value].use; });
      each([&](Line::Operand& o) { line_.values[o.value].use = i; });
    }
  }

  LineMaker& owner_;
  const gen::Program& program_;
  const sym::Graph& g_;
  const gen::Body& body_;
  Line line_;
  std::vector<Id> numbered_;
  std::vector<bool> computed_;  // by value, for the atoms of this body
  std::vector<Id> angles_;      // sines and cosines not computed yet
  std::unordered_map<Id, std::vector<MemoryPlace>> stores_;
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
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

LineMaker LineMaker::of_segments(const gen::Program& program, const gen::Schedule& schedule) {
  std::vector<bool> leaves(schedule.slots.size());
  for (Id id = 0; id < leaves.size(); ++id) leaves[id] = schedule.in_workspace(id);
  return {program, schedule, std::move(leaves)};
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
