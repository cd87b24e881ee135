// C11 from a program: readable, comparable with diff, and portable.
//
// Pure functions, the caller's workspace, no statics that change, no allocation; the same program
// gives the same bytes. One function per stage and per function of the program, long ones cut into
// chunks; large programs are spread over several files so that they compile in parallel.
#pragma once

#include <string>
#include <vector>

#include "gen/manifest.hpp"

namespace klingel::gen {

struct File {
  std::string name;
  std::string text;
};

struct EmitOptions {
  ScheduleOptions schedule;
  std::size_t inline_operations = 6;   // an atom used once is written into its user up to this size
  std::size_t file_operations = 3000;  // a file is closed when it has more than this
  // States one call evaluates side by side: 1, 4 or 8. With more than one, every element of inputs,
  // outputs and workspace is `lanes` consecutive doubles, and the C needs gcc or clang.
  unsigned lanes = 1;
};

// Everything written for one model: klingel_kernel.h (the ABI), klingel_trig.h and klingel_lanes.h
// where they are needed, <model>.h, <model>.c and perhaps <model>_1.c ..., <model>_manifest.json
// and <model>_selftest.c with its table and main.
struct Emitted {
  std::vector<File> files;
  Manifest manifest;
  std::vector<std::string> sources;  // names of the files a kernel library is compiled from
};

// A number of lanes that does not exist is an Error.
Emitted emit_c(const Program& program, const EmitOptions& options = {});

// The manifest alone, with the same hash: for kernels that are not compiled from C. Nothing is
// printed, and no states are evaluated for a test.
Manifest emit_manifest(const Program& program, const EmitOptions& options = {});

// Writes all files into a directory, each atomically.
void write_files(const std::vector<File>& files, const std::string& directory);

}  // namespace klingel::gen
