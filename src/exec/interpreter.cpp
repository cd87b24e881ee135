// The workspace of the interpreter, in doubles:
//
//   | slots of the schedule | leaves of a tape | results of a tape | registers of a tape |
//
// Slots hold the atoms bodies share; the rest is used by one body after the other. A call gathers
// the leaves, runs the tape, and scatters the results to slots and outputs. On lanes it does so for
// one lane after the other: slots have all lanes, the rest serves one at a time.
#include "exec/interpreter.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "exec/table.hpp"
#include "sym/tape.hpp"

namespace klingel::exec {
namespace {

using sym::Id;

// Element `index` of an input or output.
struct Element {
  std::uint32_t array, index;
};

// What a body reads from outside: its tape's leaves are these three lists, one after the other.
struct Leaves {
  std::vector<double> constants;  // atoms of numbers only, evaluated once and for all
  std::vector<Element> inputs;
  std::vector<std::uint32_t> slots;
  std::vector<Id> ids;

  std::size_t size() const { return ids.size(); }
};

// What a body writes: its tape's outputs are `slots`, then `stores`.
struct Results {
  std::vector<std::uint32_t> slots;
  std::vector<Element> stores;
  std::vector<Element> dense;  // outputs with this many elements, zero where nothing is stored
  std::vector<Id> ids;

  std::size_t size() const { return ids.size(); }
};

// Where each part of the workspace begins.
struct Layout {
  std::size_t leaves = 0, results = 0, registers = 0, end = 0;
};

struct Body {
  Leaves leaves;
  Results results;
  sym::Tape tape;
  std::size_t lanes;
  Layout layout;

  void run(const double* const* in, double* w, double* const* out) const {
    for (const Element& e : results.dense) std::fill_n(out[e.array], e.index * lanes, 0.0);
    for (std::size_t lane = 0; lane < lanes; ++lane) run_lane(lane, in, w, out);
  }

  void run_lane(std::size_t lane, const double* const* in, double* w, double* const* out) const {
    // gather
    double* leaf = std::copy(leaves.constants.begin(), leaves.constants.end(), w + layout.leaves);
    for (const Element& e : leaves.inputs) *leaf++ = in[e.array][e.index * lanes + lane];
    for (const std::uint32_t slot : leaves.slots) *leaf++ = w[slot * lanes + lane];

    tape.run<double>(w + layout.leaves, w + layout.results, w + layout.registers);

    // scatter
    const double* result = w + layout.results;
    for (const std::uint32_t slot : results.slots) w[slot * lanes + lane] = *result++;
    for (const Element& e : results.stores) out[e.array][e.index * lanes + lane] = *result++;
  }
};

// the entry of every stage and function: the context is its body
extern "C" void klingel_exec_interpret(const void* context, const double* const* in, double* w,
                                       double* const* out) {
  static_cast<const Body*>(context)->run(in, w, out);
}

Leaves leaves_of(const gen::Program& program, const gen::Schedule& schedule,
                 const gen::Chunk& chunk) {
  const sym::Graph& g = program.graph();
  std::vector<bool> known(g.size(), false);
  for (const Id id : chunk.atoms) known[id] = true;

  // each kind in the order of first use; plain numbers are the tape's own
  std::vector<Id> constants, inputs, slots;
  const auto read = [&](Id id) {
    if (known[id] || sym::is_number(g.op(id))) return;
    known[id] = true;
    if (g.op(id) == sym::Op::symbol) {
      inputs.push_back(id);
    } else {
      (gen::is_given(g, id) ? constants : slots).push_back(id);
    }
  };
  for (const Id id : chunk.atoms) {
    for (const Id operand : schedule.operands(g, id)) read(operand);
  }
  for (const gen::Store& store : chunk.stores) read(store.atom);

  Leaves leaves;
  for (const Id id : constants) leaves.constants.push_back(sym::value_of_constant(g, id));
  for (const Id id : inputs) {
    const gen::Program::InputElement place = program.input_element(id);
    leaves.inputs.push_back({static_cast<std::uint32_t>(place.input), place.index});
  }
  for (const Id id : slots) {
    KLINGEL_ASSERT(schedule.in_workspace(id));
    leaves.slots.push_back(schedule.slots[id]);
  }
  for (const auto* list : {&constants, &inputs, &slots}) {
    leaves.ids.insert(leaves.ids.end(), list->begin(), list->end());
  }
  return leaves;
}

Results results_of(const gen::Schedule& schedule, const gen::Chunk& chunk) {
  Results results;
  for (const Id id : chunk.atoms) {
    if (!schedule.in_workspace(id)) continue;
    results.slots.push_back(schedule.slots[id]);
    results.ids.push_back(id);
  }
  for (const gen::Store& store : chunk.stores) {
    results.stores.push_back({store.output, store.element});
    results.ids.push_back(store.atom);
  }
  return results;
}

// Owns the bodies and the table whose entries point to them.
class Interpreter {
 public:
  Interpreter(const gen::Program& program, gen::Manifest manifest) : lanes_(manifest.lanes) {
    // chunks are for compilers; a tape needs no cuts
    const gen::Schedule schedule = gen::make_schedule(
        program, {.chunk_operations = std::numeric_limits<std::size_t>::max() / 2});
    for (const auto* list : {&schedule.stages, &schedule.functions}) {
      for (const gen::Body& body : *list) add(program, schedule, body);
    }
    for (std::size_t f = 0; f < program.functions().size(); ++f) {
      const auto& outputs = program.functions()[f].outputs;
      Body& body = bodies_[schedule.stages.size() + f];
      for (std::uint32_t o = 0; o < outputs.size(); ++o) {
        const auto size = static_cast<std::uint32_t>(outputs[o].size());
        if (outputs[o].matrix.entries().size() < size) body.results.dense.push_back({o, size});
      }
    }
    const Layout layout = lay_out(schedule.workspace_size * lanes_);
    if (layout.end > std::numeric_limits<std::uint32_t>::max()) {
      base::fail("the model '{}' is too large to be interpreted: it needs {} doubles of workspace",
                 manifest.model, layout.end);
    }
    manifest.workspace_size = static_cast<std::uint32_t>((layout.end + lanes_ - 1) / lanes_);

    std::vector<Call> calls;
    for (const Body& body : bodies_) calls.push_back({klingel_exec_interpret, &body});
    const std::span<const Call> all(calls);
    table_ = std::make_unique<Table>(std::move(manifest), all.first(schedule.stages.size()),
                                     all.subspan(schedule.stages.size()));
  }

  const klingel_kernel& abi() const { return table_->abi(); }

 private:
  void add(const gen::Program& program, const gen::Schedule& schedule, const gen::Body& body) {
    KLINGEL_ASSERT_EQ(body.chunks.size(), 1u);
    const gen::Chunk& chunk = body.chunks.front();
    Leaves leaves = leaves_of(program, schedule, chunk);
    Results results = results_of(schedule, chunk);
    sym::Tape tape(program.graph(), leaves.ids, results.ids, schedule.fused);
    bodies_.push_back({std::move(leaves), std::move(results), std::move(tape), lanes_, {}});
  }

  // the parts behind the slots are as large as the largest body needs, and begin on a cache line
  Layout lay_out(std::size_t slots) {
    const auto line = [](std::size_t n) { return (n + 7) / 8 * 8; };
    std::size_t leaves = 0, results = 0, registers = 0;
    for (const Body& body : bodies_) {
      leaves = std::max(leaves, body.leaves.size());
      results = std::max(results, body.results.size());
      registers = std::max(registers, body.tape.registers());
    }
    Layout layout;
    layout.leaves = line(slots);
    layout.results = layout.leaves + line(leaves);
    layout.registers = layout.results + line(results);
    layout.end = layout.registers + registers;
    for (Body& body : bodies_) body.layout = layout;
    return layout;
  }

  std::size_t lanes_;
  std::vector<Body> bodies_;  // stages, then functions
  std::unique_ptr<Table> table_;
};

}  // namespace

std::shared_ptr<const klingel_kernel> interpret(const gen::Program& program,
                                                const gen::Manifest& manifest) {
  const auto interpreter = std::make_shared<const Interpreter>(program, manifest);
  return {interpreter, &interpreter->abi()};
}

}  // namespace klingel::exec
