# The Python package klingel: compiled part from src/python, the rest copied from python/klingel.
# Built where pybind11, numpy and the headers of Debian's python3 are installed; else left out.
set(KLINGEL_PYTHON /usr/bin/python3 CACHE FILEPATH "the Python that the module is built for")
set(KLINGEL_PYTHON_FOLDER "${PROJECT_BINARY_DIR}/python" CACHE PATH "folder of the package klingel")
find_path(KLINGEL_PYBIND11 pybind11/pybind11.h)
mark_as_advanced(KLINGEL_PYBIND11)

# sets KLINGEL_PYTHON_MISSES, and if that is empty the folder of headers and the ending of modules
function(klingel_find_python)
  set(misses "")
  if(KLINGEL_SANITIZE)
    set(misses "a program without sanitizers")
  elseif(NOT KLINGEL_PYBIND11)
    set(misses "pybind11 (pybind11-dev)")
  endif()
  execute_process(
    COMMAND "${KLINGEL_PYTHON}" -c "import numpy, sysconfig as s; print(s.get_paths()['include']); print(s.get_config_var('EXT_SUFFIX'))"
    OUTPUT_VARIABLE out ERROR_QUIET RESULT_VARIABLE code)
  string(REGEX MATCHALL "[^\n]+" lines "${out}")
  list(LENGTH lines count)
  if(NOT code EQUAL 0 OR NOT count EQUAL 2)
    set(misses "${KLINGEL_PYTHON} with numpy (python3-numpy)")
  else()
    list(GET lines 0 include)
    list(GET lines 1 ending)
    if(NOT EXISTS "${include}/Python.h")
      set(misses "headers of ${KLINGEL_PYTHON} (python3-dev)")
    endif()
    set(KLINGEL_PYTHON_INCLUDE "${include}" PARENT_SCOPE)
    set(KLINGEL_PYTHON_ENDING "${ending}" PARENT_SCOPE)
  endif()
  set(KLINGEL_PYTHON_MISSES "${misses}" PARENT_SCOPE)
endfunction()

klingel_find_python()
if(KLINGEL_PYTHON_MISSES)
  message(STATUS "no Python module: it needs ${KLINGEL_PYTHON_MISSES}")
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/python/*.cpp")
klingel_existing_rooms(deps ${KLINGEL_ARROWS_python})
add_library(klingel_python MODULE ${sources})
set_target_properties(
  klingel_python
  PROPERTIES PREFIX "" OUTPUT_NAME _klingel SUFFIX "${KLINGEL_PYTHON_ENDING}" CXX_EXTENSIONS OFF
             CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
             LIBRARY_OUTPUT_DIRECTORY "${KLINGEL_PYTHON_FOLDER}/klingel")
target_include_directories(klingel_python PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_include_directories(klingel_python SYSTEM PRIVATE "${KLINGEL_PYTHON_INCLUDE}"
                                                         "${KLINGEL_PYBIND11}")
target_link_libraries(klingel_python PRIVATE klingel::flags ${deps})
# bindings call the rooms: not optimised, they compile in half the time
target_compile_options(klingel_python PRIVATE -O0)
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/python/standard_error.cpp" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
target_precompile_headers(klingel_python PRIVATE "${PROJECT_SOURCE_DIR}/src/python/bind.hpp")
# names of the rooms stay inside: another module may have others of the same name
target_link_options(klingel_python PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--wrap=stderr)

file(GLOB texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/klingel/*.py"
     "${PROJECT_SOURCE_DIR}/python/klingel/*.pyi" "${PROJECT_SOURCE_DIR}/python/klingel/py.typed")
set(copies "")
foreach(text IN LISTS texts)
  get_filename_component(name "${text}" NAME)
  set(copy "${KLINGEL_PYTHON_FOLDER}/klingel/${name}")
  add_custom_command(OUTPUT "${copy}" DEPENDS "${text}"
                     COMMAND ${CMAKE_COMMAND} -E copy "${text}" "${copy}")
  list(APPEND copies "${copy}")
endforeach()
add_custom_target(python DEPENDS ${copies})
add_dependencies(python klingel_python)
