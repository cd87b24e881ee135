#include "report/recording_folder.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "record/csv.hpp"
#include "record/hdf5.hpp"
#include "record/run_folder.hpp"
#include "report/page_recording.hpp"

namespace klingel::report {

namespace fs = std::filesystem;

namespace {

void check_size(const fs::path& path) {
  constexpr std::uintmax_t most = 2'000'000'000;
  if (fs::file_size(path) > most) {
    base::fail("{}: {} MB are too much for a page; record less often: 'klingel run --interval'",
               path.string(), fs::file_size(path) / 1'000'000);
  }
}

}  // namespace

bool holds_recording(const fs::path& folder) {
  for (const char* name : {"recording.json", record::journal_name, "results.h5", "results.csv"})
    if (fs::exists(folder / name)) return true;
  return false;
}

std::string recording_in(const fs::path& folder) {
  if (!fs::exists(folder)) base::fail("there is no folder '{}'", folder.string());
  if (!fs::is_directory(folder)) {
    base::fail(
        "'{}' is not a folder; expected the folder that 'klingel run --out' "
        "wrote",
        folder.string());
  }
  // recording.json has everything; without it there are channels, but nothing to animate
  if (fs::exists(folder / "recording.json"))
    return report::read_page_recording(folder / "recording.json");
  const fs::path summary = folder / "summary.json";
  const std::string words = fs::exists(summary) ? base::read_file(summary) : "";
  if (fs::exists(folder / record::journal_name)) {
    const record::Journal journal(folder / record::journal_name);
    return report::page_recording(
        record::thinned(journal, most_page_rows(journal.channels().size())), words);
  }
  for (const char* name : {"results.h5", "results.csv"})
    if (fs::exists(folder / name)) check_size(folder / name);
  if (fs::exists(folder / "results.h5"))
    return report::page_recording(record::read_hdf5(folder / "results.h5"), words);
  if (fs::exists(folder / "results.csv"))
    return report::page_recording(record::read_csv(folder / "results.csv"), words);
  base::fail(
      "'{}' contains no recording: expected recording.json, results.h5 or results.csv, as "
      "'klingel run --out {}' writes them",
      folder.string(), folder.string());
}

}  // namespace klingel::report
