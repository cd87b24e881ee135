# klingel::flags: how our own code is compiled. Linked PRIVATE by rooms, tests, benches and
# examples; never exported, so a user's compiler sees none of it.

set(default_march "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(default_march "x86-64-v3")
  # a processor without AVX2 gets a program that it can run
  if(NOT CMAKE_CROSSCOMPILING AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    if(flags AND NOT flags MATCHES " avx2( |$)")
      set(default_march "x86-64")
    endif()
  endif()
endif()
set(KLINGEL_MARCH "${default_march}" CACHE STRING "value of -march; empty for the compiler's own")
set(KLINGEL_SANITIZE "" CACHE STRING "value of -fsanitize for everything, e.g. address,undefined")
option(KLINGEL_WERROR "warnings are errors" OFF)
option(KLINGEL_UNITY "compile the sources of a room or test in batches: less than half the time" OFF)
# sources in a batch: more saves little, and a change in one source compiles its whole batch again
set(KLINGEL_BATCH 8)

# ccache, where it is installed and nobody chose a launcher. Without the two options it would not
# cache what is compiled with precompiled headers
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(KLINGEL_CCACHE ccache)
  if(KLINGEL_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${KLINGEL_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${KLINGEL_CCACHE}")
  endif()
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(klingel_flags INTERFACE)
add_library(klingel::flags ALIAS klingel_flags)
target_compile_features(klingel_flags INTERFACE cxx_std_20 c_std_11)

# -Wconversion stays off: index arithmetic between int, size_t and 32-bit ids would drown the
# warnings that matter. -Wrestrict of gcc 12 accuses std::string's own operator+ at -O2 and above
# (gcc bug 105651). In a batch, a local name would shadow a name of another source: -Wshadow is for
# sources compiled alone (preset dev)
target_compile_options(
  klingel_flags
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            $<$<NOT:$<BOOL:${KLINGEL_UNITY}>>:-Wshadow>
            -Wvla
            $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
            $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
            $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
            $<$<BOOL:${KLINGEL_WERROR}>:-Werror>)

# a*b+c is rounded twice on every machine: without this gcc fuses it where the processor can,
# and the interpreter and the generated C would differ in the last bit
target_compile_options(klingel_flags INTERFACE -ffp-contract=off)
# nobody reads errno or traps after sqrt and comparisons; no result changes
target_compile_options(klingel_flags INTERFACE -fno-math-errno -fno-trapping-math)
if(KLINGEL_MARCH)
  target_compile_options(klingel_flags INTERFACE -march=${KLINGEL_MARCH})
endif()

# gcc looks for memory it may use again whenever it has taken some 100 MB: a tenth of the time of a
# batch, which needs several times that and then ends. With this, up to a third more memory
if(KLINGEL_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(klingel_flags
                         INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
endif()

if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(klingel_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()

if(KLINGEL_SANITIZE)
  set(sanitize -fsanitize=${KLINGEL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # gcc's -Wmaybe-uninitialized misreads the code sanitizers insert
  target_compile_options(klingel_flags INTERFACE ${sanitize}
                         $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(klingel_flags INTERFACE ${sanitize})
endif()

# the flags as one text, for benches to state in their results
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(KLINGEL_FLAGS_TEXT "${CMAKE_CXX_FLAGS_${build_type}} -ffp-contract=off")
if(KLINGEL_MARCH)
  string(APPEND KLINGEL_FLAGS_TEXT " -march=${KLINGEL_MARCH}")
endif()
