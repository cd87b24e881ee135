#include "fmu/fmi3.hpp"

#include <cstring>
#include <memory>
#include <string>

#include "fmu/component.hpp"
#include "fmu/held_state.hpp"

namespace klingel::fmu {
namespace {

constexpr unsigned in(Mode mode) { return 1u << static_cast<unsigned>(mode); }
constexpr unsigned before_run = in(Mode::instantiated) | in(Mode::initialization);
constexpr unsigned running = in(Mode::running) | in(Mode::continuous) | in(Mode::event);
constexpr unsigned readable =
    in(Mode::initialization) | running | in(Mode::terminated) | in(Mode::failed);
constexpr unsigned alive = before_run | running | in(Mode::terminated) | in(Mode::failed);

struct Instance3 : Log {
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback callback = nullptr;
  std::unique_ptr<Component> component;
  bool event_mode_used = false, early_return_allowed = false;

  void say(Status status, const char* category, const char* text) override {
    if (callback != nullptr) callback(environment, static_cast<fmi3Status>(status), category, text);
  }
};

fmi3Status answer(Status status) { return static_cast<fmi3Status>(status); }

// The component of a call that is legal now; else null after a message.
Component* use(fmi3Instance c, const char* function, unsigned modes) {
  if (c == nullptr) return nullptr;
  Component* component = static_cast<Instance3*>(c)->component.get();
  return component->allowed(function, modes) ? component : nullptr;
}

fmi3Status refused(fmi3Instance c, const char* function, const char* why) {
  if (c == nullptr) return fmi3Error;
  return answer(static_cast<Instance3*>(c)->component->refuse(function, why));
}

// The component in event mode, of Model Exchange or of Co-Simulation; else null after a message.
Component* in_event_mode(fmi3Instance c, const char* function) {
  Component* component = use(c, function, in(Mode::running) | in(Mode::event));
  if (component == nullptr || component->exchange() || component->mode == Mode::event)
    return component;
  component->refuse(function, "this is for event mode, the instance is in step mode");
  return nullptr;
}

// All variables are Float64: lists of other types must be empty.
fmi3Status only_empty(fmi3Instance c, const char* function, std::size_t n) {
  if (use(c, function, alive) == nullptr) return fmi3Error;
  return n == 0 ? fmi3OK : refused(c, function, "there are no such variables, all are Float64");
}

constexpr char no_clocks[] = "there are no clocks";

Component* exchange(fmi3Instance c, const char* function, unsigned modes) {
  Component* component = use(c, function, modes);
  if (component == nullptr) return nullptr;
  if (component->exchange()) return component;
  component->refuse(function, "this is for Model Exchange, the instance is for Co-Simulation");
  return nullptr;
}

fmi3Instance instantiate(const char* function, fmi3String name, fmi3String token,
                         fmi3String resources, bool for_exchange,
                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback) {
  try {
    auto instance = std::make_unique<Instance3>();
    instance->environment = environment;
    instance->callback = callback;
    if (name == nullptr || *name == 0 || token == nullptr || resources == nullptr) {
      const std::string text =
          std::string(function) + ": the name, the token or the path of the resources is missing";
      instance->say(Status::error, "logStatusError", text.c_str());
      return nullptr;
    }
    instance->component.reset(Component::make(token, resources, for_exchange, *instance));
    if (!instance->component) return nullptr;
    return instance.release();
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace
}  // namespace klingel::fmu

using namespace klingel::fmu;

extern "C" {

const char* fmi3GetVersion() { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean, std::size_t n,
                               const fmi3String categories[]) {
  if (use(c, "fmi3SetDebugLogging", alive) == nullptr) return fmi3Error;
  for (std::size_t i = 0; i < n; ++i) {
    const char* name = categories != nullptr ? categories[i] : nullptr;
    if (name == nullptr ||
        (std::strcmp(name, "logStatusError") != 0 && std::strcmp(name, "logStatusDiscard") != 0))
      return refused(c, "fmi3SetDebugLogging", "there is no such category");
  }
  return fmi3OK;  // only errors and refusals are logged, and these always
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback callback) {
  return instantiate("fmi3InstantiateModelExchange", name, token, resources, true, environment,
                     callback);
}
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean, fmi3Boolean, fmi3Boolean event_mode_used,
                                         fmi3Boolean early_return_allowed,
                                         const fmi3ValueReference[], std::size_t,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback callback,
                                         fmi3IntermediateUpdateCallback) {
  const fmi3Instance made = instantiate("fmi3InstantiateCoSimulation", name, token, resources,
                                        false, environment, callback);
  if (made == nullptr) return nullptr;
  auto* instance = static_cast<Instance3*>(made);
  instance->event_mode_used = event_mode_used;
  instance->early_return_allowed = early_return_allowed;
  return made;
}
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                               fmi3Boolean, fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback callback,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  if (callback != nullptr)
    callback(environment, fmi3Error, "logStatusError",
             "fmi3InstantiateScheduledExecution: the model has no partitions; use Co-Simulation");
  return nullptr;
}
void fmi3FreeInstance(fmi3Instance c) { delete static_cast<Instance3*>(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
  Component* component = use(c, "fmi3EnterInitializationMode", in(Mode::instantiated));
  if (component == nullptr) return fmi3Error;
  const Status status = component->setup(start, stop_defined, stop);
  return status == Status::ok ? answer(component->enter_initialization()) : answer(status);
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  Component* component = use(c, "fmi3ExitInitializationMode", in(Mode::initialization));
  if (component == nullptr) return fmi3Error;
  const Status status = component->exit_initialization();
  if (status == Status::ok && static_cast<Instance3*>(c)->event_mode_used)
    component->mode = Mode::event;
  return answer(status);
}
fmi3Status fmi3EnterEventMode(fmi3Instance c) {
  Component* component = use(c, "fmi3EnterEventMode", in(Mode::running) | in(Mode::continuous));
  if (component == nullptr) return fmi3Error;
  if (!component->exchange() && !static_cast<Instance3*>(c)->event_mode_used)
    return refused(c, "fmi3EnterEventMode", "the instance was made without event mode");
  component->mode = component->exchange() ? Mode::running : Mode::event;
  return fmi3OK;
}
fmi3Status fmi3Terminate(fmi3Instance c) {
  Component* component = use(c, "fmi3Terminate", running);
  return component != nullptr ? answer(component->terminate()) : fmi3Error;
}
fmi3Status fmi3Reset(fmi3Instance c) {
  Component* component = use(c, "fmi3Reset", alive);
  return component != nullptr ? answer(component->reset()) : fmi3Error;
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], std::size_t n,
                          fmi3Float64 value[], std::size_t n_values) {
  Component* component = use(c, "fmi3GetFloat64", readable);
  if (component == nullptr) return fmi3Error;
  if (n != n_values || (n > 0 && (vr == nullptr || value == nullptr)))
    return refused(c, "fmi3GetFloat64", "a list is missing or too short; there are no arrays");
  for (std::size_t i = 0; i < n; ++i)
    if (component->get(vr[i], value[i]) != Status::ok) return fmi3Error;
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], std::size_t n,
                          const fmi3Float64 value[], std::size_t n_values) {
  Component* component = use(c, "fmi3SetFloat64", before_run | running);
  if (component == nullptr) return fmi3Error;
  if (n != n_values || (n > 0 && (vr == nullptr || value == nullptr)))
    return refused(c, "fmi3SetFloat64", "a list is missing or too short; there are no arrays");
  for (std::size_t i = 0; i < n; ++i)
    if (component->set(vr[i], value[i]) != Status::ok) return fmi3Error;
  return fmi3OK;
}
fmi3Status fmi3GetFloat32(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3Float32[],
                          std::size_t) {
  return only_empty(c, "fmi3GetFloat32", n);
}
fmi3Status fmi3SetFloat32(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                          const fmi3Float32[], std::size_t) {
  return only_empty(c, "fmi3SetFloat32", n);
}
fmi3Status fmi3GetInt8(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3Int8[],
                       std::size_t) {
  return only_empty(c, "fmi3GetInt8", n);
}
fmi3Status fmi3SetInt8(fmi3Instance c, const fmi3ValueReference[], std::size_t n, const fmi3Int8[],
                       std::size_t) {
  return only_empty(c, "fmi3SetInt8", n);
}
fmi3Status fmi3GetUInt8(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3UInt8[],
                        std::size_t) {
  return only_empty(c, "fmi3GetUInt8", n);
}
fmi3Status fmi3SetUInt8(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                        const fmi3UInt8[], std::size_t) {
  return only_empty(c, "fmi3SetUInt8", n);
}
fmi3Status fmi3GetInt16(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3Int16[],
                        std::size_t) {
  return only_empty(c, "fmi3GetInt16", n);
}
fmi3Status fmi3SetInt16(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                        const fmi3Int16[], std::size_t) {
  return only_empty(c, "fmi3SetInt16", n);
}
fmi3Status fmi3GetUInt16(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3UInt16[],
                         std::size_t) {
  return only_empty(c, "fmi3GetUInt16", n);
}
fmi3Status fmi3SetUInt16(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                         const fmi3UInt16[], std::size_t) {
  return only_empty(c, "fmi3SetUInt16", n);
}
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3Int32[],
                        std::size_t) {
  return only_empty(c, "fmi3GetInt32", n);
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                        const fmi3Int32[], std::size_t) {
  return only_empty(c, "fmi3SetInt32", n);
}
fmi3Status fmi3GetUInt32(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3UInt32[],
                         std::size_t) {
  return only_empty(c, "fmi3GetUInt32", n);
}
fmi3Status fmi3SetUInt32(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                         const fmi3UInt32[], std::size_t) {
  return only_empty(c, "fmi3SetUInt32", n);
}
fmi3Status fmi3GetInt64(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3Int64[],
                        std::size_t) {
  return only_empty(c, "fmi3GetInt64", n);
}
fmi3Status fmi3SetInt64(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                        const fmi3Int64[], std::size_t) {
  return only_empty(c, "fmi3SetInt64", n);
}
fmi3Status fmi3GetUInt64(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3UInt64[],
                         std::size_t) {
  return only_empty(c, "fmi3GetUInt64", n);
}
fmi3Status fmi3SetUInt64(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                         const fmi3UInt64[], std::size_t) {
  return only_empty(c, "fmi3SetUInt64", n);
}
fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3Boolean[],
                          std::size_t) {
  return only_empty(c, "fmi3GetBoolean", n);
}
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                          const fmi3Boolean[], std::size_t) {
  return only_empty(c, "fmi3SetBoolean", n);
}
fmi3Status fmi3GetString(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3String[],
                         std::size_t) {
  return only_empty(c, "fmi3GetString", n);
}
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                         const fmi3String[], std::size_t) {
  return only_empty(c, "fmi3SetString", n);
}
fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference[], std::size_t n, std::size_t[],
                         fmi3Binary[], std::size_t) {
  return only_empty(c, "fmi3GetBinary", n);
}
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference[], std::size_t n, fmi3Clock[]) {
  return only_empty(c, "fmi3GetClock", n);
}
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                         const std::size_t[], const fmi3Binary[], std::size_t) {
  return only_empty(c, "fmi3SetBinary", n);
}
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference[], std::size_t n,
                        const fmi3Clock[]) {
  return only_empty(c, "fmi3SetClock", n);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference, std::size_t*) {
  return refused(c, "fmi3GetNumberOfVariableDependencies",
                 "dependencies do not change, modelDescription.xml has them");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference, std::size_t[],
                                       fmi3ValueReference[], std::size_t[], fmi3DependencyKind[],
                                       std::size_t) {
  return refused(c, "fmi3GetVariableDependencies",
                 "dependencies do not change, modelDescription.xml has them");
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  Component* component = use(c, "fmi3GetFMUState", alive);
  return component == nullptr ? fmi3Error
                              : answer(hold_state(*component, "fmi3GetFMUState", state));
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  Component* component = use(c, "fmi3SetFMUState", alive);
  return component == nullptr ? fmi3Error
                              : answer(restore_state(*component, "fmi3SetFMUState", state));
}
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
  if (c == nullptr) return fmi3Error;
  free_state(state);
  return fmi3OK;
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, std::size_t* size) {
  Component* component = use(c, "fmi3SerializedFMUStateSize", alive);
  if (component == nullptr) return fmi3Error;
  return answer(held_size(*component, "fmi3SerializedFMUStateSize", state, size));
}
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[],
                                 std::size_t size) {
  Component* component = use(c, "fmi3SerializeFMUState", alive);
  if (component == nullptr) return fmi3Error;
  return answer(write_held(*component, "fmi3SerializeFMUState", state, bytes, size));
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], std::size_t size,
                                   fmi3FMUState* state) {
  Component* component = use(c, "fmi3DeserializeFMUState", alive);
  if (component == nullptr) return fmi3Error;
  return answer(read_held(*component, "fmi3DeserializeFMUState", bytes, size, state));
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                        std::size_t n_unknowns, const fmi3ValueReference knowns[],
                                        std::size_t n_knowns, const fmi3Float64 seed[],
                                        std::size_t n_seed, fmi3Float64 result[],
                                        std::size_t n_result) {
  constexpr char name[] = "fmi3GetDirectionalDerivative";
  Component* component = use(c, name, running | in(Mode::initialization));
  if (component == nullptr) return fmi3Error;
  if (unknowns == nullptr || knowns == nullptr || seed == nullptr || result == nullptr ||
      n_seed != n_knowns || n_result != n_unknowns)
    return refused(c, name, "a list is missing or too short");
  return answer(component->directional(unknowns, n_unknowns, knowns, n_knowns, seed, result));
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                    const fmi3ValueReference[], std::size_t, const fmi3Float64[],
                                    std::size_t, fmi3Float64[], std::size_t) {
  return refused(c, "fmi3GetAdjointDerivative",
                 "derivatives are not provided (providesAdjointDerivatives is false)");
}
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
  return refused(c, "fmi3EnterConfigurationMode", "there are no structural parameters");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
  return refused(c, "fmi3ExitConfigurationMode", "there are no structural parameters");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                  fmi3Float64[], fmi3IntervalQualifier[]) {
  return refused(c, "fmi3GetIntervalDecimal", no_clocks);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                   fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]) {
  return refused(c, "fmi3GetIntervalFraction", no_clocks);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                               fmi3Float64[]) {
  return refused(c, "fmi3GetShiftDecimal", no_clocks);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                fmi3UInt64[], fmi3UInt64[]) {
  return refused(c, "fmi3GetShiftFraction", no_clocks);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                  const fmi3Float64[]) {
  return refused(c, "fmi3SetIntervalDecimal", no_clocks);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                   const fmi3UInt64[], const fmi3UInt64[]) {
  return refused(c, "fmi3SetIntervalFraction", no_clocks);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                               const fmi3Float64[]) {
  return refused(c, "fmi3SetShiftDecimal", no_clocks);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                const fmi3UInt64[], const fmi3UInt64[]) {
  return refused(c, "fmi3SetShiftFraction", no_clocks);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
  return in_event_mode(c, "fmi3EvaluateDiscreteStates") != nullptr ? fmi3OK : fmi3Error;
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* more, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals, fmi3Boolean* values,
                                    fmi3Boolean* defined, fmi3Float64* next) {
  if (in_event_mode(c, "fmi3UpdateDiscreteStates") == nullptr) return fmi3Error;
  for (fmi3Boolean* flag : {more, terminate, nominals, values, defined})
    if (flag != nullptr) *flag = false;
  if (next != nullptr) *next = 0;
  return fmi3OK;
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
  Component* component = exchange(c, "fmi3EnterContinuousTimeMode", in(Mode::running));
  if (component == nullptr) return fmi3Error;
  component->mode = Mode::continuous;
  return fmi3OK;
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean* event_mode,
                                       fmi3Boolean* terminate) {
  if (exchange(c, "fmi3CompletedIntegratorStep", in(Mode::continuous)) == nullptr ||
      event_mode == nullptr || terminate == nullptr)
    return fmi3Error;
  *event_mode = *terminate = false;
  return fmi3OK;
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) {
  Component* component = exchange(c, "fmi3SetTime", running);
  return component != nullptr ? answer(component->set_time(t)) : fmi3Error;
}
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], std::size_t n) {
  Component* component = exchange(c, "fmi3SetContinuousStates", running);
  return component != nullptr ? answer(component->set_states(x, n)) : fmi3Error;
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 dx[], std::size_t n) {
  Component* component =
      exchange(c, "fmi3GetContinuousStateDerivatives", running | in(Mode::initialization));
  return component != nullptr ? answer(component->derivatives(dx, n)) : fmi3Error;
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64[], std::size_t n) {
  if (exchange(c, "fmi3GetEventIndicators", running) == nullptr) return fmi3Error;
  return n == 0 ? fmi3OK : refused(c, "fmi3GetEventIndicators", "there are none");
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], std::size_t n) {
  Component* component = exchange(c, "fmi3GetContinuousStates", running | in(Mode::initialization));
  return component != nullptr ? answer(component->get_states(x, n)) : fmi3Error;
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 x[], std::size_t n) {
  Component* component = exchange(c, "fmi3GetNominalsOfContinuousStates", running);
  if (component == nullptr || x == nullptr || n != component->states()) return fmi3Error;
  for (std::size_t i = 0; i < n; ++i) x[i] = 1;
  return fmi3OK;
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, std::size_t* n) {
  if (exchange(c, "fmi3GetNumberOfEventIndicators", alive) == nullptr || n == nullptr)
    return fmi3Error;
  *n = 0;
  return fmi3OK;
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, std::size_t* n) {
  Component* component = exchange(c, "fmi3GetNumberOfContinuousStates", alive);
  if (component == nullptr || n == nullptr) return fmi3Error;
  *n = component->states();
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance c) {
  Component* component = use(c, "fmi3EnterStepMode", in(Mode::event));
  if (component == nullptr) return fmi3Error;
  component->mode = Mode::running;
  return fmi3OK;
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference[], std::size_t,
                                    const fmi3Int32[], fmi3Float64[], std::size_t) {
  return refused(c, "fmi3GetOutputDerivatives",
                 "derivatives of outputs are not provided (maxOutputDerivativeOrder is 0)");
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 now, fmi3Float64 size, fmi3Boolean,
                      fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_time) {
  Component* component = use(c, "fmi3DoStep", in(Mode::running));
  if (component == nullptr) return fmi3Error;
  if (component->exchange()) return refused(c, "fmi3DoStep", "the instance is for Model Exchange");
  if (event_needed == nullptr || terminate == nullptr || early_return == nullptr ||
      last_time == nullptr)
    return refused(c, "fmi3DoStep", "a place for a result is missing");
  const Status status = component->do_step(now, size);
  // a vehicle that derails or comes to the end of its track asks for the end of the simulation: no
  // failure, and importers keep what they recorded
  *event_needed = false;
  *terminate = component->over();
  *early_return = component->over() && static_cast<Instance3*>(c)->early_return_allowed;
  *last_time = component->time();
  return component->over() ? fmi3OK : answer(status);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference, fmi3Float64) {
  return refused(c, "fmi3ActivateModelPartition", "the model has no partitions");
}
}
