#include "gen/program.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/error.hpp"
#include "sym/depends.hpp"

namespace klingel::gen {
namespace {

// what generated code uses itself, and what C forbids
constexpr std::array reserved = std::to_array<std::string_view>(
    {"angle",    "sine",   "cosine",  "w",        "in",       "out",     "context",  "auto",
     "break",    "case",   "char",    "const",    "continue", "default", "do",       "double",
     "else",     "enum",   "extern",  "float",    "for",      "goto",    "if",       "inline",
     "int",      "long",   "main",    "register", "restrict", "return",  "short",    "signed",
     "sizeof",   "static", "struct",  "switch",   "typedef",  "union",   "unsigned", "void",
     "volatile", "while",  "abs",     "sin",      "cos",      "tan",     "asin",     "acos",
     "atan2",    "exp",    "log",     "sqrt",     "pow",      "fabs",    "bool",     "true",
     "false",    "NAN",    "INFINITY"});

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto inner = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), inner);
}

// a0, a1, ...: the names of atoms
bool is_atom_name(std::string_view name) {
  return name.size() > 1 && name[0] == 'a' && std::all_of(name.begin() + 1, name.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

Program::Program(sym::Graph& graph, std::string model) : graph_(&graph), model_(std::move(model)) {
  check_name(model_, "model");
}

Program::Program(sym::Graph& graph, std::string model, const sym::Interface& interface)
    : Program(graph, std::move(model)) {
  const auto add = [this](const std::vector<sym::InputArray>& arrays) {
    for (const sym::InputArray& a : arrays) {
      if (!a.symbols.empty()) input(a.name, a.symbols);
    }
  };
  add(interface.setup);
  for (const sym::Stage& s : interface.stages) {
    stage(s.name, s.only_for, s.rare);
    add(s.inputs);
  }
  for (const sym::Function& f : interface.functions) function(f);
}

Program& Program::rename(std::string model) {
  check_name(model, "model");
  model_ = std::move(model);
  return *this;
}

void Program::check_name(const std::string& name, const char* what) const {
  if (!is_identifier(name)) {
    base::fail(
        "the {} name '{}' cannot be used in C; use letters, digits and '_', starting with a letter",
        what, name);
  }
  if (is_atom_name(name) || std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
    base::fail("the {} name '{}' is reserved in generated code; choose another", what, name);
  }
}

Program& Program::stage(std::string name, std::vector<std::string> only_for, bool rare) {
  check_name(name, "stage");
  if (std::find(stages_.begin(), stages_.end(), name) != stages_.end()) {
    base::fail("the stage '{}' exists already in '{}'", name, model_);
  }
  stages_.push_back(std::move(name));
  only_for_.push_back(std::move(only_for));
  rare_.push_back(rare);
  return *this;
}

Program& Program::input(std::string name, std::initializer_list<sym::Expr> symbols) {
  return input(std::move(name), std::span(symbols.begin(), symbols.size()));
}

Program& Program::input(std::string name, std::span<const sym::Expr> symbols) {
  check_name(name, "input");
  if (std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.name == name; })) {
    base::fail("the input '{}' exists already in '{}'", name, model_);
  }
  if (symbols.empty()) base::fail("the input '{}' of '{}' has no symbols", name, model_);
  for (std::uint32_t k = 0; k < symbols.size(); ++k) {
    const sym::Symbol& s = graph_->symbol_of(symbols[k]);
    if (const InputElement p = input_element(s.id); p.input >= 0) {
      base::fail("the symbol '{}' is in two inputs of '{}': '{}' and '{}'", s.name, model_,
                 p.input < static_cast<int>(inputs_.size())
                     ? inputs_[static_cast<std::size_t>(p.input)].name
                     : name,
                 name);
    }
    const std::size_t index = graph_->node(s.id).a;
    if (input_elements_.size() <= index) input_elements_.resize(index + 1);
    input_elements_[index] = {static_cast<int>(inputs_.size()), k};
  }
  inputs_.push_back({std::move(name),
                     {symbols.begin(), symbols.end()},
                     static_cast<std::uint32_t>(stages_.size() - 1)});
  return *this;
}

Program& Program::function(sym::Function f) {
  check_name(f.name, "function");
  if (std::any_of(functions_.begin(), functions_.end(),
                  [&](const auto& other) { return other.name == f.name; })) {
    base::fail("the function '{}' exists already in '{}'", f.name, model_);
  }
  if (std::find(stages_.begin(), stages_.end(), f.name) != stages_.end()) {
    base::fail("the function '{}' of '{}' has the name of a stage", f.name, model_);
  }
  if (f.outputs.empty()) base::fail("the function '{}' of '{}' has no outputs", f.name, model_);
  for (std::size_t i = 0; i < f.outputs.size(); ++i) {
    const sym::Output& o = f.outputs[i];
    check_name(o.name, "output");
    for (std::size_t j = 0; j < i; ++j) {
      if (f.outputs[j].name == o.name)
        base::fail("the function '{}' has two outputs '{}'", f.name, o.name);
    }
    if (std::any_of(inputs_.begin(), inputs_.end(),
                    [&](const Input& in) { return in.name == o.name; })) {
      base::fail("the output '{}' of function '{}' has the name of an input", o.name, f.name);
    }
    for (const sym::Entry& e : o.matrix.entries()) {
      if (&e.value.graph() != graph_) {
        base::fail(
            "the output '{}' of function '{}' belongs to another graph than the program '{}'",
            o.name, f.name, model_);
      }
    }
  }
  std::vector<sym::Expr> values;
  for (const sym::Output& o : f.outputs) {
    for (const sym::Entry& e : o.matrix.entries()) values.push_back(e.value);
  }
  for (const sym::Expr& x : sym::symbols_below(values)) {
    if (input_element(x.id()).input < 0) {
      const sym::Symbol& s = graph_->symbol_of(x.id());
      base::fail(
          "the function '{}' uses the symbol '{}' ({}), which is not in any input of '{}'; declare "
          "an input with it first",
          f.name, s.name, sym::name(s.kind), model_);
    }
  }
  functions_.push_back(std::move(f));
  return *this;
}

Program::InputElement Program::input_element(sym::Id symbol) const {
  const std::size_t index = graph_->node(symbol).a;
  return index < input_elements_.size() ? input_elements_[index] : InputElement{};
}

}  // namespace klingel::gen
