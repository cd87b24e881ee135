#include "report/page_recording.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/json_reader.hpp"
#include "record/packed.hpp"

namespace klingel::report {
namespace {

using base::Json;
using base::JsonValue;
using Kind = JsonValue::Kind;

constexpr const char* format = "klingel page";
constexpr std::size_t most_bytes = 300'000'000;  // browsers give up above half a gigabyte

void write(Json& json, const JsonValue& v) {
  switch (v.kind) {
    case Kind::null:
      json.null();
      return;
    case Kind::boolean:
      json.value(v.truth);
      return;
    case Kind::number:
      json.value(v.number);
      return;
    case Kind::text:
      json.value(v.text);
      return;
    case Kind::array: {
      const bool flat = std::none_of(v.items.begin(), v.items.end(), [](const JsonValue& i) {
        return i.kind == Kind::array || i.kind == Kind::object;
      });
      json.begin_array(flat);
      for (const JsonValue& i : v.items) write(json, i);
      json.end_array();
      return;
    }
    case Kind::object:
      json.begin_object();
      for (std::size_t i = 0; i < v.items.size(); ++i) {
        json.key(v.keys[i]);
        write(json, v.items[i]);
      }
      json.end_object();
  }
}

std::string text_of(const JsonValue& object, std::string_view key) {
  const JsonValue* v = object.find(key);
  return v != nullptr && v->kind == Kind::text ? v->text : "";
}
double number_of(const JsonValue& object, std::string_view key) {
  const JsonValue* v = object.find(key);
  return v != nullptr && v->kind == Kind::number ? v->number : 0;
}

// thousands of events become a line per kind and wheel
void grouped_events(Json& json, const JsonValue* events) {
  constexpr std::size_t most_times = 200;
  std::map<std::pair<std::string, std::string>, std::vector<double>> groups;
  std::vector<std::pair<std::string, std::string>> order;
  if (events != nullptr) {
    for (const JsonValue& e : events->items) {
      const std::pair key(text_of(e, "kind"), text_of(e, "wheel"));
      std::vector<double>& times = groups[key];
      if (times.empty()) order.push_back(key);
      times.push_back(number_of(e, "t"));
    }
  }
  json.begin_array();
  for (const auto& key : order) {
    const std::vector<double>& times = groups[key];
    json.begin_object().key("kind").value(key.first).key("wheel").value(key.second);
    json.key("count").value(times.size()).key("first").value(times.front());
    json.key("last").value(times.back()).key("times").begin_array(true);
    const std::size_t stride = (times.size() + most_times - 1) / most_times;
    for (std::size_t i = 0; i < times.size(); i += stride) json.value(times[i]);
    json.end_array().end_object();
  }
  json.end_array();
}

void summary_and_events(Json& json, const std::string& text) {
  JsonValue summary;
  summary.kind = Kind::object;
  if (!text.empty()) summary = base::parse_json(text, "summary.json");
  if (summary.kind != Kind::object) base::fail("summary.json: expected an object");
  json.key("summary").begin_object();
  for (std::size_t i = 0; i < summary.items.size(); ++i) {
    if (summary.keys[i] == "events") continue;
    json.key(summary.keys[i]);
    write(json, summary.items[i]);
  }
  json.end_object();
  json.key("events");
  grouped_events(json, summary.find("events"));
}

// which rows are kept
std::vector<std::size_t> kept_rows(std::size_t rows, std::size_t most) {
  const std::size_t stride =
      std::max<std::size_t>(1, (rows + most - 1) / std::max<std::size_t>(1, most));
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < rows; i += stride) kept.push_back(i);
  if (rows > 0 && kept.back() != rows - 1) kept.push_back(rows - 1);
  return kept;
}

JsonValue checked(const std::string& text, const std::string& file) {
  JsonValue v = base::parse_json(text, file);
  if (v.kind != Kind::object || text_of(v, "format") != format) {
    base::fail(
        "{}: not a recording for the page: expected the format \"{}\"; 'klingel run --out' "
        "writes such files",
        file, format);
  }
  if (number_of(v, "version") != page_version) {
    base::fail(
        "{}: version {} of the recording, this program reads version {}; run again with "
        "'klingel run --report'",
        file, number_of(v, "version"), page_version);
  }
  const JsonValue* channels = v.find("channels");
  if (channels == nullptr || channels->kind != Kind::array || channels->items.empty())
    base::fail("{}: contains no channels", file);
  return v;
}

}  // namespace

std::size_t most_page_rows(std::size_t channels) {
  constexpr std::size_t most_rows = 20000, fewest_rows = 1000, most_values = 3'000'000;
  return std::clamp(most_values / std::max<std::size_t>(1, channels), fewest_rows, most_rows);
}

std::string page_recording(const record::Recording& recording, const std::string& summary,
                           const record::Scene* scene, const record::SceneMotion* motion,
                           std::size_t most_rows) {
  const auto& channels = recording.channels();
  if (std::none_of(channels.begin(), channels.end(), [](const auto& c) { return c.name == "t"; }))
    base::fail("the recording has no channel 't': a page needs the time of its rows");
  const std::vector<std::size_t> kept = kept_rows(recording.rows(), most_rows);
  const auto thinned = [&](std::span<const double> column) {
    std::vector<double> values;
    for (const std::size_t i : kept) values.push_back(column[i]);
    return values;
  };
  Json json;
  json.begin_object();
  json.key("format").value(format).key("version").value(page_version);
  summary_and_events(json, summary);
  json.key("rows").value(kept.size());
  json.key("channels").begin_array();
  for (std::size_t i = 0; i < recording.channels().size(); ++i) {
    const record::Channel& c = recording.channels()[i];
    json.begin_object().key("name").value(c.name).key("unit").value(c.unit);
    json.key("about").value(c.about);
    json.key("data").value(record::packed(thinned(recording.column(i)))).end_object();
  }
  json.end_array();
  json.key("scene");
  if (scene != nullptr)
    record::write(json, *scene);
  else
    json.null();
  json.key("motion");
  if (motion != nullptr) {
    record::SceneMotion less = *motion;
    for (auto& columns : less.frames)
      for (std::vector<double>& column : columns) column = thinned(column);
    for (auto& columns : less.wheels)
      for (std::vector<double>& column : columns) column = thinned(column);
    record::write(json, less);
  } else {
    json.null();
  }
  json.end_object();
  return json.text();
}

std::string read_page_recording(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > most_bytes) {
    base::fail(
        "{}: {} MB are more than a browser can show, at most {} MB; record less often: "
        "'klingel run --interval'",
        path.string(), size / 1'000'000, most_bytes / 1'000'000);
  }
  std::string text = base::read_file(path);
  checked(text, path.string());
  return text;
}

record::Recording channels_of_page(const std::string& text, const std::string& file) {
  const JsonValue v = checked(text, file);
  const auto rows = static_cast<std::size_t>(std::clamp(number_of(v, "rows"), 0.0, 1e8));
  std::vector<record::Channel> channels;
  std::vector<std::vector<double>> columns;
  for (const JsonValue& c : v.find("channels")->items) {
    channels.push_back({text_of(c, "name"), text_of(c, "unit"), text_of(c, "about")});
    try {
      columns.push_back(record::unpacked(text_of(c, "data"), rows));
    } catch (const base::Error& e) {
      base::fail("{}: channel '{}': {}", file, channels.back().name, e.what());
    }
  }
  return {std::move(channels), columns, {}};
}

}  // namespace klingel::report
