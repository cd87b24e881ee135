// Any file given as a recording, CSV, HDF5, journal or packed numbers, is either refused with an
// Error or read; what was read is written and read again as the same.
#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "record/csv.hpp"
#include "record/hdf5.hpp"
#include "record/journal.hpp"
#include "record/packed.hpp"

namespace {

namespace fs = std::filesystem;
using namespace klingel;

struct Files {
  fs::path path = fs::temp_directory_path() / ("klingel_fuzz_" + std::to_string(::getpid()));
  ~Files() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  void write(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
};

bool same(const record::Recording& a, const record::Recording& b) {
  if (a.channels().size() != b.channels().size() || a.rows() != b.rows()) return false;
  for (std::size_t i = 0; i < a.channels().size(); ++i) {
    if (a.channels()[i].name != b.channels()[i].name) return false;
    const auto x = a.column(a.channels()[i].name), y = b.column(b.channels()[i].name);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k] != y[k] && !(x[k] != x[k] && y[k] != y[k])) return false;
  }
  return true;
}

template <class Read, class Write>
void attempt(const Files& files, const std::string& bytes, Read read, Write write) {
  files.write(bytes);
  std::optional<record::Recording> first;
  try {
    first = read(files.path);
  } catch (const base::Error&) {
    return;
  }
  write(*first, files.path);
  if (!same(*first, read(files.path))) std::abort();
}

void read_journal(const Files& files, const std::string& bytes) {
  files.write(bytes);
  try {
    const record::Journal journal(files.path);
    std::size_t rows = 0;
    std::vector<std::size_t> all(journal.channels().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    journal.blocks(all, [&](std::size_t, auto columns) {
      if (!columns.empty()) rows += columns[0].size();
    });
    if (!all.empty() && rows != journal.rows()) std::abort();
  } catch (const base::Error&) {
  }
}

const std::vector<record::Channel> channels = {{"t", "s", "time"}, {"y", "m", "place"}};

record::Recording small_recording() {
  return {channels, std::vector<std::vector<double>>{{0, 1e-3, 2e-3}, {3, 2, 1}}, {}};
}

std::string small_journal(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  {
    record::JournalWriter writer(fd, path, channels);
    for (const double t : {0.0, 1e-3}) writer.add(std::vector<double>{t, 3 - t});
  }
  return base::read_file(path);
}

// A whole file with some bytes replaced: at data[0..1], the rest.
std::string damaged(std::string whole, const std::string& bytes) {
  if (bytes.size() < 3 || whole.empty()) return whole;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t at = (byte(0) + 256u * byte(1)) % whole.size();
  for (std::size_t i = 2; i < bytes.size() && at + i - 2 < whole.size(); ++i)
    whole[at + i - 2] = bytes[i];
  return whole;
}

}  // namespace

// the library of HDF5 does not free all it has when a file turns out to be damaged
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Files files;
  const auto write_csv = [](const record::Recording& r, const fs::path& p) {
    record::write_csv(r, p);
  };
  attempt(files, bytes, record::read_csv, write_csv);
  std::string text;
  constexpr const char* words[] = {"t",     "y",    ",",      ",",    "\n",
                                   "\n",    "1",    "2.5e-3", "-inf", "nan",
                                   "1e999", "\r\n", "#",      " ",    "Q.front.left"};
  for (const char c : bytes)
    text += words[static_cast<unsigned char>(c) % (sizeof words / sizeof *words)];
  attempt(files, text, record::read_csv, write_csv);

  static const std::string hdf5 = [&] {
    record::write_hdf5(small_recording(), files.path);
    return base::read_file(files.path);
  }();
  const auto write_hdf5 = [](const record::Recording& r, const fs::path& p) {
    record::write_hdf5(r, p);
  };
  attempt(files, damaged(hdf5, bytes), record::read_hdf5, write_hdf5);
  attempt(files, bytes, record::read_hdf5, write_hdf5);

  read_journal(files, bytes);
  static const std::string journal = small_journal(files.path);
  read_journal(files, damaged(journal, bytes));
  read_journal(files, journal + bytes);
  try {
    record::unpacked(bytes, size % 64);
  } catch (const base::Error&) {
  }
  return 0;
}
