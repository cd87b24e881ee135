#include "record/hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/file_writer.hpp"

namespace klingel::record {
namespace {

constexpr char format_name[] = "klingel recording";

// The library prints its errors on the screen; this is switched off while an object exists.
// At the end of the program it would also report what a damaged file left open. To prevent that,
// its clean-up is switched off first of all: we close what we open.
class Quiet {
 public:
  Quiet() {
    H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// The innermost message of the library's last error.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        std::string& result = *static_cast<std::string*>(out);
        if (result.empty() && error->desc != nullptr) result = error->desc;
        return 0;
      },
      &text);
  return text.empty() ? "no reason given" : text;
}

// The path in front of every message.
struct FileUse {
  const std::filesystem::path& path;
  const char* doing;  // "write", "read"

  [[noreturn]] void fail() const {
    base::fail("{}: cannot {} this HDF5 file: {}", path.string(), doing, reason());
  }
  void check(herr_t status) const {
    if (status < 0) fail();
  }
};

// An open object of the library, closed whatever happens.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close how, const FileUse& use) : id_(id), close_(how) {
    if (id_ < 0) use.fail();
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator hid_t() const { return id_; }
  // For files being written: a full disk shows here.
  void close(const FileUse& use) {
    const hid_t id = id_;
    id_ = -1;
    use.check(close_(id));
  }

 private:
  hid_t id_;
  Close close_;
};

// ---- writing

void write_text(hid_t object, const char* name, const std::string& text, const FileUse& use) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, use);
  use.check(H5Tset_size(type, text.size() + 1));
  use.check(H5Tset_cset(type, H5T_CSET_UTF8));
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, use);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         use);
  use.check(H5Awrite(attribute, type, text.c_str()));
}

void write_number(hid_t object, const char* name, int number, const FileUse& use) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, use);
  const Handle attribute(H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, use);
  use.check(H5Awrite(attribute, H5T_NATIVE_INT, &number));
}

// A dataset without values, which are written block by block.
void make_channel(hid_t group, const Channel& channel, hsize_t size, const FileUse& use) {
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, use);
  // checksums for the numbers too; they come with chunks
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, use);
  if (size > 0) {
    const hsize_t chunk = std::min<hsize_t>(size, 4096);
    use.check(H5Pset_chunk(layout, 1, &chunk));
    use.check(H5Pset_fletcher32(layout));
  }
  const Handle data(H5Dcreate2(group, channel.name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT,
                               layout, H5P_DEFAULT),
                    H5Dclose, use);
  write_text(data, "unit", channel.unit, use);
  write_text(data, "about", channel.about, use);
}

void write_values(hid_t group, const Channel& channel, hsize_t first,
                  std::span<const double> values, const FileUse& use) {
  const Handle data(H5Dopen2(group, channel.name.c_str(), H5P_DEFAULT), H5Dclose, use);
  const Handle space(H5Dget_space(data), H5Sclose, use);
  const hsize_t count = values.size();
  use.check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr));
  const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose, use);
  use.check(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()));
}

void write_whole(const Table& table, std::span<const std::size_t> chosen, const Notes& notes,
                 const std::filesystem::path& path, const FileUse& use) {
  // the layout of HDF5 1.8: everything but the numbers has checksums, and the library survives
  // damage; the older layout that is its default has none
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, use);
  use.check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, use);
  write_text(file, "format", format_name, use);
  write_number(file, "version", hdf5_version, use);
  for (const auto& [name, text] : notes) write_text(file, name.c_str(), text, use);
  {
    // links remember their order, else they come back sorted by name
    const Handle ordered(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, use);
    use.check(H5Pset_link_creation_order(ordered, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    const Handle group(H5Gcreate2(file, "channels", H5P_DEFAULT, ordered, H5P_DEFAULT), H5Gclose,
                       use);
    for (const std::size_t i : chosen) make_channel(group, table.channels()[i], table.rows(), use);
    table.blocks(chosen, [&](std::size_t first, std::span<const std::span<const double>> values) {
      for (std::size_t k = 0; k < chosen.size(); ++k)
        write_values(group, table.channels()[chosen[k]], first, values[k], use);
    });
  }
  file.close(use);
}

// ---- reading

std::string read_text(hid_t object, const char* name, const FileUse& use) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, use);
  const Handle type(H5Aget_type(attribute), H5Tclose, use);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    base::fail("{}: the attribute '{}' is not a text of fixed length", use.path.string(), name);
  std::string text(H5Tget_size(type), '\0');
  use.check(H5Aread(attribute, type, text.data()));
  return text.c_str();
}

bool has_attribute(hid_t object, const char* name, const FileUse& use) {
  const htri_t answer = H5Aexists(object, name);
  use.check(answer);
  return answer > 0;
}

void check_format(hid_t file, const FileUse& use) {
  if (!has_attribute(file, "format", use) || !has_attribute(file, "version", use) ||
      read_text(file, "format", use) != format_name) {
    base::fail(
        "{}: this HDF5 file is not a recording of klingel (expected the attribute format = "
        "'{}')",
        use.path.string(), format_name);
  }
  int version = 0;
  const Handle attribute(H5Aopen(file, "version", H5P_DEFAULT), H5Aclose, use);
  use.check(H5Aread(attribute, H5T_NATIVE_INT, &version));
  if (version != hdf5_version) {
    base::fail("{}: a recording of version {}, this program reads version {}", use.path.string(),
               version, hdf5_version);
  }
}

Notes read_notes(hid_t file, const FileUse& use) {
  Notes notes;
  std::vector<std::string> names;
  use.check(H5Aiterate2(
      file, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->push_back(name);
        return 0;
      },
      &names));
  for (const std::string& name : names) {
    if (name != "format" && name != "version")
      notes.emplace_back(name, read_text(file, name.c_str(), use));
  }
  return notes;
}

std::vector<std::string> channel_names(hid_t group, const FileUse& use) {
  std::vector<std::string> names;
  use.check(H5Literate(
      group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->push_back(name);
        return 0;
      },
      &names));
  return names;
}

struct Column {
  Channel channel;
  std::vector<double> values;
};

Column read_channel(hid_t group, const std::string& name, const FileUse& use) {
  const Handle data(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, use);
  const Handle space(H5Dget_space(data), H5Sclose, use);
  const Handle type(H5Dget_type(data), H5Tclose, use);
  hsize_t size = 0;
  if (H5Sget_simple_extent_ndims(space) != 1 || H5Tget_class(type) != H5T_FLOAT ||
      H5Sget_simple_extent_dims(space, &size, nullptr) != 1) {
    base::fail("{}: channel '{}' is not a row of floating-point numbers", use.path.string(), name);
  }
  // before memory is taken for it: a damaged size
  const std::uintmax_t bytes = std::filesystem::file_size(use.path);
  if (size > bytes / sizeof(double)) {
    base::fail(
        "{}: channel '{}' claims {} values, more than the file has room for; the file is "
        "damaged",
        use.path.string(), name, size);
  }
  Column column{{name, read_text(data, "unit", use), read_text(data, "about", use)},
                std::vector<double>(size)};
  if (size > 0) {
    use.check(
        H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()));
  }
  return column;
}

}  // namespace

void write_hdf5(const Table& table, std::span<const std::size_t> chosen, const Notes& notes,
                const std::filesystem::path& path) {
  const Quiet quiet;
  base::FileWriter file(path);
  // the library opens files by name: this one is the file that is open already, whatever stands at
  // its name by now
  const std::filesystem::path opened = fmt::format("/proc/self/fd/{}", file.descriptor());
  write_whole(table, chosen, notes, opened, FileUse{path, "write"});
  file.commit();
}

void write_hdf5(const Recording& recording, const std::filesystem::path& path) {
  const RecordingTable table(recording);
  write_hdf5(table, all_channels(table), recording.notes, path);
}

Recording read_hdf5(const std::filesystem::path& path) {
  const Quiet quiet;
  const FileUse use{path, "read"};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) base::fail("{}: no such file", path.string());
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    base::fail("{}: not an HDF5 file, or its beginning is damaged", path.string());
  }
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, use);
  check_format(file, use);
  const Handle group(H5Gopen2(file, "channels", H5P_DEFAULT), H5Gclose, use);
  std::vector<Channel> channels;
  std::vector<std::vector<double>> columns;
  for (const std::string& name : channel_names(group, use)) {
    Column column = read_channel(group, name, use);
    if (!columns.empty() && column.values.size() != columns[0].size()) {
      base::fail("{}: channel '{}' has {} values, '{}' has {}; the file is damaged", path.string(),
                 name, column.values.size(), channels[0].name, columns[0].size());
    }
    channels.push_back(std::move(column.channel));
    columns.push_back(std::move(column.values));
  }
  return Recording(std::move(channels), std::move(columns), read_notes(file, use));
}

}  // namespace klingel::record
