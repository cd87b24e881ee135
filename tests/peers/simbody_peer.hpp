// M(q) and c(q, dq) of a tree by Simbody 3.7. No Simbody type appears here.

#pragma once

#include <memory>

#include "tree.hpp"

namespace klingel::peers {

class SimbodyPeer {
 public:
  // Throws std::invalid_argument if the tree is malformed, std::runtime_error with Simbody's own
  // words if it refuses the tree (for instance an inertia that breaks A + B >= C).
  explicit SimbodyPeer(const Tree& tree);
  ~SimbodyPeer();
  SimbodyPeer(SimbodyPeer&&) noexcept;
  SimbodyPeer& operator=(SimbodyPeer&&) noexcept;

  // Leaves M and c inside, for a benchmark.
  void compute(const double* q, const double* dq);

  // compute, then writes M (n*n, column by column) and c (n) in the coordinate order of the tree.
  void evaluate(const double* q, const double* dq, double* M, double* c);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace klingel::peers
