// The first pass over a vehicle file, and over those of the units of a train: groups are
// instantiated and all names declared, so that the second pass can look up any name, whatever the
// order in the file.
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
  // Both must outlive this object.
  Instances(const Document& document, const Overrides& overrides);
  // The contents of another file as an instance; its groups are its own.
  void declare_unit(const Document& document, const std::string& scope);
  // Once all files are declared: an Error for the first override nobody used.
  void refuse_unused_overrides() const;

  // A named value before its names are looked up.
  struct Pending {
    std::string name;
    const Value* value;
    std::string scope;
  };
  Names names;
  std::vector<Block> blocks;  // the file itself first
  std::vector<Pending> parameters, coordinates, inputs;
  std::vector<std::string> warnings;  // groups that are not used

 private:
  using Given = std::map<std::string, const Value*>;  // parameters of a group given by its use

  void declare_file(const Document& document, const std::string& scope);
  void declare(Table table, const std::string& scope, const Given& given,
               const std::string& caller);
  void declare_values(Table& table, const std::string& scope, const Given& given,
                      const std::string& caller);
  void declare_things(Table& table, const std::string& scope);
  void use(Table& table, const std::string& scope);

  const Overrides& overrides_;
  std::map<std::string, Table> groups_;  // of the file being declared
  std::vector<std::string> open_;  // groups being instantiated, to refuse one that uses itself
  std::map<std::string, bool> used_;
};

}  // namespace klingel::vehicle
