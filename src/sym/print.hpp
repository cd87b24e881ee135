// Expressions as text: C for the kernels, LaTeX, Python and Matlab to read a result or to
// check it with another program.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::sym {

enum class Language { c, latex, python, matlab };

// How an atom is written when it is not spelled out: a name such as "a12" or "q[3]", or "" to
// spell it out.
using NameOf = std::function<std::string(Id)>;

// The atom as one line; its operands are spelled out as deep as `name_of` returns "".
// Without name_of symbols appear by name and everything is spelled out, which can be long:
// use listing() for expressions with much sharing.
std::string text(Expr e, Language language = Language::c);
std::string text(const Graph& g, Id id, Language language, const NameOf& name_of);

// Assignments, one per shared atom (a0, a1, ...) and then one per named result, ready to paste
// into the language. A shared atom is one used more than once.
std::string listing(std::span<const std::pair<std::string, Expr>> results, Language language);

// A symbol's name as the language allows it: '.' becomes '_', Greek letters become LaTeX commands.
std::string symbol_text(const std::string& name, Language language);

}  // namespace klingel::sym
