// Derivatives of a step of loaded treads that was done, from generated functions
// (model/derivative_interface.hpp). The step solves S D = r for the change D of dq; with D held
// in R = d(r - S D)/dx,
//
//   S dD/dx = R,   dq(t+h) = dq + D,   q(t+h) = q + h dq + h/2 D [eq:stepderivative]
//
// R is symbolic but for the wrenches of contacts, which come from dual numbers
// (step/loaded_tangent.hpp). Columns are solved with the step's generated elimination, as many at
// once as the kernels have lanes. Internal states, channels of elements and sensors, Y and Q follow
// by the chain rule.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/kernel_set.hpp"
#include "simulation/instance.hpp"
#include "simulation/variable.hpp"
#include "start/track_place.hpp"
#include "step/loaded_tangent.hpp"

namespace klingel::simulation {

class StepDerivative {
 public:
  // Whether it knows all of these: of x everything that loaded treads on rigid rails remember, and
  // everything that is given; of channels q, dq, u, speed, Y, Q, sumY and those of elements,
  // outputs and sensors. The description needs kernels of derivatives, and no inputs that follow
  // the state.
  static bool describes(const Description& description, const Instance& like,
                        const std::vector<Variable>& from, const std::vector<Variable>& to,
                        const std::vector<std::size_t>& channels);

  // on_lanes: any number of lanes, one included. from, to and channels as StepMap takes them.
  // Allocates.
  StepDerivative(std::shared_ptr<const Description> on_lanes, const Instance& like,
                 const std::vector<Variable>& from, const std::vector<Variable>& to,
                 const std::vector<std::size_t>& channels);

  // Where rails were moved to at the beginning of the step; not at first.
  void shift_rail(std::size_t wheel, const step::RailShift& by) { contacts_.shift_rail(wheel, by); }

  // Of the step that the simulator has just done from the state `before`, as a matrix by columns
  // (to and channels x from). False if it is not described: contacts were solved again, or are
  // outside of their charts. Neither allocates nor throws.
  bool find(step::Simulator& stepped, const step::VehicleState& before, double* J);
  // Places of wheelsets on the track, which are followed from step to step.
  std::vector<start::TrackPlace>& places() { return places_; }

 private:
  // An output of the kernels, evaluated: a sparse matrix by columns.
  struct Sparse {
    const klingel_output* of = nullptr;
    const double* values = nullptr;
    // y has its elements `apart` numbers from each other
    void add_column(std::size_t j, double* y, std::size_t apart = 1) const;
    // y += A x, of the rows that were kept
    void add_product(const double* x, double* y) const;
    void keep_rows(const std::vector<bool>& wanted);

    struct Product {
      std::uint32_t element, row, column;
    };
    std::vector<Product> products;
  };
  // Outputs of a function by q, dq, z, u and more, and of the one by parameters.
  struct Function {
    std::optional<std::uint32_t> id, id_p;
    std::vector<Sparse> outputs;
    Sparse by_p;

    void evaluate(runtime::KernelSet& kernels, bool parameters);
    // The direct effect of a variable, added; rails and friction have none.
    void add_column(const Variable& v, double* y, std::size_t apart = 1) const;
    explicit operator bool() const { return id.has_value(); }
  };
  // Where a row of J comes from.
  struct Row {
    enum class Kind : std::uint8_t { q, dq, z, u, speed, measured, felt, Y, Q, sum_Y } kind;
    std::size_t index;
  };
  // Rows of J one after another that come from numbers one after another.
  struct Run {
    Row::Kind kind;
    std::size_t index, first, count;
    const double* from;
  };
  // The frame of the track under a wheelset, and how it turns along the track.
  struct Frame {
    spline::Vec3 x, y, z, dy, dz;
  };
  static std::optional<Row> row_of(const step::Simulator& simulator, const std::string& channel);
  static std::vector<Row> rows_of(const Instance& like, const std::vector<Variable>& to,
                                  const std::vector<std::size_t>& channels);
  static step::LoadedTangent::Wanted wanted(const std::vector<Variable>& from,
                                            const std::vector<Row>& rows);

  Function function(const std::string& name) const;
  // Inputs of the step's kernels that others need, too: by index here and there.
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  Pairs pairs(const runtime::KernelSet& with, std::initializer_list<const char*> names) const;
  void solve(double h, double* J);
  void find_wheelset_columns();
  void keep_products();
  void find_runs();
  // To a column of R whose elements are `apart` numbers from each other.
  void add_contacts(const Variable& v, double h, double* R, std::size_t apart) const;
  void add_wrench(std::size_t wheelset, const double* w, double h, double* R,
                  std::size_t apart) const;
  void keep_solutions(const double* x);
  // D: of a variable; J: a column
  void put_column(const Variable& v, const double* D, double h, double* J) const;
  void find_frames(std::span<const double> poses);
  void find_end(const Variable& v, const double* D, double h);
  void find_forces(const Variable& v, const double* D);
  const double* source(const Row& row) const;

  std::shared_ptr<const Description> description_;
  std::shared_ptr<const step::Description> vehicle_;
  std::vector<Variable> from_;
  std::vector<Row> rows_;
  std::size_t n_, wheelsets_;
  const step::LoadedTangent::Wanted wanted_;
  step::LoadedTangent contacts_;
  runtime::KernelSet lanes_;          // of the step, for its elimination
  runtime::KernelSet at_t_, at_end_;  // of derivatives
  Pairs to_lanes_, settings_, state_;
  std::uint32_t q_, dq_, change_id_, w_id_, dq_end_id_, strokes_end_id_ = 0, z_id_ = 0;
  Function residual_, wheelset_, strokes_, advance_, measured_, felt_;
  bool by_parameters_ = false, needs_strokes_ = false, needs_measured_ = false, needs_felt_ = false;
  bool needs_end_ = false;  // any of what find_end() finds
  // J of a wheelset by the coordinates that move it: six rows with room for whole packs. `element`:
  // of the kernels' output, by row and coordinate; as many as it has for what is zero.
  struct WheelsetColumns {
    std::vector<std::uint32_t> moving, element;
    std::vector<double> J;
    std::size_t length = 0;  // of a row
  };
  std::vector<WheelsetColumns> jacobians_;
  std::vector<double> change_, D_;  // D_: columns of dD/dx, one to a lane
  // Derivatives of what is at t+h by one variable; place and motion of wheelsets; forces on wheels.
  std::vector<double> dq_end_, q_end_, z_end_, strokes_end_, measured_end_, felt_end_;
  std::vector<double> motion_, u_, Y_, Q_, sum_Y_;
  double speed_ = 0, ahead_ = 0, aside_ = 0;  // speed by dq of the body's x and y
  std::vector<Run> runs_;
  std::vector<std::vector<std::size_t>> rows_of_q_, rows_of_dq_;  // of J, by coordinate
  std::vector<double> poses_;
  std::vector<start::TrackPlace> places_;  // by wheelset
  std::vector<Frame> frames_;
};

}  // namespace klingel::simulation
