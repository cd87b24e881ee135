#include "compile/train_units.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include "base/error.hpp"
#include "sym/traverse.hpp"
#include "vehicle/train.hpp"

namespace klingel::compile {
namespace {

using sym::Id;
using Set = std::vector<std::size_t>;  // of units, ascending

// Units below the nodes of a graph, from the symbols up. There are few different sets of them, so
// nodes hold their numbers.
class UnitsBelow {
 public:
  UnitsBelow(const sym::Graph& graph, std::span<const Id> roots,
             const std::map<Id, std::size_t>& unit_of_symbol)
      : numbers_(graph.size()) {
    for (const Id id : sym::nodes_below(graph, roots)) {  // operands first
      const sym::Node& node = graph.node(id);
      if (node.op == sym::Op::symbol) {
        const auto known = unit_of_symbol.find(id);
        if (known != unit_of_symbol.end()) numbers_[id] = number({known->second});
      } else if (!sym::is_leaf(node.op)) {
        numbers_[id] =
            sym::is_binary(node.op) ? both(numbers_[node.a], numbers_[node.b]) : numbers_[node.a];
      }
    }
  }

  const Set& operator[](Id id) const { return sets_[numbers_[id]]; }

 private:
  std::size_t number(const Set& set) {
    const auto [at, is_new] = known_.try_emplace(set, sets_.size());
    if (is_new) sets_.push_back(set);
    return at->second;
  }
  std::size_t both(std::size_t a, std::size_t b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    const auto [at, is_new] = unions_.try_emplace({a, b}, 0);
    if (is_new) {
      Set set;
      std::set_union(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(),
                     std::back_inserter(set));
      at->second = number(set);
    }
    return at->second;
  }

  std::vector<std::size_t> numbers_;  // by node
  std::vector<Set> sets_{Set{}};
  std::map<Set, std::size_t> known_{{Set{}, 0}};
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> unions_;
};

const std::vector<sym::Expr>& input_of(const gen::Program& program, const std::string& name) {
  for (const gen::Input& input : program.inputs())
    if (input.name == name) return input.symbols;
  base::fail("the kernels of '{}' have no input '{}'", program.model(), name);
}

// Nodes of the first output of a function by row; rows that are zero have none.
std::vector<std::vector<Id>> rows_of(const gen::Program& program, const std::string& name) {
  for (const sym::Function& f : program.functions()) {
    if (f.name != name) continue;
    const sym::Matrix& matrix = f.outputs[0].matrix;
    std::vector<std::vector<Id>> rows(matrix.rows());
    for (const sym::Entry& e : matrix.entries()) rows[e.row].push_back(e.value.id());
    return rows;
  }
  base::fail("the kernels of '{}' have no function '{}'", program.model(), name);
}

}  // namespace

step::Units train_units(const vehicle::Vehicle& vehicle, const gen::Program& program) {
  step::Units units;
  if (vehicle.units.size() < 2) return units;
  const std::vector<sym::Expr>&q = input_of(program, "q"), &dq = input_of(program, "dq");
  std::map<Id, std::size_t> of_symbol;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const vehicle::Unit* unit = vehicle::unit_of(vehicle, program.graph().symbol_of(q[i]).name);
    // coordinates of the train itself are a unit of their own
    units.of.push_back(unit != nullptr ? static_cast<std::size_t>(unit - vehicle.units.data())
                                       : vehicle.units.size());
    of_symbol[q[i].id()] = of_symbol[dq[i].id()] = units.of.back();
  }
  const std::vector<std::vector<Id>> forces = rows_of(program, "delta_NK"),
                                     poses = rows_of(program, "pose");
  std::vector<Id> roots;
  for (const auto* list : {&forces, &poses})
    for (const std::vector<Id>& row : *list) roots.insert(roots.end(), row.begin(), row.end());
  const UnitsBelow below(program.graph(), roots, of_symbol);
  constexpr std::size_t pose_size = 12;
  for (std::size_t first = 0; first < poses.size(); first += pose_size) {
    std::set<std::size_t> moved_by;
    for (std::size_t k = first; k < first + pose_size; ++k)
      for (const Id id : poses[k]) moved_by.insert(below[id].begin(), below[id].end());
    if (moved_by.size() != 1) return {};
  }
  std::set<std::array<std::size_t, 2>> joined;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const std::size_t unit = units.of[i];
    for (const Id id : forces[i]) {
      for (const std::size_t other : below[id])
        if (other != unit) joined.insert({std::min(unit, other), std::max(unit, other)});
    }
  }
  units.joined.assign(joined.begin(), joined.end());
  return units;
}

}  // namespace klingel::compile
