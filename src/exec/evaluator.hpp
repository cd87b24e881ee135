// Kernels with names and checks: for tests, tools and examples. A simulation in real time calls the
// table itself.
//
//   exec::Evaluator evaluator(kernel);
//   evaluator.set("q", {0.1});
//   double m = evaluator.evaluate("mass")[0][0];         // first output, first element
//   double f = evaluator.output("mass", "delta_q")[0];   // by name
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "exec/kernel.hpp"

namespace klingel::exec {

// Owns a workspace, one array per input (nominal values at first) and one per output (NaN at
// first). Allocates in the constructor only. For one thread at a time; make one for each thread. An
// unknown name is an Error that suggests near ones, a wrong size one that says both sizes. On
// lanes, every element is `lanes` consecutive values, in what is given and in what comes back.
class Evaluator {
 public:
  explicit Evaluator(Kernel kernel);

  const Kernel& kernel() const { return kernel_; }

  // Sets all elements of an input. Its stage and every later one are evaluated again when the next
  // function needs them; stages before it are not.
  void set(std::string_view input, std::span<const double> values);
  void set(std::string_view input, std::initializer_list<double> values);
  std::span<const double> input(std::string_view input) const;

  // Evaluates one function, and before it the stages it needs that are not up to date. The outputs
  // in their order, valid until the next evaluation of the same function.
  std::span<const std::span<const double>> evaluate(std::string_view function);

  // An output as it was last evaluated; sparse ones hold their nonzeros by columns.
  std::span<const double> output(std::string_view function, std::string_view output) const;

  // How many times a stage was evaluated so far.
  std::size_t evaluations(std::string_view stage) const;

 private:
  struct Free {
    void operator()(double* memory) const;
  };
  using Block = std::unique_ptr<double[], Free>;  // begins on a cache line

  struct Outputs {
    std::vector<double*> pointers;
    std::vector<std::span<const double>> values;
  };

  static Block allocate(std::size_t size, double value);
  std::size_t find_input(std::string_view name) const;
  std::size_t find_function(std::string_view name) const;

  Kernel kernel_;
  std::size_t lanes_;
  Block workspace_;
  std::vector<Block> blocks_;  // of inputs, then of outputs
  std::vector<double*> inputs_;
  std::vector<Outputs> outputs_;  // by function
  std::vector<std::size_t> evaluations_;
  std::size_t valid_ = 0;  // stages before this one are up to date
};

}  // namespace klingel::exec
