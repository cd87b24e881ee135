// Plain values as bytes and back: little-endian, doubles bit for bit, texts and lists with their
// length in front. Writer and reader have the same functions, so that one list of fields serves
// both. seal() puts a header and a checksum around the bytes, unseal() checks them. The reader
// never reads beyond its bytes and allocates no more than these can fill: damaged ones are an
// Error.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::base {

class ByteWriter {
 public:
  void operator()(double& x) { raw(&x, sizeof x); }
  void operator()(std::uint64_t& x) { raw(&x, sizeof x); }
  void operator()(bool& x) { bytes_.push_back(x ? 1 : 0); }
  void operator()(std::string& text);
  // A number of elements; the caller then writes so many of at least `least` bytes each.
  std::size_t count(std::size_t n, std::size_t least);
  void raw(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  void operator()(double& x) { raw(&x, sizeof x); }
  void operator()(std::uint64_t& x) { raw(&x, sizeof x); }
  void operator()(bool& x);
  void operator()(std::string& text);
  std::size_t count(std::size_t ignored, std::size_t least);
  void raw(void* data, std::size_t size);

  // An Error unless all was read.
  void finish() const;

 private:
  std::string_view left_;
};

// Fields that both directions share.
template <class Bytes>
void field(Bytes& bytes, std::vector<double>& list) {
  list.resize(bytes.count(list.size(), sizeof(double)));
  if (!list.empty()) bytes.raw(list.data(), list.size() * sizeof(double));
}
template <class Bytes>
void field(Bytes& bytes, std::vector<std::string>& list) {
  list.resize(bytes.count(list.size(), sizeof(std::uint64_t)));
  for (std::string& text : list) bytes(text);
}
template <class Bytes>
void index(Bytes& bytes, std::size_t& i) {
  std::uint64_t number = i;
  bytes(number);
  i = number;
}
// Of items that take at least so many bytes each.
template <class Bytes, class T, class Each>
void list(Bytes& bytes, std::vector<T>& items, std::size_t least, Each each) {
  items.resize(bytes.count(items.size(), least));
  for (T& item : items) each(bytes, item);
}
// Enumerations, checked to be at most `last`.
void check_choice(std::uint64_t value, std::uint64_t last, const char* what);
template <class Bytes, class Enum>
void choice(Bytes& bytes, Enum& value, Enum last, const char* what) {
  auto number = static_cast<std::uint64_t>(value);
  bytes(number);
  check_choice(number, static_cast<std::uint64_t>(last), what);
  value = static_cast<Enum>(number);
}

// "KLINGEL\n", kind (four letters), version, SHA-256, bytes.
std::string seal(std::string_view kind, std::uint32_t version, std::string_view bytes);
// An Error says what was found and what was expected. `what` is for messages.
std::string_view unseal(std::string_view kind, std::uint32_t version, std::string_view sealed,
                        const std::string& what);

}  // namespace klingel::base
