// Derivatives and filters of include/klingel.h: simulation/linearise.hpp and kalman/ for C.
#include <klingel.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "capi/model.hpp"
#include "kalman/vehicle_model.hpp"
#include "simulation/linearise.hpp"

struct klingel_lineariser {
  std::shared_ptr<const klingel::simulation::Description> description;
  std::unique_ptr<klingel::simulation::Lineariser> of;
};
struct klingel_filter_setup {
  klingel::kalman::Setup setup;
};
struct klingel_filter {
  std::unique_ptr<klingel::simulation::Instance> vehicle;
  std::unique_ptr<klingel::kalman::VehicleModel> model;
  std::unique_ptr<klingel::kalman::Filter> filter;
};

namespace klingel::capi {
namespace {

template <class Action>
auto pointer_or_message(char* message, std::size_t size, Action action) noexcept
    -> decltype(action()) {
  const auto say = [&](const char* text) {
    if (message == nullptr || size == 0) return;
    std::strncpy(message, text, size - 1);
    message[size - 1] = 0;
  };
  say("");
  try {
    return action();
  } catch (const std::exception& e) {
    say(e.what());
  }
  return nullptr;
}

simulation::Instance& vehicle_of(klingel_instance* instance) {
  if (instance == nullptr) base::fail("the instance is a null pointer");
  simulation::Instance* vehicle = runner_of(*instance).vehicle();
  if (vehicle == nullptr) base::fail("this is for vehicles, not for mechanisms and filters");
  if (!runner_of(*instance).started()) base::fail("the instance was not started");
  return *vehicle;
}

std::vector<std::string> texts(const char* const* names, std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) {
    if (names == nullptr || names[i] == nullptr) base::fail("a name is a null pointer");
    list.emplace_back(names[i]);
  }
  return list;
}

std::shared_ptr<const simulation::Description> description_of(const simulation::Instance& v) {
  return std::make_shared<const simulation::Description>(v.description());
}

template <class Action>
klingel_status change(klingel_filter_setup* setup, bool good, Action action) noexcept {
  if (setup == nullptr || !good) return KLINGEL_WRONG;
  try {
    action(setup->setup);
  } catch (const std::exception&) {
    return KLINGEL_INTERNAL;
  }
  return KLINGEL_OK;
}

const char* name_in(const std::vector<std::string>& a, const std::vector<std::string>& b,
                    std::size_t i) {
  if (i < a.size()) return a[i].c_str();
  return i - a.size() < b.size() ? b[i - a.size()].c_str() : nullptr;
}

const std::vector<std::string>& names_of(const kalman::VehicleModel& m, klingel_filter_part part) {
  if (part == KLINGEL_FILTER_SENSOR) return m.sensor_names();
  return part == KLINGEL_FILTER_OUTPUT ? m.output_names() : m.names();
}

}  // namespace
}  // namespace klingel::capi

using namespace klingel;
using namespace klingel::capi;

klingel_lineariser* klingel_lineariser_create(klingel_instance* instance, const char* const* states,
                                              size_t n_states, const char* const* given,
                                              size_t n_given, const char* const* outputs,
                                              size_t n_outputs, char* message, size_t size) {
  return pointer_or_message(message, size, [&] {
    const simulation::Instance& vehicle = vehicle_of(instance);
    auto made = std::make_unique<klingel_lineariser>();
    made->description = description_of(vehicle);
    made->of = std::make_unique<simulation::Lineariser>(
        made->description, vehicle,
        simulation::LineariseOptions{texts(states, n_states), texts(given, n_given),
                                     texts(outputs, n_outputs)});
    return made.release();
  });
}

void klingel_lineariser_free(klingel_lineariser* l) { delete l; }

size_t klingel_lineariser_states(const klingel_lineariser* l) {
  return l == nullptr ? 0 : l->of->result().states;
}
size_t klingel_lineariser_rows(const klingel_lineariser* l) {
  return l == nullptr ? 0 : l->of->result().states + l->of->result().channels;
}
size_t klingel_lineariser_columns(const klingel_lineariser* l) {
  return l == nullptr ? 0 : l->of->result().states + l->of->result().given;
}
const char* klingel_lineariser_row(const klingel_lineariser* l, size_t i) {
  return l == nullptr ? nullptr : name_in(l->of->state_names(), l->of->channel_names(), i);
}
const char* klingel_lineariser_column(const klingel_lineariser* l, size_t i) {
  return l == nullptr ? nullptr : name_in(l->of->state_names(), l->of->given_names(), i);
}

klingel_status klingel_linearise(klingel_lineariser* l, klingel_instance* instance, double* J,
                                 size_t count) {
  if (l == nullptr || instance == nullptr || J == nullptr) return KLINGEL_WRONG;
  simulation::Instance* vehicle = runner_of(*instance).vehicle();
  if (vehicle == nullptr || !runner_of(*instance).started()) return KLINGEL_WRONG;
  const simulation::Linearisation& r = l->of->result();
  const step::Description& a = *vehicle->simulator().description();
  if (count != r.J.size() || a.data.vehicle != l->description->data.vehicle) return KLINGEL_WRONG;
  if (!l->of->linearise(*vehicle)) return KLINGEL_FAILED;
  std::copy(r.J.begin(), r.J.end(), J);
  return KLINGEL_OK;
}

klingel_filter_setup* klingel_filter_setup_create(void) {
  return pointer_or_message(nullptr, 0,
                            [] { return std::make_unique<klingel_filter_setup>().release(); });
}
void klingel_filter_setup_free(klingel_filter_setup* setup) { delete setup; }

klingel_status klingel_filter_state(klingel_filter_setup* setup, const char* pattern, double sigma,
                                    double noise) {
  const bool good = pattern != nullptr && sigma > 0 && noise >= 0 && std::isfinite(sigma + noise);
  return change(setup, good, [&](kalman::Setup& s) {
    s.states.push_back({pattern, sigma, noise});
  });
}
klingel_status klingel_filter_without(klingel_filter_setup* setup, const char* pattern) {
  return change(setup, pattern != nullptr,
                [&](kalman::Setup& s) { s.without.emplace_back(pattern); });
}
klingel_status klingel_filter_parameter(klingel_filter_setup* setup, const char* name, double sigma,
                                        double noise, double least, double most) {
  const bool good =
      name != nullptr && sigma > 0 && noise >= 0 && std::isfinite(sigma + noise) && least < most;
  return change(setup, good, [&](kalman::Setup& s) {
    s.walks.push_back({name, sigma, noise, least, most});
  });
}
klingel_status klingel_filter_irregularity(klingel_filter_setup* setup, klingel_irregularity what,
                                           int high, double shortest, double longest) {
  const bool known = what >= KLINGEL_LATERAL && what <= KLINGEL_CROSS_LEVEL;
  const bool waves = shortest > 0 && longest > shortest && std::isfinite(longest);
  return change(setup, known && waves, [&](kalman::Setup& s) {
    constexpr track::SpectrumOf of[] = {track::SpectrumOf::lateral, track::SpectrumOf::vertical,
                                        track::SpectrumOf::cross_level};
    const auto quality =
        high != 0 ? track::TrackQuality::high_disturbance : track::TrackQuality::low_disturbance;
    s.irregularities.push_back({static_cast<std::size_t>(what), track::erri_b176(quality, of[what]),
                                "*", shortest, longest});
  });
}
klingel_status klingel_filter_sensor(klingel_filter_setup* setup, const char* output,
                                     double sigma) {
  return change(setup, output != nullptr && sigma > 0 && std::isfinite(sigma),
                [&](kalman::Setup& s) {
                  s.sensors.push_back({output, sigma});
                });
}
klingel_status klingel_filter_output(klingel_filter_setup* setup, const char* pattern) {
  return change(setup, pattern != nullptr,
                [&](kalman::Setup& s) { s.outputs.emplace_back(pattern); });
}
klingel_status klingel_filter_options(klingel_filter_setup* setup, size_t columns, double gate) {
  return change(setup, gate >= 0 && std::isfinite(gate), [&](kalman::Setup& s) {
    s.columns = columns;
    s.filter.gate = gate;
  });
}

klingel_filter* klingel_filter_create(klingel_instance* instance, const klingel_filter_setup* setup,
                                      char* message, size_t size) {
  return pointer_or_message(message, size, [&] {
    const simulation::Instance& like = vehicle_of(instance);
    if (setup == nullptr) base::fail("the setup is a null pointer");
    const auto description = description_of(like);
    auto made = std::make_unique<klingel_filter>();
    made->vehicle = std::make_unique<simulation::Instance>(description);
    made->vehicle->become(like);
    made->model = std::make_unique<kalman::VehicleModel>(description, *made->vehicle, setup->setup);
    const kalman::VehicleModel& m = *made->model;
    made->filter = std::make_unique<kalman::Filter>(*made->model, m.start(), m.start_root(),
                                                    m.noise(), m.sensor_sigma(), m.options());
    return made.release();
  });
}
void klingel_filter_free(klingel_filter* filter) { delete filter; }

size_t klingel_filter_count(const klingel_filter* filter, klingel_filter_part part) {
  return filter == nullptr ? 0 : names_of(*filter->model, part).size();
}
const char* klingel_filter_name(const klingel_filter* filter, klingel_filter_part part,
                                size_t index) {
  if (index >= klingel_filter_count(filter, part)) return nullptr;
  return names_of(*filter->model, part)[index].c_str();
}

klingel_status klingel_filter_set_input(klingel_filter* filter, size_t index, double value) {
  if (filter == nullptr || index >= filter->vehicle->input_names().size() || !std::isfinite(value))
    return KLINGEL_WRONG;
  filter->vehicle->set_input(index, value);
  return KLINGEL_OK;
}

klingel_status klingel_filter_step(klingel_filter* filter, const double* y, size_t count) {
  if (filter == nullptr || y == nullptr || count != filter->model->m) return KLINGEL_WRONG;
  return filter->filter->step({y, count}) ? KLINGEL_OK : KLINGEL_FAILED;
}

klingel_status klingel_filter_get(const klingel_filter* filter, klingel_filter_part part,
                                  double* values, double* sigmas, size_t count) {
  if (filter == nullptr || values == nullptr || count != klingel_filter_count(filter, part))
    return KLINGEL_WRONG;
  const kalman::Filter& f = *filter->filter;
  for (std::size_t i = 0; i < count; ++i) {
    const bool state = part == KLINGEL_FILTER_STATE, sensor = part == KLINGEL_FILTER_SENSOR;
    values[i] = state ? f.x()[i] : sensor ? f.innovations().residual[i] : f.outputs()[i];
    if (sigmas != nullptr)
      sigmas[i] = state ? f.sigma(i) : sensor ? f.innovations().sigma[i] : f.output_sigma()[i];
  }
  return KLINGEL_OK;
}

double klingel_filter_nis(const klingel_filter* filter, size_t* measurements) {
  if (filter == nullptr) return std::numeric_limits<double>::quiet_NaN();
  if (measurements != nullptr) *measurements = filter->filter->innovations().count;
  return filter->filter->innovations().nis;
}
