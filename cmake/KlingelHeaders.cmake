# Every header compiles alone: where a source of the same name includes it first, that is shown
# already; for all others one source is generated, which includes it twice (C headers as C and as
# C++). Part of the test build, so a header that leans on its neighbours breaks it.
function(klingel_headers_alone)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/src"
       "${PROJECT_SOURCE_DIR}/src/*/*.hpp" "${PROJECT_SOURCE_DIR}/src/*/*.h")
  set(sources "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "[.]hpp$" ".cpp" own "${PROJECT_SOURCE_DIR}/src/${header}")
    if(header MATCHES "[.]hpp$" AND EXISTS "${own}")
      file(STRINGS "${own}" includes REGEX "^#include" LIMIT_COUNT 1)
      if(includes STREQUAL "#include \"${header}\"")
        continue()
      endif()
    endif()
    set(languages cpp)
    if(header MATCHES "[.]h$")
      list(APPEND languages c)
    endif()
    foreach(language IN LISTS languages)
      set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.${language}")
      file(CONFIGURE OUTPUT "${source}" @ONLY
           CONTENT "#include \"@header@\"\n#include \"@header@\" // guarded\n")
      list(APPEND sources "${source}")
    endforeach()
  endforeach()

  get_property(rooms GLOBAL PROPERTY KLINGEL_ROOMS)
  klingel_existing_rooms(libs ${rooms})
  add_library(structure_headers OBJECT ${sources})
  set_target_properties(structure_headers PROPERTIES CXX_EXTENSIONS OFF C_EXTENSIONS OFF)
  target_compile_options(structure_headers PRIVATE -O0)
  target_include_directories(structure_headers PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(structure_headers PRIVATE klingel::flags ${libs} CLI11::CLI11)
  add_dependencies(tests structure_headers)
endfunction()

klingel_headers_alone()
