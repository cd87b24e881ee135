// A TOML file as plain values that know their line and column, and typed access to them.
//
//   const Document file = Document::load("track.toml");
//   Table track = file.root();
//   const double gauge = track.number("gauge", 1.435);
//   for (Table& piece : track.tables("piece")) read(piece);
//   track.refuse_unknown();
//
// Every key that is read counts as known; refuse_unknown() then refuses the others and
// suggests the nearest known one. Missing keys and values of another type are errors that say
// where, what was found and what is expected. Knows nothing of vehicles or tracks.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace klingel::vehicle {

// One value of the file. Members of a table are in the order of the file.
struct Value {
  enum class Kind { boolean, number, text, list, table, other };
  Kind kind = Kind::other;
  base::Place place;
  bool truth = false;
  double number = 0;
  bool whole = false;  // a number written as an integer
  std::string text;
  std::vector<std::string> keys;                          // of a table, beside items
  std::map<std::string, std::size_t, std::less<>> where;  // of a table: the place of a key in keys
  std::vector<Value> items;                               // of a list or a table
};

// "a number", "text", "a list" ...: what a value is, for messages.
std::string_view kind_name(Value::Kind kind);

// A table of the file together with the keys that were read. Copies share them; a
// table keeps the file it comes from alive.
class Table {
 public:
  // `what` names the table in messages: "spring 'primary'", "the file".
  Table(std::shared_ptr<const Value> value, std::string what);

  const base::Place& place() const { return value_->place; }
  // The place of a key's value, or of the table while there is none.
  const base::Place& place(std::string_view key) const;
  const std::string& what() const { return what_; }
  // Names the table better once its name is known.
  void call(std::string what) { what_ = std::move(what); }

  // Keys in the order of the file.
  const std::vector<std::string>& keys() const { return value_->keys; }
  bool has(std::string_view key);
  // The value of a key whatever it is, null if there is none.
  const Value* find(std::string_view key);

  // Required values, and the same with a fallback. Numbers are finite.
  double number(std::string_view key);
  double number(std::string_view key, double fallback);
  std::optional<double> optional_number(std::string_view key);
  double positive(std::string_view key);  // greater than zero
  double positive(std::string_view key, double fallback);
  std::int64_t integer(std::string_view key);
  std::int64_t integer(std::string_view key, std::int64_t fallback);
  std::string text(std::string_view key);
  std::string text(std::string_view key, std::string fallback);
  bool boolean(std::string_view key, bool fallback);
  std::array<double, 3> triple(std::string_view key);
  std::vector<double> numbers(std::string_view key);     // empty if there is none
  std::vector<std::string> texts(std::string_view key);  // empty if there is none
  // One of the given words.
  std::string word(std::string_view key, std::span<const std::string> words, std::string fallback);

  std::optional<Table> table(std::string_view key);
  Table required_table(std::string_view key);
  // A list of tables ([[key]] or key = [{...}, ...]), empty if there is none. Each is called
  // "key 'name'" if it has a name, else "key".
  std::vector<Table> tables(std::string_view key);

  // An error that names every key that was not read.
  void refuse_unknown() const;
  // Keys that were read, in the order of their first reading.
  const std::vector<std::string>& asked() const { return asked_->in_order; }

  // Throws with the place of the key in front and the table's name: "spring 'a': text".
  [[noreturn]] void fail(std::string_view key, const std::string& text) const;

 private:
  const Value& need(std::string_view key, std::string_view expected);
  const Value* find(std::string_view key, Value::Kind kind, std::string_view expected);

  struct Asked {
    std::vector<std::string> in_order;
    std::set<std::string, std::less<>> known;
  };

  std::shared_ptr<const Value> value_;  // keeps the whole file alive
  std::string what_;
  std::shared_ptr<Asked> asked_;
};

class Document {
 public:
  // Reads a file; an unreadable one or wrong TOML is an Error with file, line and column.
  static Document load(const std::filesystem::path& path);
  // The same from text; `file` is what messages call it.
  static Document parse(std::string_view text, const std::string& file);
  // Of values that were read before; the root's place names the file.
  static Document of(Value root) {
    return Document(std::make_shared<const Value>(std::move(root)));
  }

  const std::string& file() const { return root_->place.file; }
  // The folder that paths in the file are relative to.
  std::filesystem::path folder() const;
  Table root() const { return {root_, "the file"}; }
  const Value& value() const { return *root_; }

 private:
  explicit Document(std::shared_ptr<const Value> root) : root_(std::move(root)) {}
  std::shared_ptr<const Value> root_;
};

}  // namespace klingel::vehicle
