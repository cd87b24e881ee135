# libklingel_target.a: what runs on a target (target/SOURCES), compiled without {fmt} and with all
# names hidden but those of FMI. `klingel fmu` links FMUs from it.
file(STRINGS "${PROJECT_SOURCE_DIR}/target/SOURCES" patterns REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/target/SOURCES")
list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/src/")
file(GLOB target_sources CONFIGURE_DEPENDS ${patterns})

# rooms in batches of their own, as in src/CMakeLists.txt; what a step runs through is compiled alone
foreach(source IN LISTS target_sources)
  string(REGEX REPLACE "^.*/src/([a-z]+)/.*$" "\\1" room "${source}")
  set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${room}")
endforeach()
set(alone start/static_loads.cpp start/track_bed.cpp fmu/fmi3.cpp runtime/kernel_set.cpp)
list(TRANSFORM alone PREPEND "${PROJECT_SOURCE_DIR}/src/")
foreach(source IN LISTS target_sources)
  if(source IN_LIST alone OR source MATCHES "/src/step/")
    set_property(SOURCE "${source}" PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endforeach()

function(klingel_for_targets target)
  set_target_properties(
    ${target} PROPERTIES CXX_EXTENSIONS OFF C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                         CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden
                         VISIBILITY_INLINES_HIDDEN ON UNITY_BUILD ${KLINGEL_UNITY}
                         UNITY_BUILD_MODE GROUP)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/target" "${PROJECT_SOURCE_DIR}/src"
                                               "${PROJECT_SOURCE_DIR}/include")
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  target_link_libraries(${target} PRIVATE klingel::flags Eigen3::Eigen Boost::headers)
endfunction()

# what runs before the first step is not optimised much: Eigen's decompositions take minutes otherwise
set(step_sources ${target_sources})
list(FILTER step_sources INCLUDE REGEX
     "/src/((step|contact|creep|runtime|kernel|kalman)/|simulation/step_derivative)")
set(setup_sources ${target_sources})
list(REMOVE_ITEM setup_sources ${step_sources})
add_library(klingel_target_setup OBJECT ${setup_sources})
klingel_for_targets(klingel_target_setup)
target_compile_options(klingel_target_setup PRIVATE -O1)
add_library(klingel_target STATIC ${step_sources} $<TARGET_OBJECTS:klingel_target_setup>)
klingel_for_targets(klingel_target)
set_target_properties(klingel_target PROPERTIES ARCHIVE_OUTPUT_DIRECTORY
                                                "${PROJECT_BINARY_DIR}/target")
