# bench_<name> from tests/bench/<name>_bench.cpp: a program that writes its results as JSON to
# the path given as its first argument. KLINGEL_BENCH_FLAGS is the text of the compiler flags,
# to be stated in the results.
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(PkgConfig REQUIRED)
pkg_check_modules(BENCH_GINAC REQUIRED IMPORTED_TARGET ginac)

# what a bench compares us with
set(bench_libs_sym PkgConfig::BENCH_GINAC)
set(bench_libs_kernels Eigen3::Eigen)
set(bench_libs_mechanics klingel::peers)

get_property(rooms GLOBAL PROPERTY KLINGEL_ROOMS)
klingel_existing_rooms(bench_rooms ${rooms})

file(GLOB bench_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/bench/*_bench.cpp")
foreach(source IN LISTS bench_sources)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "_bench$" "" name "${stem}")
  add_executable(bench_${name} "${source}")
  set_target_properties(bench_${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(bench_${name} PRIVATE KLINGEL_BENCH_FLAGS="${KLINGEL_FLAGS_TEXT}")
  target_link_libraries(bench_${name} PRIVATE klingel::flags ${bench_rooms} ${bench_libs_${name}})
endforeach()

# some benches are commands of the program itself
foreach(name IN ITEMS step train study)
  target_compile_definitions(bench_${name} PRIVATE KLINGEL_PROGRAM="$<TARGET_FILE:klingel>")
  add_dependencies(bench_${name} klingel)
endforeach()
if(TARGET klingel-study-mpi)
  add_dependencies(bench_study klingel-study-mpi)
endif()
