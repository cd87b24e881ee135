# Rooms as targets. src/ARROWS is the only place that says which room may use which; CMake links
# from it what tests/structure/arrows_test.cpp checks.

# klingel_arrows(<rooms>): reads src/ARROWS; sets <rooms> to the room names in order and
# KLINGEL_ARROWS_<room> to the rooms each may include.
function(klingel_arrows result)
  set(file "${PROJECT_SOURCE_DIR}/src/ARROWS")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" lines REGEX "^[a-z_]+:")
  set(rooms "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z_]+):(.*)$" matched "${line}")
    set(room "${CMAKE_MATCH_1}")
    separate_arguments(targets UNIX_COMMAND "${CMAKE_MATCH_2}")
    list(APPEND rooms ${room})
    set(KLINGEL_ARROWS_${room} "${targets}" PARENT_SCOPE)
  endforeach()
  set(${result} "${rooms}" PARENT_SCOPE)
endfunction()

# the room targets that exist among the given names, as klingel::<name>
function(klingel_existing_rooms result)
  set(found "")
  foreach(room IN LISTS ARGN)
    if(TARGET klingel_${room})
      list(APPEND found klingel::${room})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# klingel_room(<name> [DEPS rooms...] [LIBS third party...])
# src/<name> as static library klingel::<name>; an interface library while it has headers only.
function(klingel_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPS;LIBS")
  set(folder "${PROJECT_SOURCE_DIR}/src/${name}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.c")
  klingel_existing_rooms(deps ${arg_DEPS})

  if(sources)
    set(scope PUBLIC)
    add_library(klingel_${name} STATIC ${sources})
    target_link_libraries(klingel_${name} PRIVATE $<BUILD_INTERFACE:klingel::flags>)
    set_target_properties(klingel_${name} PROPERTIES CXX_EXTENSIONS OFF C_EXTENSIONS OFF
                                                     POSITION_INDEPENDENT_CODE ON
                                                     UNITY_BUILD ${KLINGEL_UNITY}
                                                     UNITY_BUILD_BATCH_SIZE ${KLINGEL_BATCH})
  else()
    set(scope INTERFACE)
    add_library(klingel_${name} INTERFACE)
  endif()
  add_library(klingel::${name} ALIAS klingel_${name})

  target_compile_features(klingel_${name} ${scope} cxx_std_20)
  target_include_directories(
    klingel_${name} ${scope} "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(klingel_${name} ${scope} ${deps} ${arg_LIBS})
  set_property(GLOBAL APPEND PROPERTY KLINGEL_ROOMS ${name})
endfunction()

# klingel_program(<room> <program> [DEPS rooms...] [LIBS third party...])
# src/<room> as an executable in the root of the build folder.
function(klingel_program room program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "DEPS;LIBS")
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.cpp")
  klingel_existing_rooms(deps ${arg_DEPS})
  add_executable(${program} ${sources})
  set_target_properties(${program} PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD ${KLINGEL_UNITY}
                                              UNITY_BUILD_BATCH_SIZE ${KLINGEL_BATCH}
                                              RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${program} PRIVATE klingel::flags ${deps} ${arg_LIBS})
endfunction()

# klingel_targets_below(<result> <folder>): all targets made in a folder and the folders below it
function(klingel_targets_below result folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    klingel_targets_below(more "${inner}")
    list(APPEND targets ${more})
  endforeach()
  set(${result} "${targets}" PARENT_SCOPE)
endfunction()
