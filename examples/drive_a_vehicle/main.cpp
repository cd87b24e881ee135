// Drives a vehicle through its scenario and prints the largest load of one wheel, in N.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <klingel/compile.hpp>

int main(int argc, char** argv) try {
  klingel::Simulation vehicle = klingel::load(argc > 1 ? argv[1] : "coach_300m");
  vehicle.record({"Q.front.front.left"});
  vehicle.start();
  while (!vehicle.finished()) {
    if (!vehicle.step()) {
      std::fprintf(stderr, "%s\n", vehicle.failure().c_str());
      return 3;
    }
  }
  const klingel::Column Q = vehicle.recorded("Q.front.front.left");
  std::printf("%.17g\n", *std::max_element(Q.begin(), Q.end()));
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
