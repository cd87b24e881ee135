#include "vehicle/track_irregularity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "spline/spline_fit.hpp"
#include "track/resample.hpp"
#include "vehicle/columns.hpp"
#include "vehicle/track_keys.hpp"

namespace klingel::vehicle {
namespace {

using track::Channel;

track::Harmonic read_harmonic(Table& table) {
  return {table.number("amplitude"), table.positive("wavelength"), table.number("phase", 0)};
}

// Recording cars also run towards smaller kilometres.
void put_in_order(std::vector<double>& s, std::vector<double>& values, bool& turned) {
  turned = std::adjacent_find(s.begin(), s.end(), std::less_equal<>()) == s.end();
  if (!turned) return;
  std::reverse(s.begin(), s.end());
  std::reverse(values.begin(), values.end());
}

// What was read, to be compared with what was meant.
std::string report(const Columns& columns, const std::string& column, const std::vector<double>& s,
                   const std::vector<double>& values, bool turned) {
  double shortest = s.back() - s.front(), longest = 0, sum = 0, squares = 0;
  for (std::size_t i = 1; i < s.size(); ++i)
    shortest = std::min(shortest, s[i] - s[i - 1]), longest = std::max(longest, s[i] - s[i - 1]);
  for (const double v : values) sum += v;
  const double mean = sum / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::string apart = longest - shortest < 1e-6 * longest
                                ? fmt::format("{:.4g} m", shortest)
                                : fmt::format("{:.4g} to {:.4g} m", shortest, longest);
  return fmt::format(
      "{}, column '{}': {} rows every {}, s from {:.3f} to {:.3f} m{}{}; values from {:.3f} to "
      "{:.3f} mm, mean {:.3f} mm, standard deviation {:.3f} mm",
      std::filesystem::path(columns.file()).filename().string(), column, s.size(), apart, s.front(),
      s.back(), columns.decimal_commas() ? ", decimal commas" : "",
      turned ? ", rows from the last to the first" : "", 1e3 * *low, 1e3 * *high, 1e3 * mean,
      1e3 * std::sqrt(squares / static_cast<double>(values.size())));
}

track::Measured read_measured(Table& table, Channel channel, const std::filesystem::path& folder,
                              std::vector<std::string>& notes) {
  const std::string column = table.text("column", track::text(channel));
  const std::string s_column = table.text("s_column", "s");
  const std::string unit = table.text("unit", ""), s_unit = table.text("s_unit", "");
  const double scale = table.number("scale", 1), offset = table.number("offset", 0);
  const double shift = table.number("shift", 0), distance = table.number("resample", 0);
  if (scale == 0) table.fail("scale", "a scale of 0 leaves nothing of what was measured");
  const Columns columns = Columns::load(folder / table.text("file"));
  if (columns.rows() < 4) {
    base::fail_at({columns.file(), 0, 0}, "measured values need at least 4 rows, found {}",
                  columns.rows());
  }
  std::vector<double> s = columns.column(s_column, Quantity::length, s_unit);
  std::vector<double> values = columns.column(column, Quantity::length, unit);
  bool turned = false;
  put_in_order(s, values, turned);
  if (!turned) columns.ascending(s_column, Quantity::length, s_unit);  // or an Error with its line
  for (double& x : s) x += shift;
  for (double& v : values) v = scale * v + offset;
  notes.push_back(report(columns, column, s, values, turned));
  if (table.has("resample")) {
    const double length = s.back() - s.front();
    if (!(distance > 0) || distance > length / 4)
      table.fail("resample", fmt::format("'resample' must be greater than zero and at most a "
                                         "quarter of the {:.4g} m that were measured, found {} m",
                                         length, distance));
    track::Resampled other = track::resample(s, values, distance);
    notes.push_back(fmt::format(
        "resampled to {} points every {:.4g} m, without waves shorter than {:.4g} m: they had a "
        "root mean square of {:.4f} mm",
        other.s.size(), distance, 2 * distance, 1e3 * other.removed));
    s = std::move(other.s), values = std::move(other.values);
  }
  return {spline::interpolate(s, values)};
}

track::SpectrumOf spectrum_of(Table& table, Channel channel) {
  if (channel == Channel::vertical) return track::SpectrumOf::vertical;
  if (channel == Channel::lateral) return track::SpectrumOf::lateral;
  if (channel == Channel::cross_level) return track::SpectrumOf::cross_level;
  table.fail("channel", fmt::format("there is no spectrum of '{}'; random channels are vertical, "
                                    "lateral and cross_level",
                                    track::text(channel)));
}

track::RandomWaves read_random(Table& table, Channel channel) {
  const std::vector<std::string> spectra = {"erri_low", "erri_high"};
  table.text("spectrum");
  const bool low = table.word("spectrum", spectra, "") == "erri_low";
  track::RandomSignal signal;
  signal.spectrum = track::erri_b176(
      low ? track::TrackQuality::low_disturbance : track::TrackQuality::high_disturbance,
      spectrum_of(table, channel));
  const std::int64_t seed = table.integer("seed", 1), waves = table.integer("waves", 1000);
  if (seed < 0) table.fail("seed", "a seed is a whole number from 0");
  if (waves < 1 || waves > 20'000) {
    table.fail("waves", fmt::format("a signal is made of 1 to 20000 waves, found {}", waves));
  }
  // channels with the same seed must not be copies of each other
  signal.seed = 8 * static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(channel);
  signal.waves = static_cast<int>(waves);
  signal.shortest = table.positive("shortest", 3);
  signal.longest = table.positive("longest", 150);
  if (!(signal.longest > signal.shortest)) {
    table.fail("longest", fmt::format("the longest wavelength ({} m) must be longer than the "
                                      "shortest ({} m)",
                                      signal.longest, signal.shortest));
  }
  const double scale = table.number("scale", 1);
  track::RandomWaves result{track::realise(signal)};
  for (track::Wave& w : result.waves) w.amplitude *= scale;
  return result;
}

}  // namespace

track::Irregularity read_irregularity(Table& table, const std::filesystem::path& folder) {
  const std::vector<std::string> kinds = {"harmonic", "measured", "random"};
  const std::string kind = table.text("kind");
  table.word("kind", kinds, "");
  const std::string name = table.text("channel");
  const Channel channel = track::channel_of(table.word("channel", track::channel_names(), ""));
  table.call(fmt::format("irregularity {} '{}'", kind, name));
  track::Irregularity irregularity;
  irregularity.place = table.place();
  irregularity.channel = channel;
  const std::vector<std::string> frames = {"track", "ground"};
  if (table.word("frame", frames, "track") == "ground")
    irregularity.frame = track::DeviationFrame::ground;
  irregularity.from = table.number("from", irregularity.from);
  irregularity.to = table.number("to", irregularity.to);
  irregularity.fade = table.number("fade", 0);
  if (kind == "harmonic") irregularity.signal = read_harmonic(table);
  if (kind == "measured")
    irregularity.signal = read_measured(table, channel, folder, irregularity.notes);
  if (kind == "random") irregularity.signal = read_random(table, channel);
  finish(table, "irregularity " + kind);
  return irregularity;
}

}  // namespace klingel::vehicle
