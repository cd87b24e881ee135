#include "reduce/reductions.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "mech/mass_matrix.hpp"
#include "reduce/eliminate.hpp"
#include "sym/depends.hpp"
#include "sym/first_order.hpp"
#include "sym/trigonometric.hpp"

namespace klingel::reduce {
namespace {

using Functions = std::vector<sym::Function*>;

constexpr double largest_small = 0.2;  // rad or m, at the start

std::vector<Expr> values_of(const Functions& functions) {
  std::vector<Expr> list;
  for (const sym::Function* f : functions)
    for (const sym::Output& o : f->outputs)
      for (const sym::Entry& e : o.matrix.entries()) list.push_back(e.value);
  return list;
}

// All expressions of some functions, changed together.
template <class Change>
void change(const Functions& functions, const Change& pass) {
  const std::vector<Expr> list = pass(values_of(functions));
  auto next = list.begin();
  for (sym::Function* f : functions) {
    for (sym::Output& o : f->outputs) {
      std::vector<sym::Entry> entries = o.matrix.entries();
      for (sym::Entry& e : entries) e.value = *next++;
      o.matrix = sym::Matrix(o.matrix.rows(), o.matrix.cols(), std::move(entries));
    }
  }
}

// The symbols of small coordinates and of their rates.
std::vector<Expr> small_symbols(mech::Model& model, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const sym::Coordinate& c : model.coordinates())
    known.push_back(model.graph().symbol_of(c.q).name);
  std::vector<Expr> symbols;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      base::fail("'{}' has no coordinate '{}' that could be small{}", model.name(), name,
                 base::did_you_mean(name, known));
    const sym::Coordinate& c = model.coordinates()[static_cast<std::size_t>(found - known.begin())];
    if (const double value = model.graph().symbol_of(c.q).value; std::abs(value) > largest_small)
      base::fail(
          "the coordinate '{}' starts at {:g}: what is small is small about zero; measure it from "
          "its place at rest, or take it out of 'small'",
          name, value);
    for (const mech::Constraint& constraint : model.constraints()) {
      if (!sym::depends_on(constraint.phi, c.q)) continue;
      base::fail(
          "the coordinate '{}' cannot be linearised: it stands in the constraint '{}', which the "
          "linearised motion would break",
          name, constraint.name);
    }
    symbols.push_back(c.q);
    symbols.push_back(c.dq);
  }
  return symbols;
}

}  // namespace

void reduce_inertias(mech::Model& model, const Options& options) {
  if (options.base_parameters) use_base_parameters(model);
  if (!options.drop.empty()) drop_parameters(model, options.drop);
}

void reduce_functions(mech::Model& model, const Options& options,
                      std::span<const std::string> linear, sym::Interface& interface) {
  if (!options.small.empty()) {
    const std::vector<Expr> small = small_symbols(model, options.small);
    // what is called at every step together; rare functions by themselves
    for (const bool rare : {false, true}) {
      Functions functions, exact;
      for (sym::Function& f : interface.functions) {
        if (f.rare != rare) continue;
        const bool named = std::find(linear.begin(), linear.end(), f.name) != linear.end();
        (named ? functions : exact).push_back(&f);
      }
      const std::vector<Expr> kept = rare ? std::vector<Expr>{} : values_of(exact);
      change(functions,
             [&](const std::vector<Expr>& list) { return sym::first_order(list, small, kept); });
    }
  }
  if (options.trigonometric) {
    // what is called at every step together; of the rest, the equations themselves
    Functions often, rare;
    for (sym::Function& f : interface.functions) {
      if (!f.rare) often.push_back(&f);
      if (f.rare && (f.name == "M_qq" || f.name.starts_with("delta"))) rare.push_back(&f);
    }
    for (const Functions& functions : {often, rare})
      change(functions,
             [](const std::vector<Expr>& list) { return sym::simplify_trigonometric(list); });
  }
}

}  // namespace klingel::reduce
