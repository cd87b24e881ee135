// A sum as a list of terms, each a coefficient and factors: the form in which trigonometric
// identities are seen. Sums inside products are multiplied out as far as sines and cosines are
// concerned, up to a small number of terms.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sym/graph.hpp"

namespace klingel::sym {

class Expansions;

class Terms {
 public:
  using Factors = std::vector<Id>;  // ascending
  using List = std::map<Factors, Number>;
  using Pair = std::pair<Id, Id>;  // of angles, ascending

  // The atom multiplied out. None if it has no sines or too many terms.
  static std::optional<Terms> of(Expansions& expansions, Id id);

  // sin^2 + cos^2 = 1 with any common factor, and 1 - sin^2 = cos^2. True if something changed.
  bool use_pythagoras(Graph& g);
  // sin a cos b + cos a sin b = sin(a + b) and the like, for these pairs of angles.
  bool use_sums(Graph& g, const std::set<Pair>& pairs);
  // A pair that use_sums would find.
  std::optional<Pair> any_sum() const;

  // The atom of the sum, common factors taken out: the most frequent first. None if `without` would
  // be used in it.
  std::optional<Id> build(Graph& g, Id without) const;

 private:
  struct Angle {  // of a pair of terms: K f(a) g(b) and K g(a) f(b) or K f(b) f(a) ...
    Pair angles;
    bool sine, minus;  // the result: sin or cos of a + b or a - b
    Number coefficient;
    Factors rest, first, second;
  };

  Terms(const Graph& g, List list) : g_(&g), list_(std::move(list)) {}
  bool use_one_square(Graph& g);
  std::optional<Angle> find_sum(const std::set<Pair>* pairs) const;

  const Graph* g_;
  List list_;
};

// Every atom multiplied out, each once, from what its operands are.
class Expansions {
 public:
  using Operand = std::function<Id(Id)>;  // what stands for an operand
  static constexpr std::size_t most_terms = 24, most_factors = 8;

  Expansions(const Graph& g, Operand operand) : g_(g), operand_(std::move(operand)) {}

  const Graph& graph() const { return g_; }
  // One term, the atom itself, if it is no sum or product, or if it would have too many.
  const Terms::List& operator()(Id id);

 private:
  Terms::List expanded(Id id);
  bool trigonometric(const Terms::List& list) const;

  const Graph& g_;
  Operand operand_;
  std::unordered_map<Id, Terms::List> made_;
};

}  // namespace klingel::sym
