// The numbers a step depends on, by name: what it remembers, x, and what it is given.
//
//   x      q.NAME, dq.NAME       coordinates and rates
//          z.NAME                internal states of elements
//          deflection.WHEEL      of the rail behind a loaded flange, if rails give way
//          and of rigid treads for each wheel, and again with an f for its flange: s0.WHEEL to
//          s3.WHEEL (contact coordinates), ds0.WHEEL ..., dds0.WHEEL ... (for the prediction),
//          N.WHEEL (of the last step), gap.WHEEL, gamma_n.WHEEL, slip_rate0.WHEEL and
//          slip_rate1.WHEEL (of the last step)
//   given  u.NAME                inputs
//          p.NAME                parameters of the vehicle file
//          friction.WHEEL, and friction.all for all wheels alike
//          lateral.WHEELSET, vertical.WHEELSET, cross_level.WHEELSET: irregularity of the rails
//          under a wheelset, as in track files, and its rate, dlateral.WHEELSET ...; of loaded
//          treads
//
// Of a loaded tread the step remembers nothing else: N is that of t+h, and the foot of a wheel on
// its rail is found to 1e-8 m from wherever the search begins.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "simulation/instance.hpp"

namespace klingel::simulation {

struct Variable {
  enum class Kind {
    q,
    dq,
    z,
    tread,   // index: wheel, part: which number of its PointState
    flange,  // the same
    input,
    parameter,
    friction,  // index: wheel; as many as wheels: all
    shift      // index: wheelset, part: ShiftPart
  };
  std::string name;
  Kind kind = Kind::q;
  std::size_t index = 0, part = 0;
  double delta = 0;  // by which it is varied; of parameters per unit of their size

  bool is_remembered() const { return kind <= Kind::flange; }
};

enum ShiftPart : std::size_t { lateral, vertical, cross_level, dlateral, dvertical, dcross_level };
inline constexpr std::size_t shift_parts = 6;

// x of a vehicle, and what its step is given.
std::vector<Variable> remembered_variables(const step::Simulator& simulator);
std::vector<Variable> given_variables(const step::Simulator& simulator);

// Those whose names fit any of the patterns ("dq.*"), in their order. A pattern that fits none is
// an Error with near names.
std::vector<Variable> select(const std::vector<Variable>& variables,
                             std::span<const std::string> patterns);

// Of a variable of x.
double value_in(const step::VehicleState& state, const Variable& variable);
void put_in(step::VehicleState& state, const Variable& variable, double value);

}  // namespace klingel::simulation
