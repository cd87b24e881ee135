// Dormand and Prince's Runge-Kutta pair of order 5(4) with Boost.Odeint's control of the step. Kept
// behind a pointer: Odeint's headers are slow to compile and only dopri5.cpp needs them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace klingel::runtime {

class Dopri5 {
 public:
  using Vector = std::vector<double>;
  // dx/dt at x and t. It cannot refuse: the caller remembers what went wrong.
  using System = std::function<void(const Vector& x, Vector& dx, double t)>;

  // Absolute and relative error per step.
  Dopri5(std::size_t size, double tolerance);
  ~Dopri5();

  // One attempt from x, where dx/dt is dx. True: x, dx and t are at the end of the step, and h is
  // the proposal for the next one. False: the error was too large, only h has changed.
  bool attempt(const System& system, Vector& x, Vector& dx, double& t, double& h);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace klingel::runtime
