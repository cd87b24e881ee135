// What a caller may know about generated kernels without reading them: names, shapes, sparsity,
// stages, counts. Written as JSON beside the C, and compiled into it as the table of kernel/abi.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "gen/schedule.hpp"

namespace klingel::gen {

struct Manifest {
  struct Input {
    std::string name;
    std::uint32_t stage;
    std::vector<std::string> names;
    std::vector<double> nominal;
  };
  struct Output {
    std::string name;
    std::uint32_t rows, cols, size;
    bool sparse;
    std::vector<std::uint32_t> col_start, row;  // when sparse: compressed columns
  };
  struct Stage {
    std::string name;
    sym::Count count;
    bool rare = false;
  };
  struct Function {
    std::string name, about;
    std::uint32_t stage;
    std::vector<Output> outputs;
    sym::Count count;  // of its own body, shared atoms of the stages not included
    bool rare = false;
  };

  std::string model;
  std::string hash;    // of the program (program_hash.hpp)
  unsigned lanes = 1;  // doubles per element; all sizes count elements
  std::uint32_t workspace_size = 0;
  std::vector<Input> inputs;
  std::vector<Stage> stages;
  std::vector<Function> functions;
};

Manifest make_manifest(const Program& program, const Schedule& schedule, unsigned lanes = 1);

std::string to_json(const Manifest& manifest);

// A count as keys of the open object: atoms, add, mul, ..., total.
void write_count(base::Json& json, const sym::Count& count);

}  // namespace klingel::gen
