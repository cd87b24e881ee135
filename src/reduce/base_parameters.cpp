#include "reduce/base_parameters.hpp"

#include "mech/equations.hpp"
#include "mech/mass_matrix.hpp"
#include "sym/live_atoms.hpp"

namespace klingel::reduce {
namespace {

struct Tried {
  std::vector<mech::Body> bodies;
  Moves used;
  std::size_t cost;
};

Tried with(mech::Model& model, const Moves& moves) {
  Inertias inertias(model);
  inertias.regroup(moves);
  Tried tried{inertias.bodies(), inertias.used(), 0};
  model.regroup(tried.bodies);
  tried.cost = dynamics_cost(model);
  model.regroup({});
  return tried;
}

}  // namespace

std::size_t dynamics_cost(mech::Model& model) {
  std::vector<sym::Id> roots;
  const sym::Matrix M = mech::mass_matrix(model);
  for (const sym::Entry& e : M.entries()) roots.push_back(e.value.id());
  for (const sym::Expr& e : mech::generalized_forces(model)) roots.push_back(e.id());
  return static_cast<std::size_t>(sym::LiveAtoms(model.graph(), roots).total().operations);
}

std::vector<mech::Body> fewest_parameters(mech::Model& model) {
  Inertias inertias(model);
  inertias.regroup(Moves::all(model));
  return inertias.bodies();
}

Regrouping use_base_parameters(mech::Model& model) {
  model.regroup({});
  Regrouping result;
  result.before = result.after = dynamics_cost(model);
  result.parameters_before = result.parameters_after = inertial_parameters(model.bodies()).size();
  Moves moves = Moves::all(model);
  Tried best = with(model, moves);
  // one after the other, moves that do not pay are taken back
  for (std::vector<bool>* list : {&moves.bases, &moves.points}) {
    const std::vector<bool>& used = list == &moves.bases ? best.used.bases : best.used.points;
    const std::vector<bool> candidates = used;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!candidates[i]) continue;
      (*list)[i] = false;
      Tried tried = with(model, moves);
      if (tried.cost < best.cost)
        best = std::move(tried);
      else
        (*list)[i] = true;
    }
  }
  if (best.cost >= result.before) return result;
  model.regroup(best.bodies);
  result.applied = true;
  result.after = best.cost;
  result.parameters_after = inertial_parameters(model.inertias()).size();
  return result;
}

}  // namespace klingel::reduce
