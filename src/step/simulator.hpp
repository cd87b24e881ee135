// A vehicle on a track, step by step. With rigid treads it is the article's implicit-explicit
// scheme with its projections, unilateral wheels and elastic flanges, as described here; with
// loaded treads, the default of scenarios, wheels have no constraints (loaded_forces.cpp).
//
//   step::Simulator simulator(data);                 // allocates; errors in the data are thrown
//   simulator.set_state(state);
//   while (simulator.state().t < 18) {
//     if (simulator.step(1e-3) != runtime::Status::ok) ... simulator.failure();
//   }
//
// One step with rigid treads, all functions at t unless said otherwise  [fig:integration]:
//   1  contact patches with the normal forces of the last step, creep forces in secant form
//   2  M_qq + h C_qq and the normal constraints, solved for dq(t+h) and lambda_n
//      [eq:MphiTPhiZero6]
//   3  q(t+h) by the mid-point rule
//   4  s(t+h) predicted by s + h ds + h^2/2 dds; phi_d = 0   [eq:NRs]
//   5  and phi_n = 0 together with it, by correcting q with the factors at hand   [eq:NRq]
//   6  dphi_n_dq dq = 0 and ds at t+h                        [eq:dqproj] [eq:dsproj]
// A wheel whose normal force would be negative is released and step 2 repeated; it is caught again
// when its gap closes. A tread point whose branch ends jumps to the lowest minimum of the gap
// (decision 006).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/status.hpp"
#include "step/contact_set.hpp"
#include "step/vehicle_data.hpp"
#include "step/vehicle_state.hpp"

namespace klingel::step {

enum class Scheme {
  imex,            // creep velocities at t+h in the contact frame of t+h, to first order
  imex_printed,    // as the article prints it: in the contact frame of t
  explicit_euler,  // creep forces at t; stable only with steps near 1e-4 s
  trapezoidal,     // all forces at t and t+h, of second order; takes some iterations per step
  reference        // Dormand-Prince with error control inside the step; for tests
};

// How the linear systems of a step are solved.
enum class LinearMethod {
  static_lu,    // generated elimination; corrections of q and dq in the metric of its matrix
  partitioning  // the article's: LU with full pivoting chooses coordinates that depend on the
                // others, and corrections change only those (partitioning.hpp)
};

struct StepOptions {
  Scheme scheme = Scheme::imex;
  LinearMethod method = LinearMethod::static_lu;
  double phi_tolerance = 1e-8;  // m, of phi_n
  // m and rad, of phi_d; where it vanishes the gap is smallest, so phi_n feels it only squared
  double phi_d_tolerance = 1e-7;
  double phi_limit = 1e-6;  // m: a larger phi_n after all iterations is a failure
  int most_iterations = 10;
  // Of loaded treads: creep forces, stiff elements and the turn of the treads' normals are those of
  // t + theta h; normal forces those of t+h. 0.5 is of second order and damps nothing.
  double theta = 0.55;
  bool balance = false;  // keep the energy balance
};

// Forces and slip of one pair of points, as applied in the last step.
struct PointResult {
  double N = 0;                // N
  std::array<double, 3> f{};   // f_x, f_y, m_z on the wheel
  std::array<double, 3> nu{};  // slip velocities at t
  double V = 0;                // m/s
  double a = 0, b = 0;         // semi-axes of the patch, m
  double saturation = 1;       // of the linear creep force
  double gap = 0;              // phi_n at t, m
  double angle = 0;            // contact angle, rad
  Wrench W_n{}, W_x{}, W_y{};  // at t
};

struct Event {
  enum class Kind : std::uint8_t {
    release,     // the tread's normal force would be negative: it lets go
    touch,       // the gap closed: the tread holds again
    flange_on,   // the second point begins to press
    flange_off,  // and ends
    jump,        // the rigid tread point is now at another place of the tread
    fallback,    // a pivot vanished: full pivoting
    derailed     // the wheel has left its rail for good
  };
  Kind kind;
  std::uint32_t wheel;
  std::int64_t step;
  double t;  // s
  // release: N that would have been; touch, flange, derailed: gap, m; jump: u_w, m; fallback: the
  // pivot
  double value;
};
std::string_view name(Event::Kind kind);

class Simulator {
 public:
  explicit Simulator(VehicleData data);
  Simulator(Simulator&&) noexcept;
  ~Simulator();

  const VehicleData& data() const;
  std::size_t coordinates() const;
  const std::vector<std::string>& coordinate_names() const;

  // The state may come from anywhere: contact coordinates are taken as starts and projected.
  // search() finds them from q alone.
  void set_state(const VehicleState& state);
  const VehicleState& state() const;

  void set_input(std::size_t index, double value);
  const std::vector<std::string>& input_names() const;
  double input(std::size_t index) const;
  void set_friction(std::size_t wheel, double mu);
  double friction(std::size_t wheel) const;
  void set_parameter(std::size_t index, double value);
  const std::vector<std::string>& parameter_names() const;

  runtime::Status step(double h, const StepOptions& options = {});

  // Places of the wheelsets at state(): r_C (3), axes of the non-spinning base by columns (9); and
  // their motion v_C, w, rate of spin. Valid until the next call.
  std::span<const double> pose(std::size_t wheelset);
  std::span<const double> twist(std::size_t wheelset);

  // An output of the vehicle's kernels at state(), by function; for channels and reports.
  std::span<const double> evaluate(std::string_view function);

  // Energy at state() and the work done since set_state, if StepOptions::balance is on.
  struct Balance {
    double kinetic = 0, potential = 0;  // J; potential: of weight and springs
    double contacts = 0;                // stored in elastic contacts
    double inputs = 0, dampers = 0;     // work of inputs; of dampers, never positive
    double creep = 0;                   // work of creep forces: never positive
    double normal = 0;                  // work of normal forces: what contacts store less, at most
    double exchanged = 0;               // sum of all work without regard to sign
    double start = 0;                   // kinetic and potential energy at set_state
    double start_contacts = 0;          // stored in contacts then
    double error() const { return kinetic + potential - start - inputs - dampers - creep - normal; }
    // What normal forces put in beyond what contacts gave back: zero or a little less on fixed
    // rails.
    double normal_gain() const { return normal + contacts - start_contacts; }
  };
  const Balance& balance() const;

  // Steps since set_state in which loaded treads left what is validated.
  struct Doubt {
    std::int64_t steps = 0;
    double first = 0;  // s
    std::uint32_t wheel = 0;
  };
  struct Doubts {
    Doubt chart;  // pressed beyond the ends of its chart: place, lean or turn
    Doubt flank;  // pressed on the steep flank of the flange, where the patch is long and bent
    Doubt creep;  // creep force above friction after all attempts of the step
  };
  const Doubts& doubts() const;

  // Of the step that was just done; by wheel. Made when asked for: not for several threads at once.
  const std::vector<PointResult>& tread() const;
  const std::vector<PointResult>& flange() const;
  int newton_q() const;  // corrections of q
  int newton_s() const;  // most corrections of s of one wheel
  double largest_phi() const;
  // Events of the last step, oldest first.
  std::span<const Event> events() const;

  // Of the last call that did not return ok.
  const runtime::Failure& failure() const;
  std::string failure_text() const;

  struct Parts;  // simulator_parts.hpp
  explicit Simulator(std::unique_ptr<Parts> parts);
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace klingel::step
