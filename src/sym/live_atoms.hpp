// How often every atom below some roots is used, and what it costs: the measure of a rewriting.
//
// Taking the place of an atom frees every atom that only it used. So the gain of a replacement is
// exact although atoms are shared: what is freed less what is new. Atoms of parameters only are
// evaluated once, at setup, and cost nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sym/graph.hpp"

namespace klingel::sym {

// Operations, and the same weighed by time: a sine takes as long as about ten sums or products, a
// division or a root as four.
struct Cost {
  std::int64_t operations = 0, time = 0;
  Cost& operator+=(const Cost& x);
  Cost& operator-=(const Cost& x);
};
Cost cost_of(const Graph& g, Id id);  // of one atom

class LiveAtoms {
 public:
  LiveAtoms(const Graph& graph, std::span<const Id> roots);

  // Where atom `id` is used, `by` is used from now on: true, if that costs less time and not more
  // operations; else nothing changes. `by` must not be made with `id`.
  bool replace(Id id, Id by);
  bool alive(Id id) const { return id < uses_.size() && uses_[id] > 0; }
  // What stands for an atom now.
  Id now(Id id) const;

  const Cost& total() const { return total_; }

 private:
  void use(Id id, std::int64_t times);
  void release(Id id, std::int64_t times);

  const Graph& graph_;
  std::vector<std::int64_t> uses_;
  std::vector<Id> by_;  // no_id: itself
  Cost total_;
};

}  // namespace klingel::sym
