// What a filter estimates the state of: a step from x to x(t+h), with measurements y and further
// outputs o that belong to it,
//
//   (x, y, o)(t+h) = f(x + w),   w the noise of the step                              [eq:kmodel]
//
// Noise comes at the beginning of a step: accelerations and forces then depend on it as the state
// at the end does, and one array has all correlations. VehicleModel is a vehicle on its track.
#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "kalman/triangle.hpp"

namespace klingel::kalman {

class Model {
 public:
  virtual ~Model() = default;

  std::size_t n = 0, m = 0, p = 0;  // of x, y and o
  std::size_t results() const { return n + m + p; }

  // Before a step, and before noise is added: changes of variables that a model makes from time to
  // time, in x and in the rows of [S N] (n x (n + k)); N may change with them.
  virtual void prepare(double* x, Array& S) { static_cast<void>(x), static_cast<void>(S); }
  // One step from x: x, y, o one after another. J: (n + m + p) x n, derivatives by x; what it holds
  // may be kept where a model renews them in turn. False if the step fails: nothing has changed.
  // Neither allocates nor throws; the same for all that follows.
  virtual bool go(const double* x, double* result, Array& J) = 0;
  // Steps from many points, all from the place of the last go(). Points whose step fails are 0
  // in `good`.
  virtual void spread(std::size_t count, const double* points, double* results, char* good) = 0;
  // The estimate after the measurements; the next step begins there. May move x into its limits.
  virtual void settle(double* x) = 0;

  // Memory of earlier steps, for samples that come late: slots are made once, remember() is called
  // before a step, recall() goes back to it.
  virtual void make_slots(std::size_t count) = 0;
  virtual void remember(std::size_t slot) = 0;
  virtual void recall(std::size_t slot) = 0;

  // All that a step leaves behind here, for a filter that goes on elsewhere; always as many bytes.
  // read() is for a model that has done no step. Both allocate.
  virtual void write(base::ByteWriter& bytes) { static_cast<void>(bytes); }
  virtual void read(base::ByteReader& bytes) { static_cast<void>(bytes); }
};

}  // namespace klingel::kalman
