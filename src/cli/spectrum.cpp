// klingel spectrum: load spectra of recorded channels by rainflow counting.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "record/channel.hpp"
#include "report/folder_signals.hpp"
#include "report/plot.hpp"
#include "wear/rainflow.hpp"

namespace klingel::cli {
namespace {

struct SpectrumArguments {
  std::vector<std::string> folders;
  std::vector<std::string> patterns;
  std::string csv, svg;
  int classes = 32;
  double exponent = 5, from = 0;
};

struct Spectrum {
  std::string channel, unit;
  wear::LoadSpectrum spectrum;
  double equivalent = 0, km = 0;
};

bool wanted(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return record::matches(p, name); });
}

// Cycles of all recordings together.
std::vector<Spectrum> spectra(const SpectrumArguments& a) {
  std::vector<std::string> names, units;
  std::vector<std::vector<wear::LoadCycle>> cycles;
  double km = 0;
  for (const std::string& folder : a.folders) {
    const record::Recording r = report::channels_in(folder);
    const std::span<const double> t = r.column("t");
    const auto begin = static_cast<std::size_t>(
        std::lower_bound(t.begin(), t.end(), t.empty() ? 0 : t.front() + a.from) - t.begin());
    if (t.size() < begin + 3)
      base::fail("the recording of '{}' has no values after {:g} s: nothing to count", folder,
                 a.from);
    for (std::size_t i = 0; i < r.channels().size(); ++i) {
      const record::Channel& c = r.channels()[i];
      if (!wanted(c.name, a.patterns)) continue;
      auto at = std::find(names.begin(), names.end(), c.name);
      if (at == names.end()) {
        names.push_back(c.name), units.push_back(c.unit), cycles.emplace_back();
        at = names.end() - 1;
      }
      std::vector<wear::LoadCycle>& to = cycles[static_cast<std::size_t>(at - names.begin())];
      for (const wear::LoadCycle& one : wear::rainflow(r.column(i).subspan(begin)))
        to.push_back(one);
    }
    for (const record::Channel& c : r.channels())
      if (c.name == "s") km += 1e-3 * std::abs(r.column("s").back() - r.column("s")[begin]);
  }
  if (names.empty())
    base::fail("no channel matches {}: 'klingel channels WHAT' lists those of a vehicle",
               fmt::join(a.patterns, ", "));
  std::vector<Spectrum> list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list.push_back({names[i], units[i],
                    wear::load_spectrum(cycles[i], static_cast<std::size_t>(a.classes)),
                    wear::equivalent_range(cycles[i], a.exponent), km});
  return list;
}

std::string table(const std::vector<Spectrum>& list) {
  std::string text = "channel,unit,range_from,range_to,cycles,cycles_at_least,km\n";
  for (const Spectrum& s : list)
    for (std::size_t i = 0; i < s.spectrum.counts.size(); ++i)
      text += fmt::format("{},{},{:.9g},{:.9g},{:g},{:g},{:.9g}\n", s.channel, s.unit,
                          static_cast<double>(i) * s.spectrum.width,
                          static_cast<double>(i + 1) * s.spectrum.width, s.spectrum.counts[i],
                          s.spectrum.exceedings[i], s.km);
  return text;
}

// Ranges over how often they are reached, on a scale of powers of ten. No plot has more curves than
// colours.
std::string picture(const std::vector<Spectrum>& list) {
  constexpr std::size_t most = 8;
  std::vector<report::Plot> plots;
  std::vector<std::string> kinds;
  for (const Spectrum& s : list) {
    const std::string kind = s.channel.substr(0, s.channel.find('.'));
    auto at = std::find(kinds.rbegin(), kinds.rend(), kind).base();
    const bool known = at != kinds.begin();
    if (known) --at;
    if (!known || plots[static_cast<std::size_t>(at - kinds.begin())].series.size() == most) {
      kinds.push_back(kind);
      at = kinds.end() - 1;
      report::Plot plot;
      const auto before = std::count(kinds.begin(), at, kind);
      plot.title = before == 0 ? fmt::format("Load spectrum of {}", kind)
                               : fmt::format("Load spectrum of {}, {}", kind, before + 1);
      plot.x_label = "lg of cycles with this range or more";
      plot.y_label = "range, " + s.unit;
      plots.push_back(std::move(plot));
    }
    report::Plot& plot = plots[static_cast<std::size_t>(at - kinds.begin())];
    report::Series series{
        s.channel.substr(std::min(s.channel.size(), kind.size() + 1)), {}, {}, report::Style::line};
    for (std::size_t i = 0; i < s.spectrum.counts.size(); ++i) {
      if (!(s.spectrum.exceedings[i] > 0)) continue;
      series.x.push_back(std::log10(s.spectrum.exceedings[i]));
      series.y.push_back(static_cast<double>(i) * s.spectrum.width);
    }
    plot.series.push_back(std::move(series));
  }
  return report::svg(plots);
}

ExitCode run(const SpectrumArguments& a) {
  if (a.classes < 2 || a.classes > 1000) base::fail("--classes {}: expected 2 to 1000", a.classes);
  if (!(a.exponent >= 1 && a.exponent <= 30))
    base::fail("--exponent {:g}: expected 1 to 30", a.exponent);
  const std::vector<Spectrum> list = spectra(a);
  fmt::print("{:<40}{:>10}{:>16}{:>18}  unit\n", "channel", "cycles", "largest range",
             fmt::format("equivalent, m={:g}", a.exponent));
  for (const Spectrum& s : list)
    fmt::print("{:<40}{:>10g}{:>16.5g}{:>18.5g}  {}\n", s.channel, s.spectrum.cycles,
               s.spectrum.largest, s.equivalent, s.unit);
  fmt::print("over {:.3f} km\n", list.front().km);
  if (!a.csv.empty()) base::write_file(a.csv, table(list));
  if (!a.svg.empty()) base::write_file(a.svg, picture(list));
  return ExitCode::fine;
}

}  // namespace

Command spectrum_command() {
  const auto a = std::make_shared<SpectrumArguments>();
  a->patterns = {"Q.*", "Y.*", "force.*"};
  Command c{Group::simulate, "spectrum", "Load spectra of recorded forces by rainflow counting"};
  c.about =
      "Cycles of wheel forces and forces of elements, or of other channels: how often which range "
      "occurs, and the range that would do the same damage if all cycles had it (Miner, with an "
      "exponent of Woehler's line).";
  c.examples = {"klingel spectrum results --csv spectrum.csv --svg spectrum.svg",
                "klingel spectrum run1 run2 --channels 'force.*.spring.z' --exponent 3"};
  c.option("folders", a->folders, "Folders that 'klingel run --out' wrote")
      .names(Names::folder)
      .required();
  c.option("--channels", a->patterns, "Channels, patterns with *")
      .value("PATTERNS")
      .separated_by(',');
  c.option("--classes", a->classes, "Classes of ranges");
  c.option("--exponent", a->exponent, "Exponent of Woehler's line for the equivalent range");
  c.option("--from", a->from, "Time from which on values count").unit("s").at_least(0);
  c.option("--csv", a->csv, "Write the spectra into this file").names(Names::file);
  c.option("--svg", a->svg, "Draw the spectra into this file").names(Names::file);
  c.run = [a] { return run(*a); };
  return c;
}

}  // namespace klingel::cli
