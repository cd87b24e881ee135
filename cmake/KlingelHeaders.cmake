# Every header compiles alone, twice in one file, and C headers as C and as C++: one generated
# source per header. Part of the test build, so a header that leans on its neighbours breaks it.
function(klingel_headers_alone)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/src"
       "${PROJECT_SOURCE_DIR}/src/*/*.hpp" "${PROJECT_SOURCE_DIR}/src/*/*.h")
  set(sources "")
  foreach(header IN LISTS headers)
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
