// The article's table of times: how long a step takes, and the parts of it that can be measured
// apart.
#pragma once

#include "paper/parts.hpp"
#include "record/summary.hpp"

namespace klingel::paper {

// The simulator stands at its start, and does not afterwards. The summary is of a run from there.
void add_paper_times(PaperContents& contents, compile::PreparedRun& pipeline,
                     const record::RunSummary& summary);

}  // namespace klingel::paper
