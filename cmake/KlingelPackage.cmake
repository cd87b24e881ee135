# `cpack` in the build folder makes a Debian package: program, library, man pages, completion of
# shells and the shipped data. What it depends on is read from the program by dpkg-shlibdeps.
set(KLINGEL_MAINTAINER "The Klingel authors <klingel@localhost>"
    CACHE STRING "maintainer of the Debian package")
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME klingel)
set(CPACK_PACKAGE_CONTACT "${KLINGEL_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "symbolic multibody compiler and simulator of railway vehicles")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc, g++") # of the back end cc, and of FMUs
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, libhdf5-dev") # to link the library
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libstdc++6, libfmt9, libhdf5-103-1, libzip4")
endif()
include(CPack)
