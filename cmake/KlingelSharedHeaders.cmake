# Headers of the standard library and of fmt, which every source reads, are read once for all rooms
# that are compiled alike: a sixth of the time of a build. With KLINGEL_UNITY only: other builds tell
# what a source forgets to include.

set(KLINGEL_SHARED_HEADERS
    <fmt/format.h>
    <algorithm>
    <array>
    <cmath>
    <cstdint>
    <filesystem>
    <functional>
    <map>
    <memory>
    <optional>
    <span>
    <string>
    <variant>
    <vector>)

# klingel_shared_headers(<level of optimisation> [HEADERS more headers...] ROOMS rooms...)
function(klingel_shared_headers level)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;ROOMS")
  set(owner klingel_headers_${level})
  set(empty "${CMAKE_CURRENT_BINARY_DIR}/${owner}.cpp")
  file(CONFIGURE OUTPUT "${empty}" CONTENT "// nothing: made to have a target that owns the headers\n")
  add_library(${owner} OBJECT "${empty}")
  set_target_properties(${owner} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${owner} PRIVATE klingel::flags fmt::fmt Eigen3::Eigen)
  if(level LESS 3)
    target_compile_options(${owner} PRIVATE -O${level})
  endif()
  target_precompile_headers(${owner} PRIVATE ${KLINGEL_SHARED_HEADERS} ${arg_HEADERS})
  foreach(room IN LISTS arg_ROOMS)
    get_target_property(type klingel_${room} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      target_precompile_headers(klingel_${room} REUSE_FROM ${owner})
    endif()
  endforeach()
endfunction()
