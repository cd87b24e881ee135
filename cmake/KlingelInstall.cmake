# `cmake --install`: the program, the rooms as package klingel (find_package(klingel), then
# klingel::sym ...), their headers, the C ABI of kernels as <klingel/kernel.h>, and the shipped
# data, which base/data.hpp finds again.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY KLINGEL_ROOMS)
list(REMOVE_ITEM rooms bench paper command) # parts of the program, not of the library
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/klingel")

foreach(room IN LISTS rooms)
  install(TARGETS klingel_${room} EXPORT klingelTargets)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/${room}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/klingel"
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/generated/base/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/klingel/base")
install(FILES "${PROJECT_SOURCE_DIR}/src/kernel/abi.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/klingel" RENAME kernel.h OPTIONAL)
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
foreach(folder IN ITEMS profiles vehicles tracks scenarios)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/klingel")
  endif()
endforeach()

install(EXPORT klingelTargets NAMESPACE klingel:: DESTINATION "${package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/klingelConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/generated/klingelConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/klingelConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/klingelConfig.cmake"
              "${PROJECT_BINARY_DIR}/generated/klingelConfigVersion.cmake"
        DESTINATION "${package_dir}")
