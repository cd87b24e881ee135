#include "vehicle/document.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/printable.hpp"

namespace klingel::vehicle {
namespace {

base::Place place_of(const toml::source_region& source, const std::string& file) {
  return {file, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

// what a person writes has five or six levels; the stack ends at some thousands
constexpr int deepest = 50;
constexpr int most_parts = 16;  // of a key: a.b.c has three

Value value_of(const toml::node& node, const std::string& file, int depth);

// texts are printed, and a terminal obeys such signs
void refuse_controls(const std::string& text, const base::Place& place) {
  if (base::printable(text) != text)
    base::fail_at(place, "the text \"{}\" has a control character in it; remove it", text);
}

// the library sorts keys by name; places of the values give the order in the file
void read_table(const toml::table& table, const std::string& file, int depth, Value& value) {
  struct Member {
    std::string key;
    const toml::node* node;
  };
  std::vector<Member> members;
  for (const auto& [key, node] : table) members.push_back({std::string(key.str()), &node});
  std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    const toml::source_position &p = a.node->source().begin, &q = b.node->source().begin;
    return std::tie(p.line, p.column) < std::tie(q.line, q.column);
  });
  for (const Member& m : members) {
    refuse_controls(m.key, place_of(m.node->source(), file));
    value.where.emplace(m.key, value.keys.size());
    value.keys.push_back(m.key);
    value.items.push_back(value_of(*m.node, file, depth));
  }
}

Value value_of(const toml::node& node, const std::string& file, int depth) {
  Value value;
  value.place = place_of(node.source(), file);
  if (++depth > deepest)
    base::fail_at(value.place, "tables and lists are nested deeper than {} levels", deepest);
  if (const auto* table = node.as_table()) {
    value.kind = Value::Kind::table;
    read_table(*table, file, depth, value);
  } else if (const auto* array = node.as_array()) {
    value.kind = Value::Kind::list;
    for (const toml::node& item : *array) value.items.push_back(value_of(item, file, depth));
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::text;
    value.text = text->get();
    refuse_controls(value.text, value.place);
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = Value::Kind::number;
    value.number = real->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Value::Kind::number;
    value.whole = true;
    value.number = static_cast<double>(integer->get());
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = Value::Kind::boolean;
    value.truth = truth->get();
  }
  return value;
}

// Text between quotes from `at`, the first of them; returns what is behind. Three quotes begin a
// text of several lines.
std::size_t skip_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool is_long = text.substr(at, 3) == std::string(3, quote);
  const std::string end(is_long ? 3 : 1, quote);
  for (at += end.size(); at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\')
      ++at;
    else if (text.substr(at, end.size()) == end)
      return at + end.size();
    else if (!is_long && text[at] == '\n')
      return at;
  }
  return text.size();
}

// The TOML library goes down into the parts of a key, a.a.a, by calling itself, without a limit.
// Long keys are therefore refused before it sees them.
void refuse_long_keys(std::string_view text, const std::string& file) {
  int line = 1, dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = skip_quotes(text, at);
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.' && ++dots >= most_parts)
      base::fail_at({file, line, 0}, "a key has more than {} parts with dots between them",
                    most_parts);
    if (std::string_view("=[]{},\n").find(c) != std::string_view::npos) dots = 0;
    if (c == '\n') ++line;
    ++at;
  }
}

std::string found(const Value& value) {
  switch (value.kind) {
    case Value::Kind::text:
      return fmt::format("the text \"{}\"", value.text);
    case Value::Kind::number:
      return fmt::format("the number {}", value.number);
    case Value::Kind::boolean:
      return value.truth ? "true" : "false";
    default:
      return std::string(kind_name(value.kind));
  }
}

}  // namespace

std::string_view kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::boolean:
      return "true or false";
    case Value::Kind::number:
      return "a number";
    case Value::Kind::text:
      return "text in quotes";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::table:
      return "a table";
    case Value::Kind::other:
      break;
  }
  return "a date or time";
}

Table::Table(std::shared_ptr<const Value> value, std::string what)
    : value_(std::move(value)), what_(std::move(what)), asked_(std::make_shared<Asked>()) {}

const base::Place& Table::place(std::string_view key) const {
  const auto known = value_->where.find(key);
  return known != value_->where.end() ? value_->items[known->second].place : value_->place;
}

void Table::fail(std::string_view key, const std::string& text) const {
  base::fail_at(place(key), "{}: {}", what_, text);
}

const Value* Table::find(std::string_view key) {
  if (!asked_->known.contains(key)) {
    asked_->known.emplace(key);
    asked_->in_order.emplace_back(key);
  }
  const auto known = value_->where.find(key);
  return known != value_->where.end() ? &value_->items[known->second] : nullptr;
}

bool Table::has(std::string_view key) { return find(key) != nullptr; }

const Value* Table::find(std::string_view key, Value::Kind kind, std::string_view expected) {
  const Value* v = find(key);
  if (v != nullptr && v->kind != kind)
    fail(key, fmt::format("'{}' must be {}, found {}", key, expected, found(*v)));
  return v;
}

// a missing key is often a misspelt one: look for it among the keys that are there
const Value& Table::need(std::string_view key, std::string_view expected) {
  if (const Value* v = find(key)) return *v;
  const std::vector<std::string> near = base::nearest(key, value_->keys, 1);
  fail("", fmt::format("'{}' is missing ({}){}", key, expected,
                       near.empty() ? "" : fmt::format("; did you misspell it as '{}'?", near[0])));
}

double Table::number(std::string_view key) {
  need(key, "a number");
  const Value& v = *find(key, Value::Kind::number, "a number");
  if (!std::isfinite(v.number)) fail(key, fmt::format("'{}' must be finite", key));
  return v.number;
}

double Table::number(std::string_view key, double fallback) {
  return has(key) ? number(key) : fallback;
}

double Table::positive(std::string_view key) {
  const double v = number(key);
  if (!(v > 0)) fail(key, fmt::format("'{}' must be greater than zero, found {}", key, v));
  return v;
}

std::optional<double> Table::optional_number(std::string_view key) {
  return has(key) ? std::optional<double>(number(key)) : std::nullopt;
}

double Table::positive(std::string_view key, double fallback) {
  return has(key) ? positive(key) : fallback;
}

std::int64_t Table::integer(std::string_view key) {
  const double v = number(key);
  if (v != std::floor(v) || std::abs(v) > 9e15)
    fail(key, fmt::format("'{}' must be a whole number, found {}", key, v));
  return static_cast<std::int64_t>(v);
}

std::int64_t Table::integer(std::string_view key, std::int64_t fallback) {
  return has(key) ? integer(key) : fallback;
}

std::string Table::text(std::string_view key) {
  need(key, "text in quotes");
  return find(key, Value::Kind::text, "text in quotes")->text;
}

std::string Table::text(std::string_view key, std::string fallback) {
  return has(key) ? text(key) : std::move(fallback);
}

bool Table::boolean(std::string_view key, bool fallback) {
  const Value* v = find(key, Value::Kind::boolean, "true or false");
  return v != nullptr ? v->truth : fallback;
}

std::vector<double> Table::numbers(std::string_view key) {
  std::vector<double> result;
  const Value* list = find(key, Value::Kind::list, "a list of numbers");
  if (list == nullptr) return result;
  for (const Value& v : list->items) {
    if (v.kind != Value::Kind::number || !std::isfinite(v.number))
      base::fail_at(v.place, "{}: '{}' must be a list of finite numbers, found {} in it", what_,
                    key, found(v));
    result.push_back(v.number);
  }
  return result;
}

std::array<double, 3> Table::triple(std::string_view key) {
  need(key, "a list of three numbers");
  const std::vector<double> v = numbers(key);
  if (v.size() != 3)
    fail(key, fmt::format("'{}' must be a list of three numbers, found {}", key, v.size()));
  return {v[0], v[1], v[2]};
}

std::vector<std::string> Table::texts(std::string_view key) {
  std::vector<std::string> result;
  const Value* list = find(key, Value::Kind::list, "a list of texts");
  if (list == nullptr) return result;
  for (const Value& v : list->items) {
    if (v.kind != Value::Kind::text)
      base::fail_at(v.place, "{}: '{}' must be a list of texts, found {} in it", what_, key,
                    found(v));
    result.push_back(v.text);
  }
  return result;
}

std::string Table::word(std::string_view key, std::span<const std::string> words,
                        std::string fallback) {
  const std::string w = text(key, std::move(fallback));
  if (std::find(words.begin(), words.end(), w) != words.end()) return w;
  std::string all;
  for (const std::string& known : words)
    all += fmt::format("{}'{}'", all.empty() ? "" : ", ", known);
  fail(key, fmt::format("'{}' is '{}'{}\n    it must be one of {}", key, w,
                        base::did_you_mean(w, words, 1), all));
}

std::optional<Table> Table::table(std::string_view key) {
  const Value* v = find(key, Value::Kind::table, "a table");
  if (v == nullptr) return std::nullopt;
  return Table({value_, v}, std::string(key));
}

Table Table::required_table(std::string_view key) {
  need(key, "a table");
  return *table(key);
}

std::vector<Table> Table::tables(std::string_view key) {
  std::vector<Table> result;
  const Value* list = find(key, Value::Kind::list, fmt::format("a list of tables, [[{}]]", key));
  if (list == nullptr) return result;
  for (const Value& v : list->items) {
    if (v.kind != Value::Kind::table)
      base::fail_at(v.place, "{}: '{}' must be a list of tables, found {} in it", what_, key,
                    found(v));
    Table t({value_, &v}, std::string(key));
    for (std::size_t i = 0; i < v.keys.size(); ++i) {
      if (v.keys[i] == "name" && v.items[i].kind == Value::Kind::text)
        t.call(fmt::format("{} '{}'", key, v.items[i].text));
    }
    result.push_back(std::move(t));
  }
  return result;
}

void Table::refuse_unknown() const {
  std::string text;
  const base::Place* first = nullptr;
  for (std::size_t i = 0; i < value_->keys.size(); ++i) {
    const std::string& key = value_->keys[i];
    if (asked_->known.contains(key)) continue;
    if (first == nullptr) {
      first = &value_->items[i].place;
      text =
          fmt::format("{} has an unknown key '{}'{}", what_, key, base::did_you_mean(key, asked()));
    } else {
      text += fmt::format("\n    and line {}: '{}'{}", value_->items[i].place.line, key,
                          base::did_you_mean(key, asked()));
    }
  }
  if (first == nullptr) return;
  std::string known;
  for (const std::string& k : asked()) known += (known.empty() ? "" : ", ") + k;
  base::fail_at(*first, "{}\n    known keys: {}", text, known);
}

Document Document::load(const std::filesystem::path& path) {
  return parse(base::read_file(path), path.string());
}

Document Document::parse(std::string_view text, const std::string& file) {
  refuse_long_keys(text, file);
  try {
    const toml::table table = toml::parse(text, file);
    auto root = std::make_shared<Value>(value_of(table, file, 0));
    root->place = {file, 0, 0};
    return Document(std::move(root));
  } catch (const toml::parse_error& error) {
    base::fail_at(place_of(error.source(), file), "this is not TOML: {}", error.description());
  }
}

std::filesystem::path Document::folder() const {
  return std::filesystem::path(file()).parent_path();
}

}  // namespace klingel::vehicle
