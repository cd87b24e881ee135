// klingel paper: every figure and table of the article beside ours.
#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/run_screen.hpp"
#include "paper/paper.hpp"

namespace klingel::cli {

Command add_paper(CLI::App& app) {
  struct Arguments {
    std::string out = "paper";
    bool quick = false;
  };
  const auto a = std::make_shared<Arguments>();
  CLI::App* paper =
      app.add_subcommand("paper", "Reproduce the article: every figure and table beside ours");
  paper->add_option("--out", a->out, "Folder for index.html and its data (default: paper)");
  paper->add_flag("--quick", a->quick,
                  "A second of the run and coarse bisection, for a first look");
  return {paper, [a] {
            if (a->out.empty()) base::fail("--out needs the name of a folder");
            const Interrupt interrupt;
            paper::write_paper(a->out, a->quick, [] { return Interrupt::wanted(); });
            return ExitCode::fine;
          }};
}

}  // namespace klingel::cli
