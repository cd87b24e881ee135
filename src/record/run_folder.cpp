#include "record/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file_writer.hpp"

namespace klingel::record {
namespace {

namespace fs = std::filesystem;

bool is_state(std::string_view file) {
  return file.starts_with("at_") && file.ends_with("s.state") &&
         file.find_first_not_of("0123456789.-", 3) == file.size() - 7;
}

// Whether a run writes files of this name.
bool is_of_run(std::string_view file) {
  if (is_state(file)) return true;
  // an unfinished state: .tmp and random digits behind its name
  const std::size_t state = file.find(".state.");
  if (state != std::string_view::npos && is_state(file.substr(0, state + 6)) &&
      base::is_unfinished(file, file.substr(0, state + 6)))
    return true;
  for (const char* name : {journal_name, "summary.json", "recording.json", "results.csv",
                           "results.h5", "plots.svg", "report.html", "failed.state"})
    if (file == name || base::is_unfinished(file, name)) return true;
  return false;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    files.push_back(it->path().filename().string());
  if (error) base::fail("cannot read the folder '{}': {}", folder.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

// Another program holds its journal while it runs.
void check_not_running(const fs::path& folder) {
  const int fd = ::open((folder / journal_name).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  const bool free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  ::close(fd);
  if (!free) {
    base::fail("--out {}: another run is writing there now; choose another folder",
               folder.string());
  }
}

// Files that no run writes are left alone: folders hold notes and figures beside results.
void check_and_clear(const fs::path& folder, bool replace) {
  std::vector<std::string> files = files_in(folder);
  std::erase_if(files, [](const std::string& file) { return !is_of_run(file); });
  if (files.empty()) return;
  check_not_running(folder);
  if (!replace) {
    base::fail(
        "--out {}: the folder holds the results of another run ('{}'); choose a new or empty one, "
        "or add --force to replace them",
        folder.string(), files[0]);
  }
  for (const std::string& file : files) {
    std::error_code error;
    fs::remove(folder / file, error);
    if (error) {
      base::fail("--out {}: cannot remove '{}': {}", folder.string(), file, error.message());
    }
  }
}

}  // namespace

RunFolder::RunFolder(fs::path path, bool replace) : path_(std::move(path)) {
  const auto refuse = [&](const std::string& why) {
    base::fail("--out {}: {}", path_.string(), why);
  };
  std::error_code error;
  const fs::path whole = fs::absolute(path_, error);
  for (fs::path p = whole; !p.empty() && p != p.root_path() && !fs::exists(p, error);
       p = p.parent_path())
    if (!p.filename().empty()) made_.push_back(p);
  fs::create_directories(path_, error);
  if (error) refuse("cannot make the folder: " + error.message());
  if (!fs::is_directory(path_, error)) refuse("this is not a folder");
  check_and_clear(path_, replace);
  fd_ = ::open((path_ / journal_name).c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               0666);
  if (fd_ < 0 && errno == EEXIST) refuse("another run has just begun there");
  if (fd_ < 0) refuse("cannot write there: " + std::generic_category().message(errno));
  ::flock(fd_, LOCK_EX | LOCK_NB);
}

RunFolder::~RunFolder() {
  writer_.reset();
  if (begun_) return;
  if (fd_ >= 0) ::close(fd_);
  remove_journal();
  std::error_code ignored;
  for (const fs::path& p : made_) fs::remove(p, ignored);  // empty ones only
}

JournalWriter& RunFolder::begin(const std::vector<Channel>& channels) {
  writer_ = std::make_unique<JournalWriter>(std::exchange(fd_, -1), path_ / journal_name, channels);
  begun_ = true;
  return *writer_;
}

void RunFolder::end() { writer_->flush(); }

void RunFolder::remove_journal() {
  std::error_code ignored;
  fs::remove(path_ / journal_name, ignored);
}

std::string RunFolder::state_name(double t) { return fmt::format("at_{:.4f}s.state", t); }

}  // namespace klingel::record
