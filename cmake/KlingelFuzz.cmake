# fuzz_<name> from tests/fuzz/<name>_fuzz.cpp, compiled together with the sources of the rooms it
# breaks, so that these are sanitized whatever the preset. The fuzz file defines
# LLVMFuzzerTestOneInput; driver.cpp feeds it, or clang's libFuzzer with KLINGEL_LIBFUZZER.
option(KLINGEL_LIBFUZZER "link fuzz targets with clang's libFuzzer" OFF)
set(KLINGEL_FUZZ_ROOMS base sym spline profile track contact creep vehicle CACHE STRING "rooms compiled into the fuzz targets")

set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
if(KLINGEL_LIBFUZZER AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "KLINGEL_LIBFUZZER needs clang; found ${CMAKE_CXX_COMPILER_ID}")
endif()

# one sanitized copy of the rooms for all fuzz targets
set(room_sources "")
foreach(room IN LISTS KLINGEL_FUZZ_ROOMS)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.cpp")
  list(APPEND room_sources ${sources})
endforeach()
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*_fuzz.cpp")
if(NOT fuzz_sources)
  return()
endif()

add_library(klingel_sanitized STATIC ${room_sources})
set_target_properties(klingel_sanitized PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD ${KLINGEL_UNITY}
                                                   UNITY_BUILD_BATCH_SIZE ${KLINGEL_BATCH})
target_include_directories(
  klingel_sanitized PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}"
                           "${PROJECT_BINARY_DIR}/generated")
# -O0 comes after the build type's level and wins: half the time to compile
target_compile_options(klingel_sanitized PUBLIC ${sanitize} -O0 -g1
                       $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
target_link_options(klingel_sanitized PUBLIC ${sanitize})
if(KLINGEL_LIBFUZZER)
  target_compile_options(klingel_sanitized PUBLIC -fsanitize=fuzzer-no-link)
  target_link_options(klingel_sanitized PUBLIC -fsanitize=fuzzer)
endif()
target_link_libraries(klingel_sanitized PUBLIC klingel::flags fmt::fmt Boost::headers nlohmann_json::nlohmann_json
                                               tomlplusplus::tomlplusplus)

# sources of other rooms that one target needs
set(extra_command "${PROJECT_SOURCE_DIR}/src/cli/parse.cpp" "${PROJECT_SOURCE_DIR}/src/command/argument.cpp")
set(libs_command CLI11::CLI11)
set(extra_state "${PROJECT_SOURCE_DIR}/src/runtime/named_values.cpp")
file(GLOB extra_recording CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/record/*.cpp")
set(libs_recording klingel::start klingel::assess klingel::mechanism hdf5::hdf5)
# rooms behind these need what is sanitized: all of it, or the linker takes some of it twice
set(whole_recording TRUE)

foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "_fuzz$" "" name "${stem}")
  set(target fuzz_${name})
  add_executable(${target} "${source}" ${extra_${name}})
  if(whole_${name})
    target_link_libraries(${target} PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,klingel_sanitized>" ${libs_${name}})
  else()
    target_link_libraries(${target} PRIVATE klingel_sanitized ${libs_${name}})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${KLINGEL_UNITY} UNITY_BUILD_BATCH_SIZE ${KLINGEL_BATCH})

  file(GLOB corpus CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}/*")
  if(KLINGEL_LIBFUZZER)
    # what it finds goes into the first folder; the committed corpus, if any, is read
    set(found "${CMAKE_CURRENT_BINARY_DIR}/found/${name}")
    set(given "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
    file(MAKE_DIRECTORY "${found}")
    if(NOT corpus)
      set(given "")
    endif()
    add_test(NAME ${target} COMMAND ${target} -max_total_time=10 -seed=1 "${found}" ${given})
  else()
    target_sources(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/driver.cpp")
    add_test(NAME ${target} COMMAND ${target} --seconds 4 --seed 1 ${corpus})
  endif()
  set_tests_properties(${target} PROPERTIES TIMEOUT 120)
  klingel_tier(2 ${target} ${target})
endforeach()
