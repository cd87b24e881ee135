// Names of a vehicle and the scopes they are looked up in.
//
// A scope is the full name of an instance of a group ("rear.front"); the file itself is the scope
// "". A name is looked for in its scope, then in the scope around it, up to the file: innermost
// first. Arguments of an instance mean what the caller wrote, looked up in the scope of the
// caller.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vehicle/document.hpp"
#include "vehicle/value_types.hpp"

namespace klingel::vehicle {

// "rear" and "z" make "rear.z".
std::string joined(std::string_view scope, std::string_view name);

class Names {
 public:
  Names();

  // Declares a name of a scope. Values (parameters, coordinates, inputs, arguments) share one set
  // of names; points, bases, bodies and elements have one each. A name used twice or one that is
  // not a word is an Error. Returns the full name.
  std::string declare(NameKind kind, std::string_view scope, const std::string& name,
                      const base::Place& place);
  // An argument of an instance; `value` must outlive this object.
  void declare_argument(std::string_view scope, const std::string& name, const Value& value,
                        std::string_view caller);

  // All full names of points, bases, bodies or elements.
  std::vector<std::string> all(NameKind kind) const;

  // The full name of a point, base, body or coordinate. An Error with near names if there is none.
  std::string resolve(NameKind kind, std::string_view scope, const std::string& name,
                      const base::Place& place) const;
  // A formula with full names, arguments replaced by their values.
  Expression resolve(const Expression& e, std::string_view scope) const;
  // Where the first formula that was resolved uses time.
  const std::optional<base::Place>& time() const { return time_; }
  // A number or text of the file as a formula with full names.
  Expression expression(const Value& value, std::string_view scope, const std::string& what) const;

 private:
  struct Declared {
    NameKind kind;
    base::Place place;
  };
  struct Argument {
    const Value* value;
    std::string caller;
  };
  static int space_of(NameKind kind);
  [[noreturn]] void refuse(std::string_view what, std::string_view scope, const std::string& name,
                           const base::Place& place, int space) const;
  struct Walk {
    int depth = 0, nodes = 0;
  };
  bool is_known(const Expression& e) const;
  Expression resolve_name(const Expression& e, std::string_view scope, Walk& walk) const;
  Expression resolve_places(const Expression& e, std::string_view scope) const;
  Expression resolve(const Expression& e, std::string_view scope, Walk& walk) const;

  std::map<std::string, Declared> spaces_[5];  // values, points, bases, bodies, elements
  std::map<std::string, Argument> arguments_;
  mutable std::optional<base::Place> time_;  // resolving a name changes nothing else
};

}  // namespace klingel::vehicle
