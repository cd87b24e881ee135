#include "study/study_results.hpp"

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "base/number.hpp"
#include "record/hdf5.hpp"

namespace klingel::study {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

std::string csv_number(double value) {
  return std::isfinite(value) ? base::shortest(value)
         : std::isnan(value)  ? "nan"
         : value > 0          ? "inf"
                              : "-inf";
}

void measures(base::Json& json, const Study& study, std::span<const CaseResult> results) {
  json.key("measures").begin_object();
  for (std::size_t i = 0; i < study.measures.size(); ++i) {
    double least = INFINITY, most = -INFINITY, sum = 0;
    std::size_t count = 0;
    for (const CaseResult& r : results) {
      if (!std::isfinite(r.measures[i])) continue;
      least = std::min(least, r.measures[i]);
      most = std::max(most, r.measures[i]);
      sum += r.measures[i];
      ++count;
    }
    const Measure& m = study.measures[i];
    json.key(m.name).begin_object();
    json.key("finite").value(static_cast<std::int64_t>(count));
    json.key("smallest").value(least).key("mean").value(sum / static_cast<double>(count));
    json.key("largest").value(most);
    if (m.least || m.most)
      json.key("violations").value(static_cast<std::int64_t>(violations(m, i, results)));
    json.end_object();
  }
  json.end_object();
}

// Texts are their places in the list; what each of them is. HDF5 has no room for long texts here.
std::string about(const Variation& v) {
  constexpr std::size_t longest = 30'000;
  std::string text = "varied";
  for (std::size_t i = 0; i < v.texts.size() && text.size() < longest; ++i)
    text += fmt::format("{} {} = {}", i == 0 ? ":" : ",", i, v.texts[i]);
  return text;
}

}  // namespace

std::string results_csv(const PreparedStudy& p, std::span<const CaseResult> results) {
  const Study& s = p.study();
  std::string text = "case";
  for (const Variation& v : s.variations) text += "," + v.name;
  text += ",end";
  for (const Measure& m : s.measures) text += "," + m.name;
  text += ",message\n";
  for (const CaseResult& r : results) {
    text += fmt::format("{}", r.number);
    for (std::size_t i = 0; i < s.variations.size(); ++i)
      text += "," + quoted(p.values().text(r.number, i));
    text += "," + r.end;
    for (const double m : r.measures) text += "," + csv_number(m);
    text += "," + quoted(r.message) + "\n";
  }
  return text;
}

void write_results_hdf5(const PreparedStudy& p, std::span<const CaseResult> results,
                        const std::filesystem::path& path) {
  const Study& s = p.study();
  std::vector<record::Channel> channels = {{"case", "1", "number of the case"},
                                           {"failed", "1", "1 where the case failed"}};
  for (const Variation& v : s.variations) channels.push_back({"vary." + v.name, "", about(v)});
  for (const Measure& m : s.measures) channels.push_back({"measure." + m.name, "", m.text});
  std::vector<std::vector<double>> columns(channels.size());
  for (const CaseResult& r : results) {
    std::size_t c = 0;
    columns[c++].push_back(static_cast<double>(r.number));
    columns[c++].push_back(r.failed() ? 1 : 0);
    for (std::size_t i = 0; i < s.variations.size(); ++i)
      columns[c++].push_back(p.values().number(r.number, i));
    for (const double m : r.measures) columns[c++].push_back(m);
  }
  record::write_hdf5(record::Recording(std::move(channels), columns, {{"study", s.name}}), path);
}

std::size_t violations(const Measure& m, std::size_t index, std::span<const CaseResult> results) {
  if (!m.least && !m.most) return 0;
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [&](const CaseResult& r) {
        const double value = r.measures[index];
        return std::isnan(value) || (m.least && value < *m.least) || (m.most && value > *m.most);
      }));
}

std::string results_text(const Study& s, std::span<const CaseResult> results) {
  const auto failed = [](const CaseResult& r) { return r.failed(); };
  const auto count = std::count_if(results.begin(), results.end(), failed);
  std::string text;
  if (count > 0) {
    const CaseResult& first = *std::find_if(results.begin(), results.end(), failed);
    text += fmt::format("case {} failed: {}\n", first.number, first.message);
    if (count > 1)
      text += fmt::format("and {} others: see their messages in cases.csv\n", count - 1);
  }
  for (std::size_t i = 0; i < s.measures.size(); ++i) {
    const Measure& m = s.measures[i];
    if (m.least || m.most)
      text += fmt::format("{}: {} of {} cases are beyond the limit\n", m.name,
                          violations(m, i, results), results.size());
  }
  return text;
}

std::string study_json(const PreparedStudy& p, const StudyCount& n, const StudyOptions& o,
                       std::span<const CaseResult> results, const Messages& messages) {
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  base::Json json;
  json.begin_object();
  json.key("study").value(p.study().name).key("run").value(p.study().run);
  json.key("cases").value(whole(n.cases)).key("found").value(whole(n.found));
  json.key("run_now").value(whole(n.run)).key("failed").value(whole(n.failed));
  json.key("complete").value(n.complete());
  json.key("seconds").value(n.seconds);
  json.key("cases_per_s").value(n.seconds > 0 ? static_cast<double>(n.run) / n.seconds : 0.0);
  json.key("threads").value(whole(o.threads)).key("lanes").value(whole(o.lanes));
  json.key("shard").value(fmt::format("{}/{}", o.shard.part + 1, o.shard.parts));
  if (messages.count > 0) {
    json.key("messages").begin_object().key("count").value(whole(messages.count));
    json.key("bytes").value(whole(messages.bytes)).key("seconds").value(messages.seconds);
    json.end_object();
  }
  if (!results.empty()) measures(json, p.study(), results);
  json.end_object();
  return json.text();
}

}  // namespace klingel::study
