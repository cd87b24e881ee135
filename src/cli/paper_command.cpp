// klingel paper: every figure and table of the article beside ours.
#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/run_screen.hpp"
#include "paper/paper.hpp"

namespace klingel::cli {

Command paper_command() {
  struct Arguments {
    std::string out = "paper";
    bool quick = false;
  };
  const auto a = std::make_shared<Arguments>();
  Command c{Group::measure, "paper", "Reproduce the article: its figures and tables beside ours"};
  c.examples = {"klingel paper --quick"};
  c.option("--out", a->out, "Folder for index.html and its data").names(Names::folder);
  c.option("--quick", a->quick,
           "For a first look: one second of the run, and stability limits with low accuracy");
  c.run = [a] {
    if (a->out.empty()) base::fail("--out needs the name of a folder");
    const Interrupt interrupt;
    paper::write_paper(a->out, a->quick, [] { return Interrupt::wanted(); });
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
