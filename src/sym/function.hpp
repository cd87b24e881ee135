// A named function of a model: what the compiler hands to the code generator.
#pragma once

#include <string>
#include <vector>

#include "sym/matrix.hpp"

namespace klingel::sym {

// One array a function writes: a matrix, column major, dense or with the nonzeros only.
struct Output {
  std::string name;
  Matrix matrix;
  bool sparse = false;

  static Output scalar(std::string name, Expr value) {
    return {std::move(name), Matrix::dense(1, 1, {&value, 1})};
  }
  static Output vector(std::string name, std::span<const Expr> values) {
    return {std::move(name), Matrix::dense(static_cast<std::uint32_t>(values.size()), 1, values)};
  }
  // Doubles written: rows x cols, or the number of nonzeros.
  std::size_t size() const {
    return sparse ? matrix.entries().size()
                  : static_cast<std::size_t>(matrix.rows()) * matrix.cols();
  }
};

struct Function {
  std::string name;
  std::string about;  // one line for readers of the generated code, with the equation label
  std::vector<Output> outputs;
  bool rare = false;  // seldom called: may need rare stages
};

// Arrays of symbols as a caller gives them, in stages: what changes together is one stage. The
// first stage, "setup", holds parameters and is evaluated once.
struct InputArray {
  std::string name;
  std::vector<Expr> symbols;
};
struct Stage {
  std::string name;
  std::vector<InputArray> inputs;
  // If not empty: only what these functions need is evaluated with this stage, the rest with the
  // next one. So a cheap function can be asked for many values of the inputs before the rest is
  // evaluated for one of them.
  std::vector<std::string> only_for = {};
  // Evaluated only for rare functions: what no other function needs.
  bool rare = false;
};

// The functions of a model and what they are called with.
struct Interface {
  std::vector<InputArray> setup;
  std::vector<Stage> stages;
  std::vector<Function> functions;
};

}  // namespace klingel::sym
