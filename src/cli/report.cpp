// klingel report: the page of a run that has been done, from what it left in its folder.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/page_file.hpp"
#include "report/recording_folder.hpp"

namespace klingel::cli {

namespace fs = std::filesystem;

Command report_command() {
  const auto folder = std::make_shared<std::string>();
  Command c{Group::simulate, "report", "Write report.html from the results of an earlier run"};
  c.examples = {"klingel report results"};
  c.option("folder", *folder, "Folder that 'klingel run --out' wrote")
      .names(Names::folder)
      .required();
  c.run = [folder] {
    write_page(report::recording_in(*folder), fs::path(*folder) / "report.html");
    fmt::print("wrote {}\n", (fs::path(*folder) / "report.html").string());
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
