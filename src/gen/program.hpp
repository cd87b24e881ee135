// A program: named functions over one graph, with the arrays their symbols arrive in, in stages.
//
//   gen::Program program(graph, "pendulum");
//   program.input("p", parameters);                              // stage 0, "setup"
//   program.stage("position").input("q", {theta.q});
//   program.stage("velocity").input("dq", {theta.dq});
//   program.function({"M_qq", "mass matrix", {...}});
//
// An atom belongs to the last stage any of its symbols belongs to. A stage is evaluated when its
// inputs changed; what depends on parameters only is evaluated once, at setup.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "sym/function.hpp"

namespace klingel::gen {

struct Input {
  std::string name;
  std::vector<sym::Expr> symbols;
  std::uint32_t stage = 0;
};

class Program {
 public:
  // The model's name becomes a prefix in C: letters, digits and '_', starting with a letter.
  Program(sym::Graph& graph, std::string model);
  // All at once; input arrays without symbols are left out.
  Program(sym::Graph& graph, std::string model, const sym::Interface& interface);

  // Opens the next stage: inputs that follow belong to it. Atoms of it that the functions
  // `only_for` do not need wait for the stage after it, if such functions are named.
  // A rare stage is evaluated for rare functions alone; no other function may need its atoms.
  Program& stage(std::string name, std::vector<std::string> only_for = {}, bool rare = false);
  Program& input(std::string name, std::span<const sym::Expr> symbols);
  Program& input(std::string name, std::initializer_list<sym::Expr> symbols);
  // A function may use symbols of declared inputs only; an undeclared one is an error that names
  // it.
  Program& function(sym::Function f);

  // Under another name, where two programs of one model go into one library.
  Program& rename(std::string model);

  const sym::Graph& graph() const { return *graph_; }
  const std::string& model() const { return model_; }
  const std::vector<std::string>& stages() const { return stages_; }
  const std::vector<std::vector<std::string>>& only_for() const { return only_for_; }  // by stage
  const std::vector<bool>& rare() const { return rare_; }                              // by stage
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<sym::Function>& functions() const { return functions_; }

  // Where a symbol arrives: element `index` of input `input`; input is -1 if it is not declared.
  struct InputElement {
    int input = -1;
    std::uint32_t index = 0;
  };
  InputElement input_element(sym::Id symbol) const;

 private:
  void check_name(const std::string& name, const char* what) const;

  sym::Graph* graph_;
  std::string model_;
  std::vector<std::string> stages_{"setup"};
  std::vector<std::vector<std::string>> only_for_{{}};
  std::vector<bool> rare_{false};
  std::vector<Input> inputs_;
  std::vector<sym::Function> functions_;
  std::vector<InputElement> input_elements_;  // by index of the symbol in the graph
};

}  // namespace klingel::gen
