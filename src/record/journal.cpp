#include "record/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <unordered_set>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/json_reader.hpp"

namespace klingel::record {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

constexpr std::string_view first_line = "klingel journal 1\n";
constexpr std::size_t longest_head = 64 << 20;  // bytes: more channels than any vehicle has
constexpr std::size_t block_values = 1 << 17;   // 1 MB
constexpr std::chrono::milliseconds patience{500};

std::string head_of(const std::vector<Channel>& channels) {
  base::Json json;
  json.begin_array();
  for (const Channel& c : channels) {
    json.begin_object().key("name").value(c.name).key("unit").value(c.unit);
    json.key("about").value(c.about).end_object();
  }
  json.end_array();
  const std::string text = json.text();
  return fmt::format("{}{}\n{}", first_line, text.size(), text);
}

// as many bytes as there are, at most `count`
std::size_t read_at(int fd, std::size_t place, char* to, std::size_t count,
                    const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t n = ::pread(fd, to + done, count - done, static_cast<off_t>(place + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      base::fail("cannot read '{}': {}", path.string(), std::generic_category().message(errno));
    }
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

}  // namespace

JournalWriter::JournalWriter(int fd, std::filesystem::path path,
                             const std::vector<Channel>& channels)
    : fd_(fd), path_(std::move(path)), flushed_(std::chrono::steady_clock::now()) {
  const std::size_t width = std::max<std::size_t>(1, channels.size());
  buffer_.resize(width * std::max<std::size_t>(1, 32768 / width));
  problem_.reserve(1000);  // rows are added without allocation
  const std::string head = head_of(channels);
  write(head.data(), head.size());
  if (error_ != 0) base::fail("{}", problem_);
}

JournalWriter::~JournalWriter() {
  flush();
  ::close(fd_);
}

void JournalWriter::write(const char* bytes, std::size_t count) noexcept {
  while (count > 0 && error_ == 0) {
    const ssize_t n = ::write(fd_, bytes, count);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      error_ = errno;
      problem_ = fmt::format("cannot write '{}': {}", path_.string(),
                             std::generic_category().message(error_));
      return;
    }
    bytes += n;
    count -= static_cast<std::size_t>(n);
  }
}

void JournalWriter::flush() noexcept {
  write(reinterpret_cast<const char*>(buffer_.data()), used_ * sizeof(double));
  used_ = 0;
  flushed_ = std::chrono::steady_clock::now();
}

void JournalWriter::look_at_clock() noexcept {
  if (used_ > 0 && std::chrono::steady_clock::now() - flushed_ > patience) flush();
}

void JournalWriter::add(std::span<const double> row) noexcept {
  if (used_ + row.size() > buffer_.size()) flush();
  std::copy(row.begin(), row.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ += row.size();
  look_at_clock();
}

Journal::Journal(std::filesystem::path path) : path_(std::move(path)) {
  const auto no_journal = [&](const char* why) {
    base::fail("{}: not a journal of klingel's rows: {}", path_.string(), why);
  };
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) {
    base::fail("cannot read '{}': {}", path_.string(), std::generic_category().message(errno));
  }
  try {
    struct stat about {};
    if (::fstat(fd_, &about) != 0 || !S_ISREG(about.st_mode)) no_journal("not a plain file");
    const auto size = static_cast<std::size_t>(about.st_size);
    std::string start(first_line.size() + 20, '\0');
    start.resize(read_at(fd_, 0, start.data(), start.size(), path_));
    if (!start.starts_with(first_line)) no_journal("it begins otherwise");
    std::size_t length = 0;
    const char* const digits = start.data() + first_line.size();
    const auto [end, error] = std::from_chars(digits, start.data() + start.size(), length);
    const auto after = static_cast<std::size_t>(end - start.data());
    if (error != std::errc() || after >= start.size() || *end != '\n' || length > longest_head ||
        after + 1 + length > size)
      no_journal("its head is not whole");
    std::string text(length, '\0');
    read_at(fd_, after + 1, text.data(), length, path_);
    const base::JsonValue head = base::parse_json(text, path_.string());
    using Kind = base::JsonValue::Kind;
    if (head.kind != Kind::array || head.items.empty()) no_journal("there are no channels");
    for (const base::JsonValue& item : head.items) {
      const auto word = [&](const char* key) {
        const base::JsonValue* v = item.kind == Kind::object ? item.find(key) : nullptr;
        if (v == nullptr || v->kind != Kind::text) no_journal("a channel is not described");
        return v->text;
      };
      channels_.push_back({word("name"), word("unit"), word("about")});
    }
    begin_ = after + 1 + length;
    rows_ = (size - begin_) / (channels_.size() * sizeof(double));
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

Journal::~Journal() { ::close(fd_); }

void Journal::blocks(std::span<const std::size_t> chosen, const Use& use) const {
  const std::size_t width = channels_.size();
  const std::size_t most = std::max<std::size_t>(1, block_values / width);
  std::vector<double> rows(most * width), columns(most * chosen.size());
  std::vector<std::span<const double>> spans(chosen.size());
  for (std::size_t first = 0; first < rows_; first += most) {
    const std::size_t count = std::min(most, rows_ - first);
    const std::size_t bytes = count * width * sizeof(double);
    if (read_at(fd_, begin_ + first * width * sizeof(double), reinterpret_cast<char*>(rows.data()),
                bytes, path_) != bytes)
      base::fail("cannot read '{}': it became shorter", path_.string());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      double* const column = columns.data() + k * most;
      for (std::size_t i = 0; i < count; ++i) column[i] = rows[i * width + chosen[k]];
      spans[k] = {column, count};
    }
    use(first, spans);
  }
}

}  // namespace klingel::record
