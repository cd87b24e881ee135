#include "gen/schedule.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "sym/traverse.hpp"

namespace klingel::gen {
namespace {

using sym::Graph;
using sym::Id;
using sym::no_id;

constexpr std::uint32_t nobody = no_id;

class Scheduler {
 public:
  Scheduler(const Program& program, const ScheduleOptions& options)
      : program_(program),
        g_(program.graph()),
        options_(options),
        n_stages_(program.stages().size()) {}

  Schedule run() {
    collect();
    assign_stages();
    assign_bodies();
    fuse_products();
    make_bodies();
    assign_slots();
    return std::move(schedule_);
  }

 private:
  static std::vector<Id> values_of(const sym::Function& f) {
    std::vector<Id> values;
    for (const sym::Output& o : f.outputs) {
      for (const sym::Entry& e : o.matrix.entries()) values.push_back(e.value.id());
    }
    return values;
  }

  void collect() {
    std::vector<Id> roots;
    for (const sym::Function& f : program_.functions()) {
      for (const Id id : values_of(f)) roots.push_back(id);
    }
    order_ = sym::nodes_in_order_of_use(g_, roots, {});
  }

  // the last stage of any symbol below
  void assign_stages() {
    stage_.assign(g_.size(), 0);
    for (const Id id : order_) {
      const sym::Node& n = g_.node(id);
      if (n.op == sym::Op::symbol) {
        stage_[id] =
            program_.inputs()[static_cast<std::size_t>(program_.input_element(id).input)].stage;
      } else if (!sym::is_leaf(n.op)) {
        stage_[id] = std::max(stage_[n.a], sym::is_binary(n.op) ? stage_[n.b] : 0);
      }
    }
    for (std::uint32_t s = 0; s < n_stages_; ++s) postpone(s);
    for (const sym::Function& f : program_.functions()) {
      std::uint32_t stage = 0;
      for (const Id id : values_of(f)) stage = std::max(stage, stage_[id]);
      function_stage_.push_back(stage);
      if (!f.rare) check_stages(f);
    }
  }

  void check_stages(const sym::Function& f) const {
    for (const Id id : sym::nodes_below(g_, values_of(f))) {
      if (!program_.rare()[stage_[id]] || is_given(g_, id)) continue;
      base::fail("the function '{}' of '{}' needs the rare stage '{}' and is not rare itself",
                 f.name, program_.model(), program_.stages()[stage_[id]]);
    }
  }

  // atoms that the functions of a stage do not need move to the next stage, with their users
  void postpone(std::uint32_t s) {
    const std::vector<std::string>& names = program_.only_for()[s];
    if (names.empty()) return;
    if (s + 1 == n_stages_) {
      base::fail("the last stage '{}' of '{}' cannot leave atoms to a later one",
                 program_.stages()[s], program_.model());
    }
    std::vector<bool> needed(g_.size(), false);
    for (const std::string& name : names) {
      const auto f = std::find_if(program_.functions().begin(), program_.functions().end(),
                                  [&](const sym::Function& other) { return other.name == name; });
      if (f == program_.functions().end()) {
        base::fail("the stage '{}' of '{}' is for a function '{}', which does not exist",
                   program_.stages()[s], program_.model(), name);
      }
      for (const Id id : sym::nodes_below(g_, values_of(*f))) needed[id] = true;
    }
    for (const Id id : order_) {
      if (stage_[id] == s && !needed[id] && !sym::is_leaf(g_.op(id))) stage_[id] = s + 1;
    }
  }

  // bodies are numbered: stages first, then functions
  void assign_bodies() {
    body_.assign(g_.size(), nobody);
    std::vector<std::uint32_t> user(g_.size(), nobody);  // the one function that needs it
    std::vector<bool> shared(g_.size(), false);
    for (std::uint32_t f = 0; f < program_.functions().size(); ++f) {
      for (const Id id : sym::nodes_below(g_, values_of(program_.functions()[f]))) {
        if (user[id] != nobody) shared[id] = true;
        user[id] = f;
      }
    }
    for (const Id id : order_) {
      if (is_given(g_, id)) continue;
      const bool own = !shared[id] && stage_[id] == function_stage_[user[id]];
      body_[id] = own ? static_cast<std::uint32_t>(n_stages_) + user[id] : stage_[id];
    }
  }

  void fuse_products() {
    schedule_.fused.assign(g_.size(), false);
    if (!options_.fuse) return;
    std::vector<std::uint32_t> uses(g_.size(), 0);
    for (const Id id : order_) {
      if (body_[id] == nobody) continue;
      const sym::Node& n = g_.node(id);
      ++uses[n.a];
      if (sym::is_binary(n.op)) ++uses[n.b];
    }
    for (const sym::Function& f : program_.functions()) {
      for (const Id id : values_of(f)) ++uses[id];
    }
    for (const Id id : order_) {
      const sym::Node& n = g_.node(id);
      if (body_[id] == nobody || (n.op != sym::Op::add && n.op != sym::Op::sub)) continue;
      const auto can_fuse = [&](Id product) {
        return g_.op(product) == sym::Op::mul && uses[product] == 1 &&
               body_[product] == body_[id] && g_.label(product) == nullptr;
      };
      if (can_fuse(n.b)) {
        schedule_.fused[n.b] = true;
      } else if (can_fuse(n.a)) {
        schedule_.fused[n.a] = true;
      }
    }
  }

  void make_bodies() {
    std::vector<std::vector<Id>> atoms(n_stages_ + program_.functions().size());
    for (const Id id : order_) {
      if (body_[id] != nobody) atoms[body_[id]].push_back(id);
    }
    for (std::uint32_t s = 0; s < n_stages_; ++s) {
      schedule_.stages.push_back(make_body(program_.stages()[s], s, atoms[s]));
    }
    for (std::uint32_t f = 0; f < program_.functions().size(); ++f) {
      const sym::Function& function = program_.functions()[f];
      Body body = make_body(function.name, function_stage_[f], atoms[n_stages_ + f]);
      add_stores(function, static_cast<std::uint32_t>(n_stages_) + f, body);
      schedule_.functions.push_back(std::move(body));
    }
  }

  Body make_body(const std::string& name, std::uint32_t stage, std::vector<Id> atoms) {
    Body body{name, stage, {}, sym::count(g_, atoms)};
    std::erase_if(atoms, [&](Id id) { return schedule_.fused[id]; });
    // sines and cosines of known values come first, so that vector lanes compute several at once
    std::stable_partition(atoms.begin(), atoms.end(), [&](Id id) {
      return is_sine_or_cosine(g_.op(id)) && body_[g_.node(id).a] != body_[id];
    });
    // equal pieces rather than full ones and a rest
    const std::size_t pieces = std::max<std::size_t>(
        1, (atoms.size() + options_.chunk_operations - 1) / options_.chunk_operations);
    chunk_of_.resize(g_.size(), 0);
    for (std::size_t k = 0; k < pieces; ++k) {
      Chunk chunk;
      for (std::size_t i = k * atoms.size() / pieces; i < (k + 1) * atoms.size() / pieces; ++i) {
        chunk.atoms.push_back(atoms[i]);
        chunk_of_[atoms[i]] = static_cast<std::uint32_t>(k);
      }
      body.chunks.push_back(std::move(chunk));
    }
    return body;
  }

  // a result is stored in the chunk that computes it; what was known before goes to the first chunk
  void add_stores(const sym::Function& f, std::uint32_t number, Body& body) {
    for (std::uint32_t o = 0; o < f.outputs.size(); ++o) {
      const sym::Output& output = f.outputs[o];
      for (std::uint32_t k = 0; k < output.matrix.entries().size(); ++k) {
        const sym::Entry& e = output.matrix.entries()[k];
        const Id id = e.value.id();
        const std::uint32_t element = output.sparse ? k : e.col * output.matrix.rows() + e.row;
        const std::size_t chunk = body_[id] == number ? chunk_of_[id] : 0;
        body.chunks[chunk].stores.push_back({o, element, id});
      }
    }
  }

  // An atom needs a slot if another chunk reads it. Atoms that leave their body keep their slots;
  // slots of atoms that only cross a cut are reused after the last read.
  void assign_slots() {
    schedule_.slots.assign(g_.size(), no_id);
    std::vector<bool> leaves_body(g_.size(), false);
    std::vector<std::uint32_t> last_chunk(g_.size(), 0);
    const auto use = [&](Id operand, std::uint32_t body, std::uint32_t chunk) {
      if (body_[operand] == nobody) return;
      if (body_[operand] != body) leaves_body[operand] = true;
      last_chunk[operand] = std::max(last_chunk[operand], chunk);
    };
    for_each_chunk([&](std::uint32_t body, std::uint32_t k, const Chunk& chunk) {
      for (const Id id : chunk.atoms) {
        for (const Id operand : schedule_.operands(g_, id)) use(operand, body, k);
      }
      for (const Store& s : chunk.stores) use(s.atom, body, k);
    });

    std::uint32_t next = 0;
    for_each_chunk([&](std::uint32_t, std::uint32_t, const Chunk& chunk) {
      for (const Id id : chunk.atoms) {
        if (leaves_body[id]) schedule_.slots[id] = next++;
      }
    });
    const std::uint32_t kept = next;
    std::vector<std::vector<std::uint32_t>> released;  // by chunk: slots free after it
    std::vector<std::uint32_t> free;
    std::uint32_t in_use = 0;
    for_each_chunk([&](std::uint32_t, std::uint32_t k, const Chunk& chunk) {
      if (k == 0) {  // a new body: slots that only crossed cuts of another body are free
        released.clear();
        free.clear();
        in_use = 0;
      }
      if (released.size() <= k) released.resize(k + 1);
      // a slot read in chunk k-1 for the last time may be written in chunk k
      if (k > 0) {
        free.insert(free.end(), released[k - 1].begin(), released[k - 1].end());
        std::sort(free.begin(), free.end(), std::greater<>());
      }
      for (const Id id : chunk.atoms) {
        if (leaves_body[id] || last_chunk[id] <= k) continue;
        std::uint32_t slot = kept + in_use;
        if (free.empty()) {
          ++in_use;
        } else {
          slot = free.back();
          free.pop_back();
        }
        schedule_.slots[id] = slot;
        next = std::max(next, slot + 1);
        if (released.size() <= last_chunk[id]) released.resize(last_chunk[id] + 1);
        released[last_chunk[id]].push_back(slot);
      }
    });
    schedule_.workspace_size = next;
  }

  template <class Visit>
  void for_each_chunk(Visit visit) const {
    std::uint32_t number = 0;
    for (const auto* bodies : {&schedule_.stages, &schedule_.functions}) {
      for (const Body& body : *bodies) {
        for (std::uint32_t k = 0; k < body.chunks.size(); ++k) visit(number, k, body.chunks[k]);
        ++number;
      }
    }
  }

  const Program& program_;
  const Graph& g_;
  ScheduleOptions options_;
  std::size_t n_stages_;
  std::vector<Id> order_;
  std::vector<std::uint32_t> stage_, body_, chunk_of_, function_stage_;
  Schedule schedule_;
};

}  // namespace

bool is_sine_or_cosine(sym::Op op) { return op == sym::Op::sin || op == sym::Op::cos; }

bool is_given(const Graph& g, Id id) { return sym::is_leaf(g.op(id)) || g.node(id).symbols == 0; }

Schedule make_schedule(const Program& program, const ScheduleOptions& options) {
  return Scheduler(program, options).run();
}

}  // namespace klingel::gen
