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
                                   "terminated",   "failed",
                                   "in event mode"};
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
  component->log = &log;
  component->setup(0, false, 0);
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

Status Component::setup(double start_time, bool stop_defined, double stop_time) {
  if (!std::isfinite(start_time)) return fail("the start time is not a finite number");
  if (stop_defined && !(stop_time >= start_time))
    return fail("the stop time is before the start time");
  start_time_ = start_time;
  stop_time_ = stop_defined ? stop_time : start_time + klingel_model_duration(model_);
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
  return setup(0, false, 0);
}

double Component::time() const { return start_time_ + klingel_time(instance_); }

// No step begins where the simulation stops: forces are then those of the step that led there, as
// in the last row of `klingel run`.
bool Component::at_stop() const {
  return klingel_time(instance_) > 0 &&
         std::abs(time() - stop_time_) < 1e-3 * klingel_model_step(model_);
}

Status Component::get(unsigned ref, double& value) {
  const unsigned kind = ref != 0 ? (ref - 1) >> 20 : 0;
  const std::size_t index = ref != 0 ? (ref - 1) & 0xfffff : 0;
  if (ref == 0) {
    value = started_ ? time() : start_time_;
    return Status::ok;
  }
  if (kind == derivative_kind && index < rates()) {
    std::vector<double> dx(rates());
    const Status status = find_rates(dx.data());
    value = dx[index];
    return status;
  }
  if (kind > KLINGEL_OUTPUT || index >= klingel_count(model_, static_cast<klingel_kind>(kind))) {
    char text[120];
    std::snprintf(text, sizeof text, "there is no variable with the value reference %u", ref);
    return fail(text);
  }
  if (kind == KLINGEL_PARAMETER) {
    value = klingel_get_parameter(instance_, index);
  } else if (kind == KLINGEL_INPUT) {
    value = klingel_get_input(instance_, index);
  } else {
    // outputs in initialization mode are those of the start
    if (start_if_needed() != Status::ok) return Status::error;
    klingel_set_forces(instance_, at_stop() ? KLINGEL_FORCES_LAST : KLINGEL_FORCES_NEXT);
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
  const double length = now + size - time();
  if (!(size > 0) || length < close || length > 1e9 * h) {
    std::snprintf(
        text, sizeof text,
        "a communication step of %.9g s cannot be done: expected %g s (a thousandth of the "
        "inner step) to %g s; nothing was changed",
        size, close, 1e9 * h);
    return fail(text);
  }
  // what is nearly a whole number of steps is one: times of importers are rounded
  const double nearest = std::round(length / h);
  const bool multiple = nearest >= 1 && std::abs(length - nearest * h) < close;
  const double whole = multiple ? nearest : std::floor(length / h);
  if (!multiple && klingel_is_filter(model_) != 0) {
    std::snprintf(text, sizeof text,
                  "a communication step of %.9g s cannot be done: a filter has steps of %g s, "
                  "expected a multiple; nothing was changed",
                  size, h);
    return fail(text);
  }
  klingel_status status = klingel_steps(instance_, static_cast<std::size_t>(whole));
  if (status == KLINGEL_OK && !multiple) status = klingel_step_by(instance_, now + size - time());
  if (status == KLINGEL_OK) return Status::ok;
  over_ = status == KLINGEL_DERAILED || status == KLINGEL_END_OF_TRACK;
  log->say(over_ ? Status::discard : Status::error, over_ ? "logStatusDiscard" : "logStatusError",
           klingel_message(instance_));
  if (!over_) mode = Mode::failed;
  return over_ ? Status::discard : Status::error;
}

Status Component::save(std::string& bytes) {
  bytes.assign(state_size(), 0);
  if (klingel_state_save(instance_, bytes.data(), bytes.size()) != KLINGEL_OK)
    return fail(klingel_message(instance_));
  const double own[] = {start_time_, stop_time_, static_cast<double>(mode), started_ ? 1.0 : 0.0,
                        over_ ? 1.0 : 0.0};
  std::memcpy(bytes.data() + bytes.size() - own_size, own, own_size);
  return Status::ok;
}

Status Component::restore(const std::string& bytes) {
  if (bytes.size() != state_size()) return fail("the state is not one of this FMU");
  double own[5];
  std::memcpy(own, bytes.data() + bytes.size() - own_size, own_size);
  if (!(own[2] >= 0 && own[2] <= static_cast<double>(Mode::event)) || !std::isfinite(own[0]))
    return fail("the state is damaged");
  if (klingel_state_restore(instance_, bytes.data(), bytes.size()) != KLINGEL_OK)
    return fail(klingel_message(instance_));
  start_time_ = own[0], stop_time_ = own[1];
  mode = static_cast<Mode>(static_cast<int>(own[2]));
  started_ = own[3] != 0, over_ = own[4] != 0;
  return Status::ok;
}

}  // namespace klingel::fmu
