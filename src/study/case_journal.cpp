#include "study/case_journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>
#include <unordered_set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/number.hpp"
#include "base/sha256.hpp"

namespace klingel::study {
namespace {

constexpr std::string_view first_line = "klingel study 1\n";
constexpr std::size_t largest_journal = std::size_t{1} << 40;

std::string sealed(const std::string& fields) {
  return fmt::format("{}\t{}\n", fields, base::sha256(fields).substr(0, 16));
}

// The fields of a line without its checksum; none if that is wrong.
std::vector<std::string_view> fields_of(std::string_view line) {
  const std::size_t tab = line.rfind('\t');
  if (tab == std::string_view::npos) return {};
  const std::string_view body = line.substr(0, tab);
  if (base::sha256(body).substr(0, 16) != line.substr(tab + 1)) return {};
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = body.find('\t', begin);
    fields.push_back(body.substr(begin, end - begin));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

std::string head_fields(const JournalHead& head) {
  return fmt::format("head\t{}\t{}\t{}", head.cases, head.measures, head.digest);
}

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string number_text(double value) {
  return std::isfinite(value) ? base::shortest(value)
         : std::isnan(value)  ? "nan"
         : value > 0          ? "inf"
                              : "-inf";
}

bool read_case(const std::vector<std::string_view>& fields, const JournalHead& head,
               CaseResult& result) {
  if (fields.size() != head.measures + 3 || !read_number(fields[0], result.number) ||
      result.number >= head.cases)
    return false;
  result.end = fields[1];
  for (std::size_t i = 0; i < head.measures; ++i) {
    double value = 0;
    if (!read_number(fields[i + 2], value)) return false;
    result.measures.push_back(value);
  }
  result.message = fields.back();
  return true;
}

// The results in a text, and where the last line that is whole ends.
std::vector<CaseResult> parse(const std::string& text, const JournalHead& head,
                              const std::filesystem::path& path, std::size_t& end) {
  if (!text.starts_with(first_line) && !first_line.starts_with(text))
    base::fail("'{}' is not a journal of a study; choose another folder with --out", path.string());
  std::vector<CaseResult> results;
  std::unordered_set<std::size_t> seen;
  end = 0;
  if (text.size() < first_line.size()) return results;
  std::size_t begin = end = first_line.size();
  bool has_head = false;
  while (begin < text.size()) {
    const std::size_t newline = text.find('\n', begin);
    if (newline == std::string::npos) break;
    const std::vector<std::string_view> fields =
        fields_of(std::string_view(text).substr(begin, newline - begin));
    begin = newline + 1;
    if (fields.empty()) continue;
    end = begin;
    if (fields[0] == "head") {
      if (fmt::format("{}", fmt::join(fields, "\t")) != head_fields(head))
        base::fail(
            "'{}' has the results of another study, or of this one before it was changed; use "
            "another folder, or --force to begin again",
            path.string());
      has_head = true;
      continue;
    }
    CaseResult result;
    if (has_head && read_case(fields, head, result) && seen.insert(result.number).second)
      results.push_back(std::move(result));
  }
  if (!has_head) end = 0;  // killed before the first line was whole
  return results;
}

[[noreturn]] void fail_to(const char* what, const std::filesystem::path& path) {
  base::fail("cannot {} '{}': {}", what, path.string(), std::generic_category().message(errno));
}

void write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_to("write", path);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

CaseJournal::CaseJournal(std::filesystem::path path, const JournalHead& head)
    : path_(std::move(path)), synchronised_(std::chrono::steady_clock::now()) {
  std::filesystem::create_directories(path_.parent_path());
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd_ < 0) fail_to("open", path_);
  try {
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0)
      base::fail("'{}' is being written by another process; wait for it, or use another folder",
                 path_.string());
    std::size_t end = 0;
    found_ = parse(base::read_file(path_, largest_journal), head, path_, end);
    if (::ftruncate(fd_, static_cast<off_t>(end)) != 0) fail_to("write", path_);
    if (end == 0) write_all(fd_, std::string(first_line) + sealed(head_fields(head)), path_);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

CaseJournal::~CaseJournal() {
  ::fdatasync(fd_);
  ::close(fd_);
}

std::string line_of(const CaseResult& r) {
  std::string fields = fmt::format("{}\t{}", r.number, r.end);
  for (const double m : r.measures) fields += "\t" + number_text(m);
  std::string message = r.message;
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; },
      ' ');
  return sealed(fields + "\t" + message);
}

std::optional<CaseResult> result_of(std::string_view line, const JournalHead& head) {
  if (!line.ends_with('\n')) return {};
  const std::vector<std::string_view> fields = fields_of(line.substr(0, line.size() - 1));
  CaseResult result;
  if (fields.empty() || !read_case(fields, head, result)) return {};
  return result;
}

void CaseJournal::add(std::span<const CaseResult> results) {
  std::string lines;
  for (const CaseResult& r : results) lines += line_of(r);
  write_all(fd_, lines, path_);
  if (std::chrono::steady_clock::now() - synchronised_ > std::chrono::seconds(1)) flush();
}

void CaseJournal::flush() {
  ::fdatasync(fd_);  // what is lost in a power cut is run again
  synchronised_ = std::chrono::steady_clock::now();
}

std::vector<CaseResult> read_journal(const std::filesystem::path& path, const JournalHead& head) {
  std::size_t end = 0;
  return parse(base::read_file(path, largest_journal), head, path, end);
}

}  // namespace klingel::study
