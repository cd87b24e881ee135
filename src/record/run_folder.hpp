// The folder of results of one run. It is claimed before the run: it must hold no results, or those
// of an earlier run that is to be replaced. Other files in it are left alone. Rows go to a journal
// in it while the run goes on, so that a second run that begins at the same time finds it taken.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "record/journal.hpp"

namespace klingel::record {

inline constexpr const char* journal_name = "rows.journal";

class RunFolder {
 public:
  // An Error if the folder cannot be made or written to, is in use by another run, or holds
  // results and `replace` is false.
  RunFolder(std::filesystem::path path, bool replace);
  // Leaves nothing behind if no rows were begun.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  // Begins the journal.
  JournalWriter& begin(const std::vector<Channel>& channels);
  JournalWriter* writer() { return writer_.get(); }
  // Ends writing; the journal can be read.
  void end();
  // All results are in other files now.
  void remove_journal();

  // "at_12.0000s.state"
  static std::string state_name(double t);

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  // folders that were not there, innermost first
  int fd_ = -1;
  std::unique_ptr<JournalWriter> writer_;
  bool begun_ = false;
};

}  // namespace klingel::record
