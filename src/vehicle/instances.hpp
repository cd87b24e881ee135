// The first pass over a vehicle file: groups are instantiated and all names declared, so that the
// second pass can look up any name, whatever the order in the file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vehicle/block.hpp"

namespace klingel::vehicle {

// Values from outside the file by full name, and who asked for each.
using Overrides = std::map<std::string, Value>;

class Instances {
 public:
  Instances(const Document& document, const Overrides& overrides);

  // A named value before its names are looked up.
  struct Pending {
    std::string name;
    const Value* value;
    std::string scope;
  };
  Names names;
  std::vector<Block> blocks;  // the file itself first
  std::vector<Pending> parameters, coordinates, inputs;
  std::vector<std::string> unused_groups;

 private:
  using Given = std::map<std::string, const Value*>;  // parameters of a group given by its use

  void declare(Table table, const std::string& scope, const Given& given,
               const std::string& caller);
  void declare_values(Table& table, const std::string& scope, const Given& given,
                      const std::string& caller);
  void declare_things(Table& table, const std::string& scope);
  void use(Table& table, const std::string& scope);
  void refuse_unused_overrides() const;

  const Overrides& overrides_;
  std::map<std::string, Table> groups_;
  std::vector<std::string> open_;  // groups being instantiated, to refuse one that uses itself
  std::map<std::string, bool> used_;
};

}  // namespace klingel::vehicle
