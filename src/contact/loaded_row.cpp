#include "contact/loaded_row.hpp"

namespace klingel::contact {

LoadedRow loaded_row(const LoadedWheelset& wheelset, const LoadedContact& contact) {
  LoadedRow row{contact, {}, {}};
  for (const profile::Side side : {profile::Side::left, profile::Side::right}) {
    (side == profile::Side::left ? row.left : row.right) = {wheelset.patches(contact, side),
                                                            wheelset.approach(contact, side)};
  }
  return row;
}

}  // namespace klingel::contact
