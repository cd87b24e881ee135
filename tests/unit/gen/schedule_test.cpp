// The schedule: every atom is computed exactly once, never read before it is computed, and never
// overwritten while somebody still wants it. A machine that knows nothing of how schedules are made
// runs them on names instead of numbers.
#include "gen/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "sym/depends.hpp"
#include "sym/traverse.hpp"
#include "tests/unit/gen/random_program.hpp"

namespace klingel::gen {
namespace {

using sym::Expr;
using sym::Id;

// what is read without being computed: numbers, symbols, and atoms of numbers only
bool is_known(const sym::Graph& g, Id id) {
  return sym::is_leaf(g.op(id)) || g.node(id).symbols == 0;
}

// Runs a schedule on names. A value is an atom together with the version every stage's inputs had
// when it was computed; reading anything else than the wanted atom of the present version is a
// complaint.
class Machine {
 public:
  Machine(const Program& program, const Schedule& schedule)
      : program_(program),
        schedule_(schedule),
        workspace_(schedule.workspace_size),
        version_(program.stages().size(), 0) {
    outputs_.resize(program.functions().size());
  }

  void change_inputs(std::size_t stage) { ++version_[stage]; }
  void run_stage(std::size_t s) { run(schedule_.stages[s], nullptr); }
  void run_function(std::size_t f) {
    outputs_[f].clear();
    run(schedule_.functions[f], &outputs_[f]);
    check_outputs(f);
  }

  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  struct Value {
    Id atom;
    std::vector<unsigned> version;
  };
  using Outputs = std::map<std::pair<std::uint32_t, std::uint32_t>, Id>;

  void complain(const std::string& text) { complaints_.push_back(text); }

  // the stages whose inputs an atom depends on
  std::set<std::size_t> stages_of(Id id) const {
    std::set<std::size_t> stages;
    auto& g = const_cast<sym::Graph&>(program_.graph());
    for (const Expr& x : sym::symbols_below(Expr(&g, id))) {
      const int input = program_.input_element(x.id()).input;
      stages.insert(program_.inputs()[static_cast<std::size_t>(input)].stage);
    }
    return stages;
  }

  void run(const Body& body, Outputs* outputs) {
    for (const Chunk& chunk : body.chunks) {
      std::set<Id> local;
      // a line is written where its last operand is needed, so within a chunk reads may come later
      // than the list says: a slot has one meaning in a whole chunk
      std::map<Id, Id> meaning;
      const auto touch = [&](Id slot, Id atom) {
        const auto [it, is_new] = meaning.emplace(slot, atom);
        if (!is_new && it->second != atom)
          complain(fmt::format("{}: slot {} holds two atoms in one chunk", body.name, slot));
      };
      const auto read = [&](Id id) {
        if (is_known(program_.graph(), id) || local.contains(id)) return;
        const Id slot = schedule_.slots[id];
        if (slot == sym::no_id) {
          complain(fmt::format("{}: atom {} is not in the workspace", body.name, id));
          return;
        }
        touch(slot, id);
        const std::optional<Value>& value = workspace_.at(slot);
        if (!value || value->atom != id) {
          complain(fmt::format("{}: atom {} is not in its slot {}", body.name, id, slot));
          return;
        }
        for (const std::size_t s : stages_of(id)) {
          if (value->version[s] != version_[s])
            complain(fmt::format("{}: atom {} is out of date", body.name, id));
        }
      };
      for (const Id id : chunk.atoms) {
        const sym::Node& n = program_.graph().node(id);
        read(n.a);
        if (sym::is_binary(n.op)) read(n.b);
        local.insert(id);
        if (const Id slot = schedule_.slots[id]; slot != sym::no_id) {
          touch(slot, id);
          workspace_.at(slot) = {id, version_};
        }
      }
      for (const Store& store : chunk.stores) {
        read(store.atom);
        if (outputs == nullptr ||
            !outputs->emplace(std::pair(store.output, store.element), store.atom).second) {
          complain(fmt::format("{}: an output element is written twice", body.name));
        }
      }
    }
  }

  void check_outputs(std::size_t f) {
    Outputs expected;
    const sym::Function& function = program_.functions()[f];
    for (std::uint32_t o = 0; o < function.outputs.size(); ++o) {
      const sym::Output& output = function.outputs[o];
      std::uint32_t k = 0;
      for (const sym::Entry& e : output.matrix.entries()) {
        const std::uint32_t dense = e.col * output.matrix.rows() + e.row;
        expected[{o, output.sparse ? k++ : dense}] = e.value.id();
      }
    }
    if (outputs_[f] != expected) complain(function.name + ": the outputs are not what was wanted");
  }

  const Program& program_;
  const Schedule& schedule_;
  std::vector<std::optional<Value>> workspace_;
  std::vector<unsigned> version_;
  std::vector<Outputs> outputs_;
  std::vector<std::string> complaints_;
};

// All stages and functions; then random changes of inputs, with stages called as the ABI allows:
// from the first changed one up to the one the next function needs.
std::vector<std::string> complaints_about(const Program& program, const Schedule& schedule,
                                          unsigned seed) {
  Machine machine(program, schedule);
  std::mt19937 random(seed);
  const std::size_t n_stages = schedule.stages.size(), n_functions = schedule.functions.size();
  std::size_t valid = 0;
  for (int round = 0; round < 30 && machine.complaints().empty(); ++round) {
    if (round > 0) {
      const std::size_t changed = random() % n_stages;
      machine.change_inputs(changed);
      valid = std::min(valid, changed);
    }
    const std::size_t calls = round == 0 ? n_functions : random() % (2 * n_functions);
    for (std::size_t k = 0; k < calls; ++k) {
      const std::size_t f = round == 0 ? k : random() % n_functions;
      for (; valid <= schedule.functions[f].stage; ++valid) machine.run_stage(valid);
      machine.run_function(f);
    }
  }
  return machine.complaints();
}

std::vector<Id> atoms_of(const Body& body) {
  std::vector<Id> atoms;
  for (const Chunk& c : body.chunks) atoms.insert(atoms.end(), c.atoms.begin(), c.atoms.end());
  return atoms;
}

std::vector<Id> all_atoms(const Schedule& schedule) {
  std::vector<Id> atoms;
  for (const auto* bodies : {&schedule.stages, &schedule.functions}) {
    for (const Body& b : *bodies) {
      const std::vector<Id> own = atoms_of(b);
      atoms.insert(atoms.end(), own.begin(), own.end());
    }
  }
  return atoms;
}

// everything below the outputs that is not simply known
std::set<Id> wanted_atoms(const Program& program) {
  std::vector<Id> roots;
  for (const sym::Function& f : program.functions()) {
    for (const sym::Output& o : f.outputs)
      for (const sym::Entry& e : o.matrix.entries()) roots.push_back(e.value.id());
  }
  std::set<Id> wanted;
  for (const Id id : sym::nodes_below(program.graph(), roots))
    if (!is_known(program.graph(), id)) wanted.insert(id);
  return wanted;
}

constexpr unsigned programs = 60;

TEST(schedule, any_legal_order_of_calls_reads_only_what_it_wants) {
  for (unsigned seed = 0; seed < programs; ++seed) {
    const RandomProgram random(seed, 20 + 3 * seed);
    for (std::size_t size = 1; size <= 50; size += size < 10 ? 1 : 5) {
      const Schedule schedule = make_schedule(random.program(), {size, false});
      const auto complaints = complaints_about(random.program(), schedule, seed);
      ASSERT_TRUE(complaints.empty())
          << "seed " << seed << ", chunks of " << size << ": " << complaints.front();
    }
  }
}

TEST(schedule, every_atom_is_computed_exactly_once) {
  for (unsigned seed = 0; seed < programs; ++seed) {
    const RandomProgram random(seed, 100);
    for (const std::size_t size : {1, 3, 17, 400}) {
      const std::vector<Id> atoms = all_atoms(make_schedule(random.program(), {size, false}));
      EXPECT_EQ(std::set<Id>(atoms.begin(), atoms.end()), wanted_atoms(random.program())) << seed;
      EXPECT_EQ(atoms.size(), wanted_atoms(random.program()).size()) << seed;
    }
  }
}

TEST(schedule, a_fused_product_is_left_to_the_one_sum_that_uses_it) {
  std::size_t found = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const RandomProgram random(seed, 100);
    const sym::Graph& g = random.program().graph();
    const Schedule schedule = make_schedule(random.program(), {7});
    std::set<Id> left = wanted_atoms(random.program());
    for (const Id id : all_atoms(schedule)) {
      EXPECT_FALSE(schedule.fused[id]) << seed;
      EXPECT_EQ(left.erase(id), 1u) << seed;
      const Operands operands = schedule.operands(g, id);
      if (operands.fused == Fused::no) continue;
      ++found;
      EXPECT_EQ(operands.size, 3u);
      const sym::Node& n = g.node(id);
      const Id product = schedule.fused[n.b] ? n.b : n.a;
      EXPECT_EQ(left.erase(product), 1u) << "used by two sums, seed " << seed;
      EXPECT_EQ(g.op(product), sym::Op::mul);
    }
    EXPECT_TRUE(left.empty()) << seed;
  }
  EXPECT_GT(found, 0u);
}

// y = sin q is all that `cheap` needs of q; the square waits for the stage behind
TEST(schedule, a_stage_for_some_functions_leaves_the_rest_to_the_next) {
  sym::Graph g;
  const sym::Expr q = g.symbol("q", sym::SymbolKind::coordinate, 1);
  const sym::Expr dq = g.symbol("dq", sym::SymbolKind::velocity, 1);
  const sym::Expr y = sin(q), square = y * y;
  const auto program_for = [&](std::vector<std::string> only_for, bool more) {
    Program program(g, "split");
    program.stage("place", std::move(only_for)).input("q", {q});
    if (more) program.stage("position").stage("velocity").input("dq", {dq});
    program.function({"cheap", "", {sym::Output::scalar("y", y)}});
    program.function({"rest", "", {sym::Output::scalar("square", square)}});
    program.function({"both", "", {sym::Output::scalar("sum", square + y)}});
    return program;
  };
  const Schedule schedule = make_schedule(program_for({"cheap"}, true), {400, false});
  EXPECT_EQ(atoms_of(schedule.stages[1]), std::vector<Id>{y.id()});
  EXPECT_EQ(atoms_of(schedule.stages[2]), std::vector<Id>{square.id()});
  EXPECT_EQ(schedule.functions[0].stage, 1u);
  EXPECT_EQ(schedule.functions[1].stage, 2u);
  // without the request both are in the first stage
  EXPECT_EQ(atoms_of(make_schedule(program_for({}, true), {400, false}).stages[1]).size(), 2u);
  EXPECT_THROW(make_schedule(program_for({"cheap"}, false)), base::Error);
  EXPECT_THROW(make_schedule(program_for({"cheep"}, true)), base::Error);
}

TEST(schedule, only_rare_functions_may_need_a_rare_stage) {
  sym::Graph g;
  const sym::Expr q = g.symbol("q", sym::SymbolKind::coordinate, 1);
  const sym::Expr y = sin(q), square = y * y;
  const auto program_for = [&](bool rare) {
    Program program(g, "split");
    program.stage("position", {"often"}).input("q", {q});
    program.stage("position_rest", {}, true);
    program.function({"often", "", {sym::Output::scalar("y", y)}});
    program.function({"seldom", "", {sym::Output::scalar("square", square)}, rare});
    program.function({"never", "", {sym::Output::scalar("sum", square + y)}, rare});
    return program;
  };
  const Schedule schedule = make_schedule(program_for(true), {400, false});
  EXPECT_EQ(atoms_of(schedule.stages[1]), std::vector<Id>{y.id()});
  EXPECT_EQ(atoms_of(schedule.stages[2]), std::vector<Id>{square.id()});
  EXPECT_THROW(make_schedule(program_for(false)), base::Error);
}

// the rule of schedule.hpp: in the body of its stage, or of the only function that wants it if that
// function has the same stage
TEST(schedule, every_atom_is_in_the_body_it_belongs_to) {
  for (unsigned seed = 0; seed < programs; ++seed) {
    RandomProgram random(seed, 100);
    const Program& program = random.program();
    const Schedule schedule = make_schedule(program);
    const auto stage_of = [&](Id id) {
      std::uint32_t stage = 0;
      for (const Expr& x : sym::symbols_below(Expr(&random.graph(), id))) {
        const auto input = static_cast<std::size_t>(program.input_element(x.id()).input);
        stage = std::max(stage, program.inputs()[input].stage);
      }
      return stage;
    };
    std::map<Id, std::set<std::size_t>> users;
    for (std::size_t f = 0; f < program.functions().size(); ++f) {
      for (const sym::Output& o : program.functions()[f].outputs) {
        for (const sym::Entry& e : o.matrix.entries()) {
          const Id root = e.value.id();
          for (const Id id : sym::nodes_below(program.graph(), std::span(&root, 1)))
            users[id].insert(f);
        }
      }
    }
    for (std::uint32_t s = 0; s < schedule.stages.size(); ++s) {
      for (const Id id : atoms_of(schedule.stages[s])) {
        EXPECT_EQ(stage_of(id), s);
        const std::size_t user = *users[id].begin();
        EXPECT_TRUE(users[id].size() > 1 || schedule.functions[user].stage > s) << id;
      }
    }
    for (std::size_t f = 0; f < schedule.functions.size(); ++f) {
      for (const Id id : atoms_of(schedule.functions[f])) {
        EXPECT_EQ(users[id], std::set<std::size_t>{f});
        EXPECT_EQ(stage_of(id), schedule.functions[f].stage);
      }
    }
  }
}

TEST(schedule, chunks_are_no_longer_than_asked_and_about_equal) {
  const RandomProgram random(7, 300);
  for (std::size_t size = 1; size <= 50; ++size) {
    const Schedule schedule = make_schedule(random.program(), {size, false});
    for (const auto* bodies : {&schedule.stages, &schedule.functions}) {
      for (const Body& b : *bodies) {
        std::size_t least = size, most = 0;
        for (const Chunk& c : b.chunks) {
          least = std::min(least, c.atoms.size());
          most = std::max(most, c.atoms.size());
        }
        EXPECT_LE(most, size) << b.name;
        if (b.chunks.size() > 1) {
          EXPECT_LE(most - least, 1u) << b.name;
        }
      }
    }
  }
}

TEST(schedule, counts_are_those_of_the_atoms) {
  const RandomProgram random(3, 200);
  const Schedule schedule = make_schedule(random.program(), {10, false});
  for (const auto* bodies : {&schedule.stages, &schedule.functions}) {
    for (const Body& b : *bodies) {
      EXPECT_EQ(b.count, sym::count(random.program().graph(), atoms_of(b)));
      EXPECT_EQ(b.count.atoms, atoms_of(b).size());
    }
  }
}

// a chain of 1000 sines in chunks of 10: one value crosses each cut, so one slot is enough
TEST(schedule, slots_of_values_that_only_cross_a_cut_are_used_again) {
  sym::Graph g;
  const Expr x = g.symbol("x");
  Expr e = x;
  for (int i = 0; i < 1000; ++i) e = sin(e);
  Program program(g, "chain");
  program.input("x_in", {x}).function({"f", "", {sym::Output::scalar("y", e)}});
  const Schedule schedule = make_schedule(program, {10});
  EXPECT_EQ(schedule.functions[0].chunks.size(), 100u);
  EXPECT_LE(schedule.workspace_size, 2u);
  EXPECT_TRUE(complaints_about(program, schedule, 1).empty());
}

TEST(schedule, one_function_alone_needs_no_workspace) {
  sym::Graph g;
  const Expr x = g.symbol("x");
  Program program(g, "small");
  program.input("x_in", {x}).function({"f", "", {sym::Output::scalar("y", sin(x) * x)}});
  const Schedule schedule = make_schedule(program);
  EXPECT_EQ(schedule.workspace_size, 0u);
  EXPECT_TRUE(atoms_of(schedule.stages[0]).empty());
  EXPECT_EQ(atoms_of(schedule.functions[0]).size(), 2u);
}

TEST(schedule, what_depends_on_parameters_only_is_computed_at_setup) {
  sym::Graph g;
  const Expr m = g.parameter("m"), l = g.parameter("l"), q = g.symbol("q");
  const Expr ml = m * l;
  Program program(g, "small");
  program.input("p", {m, l}).stage("position").input("q_in", {q});
  program.function({"f", "", {sym::Output::scalar("y", ml * sin(q))}});
  const Schedule schedule = make_schedule(program);
  EXPECT_EQ(atoms_of(schedule.stages[0]), std::vector<Id>{ml.id()});
  EXPECT_TRUE(schedule.in_workspace(ml.id()));
}

TEST(schedule, atoms_of_numbers_only_are_given) {
  sym::Graph g;
  const Expr x = g.symbol("x");
  const Expr constant = sin(g.number(2));
  EXPECT_TRUE(is_given(g, constant.id()));
  EXPECT_TRUE(is_given(g, x.id()));
  EXPECT_TRUE(is_given(g, g.number(3).id()));
  EXPECT_FALSE(is_given(g, (constant * x).id()));
}

// the checker itself: schedules made wrong on purpose
TEST(schedule, the_machine_notices_wrong_schedules) {
  const RandomProgram random(11, 150);
  const Schedule good = make_schedule(random.program(), {5, false});
  ASSERT_TRUE(complaints_about(random.program(), good, 1).empty());

  // everything in one slot
  Schedule bad = good;
  for (Id& slot : bad.slots)
    if (slot != sym::no_id) slot = 0;
  EXPECT_FALSE(complaints_about(random.program(), bad, 1).empty());

  // an atom that crosses a cut without a slot
  bad = good;
  for (Id& slot : bad.slots) slot = sym::no_id;
  EXPECT_FALSE(complaints_about(random.program(), bad, 1).empty());

  // an atom before its operands
  bad = good;
  for (Body& b : bad.stages) std::reverse(b.chunks.begin(), b.chunks.end());
  EXPECT_FALSE(complaints_about(random.program(), bad, 1).empty());

  // a position atom computed at setup: out of date after the first change
  bad = good;
  auto& moved = bad.stages[1].chunks;
  bad.stages[0].chunks.insert(bad.stages[0].chunks.end(), moved.begin(), moved.end());
  moved.clear();
  EXPECT_FALSE(complaints_about(random.program(), bad, 1).empty());

  // a result that is never stored
  bad = good;
  bad.functions[0].chunks.back().stores.clear();
  bad.functions[0].chunks.front().stores.clear();
  EXPECT_FALSE(complaints_about(random.program(), bad, 1).empty());
}

}  // namespace
}  // namespace klingel::gen
