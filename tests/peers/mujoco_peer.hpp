// M(q) and c(q, dq) of a tree by MuJoCo 2.2.2. No MuJoCo type appears here.

#pragma once

#include <memory>

#include "tree.hpp"

namespace klingel::peers {

class MujocoPeer {
 public:
  // Throws std::invalid_argument if the tree is malformed, std::runtime_error with MuJoCo's own
  // words if it refuses the tree (for instance an inertia that breaks A + B >= C).
  explicit MujocoPeer(const Tree& tree);
  ~MujocoPeer();
  MujocoPeer(MujocoPeer&&) noexcept;
  MujocoPeer& operator=(MujocoPeer&&) noexcept;

  // Leaves M and c inside MuJoCo, M in its sparse form. This is what a benchmark times: the fewest
  // calls that give both. Allocates nothing.
  void compute(const double* q, const double* dq);

  // compute, then writes M (n*n, column by column) and c (n) in the coordinate order of the tree.
  void evaluate(const double* q, const double* dq, double* M, double* c);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace klingel::peers
