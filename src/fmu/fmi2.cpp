#include "fmu/fmi2.hpp"

#include <cstring>
#include <memory>
#include <string>

#include "fmu/component.hpp"
#include "fmu/held_state.hpp"
#include "fmu/resource_path.hpp"

namespace klingel::fmu {
namespace {

constexpr unsigned in(Mode mode) { return 1u << static_cast<unsigned>(mode); }
constexpr unsigned before_run = in(Mode::instantiated) | in(Mode::initialization);
constexpr unsigned running = in(Mode::running) | in(Mode::continuous);
constexpr unsigned readable =
    in(Mode::initialization) | running | in(Mode::terminated) | in(Mode::failed);
constexpr unsigned alive = before_run | running | in(Mode::terminated) | in(Mode::failed);

struct Instance2 : Log {
  fmi2CallbackFunctions callbacks{};
  std::string name;
  std::unique_ptr<Component> component;

  void say(Status status, const char* category, const char* text) override {
    if (callbacks.logger == nullptr) return;
    // some importers show the format as it is: it is the text itself
    std::string format;
    for (const char* c = text; *c != 0; ++c) format += *c == '%' ? "%%" : std::string(1, *c);
    callbacks.logger(callbacks.componentEnvironment, name.c_str(), static_cast<fmi2Status>(status),
                     category, format.c_str());
  }
};

fmi2Status answer(Status status) { return static_cast<fmi2Status>(status); }

// The component of a call that is legal now; else null after a message.
Component* use(fmi2Component c, const char* function, unsigned modes) {
  if (c == nullptr) return nullptr;
  Component* component = static_cast<Instance2*>(c)->component.get();
  return component->allowed(function, modes) ? component : nullptr;
}

fmi2Status refused(fmi2Component c, const char* function, const char* why) {
  if (c == nullptr) return fmi2Error;
  return answer(static_cast<Instance2*>(c)->component->refuse(function, why));
}

// All variables are Real: lists of other types must be empty.
fmi2Status only_empty(fmi2Component c, const char* function, std::size_t n) {
  if (use(c, function, alive) == nullptr) return fmi2Error;
  return n == 0 ? fmi2OK : refused(c, function, "there are no such variables, all are Real");
}

constexpr char not_discrete[] = "this is for Model Exchange, the instance is for Co-Simulation";

Component* exchange(fmi2Component c, const char* function, unsigned modes) {
  Component* component = use(c, function, modes);
  if (component == nullptr) return nullptr;
  if (component->exchange()) return component;
  component->refuse(function, not_discrete);
  return nullptr;
}

}  // namespace
}  // namespace klingel::fmu

using namespace klingel::fmu;

extern "C" {

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean, std::size_t n,
                               const fmi2String categories[]) {
  if (use(c, "fmi2SetDebugLogging", alive) == nullptr) return fmi2Error;
  for (std::size_t i = 0; i < n; ++i) {
    const char* name = categories != nullptr ? categories[i] : nullptr;
    if (name == nullptr ||
        (std::strcmp(name, "logStatusError") != 0 && std::strcmp(name, "logStatusDiscard") != 0 &&
         std::strcmp(name, "logAll") != 0))
      return refused(c, "fmi2SetDebugLogging", "there is no such category");
  }
  return fmi2OK;  // only errors and refusals are logged, and these always
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean) {
  if (callbacks == nullptr) return nullptr;
  try {
    auto instance = std::make_unique<Instance2>();
    instance->callbacks = *callbacks;
    instance->name = name != nullptr ? name : "";
    if (instance->name.empty() || guid == nullptr) {
      instance->say(Status::error, "logStatusError",
                    "fmi2Instantiate: the name of the instance or the GUID is missing");
      return nullptr;
    }
    const std::string path = path_of_uri(resources != nullptr ? resources : "");
    if (path.empty()) {
      instance->say(Status::error, "logStatusError",
                    "fmi2Instantiate: the location of the resources must be a 'file:' URI");
      return nullptr;
    }
    instance->component.reset(Component::make(guid, path, type == fmi2ModelExchange, *instance));
    if (!instance->component) return nullptr;
    return instance.release();
  } catch (const std::exception&) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Instance2*>(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start,
                               fmi2Boolean stop_defined, fmi2Real stop) {
  Component* component = use(c, "fmi2SetupExperiment", in(Mode::instantiated));
  if (component == nullptr) return fmi2Error;
  return answer(component->setup(start, stop_defined != 0, stop));
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  Component* component = use(c, "fmi2EnterInitializationMode", in(Mode::instantiated));
  return component != nullptr ? answer(component->enter_initialization()) : fmi2Error;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Component* component = use(c, "fmi2ExitInitializationMode", in(Mode::initialization));
  return component != nullptr ? answer(component->exit_initialization()) : fmi2Error;
}
fmi2Status fmi2Terminate(fmi2Component c) {
  Component* component = use(c, "fmi2Terminate", running);
  return component != nullptr ? answer(component->terminate()) : fmi2Error;
}
fmi2Status fmi2Reset(fmi2Component c) {
  Component* component = use(c, "fmi2Reset", alive);
  return component != nullptr ? answer(component->reset()) : fmi2Error;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t n,
                       fmi2Real value[]) {
  Component* component = use(c, "fmi2GetReal", readable);
  if (component == nullptr) return fmi2Error;
  if (n > 0 && (vr == nullptr || value == nullptr))
    return refused(c, "fmi2GetReal", "a list is missing");
  for (std::size_t i = 0; i < n; ++i)
    if (component->get(vr[i], value[i]) != Status::ok) return fmi2Error;
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t n,
                       const fmi2Real value[]) {
  Component* component = use(c, "fmi2SetReal", before_run | running);
  if (component == nullptr) return fmi2Error;
  if (n > 0 && (vr == nullptr || value == nullptr))
    return refused(c, "fmi2SetReal", "a list is missing");
  for (std::size_t i = 0; i < n; ++i)
    if (component->set(vr[i], value[i]) != Status::ok) return fmi2Error;
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], std::size_t n,
                          fmi2Integer[]) {
  return only_empty(c, "fmi2GetInteger", n);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], std::size_t n,
                          fmi2Boolean[]) {
  return only_empty(c, "fmi2GetBoolean", n);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], std::size_t n, fmi2String[]) {
  return only_empty(c, "fmi2GetString", n);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], std::size_t n,
                          const fmi2Integer[]) {
  return only_empty(c, "fmi2SetInteger", n);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], std::size_t n,
                          const fmi2Boolean[]) {
  return only_empty(c, "fmi2SetBoolean", n);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], std::size_t n,
                         const fmi2String[]) {
  return only_empty(c, "fmi2SetString", n);
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  Component* component = use(c, "fmi2GetFMUstate", alive);
  return component == nullptr ? fmi2Error
                              : answer(hold_state(*component, "fmi2GetFMUstate", state));
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  Component* component = use(c, "fmi2SetFMUstate", alive);
  return component == nullptr ? fmi2Error
                              : answer(restore_state(*component, "fmi2SetFMUstate", state));
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  if (c == nullptr) return fmi2Error;
  free_state(state);
  return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, std::size_t* size) {
  Component* component = use(c, "fmi2SerializedFMUstateSize", alive);
  if (component == nullptr) return fmi2Error;
  return answer(held_size(*component, "fmi2SerializedFMUstateSize", state, size));
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 std::size_t size) {
  Component* component = use(c, "fmi2SerializeFMUstate", alive);
  if (component == nullptr) return fmi2Error;
  return answer(write_held(*component, "fmi2SerializeFMUstate", state, bytes, size));
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  Component* component = use(c, "fmi2DeSerializeFMUstate", alive);
  if (component == nullptr) return fmi2Error;
  return answer(read_held(*component, "fmi2DeSerializeFMUstate", bytes, size, state));
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        std::size_t n_unknowns, const fmi2ValueReference knowns[],
                                        std::size_t n_knowns, const fmi2Real seed[],
                                        fmi2Real result[]) {
  constexpr char name[] = "fmi2GetDirectionalDerivative";
  Component* component = use(c, name, running | in(Mode::initialization));
  if (component == nullptr) return fmi2Error;
  if (unknowns == nullptr || knowns == nullptr || seed == nullptr || result == nullptr)
    return refused(c, name, "a list is missing");
  return answer(component->directional(unknowns, n_unknowns, knowns, n_knowns, seed, result));
}

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  Component* component =
      exchange(c, "fmi2EnterEventMode", in(Mode::continuous) | in(Mode::running));
  if (component == nullptr) return fmi2Error;
  component->mode = Mode::running;
  return fmi2OK;
}
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  if (exchange(c, "fmi2NewDiscreteStates", in(Mode::running)) == nullptr || info == nullptr)
    return fmi2Error;
  *info = {};
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  Component* component = exchange(c, "fmi2EnterContinuousTimeMode", in(Mode::running));
  if (component == nullptr) return fmi2Error;
  component->mode = Mode::continuous;
  return fmi2OK;
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* enter_event_mode,
                                       fmi2Boolean* terminate) {
  if (exchange(c, "fmi2CompletedIntegratorStep", in(Mode::continuous)) == nullptr ||
      enter_event_mode == nullptr || terminate == nullptr)
    return fmi2Error;
  *enter_event_mode = *terminate = 0;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
  Component* component = exchange(c, "fmi2SetTime", running);
  return component != nullptr ? answer(component->set_time(t)) : fmi2Error;
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], std::size_t n) {
  Component* component = exchange(c, "fmi2SetContinuousStates", running);
  return component != nullptr ? answer(component->set_states(x, n)) : fmi2Error;
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], std::size_t n) {
  Component* component = exchange(c, "fmi2GetDerivatives", running);
  return component != nullptr ? answer(component->derivatives(dx, n)) : fmi2Error;
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real[], std::size_t n) {
  if (exchange(c, "fmi2GetEventIndicators", running) == nullptr) return fmi2Error;
  return n == 0 ? fmi2OK : refused(c, "fmi2GetEventIndicators", "there are none");
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], std::size_t n) {
  Component* component = exchange(c, "fmi2GetContinuousStates", running);
  return component != nullptr ? answer(component->get_states(x, n)) : fmi2Error;
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], std::size_t n) {
  Component* component = exchange(c, "fmi2GetNominalsOfContinuousStates", running);
  if (component == nullptr || x == nullptr || n != component->states()) return fmi2Error;
  for (std::size_t i = 0; i < n; ++i) x[i] = 1;
  return fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], std::size_t,
                                       const fmi2Integer[], const fmi2Real[]) {
  return refused(c, "fmi2SetRealInputDerivatives",
                 "inputs are constant within a step (canInterpolateInputs is false)");
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], std::size_t,
                                        const fmi2Integer[], fmi2Real[]) {
  return refused(c, "fmi2GetRealOutputDerivatives",
                 "derivatives of outputs are not provided (maxOutputDerivativeOrder is 0)");
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real now, fmi2Real size, fmi2Boolean) {
  Component* component = use(c, "fmi2DoStep", in(Mode::running));
  if (component == nullptr) return fmi2Error;
  if (component->exchange()) return refused(c, "fmi2DoStep", "the instance is for Model Exchange");
  return answer(component->do_step(now, size));
}
fmi2Status fmi2CancelStep(fmi2Component c) {
  return refused(c, "fmi2CancelStep", "steps are not asynchronous, there is none to cancel");
}
fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind, fmi2Status*) {
  return refused(c, "fmi2GetStatus", "steps are not asynchronous, none is pending");
}
fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  Component* component = use(c, "fmi2GetRealStatus", alive);
  if (component == nullptr || value == nullptr) return fmi2Error;
  if (kind != fmi2LastSuccessfulTime)
    return refused(c, "fmi2GetRealStatus", "only fmi2LastSuccessfulTime is a number");
  *value = component->time();
  return fmi2OK;
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind, fmi2Integer*) {
  return refused(c, "fmi2GetIntegerStatus", "there is no such status");
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  Component* component = use(c, "fmi2GetBooleanStatus", alive);
  if (component == nullptr || value == nullptr) return fmi2Error;
  if (kind != fmi2Terminated)
    return refused(c, "fmi2GetBooleanStatus", "only fmi2Terminated is a yes or no");
  *value = component->over() ? 1 : 0;
  return fmi2OK;
}
fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind, fmi2String*) {
  return refused(c, "fmi2GetStringStatus", "steps are not asynchronous, none is pending");
}
}
