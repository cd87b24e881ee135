// Types and functions of FMI 3.0 (Functional Mock-up Interface, fmi-standard.org), written down
// from the standard. All functions of all three kinds.
#pragma once

#include <cstddef>
#include <cstdint>

#define KLINGEL_FMI __attribute__((visibility("default")))

extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Int8 = std::int8_t;
using fmi3UInt8 = std::uint8_t;
using fmi3Int16 = std::int16_t;
using fmi3UInt16 = std::uint16_t;
using fmi3Int32 = std::int32_t;
using fmi3UInt32 = std::uint32_t;
using fmi3Int64 = std::int64_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3Char = char;
using fmi3String = const fmi3Char*;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
};
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                        fmi3String message);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean,
                                                fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                                fmi3Boolean*, fmi3Float64*);
using fmi3ClockUpdateCallback = void (*)(fmi3InstanceEnvironment);
using fmi3LockPreemptionCallback = void (*)();
using fmi3UnlockPreemptionCallback = void (*)();

KLINGEL_FMI const char* fmi3GetVersion();
KLINGEL_FMI fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, std::size_t,
                                           const fmi3String[]);
KLINGEL_FMI fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                      fmi3String resources, fmi3Boolean visible,
                                                      fmi3Boolean logging, fmi3InstanceEnvironment,
                                                      fmi3LogMessageCallback);
KLINGEL_FMI fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
    const fmi3ValueReference required[], std::size_t n_required, fmi3InstanceEnvironment,
    fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
KLINGEL_FMI fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3ClockUpdateCallback,
    fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback);
KLINGEL_FMI void fmi3FreeInstance(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64,
                                                   fmi3Float64 start, fmi3Boolean,
                                                   fmi3Float64 stop);
KLINGEL_FMI fmi3Status fmi3ExitInitializationMode(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3EnterEventMode(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3Terminate(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3Reset(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3GetFloat32(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                      fmi3Float32[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetFloat64(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                      fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetInt8(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                   fmi3Int8[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetUInt8(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    fmi3UInt8[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetInt16(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    fmi3Int16[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetUInt16(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     fmi3UInt16[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetInt32(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    fmi3Int32[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetUInt32(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     fmi3UInt32[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetInt64(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    fmi3Int64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetUInt64(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     fmi3UInt64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetBoolean(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                      fmi3Boolean[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetString(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     fmi3String[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     std::size_t[], fmi3Binary[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    fmi3Clock[]);
KLINGEL_FMI fmi3Status fmi3SetFloat32(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                      const fmi3Float32[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetFloat64(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                      const fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetInt8(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                   const fmi3Int8[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetUInt8(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    const fmi3UInt8[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetInt16(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    const fmi3Int16[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetUInt16(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     const fmi3UInt16[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetInt32(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    const fmi3Int32[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetUInt32(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     const fmi3UInt32[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetInt64(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    const fmi3Int64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetUInt64(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     const fmi3UInt64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetBoolean(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                      const fmi3Boolean[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetString(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     const fmi3String[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                     const std::size_t[], const fmi3Binary[], std::size_t);
KLINGEL_FMI fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                    const fmi3Clock[]);
KLINGEL_FMI fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference,
                                                           std::size_t*);
KLINGEL_FMI fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference, std::size_t[],
                                                   fmi3ValueReference[], std::size_t[],
                                                   fmi3DependencyKind[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState*);
KLINGEL_FMI fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
KLINGEL_FMI fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState*);
KLINGEL_FMI fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, std::size_t*);
KLINGEL_FMI fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte[], std::size_t);
KLINGEL_FMI fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte[], std::size_t,
                                               fmi3FMUState*);
KLINGEL_FMI fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference[],
                                                    std::size_t, const fmi3ValueReference[],
                                                    std::size_t, const fmi3Float64[], std::size_t,
                                                    fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference[],
                                                std::size_t, const fmi3ValueReference[],
                                                std::size_t, const fmi3Float64[], std::size_t,
                                                fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3ExitConfigurationMode(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                              fmi3Float64[], fmi3IntervalQualifier[]);
KLINGEL_FMI fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference[],
                                               std::size_t, fmi3UInt64[], fmi3UInt64[],
                                               fmi3IntervalQualifier[]);
KLINGEL_FMI fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                           fmi3Float64[]);
KLINGEL_FMI fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                            fmi3UInt64[], fmi3UInt64[]);
KLINGEL_FMI fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                              const fmi3Float64[]);
KLINGEL_FMI fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference[],
                                               std::size_t, const fmi3UInt64[], const fmi3UInt64[]);
KLINGEL_FMI fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                           const fmi3Float64[]);
KLINGEL_FMI fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference[], std::size_t,
                                            const fmi3UInt64[], const fmi3UInt64[]);
KLINGEL_FMI fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3UpdateDiscreteStates(fmi3Instance, fmi3Boolean*, fmi3Boolean*,
                                                fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                                fmi3Float64*);
KLINGEL_FMI fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean, fmi3Boolean*,
                                                   fmi3Boolean*);
KLINGEL_FMI fmi3Status fmi3SetTime(fmi3Instance, fmi3Float64);
KLINGEL_FMI fmi3Status fmi3SetContinuousStates(fmi3Instance, const fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance, fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetEventIndicators(fmi3Instance, fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetContinuousStates(fmi3Instance, fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64[], std::size_t);
KLINGEL_FMI fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, std::size_t*);
KLINGEL_FMI fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, std::size_t*);
KLINGEL_FMI fmi3Status fmi3EnterStepMode(fmi3Instance);
KLINGEL_FMI fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference[],
                                                std::size_t, const fmi3Int32[], fmi3Float64[],
                                                std::size_t);
KLINGEL_FMI fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64 now, fmi3Float64 size, fmi3Boolean,
                                  fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Float64*);
KLINGEL_FMI fmi3Status fmi3ActivateModelPartition(fmi3Instance, fmi3ValueReference, fmi3Float64);
}
