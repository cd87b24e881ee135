# `cmake --install`: the program; the library as package klingel (find_package(klingel), then
# klingel::klingel) with the headers of include/klingel and the C ABI of kernels as
# <klingel/kernel.h>; and the shipped data, which base/data.hpp finds again.
#
# The library is one archive of all rooms below `compile` and `simulation`. Its headers need the
# standard library only; klingelConfig.cmake finds what else is to be linked.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/klingel")

# every room that one of the given rooms may use, itself included
function(klingel_rooms_below result)
  klingel_arrows(ignored)
  set(found "")
  set(left ${ARGN})
  while(left)
    list(POP_FRONT left room)
    if(TARGET klingel_${room} AND NOT room IN_LIST found)
      list(APPEND found ${room})
      list(APPEND left ${KLINGEL_ARROWS_${room}})
    endif()
  endwhile()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

add_library(klingel_package STATIC)
klingel_rooms_below(package_rooms simulation capi compile)
foreach(room IN LISTS package_rooms)
  target_sources(klingel_package PRIVATE $<TARGET_OBJECTS:klingel_${room}>)
endforeach()
set(libs fmt::fmt klingel::hdf5 Threads::Threads ${CMAKE_DL_LIBS})
if(TARGET klingel_compile)
  list(APPEND libs tomlplusplus::tomlplusplus)
  if(asmjit_FOUND)
    list(APPEND libs asmjit::asmjit)
  endif()
endif()
foreach(lib IN LISTS libs)
  target_link_libraries(klingel_package INTERFACE $<INSTALL_INTERFACE:$<LINK_ONLY:${lib}>>)
endforeach()
target_compile_features(klingel_package INTERFACE cxx_std_17)
target_include_directories(klingel_package
                           INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(
  klingel_package PROPERTIES OUTPUT_NAME klingel EXPORT_NAME klingel LINKER_LANGUAGE CXX
                             ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

install(TARGETS klingel_package EXPORT klingelTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/klingel"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        PATTERN "compile.hpp" EXCLUDE)
if(TARGET klingel_compile)
  install(FILES "${PROJECT_SOURCE_DIR}/include/klingel/compile.hpp"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/klingel")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/src/kernel/abi.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/klingel" RENAME kernel.h)
if(TARGET klingel)
  install(TARGETS klingel)
  # what `klingel manual` wrote when the program was built
  set(manual "${PROJECT_BINARY_DIR}/manual")
  install(DIRECTORY "${manual}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
  install(FILES "${manual}/bash/klingel"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${manual}/fish/klingel.fish"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  install(FILES "${manual}/zsh/_klingel" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  # below /usr zsh of Debian looks elsewhere
  install(FILES "${manual}/zsh/_klingel"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/include/klingel.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET klingel_target)
  # what `klingel export` and `klingel fmu` need: the runtime as sources and compiled
  install(TARGETS klingel_target DESTINATION "${CMAKE_INSTALL_LIBDIR}/klingel")
  set(runtime_rooms base dense kernel spline profile track contact creep runtime mechanism step reference start
                    record simulation capi fmu)
  list(TRANSFORM runtime_rooms PREPEND "${PROJECT_SOURCE_DIR}/src/")
  install(DIRECTORY ${runtime_rooms} DESTINATION "${CMAKE_INSTALL_DATADIR}/klingel/src"
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cpp" PATTERN "*.h" PATTERN "*.c")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/target" DESTINATION "${CMAKE_INSTALL_DATADIR}/klingel")
  install(FILES "${PROJECT_SOURCE_DIR}/include/klingel.h"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/klingel/include")
endif()
foreach(folder IN ITEMS profiles vehicles tracks scenarios studies estimates)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/klingel")
endforeach()

install(EXPORT klingelTargets NAMESPACE klingel:: DESTINATION "${package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/klingelConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/generated/klingelConfig.cmake" INSTALL_DESTINATION "${package_dir}"
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/klingelConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/klingelConfig.cmake"
              "${PROJECT_BINARY_DIR}/generated/klingelConfigVersion.cmake"
        DESTINATION "${package_dir}")
