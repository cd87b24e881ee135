// Any text given as a study file, as a formula of channels or as a line of a journal of cases is
// either refused with an Error or read; a formula that was read has a value or is refused.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "base/error.hpp"
#include "study/case_journal.hpp"
#include "study/measure.hpp"
#include "study/study_file.hpp"

namespace {

using namespace klingel;

constexpr const char* lines[] = {"[study]\n",
                                 "name = 's'\n",
                                 "run = 'wheelset'\n",
                                 "duration = 1\n",
                                 "duration = nan\n",
                                 "samples = 4\n",
                                 "samples = 1e300\n",
                                 "seed = -1\n",
                                 "sampling = 'sobol'\n",
                                 "[[vary]]\n",
                                 "name = 'speed'\n",
                                 "name = 'track'\n",
                                 "values = [1, 2]\n",
                                 "values = []\n",
                                 "values = ['a']\n",
                                 "from = 1\n",
                                 "to = 1e308\n",
                                 "count = 3\n",
                                 "count = 1e18\n",
                                 "uniform = [0, 1]\n",
                                 "normal = [1, -1]\n",
                                 "with = 'speed'\n",
                                 "[[measure]]\n",
                                 "name = 'Q'\n",
                                 "formula = 'max(Q.a)'\n",
                                 "summary = 'steps'\n",
                                 "most = 1\n"};
constexpr const char* words[] = {"max", "min", "mean",       "rms", "lowpass", "abs",   "(",
                                 ")",   "(",   ")",          ",",   "Q.left",  "t",     "1",
                                 "20",  "1e9", "-",          "+",   "*",       "/",     "^",
                                 "nan", " ",   "percentile", "at",  "after",   "-1e-3", "0"};

template <std::size_t n>
std::string made_of(const char* const (&parts)[n], const std::string& bytes) {
  std::string text;
  for (const char c : bytes) text += parts[static_cast<unsigned char>(c) % n];
  return text;
}

void read_study(const std::string& text) {
  try {
    study::parse_study(text, "fuzz");
  } catch (const base::Error&) {
  }
}

void read_formula(const std::string& text) {
  static constexpr std::array<double, 5> rows = {0, 1, -2, 3, 1};
  try {
    study::Formula(text, {"fuzz", 1, 1}).value([](const auto&) { return std::span(rows); }, 1e-3);
  } catch (const base::Error&) {
  }
}

void read_line(const std::string& text) {
  const study::JournalHead head{4, 2, "d"};
  const std::optional<study::CaseResult> result = study::result_of(text, head);
  if (result && result->number >= head.cases) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read_study(bytes);
  read_study(made_of(lines, bytes));
  read_formula(bytes);
  read_formula(made_of(words, bytes));
  read_line(bytes);
  study::CaseResult whole{3, "completed", {1, 2}, bytes};
  const std::string line = study::line_of(whole);
  read_line(line.substr(0, line.size() - 1 - size % 7));
  return 0;
}
