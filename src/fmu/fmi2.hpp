// Types and functions of FMI 2.0 (Functional Mock-up Interface, fmi-standard.org), written down
// from the standard. All functions of Model Exchange and Co-Simulation.
#pragma once

#include <cstddef>

#define KLINGEL_FMI __attribute__((visibility("default")))

extern "C" {

using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2Char = char;
using fmi2String = const fmi2Char*;
using fmi2Byte = char;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

struct fmi2CallbackFunctions {
  void (*logger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status, fmi2String category,
                 fmi2String message, ...);
  void* (*allocateMemory)(std::size_t, std::size_t);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
};

struct fmi2EventInfo {
  fmi2Boolean newDiscreteStatesNeeded, terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
};

// common to both kinds
KLINGEL_FMI const char* fmi2GetTypesPlatform();
KLINGEL_FMI const char* fmi2GetVersion();
KLINGEL_FMI fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean on, std::size_t,
                                           const fmi2String categories[]);
KLINGEL_FMI fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String guid,
                                          fmi2String resources, const fmi2CallbackFunctions*,
                                          fmi2Boolean visible, fmi2Boolean logging);
KLINGEL_FMI void fmi2FreeInstance(fmi2Component);
KLINGEL_FMI fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean tolerance_defined,
                                           fmi2Real tolerance, fmi2Real start,
                                           fmi2Boolean stop_defined, fmi2Real stop);
KLINGEL_FMI fmi2Status fmi2EnterInitializationMode(fmi2Component);
KLINGEL_FMI fmi2Status fmi2ExitInitializationMode(fmi2Component);
KLINGEL_FMI fmi2Status fmi2Terminate(fmi2Component);
KLINGEL_FMI fmi2Status fmi2Reset(fmi2Component);
KLINGEL_FMI fmi2Status fmi2GetReal(fmi2Component, const fmi2ValueReference[], std::size_t,
                                   fmi2Real[]);
KLINGEL_FMI fmi2Status fmi2GetInteger(fmi2Component, const fmi2ValueReference[], std::size_t,
                                      fmi2Integer[]);
KLINGEL_FMI fmi2Status fmi2GetBoolean(fmi2Component, const fmi2ValueReference[], std::size_t,
                                      fmi2Boolean[]);
KLINGEL_FMI fmi2Status fmi2GetString(fmi2Component, const fmi2ValueReference[], std::size_t,
                                     fmi2String[]);
KLINGEL_FMI fmi2Status fmi2SetReal(fmi2Component, const fmi2ValueReference[], std::size_t,
                                   const fmi2Real[]);
KLINGEL_FMI fmi2Status fmi2SetInteger(fmi2Component, const fmi2ValueReference[], std::size_t,
                                      const fmi2Integer[]);
KLINGEL_FMI fmi2Status fmi2SetBoolean(fmi2Component, const fmi2ValueReference[], std::size_t,
                                      const fmi2Boolean[]);
KLINGEL_FMI fmi2Status fmi2SetString(fmi2Component, const fmi2ValueReference[], std::size_t,
                                     const fmi2String[]);
KLINGEL_FMI fmi2Status fmi2GetFMUstate(fmi2Component, fmi2FMUstate*);
KLINGEL_FMI fmi2Status fmi2SetFMUstate(fmi2Component, fmi2FMUstate);
KLINGEL_FMI fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate*);
KLINGEL_FMI fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, std::size_t*);
KLINGEL_FMI fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate, fmi2Byte[], std::size_t);
KLINGEL_FMI fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte[], std::size_t,
                                               fmi2FMUstate*);
KLINGEL_FMI fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference[],
                                                    std::size_t, const fmi2ValueReference[],
                                                    std::size_t, const fmi2Real[], fmi2Real[]);
// Model Exchange
KLINGEL_FMI fmi2Status fmi2EnterEventMode(fmi2Component);
KLINGEL_FMI fmi2Status fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo*);
KLINGEL_FMI fmi2Status fmi2EnterContinuousTimeMode(fmi2Component);
KLINGEL_FMI fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean, fmi2Boolean*,
                                                   fmi2Boolean*);
KLINGEL_FMI fmi2Status fmi2SetTime(fmi2Component, fmi2Real);
KLINGEL_FMI fmi2Status fmi2SetContinuousStates(fmi2Component, const fmi2Real[], std::size_t);
KLINGEL_FMI fmi2Status fmi2GetDerivatives(fmi2Component, fmi2Real[], std::size_t);
KLINGEL_FMI fmi2Status fmi2GetEventIndicators(fmi2Component, fmi2Real[], std::size_t);
KLINGEL_FMI fmi2Status fmi2GetContinuousStates(fmi2Component, fmi2Real[], std::size_t);
KLINGEL_FMI fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real[], std::size_t);
// Co-Simulation
KLINGEL_FMI fmi2Status fmi2SetRealInputDerivatives(fmi2Component, const fmi2ValueReference[],
                                                   std::size_t, const fmi2Integer[],
                                                   const fmi2Real[]);
KLINGEL_FMI fmi2Status fmi2GetRealOutputDerivatives(fmi2Component, const fmi2ValueReference[],
                                                    std::size_t, const fmi2Integer[], fmi2Real[]);
KLINGEL_FMI fmi2Status fmi2DoStep(fmi2Component, fmi2Real now, fmi2Real size, fmi2Boolean);
KLINGEL_FMI fmi2Status fmi2CancelStep(fmi2Component);
KLINGEL_FMI fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status*);
KLINGEL_FMI fmi2Status fmi2GetRealStatus(fmi2Component, fmi2StatusKind, fmi2Real*);
KLINGEL_FMI fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer*);
KLINGEL_FMI fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean*);
KLINGEL_FMI fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String*);
}
