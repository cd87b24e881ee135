#include "simulation/description_file.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "kernel/check.h"

namespace klingel::simulation {
namespace {

using base::ByteReader, base::ByteWriter, base::choice, base::field, base::index, base::list;

constexpr char kind[] = "VEHI";
constexpr std::uint32_t version = 6;

// All lists of fields serve both directions: B is a ByteWriter or a ByteReader.

template <class B, class T, class Value>
void maybe(B& b, std::optional<T>& value, Value write) {
  bool there = value.has_value();
  b(there);
  if (!there) {
    value.reset();
    return;
  }
  if (!value) value.emplace();
  write(b, *value);
}

// Pieces begin at their knots, except those of mirrored profiles.
template <class B>
void spline_fields(B& b, spline::CubicSpline& s) {
  std::vector<double> knots(s.knots().begin(), s.knots().end());
  std::vector<spline::CubicPiece> pieces(s.pieces().begin(), s.pieces().end());
  field(b, knots);
  list(b, pieces, sizeof(spline::CubicPiece),
       [](B& c, spline::CubicPiece& p) { c(p.a), c(p.b), c(p.c), c(p.d), c(p.u_bp); });
  s = pieces.empty() ? spline::CubicSpline()
                     : spline::CubicSpline(std::move(knots), std::move(pieces));
}

template <class B>
void line_fields(B& b, track::RailLine& line) {
  for (spline::CubicSpline* s : {&line.x, &line.y, &line.z, &line.theta}) {
    spline_fields(b, *s);
    if (s->pieces().size() != line.x.pieces().size() || s->pieces().empty())
      base::fail("a rail has splines of different numbers of pieces");
  }
}

template <class B>
void track_fields(B& b, track::Track& t) {
  b(t.name), b(t.left_profile), b(t.right_profile);
  for (track::RailLine* line : {&t.left, &t.right, &t.centre}) line_fields(b, *line);
  for (spline::CubicSpline* s : {&t.heading, &t.curvature, &t.gradient, &t.rail_distance})
    spline_fields(b, *s);
  for (spline::CubicSpline& s : t.deviations) spline_fields(b, s);
  maybe(b, t.gauge, [](B& c, double& x) { c(x); });
}

bool operator==(const track::RailLine& a, const track::RailLine& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.theta == b.theta;
}

// A rail's line is nearly always that of the track, which is then not written again.
template <class B>
void rail_fields(B& b, contact::RailSurface& rail, const track::RailLine& of_track) {
  spline_fields(b, rail.f_r);
  bool same = rail.line == of_track;
  b(same);
  if (same)
    rail.line = of_track;
  else
    line_fields(b, rail.line);
}

template <class B>
void chart_fields(B& b, contact::ContactChart::Numbers& n) {
  for (contact::ChartAxis& axis : n.axes) b(axis.begin), b(axis.step), index(b, axis.count);
  b(n.tilt), b(n.shear.lean), b(n.shear.turn);
  n.coefficients.resize(b.count(n.coefficients.size(), sizeof(base::Pack)));
  b.raw(n.coefficients.data(), n.coefficients.size() * sizeof(base::Pack));
}

struct SheetNumbers {
  contact::ContactChart::Numbers chart{};
  double k = 0, eps = 0;

  SheetNumbers() = default;
  explicit SheetNumbers(const contact::ChartedSheet& s)
      : chart(s.chart.numbers()), k(s.k), eps(s.eps) {}
  contact::ChartedSheet sheet() { return {contact::ContactChart(std::move(chart)), k, eps}; }
};

template <class B>
void sheet_fields(B& b, SheetNumbers& s) {
  chart_fields(b, s.chart);
  b(s.k), b(s.eps);
}

void pair_fields(ByteWriter& b, const contact::ChartedPair& p) {
  SheetNumbers tread(p.tread);
  std::optional<SheetNumbers> flange;
  if (p.flange) flange.emplace(*p.flange);
  std::vector<double> numbers{p.load, p.r0, p.top, p.flange_height};
  field(b, numbers);
  sheet_fields(b, tread);
  maybe(b, flange, sheet_fields<ByteWriter>);
}

std::shared_ptr<const contact::ChartedPair> read_pair(ByteReader& b) {
  std::vector<double> numbers;
  SheetNumbers tread;
  std::optional<SheetNumbers> flange;
  field(b, numbers);
  if (numbers.size() != 4) base::fail("charts have {} numbers, expected 4", numbers.size());
  sheet_fields(b, tread);
  maybe(b, flange, sheet_fields<ByteReader>);
  std::optional<contact::ChartedSheet> second;
  if (flange) second.emplace(flange->sheet());
  return std::make_shared<const contact::ChartedPair>(contact::ChartedPair{
      numbers[0], numbers[1], tread.sheet(), std::move(second), numbers[2], numbers[3]});
}

using Pairs = std::vector<std::shared_ptr<const contact::ChartedPair>>;

// Charts are shared by wheels: each is written once.
Pairs pairs_of(const step::VehicleData& data) {
  Pairs pairs;
  for (const step::WheelData& w : data.wheels) {
    const auto add = [&](const std::shared_ptr<const contact::ChartedPair>& pair) {
      if (pair && std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
    };
    add(w.pair);
    for (const step::ChartPlace& place : w.places) add(place.pair);
  }
  return pairs;
}

// 0: none, else the number of its charts
template <class B>
void pair_number(B& b, std::shared_ptr<const contact::ChartedPair>& pair, const Pairs& pairs) {
  std::size_t number =
      static_cast<std::size_t>(std::find(pairs.begin(), pairs.end(), pair) - pairs.begin()) + 1;
  if (!pair) number = 0;
  index(b, number);
  if (number > pairs.size()) base::fail("a wheel has charts {} of {}", number, pairs.size());
  if (number > 0) pair = pairs[number - 1];
}

template <class B>
void wheel_fields(B& b, step::WheelData& w, const Pairs& pairs, std::size_t wheelsets) {
  b(w.name), index(b, w.wheelset);
  if (w.wheelset >= wheelsets) base::fail("a wheel belongs to wheelset {}", w.wheelset);
  choice(b, w.side, profile::Side::right, "the side of a wheel");
  b(w.y_w);
  spline_fields(b, w.surface.f_w);
  if (w.surface.f_w.pieces().empty()) base::fail("a wheel has no profile");
  for (contact::Interval* zone : {&w.tread, &w.flange}) b(zone->low), b(zone->high);
  pair_number(b, w.pair, pairs);
  list(b, w.places, 16, [&](B& c, step::ChartPlace& place) {
    c(place.s);
    pair_number(c, place.pair, pairs);
    if (!place.pair || place.pair->flange.has_value() != w.pair->flange.has_value())
      base::fail("charts of a wheel do not fit together");
  });
}

template <class B>
void law_fields(B& b, step::ContactLaw& l) {
  choice(b, l.creep.law, creep::CreepLaw::fastsim, "the creep law");
  b(l.creep.polach.k_A), b(l.creep.polach.k_S), b(l.creep.falling.A), b(l.creep.falling.B);
  b(l.E), b(l.poisson), b(l.G);
  choice(b, l.kalker, creep::KalkerInterpolation::linear, "Kalker's interpolation");
  b(l.B_floor), b(l.V_floor);
  choice(b, l.flange.law, contact::ElasticLaw::hertz, "the law of flanges");
  b(l.flange.k), b(l.flange.c), b(l.unilateral);
  b(l.rail_stiffness), b(l.rail_damping), b(l.lost_gap);
  step::Foundation& f = l.foundation;
  b(f.mass), b(f.lateral_stiffness), b(f.lateral_damping);
  b(f.vertical_stiffness), b(f.vertical_damping);
}

template <class B>
void measure_fields(B& b, std::vector<step::MeasureData>& measures) {
  list(b, measures, 25,
       [](B& c, step::MeasureData& m) { c(m.name), c(m.unit), c(m.about), c(m.felt); });
}

template <class B>
void unit_fields(B& b, step::Units& units) {
  list(b, units.of, 8, index<B>);
  list(b, units.joined, 16,
       [](B& c, std::array<std::size_t, 2>& pair) { index(c, pair[0]), index(c, pair[1]); });
}

template <class B>
void body_fields(B& b, start::BodyCoordinates& body) {
  for (std::optional<std::size_t>& c : body) maybe(b, c, index<B>);
}

template <class B>
void start_fields(B& b, start::Start& s) {
  b(s.position), b(s.speed), b(s.equilibrium);
  list(b, s.held, 16, [](B& c, start::Start::Held& h) { index(c, h.coordinate), c(h.value); });
  body_fields(b, s.body);
  list(b, s.grounded, 6, body_fields<B>);
  list(b, s.spins, 8, index<B>);
}

template <class B>
void method_fields(B& b, step::StepOptions& o) {
  choice(b, o.scheme, step::Scheme::reference, "the integrator");
  choice(b, o.method, step::LinearMethod::partitioning, "the method of linear systems");
  choice(b, o.projections, step::Projections::full, "the projections");
  b(o.phi_tolerance), b(o.phi_d_tolerance), b(o.rate_tolerance), b(o.phi_limit), b(o.theta);
  b(o.balance);
  auto iterations = static_cast<std::size_t>(o.most_iterations);
  index(b, iterations);
  o.most_iterations = static_cast<int>(std::min<std::size_t>(iterations, 1000));
}

template <class B>
void run_fields(B& b, Description& d) {
  b(d.scenario), start_fields(b, d.start), b(d.steady);
  list(b, d.inputs, 24, [](B& c, Signal& s) {
    index(c, s.input), field(c, s.times), field(c, s.values);
    if (s.times.empty() || s.times.size() != s.values.size())
      base::fail("a signal has {} times and {} values", s.times.size(), s.values.size());
  });
  list(b, d.friction, 16, [](B& c, WheelFriction& f) { index(c, f.wheel), c(f.mu); });
  maybe(b, d.driver, [](B& c, Driver& x) {
    index(c, x.input), field(c, x.s), field(c, x.speeds), c(x.mass), c(x.response);
    if (x.s.empty() || x.s.size() != x.speeds.size()) base::fail("a driver has no speeds");
  });
  maybe(b, d.rail_friction, [](B& c, RailFriction& x) {
    field(c, x.s), field(c, x.left), field(c, x.right);
    if (x.s.empty() || x.s.size() != x.left.size() || x.s.size() != x.right.size())
      base::fail("friction of the rails has no points");
  });
  b(d.step), b(d.duration), method_fields(b, d.method), b(d.interval);
  field(b, d.channels), field(b, d.warnings), field(b, d.input_units), field(b, d.parameter_units);
  list(b, d.limits, 9, [](B& c, ParameterLimit& x) { c(x.positive), c(x.what); });
}

template <class B>
void fields_of_state(B& b, step::VehicleState& s) {
  std::uint64_t steps = static_cast<std::uint64_t>(s.step);
  b(s.t), b(steps), field(b, s.q), field(b, s.dq), field(b, s.z), field(b, s.track);
  s.step = static_cast<std::int64_t>(steps);
  const auto point = [](B& c, step::PointState& p) {
    for (std::size_t k = 0; k < 4; ++k) c(p.s[k]), c(p.ds[k]), c(p.dds[k]);
    c(p.gap), c(p.N), c(p.deflection), c(p.gamma_n), c(p.found), c(p.on), c(p.steady);
    c(p.slip_rate[0]), c(p.slip_rate[1]);
  };
  list(b, s.tread, 147, point), list(b, s.flange, 147, point);
}

struct KernelName {
  std::string model, hash;
};

template <class B>
void kernel_fields(B& b, KernelName& k) {
  b(k.model), b(k.hash);
}

KernelName name_of(const klingel_kernel* kernel) {
  return kernel != nullptr ? KernelName{kernel->model, kernel->hash} : KernelName{};
}

// What the fields themselves cannot know: indices into each other and into the kernels.
void check(const StoredDescription& stored) {
  const Description& d = *stored.description;
  const auto below = [](std::size_t i, std::size_t n, const char* what) {
    if (i >= n) base::fail("the data have {} {}, but there are {}", what, i, n);
  };
  std::size_t q = 0, u = 0, z = 0;
  for (std::uint32_t i = 0; i < d.data.vehicle->n_inputs; ++i) {
    const klingel_input& in = d.data.vehicle->inputs[i];
    if (in.name == std::string_view("q")) q = in.size;
    if (in.name == std::string_view("u")) u = in.size;
    if (in.name == std::string_view("z")) z = in.size;
  }
  for (const Signal& s : d.inputs) below(s.input, u, "input");
  if (d.driver) below(d.driver->input, u, "input");
  if (d.driver && (!d.start.body[0] || !d.start.body[1])) base::fail("a driver without a body");
  for (const WheelFriction& f : d.friction) below(f.wheel, d.data.wheels.size(), "wheel");
  for (const start::Start::Held& h : d.start.held) below(h.coordinate, q, "coordinate");
  for (const std::size_t s : d.start.spins) below(s, q, "coordinate");
  if (!d.data.units.of.empty() && d.data.units.of.size() != q)
    base::fail("the data give units to {} coordinates, but there are {}", d.data.units.of.size(),
               q);
  for (const std::size_t unit : d.data.units.of) below(unit, q, "unit");
  for (const auto& pair : d.data.units.joined)
    for (const std::size_t unit : pair) below(unit, d.data.units.count(), "unit");
  const auto body = [&](const start::BodyCoordinates& b) {
    for (const std::optional<std::size_t>& c : b)
      if (c) below(*c, q, "coordinate");
  };
  body(d.start.body);
  for (const start::BodyCoordinates& b : d.start.grounded) body(b);
  for (const step::WheelData& w : d.data.wheels)
    if ((w.pair != nullptr) != d.data.loaded()) base::fail("some wheels have charts, others none");
  if (!d.data.loaded() && d.data.contact == nullptr) base::fail("rigid treads need their kernels");
  if (!(d.step > 0) || !(d.duration > 0)) base::fail("step or duration is not positive");
  if (stored.start &&
      (stored.start->q.size() != q || stored.start->dq.size() != q ||
       stored.start->tread.size() != d.data.wheels.size() ||
       stored.start->flange.size() != d.data.wheels.size() ||
       (!stored.start->z.empty() && stored.start->z.size() != z) ||
       (!stored.start->track.empty() && stored.start->track.size() != 6 * d.data.wheelsets.size())))
    base::fail("the stored start does not fit the vehicle");
}

}  // namespace

const klingel_kernel* find_kernel(std::span<const klingel_kernel* const> kernels,
                                  const std::string& model, const std::string& hash) {
  if (model.empty()) return nullptr;
  for (const klingel_kernel* k : kernels) {
    char message[200];
    if (klingel_kernel_check(k, message, sizeof message) != 0) base::fail("kernels: {}", message);
    if (k->model != model) continue;
    if (k->hash != hash)
      base::fail("the kernels of '{}' are not those the data were written with", model);
    return k;
  }
  base::fail("the kernels of '{}' are missing", model);
}

void state_fields(ByteWriter& bytes, step::VehicleState& state) { fields_of_state(bytes, state); }
void state_fields(ByteReader& bytes, step::VehicleState& state) { fields_of_state(bytes, state); }

std::string description_bytes(const StoredDescription& stored) {
  ByteWriter b;
  Description d = *stored.description;
  for (const klingel_kernel* k : {d.data.vehicle, d.data.contact}) {
    KernelName name = name_of(k);
    kernel_fields(b, name);
  }
  b(d.data.name), field(b, d.data.wheelsets);
  track_fields(b, d.track);
  rail_fields(b, d.data.left, d.track.left), rail_fields(b, d.data.right, d.track.right);
  law_fields(b, d.data.law), b(d.data.friction), measure_fields(b, d.data.measures);
  unit_fields(b, d.data.units);
  const Pairs pairs = pairs_of(d.data);
  b.count(pairs.size(), 1);
  for (const auto& pair : pairs) pair_fields(b, *pair);
  list(b, d.data.wheels, 1, [&](ByteWriter& c, step::WheelData& w) {
    wheel_fields(c, w, pairs, d.data.wheelsets.size());
  });
  run_fields(b, d);
  std::optional<step::VehicleState> start = stored.start;
  maybe(b, start, fields_of_state<ByteWriter>);
  return base::seal(kind, version, b.bytes());
}

StoredDescription read_description(std::string_view bytes,
                                   std::span<const klingel_kernel* const> kernels,
                                   const std::string& what) {
  ByteReader b(base::unseal(kind, version, bytes, what));
  const auto description = std::make_shared<Description>();
  Description& d = *description;
  KernelName vehicle, contact;
  kernel_fields(b, vehicle), kernel_fields(b, contact);
  d.data.vehicle = find_kernel(kernels, vehicle.model, vehicle.hash);
  d.data.contact = find_kernel(kernels, contact.model, contact.hash);
  if (d.data.vehicle == nullptr) base::fail("{}: names no kernels", what);
  b(d.data.name), field(b, d.data.wheelsets);
  track_fields(b, d.track);
  rail_fields(b, d.data.left, d.track.left), rail_fields(b, d.data.right, d.track.right);
  law_fields(b, d.data.law), b(d.data.friction), measure_fields(b, d.data.measures);
  unit_fields(b, d.data.units);
  Pairs pairs(b.count(0, 1));
  for (auto& pair : pairs) pair = read_pair(b);
  list(b, d.data.wheels, 1, [&](ByteReader& c, step::WheelData& w) {
    wheel_fields(c, w, pairs, d.data.wheelsets.size());
  });
  run_fields(b, d);
  StoredDescription stored;
  maybe(b, stored.start, fields_of_state<ByteReader>);
  b.finish();
  stored.description = description;
  check(stored);
  return stored;
}

}  // namespace klingel::simulation
