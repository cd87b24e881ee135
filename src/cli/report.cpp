// klingel report: files of a run that has been done, or was killed, from what it left in its
// folder.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/page_file.hpp"
#include "record/csv.hpp"
#include "record/hdf5.hpp"
#include "record/mat.hpp"
#include "record/run_folder.hpp"
#include "report/recording_folder.hpp"

namespace klingel::cli {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string folder;
  bool csv = false, hdf5 = false, mat = false;
};

ExitCode make_report(const ReportArguments& a) {
  const fs::path folder = a.folder;
  const auto wrote = [](const fs::path& path) { fmt::print("wrote {}\n", path.string()); };
  const std::string recording = report::recording_in(folder);
  if (a.csv || a.hdf5 || a.mat) {
    if (!fs::exists(folder / record::journal_name)) {
      base::fail(
          "'{}' has no {}: only a run that did not end by itself leaves one; run again with --csv, "
          "--hdf5 or --mat",
          folder.string(), record::journal_name);
    }
    const record::Journal journal(folder / record::journal_name);
    const std::vector<std::size_t> all = record::all_channels(journal);
    fmt::print("{} rows of {} channels\n", journal.rows(), all.size());
    if (a.csv) {
      record::write_csv(journal, all, folder / "results.csv");
      wrote(folder / "results.csv");
    }
    if (a.hdf5) {
      record::write_hdf5(journal, all, {}, folder / "results.h5");
      wrote(folder / "results.h5");
    }
    if (a.mat) {
      record::write_mat(journal, all, folder / "results.mat");
      wrote(folder / "results.mat");
    }
  }
  write_page(recording, folder / "report.html");
  wrote(folder / "report.html");
  return ExitCode::fine;
}

}  // namespace

Command report_command() {
  const auto a = std::make_shared<ReportArguments>();
  Command c{Group::simulate, "report", "Write report.html from the results of an earlier run"};
  c.about =
      "Also for a run that was killed or could not write its files: its rows are in rows.journal.";
  c.examples = {"klingel report results", "klingel report results --hdf5"};
  c.option("folder", a->folder, "Folder that 'klingel run --out' wrote")
      .names(Names::folder)
      .required();
  c.option("--csv", a->csv, "Write results.csv from rows.journal, with all channels");
  c.option("--hdf5", a->hdf5, "Write results.h5 from rows.journal, with all channels");
  c.option("--mat", a->mat, "Write results.mat from rows.journal, with all channels");
  c.run = [a] { return make_report(*a); };
  return c;
}

}  // namespace klingel::cli
