// A recording as HDF5 file, for Python (h5py), Matlab, Octave:
//
//   /                attributes format = "klingel recording", version = 1, and the notes as text
//   /channels/NAME   one dataset of doubles per channel, in the order of the channels; attributes
//                    unit and about
//
//   h5py.File("results.h5")["channels/N.rear.front.right"][:]
//   h5read("results.h5", "/channels/t")
//
// Reading takes back exactly what was written. Not for two threads at the same time: Debian's
// HDF5 library is not made for it.
#pragma once

#include <filesystem>

#include "record/table.hpp"

namespace klingel::record {

inline constexpr int hdf5_version = 1;  // of the layout above

// Written whole or not at all; an Error names the file and the library's reason.
void write_hdf5(const Table& table, std::span<const std::size_t> chosen, const Notes& notes,
                const std::filesystem::path& path);
void write_hdf5(const Recording& recording, const std::filesystem::path& path);

// A file that is not there, no HDF5, damaged, of another program or a newer version is an Error
// that says which.
Recording read_hdf5(const std::filesystem::path& path);

}  // namespace klingel::record
