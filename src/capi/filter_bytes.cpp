#include <algorithm>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "capi/filter_description.hpp"
#include "capi/filter_model.hpp"

namespace klingel::capi {
namespace {

constexpr char filter_kind[] = "FILT";
constexpr std::uint32_t filter_version = 1;

// Lists of fields serve both directions, as in simulation/description_file.cpp.
template <class B>
void whole(B& b, std::size_t& i) {
  std::uint64_t number = i;
  b(number);
  i = number;
}

template <class B, class T, class Each>
void list(B& b, std::vector<T>& items, Each each) {
  items.resize(b.count(items.size(), 8));
  for (T& item : items) each(item);
}

template <class B>
void setup_fields(B& b, kalman::Setup& s) {
  using Setup = kalman::Setup;
  list(b, s.states, [&](Setup::State& x) { b(x.pattern), b(x.sigma), b(x.noise); });
  base::field(b, s.without);
  list(b, s.walks,
       [&](Setup::Walk& x) { b(x.name), b(x.sigma), b(x.noise), b(x.least), b(x.most); });
  list(b, s.irregularities, [&](Setup::Irregularity& x) {
    whole(b, x.part);
    if (x.part > simulation::cross_level) base::fail("an irregularity is of kind {}", x.part);
    track::Spectrum& of = x.spectrum;
    b(of.A), b(of.omega_c), b(of.omega_r), b(of.omega_s), b(of.is_cross_level);
    b(x.wheelsets), b(x.shortest), b(x.longest), b(x.reach), b(x.start);
  });
  list(b, s.sensors, [&](Setup::Sensor& x) { b(x.channel), b(x.sigma), whole(b, x.delay); });
  base::field(b, s.outputs);
  whole(b, s.columns);
  base::choice(b, s.filter.method, kalman::Method::unscented, "the method of the filter");
  b(s.filter.gate), whole(b, s.filter.most_delay), whole(b, s.filter.most_outliers);
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
  list(b, start, [&](std::pair<std::string, double>& x) { b(x.first), b(x.second); });
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
  list(b, d.start, [&](std::pair<std::string, double>& x) { b(x.first), b(x.second); });
  b.finish();
  return d;
}

}  // namespace klingel::capi
