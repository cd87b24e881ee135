# libklingel_target.a: what runs on a target (target/SOURCES), compiled without {fmt} and with all
# names hidden but those of FMI. `klingel fmu` links FMUs from it.
file(STRINGS "${PROJECT_SOURCE_DIR}/target/SOURCES" patterns REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/target/SOURCES")
list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/src/")
file(GLOB target_sources CONFIGURE_DEPENDS ${patterns})
# in a folder of its own, so that properties of single sources of src/ do not reach it
add_library(klingel_target STATIC ${target_sources})
# what runs before the first step is not optimised much: Eigen's decompositions take minutes otherwise
foreach(source IN LISTS target_sources)
  if(NOT source MATCHES "/src/(step|contact|creep|runtime|kernel)/")
    set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS -O1)
  endif()
endforeach()
set_target_properties(
  klingel_target PROPERTIES CXX_EXTENSIONS OFF C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                            CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden
                            VISIBILITY_INLINES_HIDDEN ON UNITY_BUILD OFF
                            ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/target")
target_compile_features(klingel_target PRIVATE cxx_std_20)
target_include_directories(klingel_target PRIVATE "${PROJECT_SOURCE_DIR}/target" "${PROJECT_SOURCE_DIR}/src"
                                                  "${PROJECT_SOURCE_DIR}/include")
target_compile_options(klingel_target PRIVATE -ffunction-sections -fdata-sections)
target_link_libraries(klingel_target PRIVATE klingel::flags Eigen3::Eigen Boost::headers)
