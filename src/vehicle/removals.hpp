// Elements that files take away from the files they extend, by full name.
//
// Files of a chain have levels: 0 for the given file, 1 for the one it extends, and so on. A
// file removes what deeper files define, so it may define an element of the same name anew.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "vehicle/names.hpp"

namespace klingel::vehicle {

struct Removal {
  std::string name;
  std::size_t level;  // of the file that removes
  base::Place place;
  bool used = false;
};

class Removals {
 public:
  // What key `remove` of a file says. Names twice in the list are Errors.
  void add(Table& file, const std::string& scope, std::size_t level);

  // The file nearest to one of `level` that removes its element `name`; null: the element stays.
  const Removal* remover(const std::string& name, std::size_t level) const;
  // The same, and remembers that there was something to remove.
  bool remove(const std::string& name, std::size_t level);

  // An Error for the first removal that found nothing, with near names.
  void refuse_unused(const Names& names) const;

 private:
  std::vector<Removal> all_;  // a file's before those of files it extends
};

}  // namespace klingel::vehicle
