// Results of cases in a text file that only grows, one line each with a checksum: the truth about a
// study, from which all other files are made. A line that is not whole does not count, so a study
// that was killed goes on where it was.
//
//   klingel study 1
//   head <tab> cases <tab> digest of the study <tab> checksum
//   case number <tab> end <tab> measures ... <tab> message <tab> checksum
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::study {

struct CaseResult {
  std::size_t number = 0;
  std::string end;  // how the run ended: "completed", "derailed", "failed" ...
  std::vector<double> measures;
  std::string message;

  bool failed() const { return end == "failed"; }
};

struct JournalHead {
  std::size_t cases = 0;
  std::size_t measures = 0;
  std::string digest;
};

class CaseJournal {
 public:
  // Opens or creates it and reads what is there. An Error if it belongs to another study, is no
  // journal, or is being written by another process.
  CaseJournal(std::filesystem::path path, const JournalHead& head);
  ~CaseJournal();
  CaseJournal(const CaseJournal&) = delete;
  CaseJournal& operator=(const CaseJournal&) = delete;

  const std::vector<CaseResult>& found() const { return found_; }  // at opening
  // Those of a group, by one write. On the disk about a second later. An Error when they cannot be
  // written.
  void add(std::span<const CaseResult> results);
  void flush();

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  std::vector<CaseResult> found_;
  std::chrono::steady_clock::time_point synchronised_;
};

// A result as one line with its checksum, and back; nothing if it is not whole.
std::string line_of(const CaseResult& result);
std::optional<CaseResult> result_of(std::string_view line, const JournalHead& head);

// The results of a journal, by another one than its writer. Each case once.
std::vector<CaseResult> read_journal(const std::filesystem::path& path, const JournalHead& head);

}  // namespace klingel::study
