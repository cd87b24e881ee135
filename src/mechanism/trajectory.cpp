#include "mechanism/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"

namespace klingel::mechanism {
namespace {

// as RFC 4180 requires
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

// readers of CSV know nan and inf, not the macros of C
std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return base::shortest(value);
}

}  // namespace

Trajectory::Trajectory(Mechanism& mechanism, std::size_t rows, std::vector<std::string> outputs)
    : outputs_(std::move(outputs)), capacity_(rows) {
  columns_.push_back("t [s]");
  for (const auto* names : {&mechanism.coordinate_names(), &mechanism.rate_names()})
    columns_.insert(columns_.end(), names->begin(), names->end());
  for (const char* name : {"kinetic_energy [J]", "potential_energy [J]", "largest_phi"})
    columns_.push_back(name);
  const State state = mechanism.nominal_state();
  for (const std::string& name : outputs_) {
    const std::size_t size = mechanism.output(state, name).size();
    for (std::size_t i = 0; i < size; ++i)
      columns_.push_back(size == 1 ? name : fmt::format("{}[{}]", name, i));
  }
  values_.resize(capacity_ * columns_.size());
}

bool Trajectory::add(Mechanism& mechanism, const State& state) {
  if (rows_ == capacity_) return false;
  double* next = values_.data() + rows_ * columns_.size();
  const double* const begin = next;
  const auto put = [&next](std::span<const double> values) {
    next = std::copy(values.begin(), values.end(), next);
  };
  *next++ = state.t;
  put(state.q);
  put(state.dq);
  const Energy energy = mechanism.energy(state);
  *next++ = energy.kinetic;
  *next++ = energy.potential;
  *next++ = mechanism.largest_phi(state);
  for (const std::string& name : outputs_) put(mechanism.output(state, name));
  KLINGEL_ASSERT_EQ(static_cast<std::size_t>(next - begin), columns_.size());
  ++rows_;
  return true;
}

std::span<const double> Trajectory::row(std::size_t row) const {
  KLINGEL_ASSERT(row < rows_);
  return {values_.data() + row * columns_.size(), columns_.size()};
}

std::vector<double> Trajectory::column(std::string_view name) const {
  const auto it = std::find(columns_.begin(), columns_.end(), name);
  if (it == columns_.end()) {
    base::fail("the trajectory has no column '{}'{}", name, base::did_you_mean(name, columns_));
  }
  const std::size_t index = static_cast<std::size_t>(it - columns_.begin());
  std::vector<double> result;
  for (std::size_t i = 0; i < rows_; ++i) result.push_back(row(i)[index]);
  return result;
}

std::string Trajectory::csv() const {
  std::string text;
  const auto end_of = [this](std::size_t i) { return i + 1 == columns_.size() ? '\n' : ','; };
  for (std::size_t i = 0; i < columns_.size(); ++i) (text += quoted(columns_[i])) += end_of(i);
  for (std::size_t k = 0; k < rows_; ++k)
    for (std::size_t i = 0; i < columns_.size(); ++i) (text += number(row(k)[i])) += end_of(i);
  return text;
}

void write_csv(const Trajectory& trajectory, const std::filesystem::path& path) {
  base::write_file(path, trajectory.csv());
}

}  // namespace klingel::mechanism
