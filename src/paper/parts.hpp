// What `klingel paper` is made of: parts of the page, each computed from a model or a run, with the
// files that belong to it. The numbers of the article are where they are compared with ours.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "compile/prepare_run.hpp"
#include "report/paper_page.hpp"

namespace klingel::paper {

struct PaperContents {
  std::vector<report::PaperPart> parts;
  std::vector<std::pair<std::string, std::string>> files;  // name and text
  std::string tail;                                        // markup at the end of the page
  std::function<bool()> stop = [] { return false; };       // called during long parts

  // A part whose files are added at the same time.
  void add(report::PaperPart part, std::vector<std::pair<std::string, std::string>> with = {}) {
    for (auto& [name, text] : with) {
      part.files.push_back(name);
      files.emplace_back(name, std::move(text));
    }
    parts.push_back(std::move(part));
  }
};

// Generated C of the four-bar linkage, and the example of atoms made on the way.
void add_paper_code(PaperContents& contents);

// The trees of bases and points, the locomotive and its expanded view, wheel and rail.
void add_paper_vehicle(PaperContents& contents, const compile::PreparedRun& pipeline);

// Sparsity of the three systems, the integration procedure, operations by function. The simulator
// must be at the start of the run; afterwards it is there again.
void add_paper_systems(PaperContents& contents, compile::PreparedRun& pipeline);
void add_paper_step(PaperContents& contents, compile::PreparedRun& pipeline,
                    const gen::Program& vehicle, const gen::Program& contact);

// The article's run: path, hunting, creep, iterations, time. The simulator must be at the start of
// the run; afterwards it is there again. `duration` may be shorter than the scenario's; then
// sentences say that parts of the run are missing.
void add_paper_run(PaperContents& contents, compile::PreparedRun& pipeline, double duration);

// The largest stable steps of three integrators, by bisection on a straight, to a ratio of steps of
// 1 + accuracy.
void add_paper_stability(PaperContents& contents, double accuracy);

}  // namespace klingel::paper
