#include "simulation/step_derivative.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/flush_subnormals.hpp"
#include "base/multiply_add.hpp"
#include "base/pack.hpp"
#include "record/rail_forces.hpp"
#include "step/stepper.hpp"

namespace klingel::simulation {
namespace {

using Kind = Variable::Kind;
using runtime::KernelSet;
using spline::Vec3;
using step::LoadedTangent;

// Outputs of functions, in this order; more follow.
enum By : std::size_t { by_q, by_dq, by_z, by_u, by_dq_end, by_strokes_end };

bool is_of_rigid_treads(const Variable& v) {
  return v.kind == Kind::tread || v.kind == Kind::flange;
}

std::optional<By> by(Kind kind) {
  switch (kind) {
    case Kind::q:
      return by_q;
    case Kind::dq:
      return by_dq;
    case Kind::z:
      return by_z;
    case Kind::input:
      return by_u;
    default:
      return {};
  }
}

// The same value on all lanes; nothing if it has it.
void set(KernelSet& to, std::uint32_t input, std::span<const double> values) {
  const std::span<double> memory = to.memory(input);
  const std::size_t lanes = memory.size() / values.size();
  bool same = true;
  for (std::size_t i = 0; i < values.size() && same; ++i) same = memory[i * lanes] == values[i];
  if (same) return;
  for (std::size_t i = 0; i < values.size(); ++i) std::fill_n(&memory[i * lanes], lanes, values[i]);
  to.changed(input);
}

std::optional<std::size_t> ending(const std::string& name, std::string_view family,
                                  const std::vector<std::string>& parts) {
  if (!name.starts_with(family)) return {};
  const auto found = std::find(parts.begin(), parts.end(), name.substr(family.size()));
  if (found == parts.end()) return {};
  return static_cast<std::size_t>(found - parts.begin());
}

// y += A x of a matrix by columns with so many rows.
void add_dense(const double* A, std::size_t rows, std::size_t columns, const double* x, double* y) {
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; x[j] != 0 && i < rows; ++i) y[i] += A[rows * j + i] * x[j];
}

Vec3 vector_at(const double* from) { return {from[0], from[1], from[2]}; }

}  // namespace

void StepDerivative::Sparse::add_column(std::size_t j, double* y, std::size_t apart) const {
  for (std::uint32_t e = of->col_start[j]; e < of->col_start[j + 1]; ++e)
    y[of->row[e] * apart] += values[e];
}

void StepDerivative::Sparse::keep_rows(const std::vector<bool>& wanted) {
  products.clear();
  for (std::uint32_t j = 0; j < of->cols; ++j)
    for (std::uint32_t e = of->col_start[j]; e < of->col_start[j + 1]; ++e)
      if (wanted[of->row[e]]) products.push_back({e, of->row[e], j});
}

void StepDerivative::Sparse::add_product(const double* x, double* y) const {
  for (const Product& p : products) y[p.row] += values[p.element] * x[p.column];
}

void StepDerivative::Function::evaluate(KernelSet& kernels, bool parameters) {
  const double* next = kernels.evaluate(*id).data();
  for (Sparse& s : outputs) s.values = next, next += s.of->size;
  if (parameters) by_p.values = kernels.evaluate(*id_p).data();
}

void StepDerivative::Function::add_column(const Variable& v, double* y, std::size_t apart) const {
  if (v.kind == Kind::parameter) by_p.add_column(v.index, y, apart);
  const std::optional<By> of = by(v.kind);
  if (of && *of < outputs.size()) outputs[*of].add_column(v.index, y, apart);
}

StepDerivative::Function StepDerivative::function(const std::string& name) const {
  Function f;
  if (!at_t_.has_function(name + "_x")) return f;
  f.id = at_t_.function(name + "_x"), f.id_p = at_t_.function(name + "_p");
  const klingel_function& made = at_t_.abi().functions[*f.id];
  for (std::uint32_t i = 0; i < made.n_outputs; ++i) f.outputs.emplace_back().of = &made.outputs[i];
  f.by_p.of = &at_t_.abi().functions[*f.id_p].outputs[0];
  return f;
}

StepDerivative::Pairs StepDerivative::pairs(const KernelSet& with,
                                            std::initializer_list<const char*> names) const {
  const KernelSet step(*vehicle_->data.vehicle);
  Pairs list;
  for (const char* name : names)
    if (step.has_input(name)) list.emplace_back(step.input(name), with.input(name));
  return list;
}

std::optional<StepDerivative::Row> StepDerivative::row_of(const step::Simulator& simulator,
                                                          const std::string& channel) {
  const step::Description& v = *simulator.description();
  std::vector<std::string> wheels;
  for (const step::WheelData& wheel : v.data.wheels) wheels.push_back(wheel.name);
  using K = Row::Kind;
  for (const auto& [family, names, kind] : {std::tuple("q.", &v.coordinate_names, K::q),
                                            {"dq.", &v.coordinate_names, K::dq},
                                            {"u.", &v.input_names, K::u},
                                            {"Y.", &wheels, K::Y},
                                            {"Q.", &wheels, K::Q},
                                            {"sumY.", &v.data.wheelsets, K::sum_Y}})
    if (const auto i = ending(channel, family, *names)) return Row{kind, *i};
  if (channel == "speed") return Row{K::speed, 0};
  std::size_t at_t = 0, of_step = 0;
  for (const step::MeasureData& m : v.data.measures) {
    std::size_t& index = m.felt ? of_step : at_t;
    if (m.name == channel) return Row{m.felt ? K::felt : K::measured, index};
    ++index;
  }
  return {};
}

bool StepDerivative::describes(const Description& d, const Instance& like,
                               const std::vector<Variable>& from, const std::vector<Variable>& to,
                               const std::vector<std::size_t>& channels) {
  const step::Simulator& simulator = like.simulator();
  // with a driver or friction along the track, inputs and friction are functions of the state
  if (d.derivatives == nullptr || d.driver || d.rail_friction) return false;
  if (!LoadedTangent::describes(*simulator.description())) return false;
  if (like.description().data.vehicle->lanes != 1 || d.method.exhaust) return false;
  const step::Scheme scheme = d.method.scheme;
  if (scheme == step::Scheme::trapezoidal || scheme == step::Scheme::reference) return false;
  if (std::any_of(from.begin(), from.end(), is_of_rigid_treads)) return false;
  if (std::any_of(to.begin(), to.end(), is_of_rigid_treads)) return false;
  return std::all_of(channels.begin(), channels.end(), [&](std::size_t i) {
    return row_of(simulator, like.channels()[i].name).has_value();
  });
}

namespace {

bool has(const std::vector<Variable>& list, Kind kind) {
  return std::any_of(list.begin(), list.end(), [&](const Variable& v) { return v.kind == kind; });
}

}  // namespace

LoadedTangent::Wanted StepDerivative::wanted(const std::vector<Variable>& from,
                                             const std::vector<Row>& rows) {
  const bool forces = std::any_of(rows.begin(), rows.end(),
                                  [](const Row& row) { return row.kind >= Row::Kind::Y; });
  return {forces, has(from, Kind::shift), has(from, Kind::friction)};
}

StepDerivative::StepDerivative(std::shared_ptr<const Description> on_lanes, const Instance& like,
                               const std::vector<Variable>& from, const std::vector<Variable>& to,
                               const std::vector<std::size_t>& channels)
    : description_(std::move(on_lanes)),
      vehicle_(like.simulator().description()),
      from_(from),
      rows_(rows_of(like, to, channels)),
      n_(vehicle_->n),
      wheelsets_(vehicle_->data.wheelsets.size()),
      wanted_(wanted(from, rows_)),
      contacts_(*vehicle_, wanted_),
      lanes_(*description_->data.vehicle),
      at_t_(*description_->derivatives),
      at_end_(*description_->derivatives),
      to_lanes_(pairs(lanes_, {"p", "q", "dq", "u", "z", "h", "tangents", "B"})),
      settings_(pairs(at_t_, {"p", "u"})),
      state_(pairs(at_t_, {"q", "dq", "z", "h", "tangents"})),
      q_(at_t_.input("q")),
      dq_(at_t_.input("dq")),
      change_id_(at_t_.input("change")),
      w_id_(at_t_.input("wrench")),
      dq_end_id_(at_t_.input("dq_end")),
      residual_(function("residual")),
      wheelset_(function("wheelset")),
      strokes_(function("strokes")),
      advance_(function("advance")),
      measured_(function("measured")),
      felt_(function("felt")),
      by_parameters_(has(from, Kind::parameter)),
      change_(n_),
      D_(n_ * lanes_.abi().lanes),
      dq_end_(n_),
      q_end_(n_),
      motion_(LoadedTangent::columns * wheelsets_),
      u_(vehicle_->input_names.size()),
      Y_(vehicle_->w),
      Q_(vehicle_->w),
      sum_Y_(wheelsets_),
      poses_(12 * wheelsets_),
      places_(wheelsets_, start::TrackPlace(description_->track)),
      frames_(wheelsets_) {
  for (const Row& row : rows_) {
    needs_measured_ |= row.kind == Row::Kind::measured;
    needs_felt_ |= row.kind == Row::Kind::felt;
    needs_strokes_ |= row.kind == Row::Kind::z;
  }
  needs_strokes_ |= needs_measured_ && static_cast<bool>(strokes_);
  if (strokes_) {
    strokes_end_id_ = at_t_.input("strokes_end"), z_id_ = at_t_.input("z");
    strokes_end_.resize(strokes_.outputs[0].of->rows), z_end_.resize(strokes_end_.size());
  }
  if (measured_) measured_end_.resize(measured_.outputs[0].of->rows);
  if (felt_) felt_end_.resize(felt_.outputs[0].of->rows);
  keep_products();
  needs_end_ = needs_strokes_ || needs_measured_ || needs_felt_ || wanted_.forces;
  find_runs();
  find_wheelset_columns();
}

std::vector<StepDerivative::Row> StepDerivative::rows_of(const Instance& like,
                                                         const std::vector<Variable>& to,
                                                         const std::vector<std::size_t>& channels) {
  std::vector<Row> rows;
  for (const Variable& v : to)
    rows.push_back({v.kind == Kind::q    ? Row::Kind::q
                    : v.kind == Kind::dq ? Row::Kind::dq
                                         : Row::Kind::z,
                    v.index});
  for (const std::size_t i : channels)
    rows.push_back(*row_of(like.simulator(), like.channels()[i].name));
  return rows;
}

void StepDerivative::find_wheelset_columns() {
  constexpr std::size_t rows = LoadedTangent::columns;
  const klingel_output& by = *wheelset_.outputs[by_dq].of;
  for (std::uint32_t k = 0; k < wheelsets_; ++k) {
    WheelsetColumns& to = jacobians_.emplace_back();
    std::vector<std::array<std::uint32_t, 6>> found;
    for (std::uint32_t j = 0; j < by.cols; ++j) {
      std::array<std::uint32_t, 6> elements;
      elements.fill(by.size);
      for (std::uint32_t e = by.col_start[j]; e < by.col_start[j + 1]; ++e)
        if (by.row[e] / rows == k && by.row[e] % rows >= LoadedTangent::u_end)
          elements[by.row[e] % rows - LoadedTangent::u_end] = e;
      if (*std::min_element(elements.begin(), elements.end()) == by.size) continue;
      to.moving.push_back(j);
      found.push_back(elements);
    }
    to.length = (found.size() + base::pack_lanes - 1) / base::pack_lanes * base::pack_lanes;
    to.J.assign(6 * to.length, 0);
    to.element.assign(6 * to.length, by.size);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (std::size_t c = 0; c < 6; ++c) to.element[c * to.length + i] = found[i][c];
  }
}

// Of channels only those that are asked for are found.
void StepDerivative::keep_products() {
  const auto keep = [&](Function& f, std::optional<Row::Kind> kind) {
    for (Sparse& output : f.outputs) {
      std::vector<bool> wanted(output.of->rows, !kind.has_value());
      for (const Row& row : rows_)
        if (kind && row.kind == *kind) wanted[row.index] = true;
      output.keep_rows(wanted);
    }
  };
  keep(strokes_, {}), keep(advance_, {});
  keep(measured_, Row::Kind::measured), keep(felt_, Row::Kind::felt);
}

void StepDerivative::find_runs() {
  rows_of_q_.resize(n_), rows_of_dq_.resize(n_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (row.kind == Row::Kind::q) rows_of_q_[row.index].push_back(i);
    if (row.kind == Row::Kind::dq) rows_of_dq_[row.index].push_back(i);
    needs_end_ |= row.kind == Row::Kind::u || row.kind == Row::Kind::speed;
    const bool goes_on = !runs_.empty() && runs_.back().kind == row.kind &&
                         runs_.back().index + runs_.back().count == row.index;
    if (goes_on)
      ++runs_.back().count;
    else
      runs_.push_back({row.kind, row.index, i, 1, source(row)});
  }
}

// h J^T w of one wheelset.
void StepDerivative::add_wrench(std::size_t wheelset, const double* w, double h, double* R,
                                std::size_t apart) const {
  const WheelsetColumns& of = jacobians_[wheelset];
  for (std::size_t first = 0; first < of.length; first += base::pack_lanes) {
    base::Pack sum{};
    for (std::size_t c = 0; c < 6; ++c)
      sum =
          base::multiply_add(base::splat(h * w[c]), base::load(&of.J[c * of.length + first]), sum);
    const std::size_t end = std::min(first + base::pack_lanes, of.moving.size());
    for (std::size_t i = first; i < end; ++i) R[of.moving[i] * apart] += sum[i - first];
  }
}

// What contacts add to a column of R.
void StepDerivative::add_contacts(const Variable& v, double h, double* R, std::size_t apart) const {
  constexpr std::uint32_t rows = LoadedTangent::columns;
  if (v.kind == Kind::shift)
    add_wrench(v.index, &contacts_.dw_rails()[6 * (LoadedTangent::rail_columns * v.index + v.part)],
               h, R, apart);
  for (std::size_t w = 0; w < vehicle_->w && v.kind == Kind::friction; ++w)
    if (v.index == w || v.index == vehicle_->w)
      add_wrench(vehicle_->data.wheels[w].wheelset, &contacts_.dw_friction()[6 * w], h, R, apart);
  if (v.kind != Kind::q && v.kind != Kind::dq && v.kind != Kind::parameter) return;
  const Sparse& of = v.kind == Kind::parameter ? wheelset_.by_p : wheelset_.outputs[*by(v.kind)];
  const std::uint32_t* const row = of.of->row;
  const double* const dw = contacts_.dw().data();
  const std::uint32_t end = of.of->col_start[v.index + 1];
  for (std::uint32_t e = of.of->col_start[v.index]; e < end;) {
    const std::uint32_t k = row[e] / rows, next = rows * (k + 1);
    base::Pack low{}, high{};  // elements 0 to 3 and 2 to 5
    for (; e < end && row[e] < next; ++e) {
      const double* column = dw + std::size_t{6} * row[e];
      const base::Pack by_e = base::splat(of.values[e]);
      low = base::multiply_add(by_e, base::load(column), low);
      high = base::multiply_add(by_e, base::load(column + 2), high);
    }
    const double w[6] = {low[0], low[1], low[2], low[3], high[2], high[3]};
    add_wrench(k, w, h, R, apart);
  }
}

// Solutions on lanes become columns, four by four.
void StepDerivative::keep_solutions(const double* x) {
  const std::size_t lanes = lanes_.abi().lanes;
  std::size_t i = 0;
  for (; i + 4 <= n_ && lanes % 4 == 0; i += 4) {
    for (std::size_t lane = 0; lane < lanes; lane += 4) {
      base::Pack p[4];
      for (std::size_t k = 0; k < 4; ++k) p[k] = base::load(x + (i + k) * lanes + lane);
      base::transpose(p[0], p[1], p[2], p[3]);
      for (std::size_t k = 0; k < 4; ++k) base::store(p[k], &D_[(lane + k) * n_ + i]);
    }
  }
  for (; i < n_; ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane) D_[lane * n_ + i] = x[i * lanes + lane];
}

// dD/dx = S^-1 R and what follows from it, some columns at a time.
void StepDerivative::solve(double h, double* J) {
  const step::KernelIds& id = vehicle_->id;
  const std::size_t lanes = lanes_.abi().lanes, columns = from_.size();
  const double* J_wheelset = wheelset_.outputs[by_dq].values;
  const std::uint32_t size = wheelset_.outputs[by_dq].of->size;
  for (WheelsetColumns& of : jacobians_)
    for (std::size_t i = 0; i < of.J.size(); ++i)
      of.J[i] = of.element[i] < size ? J_wheelset[of.element[i]] : 0;
  const std::span<double> rhs = lanes_.memory(id.rhs);
  for (std::size_t first = 0; first < columns; first += lanes) {
    const std::size_t here = std::min(lanes, columns - first);
    std::fill(rhs.begin(), rhs.end(), 0.0);
    for (std::size_t lane = 0; lane < here; ++lane) {
      const Variable& v = from_[first + lane];
      residual_.add_column(v, &rhs[lane], lanes);
      add_contacts(v, h, &rhs[lane], lanes);
    }
    lanes_.changed(id.rhs);
    keep_solutions(lanes_.evaluate(id.solve).data());
    for (std::size_t lane = 0; lane < here; ++lane) {
      const Variable& v = from_[first + lane];
      const double* D = &D_[lane * n_];
      if (needs_end_) find_end(v, D, h);
      put_column(v, D, h, J + (first + lane) * rows_.size());
    }
  }
}

// What is at t+h, by one variable.
void StepDerivative::find_end(const Variable& v, const double* D, double h) {
  for (std::size_t i = 0; i < n_; ++i) dq_end_[i] = D[i], q_end_[i] = h / 2 * D[i];
  if (v.kind == Kind::q) q_end_[v.index] += 1;
  if (v.kind == Kind::dq) dq_end_[v.index] += 1, q_end_[v.index] += h;
  const start::BodyCoordinates& body = description_->start.body;
  if (body[0] && body[1]) speed_ = ahead_ * dq_end_[*body[0]] + aside_ * dq_end_[*body[1]];
  std::fill(u_.begin(), u_.end(), 0.0);
  if (v.kind == Kind::input) u_[v.index] = 1;
  if (needs_strokes_) {
    std::fill(strokes_end_.begin(), strokes_end_.end(), 0.0);
    std::fill(z_end_.begin(), z_end_.end(), 0.0);
    strokes_.outputs[by_q].add_product(q_end_.data(), strokes_end_.data());
    if (v.kind == Kind::parameter) strokes_.by_p.add_column(v.index, strokes_end_.data());
    advance_.add_column(v, z_end_.data());
    advance_.outputs[by_dq_end].add_product(dq_end_.data(), z_end_.data());
    advance_.outputs[by_strokes_end].add_product(strokes_end_.data(), z_end_.data());
  }
  if (needs_measured_) {
    std::fill(measured_end_.begin(), measured_end_.end(), 0.0);
    measured_.outputs[by_q].add_product(q_end_.data(), measured_end_.data());
    measured_.outputs[by_dq].add_product(dq_end_.data(), measured_end_.data());
    if (needs_strokes_) measured_.outputs[by_z].add_product(z_end_.data(), measured_end_.data());
    if (!v.is_remembered()) measured_.add_column(v, measured_end_.data());
  }
  if (needs_felt_) {
    std::fill(felt_end_.begin(), felt_end_.end(), 0.0);
    felt_.add_column(v, felt_end_.data());
    felt_.outputs[by_dq_end].add_product(dq_end_.data(), felt_end_.data());
  }
  if (wanted_.forces) find_forces(v, D);
}

// A column of J: coordinates and rates from D, all else from what find_end() found.
void StepDerivative::put_column(const Variable& v, const double* D, double h, double* J) const {
  for (const Run& run : runs_) {
    double* const to = J + run.first;
    if (run.kind == Row::Kind::q)
      for (std::size_t i = 0; i < run.count; ++i) to[i] = h / 2 * D[run.index + i];
    else
      std::copy_n(run.kind == Row::Kind::dq ? D + run.index : run.from, run.count, to);
  }
  if (v.kind != Kind::q && v.kind != Kind::dq) return;
  for (const std::size_t i : rows_of_q_[v.index]) J[i] += v.kind == Kind::q ? 1 : h;
  if (v.kind == Kind::q) return;
  for (const std::size_t i : rows_of_dq_[v.index]) J[i] += 1;
}

// Y and Q of the wheels, by one variable.
void StepDerivative::find_forces(const Variable& v, const double* D) {
  constexpr std::size_t columns = LoadedTangent::columns, rails = LoadedTangent::rail_columns;
  std::fill(motion_.begin(), motion_.end(), 0.0);
  wheelset_.add_column(v, motion_.data());
  for (std::size_t k = 0; k < wheelsets_; ++k) {  // u_end with D
    const WheelsetColumns& of = jacobians_[k];
    double* const u_end = &motion_[columns * k + LoadedTangent::u_end];
    for (std::size_t c = 0; c < 6; ++c)
      for (std::size_t i = 0; i < of.moving.size(); ++i)
        u_end[c] += of.J[c * of.length + i] * D[of.moving[i]];
  }
  std::fill(sum_Y_.begin(), sum_Y_.end(), 0.0);
  for (std::size_t w = 0; w < vehicle_->w; ++w) {
    const std::size_t k = vehicle_->data.wheels[w].wheelset;
    const double* moved = &motion_[columns * k];
    double F[3] = {};
    add_dense(&contacts_.dforce()[3 * columns * w], 3, columns, moved, F);
    const double* direct = nullptr;
    if (v.kind == Kind::shift && v.index == k)
      direct = &contacts_.dforce_rails()[3 * (rails * w + v.part)];
    if (v.kind == Kind::friction && (v.index == w || v.index == vehicle_->w))
      direct = &contacts_.dforce_friction()[3 * w];
    for (std::size_t i = 0; i < 3 && direct != nullptr; ++i) F[i] += direct[i];
    // the place that the frame is taken at (RailForces::before) moves along the track
    const Frame& at = frames_[k];
    const Vec3 below = -record::y_rel_lever * vector_at(&poses_[12 * k + 9]);
    const double along = dot(at.x, vector_at(moved) + cross(vector_at(moved + 3), below));
    const Vec3 force = vector_at(&contacts_.force()[3 * w]);
    Y_[w] = dot(at.y, vector_at(F)) + along * dot(at.dy, force);
    Q_[w] = dot(at.z, vector_at(F)) + along * dot(at.dz, force);
    sum_Y_[k] += Y_[w];
  }
}

void StepDerivative::find_frames(std::span<const double> poses) {
  constexpr double apart = 1e-3;  // m
  std::copy(poses.begin(), poses.end(), poses_.begin());
  for (std::size_t k = 0; k < wheelsets_; ++k) {
    const Vec3 P = vector_at(&poses[12 * k]) - record::y_rel_lever * vector_at(&poses[12 * k + 9]);
    start::TrackPlace& place = places_[k];
    place.follow(P);
    Frame& at = frames_[k];
    at.x = place.frame().axes.x, at.y = place.frame().axes.y, at.z = place.frame().axes.z;
    place.follow(P + apart * at.x);
    const spline::Axes ahead = place.frame().axes;
    place.follow(P - apart * at.x);
    const spline::Axes behind = place.frame().axes;
    at.dy = (0.5 / apart) * (ahead.y - behind.y), at.dz = (0.5 / apart) * (ahead.z - behind.z);
  }
}

const double* StepDerivative::source(const Row& row) const {
  switch (row.kind) {
    case Row::Kind::q:
      return &q_end_[row.index];
    case Row::Kind::dq:
      return &dq_end_[row.index];
    case Row::Kind::z:
      return &z_end_[row.index];
    case Row::Kind::u:
      return &u_[row.index];
    case Row::Kind::speed:
      return &speed_;
    case Row::Kind::measured:
      return &measured_end_[row.index];
    case Row::Kind::felt:
      return &felt_end_[row.index];
    case Row::Kind::Y:
      return &Y_[row.index];
    case Row::Kind::Q:
      return &Q_[row.index];
    case Row::Kind::sum_Y:
      break;
  }
  return &sum_Y_[row.index];
}

bool StepDerivative::find(step::Simulator& stepped, const step::VehicleState& before, double* J) {
  const base::FlushSubnormals flush;
  // solutions that were repeated renewed lines of N and secants of creep at the motion they found
  if (stepped.newton_q() != 0) return false;
  for (const step::Event& e : stepped.events())
    if (e.kind == step::Event::Kind::fallback) return false;
  step::Stepper& stepper = stepped.stepper();
  KernelSet& step = stepped.kernels_of_last_step();
  const step::KernelIds& id = vehicle_->id;
  const double h = step.value(id.h)[0];
  const step::Instant& at_t = stepper.at_end();  // instants have changed roles
  if (!contacts_.find({at_t.poses, at_t.twists, at_t.biases, step.evaluate(id.twist_end)}, before,
                      stepper.friction, h, description_->method.theta))
    return false;

  const std::span<const double> dq = step.value(id.dq), dq_end = stepped.dq_end();
  for (std::size_t i = 0; i < n_; ++i) change_[i] = dq_end[i] - dq[i];
  for (const auto& [from, to] : to_lanes_) set(lanes_, to, step.value(from));
  for (const Pairs* list : {&settings_, &state_})
    for (const auto& [from, to] : *list) set(at_t_, to, step.value(from));
  at_t_.set(change_id_, change_);
  at_t_.set(w_id_, contacts_.w());
  residual_.evaluate(at_t_, by_parameters_);
  wheelset_.evaluate(at_t_, by_parameters_);
  if (wanted_.forces) find_frames(at_t.poses);

  if (needs_strokes_ || needs_measured_) {
    for (const auto& [from, to] : settings_) set(at_end_, to, step.value(from));
    at_end_.set(q_, stepped.state().q);
  }
  if (needs_strokes_ || needs_felt_) at_t_.set(dq_end_id_, dq_end);
  if (needs_strokes_) {
    strokes_.evaluate(at_end_, by_parameters_);
    at_t_.set(strokes_end_id_, step.value(id.strokes_end));
    advance_.evaluate(at_t_, by_parameters_);
  }
  if (needs_measured_) {
    at_end_.set(dq_, stepped.state().dq);
    if (!z_end_.empty()) at_end_.set(z_id_, stepped.state().z);
    measured_.evaluate(at_end_, by_parameters_);
  }
  if (needs_felt_) felt_.evaluate(at_t_, by_parameters_);
  if (const auto& [x, y] = std::pair(description_->start.body[0], description_->start.body[1]);
      x && y) {
    const double speed = std::hypot(dq_end[*x], dq_end[*y]);
    ahead_ = speed > 0 ? dq_end[*x] / speed : 0, aside_ = speed > 0 ? dq_end[*y] / speed : 0;
  }
  solve(h, J);
  return true;
}

}  // namespace klingel::simulation
