#include "record/mat.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "base/error.hpp"
#include "base/file_writer.hpp"

namespace klingel::record {
namespace {

// types of data and classes of arrays
constexpr std::uint32_t mi_int8 = 1, mi_uint16 = 4, mi_int32 = 5, mi_uint32 = 6, mi_double = 9,
                        mi_matrix = 14;
constexpr std::uint32_t mx_char = 4, mx_double = 6;

constexpr std::size_t longest_name = 63;  // of Matlab

std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

class Bytes {
 public:
  void word(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) text_ += static_cast<char>(value >> (8 * i) & 255);
  }
  void tag(std::uint32_t type, std::size_t size) {
    word(type);
    word(static_cast<std::uint32_t>(size));
  }
  void raw(std::string_view bytes) { text_ += bytes; }
  void pad() { text_.resize(padded(text_.size()), '\0'); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// What stands before the values of a matrix; all parts begin at multiples of eight.
std::string matrix_head(const std::string& name, std::uint32_t kind, std::size_t rows,
                        std::size_t columns, std::uint32_t type, std::size_t bytes) {
  Bytes inner;
  inner.tag(mi_uint32, 8);
  inner.word(kind);
  inner.word(0);
  inner.tag(mi_int32, 8);
  inner.word(static_cast<std::uint32_t>(rows));
  inner.word(static_cast<std::uint32_t>(columns));
  inner.tag(mi_int8, name.size());
  inner.raw(name);
  inner.pad();
  inner.tag(type, bytes);
  Bytes outer;
  outer.tag(mi_matrix, inner.text().size() + padded(bytes));
  outer.raw(inner.text());
  return outer.text();
}

std::string file_head() {
  std::string text = "MATLAB 5.0 MAT-file, written by klingel";
  text.resize(124, ' ');
  // version 1.0, and the mark of the byte order
  text += std::string("\x00\x01IM", 4);
  return text;
}

// Texts as a matrix of characters, one to a row, filled up with blanks.
std::string text_matrix(const std::string& name, const std::vector<std::string>& lines) {
  std::size_t columns = 0;
  for (const std::string& line : lines) columns = std::max(columns, line.size());
  Bytes all;
  all.raw(matrix_head(name, mx_char, lines.size(), columns, mi_uint16, 2 * lines.size() * columns));
  for (std::size_t c = 0; c < columns; ++c)
    for (const std::string& line : lines) {
      const char letter = c < line.size() ? line[c] : ' ';
      all.raw({&letter, 1});
      all.raw({"\0", 1});
    }
  all.pad();
  return all.text();
}

void write_at(int fd, const void* data, std::size_t size, std::size_t at,
              const std::filesystem::path& path) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::pwrite(fd, bytes, size, static_cast<off_t>(at));
    if (done <= 0)
      base::fail("{}: cannot write this MAT file: {}", path.string(), std::strerror(errno));
    bytes += done, at += static_cast<std::size_t>(done), size -= static_cast<std::size_t>(done);
  }
}

}  // namespace

std::vector<std::string> matlab_names(std::span<const std::string> channels) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& channel : channels) {
    std::string name;
    for (const char c : channel) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "c" + name;
    name.resize(std::min(name.size(), longest_name));
    for (int i = 2; !taken.insert(name).second; ++i) {
      const std::string end = fmt::format("_{}", i);
      name = name.substr(0, std::min(name.size(), longest_name - end.size())) + end;
    }
    names.push_back(name);
  }
  return names;
}

void write_mat(const Table& table, std::span<const std::size_t> chosen,
               const std::filesystem::path& path) {
  const std::size_t bytes = 8 * table.rows();
  if (bytes >= 0xffff0000u)
    base::fail("{}: {} rows are too many for a MAT file; use --hdf5", path.string(), table.rows());
  std::vector<std::string> names, units;
  for (const std::size_t i : chosen) {
    names.push_back(table.channels()[i].name);
    units.push_back(table.channels()[i].unit);
  }
  const std::vector<std::string> variables = matlab_names(names);
  base::FileWriter file(path);
  file.write(file_head());
  std::size_t at = 128;
  for (const auto& [name, lines] : {std::pair("klingel_variables", &variables),
                                    {"klingel_names", &names},
                                    {"klingel_units", &units}}) {
    const std::string text = text_matrix(name, *lines);
    file.write(text);
    at += text.size();
  }
  std::vector<std::size_t> begins;
  for (const std::string& variable : variables) {
    const std::string head = matrix_head(variable, mx_double, table.rows(), 1, mi_double, bytes);
    write_at(file.descriptor(), head.data(), head.size(), at, path);
    begins.push_back(at + head.size());
    at += head.size() + bytes;
  }
  table.blocks(chosen, [&](std::size_t first, std::span<const std::span<const double>> values) {
    for (std::size_t k = 0; k < begins.size(); ++k)
      write_at(file.descriptor(), values[k].data(), 8 * values[k].size(), begins[k] + 8 * first,
               path);
  });
  file.commit();
}

}  // namespace klingel::record
