// The text of profile files cut into lines and words with their places, and numbers read from
// them with errors that point at the word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace klingel::profile {

struct Word {
  std::string_view text;
  int line = 0, column = 0;
};

// The lines of a text; "\r" at their ends is dropped, and a byte order mark at the beginning.
std::vector<std::string_view> lines_of(std::string_view text);

// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

// The words of one line, parted by blanks and by any of `separators`; between two separators
// stands an empty word.
std::vector<Word> words_of(std::string_view line, int number, std::string_view separators);

// Whether the word reads as a number of any kind, also inf and nan.
bool is_number(std::string_view text);

// The word as a finite number in C notation, with or without sign; Error at the word otherwise.
double number(const Word& word, const std::string& file, std::string_view what);

inline base::Place place(const std::string& file, const Word& word) {
  return {file, word.line, word.column};
}

}  // namespace klingel::profile
