#include "stability/steady_motion.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "creep/creep_law.hpp"
#include "dense/least_squares.hpp"

namespace klingel::stability {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
enum { x, y, z, roll, pitch, yaw };

Index index(std::size_t i) { return static_cast<Index>(i); }

template <class T>
bool contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<start::BodyCoordinates> bodies_of(const start::Start& start) {
  if (!start.grounded.empty()) return start.grounded;
  return {start.body};
}

// How far wheelsets are from the reference body, m.
double reach_of(const simulation::Description& vehicle, const start::Start& start) {
  runtime::KernelSet kernels(*vehicle.data.vehicle);
  const double middle = kernels.value(kernels.input("q"))[*start.body[x]];
  const std::span<const double> poses = kernels.evaluate(kernels.function("pose"));
  double reach = 0;
  for (std::size_t i = 0; i < vehicle.data.wheelsets.size(); ++i)
    reach = std::max(reach, std::abs(poses[12 * i] - middle));
  return reach;
}

}  // namespace

track::Track endless(const Curve& curve, double rail_distance, double reach) {
  track::TrackDescription d;
  d.name = "arc";
  d.rail_distance = rail_distance;
  track::Section section;
  section.kind = curve.curvature != 0 ? track::SectionKind::arc : track::SectionKind::straight;
  section.length = 2 * reach + 20;
  section.radius = curve.curvature != 0 ? 1 / curve.curvature : 0;
  section.cant = track::Ramp{curve.cant, curve.cant};
  d.sections.push_back(section);
  // abscissa zero is at the origin, along x
  const double k = curve.curvature, half = section.length / 2;
  d.start.s = -half;
  d.start.heading = -k * half;
  d.start.x = k != 0 ? -std::sin(k * half) / k : -half;
  d.start.y = k != 0 ? (1 - std::cos(k * half)) / k : 0;
  return track::build_track(d);
}

// The functions of small motions, by index.
struct SteadyMotion::Kernel {
  explicit Kernel(const klingel_kernel& table, std::size_t wheelsets)
      : set(table),
        q(set.input("q")),
        dq(set.input("dq")),
        ddq(set.input("ddq")),
        b(set.input("b")),
        tangent(set.function("tangent")),
        motion(set.function("motion")),
        steering(set.function("steering")),
        n(static_cast<Index>(table.inputs[q].size)),
        k(static_cast<Index>(wheelsets)) {
    if (!set.has_input("z")) return;
    z = set.input("z"), z_standing = set.input("z_standing");
    strokes_standing = set.input("strokes_standing");
    strokes = set.function("strokes"), steady = set.function("steady_states");
    states = set.function("states");
    m = static_cast<Index>(table.inputs[z].size);
  }

  Eigen::Map<const MatrixXd> matrix(std::span<const double> all, Index& from, Index rows) const {
    return matrix(all, from, rows, n);
  }
  static Eigen::Map<const MatrixXd> matrix(std::span<const double> all, Index& from, Index rows,
                                           Index columns) {
    const double* at = all.data() + from;
    from += rows * columns;
    return {at, rows, columns};
  }

  runtime::KernelSet set;
  std::uint32_t q, dq, ddq, b, tangent, motion, steering;
  std::uint32_t z = 0, z_standing = 0, strokes_standing = 0, strokes = 0, steady = 0, states = 0;
  Index n, k, m = 0;  // m internal states
};

SteadyMotion::SteadyMotion(const simulation::Description& vehicle, const klingel_kernel& linear,
                           const Curve& curve)
    : vehicle_(vehicle), linear_(linear), curve_(curve), start_(vehicle.start) {
  if (!start_.body[x] || !start_.body[y])
    base::fail(
        "small motions need a reference body with coordinates x and y: add [reference] with them "
        "to the vehicle");
  if (start_.spins.size() != vehicle.data.wheelsets.size())
    base::fail("small motions need the spin of each wheelset as a coordinate");
  const double reach = reach_of(vehicle, start_);
  track_ = endless(curve, vehicle.track.frame(vehicle.start.position).rail_distance, reach + 15);
  const track::TrackFrame frame = track_.frame(0);
  origin_ = frame.origin;
  heading_ = frame.heading;
  start_.position = 0;
  start_.held.clear();

  step::VehicleData data = vehicle.data;
  data.left.line = track_.left, data.right.line = track_.right;
  simulator_ = std::make_unique<step::Simulator>(std::move(data));
  for (const simulation::WheelFriction& f : vehicle.friction)
    simulator_->set_friction(f.wheel, f.mu);
  kernel_ = std::make_unique<Kernel>(linear, start_.spins.size());
  at_ = std::make_unique<reference::Continuous>(*simulator_);
  at_->phi_tolerance = 1e-14;  // differences feel it
  n_ = at_->coordinates(), w_ = at_->wheels(), spins_ = index(start_.spins.size());
}

SteadyMotion::~SteadyMotion() = default;

std::unique_ptr<SteadyMotion> SteadyMotion::with(const simulation::Description& vehicle) const {
  auto motion = std::make_unique<SteadyMotion>(vehicle, linear_, curve_);
  for (std::size_t i = 0; i < parameter_names().size(); ++i) motion->set_parameter(i, parameter(i));
  for (std::size_t i = 0; i < vehicle.data.wheels.size(); ++i) {
    motion->simulator_->set_friction(i, simulator_->friction(i));
    motion->at_->vehicle().friction[i] = simulator_->friction(i);
  }
  return motion;
}

void SteadyMotion::begin_near(const SteadyMotion& other) {
  ahead_ = other.point_;
  ahead_->q -= other.standing_.q;
  ahead_->spin -= other.standing_.spin;
  ahead_->N -= other.standing_.N;
  found_ = false;
}

void SteadyMotion::set_parameter(std::size_t i, double value) {
  simulator_->set_parameter(i, value);
  const step::KernelIds& id = simulator_->description()->id;
  at_->vehicle().at.kernels.set(id.p, i, value);
  kernel_->set.set(kernel_->set.input("p"), i, value);
}

double SteadyMotion::parameter(std::size_t i) const {
  return simulator_->kernels().value(simulator_->description()->id.p)[i];
}

const std::vector<std::string>& SteadyMotion::parameter_names() const {
  return simulator_->parameter_names();
}

void SteadyMotion::set_friction(double mu) {
  for (std::size_t i = 0; i < at_->vehicle().vehicle.w; ++i) simulator_->set_friction(i, mu);
  std::fill(at_->vehicle().friction.begin(), at_->vehicle().friction.end(), mu);
}

// Static equilibrium, rolling.
void SteadyMotion::begin() {
  start_.speed = speed_;
  start::begin(*simulator_, track_, start_);
  state_ = simulator_->state();
  at_->begin(state_);
  rigid_.clear();
  weight_ = 0;
  for (std::size_t i = 0; i < state_.tread.size(); ++i) {
    if (at_->on[i] != 0) rigid_.push_back(i);
    weight_ += state_.tread[i].N;
  }
  point_.q = Eigen::Map<const VectorXd>(state_.q.data(), n_);
  point_.spin.resize(spins_);
  for (Index i = 0; i < spins_; ++i)
    point_.spin[i] = state_.dq[start_.spins[static_cast<std::size_t>(i)]] / speed_;
  point_.N = VectorXd::Zero(w_);
  for (const std::size_t i : rigid_) point_.N[index(i)] = state_.tread[i].N;
  point_.forward = 0;
  standing_ = point_;
  find_standing();
  set_states(point_.q);
  find_carried();
  take_directions();
}

// Strokes and internal states of the vehicle that stands on straight track, from where it came.
void SteadyMotion::find_standing() {
  Kernel& k = *kernel_;
  if (k.m == 0) return;
  step::VehicleState standing = state_;
  if (curve_.curvature != 0 || curve_.cant != 0) {
    const double reach = reach_of(vehicle_, start_) + 15;
    const track::Track straight = endless({}, track_.frame(0).rail_distance, reach);
    step::VehicleData data = vehicle_.data;
    data.left.line = straight.left, data.right.line = straight.right;
    step::Simulator simulator(std::move(data));
    for (std::size_t i = 0; i < parameter_names().size(); ++i)
      simulator.set_parameter(i, parameter(i));
    start::begin(simulator, straight, start_);
    standing = simulator.state();
  }
  k.set.set(k.q, standing.q);
  const std::span<const double> strokes = k.set.evaluate(k.strokes);
  const std::vector<double> held(strokes.begin(), strokes.end());
  // friction in a plane has a direction even where it has no force: some nN
  std::vector<double> z(static_cast<std::size_t>(k.m), 1e-9);
  for (std::size_t i = 0; i < standing.z.size(); ++i) z[i] += standing.z[i];
  k.set.set(k.strokes_standing, held);
  k.set.set(k.z_standing, z);
}

// Internal states of steady motion at q, for the kernels of both.
void SteadyMotion::set_states(const VectorXd& q) {
  Kernel& k = *kernel_;
  if (k.m == 0) return;
  k.set.set(k.q, {q.data(), static_cast<std::size_t>(n_)});
  const std::span<const double> steady = k.set.evaluate(k.steady);
  const std::vector<double> x(steady.begin(), steady.end());
  k.set.set(k.z, x);
  at_->vehicle().at.kernels.set(at_->vehicle().vehicle.id.z, x);
  state_.z = x;
}

// Coordinates that grow in steady motion beside those of the track and of spin, such as rotors: at
// rates that do not strain the springs that hold them, -F_q^-1 of them times F_q by all others.
void SteadyMotion::find_carried() {
  std::vector<bool> known(static_cast<std::size_t>(n_));
  for (const std::size_t i : start_.spins) known[i] = true;
  for (const start::BodyCoordinates& b : bodies_of(start_))
    for (const std::optional<std::size_t>& i : b)
      if (i) known[*i] = true;
  carried_.clear();
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!known[i] && std::abs(state_.dq[i]) > 0.05 * std::abs(speed_)) carried_.push_back(i);
  follow_ = MatrixXd::Zero(index(carried_.size()), n_);
  if (carried_.empty()) return;

  Kernel& k = *kernel_;
  const std::vector<double> rest(static_cast<std::size_t>(n_), 0.0);
  k.set.set(k.q, state_.q);
  k.set.set(k.dq, rest);
  k.set.set(k.ddq, rest);
  k.set.set(k.b, std::vector<double>(6 * start_.spins.size(), 0.0));
  Index from = 0;
  const MatrixXd F_q = k.matrix(k.set.evaluate(k.tangent), from, n_);
  MatrixXd own(follow_.rows(), follow_.rows()), others(follow_.rows(), n_);
  for (Index i = 0; i < own.rows(); ++i) {
    others.row(i) = F_q.row(index(carried_[static_cast<std::size_t>(i)]));
    for (Index j = 0; j < own.cols(); ++j) {
      const Index column = index(carried_[static_cast<std::size_t>(j)]);
      own(i, j) = others(i, column);
    }
  }
  for (const std::size_t i : carried_) others.col(index(i)).setZero();
  follow_ = -dense::solve(own, others);
  if (curve_.curvature == 0) return;
  for (const start::BodyCoordinates& b : bodies_of(start_)) {
    if (follow_.col(index(*b[x])).norm() + follow_.col(index(*b[y])).norm() < 1e-6) continue;
    base::fail(
        "the coordinate '{}' runs straight ahead with the vehicle: such a vehicle has no steady "
        "run "
        "in a curve",
        simulator_->coordinate_names()[carried_.front()]);
  }
}

void SteadyMotion::take_directions() {
  W_ = MatrixXd::Zero(n_, n_);
  const double turn = speed_ * curve_.curvature;
  for (const start::BodyCoordinates& b : bodies_of(start_)) {
    W_(index(*b[x]), index(*b[y])) = -turn;
    W_(index(*b[y]), index(*b[x])) = turn;
  }
  std::vector<Index> free;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i)
    if (i != *start_.body[x] && i != *start_.body[y] && !contains(start_.spins, i))
      free.push_back(index(i));
  P_ = MatrixXd::Zero(n_, 1 + index(free.size()));
  P_(index(*start_.body[x]), 0) = -std::sin(heading_);
  P_(index(*start_.body[y]), 0) = std::cos(heading_);
  for (std::size_t k = 0; k < free.size(); ++k) P_(free[k], 1 + index(k)) = 1;
}

// dq and ddq of the turn about the curve's centre.
void SteadyMotion::move(const Point& p) {
  dq_ = VectorXd::Zero(n_), ddq_ = VectorXd::Zero(n_);
  const double turn = speed_ * curve_.curvature;
  const double c = std::cos(heading_), s = std::sin(heading_);
  for (const start::BodyCoordinates& b : bodies_of(start_)) {
    const Index ix = index(*b[x]), iy = index(*b[y]);
    dq_[ix] = speed_ * c - turn * (p.q[iy] - origin_.y);
    dq_[iy] = speed_ * s + turn * (p.q[ix] - origin_.x);
    ddq_[ix] = -turn * dq_[iy];
    ddq_[iy] = turn * dq_[ix];
    if (b[yaw]) dq_[index(*b[yaw])] = turn;
  }
  for (Index i = 0; i < spins_; ++i)
    dq_[index(start_.spins[static_cast<std::size_t>(i)])] = speed_ * p.spin[i];
  const VectorXd more = follow_ * dq_;
  for (std::size_t i = 0; i < carried_.size(); ++i) dq_[index(carried_[i])] = more[index(i)];
}

VectorXd SteadyMotion::balance(const VectorXd& q, const VectorXd& dq) {
  const Index c = index(rigid_.size());
  set_states(q);
  if (!at_->place(q.data(), dq.data())) return VectorXd::Constant(n_ + c, std::nan(""));
  at_->contact_forces(point_.N);
  VectorXd F(n_ + c);
  F.head(n_) = at_->delta + at_->contact + at_->Phi.transpose() * point_.N - at_->M * ddq_;
  F[index(*start_.body[x])] += point_.forward * std::cos(heading_);
  F[index(*start_.body[y])] += point_.forward * std::sin(heading_);
  for (Index i = 0; i < c; ++i) F[n_ + i] = at_->phi[index(rigid_[static_cast<std::size_t>(i)])];
  return F;
}

// Unbalanced forces over the weight, and phi_n; NaN where a wheel has lost its rail.
VectorXd SteadyMotion::residual(const Point& p) {
  point_ = p;
  move(p);
  VectorXd F = balance(p.q, dq_);
  F.head(n_) /= weight_;
  return F;
}

bool SteadyMotion::jacobian(const Point& p, SmallMotions& to) {
  Kernel& k = *kernel_;
  move(p);
  set_states(p.q);
  if (!at_->place(p.q.data(), dq_.data())) return false;
  const MatrixXd b = at_->wrenches(p.N);
  const Index c = index(rigid_.size());
  to.Phi.resize(c, n_);
  for (Index i = 0; i < c; ++i)
    to.Phi.row(i) = at_->Phi.row(index(rigid_[static_cast<std::size_t>(i)]));

  const auto count = static_cast<std::size_t>(n_);
  k.set.set(k.q, {p.q.data(), count});
  k.set.set(k.dq, {dq_.data(), count});
  k.set.set(k.ddq, {ddq_.data(), count});
  k.set.set(k.b, {b.data(), static_cast<std::size_t>(b.size())});
  Index from = 0;
  const std::span<const double> tangent = k.set.evaluate(k.tangent);
  MatrixXd F_q = k.matrix(tangent, from, n_), F_dq = k.matrix(tangent, from, n_);
  to.M = k.matrix(tangent, from, n_);

  const std::span<const double> motion = k.set.evaluate(k.motion);
  const auto wheelsets = static_cast<std::size_t>(k.k);
  ContactTangent contacts;
  if (!contact_tangent(*at_, motion.first(12 * wheelsets), motion.subspan(12 * wheelsets), p.N,
                       speed_, contacts))
    return false;
  from = 0;
  const std::span<const double> steering = k.set.evaluate(k.steering);
  still_ = k.matrix(steering, from, 6 * k.k);
  const Eigen::Map<const MatrixXd> total = k.matrix(steering, from, 6 * k.k);
  const Eigen::Map<const MatrixXd> twist_q = k.matrix(steering, from, 7 * k.k);
  const Eigen::Map<const MatrixXd> twist_dq = k.matrix(steering, from, 7 * k.k);
  for (Index i = 0; i < k.k; ++i) {
    const Eigen::Matrix<double, 6, 13>& by = contacts.by_motion[static_cast<std::size_t>(i)];
    const auto J = total.middleRows<6>(6 * i);
    F_q += J.transpose() * (by.leftCols<6>() * still_.middleRows<6>(6 * i) +
                            by.rightCols<7>() * twist_q.middleRows<7>(7 * i));
    F_dq += J.transpose() * (by.rightCols<7>() * twist_dq.middleRows<7>(7 * i));
  }
  to.G.resize(n_, c);
  for (Index i = 0; i < c; ++i) {
    const std::size_t wheel = rigid_[static_cast<std::size_t>(i)];
    const Index ws = index(at_->vehicle().vehicle.data.wheels[wheel].wheelset);
    to.G.col(i) = total.middleRows<6>(6 * ws).transpose() * contacts.by_N.col(index(wheel));
  }
  to.K = F_q + F_dq * W_ - to.M * W_ * W_;
  to.C = F_dq - 2 * to.M * W_;
  to.dq = dq_;
  to.kink = contacts.kink;
  add_states(to);

  // what changes nothing: the whole along the track, and each spin
  to.D = MatrixXd::Zero(n_, 1 + spins_);
  to.D.col(0) = dq_ / speed_;
  for (const std::vector<std::size_t>* list : {&start_.spins, &carried_})
    for (const std::size_t i : *list) to.D(index(i), 0) = 0;
  for (Index i = 0; i < spins_; ++i)
    to.D(index(start_.spins[static_cast<std::size_t>(i)]), 1 + i) = 1;
  const MatrixXd more = follow_ * to.D;
  for (std::size_t i = 0; i < carried_.size(); ++i)
    to.D.row(index(carried_[i])) = more.row(index(i));
  return true;
}

// A state whose rate does not depend on states is a spring that sticks: x = g_dq z.
void SteadyMotion::add_states(SmallMotions& to) {
  Kernel& k = *kernel_;
  yield_ = MatrixXd::Zero(n_, n_);
  to.F_x.resize(n_, 0), to.g_z.resize(0, n_), to.g_v.resize(0, n_), to.g_x.resize(0, 0);
  if (k.m == 0) return;
  Index from = 0;
  const std::span<const double> all = k.set.evaluate(k.states);
  const MatrixXd F_x = Kernel::matrix(all, from, n_, k.m), X_q = Kernel::matrix(all, from, k.m, n_);
  const MatrixXd g_q = Kernel::matrix(all, from, k.m, n_);
  const MatrixXd g_dq = Kernel::matrix(all, from, k.m, n_);
  const MatrixXd g_x = Kernel::matrix(all, from, k.m, k.m);
  std::vector<Index> lasting;
  sticks_.clear();
  for (Index i = 0; i < k.m; ++i) {
    yield_ += F_x.col(i) * X_q.row(i);
    if (!g_x.row(i).isZero(0)) {
      lasting.push_back(i);
      continue;
    }
    const MatrixXd sticks = F_x.col(i) * g_dq.row(i);
    // filters of sensors have no force
    if (!F_x.col(i).isZero(0))
      sticks_.push_back(at_->vehicle().vehicle.internal_names[static_cast<std::size_t>(i)]);
    to.K += sticks;
    yield_ -= sticks;
  }
  to.F_x = F_x(Eigen::all, lasting);
  to.g_v = g_dq(lasting, Eigen::all);
  to.g_z = g_q(lasting, Eigen::all) + to.g_v * W_;
  to.g_x = g_x(lasting, lasting);
}

// Columns: positions, rates of spin over the speed, N and the force along the track over the
// weight.
MatrixXd SteadyMotion::newton_matrix(const SmallMotions& s) const {
  const Index c = s.Phi.rows(), p = P_.cols();
  MatrixXd A = MatrixXd::Zero(n_ + c, p + spins_ + c + 1);
  A.topLeftCorner(n_, p) = (s.K + yield_) * P_ / weight_;
  A.bottomLeftCorner(c, p) = s.Phi * P_;
  // z' with the turn of the axes is W z + spin: C as in F_dq
  const MatrixXd F_dq = s.C + 2 * s.M * W_;
  A.block(0, p, n_, spins_) = F_dq * s.D.rightCols(spins_) * speed_ / weight_;
  A.block(0, p + spins_, n_, c) = s.G;
  A(index(*start_.body[x]), p + spins_ + c) = std::cos(heading_);
  A(index(*start_.body[y]), p + spins_ + c) = std::sin(heading_);
  return A;
}

SteadyMotion::Point SteadyMotion::changed(const Point& p, const VectorXd& step) const {
  const Index c = index(rigid_.size()), positions = P_.cols();
  Point to = p;
  to.q += P_ * step.head(positions);
  to.spin += step.segment(positions, spins_);
  for (Index i = 0; i < c; ++i)
    to.N[index(rigid_[static_cast<std::size_t>(i)])] += weight_ * step[positions + spins_ + i];
  to.forward += weight_ * step[positions + spins_ + c];
  return to;
}

// The share of a step that moves no wheelset farther across the track than profiles are linear.
double SteadyMotion::within_reach(const VectorXd& step) const {
  constexpr double most = 4e-3;  // m
  const VectorXd moved = still_ * (P_ * step.head(P_.cols()));
  double farthest = 0;
  for (Index i = 0; i < spins_; ++i)
    farthest = std::max(farthest, std::abs(std::cos(heading_) * moved[6 * i + 1] -
                                           std::sin(heading_) * moved[6 * i]));
  return std::min(1.0, most / farthest);
}

// Newton's method, steps halved until they help.
bool SteadyMotion::solve() {
  constexpr double tolerance = 1e-10, good = 1e-8;
  constexpr int most = 60;
  Point p = point_;
  VectorXd F = residual(p);
  if (!F.allFinite()) return false;
  double last = INFINITY;
  for (iterations_ = 0; iterations_ < most; ++iterations_) {
    unbalanced_ = F.lpNorm<Eigen::Infinity>();
    // to what rounding leaves
    if (unbalanced_ < tolerance || (unbalanced_ < good && unbalanced_ > 0.5 * last)) break;
    last = unbalanced_;
    SmallMotions s;
    if (!jacobian(p, s)) return false;
    const MatrixXd A = newton_matrix(s);
    if (!A.allFinite()) return false;
    const dense::LeastSquares solver(A);
    const VectorXd step = solver.solve(-F);
    double share = within_reach(step);
    // judged by the step that would come next: treads are so stiff that forces alone would allow
    // hardly any
    Point best = p;
    VectorXd best_F;
    double least = INFINITY;
    for (int halving = 0; halving < 10; ++halving, share /= 2) {
      const Point q = changed(p, share * step);
      const VectorXd after = residual(q);
      if (!after.allFinite()) continue;
      const double next = solver.solve(after).norm();
      if (next < least) least = next, best = q, best_F = after;
      if (least < (1 - share / 4) * step.norm()) break;
    }
    if (!std::isfinite(least)) return false;
    p = best, F = best_F;
  }
  residual(p);
  return unbalanced_ < good;
}

void SteadyMotion::keep() {
  at_->N = point_.N;
  state_.q.assign(point_.q.data(), point_.q.data() + n_);
  state_.dq.assign(dq_.data(), dq_.data() + n_);
  at_->end(state_);
  for (std::size_t i = 0; i < state_.tread.size(); ++i) {
    if (at_->vehicle().vehicle.data.law.unilateral && state_.tread[i].N + state_.flange[i].N <= 0)
      base::fail("no steady run at {:g} m/s: the wheel '{}' would lift off its rail", speed_,
                 at_->vehicle().vehicle.data.wheels[i].name);
    if (at_->vehicle().vehicle.data.law.rail_stiffness > 0)
      state_.flange[i].deflection =
          state_.flange[i].N / at_->vehicle().vehicle.data.law.rail_stiffness;
  }
}

void SteadyMotion::fail_to_settle() const {
  if (curve_.curvature != 0)
    base::fail(
        "no steady run was found at {:g} m/s in the curve of {:.4g} m: {:.2g} of the weight stays "
        "unbalanced; try a larger radius, less cant deficiency or another speed",
        speed_, 1 / curve_.curvature, unbalanced_);
  base::fail(
      "no steady run was found at {:g} m/s on straight track: {:.2g} of the weight stays "
      "unbalanced; does the vehicle run straight in 'klingel run'?",
      speed_, unbalanced_);
}

void SteadyMotion::settle(double speed) {
  constexpr double most = 1000;  // m/s: beyond it nothing is known to hold
  if (!(std::abs(speed) > 0) || !(std::abs(speed) <= most))
    base::fail("small motions need a speed that is not zero and at most {:g} m/s, found {:g} m/s",
               most, speed);
  speed_ = speed;
  if (found_) {
    take_directions();
    const Point last = point_;
    if (solve()) return keep();
    point_ = last;
  }
  begin();
  found_ = false;
  if (ahead_) {
    point_.q += ahead_->q;
    point_.spin += ahead_->spin;
    point_.N += ahead_->N;
    point_.forward = ahead_->forward;
    ahead_.reset();
    if (solve()) {
      found_ = true;
      return keep();
    }
  }
  for (const int parts : {1, 4, 16}) {
    point_ = standing_;
    at_->begin(state_);
    bool good = true;
    for (int part = 1; part <= parts && good; ++part) {
      speed_ = speed * part / parts;
      take_directions();
      good = solve();
    }
    speed_ = speed;
    if (good) {
      found_ = true;
      return keep();
    }
  }
  fail_to_settle();
}

SmallMotions SteadyMotion::small_motions() {
  SmallMotions s;
  const Point p = point_;
  if (!jacobian(p, s))
    base::fail("a wheel is at the edge of its rail at {:g} m/s: no small motions there", speed_);
  residual(p);  // contacts back where they were
  if (s.kink > 1e-3)
    base::fail(
        "the creep law '{}' has no tangent at {:g} m/s: where nothing slips its force depends on "
        "the "
        "direction of the slip to come; use linear, she or fastsim, or a curve, where wheels slip",
        creep::name(vehicle_.data.law.creep.law), speed_);
  return s;
}

}  // namespace klingel::stability
