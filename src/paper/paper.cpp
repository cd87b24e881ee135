// klingel paper: every figure and table of the article beside ours, as one page with its data.
// Everything is computed first and written last, the page at the very end: an error or Ctrl-C
// leaves nothing behind.
#include "paper/paper.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "paper/parts.hpp"

namespace klingel::paper {
namespace {

namespace fs = std::filesystem;

// An Error before the work and not after it; nothing is made.
void check_folder(const fs::path& folder) {
  std::error_code error;
  fs::path at = fs::absolute(folder, error);
  while (!fs::exists(at, error) && at.has_parent_path() && at != at.parent_path())
    at = at.parent_path();
  if (!fs::is_directory(at, error)) {
    base::fail("--out {}: '{}' is not a folder; give a folder that exists or can be made",
               folder.string(), at.string());
  }
  if (::access(at.c_str(), W_OK) != 0)
    base::fail("--out {}: the folder '{}' cannot be written to", folder.string(), at.string());
}

}  // namespace

void write_paper(const fs::path& folder, bool quick, const std::function<bool()>& stop) {
  check_folder(folder);
  const auto say = [&stop](const char* what) {
    if (stop()) base::fail("stopped; nothing was written");
    fmt::print(stderr, "{}\n", what);
  };
  PaperContents contents;
  contents.stop = stop;
  say("code of the article's small examples");
  add_paper_code(contents);
  say("the locomotive: trees, pictures, systems");
  compile::PreparedRun p = compile::prepare_run(vehicle::load_scenario("feve3000_corrected"));
  add_paper_vehicle(contents, p);
  add_paper_systems(contents, p);
  const double duration = quick ? 1.0 : p.scenario.duration;
  say("the article's run, with two tolerances");
  add_paper_run(contents, p, duration);
  say("largest stable steps of the integrators");
  add_paper_stability(contents, quick ? 0.6 : 0.05);

  const std::string words = fmt::format(
      "Figures and tables of J. Ros, A. Plaza, X. Iriarte and J. M. Pintor, Symbolic Multibody "
      "Methods for Real-Time Simulation of Railway Vehicles, beside what Klingel {} computes. "
      "Pictures of the article are described, not copied. Vehicle: {}; track: {}; {:g} s in steps "
      "of {:g} ms.",
      base::version, p.vehicle.about, p.track.name, duration, 1e3 * p.scenario.step);
  for (const auto& [name, text] : contents.files) base::write_file(folder / name, text);
  base::write_file(folder / "index.html", report::paper_page(contents.parts, words, contents.tail));

  for (const report::PaperPart& part : contents.parts) {
    const char* word = part.agreement == report::Agreement::agrees    ? "agrees"
                       : part.agreement == report::Agreement::differs ? "differs"
                                                                      : "-";
    fmt::print("{:<8} {}\n", word, part.title);
  }
  fmt::print("wrote {} and {} files beside it\n", (folder / "index.html").string(),
             contents.files.size());
}

}  // namespace klingel::paper
