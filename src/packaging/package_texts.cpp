#include "packaging/package_texts.hpp"

#include <fmt/format.h>

#include "base/version.hpp"
#include "packaging/target_files.hpp"

namespace klingel::packaging {
namespace {

// Text with @NAME@ and @include replaced.
std::string filled(std::string text, const Parts& p) {
  for (std::size_t at = 0; (at = text.find("@NAME@", at)) != std::string::npos;)
    text.replace(at, 6, p.name);
  for (std::size_t at = 0; (at = text.find("@include", at)) != std::string::npos;)
    text.replace(at, 1, "#");
  return text;
}

std::string list_of(const std::vector<std::string>& sources, bool hot) {
  std::string text;
  for (const std::string& s : sources)
    if (is_hot(s) == hot) text += " \\\n  " + s;
  return text;
}

constexpr char makefile[] =
    R"(# Builds lib@NAME@.a, lib@NAME@.so and the self-test: make && ./selftest
#   make ARCH=                    the compiler's own processor (x86-64 without AVX)
#   make CC=clang CXX=clang++
#   make CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++
# Needs a C11 and a C++20 compiler (gcc or clang) and the headers of Eigen 3.4 (EIGEN=folder).
ifeq ($(origin CC),default)
CC = cc
endif
ifeq ($(origin CXX),default)
CXX = c++
endif
EIGEN ?= /usr/include/eigen3
TARGET := $(shell $(CXX) -dumpmachine)
# AVX2 where this machine has it and compiles for itself
ifneq ($(filter x86_64%,$(TARGET)),)
ARCH ?= $(shell grep -qs avx2 /proc/cpuinfo && echo -march=x86-64-v3)
endif
# products and sums are rounded one by one: the same bits everywhere
COMMON = $(ARCH) -fPIC -ffp-contract=off -fno-math-errno -DNDEBUG
CFLAGS_ = -std=c11 -O1 -fno-builtin-pow -Wno-psabi $(COMMON) -I. -Imodel -Isrc $(CFLAGS)
CXXFLAGS_ = -std=c++20 -Wno-psabi $(COMMON) -I. -Isrc -isystem $(EIGEN) $(CXXFLAGS)

# what a time step runs through
HOT =)";

constexpr char makefile_end[] = R"(
HOT_OBJECTS = $(addprefix obj/,$(addsuffix .o,$(HOT)))
COLD_OBJECTS = $(addprefix obj/,$(addsuffix .o,$(COLD)))

all: lib@NAME@.a lib@NAME@.so selftest

obj/%.c.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS_) -c $< -o $@
$(filter %.cpp.o,$(HOT_OBJECTS)): obj/%.cpp.o: %.cpp
	@mkdir -p $(dir $@)
	$(CXX) $(CXXFLAGS_) -O2 -c $< -o $@
$(filter %.cpp.o,$(COLD_OBJECTS)): obj/%.cpp.o: %.cpp
	@mkdir -p $(dir $@)
	$(CXX) $(CXXFLAGS_) -O1 -c $< -o $@

lib@NAME@.a: $(HOT_OBJECTS) $(COLD_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^
lib@NAME@.so: $(HOT_OBJECTS) $(COLD_OBJECTS)
	$(CXX) -shared -o $@ $^ -lm
selftest: obj/selftest.c.o lib@NAME@.a
	$(CXX) -o $@ $^ -lm
obj/selftest.c.o: selftest_data.h

clean:
	rm -rf obj lib@NAME@.a lib@NAME@.so selftest
.PHONY: all clean
)";

constexpr char selftest[] = R"(/* Compares a run with what was recorded when the package was made.
 *   ./selftest [DATA]      exit code 0: the same bits, or within the tolerance */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

@include "@NAME@_package.h"
@include "selftest_data.h"

/* of the largest value of each output, where not all bits are the same: another processor or
 * compiler may sum in another order */
static const double tolerance = 1e-6;

/* The data lie beside this program. */
static void data_path(char* path, size_t size, const char* program) {
  const char* slash = strrchr(program, '/');
  const int folder = slash != NULL ? (int)(slash - program + 1) : 0;
  snprintf(path, size, "%.*smodel/@NAME@.klingel", folder, program);
}

/* us */
static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* What a recording has for the step, and the step. */
static klingel_status step(klingel_instance* instance, int number) {
  (void)number;
#if SELFTEST_INPUTS > 0
  for (int i = 0; i < SELFTEST_INPUTS; ++i)
    klingel_set_input(instance, selftest_inputs[i], selftest_given[number * SELFTEST_INPUTS + i]);
#endif
  return klingel_step(instance);
}

static int run(const klingel_model* model, klingel_instance* instance) {
  const int steps = SELFTEST_ROWS * SELFTEST_EVERY;
  double* found = malloc(sizeof(double) * SELFTEST_ROWS * SELFTEST_OUTPUTS);
  double* times = malloc(sizeof(double) * SELFTEST_ROWS * SELFTEST_EVERY);
  if (found == NULL || times == NULL || klingel_start(instance) != KLINGEL_OK) {
    fprintf(stderr, "selftest: %s\n", klingel_message(instance));
    free(found);
    free(times);
    return 1;
  }
  for (int row = 0; row < SELFTEST_ROWS; ++row) {
    for (int k = 0; k < SELFTEST_EVERY; ++k) {
      const int number = row * SELFTEST_EVERY + k;
      const double begin = now();
      const klingel_status status = step(instance, number);
      times[number] = now() - begin;
      if (status == KLINGEL_OK) continue;
      fprintf(stderr, "selftest: %s\n", klingel_message(instance));
      free(found);
      free(times);
      return 1;
    }
    for (int i = 0; i < SELFTEST_OUTPUTS; ++i)
      found[row * SELFTEST_OUTPUTS + i] = klingel_get_output(instance, selftest_outputs[i]);
  }
  qsort(times, (size_t)steps, sizeof *times, ascending);
  const double median = times[steps / 2], most = times[(steps - 1) * 99 / 100];
  free(times);

  int different = 0, worst = 0;
  double largest = 0;
  for (int i = 0; i < SELFTEST_OUTPUTS; ++i) {
    double size = 1e-6, apart = 0;
    for (int row = 0; row < SELFTEST_ROWS; ++row) {
      const double x = found[row * SELFTEST_OUTPUTS + i],
                   y = selftest_values[row * SELFTEST_OUTPUTS + i];
      if (memcmp(&x, &y, sizeof x) != 0) ++different;
      size = fmax(size, fabs(y));
      apart = fmax(apart, isfinite(x) ? fabs(x - y) : INFINITY);
    }
    if (apart / size > largest) {
      largest = apart / size;
      worst = i;
    }
  }
  free(found);
  printf("selftest: @NAME@, %d steps, %d values of %d outputs; a step took %.1f us in the median, "
         "%.1f us at 99 %%\n",
         steps, SELFTEST_ROWS * SELFTEST_OUTPUTS, SELFTEST_OUTPUTS, median, most);
  if (different == 0) {
    printf("selftest: passed, all values have the same bits\n");
    return 0;
  }
  printf("selftest: %s, %d values differ, at most by %.2g of the largest '%s' (allowed %g)\n",
         largest <= tolerance ? "passed" : "FAILED", different, largest,
         klingel_variable_at(model, KLINGEL_OUTPUT, selftest_outputs[worst])->name, tolerance);
  return largest <= tolerance ? 0 : 1;
}

int main(int count, char** arguments) {
  char path[4000], message[400];
  data_path(path, sizeof path, arguments[0]);
  klingel_model* model = klingel_model_create(@NAME@_package(), count > 1 ? arguments[1] : path,
                                              message, sizeof message);
  klingel_instance* instance =
      model != NULL ? klingel_create(model, message, sizeof message) : NULL;
  if (instance == NULL) {
    fprintf(stderr, "selftest: %s\n", message);
    klingel_model_free(model);
    return 2;
  }
  const int result = run(model, instance);
  klingel_free(instance);
  klingel_model_free(model);
  return result;
}
)";

std::string table_of(const std::vector<capi::Variable>& variables) {
  std::string text = "| index | name | unit | start | meaning |\n|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const capi::Variable& v = variables[i];
    text += fmt::format("| {} | `{}` | {} | {:g} | {} |\n", i, v.name, v.unit, v.start, v.about);
  }
  return text;
}

}  // namespace

std::string makefile_text(const Parts& p, const std::vector<std::string>& sources) {
  return filled(makefile + list_of(sources, true) + "\n\nCOLD =" + list_of(sources, false) + "\n" +
                    makefile_end,
                p);
}

std::string cmake_text(const Parts& p, const std::vector<std::string>& sources) {
  std::string text =
      "# lib@NAME@ and its self-test; see README.md\ncmake_minimum_required(VERSION 3.16)\n"
      "project(@NAME@ LANGUAGES C CXX)\n"
      "set(EIGEN /usr/include/eigen3 CACHE PATH \"headers of Eigen 3.4\")\n"
      "set(ARCH \"\" CACHE STRING \"processor, e.g. -march=x86-64-v3\")\n"
      "if(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE Release)\nendif()\n"
      "add_library(@NAME@ STATIC";
  for (const std::string& s : sources) text += "\n  " + s;
  text +=
      ")\nset_target_properties(@NAME@ PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 11\n"
      "  CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)\n"
      "target_include_directories(@NAME@ PUBLIC . model PRIVATE src)\n"
      "target_include_directories(@NAME@ SYSTEM PRIVATE ${EIGEN})\n"
      "target_compile_options(@NAME@ PRIVATE ${ARCH} -ffp-contract=off -fno-math-errno -Wno-psabi\n"
      "  $<$<COMPILE_LANGUAGE:C>:-fno-builtin-pow>)\n"
      "add_executable(selftest selftest.c)\nset_target_properties(selftest PROPERTIES C_STANDARD "
      "11)\ntarget_link_libraries(selftest PRIVATE @NAME@ m)\n";
  return filled(text, p);
}

std::string selftest_text(const Parts& p, bool embed) {
  std::string text = filled(selftest, p);
  if (embed) {
    // nothing is read, the path is not needed
    const std::string from = "count > 1 ? arguments[1] : path";
    text.replace(text.find(from), from.size(), "NULL");
    const std::string call = "  data_path(path, sizeof path, arguments[0]);\n";
    text.replace(text.find(call), call.size(), "  (void)count, (void)arguments;\n");
    const std::size_t begin = text.find("/* The data lie"), end = text.find("/* us */");
    text.erase(begin, end - begin);
    const std::string array = "path[4000], ";
    text.replace(text.find(array), array.size(), "");
  }
  return text;
}

std::string readme_text(const Parts& p, bool embed, int steps) {
  std::string text = fmt::format(
      "# {0}\n\nThe {1}, exported by Klingel {2}. It runs without Klingel.\n\n```\nmake && "
      "./selftest\n```\n\n"
      "Needs gcc or clang with C11 and C++20, and the headers of Eigen 3.4 (Debian: "
      "`libeigen3-dev`).\n\n"
      "- `klingel.h`: the interface, documented in itself; `model/{0}_package.h`: this model\n"
      "- `lib{0}.a`, `lib{0}.so`: what a program links\n- {3}\n"
      "- `src/`: the runtime of Klingel as sources; `model/`: equations as generated C\n\n",
      p.name, p.title, base::version,
      embed ? "the data are in `model/" + p.name + "_data.c`: no file is read"
            : "`model/" + p.name + ".klingel`: profiles, track, maps, parameters and start");
  text += fmt::format(
      "```c\nklingel_model* model = klingel_model_create({0}_package(), {1}, message, sizeof "
      "message);\nklingel_instance* instance = klingel_create(model, message, sizeof message);\n"
      "klingel_start(instance);\nwhile (klingel_step(instance) == KLINGEL_OK) ...\n```\n\n",
      p.name, embed ? "NULL" : "\"model/" + p.name + ".klingel\"");
  text += fmt::format(
      "A step is {:g} s. The data have {:.2f} MB, which an instance reads once and shares. "
      "`./selftest` prints the\ncost of a step on this machine. It compares {} steps with what "
      "was recorded at the export: with the Makefile's\nown flags on x86-64 with AVX2 the bits "
      "are the same; on other processors sums of vectors have another order,\nand 1e-6 of the "
      "largest value of an output is allowed. It says which was the case.\n\n",
      p.model->step, static_cast<double>(p.data.size()) / 1e6, steps);
  text += "SI units, radians. Inputs that are not set follow the scenario.\n\n";
  if (p.model->whole_steps)
    text +=
        "It is a filter. Before each step set what its sensors measured at the end of that step:\n"
        "`klingel_set_input`, NaN where there is no new sample. A sensor that was never set is "
        "missing.\nAfterwards outputs are estimates with their standard deviations.\n\n";
  text += "## Parameters\n\n" + table_of(p.model->of(capi::Kind::parameter));
  text += "\n## Inputs\n\n" + table_of(p.model->of(capi::Kind::input));
  text += "\n## Outputs\n\n" + table_of(p.model->of(capi::Kind::output));
  return text;
}

}  // namespace klingel::packaging
