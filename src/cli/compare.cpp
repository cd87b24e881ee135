// klingel compare: several runs in the same plots, and their differences as numbers.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "record/csv.hpp"
#include "record/difference.hpp"
#include "record/hdf5.hpp"
#include "report/plot.hpp"

namespace klingel::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_plots = 40;

struct CompareArguments {
  std::vector<std::string> runs, patterns;
  std::string over = "t", svg;
};

struct Run {
  std::string name;
  record::Recording recording;
};

record::Recording read_run(const fs::path& path) {
  if (!fs::exists(path))
    base::fail("'{}' does not exist: name a folder of 'klingel run --out'", path.string());
  if (!fs::is_directory(path))
    return path.extension() == ".h5" ? record::read_hdf5(path) : record::read_csv(path);
  if (fs::exists(path / "results.h5")) return record::read_hdf5(path / "results.h5");
  if (fs::exists(path / "results.csv")) return record::read_csv(path / "results.csv");
  base::fail("'{}' has no results.csv and no results.h5: run with --csv or --hdf5", path.string());
}

void print_differences(const Run& a, const Run& b, const CompareArguments& args) {
  const std::vector<record::Difference> all =
      record::differences(a.recording, b.recording, args.over, args.patterns);
  std::size_t width = 7;
  for (const record::Difference& d : all) width = std::max(width, d.channel.size());
  fmt::print("{} against {}, over {}\n\n", b.name, a.name, args.over);
  fmt::print("{:<{}}  {:>12}{:>12}{:>12}{:>12}{:>12}{:>12}  {}\n", "channel", width, "mean",
             "mean there", "rms diff.", "largest", "at " + args.over, "range", "unit");
  for (const record::Difference& d : all)
    fmt::print("{:<{}}  {:>12.5g}{:>12.5g}{:>12.4g}{:>12.4g}{:>12.5g}{:>12.4g}  {}\n", d.channel,
               width, d.mean_a, d.mean_b, d.rms, d.largest, d.at, d.range, d.unit);
  fmt::print("\n");
}

std::string plots(const std::vector<Run>& runs, const CompareArguments& args) {
  const std::vector<record::Channel>& channels = runs[0].recording.channels();
  std::vector<report::Plot> all;
  for (const std::size_t i : record::select(channels, args.patterns)) {
    const record::Channel& channel = channels[i];
    if (channel.name == args.over) continue;
    report::Plot plot;
    plot.title = channel.name;
    plot.x_label = args.over == "t" ? "t (s)" : args.over == "s" ? "s (m)" : args.over;
    plot.y_label = fmt::format("{} ({})", channel.name, channel.unit);
    for (const Run& run : runs) {
      const auto& own = run.recording.channels();
      if (std::none_of(own.begin(), own.end(),
                       [&](const record::Channel& c) { return c.name == channel.name; }))
        continue;
      const auto x = run.recording.column(args.over), y = run.recording.column(channel.name);
      plot.series.push_back(
          {run.name, {x.begin(), x.end()}, {y.begin(), y.end()}, report::Style::line});
    }
    all.push_back(std::move(plot));
  }
  if (all.size() > most_plots)
    base::fail(
        "{} channels are too many plots for one file, which holds {}: choose with "
        "--channels 'Y.*,speed'",
        all.size(), most_plots);
  return report::svg(all);
}

// Folders as they were given; their last part if these differ.
std::vector<std::string> names_of(const std::vector<std::string>& runs) {
  std::vector<std::string> names;
  for (const std::string& run : runs) {
    fs::path path = fs::path(run).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    names.push_back(path.filename().string());
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const bool differ = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  return differ ? names : runs;
}

ExitCode compare(const CompareArguments& given) {
  CompareArguments args = given;
  if (args.runs.size() < 2)
    base::fail("compare needs two or more runs, found {}: klingel compare first second",
               args.runs.size());
  std::replace(args.patterns.begin(), args.patterns.end(), std::string("all"), std::string("*"));
  if (args.patterns.empty()) args.patterns = {"*"};
  const std::vector<std::string> names = names_of(args.runs);
  std::vector<Run> runs;
  for (std::size_t i = 0; i < names.size(); ++i) runs.push_back({names[i], read_run(args.runs[i])});
  const std::string text = args.svg.empty() ? "" : plots(runs, args);
  for (std::size_t i = 1; i < runs.size(); ++i) print_differences(runs[0], runs[i], args);
  if (args.svg.empty()) return ExitCode::fine;
  base::write_file(args.svg, text);
  fmt::print("wrote {}\n", args.svg);
  return ExitCode::fine;
}

}  // namespace

Command compare_command() {
  const auto a = std::make_shared<CompareArguments>();
  Command c{Group::simulate, "compare", "Compare the results of runs"};
  c.about =
      "Prints how the channels of further runs differ from those of the first: means, root mean "
      "square and largest difference. Runs need not have the same rows.";
  c.examples = {"klingel compare old new",
                "klingel compare old new --over s --channels 'Y.*,Q.*' "
                "--svg both.svg"};
  c.option("runs", a->runs, "Folders of 'klingel run --out' with --csv or --hdf5, or such files")
      .names(Names::folder)
      .value("FOLDER ...")
      .required();
  c.option("--channels", a->patterns, "Channels to compare, separated by commas: 'Y.*,speed'")
      .separated_by(',')
      .value("PATTERNS");
  c.option("--over", a->over, "The channel they are compared over").suggest({"t", "s"});
  c.option("--svg", a->svg, "Draw all runs into this file, a plot for each channel")
      .names(Names::file);
  c.run = [a] { return compare(*a); };
  return c;
}

}  // namespace klingel::cli
