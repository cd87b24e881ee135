#include <algorithm>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "capi/filter_description.hpp"
#include "capi/filter_model.hpp"

namespace klingel::capi {
namespace {

using base::index, base::list;

constexpr char filter_kind[] = "FILT";
constexpr std::uint32_t filter_version = 1;

// Every item has a text or a number of eight bytes.
constexpr std::size_t least = 8;

// Serves both directions: B is a ByteWriter or a ByteReader.
template <class B>
void setup_fields(B& b, kalman::Setup& s) {
  using Setup = kalman::Setup;
  list(b, s.states, least, [](B& c, Setup::State& x) { c(x.pattern), c(x.sigma), c(x.noise); });
  base::field(b, s.without);
  list(b, s.walks, least,
       [](B& c, Setup::Walk& x) { c(x.name), c(x.sigma), c(x.noise), c(x.least), c(x.most); });
  list(b, s.irregularities, least, [](B& c, Setup::Irregularity& x) {
    index(c, x.part);
    if (x.part > simulation::cross_level) base::fail("an irregularity is of kind {}", x.part);
    track::Spectrum& of = x.spectrum;
    c(of.A), c(of.omega_c), c(of.omega_r), c(of.omega_s), c(of.is_cross_level);
    c(x.wheelsets), c(x.shortest), c(x.longest), c(x.reach), c(x.start);
  });
  list(b, s.sensors, least,
       [](B& c, Setup::Sensor& x) { c(x.channel), c(x.sigma), index(c, x.delay); });
  base::field(b, s.outputs);
  index(b, s.columns);
  base::choice(b, s.filter.method, kalman::Method::unscented, "the method of the filter");
  b(s.filter.gate), index(b, s.filter.most_delay), index(b, s.filter.most_outliers);
}

template <class B>
void start_fields(B& b, std::vector<std::pair<std::string, double>>& start) {
  list(b, start, least, [](B& c, std::pair<std::string, double>& x) { c(x.first), c(x.second); });
}

struct KernelName {
  std::string model, hash;
};

KernelName name_of(const klingel_kernel* kernel) {
  return kernel != nullptr ? KernelName{kernel->model, kernel->hash} : KernelName{};
}

}  // namespace

std::string filter_bytes(const FilterDescription& description) {
  base::ByteWriter b;
  std::string name = description.name;
  std::string vehicle = simulation::description_bytes(description.vehicle);
  b(name), b(vehicle);
  for (const klingel_kernel* k :
       {description.on_lanes->data.vehicle, description.on_lanes->derivatives}) {
    KernelName of = name_of(k);
    b(of.model), b(of.hash);
  }
  kalman::Setup setup = description.setup;
  setup_fields(b, setup);
  auto start = description.start;
  start_fields(b, start);
  return base::seal(filter_kind, filter_version, b.bytes());
}

bool is_filter(std::string_view bytes) {
  return bytes.size() > 12 && bytes.substr(0, 8) == "KLINGEL\n" &&
         bytes.substr(8, 4) == filter_kind;
}

FilterDescription read_filter(std::string_view bytes,
                              std::span<const klingel_kernel* const> kernels,
                              const std::string& what) {
  base::ByteReader b(base::unseal(filter_kind, filter_version, bytes, what));
  FilterDescription d;
  std::string vehicle;
  b(d.name), b(vehicle);
  d.vehicle = simulation::read_description(vehicle, kernels, what);
  if (!d.vehicle.start) base::fail("{}: the filter's vehicle has no start", what);
  KernelName lanes, derivatives;
  b(lanes.model), b(lanes.hash), b(derivatives.model), b(derivatives.hash);
  const auto on_lanes = std::make_shared<simulation::Description>(*d.vehicle.description);
  on_lanes->data.vehicle = simulation::find_kernel(kernels, lanes.model, lanes.hash);
  if (on_lanes->data.vehicle == nullptr) base::fail("{}: names no kernels on lanes", what);
  on_lanes->derivatives = simulation::find_kernel(kernels, derivatives.model, derivatives.hash);
  d.on_lanes = on_lanes;
  setup_fields(b, d.setup);
  start_fields(b, d.start);
  b.finish();
  return d;
}

}  // namespace klingel::capi
