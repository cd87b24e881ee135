#include "packaging/zip.hpp"

#include <zip.h>

#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"

namespace klingel::packaging {
namespace {

// 1 January 2000, midnight, as MS-DOS writes it: a time that does not depend on time zones
constexpr zip_uint16_t dos_date = (20 << 9) | (1 << 5) | 1, dos_time = 0;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};

void add(zip_t* archive, const gen::File& file, const std::string& path) {
  const auto fail = [&] {
    base::fail("{}: '{}' cannot be added: {}", path, file.name, zip_strerror(archive));
  };
  zip_source_t* source = zip_source_buffer(archive, file.text.data(), file.text.size(), 0);
  if (source == nullptr) fail();
  const zip_int64_t index = zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail();
  }
  const auto i = static_cast<zip_uint64_t>(index);
  // libraries may be run
  const zip_uint32_t mode = file.name.ends_with(".so") ? 0100755u : 0100644u;
  if (zip_file_set_dostime(archive, i, dos_time, dos_date, 0) != 0 ||
      zip_set_file_compression(archive, i, ZIP_CM_DEFLATE, 6) != 0 ||
      zip_file_set_external_attributes(archive, i, 0, ZIP_OPSYS_UNIX, mode << 16) != 0)
    fail();
}

}  // namespace

void write_zip(const std::filesystem::path& path, const std::vector<gen::File>& files) {
  // made in memory, so that a file is there whole or not at all
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (buffer == nullptr) base::fail("{}: {}", path.string(), zip_error_strerror(&error));
  std::unique_ptr<zip_t, Discard> archive(
      zip_open_from_source(buffer, ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive) {
    zip_source_free(buffer);
    base::fail("{}: {}", path.string(), zip_error_strerror(&error));
  }
  zip_source_keep(buffer);
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> kept(buffer, zip_source_free);
  for (const gen::File& file : files) add(archive.get(), file, path.string());
  if (zip_close(archive.get()) != 0)
    base::fail("{}: {}", path.string(), zip_strerror(archive.get()));
  (void)archive.release();  // closed

  zip_stat_t stat;
  if (zip_source_open(buffer) != 0 || zip_source_stat(buffer, &stat) != 0)
    base::fail("{}: the archive cannot be read back", path.string());
  std::string bytes(stat.size, 0);
  const zip_int64_t read = zip_source_read(buffer, bytes.data(), bytes.size());
  zip_source_close(buffer);
  if (read != static_cast<zip_int64_t>(bytes.size()))
    base::fail("{}: the archive cannot be read back", path.string());
  base::write_file(path, bytes);
}

}  // namespace klingel::packaging
