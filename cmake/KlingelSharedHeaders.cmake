# Headers of the standard library and of fmt, which every source reads, are read once for all rooms
# that are compiled alike: a sixth of the time of a build. With KLINGEL_UNITY only: other builds tell
# what a source forgets to include.

# klingel_shared_headers(<level of optimisation> rooms or programs...)
function(klingel_shared_headers level)
  if(NOT KLINGEL_UNITY)
    return()
  endif()
  set(owner klingel_headers_${level})
  set(empty "${CMAKE_CURRENT_BINARY_DIR}/${owner}.cpp")
  file(CONFIGURE OUTPUT "${empty}" CONTENT "// nothing: made to have a target that owns the headers\n")
  add_library(${owner} OBJECT "${empty}")
  set_target_properties(${owner} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${owner} PRIVATE klingel::flags fmt::fmt)
  if(level LESS 3)
    target_compile_options(${owner} PRIVATE -O${level})
  endif()
  target_precompile_headers(
    ${owner}
    PRIVATE
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
  foreach(name IN LISTS ARGN)
    if(TARGET klingel_${name})
      set(name klingel_${name})
    endif()
    get_target_property(type ${name} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_precompile_headers(${name} REUSE_FROM ${owner})
    endif()
  endforeach()
endfunction()
