// Treads under load: both sheets of a wheel, tread and flange, are elastic, N = k delta^(3/2) with
// delta = -phi, and act along the gradient of phi. There are no constraints, no projections and no
// wheels to release or catch. Sheets are stiff, so the step takes them at t+h. With x the place of
// a wheel against its rail (loaded_set.hpp) and q(t+h) by the mid-point rule,
//
//   phi(t+h) = phi + h G (dx + dx(t+h))/2 - h^2/2 gamma_n
//   normal wrench = N(t+h) rows^T (G + theta H (x(t+h) - x))                       [eq:loadedstep]
//
// N is a line in delta(t+h), first its tangent at t. Where the line is too far from N itself, as
// when a wheel lifts or a flange hits, a new one is taken at the delta that was found, and the step
// is solved again. Creep forces are those of t + theta h in secant form,
//
//   f = -C (W ((1 - theta) u + theta u(t+h)) + theta h dnu)
//
// and their C, too, is renewed where the force would exceed mu N. Within a step the rails' frames
// turn with the track, and all forces with them: they act as in the middle of the step. Without
// that the normal forces of a curve would do work. (Moments act on wheelsets that turn alike.)
// On track that gives way all motions are relative to the rails (yielding_track.hpp).
#pragma once

#include <vector>

#include "step/loaded_set.hpp"
#include "step/points.hpp"
#include "step/step_work.hpp"
#include "step/wheelset_groups.hpp"
#include "step/yielding_track.hpp"

namespace klingel::step {

struct LoadedShare;

// The normal force of a sheet, four wheels at a time.
struct SheetSpring {
  base::Pack k{};                // N/m^(3/2)
  double softness = 0;           // of the rail within a step, m/N
  double damping = 0;            // over K, s
  base::Pack back{};             // deflection of the rail at t+h without N, m
  base::Pack N{}, K{}, delta{};  // the linearized N: N + K (delta(t+h) - delta)
};

// A flange's patch moves quickly between root and flank: its normal is taken at t+h.
inline constexpr double theta_flange = 1;

struct LoadedTreads {
  explicit LoadedTreads(const Description& vehicle);

  struct Set {
    LoadedSet at;
    base::Pack load{};     // static, of charts, N
    base::Pack climbed{};  // a wheel lifted further has climbed, m
    SheetSpring tread, flange;
    PackVector pressing{}, creep{};  // forces at the motion of t, which turn with the rails
  };

  Points tread, flange;  // positions of wheels in sets, and forces
  WheelsetGroups groups;
  std::vector<Set> sets;
  std::vector<unsigned> slipping;  // by set: lanes whose creep force exceeds friction
  ContactWork work;                // of the last step
  YieldingTrack track;             // if it gives way
};

// Where the feet of the wheels on their rails are looked for first.
void take_feet(LoadedTreads& treads, const Description& vehicle, const VehicleState& from);
// Everything at the place and motion of an instant; the feet begin where they were.
void evaluate(LoadedTreads& treads, const Instant& at);
// Everything at a state, as if a step had just ended there.
void take_state(LoadedTreads& treads, const Description& vehicle, const PackedState& state,
                const Instant& at);
// The first wheel that is not above a rail, or the number of wheels.
std::size_t first_off_line(const LoadedTreads& treads, const Description& vehicle);
// Where the patches are, for the state and its readers.
void keep(const LoadedTreads& treads, PackedState& to);
void keep(const LoadedTreads& treads, VehicleState& to);

// The rails behind flanges, k x + c dx/dt = N, within a step that begins with the deflections of
// the state: x(t+h) = back + softness N(t+h). For h = 0 they follow at once, as if without damping.
void let_rails_yield(LoadedTreads& treads, const Description& vehicle, const PackedState& state,
                     double h);
// Forces at t, with creep forces at the slip of t; of all sets, or of one.
void find_sheet_forces(LoadedTreads& treads, const Description& vehicle,
                       const std::vector<double>& friction);
void find_sheet_forces(LoadedTreads& treads, const Description& vehicle,
                       const std::vector<double>& friction, std::size_t g);
// Forces of a set in the step, after that: the wrench b - B u, u the motion against rails that are
// shifted. B is not complete().
void add_forces(LoadedTreads& treads, std::size_t g, double h, double theta, LoadedShare& to);
// For methods that are not the step, after find_sheet_forces(): b of the system has the wrenches of
// the forces of now, B their tangent by the motion: secants of creep and h times the stiffness.
void add_forces_of_now(LoadedTreads& treads, System& system, double h);

// The step, in the order of step.cpp.
void find_forces(LoadedTreads& treads, StepWork& s);
void assemble(LoadedTreads& treads, StepWork& s);
void set_constraint_rates(LoadedTreads& treads, StepWork& s);
bool accept(LoadedTreads& treads, StepWork& s);
void record(LoadedTreads& treads, StepWork& s);
void predict(LoadedTreads& treads, StepWork& s);
Fit place(LoadedTreads& treads, StepWork& s);
Fit move(LoadedTreads& treads, StepWork& s);

// There are no constraints.
inline Wrench normal_now(LoadedTreads&, std::size_t) { return {}; }

inline ContactWork contact_work(const LoadedTreads& treads, const StepWork&) { return treads.work; }
// In the sheets, and in rails that give way, J.
double stored_energy(const LoadedTreads& treads, const Description& vehicle,
                     const PackedState& state);

}  // namespace klingel::step
