#include "record/recording.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"

namespace klingel::record {
namespace {

bool is_forbidden(char c) {
  return c == '/' || c == ',' || c == '"' || static_cast<unsigned char>(c) < 0x20;
}

}  // namespace

Recording::Recording(std::vector<Channel> channels, std::size_t capacity)
    : channels_(std::move(channels)), capacity_(capacity) {
  std::unordered_set<std::string_view> seen;
  for (const Channel& c : channels_) {
    if (c.name.empty() || c.name == "." ||
        std::any_of(c.name.begin(), c.name.end(), is_forbidden)) {
      base::fail("'{}' cannot be the name of a channel: expected letters without '/', ',' or '\"'",
                 c.name);
    }
    if (!seen.insert(c.name).second) base::fail("there are two channels '{}'", c.name);
  }
  values_.resize(channels_.size() * capacity_);
}

Recording::Recording(std::vector<Channel> channels, const std::vector<std::vector<double>>& columns,
                     Notes given)
    : Recording(std::move(channels), columns.empty() ? 0 : columns[0].size()) {
  notes = std::move(given);
  KLINGEL_ASSERT_EQ(columns.size(), channels_.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    KLINGEL_ASSERT_EQ(columns[i].size(), capacity_);
    std::copy(columns[i].begin(), columns[i].end(), values_.data() + i * capacity_);
  }
  rows_ = capacity_;
}

bool Recording::add(std::span<const double> values) {
  KLINGEL_ASSERT_EQ(values.size(), channels_.size());
  if (rows_ == capacity_) return false;
  for (std::size_t i = 0; i < values.size(); ++i) values_[i * capacity_ + rows_] = values[i];
  ++rows_;
  return true;
}

std::span<const double> Recording::column(std::size_t channel) const {
  KLINGEL_ASSERT(channel < channels_.size());
  return {values_.data() + channel * capacity_, rows_};
}

std::span<const double> Recording::column(std::string_view name) const {
  const auto it = std::find_if(channels_.begin(), channels_.end(),
                               [&](const Channel& c) { return c.name == name; });
  if (it != channels_.end()) return column(static_cast<std::size_t>(it - channels_.begin()));
  std::vector<std::string> names;
  for (const Channel& c : channels_) names.push_back(c.name);
  base::fail("the recording has no channel '{}'{}", name, base::did_you_mean(name, names));
}

}  // namespace klingel::record
