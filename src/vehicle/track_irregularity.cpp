#include "vehicle/track_irregularity.hpp"

#include <optional>

#include "vehicle/columns.hpp"
#include "vehicle/track_keys.hpp"
#include "wheelrail/spline_fit.hpp"

namespace klingel::vehicle {
namespace {

using wheelrail::Channel;

wheelrail::Harmonic read_harmonic(Table& table) {
  return {table.number("amplitude"), table.positive("wavelength"), table.number("phase", 0)};
}

wheelrail::Measured read_measured(Table& table, Channel channel,
                                  const std::filesystem::path& folder) {
  const std::string column = table.text("column", wheelrail::text(channel));
  const Columns columns = Columns::load(folder / table.text("file"));
  if (columns.rows() < 4) {
    base::fail_at({columns.file(), 0, 0}, "measured values need at least 4 rows, found {}",
                  columns.rows());
  }
  return {wheelrail::interpolate(columns.ascending("s", Quantity::length),
                                 columns.column(column, Quantity::length))};
}

wheelrail::SpectrumOf spectrum_of(Table& table, Channel channel) {
  if (channel == Channel::vertical) return wheelrail::SpectrumOf::vertical;
  if (channel == Channel::lateral) return wheelrail::SpectrumOf::lateral;
  if (channel == Channel::cross_level) return wheelrail::SpectrumOf::cross_level;
  table.fail("channel", fmt::format("there is no spectrum of '{}'; random channels are vertical, "
                                    "lateral and cross_level",
                                    wheelrail::text(channel)));
}

wheelrail::RandomWaves read_random(Table& table, Channel channel) {
  const std::vector<std::string> spectra = {"erri_low", "erri_high"};
  table.text("spectrum");
  const bool low = table.word("spectrum", spectra, "") == "erri_low";
  wheelrail::RandomSignal signal;
  signal.spectrum = wheelrail::erri_b176(
      low ? wheelrail::TrackQuality::low_disturbance : wheelrail::TrackQuality::high_disturbance,
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
  wheelrail::RandomWaves result{wheelrail::realise(signal)};
  for (wheelrail::Wave& w : result.waves) w.amplitude *= scale;
  return result;
}

}  // namespace

wheelrail::Irregularity read_irregularity(Table& table, const std::filesystem::path& folder) {
  const std::vector<std::string> kinds = {"harmonic", "measured", "random"};
  const std::string kind = table.text("kind");
  table.word("kind", kinds, "");
  const std::string name = table.text("channel");
  const Channel channel =
      wheelrail::channel_of(table.word("channel", wheelrail::channel_names(), ""));
  table.call(fmt::format("irregularity {} '{}'", kind, name));
  wheelrail::Irregularity irregularity;
  irregularity.place = table.place();
  irregularity.channel = channel;
  const std::vector<std::string> frames = {"track", "ground"};
  if (table.word("frame", frames, "track") == "ground")
    irregularity.frame = wheelrail::DeviationFrame::ground;
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
