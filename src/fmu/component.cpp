#include "fmu/component.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace klingel::fmu {
namespace {

constexpr unsigned bit(Mode mode) { return 1u << static_cast<unsigned>(mode); }

const char* name_of(Mode mode) {
  constexpr const char* names[] = {"instantiated", "in initialization mode",
                                   "in step mode", "in continuous-time mode",
                                   "terminated",   "failed"};
  return names[static_cast<unsigned>(mode)];
}

}  // namespace

Component* Component::make(const std::string& token, const std::string& resources, bool exchange,
                           Log& log) {
  const klingel_package* package = klingel_fmu_package();
  const std::string file = resources + "/" + package->name + ".klingel";
  char message[600];
  klingel_model* model = klingel_model_create(package, file.c_str(), message, sizeof message);
  if (model == nullptr) {
    log.say(Status::error, "logStatusError", message);
    return nullptr;
  }
  const auto refuse = [&](const char* text) {
    log.say(Status::error, "logStatusError", text);
    klingel_model_free(model);
    return nullptr;
  };
  if (token != klingel_model_token(model)) {
    std::snprintf(message, sizeof message,
                  "the token '%.80s' is not that of this FMU, '%s': modelDescription.xml and "
                  "binary do not belong together",
                  token.c_str(), klingel_model_token(model));
    return refuse(message);
  }
  if (exchange && klingel_continuous_states(model) == 0)
    return refuse(
        "Model Exchange is for mechanisms without constraints; a vehicle on rails has a "
        "discrete step of its own: use Co-Simulation");
  klingel_instance* instance = klingel_create(model, message, sizeof message);
  if (instance == nullptr) return refuse(message);
  klingel_set_forces(instance, KLINGEL_FORCES_NEXT);
  auto* component = new Component;
  component->model_ = model;
  component->instance_ = instance;
  component->exchange_ = exchange;
  return component;
}

Component::~Component() {
  klingel_free(instance_);
  klingel_model_free(model_);
}

bool Component::allowed(const char* function, unsigned modes) {
  if ((modes & bit(mode)) != 0) return true;
  char text[200];
  std::snprintf(text, sizeof text, "%s: not allowed now, the instance is %s", function,
                name_of(mode));
  log->say(Status::error, "logStatusError", text);
  return false;
}

Status Component::refuse(const char* function, const char* why) {
  char text[400];
  std::snprintf(text, sizeof text, "%s: %s", function, why);
  log->say(Status::error, "logStatusError", text);
  return Status::error;
}

Status Component::fail(const char* text) {
  log->say(Status::error, "logStatusError", text);
  return Status::error;
}

Status Component::setup(double start_time) {
  if (!std::isfinite(start_time)) return fail("the start time is not a finite number");
  start_time_ = start_time;
  return Status::ok;
}

Status Component::enter_initialization() {
  mode = Mode::initialization;
  return Status::ok;
}

Status Component::start_if_needed() {
  if (started_) return Status::ok;
  if (klingel_start(instance_) != KLINGEL_OK) return fail(klingel_message(instance_));
  started_ = true;
  return Status::ok;
}

Status Component::exit_initialization() {
  const Status status = start_if_needed();
  mode = status == Status::ok ? Mode::running : Mode::failed;
  return status;
}

Status Component::terminate() {
  mode = Mode::terminated;
  return Status::ok;
}

Status Component::reset() {
  if (klingel_reset(instance_) != KLINGEL_OK) return fail(klingel_message(instance_));
  mode = Mode::instantiated;
  started_ = over_ = false;
  start_time_ = 0;
  return Status::ok;
}

double Component::time() const { return start_time_ + klingel_time(instance_); }

Status Component::get(unsigned ref, double& value) {
  const unsigned kind = ref != 0 ? (ref - 1) >> 20 : 0;
  const std::size_t index = ref != 0 ? (ref - 1) & 0xfffff : 0;
  char text[120];
  std::snprintf(text, sizeof text, "there is no variable with the value reference %u", ref);
  if (ref == 0) {
    value = started_ ? time() : start_time_;
    return Status::ok;
  }
  if (kind == derivative_kind && index < states()) {
    if (start_if_needed() != Status::ok) return Status::error;
    std::vector<double> dx(states());
    const Status status = derivatives(dx.data(), dx.size());
    value = dx[index];
    return status;
  }
  if (kind > KLINGEL_OUTPUT || index >= klingel_count(model_, static_cast<klingel_kind>(kind)))
    return fail(text);
  if (kind == KLINGEL_PARAMETER) {
    value = klingel_get_parameter(instance_, index);
  } else if (kind == KLINGEL_INPUT) {
    value = klingel_get_input(instance_, index);
  } else {
    // outputs in initialization mode are those of the start
    if (start_if_needed() != Status::ok) return Status::error;
    value = klingel_get_output(instance_, index);
  }
  return Status::ok;
}

Status Component::set(unsigned ref, double value) {
  const unsigned kind = ref != 0 ? (ref - 1) >> 20 : unsigned{KLINGEL_OUTPUT};
  const std::size_t index = ref != 0 ? (ref - 1) & 0xfffff : 0;
  char text[160];
  if (kind != KLINGEL_PARAMETER && kind != KLINGEL_INPUT) {
    std::snprintf(text, sizeof text,
                  "the variable with the value reference %u cannot be set: it is no parameter and "
                  "no input",
                  ref);
    return fail(text);
  }
  const klingel_variable* v = klingel_variable_at(model_, static_cast<klingel_kind>(kind), index);
  const bool of_start = v != nullptr && std::strncmp(v->name, "start.", 6) == 0;
  if (kind == KLINGEL_PARAMETER && of_start && mode != Mode::instantiated &&
      mode != Mode::initialization) {
    std::snprintf(text, sizeof text, "'%s' belongs to the start: set it before the first step",
                  v->name);
    return fail(text);
  }
  const klingel_status status = kind == KLINGEL_PARAMETER
                                    ? klingel_set_parameter(instance_, index, value)
                                    : klingel_set_input(instance_, index, value);
  if (status != KLINGEL_OK) return fail(klingel_message(instance_));
  if (mode == Mode::instantiated || mode == Mode::initialization) started_ = false;
  return Status::ok;
}

Status Component::do_step(double now, double size) {
  const double h = klingel_model_step(model_), close = 1e-3 * h;
  char text[300];
  if (!std::isfinite(now) || !std::isfinite(size) || std::abs(now - time()) > close) {
    std::snprintf(text, sizeof text,
                  "the communication point is %.9g s, but the instance is at %.9g s", now, time());
    return fail(text);
  }
  const double steps = std::round((now + size - time()) / h);
  if (!(size > 0) || steps < 1 || steps > 1e9 ||
      std::abs(now + size - time() - steps * h) > close) {
    std::snprintf(text, sizeof text,
                  "a communication step of %.9g s cannot be done: it must be a multiple of the "
                  "inner step of %g s; nothing was changed",
                  size, h);
    log->say(Status::discard, "logStatusDiscard", text);
    return Status::discard;
  }
  for (double k = 0; k < steps; ++k) {
    const klingel_status status = klingel_step(instance_);
    if (status == KLINGEL_OK) continue;
    over_ = status == KLINGEL_DERAILED || status == KLINGEL_END_OF_TRACK;
    log->say(over_ ? Status::discard : Status::error, over_ ? "logStatusDiscard" : "logStatusError",
             klingel_message(instance_));
    if (!over_) mode = Mode::failed;
    return over_ ? Status::discard : Status::error;
  }
  return Status::ok;
}

Status Component::save(std::string& bytes) {
  bytes.assign(state_size(), 0);
  if (klingel_state_save(instance_, bytes.data(), bytes.size()) != KLINGEL_OK)
    return fail(klingel_message(instance_));
  const double own[] = {start_time_, static_cast<double>(mode), started_ ? 1.0 : 0.0,
                        over_ ? 1.0 : 0.0};
  std::memcpy(bytes.data() + bytes.size() - own_size, own, own_size);
  return Status::ok;
}

Status Component::restore(const std::string& bytes) {
  if (bytes.size() != state_size()) return fail("the state is not one of this FMU");
  double own[4];
  std::memcpy(own, bytes.data() + bytes.size() - own_size, own_size);
  if (!(own[1] >= 0 && own[1] <= static_cast<double>(Mode::failed)) || !std::isfinite(own[0]))
    return fail("the state is damaged");
  if (klingel_state_restore(instance_, bytes.data(), bytes.size()) != KLINGEL_OK)
    return fail(klingel_message(instance_));
  start_time_ = own[0];
  mode = static_cast<Mode>(static_cast<int>(own[1]));
  started_ = own[2] != 0, over_ = own[3] != 0;
  return Status::ok;
}

Status Component::set_time(double t) {
  std::vector<double> x(states());
  if (klingel_get_continuous(instance_, x.data(), x.size()) != KLINGEL_OK ||
      klingel_set_continuous(instance_, t - start_time_, x.data(), x.size()) != KLINGEL_OK)
    return fail(klingel_message(instance_));
  return Status::ok;
}

Status Component::get_states(double* x, std::size_t n) {
  if (klingel_get_continuous(instance_, x, n) == KLINGEL_OK) return Status::ok;
  return fail("the number of continuous states is another one");
}

Status Component::set_states(const double* x, std::size_t n) {
  if (klingel_set_continuous(instance_, klingel_time(instance_), x, n) == KLINGEL_OK)
    return Status::ok;
  return fail("the number of continuous states is another one");
}

Status Component::derivatives(double* dx, std::size_t n) {
  if (klingel_derivatives(instance_, dx, n) == KLINGEL_OK) return Status::ok;
  return fail(klingel_message(instance_));
}

// Adds a multiple of the seed to states and inputs.
Status Component::move(const unsigned* knowns, std::size_t n, const double* seed, double by) {
  std::vector<double> x(states());
  if (get_states(x.data(), x.size()) != Status::ok) return Status::error;
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned kind = knowns[i] != 0 ? (knowns[i] - 1) >> 20 : derivative_kind;
    const std::size_t index = (knowns[i] - 1) & 0xfffff;
    const double step = by * seed[i];
    if (kind == KLINGEL_OUTPUT && index < x.size()) {
      x[index] += step;
    } else if (kind != KLINGEL_INPUT || index >= klingel_count(model_, KLINGEL_INPUT)) {
      return fail("knowns of a directional derivative are states and inputs");
    } else if (klingel_set_input(instance_, index, klingel_get_input(instance_, index) + step) !=
               KLINGEL_OK) {
      return fail(klingel_message(instance_));
    }
  }
  return set_states(x.data(), x.size());
}

Status Component::directional(const unsigned* unknowns, std::size_t n_unknowns,
                              const unsigned* knowns, std::size_t n_knowns, const double* seed,
                              double* result) {
  if (states() == 0)
    return fail(
        "directional derivatives are those of the continuous form, which vehicles on rails "
        "do not have: their step is discrete");
  if (start_if_needed() != Status::ok) return Status::error;
  double largest = 0;
  for (std::size_t i = 0; i < n_knowns; ++i) largest = std::fmax(largest, std::abs(seed[i]));
  if (!std::isfinite(largest)) return fail("the seed is not finite");
  std::string here;
  if (save(here) != Status::ok) return Status::error;
  const double h = largest > 0 ? 1e-6 / largest : 1;
  std::vector<double> ends[2];
  Status status = Status::ok;
  for (int side = 0; side < 2 && status == Status::ok; ++side) {
    ends[side].resize(n_unknowns);
    status = move(knowns, n_knowns, seed, side == 0 ? -h : h);
    for (std::size_t i = 0; i < n_unknowns && status == Status::ok; ++i)
      status = get(unknowns[i], ends[side][i]);
    if (restore(here) != Status::ok) return Status::error;
  }
  for (std::size_t i = 0; i < n_unknowns && status == Status::ok; ++i)
    result[i] = (ends[1][i] - ends[0][i]) / (2 * h);
  return status;
}

}  // namespace klingel::fmu
