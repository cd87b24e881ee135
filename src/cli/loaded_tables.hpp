// What `klingel contact --load` prints: a row per wheel, or one per patch.
#pragma once

#include <string>
#include <vector>

#include "contact/loaded_row.hpp"

namespace klingel::cli {

using contact::LoadedRow;

// The columns of the rigid contact first; a and b are those of the patch that carries most.
void print_loaded_csv(const std::vector<LoadedRow>& rows);
void print_loaded_table(const std::vector<LoadedRow>& rows);

// A row per patch.
void print_patches_csv(const std::vector<LoadedRow>& rows);

// -0.00 looks like a mistake.
std::string fixed(double value, int digits);

}  // namespace klingel::cli
