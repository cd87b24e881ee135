# usage: cmake -D BUILD=<build folder> -D WORK=<scratch folder> -D VERSION=<x.y.z> -P check.cmake
# Installs the build into a scratch folder, builds the stranger's project against it and runs it.
function(must)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
must(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/prefix")
must(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/build" -G Ninja
     "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_FLAGS=${FLAGS}")
must(${CMAKE_COMMAND} --build "${WORK}/build")
must("${WORK}/build/stranger")
if(NOT out STREQUAL "klingel ${VERSION} ba7816bf\n")
  message(FATAL_ERROR "the stranger printed: ${out}")
endif()
must("${WORK}/prefix/bin/klingel" --version)
if(EXISTS "${WORK}/prefix/include/klingel/kernel/abi.h"
   AND NOT EXISTS "${WORK}/prefix/include/klingel/kernel.h")
  message(FATAL_ERROR "klingel/kernel.h is not installed")
endif()
