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

Command add_report(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  CLI::App* report = app.add_subcommand("report", "Write report.html of a run that has been done");
  report->add_option("folder", *folder, "Folder that 'klingel run --out' wrote")->required();
  return {report, [folder] {
            write_page(report::recording_in(*folder), fs::path(*folder) / "report.html");
            fmt::print("wrote {}\n", (fs::path(*folder) / "report.html").string());
            return ExitCode::fine;
          }};
}

}  // namespace klingel::cli
