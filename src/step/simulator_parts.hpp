// What a simulator owns. All memory is taken in the constructor.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <memory>
#include <vector>

#include "step/loaded_share.hpp"
#include "step/partitioning.hpp"
#include "step/points.hpp"
#include "step/simulator.hpp"
#include "step/surroundings.hpp"

namespace klingel::step {

// The vehicle's kernels at one instant. A step needs two: its matrix is made and factored at t,
// while places and motions are evaluated at t+h; then they change roles, and what was evaluated at
// the end of one step is there at the beginning of the next.
struct Instant {
  explicit Instant(runtime::KernelSet given) : kernels(std::move(given)) {}

  runtime::KernelSet kernels;
  std::span<const double> poses, twists, biases;

  std::span<const double> pose(std::size_t wheelset) const {
    return poses.subspan(12 * wheelset, 12);
  }
  std::span<const double> twist(std::size_t wheelset) const {
    return twists.subspan(7 * wheelset, 7);
  }
  std::span<const double> bias(std::size_t wheelset) const {
    return biases.subspan(6 * wheelset, 6);
  }
};

// How the points of a set are pressed: rigid ones with given forces, elastic ones by their law.
struct Pressing {
  unsigned rigid = 0, elastic = 0;  // lanes
  base::Pack N{};                   // of rigid ones
  const contact::ElasticContact* law = nullptr;
};

inline std::array<double, 4> as_array(const contact::ContactCoordinates& s) {
  return {s.theta_w, s.u_w, s.s_r, s.u_r};
}

// The minimum with the smallest gap that is a regular contact, or null.
inline const contact::Minimum* lowest(const contact::MinimumList& list) {
  const contact::Minimum* best = nullptr;
  for (const contact::Minimum& m : list) {
    if (m.status != contact::ContactStatus::converged) continue;
    if (best == nullptr || m.point.gap < best->point.gap) best = &m;
  }
  return best;
}

// A scheme beside those of the step, for comparison; the room `reference` has them.
struct OtherScheme {
  virtual ~OtherScheme() = default;
  // Advances the state and its results. Leaves contacts and kernels wherever they ended.
  virtual runtime::Status step(double h, const StepOptions& options) = 0;
};

// Where a step stands. The vehicle's kernels are asked at the beginning of a phase for what was set
// at the end of the one before, so that vehicles on lanes can go through the phases side by side.
enum class Phase : std::uint8_t {
  forces,      // contact forces and their wrenches
  impulse,     // right side of the implicit system
  solution,    // dq(t+h) and N
  release,     // of wheels that would have to pull; again from `impulse` if there are any
  place,       // q(t+h) onto phi_n = 0, treads on phi_d = 0
  correct_q,   // and back to `place`
  motion,      // dq(t+h) onto dphi_n_dq dq = 0
  correct_dq,  // and back to `motion`
  done
};

struct Simulator::Parts {
  Parts(std::shared_ptr<const Surroundings> given, runtime::KernelSet first,
        runtime::KernelSet second);
  ~Parts();

  std::shared_ptr<const Surroundings> around;
  const VehicleData& data;

  // names and sizes
  std::size_t n, w;  // coordinates, wheels
  std::vector<std::string> coordinate_names, input_names, parameter_names, wheel_names;
  struct {
    std::uint32_t p, q, dq, u, h, tangents, B, b, W_n, active, rhs, dq_end;
    std::uint32_t pose, motion, impulse, solve, step_matrix, delta_NK, energy, twist_end, power;
    std::uint32_t twist_dq;
    bool has_p, has_u;
  } id;

  std::vector<double> friction;  // by wheel

  // at t and at t+h
  std::array<Instant, 2> instants;
  int now = 0;
  Instant& at_t() { return instants[now]; }
  Instant& at_end() { return instants[1 - now]; }
  Points tread, flange;

  // loaded treads: wheels by set, and how their sheets press
  struct Pressed {
    base::Pack k{};                // N/m^(3/2)
    double softness = 0;           // of the rail within a step, m/N
    double damping = 0;            // over K, s
    base::Pack back{};             // how far it stands back at t+h without N, m
    base::Pack N{}, K{}, delta{};  // the line that stands for N: N + K (delta(t+h) - delta)
  };
  struct Sheets {
    LoadedSet set;
    Pressed tread, flange;
    PackVector turned_normal{}, turned_creep{};  // what turning rails add to forces
  };
  std::vector<Sheets> loaded;              // empty: rigid treads
  std::vector<unsigned> slipping;          // by set: lanes whose creep force exceeds friction
  double normal_work = 0, creep_work = 0;  // of the last step, J

  // the state, and the one the step is building
  VehicleState state, next;
  bool fresh = false;  // at_t() and the contacts stand at `state`

  // the system
  std::vector<double> Bb;  // of each wheelset B by rows, b, and two that are nothing
  std::vector<double> W_n, active, rhs, dq_new;
  std::span<const double> twists_end;  // (v_C, w_total) per wheelset with dq_new
  std::vector<unsigned> on_branch,
      unsettled;                     // by set of treads: lanes still there, lanes not on phi_d = 0
  std::vector<std::uint8_t> looked;  // the flange is looked at in this step
  Eigen::MatrixXd dense;             // for the pivoting elimination
  Eigen::FullPivLU<Eigen::MatrixXd> pivoting;
  Eigen::VectorXd dense_rhs, dense_x;
  std::span<const double> x;  // solution of the system

  // the step being done
  Phase phase = Phase::done;
  LinearMethod method = LinearMethod::static_lu;
  std::size_t attempt = 0;       // solutions with wheels released
  int round = 0, iteration = 0;  // of the projections of q and dq
  bool moved = false;            // q was corrected in the last round
  std::size_t worst = 0;         // the wheel with the largest residual
  double largest_rate = 0;       // m/s, that residual of dq

  // coordinate partitioning
  struct Partition {
    Partition(std::size_t n, std::size_t w);
    Partitioning factors;
    bool known = false;          // factors are those of the last velocity projection
    std::vector<double> active;  // wheels they hold
    Eigen::MatrixXd Phi, A;
    Eigen::VectorXd f, g, dq, lambda, x;  // x: both
  };
  Partition partition;

  std::unique_ptr<OtherScheme> other_scheme;  // or null

  // results
  std::vector<PointResult> tread_result, flange_result;
  bool results_known = false;  // they are those of the last step
  std::vector<Event> events;
  int newton_q = 0, newton_s = 0;
  double largest_phi = 0;
  Balance balance;
  Doubts doubts;
  double power = 0, input_power = 0;  // of inputs and dampers at t, and of inputs
  runtime::Failure failure;

  // simulator_step.cpp
  runtime::Status go_on(double h, const StepOptions& options);
  runtime::Status begin_step(double h, const StepOptions& options);
  void ask_solution();
  void end_step(double h, const StepOptions& options);

  // simulator.cpp
  void prepare();
  void place(Instant& instant, const std::vector<double>& q);
  void move(Instant& instant, const std::vector<double>& dq);
  void take_motion(Instant& instant);
  runtime::Status fail(runtime::Status status, const char* equation, std::size_t wheel,
                       double residual, double tolerance, int iterations);
  void open_balance();
  void add_work(double h);
  void note(Event::Kind kind, std::size_t wheel, double value);

  // simulator_forces.cpp
  void press(Points& points, std::size_t set, const Pressing& by, double h);
  void creep(Points& points, std::size_t set);
  void contact_forces(double h);
  void add(const Points& points, std::size_t set, double h, Scheme scheme);
  void assemble(double h, const StepOptions& options);
  void set_system(double h, const std::array<double, 3>& tangents);
  void set_right_side(double h);
  bool solve_system();
  bool solve_rhs();
  void record_forces(double h, const StepOptions& options);
  bool check_contacts();
  void tell_results();

  // loaded_forces.cpp
  void make_loaded();
  void yield_rails(double h);
  void take_feet(const VehicleState& from);
  void stand_loaded(const Instant& at);
  void press_loaded();
  void creep_loaded(Points& points, std::size_t set, const LoadedSet::Sheet& sheet, unsigned who,
                    const base::Pack* nu);
  void loaded_wrenches(double h);
  void add_share(std::size_t set, base::Pack* share);
  void assemble_loaded(double h, const StepOptions& options);
  bool settle_loaded(double h, const StepOptions& options);
  void record_loaded(double h, const StepOptions& options);
  void advance_loaded(double h);
  runtime::Status end_loaded(double h, const StepOptions& options);
  void keep_loaded(VehicleState& to) const;
  double stored_in_contacts() const;
  void doubt(Doubt& kind, unsigned lanes, std::size_t set);

  // simulator_partition.cpp
  bool decompose(Instant& instant);
  bool solve_partitioned();
  bool correct_dependent(std::span<double> target);

  // simulator_projection.cpp
  void begin_projection(double h);
  runtime::Status project_position(double h, const StepOptions& options);
  runtime::Status project_velocity(double h, const StepOptions& options);
  bool locate_tread(const Instant& instant, std::size_t wheel, double tolerance, int most_on_branch,
                    int most, bool& jumped);
  runtime::Status follow_tread(std::size_t wheel, const StepOptions& options, bool& jumped);
  runtime::Status follow_flanges(double h, const StepOptions& options);
  void find_rates(double h);
  void stand(const Contact& contact, const PointState& point, const Instant& at,
             std::size_t wheelset);
  void look_at_flange(std::size_t wheel, double h);
  void follow_flange(std::size_t wheel, const StepOptions& options);
  void renew_normals();
  runtime::Status check_lost(std::size_t wheel);
  bool correct(std::span<double> target);
  contact::WheelPose pose_of(const Instant& instant, std::size_t wheel) const;
};

}  // namespace klingel::step
