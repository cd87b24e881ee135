#include "exec/input_names.hpp"

namespace klingel::exec {
namespace {

const gen::Input* input_of(const gen::Program& program, std::string_view name) {
  for (const gen::Input& input : program.inputs())
    if (input.name == name) return &input;
  return nullptr;
}

}  // namespace

InputNames::InputNames(const gen::Program& program)
    : g_(program.graph()), q_(input_of(program, "q")), active_(input_of(program, "active")) {}

const std::string& InputNames::name(const gen::Input& input, std::size_t element) const {
  const auto named = [&](const gen::Input& by, std::size_t i) -> const std::string& {
    return g_.symbol_of(by.symbols[i].id()).name;
  };
  const bool by_coordinate =
      q_ != nullptr && (input.name == "dq" || input.name == "dq_end" || input.name == "rhs");
  if (!by_coordinate) return named(input, element);
  const std::size_t n = q_->symbols.size();
  if (element < n) return named(*q_, element);
  if (active_ != nullptr && element - n < active_->symbols.size())
    return named(*active_, element - n);
  return named(input, element);
}

}  // namespace klingel::exec
