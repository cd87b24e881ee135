// The functions of include/klingel.h: checks of arguments, and errors turned into statuses.
#include <klingel.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <new>

#include "base/error.hpp"
#include "base/file.hpp"
#include "capi/filter_model.hpp"
#include "capi/mechanism_model.hpp"
#include "capi/model.hpp"
#include "capi/vehicle_model.hpp"
#include "simulation/description.hpp"

struct klingel_model {
  std::shared_ptr<const klingel::capi::Model> model;
  std::vector<klingel_variable> variables[3];
  std::size_t state_size = 0;
};

struct klingel_instance {
  std::shared_ptr<const klingel::capi::Model> model;
  std::unique_ptr<klingel::capi::Runner> runner;
  std::size_t state_size = 0;
  klingel_forces forces = KLINGEL_FORCES_LAST;
  // a step must not allocate: its message is made when it is asked for
  bool step_failed = false;
  std::string message;
};

namespace klingel::capi {

std::vector<double> Runner::continuous() const { base::fail("the model has no continuous form"); }
void Runner::set_continuous(double, const std::vector<double>&) { continuous(); }
Runner& runner_of(klingel_instance& instance) { return *instance.runner; }
runtime::Status Runner::derivatives(std::vector<double>&) {
  continuous();
  return runtime::Status::not_finite;
}

runtime::Status Runner::accelerations(std::vector<double>& ddq) { return derivatives(ddq); }

namespace {

constexpr char state_kind[] = "STAT";
constexpr std::uint32_t state_version = 2;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void say(char* message, std::size_t size, const char* text) noexcept {
  if (message == nullptr || size == 0) return;
  std::strncpy(message, text, size - 1);
  message[size - 1] = 0;
}

// Runs an action that makes a pointer; errors become its message and NULL.
template <class Action>
auto make(char* message, std::size_t size, Action action) noexcept -> decltype(action()) {
  say(message, size, "");
  try {
    return action();
  } catch (const std::bad_alloc&) {
    say(message, size, "out of memory");
  } catch (const std::exception& e) {
    say(message, size, e.what());
  }
  return nullptr;
}

klingel_status wrong(klingel_instance* i, const char* text) noexcept {
  i->step_failed = false;
  try {
    i->message = text;
  } catch (...) {
    i->message.clear();
  }
  return KLINGEL_WRONG;
}

// Runs an action on an instance; errors become a status and its message.
template <class Action>
klingel_status guarded(klingel_instance* i, Action action) noexcept {
  try {
    return action();
  } catch (const base::Error& e) {
    return wrong(i, e.what());
  } catch (const std::exception& e) {
    wrong(i, e.what());
  }
  return KLINGEL_INTERNAL;
}

klingel_status status_of(runtime::Status status) {
  if (status == runtime::Status::ok) return KLINGEL_OK;
  return status == runtime::Status::derailed ? KLINGEL_DERAILED : KLINGEL_FAILED;
}

klingel_status outside(klingel_instance* i, const char* what, std::size_t index,
                       std::size_t count) {
  return guarded(i, [&]() -> klingel_status {
    base::fail("there is no {} {}: the model has {}", what, index, count);
  });
}

klingel_status not_finite(klingel_instance* i, const std::string& name, double value) {
  return guarded(i, [&]() -> klingel_status {
    base::fail("'{}' cannot be {}: expected a finite number", name, value);
  });
}

std::string state_of(const klingel_instance& i) {
  base::ByteWriter bytes;
  std::string token = i.model->token;
  bytes(token);
  i.runner->save(bytes);
  return base::seal(state_kind, state_version, bytes.bytes());
}

void restore(klingel_instance& i, std::string_view sealed) {
  base::ByteReader bytes(base::unseal(state_kind, state_version, sealed, "saved state"));
  std::string token;
  bytes(token);
  if (token != i.model->token)
    base::fail("the saved state is that of another model than '{}'", i.model->name);
  i.runner->restore(bytes);
}

klingel_instance* instance_of(std::shared_ptr<const Model> model, std::size_t state_size) {
  auto instance = std::make_unique<klingel_instance>();
  instance->model = std::move(model);
  instance->runner = instance->model->make();
  instance->state_size = state_size;
  return instance.release();
}

std::shared_ptr<const Model> model_of(const klingel_package& package, const char* file) {
  if (package.interface != KLINGEL_INTERFACE)
    base::fail("the package was made for interface {}, this is {}", package.interface,
               KLINGEL_INTERFACE);
  std::string text;
  std::string_view bytes;
  if (package.data != nullptr) {
    bytes = {reinterpret_cast<const char*>(package.data), package.size};
  } else {
    if (file == nullptr) base::fail("the data of '{}' are in a file: name it", package.name);
    text = base::read_file(file);
    bytes = text;
  }
  const std::string what = package.data != nullptr ? package.name : file;
  if (package.n_kernels == 0) base::fail("the package has no kernels");
  if (is_mechanism(bytes)) return mechanism_model(read_mechanism(bytes, package.kernels[0], what));
  const std::span kernels(package.kernels, package.n_kernels);
  if (is_filter(bytes)) return filter_model_of(bytes, kernels, what);
  return vehicle_model(simulation::read_description(bytes, kernels, what), bytes);
}

}  // namespace

klingel_model* for_c(std::shared_ptr<const Model> model) {
  auto made = std::make_unique<klingel_model>();
  made->model = std::move(model);
  for (std::size_t kind = 0; kind < 3; ++kind) {
    for (const Variable& v : made->model->variables[kind]) {
      made->variables[kind].push_back({v.name.c_str(), v.unit.c_str(), v.about.c_str(), v.start});
    }
  }
  const std::unique_ptr<klingel_instance> one(instance_of(made->model, 0));
  made->state_size = state_of(*one).size();
  return made.release();
}

}  // namespace klingel::capi

using namespace klingel;
using capi::guarded, capi::Kind, capi::wrong;

extern "C" {

uint32_t klingel_interface(void) { return KLINGEL_INTERFACE; }

klingel_model* klingel_model_create(const klingel_package* package, const char* file, char* message,
                                    size_t size) {
  return capi::make(message, size, [&] {
    if (package == nullptr) base::fail("no package was given");
    return capi::for_c(capi::model_of(*package, file));
  });
}

void klingel_model_free(klingel_model* model) { delete model; }
const char* klingel_model_name(const klingel_model* m) {
  return m != nullptr ? m->model->name.c_str() : "";
}
const char* klingel_model_token(const klingel_model* m) {
  return m != nullptr ? m->model->token.c_str() : "";
}
double klingel_model_step(const klingel_model* m) {
  return m != nullptr ? m->model->step : capi::no_number;
}
double klingel_model_duration(const klingel_model* m) {
  return m != nullptr ? m->model->duration : capi::no_number;
}

size_t klingel_count(const klingel_model* m, klingel_kind kind) {
  return m != nullptr && kind <= KLINGEL_OUTPUT ? m->variables[kind].size() : 0;
}

const klingel_variable* klingel_variable_at(const klingel_model* m, klingel_kind kind,
                                            size_t index) {
  return index < klingel_count(m, kind) ? &m->variables[kind][index] : nullptr;
}

long klingel_find(const klingel_model* m, klingel_kind kind, const char* name) {
  const size_t count = name != nullptr ? klingel_count(m, kind) : 0;
  for (size_t i = 0; i < count; ++i)
    if (std::strcmp(m->variables[kind][i].name, name) == 0) return static_cast<long>(i);
  return -1;
}

klingel_instance* klingel_create(const klingel_model* m, char* message, size_t size) {
  return capi::make(message, size, [&] {
    if (m == nullptr) base::fail("no model was given");
    return capi::instance_of(m->model, m->state_size);
  });
}

klingel_instance* klingel_copy(const klingel_instance* i, char* message, size_t size) {
  return capi::make(message, size, [&] {
    if (i == nullptr) base::fail("no instance was given");
    std::unique_ptr<klingel_instance> copy(capi::instance_of(i->model, i->state_size));
    capi::restore(*copy, capi::state_of(*i));
    klingel_set_forces(copy.get(), i->forces);
    return copy.release();
  });
}

void klingel_free(klingel_instance* i) { delete i; }

const char* klingel_message(const klingel_instance* i) {
  if (i == nullptr) return "no instance was given";
  if (i->step_failed) {
    auto* changed = const_cast<klingel_instance*>(i);
    guarded(changed, [&] {
      changed->message = i->runner->at_end() ? "the track ends here" : i->runner->failure();
      return KLINGEL_OK;
    });
    changed->step_failed = false;
  }
  return i->message.c_str();
}

klingel_status klingel_set_parameter(klingel_instance* i, size_t index, double value) {
  if (i == nullptr) return KLINGEL_WRONG;
  const auto& list = i->model->of(Kind::parameter);
  if (index >= list.size()) return capi::outside(i, "parameter", index, list.size());
  if (!std::isfinite(value)) return capi::not_finite(i, list[index].name, value);
  return guarded(i, [&] {
    i->runner->set_parameter(index, value);
    return KLINGEL_OK;
  });
}

double klingel_get_parameter(const klingel_instance* i, size_t index) {
  if (i == nullptr || index >= i->model->of(Kind::parameter).size()) return capi::no_number;
  return i->runner->parameter(index);
}

klingel_status klingel_set_input(klingel_instance* i, size_t index, double value) {
  if (i == nullptr) return KLINGEL_WRONG;
  const auto& list = i->model->of(Kind::input);
  if (index >= list.size()) return capi::outside(i, "input", index, list.size());
  if (!std::isfinite(value) && !(list[index].may_miss && std::isnan(value)))
    return capi::not_finite(i, list[index].name, value);
  if (list[index].name.starts_with("friction.") &&
      !(value >= 0 && value <= simulation::most_friction))
    return guarded(i, [&]() -> klingel_status {
      base::fail("the input '{}' must be from 0 to {:g}, found {:g}; it was not changed",
                 list[index].name, simulation::most_friction, value);
    });
  i->runner->set_input(index, value);
  return KLINGEL_OK;
}

double klingel_get_input(const klingel_instance* i, size_t index) {
  if (i == nullptr || index >= i->model->of(Kind::input).size()) return capi::no_number;
  return i->runner->input(index);
}

klingel_status klingel_release_input(klingel_instance* i, size_t index) {
  if (i == nullptr) return KLINGEL_WRONG;
  const std::size_t count = i->model->of(Kind::input).size();
  if (index >= count) return capi::outside(i, "input", index, count);
  i->runner->release_input(index);
  return KLINGEL_OK;
}

klingel_status klingel_start(klingel_instance* i) {
  if (i == nullptr) return KLINGEL_WRONG;
  return guarded(i, [&] {
    i->runner->start();
    return KLINGEL_OK;
  });
}

klingel_status klingel_reset(klingel_instance* i) {
  if (i == nullptr) return KLINGEL_WRONG;
  return guarded(i, [&] {
    i->runner = i->model->make();
    i->runner->look_ahead(i->forces == KLINGEL_FORCES_NEXT);
    return KLINGEL_OK;
  });
}

klingel_status klingel_step(klingel_instance* i) {
  return i != nullptr ? klingel_step_by(i, i->model->step) : KLINGEL_WRONG;
}

klingel_status klingel_step_by(klingel_instance* i, double h) {
  if (i == nullptr) return KLINGEL_WRONG;
  if (!i->runner->started()) return wrong(i, "the instance was not started; call klingel_start");
  if (i->model->whole_steps && h != i->model->step)
    return wrong(i, "a filter has steps of one length: that of klingel_model_step");
  if (!(h > 0 && h <= i->model->step))
    return wrong(i, "a step must be longer than 0 and at most as long as that of the model");
  const klingel_status status =
      i->runner->at_end() ? KLINGEL_END_OF_TRACK : capi::status_of(i->runner->step(h));
  i->step_failed = status != KLINGEL_OK;
  return status;
}

klingel_status klingel_steps(klingel_instance* i, size_t count) {
  klingel_status status = i != nullptr ? KLINGEL_OK : KLINGEL_WRONG;
  for (size_t k = 0; k < count && status == KLINGEL_OK; ++k) {
    i->runner->measure(k + 1 == count);
    status = klingel_step(i);
  }
  if (i != nullptr) i->runner->measure(true);
  return status;
}

int klingel_is_filter(const klingel_model* m) {
  return m != nullptr && m->model->whole_steps ? 1 : 0;
}

double klingel_time(const klingel_instance* i) {
  return i != nullptr ? i->runner->time() : capi::no_number;
}

klingel_status klingel_set_forces(klingel_instance* i, klingel_forces which) {
  if (i == nullptr) return KLINGEL_WRONG;
  if (which != KLINGEL_FORCES_LAST && which != KLINGEL_FORCES_NEXT)
    return wrong(i, "forces are those of the last or of the next step");
  i->forces = which;
  i->runner->look_ahead(which == KLINGEL_FORCES_NEXT);
  return KLINGEL_OK;
}

double klingel_get_output(klingel_instance* i, size_t index) {
  if (i == nullptr || index >= i->model->of(Kind::output).size()) return capi::no_number;
  return i->runner->output(index);
}

klingel_status klingel_get_outputs(klingel_instance* i, double* values, size_t count) {
  if (i == nullptr) return KLINGEL_WRONG;
  const std::size_t n = i->model->of(Kind::output).size();
  if (values == nullptr || count != n) return capi::outside(i, "list of outputs of size", count, n);
  for (std::size_t k = 0; k < n; ++k) values[k] = i->runner->output(k);
  return KLINGEL_OK;
}

size_t klingel_state_size(const klingel_model* m) { return m != nullptr ? m->state_size : 0; }

klingel_status klingel_state_save(klingel_instance* i, void* bytes, size_t size) {
  if (i == nullptr) return KLINGEL_WRONG;
  return guarded(i, [&] {
    if (bytes == nullptr || size < i->state_size)
      base::fail("a state needs {} bytes, given are {}", i->state_size, size);
    const std::string state = capi::state_of(*i);
    std::memcpy(bytes, state.data(), state.size());
    return KLINGEL_OK;
  });
}

klingel_status klingel_state_restore(klingel_instance* i, const void* bytes, size_t size) {
  if (i == nullptr) return KLINGEL_WRONG;
  return guarded(i, [&] {
    if (bytes == nullptr || size < i->state_size)
      base::fail("a state has {} bytes, given are {}", i->state_size, size);
    capi::restore(*i, {static_cast<const char*>(bytes), i->state_size});
    return KLINGEL_OK;
  });
}

size_t klingel_continuous_states(const klingel_model* m) {
  return m != nullptr ? m->model->continuous_states : 0;
}

klingel_status klingel_get_continuous(const klingel_instance* i, double* x, size_t count) {
  if (i == nullptr || x == nullptr || count != i->model->continuous_states) return KLINGEL_WRONG;
  return guarded(const_cast<klingel_instance*>(i), [&] {
    const std::vector<double> values = i->runner->continuous();
    std::copy(values.begin(), values.end(), x);
    return KLINGEL_OK;
  });
}

klingel_status klingel_set_continuous(klingel_instance* i, double t, const double* x,
                                      size_t count) {
  if (i == nullptr || x == nullptr || count != i->model->continuous_states) return KLINGEL_WRONG;
  return guarded(i, [&] {
    i->runner->set_continuous(t, std::vector<double>(x, x + count));
    return KLINGEL_OK;
  });
}

klingel_status klingel_derivatives(klingel_instance* i, double* dx, size_t count) {
  if (i == nullptr || dx == nullptr || count != i->model->continuous_states) return KLINGEL_WRONG;
  return guarded(i, [&] {
    std::vector<double> values(count);
    const klingel_status status = capi::status_of(i->runner->derivatives(values));
    i->step_failed = status != KLINGEL_OK;
    std::copy(values.begin(), values.end(), dx);
    return status;
  });
}

size_t klingel_coordinates(const klingel_model* m) {
  return m != nullptr ? m->model->coordinates : 0;
}

klingel_status klingel_accelerations(klingel_instance* i, double* ddq, size_t count) {
  if (i == nullptr) return KLINGEL_WRONG;
  if (ddq == nullptr || count == 0 || count != i->model->coordinates)
    return capi::outside(i, "list of coordinates of size", count, i->model->coordinates);
  if (!i->runner->started()) return wrong(i, "the instance was not started; call klingel_start");
  return guarded(i, [&] {
    std::vector<double> values(count);
    const klingel_status status = capi::status_of(i->runner->accelerations(values));
    if (status != KLINGEL_OK) {
      wrong(i, "the continuous equations have no solution at this state");
      return status;
    }
    std::copy(values.begin(), values.end(), ddq);
    return KLINGEL_OK;
  });
}

}  // extern "C"
