#include "vehicle/track_irregularity.hpp"

#include <optional>

#include "spline/spline_fit.hpp"
#include "vehicle/columns.hpp"
#include "vehicle/track_keys.hpp"

namespace klingel::vehicle {
namespace {

using track::Channel;

track::Harmonic read_harmonic(Table& table) {
  return {table.number("amplitude"), table.positive("wavelength"), table.number("phase", 0)};
}

track::Measured read_measured(Table& table, Channel channel, const std::filesystem::path& folder) {
  const std::string column = table.text("column", track::text(channel));
  const Columns columns = Columns::load(folder / table.text("file"));
  if (columns.rows() < 4) {
    base::fail_at({columns.file(), 0, 0}, "measured values need at least 4 rows, found {}",
                  columns.rows());
  }
  return {spline::interpolate(columns.ascending("s", Quantity::length),
                              columns.column(column, Quantity::length))};
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
  if (kind == "measured") irregularity.signal = read_measured(table, channel, folder);
  if (kind == "random") irregularity.signal = read_random(table, channel);
  finish(table, "irregularity " + kind);
  return irregularity;
}

}  // namespace klingel::vehicle
