// Prints the version and a digest through the installed headers and libraries.
#include <cstdio>

#include "base/sha256.hpp"
#include "base/version.hpp"

int main() {
  std::printf("klingel %s %.8s\n", klingel::base::version, klingel::base::sha256("abc").c_str());
  return 0;
}
