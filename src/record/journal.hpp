// Rows of a run in a file that only grows: a line "klingel journal 1", the channels as JSON with
// their length, then rows of doubles, little-endian. What was written stays readable whatever
// happens to the program; a last row that is not whole is left out. Files for people are made from
// it when the run has ended, or later by `klingel report`.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "record/recorder.hpp"
#include "record/table.hpp"

namespace klingel::record {

class JournalWriter : public RowSink {
 public:
  // Takes an open, empty file over.
  JournalWriter(int fd, std::filesystem::path path, const std::vector<Channel>& channels);
  ~JournalWriter() override;
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Rows reach the file when there are many, or half a second after the last time.
  void add(std::span<const double> row) noexcept override;
  // For times without rows: as add(), without one.
  void look_at_clock() noexcept;
  void flush() noexcept;

  // The first thing that went wrong, such as a full disk; empty if nothing did. Rows after it are
  // lost.
  const std::string& problem() const { return problem_; }

 private:
  void write(const char* bytes, std::size_t count) noexcept;

  int fd_;
  std::filesystem::path path_;
  std::vector<double> buffer_;
  std::size_t used_ = 0;
  std::chrono::steady_clock::time_point flushed_;
  int error_ = 0;
  std::string problem_;
};

class Journal : public Table {
 public:
  // A file that is no journal is an Error.
  explicit Journal(std::filesystem::path path);
  ~Journal() override;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::vector<Channel>& channels() const override { return channels_; }
  std::size_t rows() const override { return rows_; }
  void blocks(std::span<const std::size_t> chosen, const Use& use) const override;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  std::vector<Channel> channels_;
  std::size_t begin_ = 0, rows_ = 0;
};

}  // namespace klingel::record
