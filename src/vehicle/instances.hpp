// The first pass over a vehicle file, and over those of the units of a train: groups are
// instantiated and all names declared, so that the second pass can look up any name, whatever the
// order in the file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vehicle/block.hpp"

namespace klingel::vehicle {

// Values from outside the file by full name, and who set each.
using Overrides = std::map<std::string, Value>;

// A file and what it extends, see extension.hpp: the last one is a whole vehicle file.
using Chain = std::vector<Document>;

class Instances {
 public:
  // Both must outlive this object.
  Instances(const Chain& chain, const Overrides& overrides);
  // The contents of another file as an instance; its groups are its own.
  void declare_unit(const Chain& chain, const std::string& scope);
  // Once all files are declared: an Error for the first override or removal that was not used.
  void refuse_unused() const;

  // A named value before its names are looked up.
  struct Pending {
    std::string name;
    const Value* value;
    std::string scope;
    bool added = false;  // by a file that extends another one
  };
  Names names;
  Removals removals;
  std::vector<Block> blocks;  // the file itself first
  std::vector<Pending> parameters, coordinates, inputs;
  std::vector<std::string> warnings;  // groups that are not used

 private:
  using Given = std::map<std::string, const Value*>;  // parameters of a group given by its use

  // Where contents stand: the instance they belong to, the level of their file, and whether that
  // file extends another one.
  struct Where {
    std::string scope;
    std::size_t level;
    bool added;
  };

  void declare_chain(const Chain& chain, const std::string& scope);
  void declare_groups(const Document& document);
  void declare_extension(const Document& document, const Where& where);
  void declare_contents(const Table& table, const Where& where, const Given& given,
                        const std::string& caller);
  void declare_values(Table& table, const Where& where, const Given& given,
                      const std::string& caller);
  void declare_things(const Table& table, const Where& where);
  void use(Table& table, const Where& where);

  const Overrides& overrides_;
  std::size_t next_level_ = 0;           // of the next chain: units lie deeper than the train
  std::map<std::string, Table> groups_;  // of the chain being declared
  std::vector<std::string> open_;  // groups being instantiated, to refuse one that uses itself
  std::map<std::string, bool> used_;
};

}  // namespace klingel::vehicle
