// Prints the version and a digest through the installed headers and libraries, and writes a
// recording, which needs HDF5.
#include <cstdio>

#include "base/sha256.hpp"
#include "base/version.hpp"
#include "record/hdf5.hpp"

int main() {
  klingel::record::Recording recording({{"t", "s", "time"}}, 1);
  const double row[] = {0.5};
  recording.add(row);
  klingel::record::write_hdf5(recording, "stranger.h5");
  const double read = klingel::record::read_hdf5("stranger.h5").column("t")[0];
  std::remove("stranger.h5");
  std::printf("klingel %s %.8s\n", klingel::base::version, klingel::base::sha256("abc").c_str());
  return read == 0.5 ? 0 : 1;
}
