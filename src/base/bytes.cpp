#include "base/bytes.hpp"

#include <bit>

#include "base/error.hpp"
#include "base/sha256.hpp"

namespace klingel::base {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

namespace {

constexpr std::string_view magic = "KLINGEL\n";
constexpr std::size_t digits = 64, header = 8 + 4 + 4 + digits;

}  // namespace

void ByteWriter::operator()(std::string& text) {
  count(text.size(), 1);
  raw(text.data(), text.size());
}

std::size_t ByteWriter::count(std::size_t n, std::size_t) {
  std::uint64_t number = n;
  (*this)(number);
  return n;
}

void ByteReader::raw(void* data, std::size_t size) {
  if (size > left_.size())
    fail("the data end too early: {} bytes are left, {} are needed", left_.size(), size);
  std::memcpy(data, left_.data(), size);
  left_.remove_prefix(size);
}

void ByteReader::operator()(bool& x) {
  unsigned char byte = 0;
  raw(&byte, 1);
  check_choice(byte, 1, "a yes or no");
  x = byte != 0;
}

void ByteReader::operator()(std::string& text) {
  text.resize(count(0, 1));
  if (!text.empty()) raw(text.data(), text.size());
}

std::size_t ByteReader::count(std::size_t, std::size_t least) {
  std::uint64_t number = 0;
  (*this)(number);
  if (number > left_.size() / least)
    fail("a list in the data has {} elements, but only {} bytes are left", number, left_.size());
  return number;
}

void ByteReader::finish() const {
  if (!left_.empty()) fail("the data have {} bytes more than expected", left_.size());
}

void check_choice(std::uint64_t value, std::uint64_t last, const char* what) {
  if (value > last) fail("the data have {} for {}, expected 0 to {}", value, what, last);
}

std::string seal(std::string_view kind, std::uint32_t version, std::string_view bytes) {
  ByteWriter out;
  out.raw(magic.data(), magic.size());
  out.raw(kind.data(), 4);
  out.raw(&version, sizeof version);
  const std::string sum = sha256(bytes);
  out.raw(sum.data(), sum.size());
  out.raw(bytes.data(), bytes.size());
  return out.bytes();
}

std::string_view unseal(std::string_view kind, std::uint32_t version, std::string_view sealed,
                        const std::string& what) {
  if (sealed.size() < header || !sealed.starts_with(magic))
    fail("{}: not written by klingel, or cut off", what);
  if (sealed.substr(8, 4) != kind)
    fail("{}: holds '{}', expected '{}'", what, sealed.substr(8, 4), kind);
  std::uint32_t found = 0;
  std::memcpy(&found, sealed.data() + 12, sizeof found);
  if (found != version)
    fail("{}: has version {} of the format, expected {}; export it again", what, found, version);
  const std::string_view bytes = sealed.substr(header);
  if (sha256(bytes) != sealed.substr(16, digits))
    fail("{}: is damaged, its checksum is wrong; export it again", what);
  return bytes;
}

}  // namespace klingel::base
