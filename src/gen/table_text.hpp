// The table of kernel/abi.h for one model, as C text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gen/manifest.hpp"

namespace klingel::gen {

// A typed C function and the arguments it takes out of the table's in, w and out.
struct TableCall {
  std::string name;
  std::string arguments;
};

// `calls`: the stages, then the functions, in the order of the manifest.
std::string table_text(const Manifest& manifest, std::string_view hash,
                       const std::vector<TableCall>& calls);

}  // namespace klingel::gen
