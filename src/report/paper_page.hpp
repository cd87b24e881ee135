// The article beside us, as one HTML file without network: every figure and table of the article in
// words and numbers, ours as a drawing, chart or table, and a sentence on how they agree. What
// is in the parts is computed elsewhere (paper); here is only the layout.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace klingel::report {

enum class Agreement {
  agrees,
  differs,  // and the sentence says by how much
  open      // the article gives nothing to compare with
};

struct PaperPart {
  std::string id;       // of the article: "fig:hunting"
  std::string title;    // "Hunting in detail"
  std::string article;  // what the article shows and says, plain text
  std::string ours;     // markup: SVG, table or code
  Agreement agreement = Agreement::open;
  std::string verdict;    // a sentence or two made from numbers, plain text
  std::string criterion;  // when it agrees, and why so: "Agrees if ..."; empty if nothing compares
  std::string note;       // how ours was made, where that is not obvious
  std::vector<std::string> files;  // data beside the page
};

// A table as markup; cells are plain text, the first column is words and the others are numbers.
struct PaperTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
std::string markup(const PaperTable& table);

// Text in fixed width that keeps its lines, as markup.
std::string listing(std::string_view text);

// The words before the first part are plain text; `tail` is markup before the end of the page.
std::string paper_page(std::span<const PaperPart> parts, const std::string& words,
                       std::string_view tail = {});

}  // namespace klingel::report
