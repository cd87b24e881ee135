// All creep laws against two tables of the CONTACT program, read from KLINGEL_REFERENCE_DATA (they
// are not part of the project): forces on given Hertz ellipses by full theory (C) and FASTSIM (F),
// and the Manchester benchmark, whose patches are no ellipses. Prints the tables of
// docs/validation_forces.md:  unit_wheelrail --gtest_filter='reference_forces*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "wheelrail/creep_law.hpp"
#include "wheelrail/hertz.hpp"

namespace klingel::wheelrail {
namespace {

namespace fs = std::filesystem;
using Row = std::map<std::string, std::string>;

double number(const Row& row, const char* key) { return std::strtod(row.at(key).c_str(), nullptr); }

fs::path reference(const char* name) {
  const char* folder = std::getenv("KLINGEL_REFERENCE_DATA");
  return fs::path(folder ? folder : KLINGEL_SOURCE_DIR "/../shared/data") / "contact" / name;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) found.push_back(cell);
  return found;
}

// Lines of a CSV file by column name; lines that begin with # are comments.
std::vector<Row> rows(const fs::path& path) {
  std::vector<Row> found;
  std::vector<std::string> names;
  std::istringstream text(base::read_file(path));
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> values = cells(line);
    if (names.empty()) {
      names = values;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values.at(i);
    found.push_back(row);
  }
  return found;
}

struct Differences {
  std::vector<double> all;
  void add(double d) { all.push_back(d); }
  double most() const { return *std::max_element(all.begin(), all.end()); }
  double mean() const {
    double sum = 0;
    for (const double d : all) sum += d;
    return sum / static_cast<double>(all.size());
  }
};

// mm, rad/mm and N of the files; 1 m/s makes slip velocities of creepages.
CreepInput input(double a, double b, double N, const Row& row) {
  CreepInput in;
  in.a = a;
  in.b = b;
  in.N = N;
  in.mu = 0.3;
  in.G = 82e9;
  in.c = KalkerTable(0.28).at(a, b);
  in.nu[0] = number(row, "cksi");
  in.nu[1] = number(row, "ceta");
  in.nu[2] = 1e3 * number(row, "cphi");
  in.V = 1;
  return in;
}

TEST(reference_forces, on_given_ellipses) {
  const fs::path path = reference("creep_forces.csv");
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not there: the comparison is NOT made";
  std::map<std::string, Differences> differences, moments;
  int fastsim_off = 0, count = 0;
  for (const Row& row : rows(path)) {
    const CreepInput in =
        input(1e-3 * number(row, "aa"), 1e-3 * number(row, "bb"), number(row, "FN"), row);
    const double muN = in.mu * in.N, e = std::sqrt(in.a * in.b);
    for (const CreepLaw law : creep_laws) {
      CreepModel model;
      model.law = law;
      const CreepResult r = model(in);
      const double d = std::hypot(r.f[0] - number(row, "FX"), r.f[1] - number(row, "FY")) / muN;
      const std::string key = fmt::format("{:<8} {} {}", name(law), row.at("theory"),
                                          in.nu[2] == 0 ? "without spin" : "with spin   ");
      differences[key].add(d);
      moments[key].add(std::abs(r.f[2] - 1e-3 * number(row, "MZ")) / (muN * e));
      if (law == CreepLaw::fastsim) {
        fastsim_off += d > (row.at("theory") == "F" ? 0.02 : 0.10);
        ++count;
      }
    }
  }
  fmt::print("force in % of mu N, moment in % of mu N sqrt(ab): largest and mean difference\n");
  for (const auto& [key, d] : differences) {
    fmt::print("{} ({:2} rows)  force {:6.1f} {:6.1f}   moment {:6.1f} {:6.1f}\n", key,
               d.all.size(), 100 * d.most(), 100 * d.mean(), 100 * moments[key].most(),
               100 * moments[key].mean());
  }
  ASSERT_GE(count, 20);
  EXPECT_LE(fastsim_off, count / 20);  // 2 % of FASTSIM, 10 % of full theory, 19 of 20 cases
  EXPECT_LT(differences["she      C without spin"].most(), 0.10);
  EXPECT_LT(differences["polach   C without spin"].most(), 0.10);
}

// The Hertz ellipse of the published area under the published force, with the wheel's curvature
// along rolling; what is left to choose is B.
HertzPatch ellipse_of_area(const HertzTable& table, double A, double N, double area) {
  double low = std::log(1e-4 * A), high = std::log(1e4 * A);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    const HertzPatch patch = table.patch({A, std::exp(middle)}, N);
    // the sharper the curvature across, the smaller the patch
    (M_PI * patch.a * patch.b > area ? low : high) = middle;
  }
  return table.patch({A, std::exp(low)}, N);
}

TEST(reference_forces, manchester_benchmark) {
  const HertzTable hertz(2 * 82e9 * 1.28, 0.28);
  std::map<std::string, Differences> differences;
  for (const char* side : {"left", "right"}) {
    const fs::path path = reference(fmt::format("mbench_a22_{}.csv", side).c_str());
    if (!fs::exists(path)) GTEST_SKIP() << path << " is not there: the comparison is NOT made";
    for (const Row& row : rows(path)) {
      const double N = number(row, "FN"), area = 1e-6 * number(row, "area_mm2");
      const double R = 1e-3 * number(row, "roll_radius_mm"), angle = number(row, "delta_cp");
      const HertzPatch patch = ellipse_of_area(hertz, std::cos(angle) / (2 * R), N, area);
      const CreepInput in = input(patch.a, patch.b, N, row);
      fmt::print("{:<5} {:>2} a/b {:5.2f}  p0 {:5.0f} of {:5} MPa  CONTACT {:6.0f} {:6.0f}", side,
                 row.at("case"), patch.a / patch.b, 1e-6 * patch.p0(), row.at("pmax"),
                 number(row, "FX"), number(row, "FS"));
      for (const CreepLaw law : {CreepLaw::she, CreepLaw::polach, CreepLaw::fastsim}) {
        CreepModel model;
        model.law = law;
        const CreepResult r = model(in);
        const double d =
            std::hypot(r.f[0] - number(row, "FX"), r.f[1] - number(row, "FS")) / (in.mu * N);
        differences[std::string(name(law))].add(d);
        fmt::print("  {} {:6.0f} {:6.0f}", name(law), r.f[0], r.f[1]);
      }
      fmt::print("\n");
    }
  }
  for (const auto& [law, d] : differences) {
    fmt::print("{:<8} largest {:5.1f} mean {:5.1f} % of mu N\n", law, 100 * d.most(),
               100 * d.mean());
    // patches are not ellipses and their points have different creepages
    EXPECT_LT(d.mean(), law == "fastsim" ? 0.02 : 0.08) << law;
  }
}

}  // namespace
}  // namespace klingel::wheelrail
