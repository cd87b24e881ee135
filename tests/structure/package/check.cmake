# usage: cmake -D BUILD=<build folder> -D WORK=<scratch folder> -D VERSION=<x.y.z> -D FLAGS=<of the compiler> -P check.cmake
# Installs the build into an empty prefix, builds examples/drive_a_vehicle against it and runs it
# with a scenario that stands in the prefix alone. What it prints is what the installed program records.
function(must)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE code
                  WORKING_DIRECTORY "${WORK}")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

set(source "${CMAKE_CURRENT_LIST_DIR}/../../..")
set(prefix "${WORK}/prefix")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
must(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${prefix}")

# public headers only, and these include nothing but each other and the standard library
file(GLOB_RECURSE headers RELATIVE "${prefix}/include" "${prefix}/include/*")
list(SORT headers)
set(expected klingel.h klingel/compile.hpp klingel/kernel.h klingel/linearise.hpp klingel/simulation.hpp)
if(NOT headers STREQUAL expected)
  message(FATAL_ERROR "installed headers: ${headers}\nexpected: ${expected}")
endif()
foreach(header IN LISTS headers)
  file(STRINGS "${prefix}/include/${header}" includes REGEX "^#include")
  foreach(include IN LISTS includes)
    if(NOT include MATCHES "^#include (<[a-z_]+([.]h)?>|\"klingel/[a-z]+[.]hpp\")$")
      message(FATAL_ERROR "${header}: ${include}")
    endif()
  endforeach()
endforeach()

must(${CMAKE_COMMAND} -S "${source}/examples/drive_a_vehicle" -B "${WORK}/build"
     "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
must(${CMAKE_COMMAND} --build "${WORK}/build")

# shipped data are those of the prefix, not of the source folder
file(READ "${source}/scenarios/coach_300m.toml" scenario)
file(WRITE "${prefix}/share/klingel/scenarios/only_here.toml" "${scenario}")
must("${prefix}/bin/klingel" --version)
if(NOT out MATCHES "${VERSION}")
  message(FATAL_ERROR "the installed program calls itself ${out}, expected ${VERSION}")
endif()
must("${prefix}/bin/klingel" run only_here --out "${WORK}/run" --csv)
must("${WORK}/build/drive_a_vehicle" only_here)
string(STRIP "${out}" printed)

# numbers are too long for CMake
must(awk -v name=Q.front.front.left -v "printed=${printed}" -f "${CMAKE_CURRENT_LIST_DIR}/largest.awk"
     "${WORK}/run/results.csv")
if(NOT out MATCHES "^same")
  message(FATAL_ERROR "the example printed ${printed}, klingel run recorded ${out}")
endif()
