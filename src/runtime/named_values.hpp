// Numbers with names as lines of text, exact to the last bit: what state files are made of.
//
//   klingel state 1
//   model four_bar
//   t 0.25
//   q crank 0.3
//
// One item per line, in any order after the first line; '#' begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace klingel::runtime {

// A word at the beginning of lines and the names that follow it, each with a number. A single
// number without a name (t) has one empty name.
struct NamedValues {
  std::string word;                // "q"
  std::string what;                // "coordinate", for messages
  std::vector<std::string> names;  // as many as values
  std::vector<double> values;
};

std::string named_values_text(std::string_view model, const std::vector<NamedValues>& lists);

// Fills the values. Each must be given exactly once, as a finite number, and belong to the same
// model; else an Error with file:line. `file` is what errors call the text.
void parse_named_values(std::string_view text, const std::string& file, std::string_view model,
                        std::vector<NamedValues>& lists);

}  // namespace klingel::runtime
