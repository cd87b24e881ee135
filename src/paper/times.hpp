// The article's table of times: how long a step takes, and the parts of it that can be measured
// apart.
#pragma once

#include "paper/parts.hpp"
#include "record/summary.hpp"

namespace klingel::paper {

// The simulator must be at the start of the run; afterwards it is not. The summary is of that run.
void add_paper_times(PaperContents& contents, compile::PreparedRun& pipeline,
                     const record::RunSummary& summary);

}  // namespace klingel::paper
